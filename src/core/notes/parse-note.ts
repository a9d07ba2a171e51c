import { askedPhrases, type Evidence, type Note, NOTE_TYPES, type NoteProblem, type NoteType } from "./note.ts";
import { findHidden } from "../shared/hidden.ts";
import { cutAtWord, oneLine, truncate } from "../shared/text.ts";
import { type FrontmatterCodec, splitFrontmatter } from "./frontmatter.ts";
import { withoutEnding } from "./names.ts";
import { record } from "../shared/json.ts";
import { withoutSecrets } from "../shared/sanitize.ts";

/**
 * A note as memdir displays and summarises it: without secrets that were written into its file by hand. Code that
 * changes the file uses the note as written.
 */
export function shownNote(note: Note): Note {
  return { ...withShownFields(note), body: withoutSecrets(note.body) };
}

/** Like `shownNote`, but leaves the body as it is, because lists and summary lines do not show it. */
export function withShownFields(note: Note): Note {
  return {
    ...note,
    name: withoutSecrets(note.name),
    description: withoutSecrets(note.description),
    writtenType: note.writtenType === undefined ? undefined : withoutSecrets(note.writtenType),
    problems: note.problems.map((problem) => ({ ...problem, message: withoutSecrets(problem.message) })),
  };
}

/** The text of a file as displayed: without secrets. */
export function shownText(bytes: Uint8Array): string {
  return withoutSecrets(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}

/** Files above this many bytes are read and listed, but only their beginning is searched. */
const OVERSIZE_BYTES = 1_000_000;

/**
 * Parses one file, whatever it contains. Faults are reported in `problems`, never thrown.
 * Bytes that are not UTF-8 become U+FFFD.
 */
export function parseNote(file: string, bytes: Uint8Array, codec: FrontmatterCodec): Note {
  const problems: NoteProblem[] = [];
  const text = decode(bytes, problems);
  const parts = splitFrontmatter(text);
  const { data, problem } = codec.read(parts.block);
  if (parts.state === "none")
    problems.push({
      code: "no-frontmatter",
      message: "no `---` frontmatter; name and description are taken from the text",
    });
  if (parts.state === "unclosed")
    problems.push({
      code: "unclosed-frontmatter",
      message: "the frontmatter has no closing `---` line; the whole file is read as text",
    });
  if (problem !== undefined) problems.push({ code: "malformed-frontmatter", message: problem });
  const body = parts.body.replace(/\r\n?/gu, "\n");
  const note = readFields(file, data, body);
  inspect(note, text, parts.state === "closed", problems);
  return { ...note, problems };
}

/** Parses a one-line list of files from frontmatter: `a.md, b.md`. */
export function filesIn(value: unknown): readonly string[] {
  return (string(value) ?? "")
    .split(",")
    .map((file) => file.trim())
    .filter((file) => file !== "");
}

function decode(bytes: Uint8Array, problems: NoteProblem[]): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (text.includes("\uFFFD") && !isUtf8(bytes))
    problems.push({
      code: "invalid-utf8",
      message: "some bytes are not UTF-8; they are shown as \uFFFD and the file is left as it is",
    });
  if (text.includes("\0")) problems.push({ code: "nul-bytes", message: "the file contains NUL bytes" });
  if (bytes.byteLength > OVERSIZE_BYTES)
    problems.push({
      code: "oversize",
      message: `the file has ${bytes.byteLength} bytes; only its beginning is searched`,
    });
  return text;
}

/** Whether the bytes are UTF-8; a file that is not is never rewritten. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function readFields(file: string, data: Readonly<Record<string, unknown>>, body: string): Omit<Note, "problems"> {
  const metadata = record(data["metadata"]);
  const writtenType = string(metadata["type"]) ?? string(data["type"]);
  return {
    file,
    name: string(data["name"]) ?? headingOf(body) ?? baseName(file),
    description: oneLine(string(data["description"]) ?? firstProse(body)),
    type: NOTE_TYPES.find((type) => type === writtenType),
    writtenType,
    body,
    pinned: (metadata["pinned"] ?? data["pinned"]) === true,
    modified: firstDate([metadata["modified"], data["modified"], metadata["created"], data["created"], data["date"]]),
    supersededBy: string(metadata["supersededBy"]),
    validFrom: firstDate([metadata["validFrom"]]),
    validTo: firstDate([metadata["validTo"]]),
    evidence: evidenceOf(metadata),
    contradicts: filesIn(metadata["contradicts"]),
    asked: askedPhrases([metadata["asked"]].flat().flatMap((one) => string(one) ?? [])),
  };
}

function inspect(note: Omit<Note, "problems">, text: string, closed: boolean, problems: NoteProblem[]): void {
  if (closed && note.description === "")
    problems.push({
      code: "missing-description",
      message: "no `description`: recall and the index have nothing to show",
    });
  if (closed && note.type === undefined) {
    const said =
      note.writtenType === undefined ? "no `type`" : `unknown type "${truncate(withoutSecrets(note.writtenType), 40)}"`;
    problems.push({ code: "unknown-type", message: `${said}; the types are ${NOTE_TYPES.join(", ")}` });
  }
  if (hasConflictMarkers(text))
    problems.push({ code: "conflict-markers", message: "the file contains merge conflict markers" });
  if (findHidden(text.replace(/^\uFEFF/u, "")).length > 0)
    problems.push({
      code: "hidden-characters",
      message: "the file contains hidden or bidirectional control characters; they are left out when it is shown",
    });
}

/** Works line by line: one pattern over the whole text would be far too slow on many opening markers. */
function hasConflictMarkers(text: string): boolean {
  if (!text.includes("<<<<<<< ")) return false;
  const wanted = [/^<{7} /u, /^={7}\r?$/u, /^>{7} /u];
  for (const line of text.split("\n")) {
    if (wanted[0]?.test(line) === true) wanted.shift();
  }
  return wanted.length === 0;
}

function string(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function firstDate(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const time = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (Number.isFinite(time)) return new Date(time).toISOString();
  }
  return undefined;
}

function evidenceOf(metadata: Readonly<Record<string, unknown>>): Evidence | undefined {
  const evidence = record(metadata["evidence"]);
  const session = string(evidence["session"]) ?? string(metadata["originSessionId"]);
  return session === undefined ? undefined : { session, message: string(evidence["message"]) ?? "" };
}

function headingOf(body: string): string | undefined {
  // Cut before looking for the closing marks: on a long line of spaces the search would be far too slow.
  const line = /^#{1,6}[ \t]+(\S.*)$/mu.exec(body)?.[1]?.slice(0, 1_000);
  // Remove secrets before cutting: the scan would not recognise half a token.
  const heading = line === undefined ? "" : withoutSecrets(oneLine(line.replace(/[ \t]+#*[ \t]*$/u, "")));
  return heading === "" ? undefined : cutAtWord(heading, 100);
}

/** The note's summary line: its description, or its first sentence if the description is empty or a fragment. */
export function summaryOf({ description, body }: Pick<Note, "description" | "body">): string {
  const isStub = description.length < STUB_CHARACTERS && /^\P{L}*\p{L}*\P{L}*$/u.test(description);
  if (!isStub || UNSPACED.test(description) || /\d/u.test(description)) return description;
  const prose = firstProse(body);
  return prose === "" ? description : prose;
}

/** "The", "Notes", "TODO": too short for a sentence. */
const STUB_CHARACTERS = 8;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The first sentence is near the beginning; patterns search no further (characters). */
const LOOKED_AT = 4_000;

/** A frontmatter block that was not read as one because a comment precedes it. */
const BLOCK = /^\s*<!--[\s\S]*?-->\s*---\n[\s\S]*?\n---(?:\n|$)/u;

function firstProse(text: string): string {
  // Remove secrets before cutting: the scan would not recognise half a token.
  const body = withoutSecrets(text.slice(0, LOOKED_AT).replace(BLOCK, ""));
  const line = body.split("\n").find((candidate) => /^[^#\s`~|<>-]/u.test(candidate.trimStart())) ?? "";
  return cutAtWord(oneLine(line), 150);
}

/** `feedback_testing.md` → `feedback_testing`. */
export function baseName(file: string): string {
  return withoutEnding(file.slice(file.lastIndexOf("/") + 1));
}

/** The type to display: as the note gives it, or `note` if it gives none. */
export function shownType(note: {
  readonly type: NoteType | undefined;
  readonly writtenType: string | undefined;
}): string {
  return note.type ?? note.writtenType ?? "note";
}

/** Decodes a file that is only partly UTF-8: bytes outside valid UTF-8 characters are read as Windows-1252. */
export function readMixed(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const [lead = 0] = bytes.subarray(at, at + 1);
    const length = lengthAfter(lead);
    const one = bytes.subarray(at, at + length);
    const isCharacter = one.length === length && isUtf8(one);
    parts.push(isCharacter ? UTF8.decode(one) : windowsCharacter(lead));
    at += isCharacter ? length : 1;
  }
  return parts.join("");
}

/** The length in bytes of a UTF-8 character that starts with this byte. */
function lengthAfter(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Windows-1252 from 0x80 on, where Latin-1 has control characters; Node's own decoder reads it as Latin-1. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function windowsCharacter(byte: number): string {
  return WINDOWS[byte - 0x80] ?? String.fromCodePoint(byte);
}
