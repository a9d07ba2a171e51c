import { LINES_KEY, LIMITS } from "../sync/protocol.ts";
import type { SpaceRow } from "./tables.ts";

/** Prefix of entries that record a forget; no note's name can begin with it. */
export const FORGET_PREFIX = "~";

/** A relative path of a note that every client can write. In a sealed space names are opaque. */
export function isEntryKey(key: string, sealed: boolean): boolean {
  if (key === "" || new TextEncoder().encode(key).length > LIMITS.keyBytes) return false;
  if (key.startsWith(FORGET_PREFIX) || /[\p{Cc}\p{Cs}\\]/u.test(key)) return false;
  if (sealed || key === LINES_KEY) return true;
  if (key.normalize("NFC") !== key) return false;
  const parts = key.split("/");
  // Each device builds the index page from its own notes.
  return parts.every((part) => part !== "" && part !== "." && part !== "..") && parts.at(-1) !== "MEMORY.md";
}

/** Kind of a space created by the memory API. Devices do not sync it, so its paths may be any that the API allows. */
export const STORE_KIND = "store";

type Named = Pick<SpaceRow, "kind" | "sealed">;

const PATH_LIMITS = { bytes: 1024, segments: 20 } as const;

/** Why a text is not a valid path of a memory; `undefined` when it is. */
export function pathFault(path: string, space: Named): string | undefined {
  if (!path.startsWith("/")) return "a path starts with /";
  if (new TextEncoder().encode(path).length > PATH_LIMITS.bytes) return `a path has at most ${PATH_LIMITS.bytes} bytes`;
  if (/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(path)) return "a path has no control, format or separator characters";
  if (path.normalize("NFC") !== path) return "a path is in Unicode form NFC";
  const segments = path.slice(1).split("/");
  if (segments.length > PATH_LIMITS.segments) return `a path has at most ${PATH_LIMITS.segments} segments`;
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return "a segment of a path is not empty, . or ..";
  if (space.kind === STORE_KIND) return undefined;
  const key = keyOf(path, space);
  if (key === LINES_KEY || !isEntryKey(key, false))
    return "devices sync this space, and their notes cannot have this name";
  return undefined;
}

/** The name in the tables. In a synced space it is the note's name, without the leading slash. */
export function keyOf(path: string, { kind }: Pick<Named, "kind">): string {
  return kind === STORE_KIND ? path : path.slice(1);
}

export function pathOf(key: string, { kind }: Pick<Named, "kind">): string {
  return kind === STORE_KIND ? key : `/${key}`;
}

/** The directories of a name: `a/b/c.md` gives `a` and `a/b`. */
export function ancestorsOf(key: string): readonly string[] {
  return [...key.matchAll(/\//gu)].flatMap(({ index }) => (index === 0 ? [] : [key.slice(0, index)]));
}

const UUID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u;

export function storeId(spaceId: string): string {
  return `memstore_${spaceId.replaceAll("-", "")}`;
}

/** `undefined` when it is not a store id. */
export function spaceIdOf(text: string): string | undefined {
  return text.startsWith("memstore_") ? uuidOf(text.slice("memstore_".length)) : undefined;
}

export function memoryId(lineage: string): string {
  return `mem_${lineage}`;
}

export function lineageOf(text: string): string | undefined {
  return /^mem_([0-9a-f]{24})$/u.exec(text)?.[1];
}

const SEQ_DIGITS = 16;

export function memoryVersionId(seq: number): string {
  return `memver_${String(seq).padStart(SEQ_DIGITS, "0")}`;
}

export function seqOf(text: string): number | undefined {
  const [, digits] = /^memver_(\d{16})$/u.exec(text) ?? [];
  const seq = Number(digits);
  return Number.isSafeInteger(seq) ? seq : undefined;
}

/** Each token has its own device, whose id is public; the token's hash is not. */
export function apiKeyId(deviceId: string): string {
  return `apikey_${deviceId.replaceAll("-", "")}`;
}

export function deviceIdOf(text: string): string | undefined {
  return text.startsWith("apikey_") ? uuidOf(text.slice("apikey_".length)) : undefined;
}

function uuidOf(text: string): string | undefined {
  const [, ...parts] = UUID.exec(text) ?? [];
  return parts.length === 0 ? undefined : parts.join("-");
}
