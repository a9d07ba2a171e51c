import { logFile } from "../../core/notes/daily-log.ts";
import { type Transaction, isRelativePath, LAST_SEQ, problemOfPast } from "../../core/notes/history.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import { SCOPES, type Scope } from "../../core/notes/note.ts";
import { isUtf8 } from "../../core/notes/parse-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord } from "../../core/shared/json.ts";
import { shownName } from "../../core/shared/sanitize.ts";

/** One store inside an export. */
export interface ExportedStore {
  /** Directory inside the export. */
  readonly path: string;
  readonly scope: Scope;
  /** A project's slug, a group's name, or a type of sub-agent. */
  readonly name: string;
  readonly notes: number;
  readonly versions: number;
  /** Days of logs; omitted if there are none. */
  readonly logs?: number;
}

export interface Manifest {
  readonly format: "memdir-export";
  readonly version: 1;
  /** The name of the exporting project; its stores are imported into the importing project. */
  readonly here: string;
  readonly stores: readonly ExportedStore[];
  /** SHA-256 of every other file, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export const MANIFEST = "manifest.json";

/** For users who open an export without memdir. */
export const EXPORT_README = `# An export of memdir

Everything here is plain text; nothing needs memdir to be read.

- \`stores/SCOPE/NAME/notes/\`: the notes, one Markdown file each, with their index MEMORY.md
- \`stores/SCOPE/NAME/history.jsonl\`: what changed when, oldest first, one JSON object a line: \`changes\` gives each file's text after the change, \`null\` where it was removed; \`lineage\` says which note it is, whatever its name
- \`stores/user/user/logs/YYYY/MM/\`: daily logs, one Markdown file a day
- \`checkpoints/\`: saved states of long tasks
- \`settings.json\`: settings, without anything secret
- \`manifest.json\`: what is in it, with the SHA-256 of each file

\`memdir import\` takes it in elsewhere.
`;

/** The role of a file in an export. */
export type ExportedFile =
  | { readonly kind: "about" }
  /** `project`: the checkpoint's project; `file`: its name. */
  | { readonly kind: "checkpoint"; readonly project: string; readonly file: string }
  | { readonly kind: "note" | "log"; readonly store: ExportedStore; readonly file: string }
  | { readonly kind: "page" | "history"; readonly store: ExportedStore };

/** The role of a path in an export; `undefined` for files that memdir does not put there. */
export function exportedFile({ stores }: Pick<Manifest, "stores">, path: string): ExportedFile | undefined {
  if (path === "README.md" || path === "settings.json") return { kind: "about" };
  const [, project = "", file] = /^checkpoints\/([^/]+)\/([^/]+\.md)$/u.exec(path) ?? [];
  if (file !== undefined) return { kind: "checkpoint", project, file };
  const store = stores.find((one) => path.startsWith(`${one.path}/`));
  if (store === undefined) return undefined;
  const inside = path.slice(store.path.length + 1);
  if (inside === "history.jsonl") return { kind: "history", store };
  if (inside === `notes/${INDEX_FILE}`) return { kind: "page", store };
  if (/^notes\/.*\.md$/iu.test(inside)) return { kind: "note", store, file: inside.slice("notes/".length) };
  const log = inside.startsWith("logs/") ? inside.slice("logs/".length) : undefined;
  return log !== undefined && store.scope === "user" && isLogFile(log) ? { kind: "log", store, file: log } : undefined;
}

/** A path like `2026/11/2026-11-22.md`, with a valid date. */
export function isLogFile(file: string): boolean {
  const day = /\d{4}-\d{2}-\d{2}/u.exec(file)?.[0] ?? "";
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(day) && logFile(day) === file;
}

/** @throws MemoryError `corrupt` for a manifest not written by memdir, `unavailable` for one of a newer memdir. */
export function parseManifest(text: string): Manifest {
  const value: unknown = parseJson(text);
  if (!isRecord(value) || value["format"] !== "memdir-export")
    throw refused("this is not an export of memdir: its manifest.json says otherwise");
  const { version, here, stores, files } = value;
  if (version !== 1)
    throw typeof version === "number" && version > 1
      ? new MemoryError("unavailable", `this export has version ${version}; a newer memdir wrote it, update first`)
      : refused(
          `the export's manifest has the version ${shown(JSON.stringify(version) ?? "undefined")}, which is not one`,
        );
  if (typeof here !== "string" || !isStoreName(here)) throw refused("the export does not name the project it is of");
  if (!Array.isArray(stores) || !isRecord(files)) throw refused("the export's manifest lacks its stores or its files");
  const manifest = {
    format: "memdir-export",
    version,
    here,
    stores: stores.map(toStore),
    files: hashesOf(files),
  } as const;
  const twice = manifest.stores.find(({ path }, at) => manifest.stores.findIndex((one) => one.path === path) !== at);
  if (twice !== undefined) throw refused(`the export names ${shown(twice.path)} twice`);
  const strange = Object.keys(manifest.files).find((file) => exportedFile(manifest, file) === undefined);
  if (strange !== undefined) throw refused(`${shown(strange)} does not belong into an export`);
  return manifest;
}

function hashesOf(files: Readonly<Record<string, unknown>>): Manifest["files"] {
  const entries = Object.entries(files).map(([file, hash]): [string, string] => {
    if (!isRelativePath(file)) throw refused(`the export names a file ${shown(file)}, which is not a path inside it`);
    if (typeof hash !== "string" || !/^[0-9a-f]{64}$/u.test(hash)) throw refused(`${shown(file)} has no SHA-256`);
    return [file, hash];
  });
  return Object.fromEntries(entries);
}

function toStore(value: unknown): ExportedStore {
  const fields = isRecord(value) ? value : {};
  const scope = SCOPES.find((one) => one === fields["scope"]);
  const { path, name, notes, versions, logs = 0 } = fields;
  if (scope === undefined || typeof name !== "string" || typeof path !== "string")
    throw refused("the export names a store of an unknown scope; where a newer memdir wrote it, update first");
  if (!isStoreName(name)) throw refused(`the export names a store ${shown(name)}, which is not a name`);
  const plain = `stores/${scope}/${name}`;
  if (
    path !== plain &&
    !(path.startsWith(`${plain}~`) && /^[2-9]\d{0,3}$|^1\d{1,3}$/u.test(path.slice(plain.length + 1)))
  )
    throw refused(`the export keeps the ${scope} store ${shown(name)} in ${shown(path)} instead of ${shown(plain)}`);
  if (!isCount(notes) || !isCount(versions) || !isCount(logs))
    throw refused(`the export does not say how many notes and versions ${shown(plain)} has`);
  return { scope, path, name, notes, versions, ...(logs > 0 && { logs }) };
}

/** A name that is a single directory on every system. */
function isStoreName(name: string): boolean {
  return isRelativePath(name) && !name.includes("/") && new TextEncoder().encode(name).byteLength <= 255;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** One line per transaction; texts as they are, other bytes as base64. */
export function historyLines(transactions: readonly Transaction[]): string {
  return transactions
    .map(
      ({ seq, time, actor, reason, changes }) =>
        `${JSON.stringify({ seq, time, actor, reason, changes: changes.map(({ file, after, lineage }) => ({ file, after: contentOf(after), lineage })) })}\n`,
    )
    .join("");
}

function contentOf(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return null;
  const isText = isUtf8(bytes) && !(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf);
  return isText ? new TextDecoder().decode(bytes) : { base64: Buffer.from(bytes).toString("base64") };
}

/** @throws MemoryError `corrupt` for anything but the history of a store as `historyLines` writes it. */
export function parseHistory(text: string): readonly Transaction[] {
  const past = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => toTransaction(parseJson(line)));
  const problem = problemOfPast(past) ?? problemOfNext(past.at(-1)?.seq ?? 0);
  if (problem !== undefined) throw refused(`the export's history is damaged: ${problem}`);
  return past;
}

/** Two versions are added at once: the note that the history is from elsewhere, and the import. */
function problemOfNext(last: number): string | undefined {
  return last + 2 <= LAST_SEQ ? undefined : `its versions cannot be counted on from number ${last}`;
}

function toTransaction(value: unknown): Transaction {
  const { seq, time, actor, reason, changes } = isRecord(value) ? value : {};
  if (
    typeof seq !== "number" ||
    typeof time !== "string" ||
    typeof actor !== "string" ||
    typeof reason !== "string" ||
    !Array.isArray(changes)
  )
    throw refused("the export's history has a line of unknown form");
  return { seq, time, actor, reason, changes: changes.map(toChange) };
}

function toChange(value: unknown): Transaction["changes"][number] {
  const { file, after, lineage } = isRecord(value) ? value : {};
  if (typeof file !== "string") throw refused("the export's history has a change without a file");
  if (lineage !== undefined && typeof lineage !== "string")
    throw refused(`the export's history gives ${shown(file)} a lineage of unknown form`);
  return { file, before: undefined, after: bytesOf(file, after), ...(lineage !== undefined && { lineage }) };
}

function bytesOf(file: string, value: unknown): Uint8Array | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return new TextEncoder().encode(value);
  const base64 = isRecord(value) ? value["base64"] : undefined;
  const bytes = typeof base64 === "string" ? Buffer.from(base64, "base64") : undefined;
  if (bytes === undefined || bytes.toString("base64") !== base64)
    throw refused(`the export's history has a text of ${shown(file)} in an unknown form`);
  return bytes;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused("the export is damaged: it holds a line that is not JSON", error);
  }
}

function refused(message: string, cause?: unknown): MemoryError {
  return new MemoryError("corrupt", `${message}; nothing was imported`, { cause });
}

function shown(name: string): string {
  return `"${shownName(name)}"`;
}
