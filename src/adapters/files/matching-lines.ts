import fs from "node:fs";

export interface Needle {
  readonly text: string;
  /** ASCII letters of `text` are small then. */
  readonly ignoreCase: boolean;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;
/** A longer line is no message (bytes). */
const LONGEST_LINE_BYTES = 1 << 26;

let chunk: Buffer | undefined;

/**
 * The lines of a file in which some bytes stand, in order, read through one buffer of a megabyte. Without a needle
 * every line. `range` begins at the beginning of a line. @throws the file system's error when it cannot be read.
 */
export function matchingLines(file: string, needle: Needle | undefined, range?: ByteRange): readonly string[] {
  const fd = fs.openSync(file, "r");
  try {
    const lines: string[] = [];
    const to = Math.min(range?.to ?? Number.MAX_SAFE_INTEGER, fs.fstatSync(fd).size);
    scan(fd, needle === undefined ? undefined : finder(needle), { from: range?.from ?? 0, to }, lines);
    return lines;
  } finally {
    fs.closeSync(fd);
  }
}

interface Finder {
  /** Bytes that the next chunk must begin with again, so that nothing falls between two. */
  readonly overlap: number;
  search(view: Buffer): (from: number) => number;
}

function finder({ text, ignoreCase }: Needle): Finder {
  const bytes = Buffer.from(text);
  if (!ignoreCase) return { overlap: bytes.length - 1, search: (view) => (from) => view.indexOf(bytes, from) };
  const wanted = bytes.toString("latin1");
  return {
    overlap: bytes.length - 1,
    search(view) {
      // One character a byte, so that positions stay what they are.
      const folded = view.toString("latin1").toLowerCase();
      return (from) => folded.indexOf(wanted, from);
    },
  };
}

const EVERY_LINE: Finder = { overlap: 0, search: (view) => (from) => (from < view.length ? from : -1) };

function scan(fd: number, { overlap, search }: Finder = EVERY_LINE, { from, to }: ByteRange, lines: string[]): void {
  const buffer = (chunk ??= Buffer.allocUnsafe(CHUNK_BYTES));
  let lineStart = from;
  let position = from;
  while (position < to) {
    const length = fs.readSync(fd, buffer, 0, Math.min(CHUNK_BYTES, to - position), position);
    if (length === 0) return;
    const view = buffer.subarray(0, length);
    const find = search(view);
    let next: number | undefined;
    for (let at = find(0); at >= 0;) {
      const before = at === 0 ? -1 : view.lastIndexOf(NEWLINE, at - 1);
      const start = before < 0 ? lineStart : position + before + 1;
      const after = view.indexOf(NEWLINE, at);
      const end = after < 0 ? endOfLine(fd, position + length, to) : position + after;
      lines.push(
        start >= position && after >= 0 ? view.toString("utf8", start - position, after) : textAt(fd, start, end),
      );
      if (after < 0) {
        next = end + 1;
        break;
      }
      at = find(after + 1);
    }
    const last = view.lastIndexOf(NEWLINE);
    lineStart = next ?? (last < 0 ? lineStart : position + last + 1);
    position = next ?? (position + length >= to ? to : position + length - overlap);
  }
}

function endOfLine(fd: number, from: number, to: number): number {
  const part = Buffer.allocUnsafe(65_536);
  for (let at = from; at < to;) {
    const length = fs.readSync(fd, part, 0, Math.min(part.length, to - at), at);
    const end = part.subarray(0, length).indexOf(NEWLINE);
    if (end >= 0) return at + end;
    if (length === 0) break;
    at += length;
  }
  return to;
}

function textAt(fd: number, start: number, end: number): string {
  const bytes = Buffer.allocUnsafe(Math.min(end - start, LONGEST_LINE_BYTES));
  let length = 0;
  while (length < bytes.length) {
    const read = fs.readSync(fd, bytes, length, bytes.length - length, start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.toString("utf8", 0, length);
}
