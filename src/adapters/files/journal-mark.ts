import type { FilePort } from "../../core/notes/file-port.ts";

/** Up to where files have followed the journal: a sequence number and the journal's length then (bytes). */
export interface Mark {
  readonly seq: number;
  readonly bytes: number;
}

/** Where the journal of a store lies. */
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

/** A missing or damaged mark says that nothing has followed, which is always safe. */
export function readMark({ state, files }: JournalPlace): Mark {
  const text = new TextDecoder().decode(files.read(`${state}/journal.mark`));
  const [seq = NaN, bytes = NaN] = text.trim().split(" ").map(Number);
  return Number.isInteger(seq) && Number.isInteger(bytes) ? { seq, bytes } : { seq: 0, bytes: 0 };
}

export function writeMark(place: JournalPlace, seq: number): void {
  place.files.note(`${place.state}/journal.mark`, new TextEncoder().encode(`${seq} ${journalSize(place)}\n`));
}

/** Whether files have followed all that the journal holds; false too when that is not known. Cheap. */
export function isFinished(place: JournalPlace): boolean {
  return readMark(place).bytes === journalSize(place);
}
