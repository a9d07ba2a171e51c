import { putFile } from "./node-files.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { anonymousId } from "../../core/notes/names.ts";
import { isLineage, type Lineage } from "../../core/notes/history.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";

/** The part of a store that holds the record. */
interface Place {
  readonly state: string;
  readonly files: FilePort;
}

/** Ids of forgotten notes; a file that reappears under such a name stays out of recall. */
export function forgottenIds(place: Place): ReadonlySet<string> {
  return new Set(recordLines(place).map(idIn));
}

export function recordForgotten(place: Place, files: readonly string[], time: string): void {
  // Every record starts on a new line, since a killed process may have left part of one.
  place.files.append(recordPath(place), encode(files.map((file) => `\n${anonymousId(file)} ${time}\n`).join("")));
}

/** The time of the last forget (ISO); `undefined` if there was none, or if its names are in use again. */
export function lastForgottenAt(place: Place): string | undefined {
  const times = recordLines(place).flatMap((line) => line.split(" ", 2)[1] ?? []);
  return times.toSorted().at(-1);
}

/** Saving a note under a forgotten name allows the name again. */
export function allowAgain(place: Place, files: readonly string[]): void {
  const ids = new Set(files.map(anonymousId));
  const lines = recordLines(place);
  const kept = lines.filter((line) => !ids.has(idIn(line)));
  if (kept.length === lines.length) return;
  const path = recordPath(place);
  putFile(path, kept.map((line) => `${line}\n`).join(""), { files: place.files, aside: `${path}.new` });
}

function recordPath(place: Place): string {
  return `${place.state}/forgotten`;
}

function recordLines(place: Place): string[] {
  const text = new TextDecoder().decode(place.files.read(recordPath(place)));
  return text.split("\n").filter((line) => line !== "");
}

/** A line is an id and a time, or the part of them that a killed process wrote. */
const idIn = (line: string): string => line.split(" ", 1)[0] ?? "";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The notes that a store is to forget, and every name that they had in it. */
export interface Order {
  readonly lineages: ReadonlySet<Lineage>;
  readonly names: ReadonlySet<string>;
}

/** An order that has not been carried out yet; `file` is the format of memdir before lineages existed. */
export type PendingOrder =
  | { readonly kind: "order"; readonly order: Order | undefined }
  | { readonly kind: "file"; readonly file: string };

export function forgetPath({ state }: Pick<Place, "state">): string {
  return `${state}/forget-pending.json`;
}

/**
 * The order and its file name are on disk on return, because the next steps cannot be undone. If none is waiting, it is
 * written in place: recovery removes an order torn by a kill, which was never begun, but not a temporary file.
 */
export function writeOrder(place: Place, { lineages, names }: Order): void {
  const path = forgetPath(place);
  const text = JSON.stringify({ lineages: [...lineages], names: [...names] });
  const isWaiting = place.files.stat(path) !== undefined; // an earlier order must not be lost while this one is written
  const target = isWaiting ? `${path}.new` : path;
  place.files.remove(target);
  place.files.create(target, new TextEncoder().encode(text));
  if (isWaiting) place.files.rename(target, path);
  place.files.syncDirectory(place.state);
}

/** The order was carried out or never begun. Synced, so that a power failure cannot apply it to a later note. */
export function dropOrder({ state, files }: Place): void {
  files.remove(`${forgetPath({ state })}.new`);
  files.remove(forgetPath({ state }));
  files.syncDirectory(state);
}

/** An order that is torn was never begun. */
export function readOrder(place: Place): PendingOrder {
  const bytes = place.files.read(forgetPath(place));
  const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
  if (!isRecord(value)) return { kind: "order", order: undefined };
  if (typeof value["file"] === "string") return { kind: "file", file: value["file"] };
  const { lineages, names } = value;
  if (!Array.isArray(lineages) || !Array.isArray(names)) return { kind: "order", order: undefined };
  return {
    kind: "order",
    order: { lineages: new Set(lineages.filter(isLineage)), names: new Set(names.map(String)) },
  };
}
