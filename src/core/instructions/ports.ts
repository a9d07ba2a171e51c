import type { SectionFlag } from "./section.ts";
import { record } from "../shared/json.ts";

interface DecodedFile {
  /** Bytes that are not UTF-8 as U+FFFD. */
  readonly text: string;
  readonly flags: readonly SectionFlag[];
}

/** Reads bytes as text, whatever they are, without a byte order mark; line endings stay. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const { text, flags } = decodeRaw(bytes);
  return { text: text.startsWith("\uFEFF") ? text.slice(1) : text, flags };
}

/** The same with its byte order mark. */
export function decodeRaw(bytes: Uint8Array): DecodedFile {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const flags: SectionFlag[] = text.startsWith("\uFEFF") ? ["bom"] : [];
  if (text.includes("\uFFFD") && !isUtf8(bytes)) flags.push("invalid-utf8");
  return { text, flags };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false; // how the decoder says no
    throw error;
  }
}

/** Files above this are not read (Claude Code skips them too). */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export type FileRead =
  | { readonly state: "read"; readonly bytes: Uint8Array }
  | { readonly state: "absent" }
  /** There, and not readable: permission, a directory, a loop of links, too large. */
  | { readonly state: "unreadable"; readonly why: string };

export interface ListedEntry {
  readonly name: string;
  /** Of what the entry leads to: links are followed; `other` is a loop, a socket, a link to nothing. */
  readonly kind: "file" | "directory" | "other";
}

/** What instructions need of a file system: nothing that writes. Paths are absolute with `/`. */
export interface InstructionFiles {
  /** At most `MAX_FILE_BYTES`; never throws. */
  read(path: string): FileRead;
  /** Of the entry itself, links not followed; `undefined` when there is none. */
  kind(path: string): "file" | "directory" | "link" | "other" | undefined;
  /** The path with links resolved and letters as the disk spells them; `undefined` when it leads nowhere. */
  realPath(path: string): string | undefined;
  /** Whether the path is a symbolic link in a circle. */
  isLoop(path: string): boolean;
  /** In the order of the disk, which stays as long as the directory does; empty when there is no such directory or it cannot be read. */
  list(path: string): readonly ListedEntry[];
}

export interface GlobMatcher {
  /** Gitignore semantics, over paths relative to one base directory. */
  gitignore(patterns: readonly string[]): (relativePath: string) => boolean;
  /** Plain globs over absolute paths: `**` crosses directories, a leading dot needs no mention. */
  globs(patterns: readonly string[]): (path: string) => boolean;
}

export type Settings = Readonly<Record<string, unknown>>;

/** A client's JSON settings, comments and trailing commas allowed; malformed ones are the client's to complain about. */
export function readSettings(files: InstructionFiles, path: string): Settings {
  const read = files.read(path);
  if (read.state !== "read") return {};
  const text = new TextDecoder().decode(read.bytes);
  return parse(text) ?? parse(withoutComments(text)) ?? {};
}

function parse(text: string): Settings | undefined {
  try {
    return record(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // said by its type
    throw error;
  }
}

/** Comments and trailing commas as JSONC has them, left out; strings stay. */
function withoutComments(text: string): string {
  const plain = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (match) =>
    match.startsWith('"') ? match : " ",
  );
  return plain.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/gu, (match) => (match.startsWith('"') ? match : ""));
}

/** Strings of a list, or the one string. */
export function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
