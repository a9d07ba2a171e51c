import { putFile, nodeFiles } from "./node-files.ts";
import path from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";

/** What an installation did to one file, kept until it is undone. */
export interface InstallRecord {
  readonly file: string;
  /** The names of the clients that it was installed for. */
  readonly clients: readonly string[];
  readonly scope: "user" | "project";
  readonly kind: "json" | "toml" | "file" | "block";
  /** Exact bytes before the first install; `undefined` when there was no file. */
  readonly before: Uint8Array | undefined;
  /** Hash of the file as memdir wrote it. */
  readonly after: string;
  /** Directories that were created, outermost first. */
  readonly directories: readonly string[];
  /** Time of the installation (ISO). */
  readonly installed: string;
}

export interface InstallRecords {
  list(): readonly InstallRecord[];
  find(file: string): InstallRecord | undefined;
  /** Durable on return. */
  save(record: InstallRecord): void;
  drop(file: string): void;
  /** The file with the original bytes, for a person to inspect. */
  backupOf(file: string): string;
}

/** One JSON file per edited file, plus its original bytes. Unreadable records are skipped: entries are found anyway. */
export function openInstallRecords(directory: string): InstallRecords {
  const nameOf = (file: string): string =>
    path.join(directory, `${path.basename(file).replace(/^\.+/u, "").slice(0, 60)}-${sha256(file).slice(0, 16)}`);
  const find = (name: string): InstallRecord | undefined =>
    parseRecord(nodeFiles.read(`${name}.json`), nodeFiles.read(`${name}.before`));
  return {
    list: () =>
      (nodeFiles.list(directory) ?? []).flatMap(({ name }) =>
        name.endsWith(".json") ? (find(path.join(directory, name.slice(0, -5))) ?? []) : [],
      ),
    find: (file) => find(nameOf(file)),
    save(record) {
      const { before, ...rest } = record;
      nodeFiles.makeDirectory(directory);
      if (before !== undefined) put(`${nameOf(record.file)}.before`, before);
      put(
        `${nameOf(record.file)}.json`,
        Buffer.from(`${JSON.stringify({ ...rest, hadFile: before !== undefined }, undefined, 2)}\n`),
      );
      nodeFiles.syncDirectory(directory);
    },
    drop(file) {
      nodeFiles.remove(`${nameOf(file)}.json`);
      nodeFiles.remove(`${nameOf(file)}.before`);
    },
    backupOf: (file) => `${nameOf(file)}.before`,
  };
}

function put(file: string, bytes: Uint8Array): void {
  putFile(file, bytes, { aside: `${file}.new` });
}

function parseRecord(bytes: Uint8Array | undefined, before: Uint8Array | undefined): InstallRecord | undefined {
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isInstallRecord(value) && (before !== undefined) === value.hadFile ? { ...value, before } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof MemoryError) return undefined; // incomplete, or edited by hand
    throw error;
  }
}

function isInstallRecord(value: unknown): value is Omit<InstallRecord, "before"> & { readonly hadFile: boolean } {
  if (typeof value !== "object" || value === null) return false;
  const { file, clients, scope, kind, after, directories, installed, hadFile } = {
    file: 0,
    clients: 0,
    scope: 0,
    kind: 0,
    after: 0,
    directories: 0,
    installed: 0,
    hadFile: 0,
    ...value,
  };
  const isText = [file, after, installed].every((one) => typeof one === "string");
  const isList = [clients, directories].every(
    (one) => Array.isArray(one) && one.every((item) => typeof item === "string"),
  );
  return (
    isText &&
    isList &&
    typeof hadFile === "boolean" &&
    (String(scope) === "user" || String(scope) === "project") &&
    ["json", "toml", "file", "block"].includes(String(kind))
  );
}
