import type { NoteType, Scope } from "./note.ts";
import { sha256 } from "../shared/hash.ts";

/** Notes that a text links to: `[[name]]` and Markdown links to `.md` files, in order, without duplicates. */
export function linksIn(body: string): string[] {
  const found = new Set<string>();
  for (const match of body.matchAll(
    /\[\[([^\]|#\n]{1,200})(?:[|#][^\]\n]*)?\]\]|\]\(([^()\s]{1,300}\.md)(?:#[^)\s]*)?\)/gu,
  )) {
    const target = (match[1] ?? match[2] ?? "").trim();
    if (target !== "" && !/^[a-z][a-z0-9+.-]*:/iu.test(target)) found.add(target);
  }
  return [...found];
}

/** The key shared by a link's target and its note: file name without directory and ending, or name, in lower case. */
export function linkKey(target: string): string {
  return withoutEnding(target.slice(target.lastIndexOf("/") + 1)).toLowerCase();
}

/** Whether a file is Markdown, by its name. */
export function isMarkdown(file: string): boolean {
  return /\.md$/iu.test(file);
}

/** `port.md` → `port`; other files keep their endings. */
export function withoutEnding(file: string): string {
  return file.replace(/\.md$/iu, "");
}

/** An id for a file that does not reveal its name. */
export function anonymousId(file: string): string {
  return sha256(`memdir forgotten note\0${file.normalize("NFC")}`).slice(0, 32);
}

/**
 * The directory name that Claude Code gives a path: every character outside `[A-Za-z0-9]` becomes
 * `-`; over 200 characters it is cut and completed with a hash of the original path (observed with
 * Claude Code 2.1.330). Notes use the git root's slug, transcripts the working directory's.
 */
export function slugOf(path: string): string {
  const slug = path.replace(/[^A-Za-z0-9]/g, "-");
  return slug.length <= 200 ? slug : `${slug.slice(0, 200)}-${hash(path)}`;
}

function hash(path: string): string {
  let h = 0;
  for (let i = 0; i < path.length; i++) h = ((h << 5) - h + path.charCodeAt(i)) | 0;
  return Math.abs(h).toString(36);
}

/** The index of a store; never a note itself. */
export const INDEX_FILE = "MEMORY.md";

const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|memory|git~1)$/iu;

/** File systems allow 255 bytes; room is left for `.conflict-2` and temporary names. */
const MAX_COMPONENT_BYTES = 200;

const MAX_PATH_BYTES = 600;

/** Notes are searched for at most this many directories below a store. */
export const MAX_DEPTH = 8;

export type PathCheck = { readonly ok: true; readonly file: string } | { readonly ok: false; readonly reason: string };

/** Checks whether a name from outside can be a note of this store. Returns a relative, `/`-separated path in NFC. */
export function checkNotePath(given: string): PathCheck {
  const file = given.normalize("NFC");
  const no = (reason: string): PathCheck => ({ ok: false, reason: `"${shown(given)}" cannot be a note: ${reason}` });
  if (file === "") return no("the name is empty");
  if (/[\0-\x1f\x7f]/u.test(file)) return no("it contains control characters");
  if (/\p{Surrogate}/u.test(file)) return no("it contains half a character");
  if (file.includes("\\") || /^[a-z]:/iu.test(file)) return no("use `/`, and a path inside the store");
  if (file.startsWith("/") || file.startsWith("~")) return no("give a path relative to the store");
  if (!isMarkdown(file)) return no("notes end in .md");
  if (Buffer.byteLength(file) > MAX_PATH_BYTES) return no(`the path is longer than ${MAX_PATH_BYTES} bytes`);
  const parts = file.split("/");
  if (parts.length > MAX_DEPTH + 1) return no(`it lies more than ${MAX_DEPTH} directories deep`);
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") return no("it leaves the store or has an empty part");
    if (part.startsWith(".")) return no("hidden files are not notes");
    if (/[<>:"|?*]/u.test(part) || /[. ]$/u.test(part))
      return no('some systems refuse < > : " | ? * and names that end in a dot or space');
    if (RESERVED.test(part.replace(/\..*$/u, ""))) return no("the name is reserved");
    if (Buffer.byteLength(part) > MAX_COMPONENT_BYTES) return no(`a part is longer than ${MAX_COMPONENT_BYTES} bytes`);
  }
  return { ok: true, file };
}

/**
 * A file name for a new note: `feedback_no_mocks.md`. Lower case, letters and digits of any script,
 * at most 80 characters, cut at a word; `taken` decides (ignoring case) whether a name is in use.
 */
export function newNoteFile(type: NoteType, name: string, taken: (file: string) => boolean): string {
  const words = withoutEnding(name.normalize("NFKC").toLowerCase().normalize("NFC"))
    .replace(/[\u200B-\u200F\uFE00-\uFE0F]/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_");
  const bare = words.replace(/^_+|_+$/gu, "").replace(new RegExp(`^(?:${type}_)+`, "u"), "");
  const stem = `${type}_${cut(bare === "" ? "note" : bare, 72)}`;
  for (let n = 1; ; n++) {
    const file = n === 1 ? `${stem}.md` : `${stem}_${n}.md`;
    if (!taken(file)) return file;
  }
}

/** The first free name for a conflict copy: for `x.md`, `x.conflict-1.md`. */
export function conflictFile(file: string, taken: (file: string) => boolean): string {
  const stem = withoutEnding(file);
  for (let n = 1; ; n++) {
    const candidate = `${stem}.conflict-${n}.md`;
    if (!taken(candidate)) return candidate;
  }
}

/** Whether a name was made by `conflictFile` for `file`. */
export function isConflictCopy(name: string, file: string): boolean {
  return originalName(name) === `${withoutEnding(file)}.md`;
}

/** The file that a conflict copy was made from; `undefined` if the name is not that of a conflict copy. */
export function originalName(name: string): string | undefined {
  const stem = /^(.+)\.conflict-\d+\.md$/u.exec(name)?.[1];
  return stem === undefined ? undefined : `${stem}.md`;
}

function cut(text: string, limit: number): string {
  let out = "";
  for (const point of text) {
    if (out.length + point.length > limit || Buffer.byteLength(out + point) > MAX_COMPONENT_BYTES - 40) break;
    out += point;
  }
  const word = out.length < text.length && text[out.length] !== "_" ? out.lastIndexOf("_") : -1;
  return (word > limit / 2 ? out.slice(0, word) : out).replace(/_+$/u, "");
}

function shown(text: string): string {
  const clean = text.replace(/[\0-\x1f\x7f]/gu, "?");
  return clean.length > 80 ? `${clean.slice(0, 80)}…` : clean;
}

/** A note by file and scope, since several scopes may have the same file name. */
export interface NotePlace {
  readonly scope: Scope;
  readonly file: string;
}

/** A note's key across scopes: `user:role.md`. */
export function noteKey({ scope, file }: { readonly scope: string; readonly file: string }): string {
  return `${scope}:${file}`;
}

/** Pattern for `StoreLocation.excluded`: the monthly log directories of a user's store, which hold no notes. */
export const LOG_MONTHS = "YYYY/MM";

const MONTH = /^\d{4}\/(?:0[1-9]|1[0-2])$/u;

/** Whether a directory inside a store belongs to something else: another store, or the logs of a month. */
export function isExcluded(excluded: ReadonlySet<string>, directory: string): boolean {
  return excluded.has(directory) || (MONTH.test(directory) && excluded.has(LOG_MONTHS));
}
