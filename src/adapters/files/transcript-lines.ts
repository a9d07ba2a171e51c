import { createHash } from "node:crypto";
import fs from "node:fs";
import { MemoryError } from "../../core/shared/errors.ts";
import type { Position, TranscriptLine } from "../../core/transcripts/windows.ts";

export interface Needle {
  readonly text: string;
  /** If set, the ASCII letters of `text` are lower case. */
  readonly ignoreCase: boolean;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;
/** A longer line is not a message (bytes). */
const LONGEST_LINE_BYTES = 1 << 26;

let chunk: Buffer | undefined;

/**
 * The lines of a file that contain the needle, in order, read through a buffer of one megabyte; every line if there is
 * no needle. `range` starts at the beginning of a line. @throws the file system's error when the file cannot be read.
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
  /** Bytes that the next chunk repeats, so that no match between two chunks is missed. */
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
      // One character per byte, so that positions stay the same.
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

/** Bytes read from the file at once. */
const CHUNK = 1 << 18;
/** A longer line is skipped: a client that writes one has embedded a file (bytes). */
const MOST_LINE_BYTES = 8 << 20;
/** How much is read again before the position at which reading resumes (bytes). */
const CONTEXT_BYTES = 1 << 18;

/** Lines of a file of any size, starting a little before a position; memory holds one chunk and one line. */
export function* transcriptLines(file: string, from: Pick<Position, "offset" | "line">): Generator<TranscriptLine> {
  const fd = openTranscript(file);
  try {
    const begin = contextBefore(fd, from);
    let [start, number] = [begin.offset, begin.line];
    for (const piece of pieces(fd, begin.offset)) {
      number++;
      const end = start + piece.length;
      const text =
        piece.bytes === undefined
          ? undefined
          : piece.bytes
              .toString("utf8")
              .replace(/\r?\n$/u, "")
              .replace(/^\uFEFF/u, "");
      // A file may end without a line end; one that ends inside a JSON value is still being written.
      yield { text, number, start, end, torn: !piece.ended && !isJson(text) };
      start = end;
    }
  } finally {
    fs.closeSync(fd);
  }
}

interface Piece {
  /** `undefined` if it is too long. */
  readonly bytes: Buffer | undefined;
  readonly length: number;
  readonly ended: boolean;
}

function* pieces(fd: number, offset: number): Generator<Piece> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let parts: Buffer[] = [];
  let length = 0;
  for (let at = offset; ;) {
    const read = fs.readSync(fd, buffer, 0, CHUNK, at);
    if (read === 0) break;
    at += read;
    for (let from = 0; from < read;) {
      const newline = buffer.subarray(0, read).indexOf(10, from);
      const to = newline === -1 ? read : newline + 1;
      length += to - from;
      // The chunk is reused, so anything that outlives it is copied.
      if (length <= MOST_LINE_BYTES) parts.push(Buffer.from(buffer.subarray(from, to)));
      else parts = [];
      if (newline !== -1) {
        yield { bytes: joined(parts, length), length, ended: true };
        parts = [];
        length = 0;
      }
      from = to;
    }
  }
  if (length > 0) yield { bytes: joined(parts, length), length, ended: false };
}

function joined(parts: readonly Buffer[], length: number): Buffer | undefined {
  if (length > MOST_LINE_BYTES) return undefined;
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}

/** The first line that starts in the stretch before the position, with its number. */
function contextBefore(
  fd: number,
  { offset, line }: Pick<Position, "offset" | "line">,
): Pick<Position, "offset" | "line"> {
  const begin = Math.max(0, offset - CONTEXT_BYTES);
  if (offset === 0) return { offset: 0, line: 0 };
  const bytes = readRange(fd, begin, offset);
  const newline = begin === 0 ? -1 : bytes.indexOf(10);
  if (begin > 0 && newline === -1) return { offset, line };
  const rest = bytes.subarray(newline + 1);
  return {
    offset: begin + newline + 1,
    line: Math.max(0, line - rest.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0)),
  };
}

/** The first and last bytes before a position, which show whether a file still has the same beginning. */
const HEAD_BYTES = 4_096;
const TAIL_BYTES = 65_536;

/** A short hash that identifies a file up to `offset`; `undefined` when the file is shorter or missing. */
export function fingerprint(file: string, offset: number): string | undefined {
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? -1) < offset) return undefined;
  const fd = openTranscript(file);
  try {
    const hash = createHash("sha256").update(readRange(fd, 0, Math.min(offset, HEAD_BYTES)));
    return hash
      .update(readRange(fd, Math.max(0, offset - TAIL_BYTES), offset))
      .update(String(offset))
      .digest("hex")
      .slice(0, 32);
  } finally {
    fs.closeSync(fd);
  }
}

/** @throws MemoryError `not-found`, `invalid-input` if it is not a file, or `permission`. */
function openTranscript(file: string): number {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new MemoryError("not-found", `there is no file ${file}; give the path of a session transcript (.jsonl)`);
  if (!stat.isFile())
    throw new MemoryError(
      "invalid-input",
      `${file} is not an ordinary file; give the path of a session transcript (.jsonl)`,
    );
  try {
    return fs.openSync(file, "r");
  } catch (error) {
    throw new MemoryError("permission", `${file} cannot be read; check its owner and mode`, { cause: error });
  }
}

function readRange(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  let at = 0;
  while (at < bytes.length) {
    const read = fs.readSync(fd, bytes, at, bytes.length - at, from + at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}

function isJson(text: string | undefined): boolean {
  if (text === undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
