import type { Transaction } from "../notes/history.ts";
import { SCOPES, type Scope } from "../notes/note.ts";
import { isUtf8 } from "../notes/parse-note.ts";
import { MemoryError } from "../shared/errors.ts";
import { isRecord } from "../shared/json.ts";

/** One store inside an export. */
export interface ExportedStore {
  /** Directory inside the export. */
  readonly path: string;
  readonly scope: Scope;
  /** A project's slug, a group's name, a type of sub-agent. */
  readonly name: string;
  readonly notes: number;
  readonly versions: number;
  /** Days of logs; left out where there are none. */
  readonly logs?: number;
}

export interface Manifest {
  readonly format: "memdir-export";
  readonly version: 1;
  /** The name of the project it was made in; its stores go to the project they are imported in. */
  readonly here: string;
  readonly stores: readonly ExportedStore[];
  /** SHA-256 of every other file, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export const MANIFEST = "manifest.json";

/** For whoever opens an export without memdir. */
export const EXPORT_README = `# An export of memdir

Everything here is plain text; nothing needs memdir to be read.

- \`stores/SCOPE/NAME/notes/\`: the notes, one Markdown file each, with their index MEMORY.md
- \`stores/SCOPE/NAME/history.jsonl\`: what changed when, oldest first, one JSON object a line: \`changes\` gives each file's text after the change, \`null\` where it was removed
- \`stores/user/user/logs/YYYY/MM/\`: daily logs, one Markdown file a day
- \`checkpoints/\`: saved states of long tasks
- \`settings.json\`: settings, without anything secret
- \`manifest.json\`: what is in it, with the SHA-256 of each file

\`memdir import\` takes it in elsewhere.
`;

/** @throws MemoryError `corrupt` for what memdir did not write, `unavailable` for what a newer one did. */
export function parseManifest(text: string): Manifest {
  const value: unknown = parseJson(text);
  if (!isRecord(value) || value["format"] !== "memdir-export") throw new MemoryError("corrupt", "this is no export of memdir: its manifest.json says otherwise");
  if (value["version"] !== 1) throw new MemoryError("unavailable", `this export has version ${String(value["version"])}; a newer memdir wrote it, update first`);
  const stores = Array.isArray(value["stores"]) ? value["stores"].filter(isRecord).flatMap(toStore) : [];
  const files = isRecord(value["files"]) ? Object.fromEntries(Object.entries(value["files"]).map(([file, hash]) => [file, String(hash)])) : {};
  return { format: "memdir-export", version: 1, here: String(value["here"]), stores, files };
}

function toStore(value: Readonly<Record<string, unknown>>): ExportedStore[] {
  const scope = SCOPES.find((one) => one === value["scope"]);
  const { path, name, notes, versions } = value;
  if (scope === undefined || typeof path !== "string" || typeof name !== "string") throw new MemoryError("corrupt", "the export names a store of an unknown scope; a newer memdir wrote it, update first");
  if (!/^[^/\\\0]+$/u.test(name) || name === ".." || name === "." || path.split("/").includes("..") || path.startsWith("/")) throw new MemoryError("corrupt", `the export names a store "${name}", which is no name; nothing was imported`);
  return [{ scope, path, name, notes: Number(notes), versions: Number(versions), ...(typeof value["logs"] === "number" && { logs: value["logs"] }) }];
}

/** One line a transaction; texts as they are, other bytes as base64. */
export function historyLines(transactions: readonly Transaction[]): string {
  return transactions.map(({ seq, time, actor, reason, changes }) => `${JSON.stringify({ seq, time, actor, reason, changes: changes.map(({ file, after }) => ({ file, after: contentOf(after) })) })}\n`).join("");
}

function contentOf(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return null;
  const isText = isUtf8(bytes) && !(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf);
  return isText ? new TextDecoder().decode(bytes) : { base64: Buffer.from(bytes).toString("base64") };
}

/** @throws MemoryError `corrupt` for a line of another form. */
export function parseHistory(text: string): readonly Transaction[] {
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const value = parseJson(line);
    if (!isRecord(value) || typeof value["seq"] !== "number" || !Array.isArray(value["changes"])) throw new MemoryError("corrupt", "the export's history has a line of unknown form; nothing was imported");
    const changes = value["changes"].filter(isRecord).map((change) => ({ file: String(change["file"]), before: undefined, after: bytesOf(change["after"]) }));
    return { seq: value["seq"], time: String(value["time"]), actor: String(value["actor"]), reason: String(value["reason"]), changes };
  });
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return new TextEncoder().encode(value);
  return isRecord(value) && typeof value["base64"] === "string" ? Buffer.from(value["base64"], "base64") : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MemoryError("corrupt", "the export is damaged: it holds a line that is not JSON; nothing was imported", { cause: error });
  }
}
