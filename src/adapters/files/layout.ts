import type { FilePort } from "../../core/notes/file-port.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/** How far the files are up to date with the journal: a sequence number and the journal's length then (bytes). */
export interface Mark {
  readonly seq: number;
  readonly bytes: number;
}

/** The location of a store's journal. */
export interface JournalPlace {
  readonly state: string;
  readonly files: FilePort;
}

export function journalPath(place: JournalPlace): string {
  return `${place.state}/journal.jsonl`;
}

export function journalSize(place: JournalPlace): number {
  return place.files.stat(journalPath(place))?.size ?? 0;
}

/** A missing or damaged mark means that no file is up to date, which is always safe. */
export function readMark({ state, files }: JournalPlace): Mark {
  const text = new TextDecoder().decode(files.read(`${state}/journal.mark`));
  const [seq = NaN, bytes = NaN] = text.trim().split(" ").map(Number);
  return Number.isInteger(seq) && Number.isInteger(bytes) ? { seq, bytes } : { seq: 0, bytes: 0 };
}

export function writeMark(place: JournalPlace, seq: number): void {
  place.files.note(`${place.state}/journal.mark`, new TextEncoder().encode(`${seq} ${journalSize(place)}\n`));
}

/** Whether the files are up to date with the journal; `false` also if that is unknown. Cheap. */
export function isFinished(place: JournalPlace): boolean {
  return readMark(place).bytes === journalSize(place);
}

/** The layout version of a store's state. It is raised when an older memdir would misread or damage newer data. */
const LAYOUT = 1;

/** Vectors of descriptions; a cache. */
export const VECTORS = "vectors";
/** Indexes of earlier versions; a cache. */
export const PAST_INDEXES = "as-of";
/** The guards that were approved on this machine. */
export const GUARDS_FILE = "guards.json";

const layoutPath = (state: string): string => `${state}/layout`;

/** State without the file has layout 1. @throws MemoryError `unavailable` for state from a newer memdir. */
export function requireLayout(state: string, files: Pick<FilePort, "read">): void {
  const found = Number(new TextDecoder().decode(files.read(layoutPath(state))).trim());
  if (found > LAYOUT)
    throw new MemoryError(
      "unavailable",
      `the state in ${state} has layout ${found}, and this memdir knows layouts up to ${LAYOUT}: a newer memdir wrote it; update memdir, nothing was read or written`,
    );
}

/** Not synced: if the file is lost, the state still has layout 1, and the next write creates it again. */
export function noteLayout(state: string, files: FilePort): void {
  if (files.stat(layoutPath(state)) === undefined)
    files.note(layoutPath(state), new TextEncoder().encode(`${LAYOUT}\n`));
}
