import { createHash } from "node:crypto";
import { isLineage, type Lineage } from "../../../core/notes/history.ts";
import { checkNotePath } from "../../../core/notes/names.ts";
import { sha256 } from "../../../core/shared/hash.ts";
import {
  foldedKey,
  isRemovedId,
  LIMITS,
  LINES_KEY,
  type NoteChange,
  type Revision,
} from "../../../core/sync/protocol.ts";

/** A text to be written to the repository, or a blob that it already has. */
export type Content = { readonly blob: string; readonly bytes: number } | { readonly text: string };

export interface LiveEntry {
  readonly lineage: Lineage;
  readonly blob: string;
  readonly bytes: number;
  /** Text that is not in the repository yet. */
  readonly text?: string;
}

export interface DeletedEntry {
  readonly lineage: Lineage;
  readonly day: string;
  /** `removedId` of the text that was removed. */
  readonly was?: string;
}

/** The contents of a space, as read from a tree. */
export interface SpaceTree {
  readonly live: ReadonlyMap<string, LiveEntry>;
  /** Deleted entries by key. */
  readonly deleted: ReadonlyMap<string, DeletedEntry>;
  /** Forgotten lineages with `nameHash` of every name they held. */
  readonly forgotten: ReadonlyMap<Lineage, { readonly day: string; readonly names: readonly string[] }>;
  /** Commits that squashes removed from the branch, oldest first. */
  readonly past: readonly string[];
  /** Names in the tree that are skipped, with the reason. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Files of forgotten notes that returned when an old branch was merged; the next push removes them. */
  readonly returned: readonly string[];
}

/** One line of `git ls-tree -r -l -z`. */
export interface TreeLine {
  readonly mode: string;
  readonly blob: string;
  readonly bytes: number;
  readonly path: string;
}

export const EMPTY_SPACE: SpaceTree = {
  live: new Map(),
  deleted: new Map(),
  forgotten: new Map(),
  past: [],
  skipped: [],
  returned: [],
};

const NOTES = "notes/";
const IDS = "ids/";
const GONE = "gone/";
const LINES_FILE = "lines";
const PAST_FILE = "past";
/** Devices that last synced longer ago join again (days). */
const REMEMBER_DELETED_DAYS = 180;
/** An encrypted note. */
const SEALED_FILE = /^notes\/[0-9a-f]{40}\.md$/u;
const PLAIN_FILE = "100644";
/** Limit for files of a lineage and a line feed, or of one name hash per line (bytes). */
const MAX_SMALL_BYTES = 1_000_000;

export function parseTreeLines(output: Buffer): readonly TreeLine[] {
  return output
    .toString("utf8")
    .split("\0")
    .flatMap((line): TreeLine[] => {
      const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([^]+)$/u.exec(line);
      if (match === null) return [];
      const [, mode = "", , blob = "", bytes = "", path = ""] = match;
      return [{ mode, blob, bytes: Number(bytes), path }];
    });
}

/** Small files other than notes, whose contents `readTree` needs. */
export function smallBlobs(lines: readonly TreeLine[]): readonly string[] {
  return lines.filter(isSmallFile).map(({ blob }) => blob);
}

function isSmallFile({ mode, path, bytes }: TreeLine): boolean {
  const isOurs = path.startsWith(IDS) || path.startsWith(GONE) || path === PAST_FILE;
  return isOurs && mode === PLAIN_FILE && bytes <= MAX_SMALL_BYTES;
}

/**
 * Reads the space from a tree that anyone may have written: anything that is not a note with a plain name is left out.
 * A note added without an id (by hand, on the host's page) gets one that every device derives in the same way.
 */
export function readTree(lines: readonly TreeLine[], small: ReadonlyMap<string, Buffer>): SpaceTree {
  const textOf = (line: TreeLine): string | undefined =>
    isSmallFile(line) ? small.get(line.blob)?.toString("utf8") : undefined;
  const { forgotten, deleted } = goneOf(lines, textOf);
  const ids = new Map(
    lines.filter(({ path }) => path.startsWith(IDS)).map((line) => [line.path, textOf(line)?.trim()]),
  );
  const skipped: { name: string; reason: string }[] = [];
  const live = new Map<string, LiveEntry>();
  const folded = new Set<string>();
  const returned: string[] = [];
  for (const line of lines) {
    const key = keyOf(line, skipped);
    if (key === undefined) continue;
    if (folded.has(foldedKey(key))) {
      skipped.push({ name: line.path, reason: "another note has this name in other letters" });
      continue;
    }
    const id = ids.get(idPath(key));
    const lineage = isLineage(id) ? id : derivedLineage(key, forgotten);
    if (forgotten.has(lineage)) {
      returned.push(line.path, idPath(key));
      continue;
    }
    folded.add(foldedKey(key));
    live.set(key, { lineage, blob: line.blob, bytes: line.bytes });
  }
  for (const key of live.keys()) deleted.delete(key);
  const past = lines.find(({ path }) => path === PAST_FILE);
  const commits = past === undefined ? "" : (textOf(past) ?? "");
  return { live, deleted, forgotten, past: commits.split("\n").filter(isObjectId), skipped, returned };
}

function keyOf({ mode, path, bytes }: TreeLine, skipped: { name: string; reason: string }[]): string | undefined {
  const isLines = path === LINES_FILE;
  if (!isLines && !path.startsWith(NOTES)) return undefined;
  const no = (reason: string): undefined => {
    skipped.push({ name: path, reason });
    return undefined;
  };
  if (mode !== PLAIN_FILE && mode !== "100755") return no("a link or a module, not a file");
  const most = SEALED_FILE.test(path) ? LIMITS.sealedBytes : LIMITS.entryBytes;
  if (bytes > most) return no(`larger than ${most} bytes`);
  if (isLines) return LINES_KEY;
  const name = path.slice(NOTES.length);
  const check = checkNotePath(name);
  if (!check.ok) return no(check.reason);
  return check.file === name ? name : no("the name is not in Unicode's composed form (NFC)");
}

interface GoneEntries {
  readonly forgotten: Map<Lineage, { readonly day: string; readonly names: readonly string[] }>;
  readonly deleted: Map<string, DeletedEntry>;
}

function goneOf(lines: readonly TreeLine[], textOf: (line: TreeLine) => string | undefined): GoneEntries {
  const forgotten: GoneEntries["forgotten"] = new Map();
  const deleted: GoneEntries["deleted"] = new Map();
  for (const line of lines) {
    const lineage = line.path.slice(GONE.length);
    if (!line.path.startsWith(GONE) || !isLineage(lineage)) continue;
    for (const entry of (textOf(line) ?? "").split("\n")) {
      const [, state, day = "", rest = ""] = /^(deleted|forgotten) (\d{4}-\d\d-\d\d)(?: (.*))?$/u.exec(entry) ?? [];
      if (state === "forgotten") forgotten.set(lineage, { day, names: rest.split(" ").filter(isNameHash) });
      if (state !== "deleted") continue;
      const [key = "", was = ""] = rest.split("\t");
      if (isKey(key)) deleted.set(key, { lineage, day, ...(isRemovedId(was) && { was }) });
    }
  }
  for (const [key, { lineage }] of deleted) if (forgotten.has(lineage)) deleted.delete(key);
  return { forgotten, deleted };
}

/** Whether a key is allowed in a space kept in a repository. */
export function isKey(key: string): boolean {
  if (key === LINES_KEY) return true;
  const check = checkNotePath(key);
  return check.ok && check.file === key;
}

export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(text);
}

function isNameHash(text: string): boolean {
  return /^[0-9a-f]{32}$/u.test(text);
}

function derivedLineage(key: string, forgotten: ReadonlyMap<Lineage, unknown>): Lineage {
  for (let attempt = 0; ; attempt++) {
    const lineage = sha256(`memdir note without an id\0${attempt}\0${key}`).slice(0, 24);
    if (!forgotten.has(lineage)) return lineage;
  }
}

function idPath(key: string): string {
  return `${IDS}${sha256(key).slice(0, 20)}`;
}

function notePath(key: string): string {
  return key === LINES_KEY ? LINES_FILE : `${NOTES}${key}`;
}

/** Every file that memdir keeps in a space's tree. */
export function filesOf(space: SpaceTree, today: string): ReadonlyMap<string, Content> {
  const files = new Map<string, Content>();
  for (const [key, { lineage, blob, bytes, text }] of space.live) {
    files.set(notePath(key), text === undefined ? { blob, bytes } : { text });
    files.set(idPath(key), { text: `${lineage}\n` });
  }
  const gone = new Map<Lineage, string[]>();
  for (const [key, { lineage, day, was }] of space.deleted) {
    if (daysBetween(day, today) > REMEMBER_DELETED_DAYS) continue;
    const line = `deleted ${day} ${key}${was === undefined ? "" : `\t${was}`}\n`;
    gone.set(lineage, [...(gone.get(lineage) ?? []), line]);
  }
  for (const [lineage, { day, names }] of space.forgotten)
    gone.set(lineage, [`${["forgotten", day, ...names].join(" ")}\n`]);
  for (const [lineage, entries] of gone) files.set(`${GONE}${lineage}`, { text: entries.toSorted().join("") });
  if (space.past.length > 0) files.set(PAST_FILE, { text: `${space.past.join("\n")}\n` });
  return files;
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** The state of an entry after `change`; `like` is any object id of the repository. */
export function wantedRevision({ state, lineage, body = "" }: NoteChange, like: string): Revision {
  return state === "deleted" ? `deleted.${lineage}` : `${blobOf(body, like)}.${lineage}`;
}

/** The id that git gives a text. */
export function blobOf(text: string, like: string): string {
  const bytes = Buffer.from(text);
  return createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.byteLength}\0`)
    .update(bytes)
    .digest("hex");
}

/** The state of one entry. It includes the lineage: a different note with the same text is a different state. */
export function revisionIn(space: Pick<SpaceTree, "live" | "deleted">, key: string): Revision {
  const live = space.live.get(key);
  if (live !== undefined) return `${live.blob}.${live.lineage}`;
  const deleted = space.deleted.get(key);
  return deleted === undefined ? "" : `deleted.${deleted.lineage}`;
}
