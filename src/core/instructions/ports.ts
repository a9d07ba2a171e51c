import type { SectionFlag } from "./section.ts";
import { record } from "../shared/json.ts";

interface DecodedFile {
  /** Bytes that are not UTF-8 become U+FFFD. */
  readonly text: string;
  readonly flags: readonly SectionFlag[];
}

/** Decodes any bytes as text, without a byte order mark; line endings stay. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const { text, flags } = decodeRaw(bytes);
  return { text: text.startsWith("\uFEFF") ? text.slice(1) : text, flags };
}

/** The same, including the byte order mark. */
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
    if (error instanceof TypeError) return false; // thrown for invalid UTF-8
    throw error;
  }
}

/** Larger files are not read (Claude Code skips them too). */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export type FileRead =
  | { readonly state: "read"; readonly bytes: Uint8Array }
  | { readonly state: "absent" }
  /** Exists but cannot be read: no permission, a directory, a loop of links, too large. */
  | { readonly state: "unreadable"; readonly why: string };

export interface ListedEntry {
  readonly name: string;
  /** Kind of the link's target for links; `other` is a loop, a socket or a dead link. */
  readonly kind: "file" | "directory" | "other";
}

/** Read-only file system access for instructions. Paths are absolute with `/`. */
export interface InstructionFiles {
  /** At most `MAX_FILE_BYTES`; never throws. */
  read(path: string): FileRead;
  /** Kind of the entry itself, links not followed; `undefined` when there is none. */
  kind(path: string): "file" | "directory" | "link" | "other" | undefined;
  /** The path with links resolved and letter case as on disk; `undefined` when the target does not exist. */
  realPath(path: string): string | undefined;
  /** Whether the path is a symbolic link loop. */
  isLoop(path: string): boolean;
  /** In directory order, which is stable while the directory is unchanged; empty when missing or unreadable. */
  list(path: string): readonly ListedEntry[];
}

export interface GlobMatcher {
  /** Gitignore semantics, for paths relative to one base directory. */
  gitignore(patterns: readonly string[]): (relativePath: string) => boolean;
  /** Plain globs for absolute paths: `**` crosses directories, and leading dots match. */
  globs(patterns: readonly string[]): (path: string) => boolean;
}

export type Settings = Readonly<Record<string, unknown>>;

/** A client's JSON settings; comments and trailing commas are allowed. Empty when missing or malformed. */
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
    if (error instanceof SyntaxError) return undefined; // the return value says it
    throw error;
  }
}

/** Removes comments and trailing commas, as JSONC allows them; strings are kept. */
function withoutComments(text: string): string {
  const plain = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (match) =>
    match.startsWith('"') ? match : " ",
  );
  return plain.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/gu, (match) => (match.startsWith('"') ? match : ""));
}

/** The strings of a list, or a single string. */
export function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
