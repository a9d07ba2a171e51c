import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { packFiles } from "../../adapters/archive/tar.ts";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { scanNotes } from "../../adapters/files/scan.ts";
import { EXPORT_README, type ExportedStore, historyLines, isLogFile, MANIFEST, type Manifest } from "./exported.ts";
import { HERMES_FILES, type HermesFilePlan, planHermesFiles } from "./hermes-entries.ts";
import { hermesMemories } from "./import-sources.ts";
import { listNotes, showNote } from "../notes/list.ts";
import { modeIn } from "../workspace/modes.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import { codeOf, failureCode, MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord } from "../../core/shared/json.ts";
import { isAlive } from "../workspace/alive.ts";
import { allStores, type NamedStore, nameOf, openStoreAt } from "../workspace/open-store.ts";
import { checkpointsName } from "../checkpoints/checkpoint-notice.ts";
import { filesBelow } from "../workspace/text-file.ts";
import type { Locations } from "../workspace/locations.ts";
import { readAllSettings } from "../workspace/settings.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { shownRef } from "../workspace/workspace.ts";

export interface Exported {
  readonly path: string;
  readonly stores: readonly ExportedStore[];
  readonly files: number;
  /** Size of the archive, or of all files in the directory. */
  readonly bytes: number;
}

/**
 * Writes notes, history, checkpoints and settings as plain files: into a new directory, or packed if the target ends in
 * `.tar.gz` or `.tgz`. The same state gives the same bytes. `all`: of every project on this machine.
 * @throws MemoryError `conflict` if the target already exists, `permission`, `disk-full`.
 */
export function exportAll(workspace: OpenWorkspace, target: string, options: { readonly all: boolean }): Exported {
  const isPacked = /\.(?:tar\.gz|tgz)$/iu.test(target);
  const isInPlace = fs.existsSync(target);
  if (isInPlace && (isPacked || !fs.statSync(target).isDirectory() || fs.readdirSync(target).length > 0))
    throw new MemoryError("conflict", `${target} already exists; give another name, nothing was written`);
  const parent = path.dirname(target);
  if (!fs.existsSync(parent))
    throw new MemoryError("not-found", `${target} cannot be written: there is no directory ${parent}`);
  sweep(target);
  const staging = isPacked
    ? fs.mkdtempSync(path.join(os.tmpdir(), "memdir-export-"))
    : isInPlace
      ? target
      : asideOf(target);
  try {
    const manifest = fill(workspace, staging, options.all);
    const files = [...Object.keys(manifest.files), MANIFEST].toSorted();
    if (isPacked) pack(staging, files, target);
    else if (!isInPlace) fs.renameSync(staging, target);
    const bytes = isPacked
      ? fs.statSync(target).size
      : files.reduce((sum, file) => sum + fs.statSync(path.join(target, file)).size, 0);
    return { path: target, stores: manifest.stores, files: files.length, bytes };
  } catch (error) {
    throw named(error, target);
  } finally {
    if (!isInPlace && fs.existsSync(staging)) fs.rmSync(staging, { recursive: true });
  }
}

export interface ExportedToHermes {
  readonly place: string;
  readonly files: readonly HermesFilePlan[];
}

/**
 * Writes the notes in force here into Hermes' own files, the pinned and most useful ones first. Without `write` it only
 * reports what it would do. @throws MemoryError `conflict` if a file is a link.
 */
export function exportToHermes(
  workspace: OpenWorkspace,
  given: string | undefined,
  { write }: { readonly write: boolean },
): ExportedToHermes {
  const { locations } = workspace;
  const place = given === undefined ? hermesMemories(locations) : path.resolve(locations.cwd, given);
  const present = Object.fromEntries(HERMES_FILES.map((name) => [name, readPlain(path.join(place, name))]));
  const notes = listNotes(workspace)
    .toSorted((a, b) => Number(b.entry.pinned) - Number(a.entry.pinned) || b.entry.uses - a.entry.uses)
    .flatMap(({ scoped, entry }) => {
      const ref = { scoped, file: entry.file };
      const body = showNote(workspace, ref)?.note.body;
      return body === undefined ? [] : [{ file: shownRef(workspace, ref), type: entry.type ?? "project", body }];
    });
  const files = planHermesFiles(notes, present);
  if (write) {
    nodeFiles.makeDirectory(place);
    for (const { name, text, added } of files)
      if (added.length > 0) putFile(path.join(place, name), text, { named: true });
  }
  return { place, files };
}

function readPlain(file: string): string {
  const stat = nodeFiles.stat(file);
  if (stat === undefined) return "";
  if (stat.kind !== "file") throw new MemoryError("conflict", `${file} is a link or no file; nothing was written`);
  return new TextDecoder().decode(nodeFiles.read(file));
}

/** The export is written aside and moved into place, so that no half export appears under its name. */
function asideOf(target: string): string {
  return `${target}.memdir-${process.pid}`;
}

/** Removes what a killed export to the same place left. In containers every process may have the same number. */
function sweep(target: string): void {
  const [directory, name] = [path.dirname(target), path.basename(target)];
  for (const entry of nodeFiles.list(directory) ?? []) {
    const pid = entry.name.startsWith(`${name}.`)
      ? /^memdir-(\d+)$/u.exec(entry.name.slice(name.length + 1))?.[1]
      : undefined;
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      nodeFiles.removeTree(path.join(directory, entry.name));
  }
}

function pack(staging: string, files: readonly string[], target: string): void {
  const aside = asideOf(target);
  try {
    packFiles(staging, files, aside);
    fs.renameSync(aside, target);
  } finally {
    // `force` does not prevent an error when a file is in the place of the directory.
    if (fs.existsSync(aside)) fs.rmSync(aside);
  }
}

function fill(workspace: OpenWorkspace, staging: string, all: boolean): Manifest {
  const { locations } = workspace;
  const files: Record<string, string> = {};
  const put = (file: string, content: Uint8Array): void => {
    const full = path.join(staging, file);
    fs.mkdirSync(path.dirname(full), { recursive: true, mode: 0o700 });
    fs.writeFileSync(full, content, { mode: 0o600, flag: "wx" });
    files[file] = sha256(content);
  };
  const wanted = all
    ? allStores(locations)
    : locations.stores
        .filter(({ directory }) => fs.existsSync(directory))
        .map((place) => ({ place, name: nameOf(locations, place) }));
  const readable = wanted.filter(({ place }) => modeIn(locations.modes, place.scope).mode !== "off");
  const taken = new Set<string>();
  const stores = readable
    .map((one) => putStore(workspace, one, freePath(one, taken), put))
    .filter(({ notes, versions, logs = 0 }) => notes + versions + logs > 0);
  putCheckpoints(locations, all, put);
  const settings = withoutSecrets(readAllSettings(locations.memdirHome));
  if (Object.keys(settings).length > 0) put("settings.json", encode(`${JSON.stringify(settings, undefined, 2)}\n`));
  put("README.md", encode(EXPORT_README));
  const sorted = Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const manifest: Manifest = {
    format: "memdir-export",
    version: 1,
    here: hereName(locations),
    stores: stores.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    files: sorted,
  };
  fs.writeFileSync(path.join(staging, MANIFEST), `${JSON.stringify(manifest, undefined, 1)}\n`, {
    mode: 0o600,
    flag: "wx",
  });
  return manifest;
}

/** The project's checkpoints use the name of its stores in the export. Marks and derived files stay out. */
function putCheckpoints(locations: Locations, all: boolean, put: (file: string, content: Uint8Array) => void): void {
  const directory = path.join(locations.memdirHome, "checkpoints");
  const own = checkpointsName(locations);
  for (const file of filesBelow(directory).filter((name) => /^[^/]+\/[^/]+\.md$/u.test(name))) {
    const isOwn = path.dirname(file) === own;
    if (all || isOwn)
      put(
        `checkpoints/${isOwn ? hereName(locations) : path.dirname(file)}/${path.basename(file)}`,
        fs.readFileSync(path.join(directory, file)),
      );
  }
}

/** The name that the exporting project has in the export. */
function hereName({ project }: Locations): string {
  return project?.slug ?? "here";
}

/** Keeps two stores of one name apart (Claude Code's directory and memdir's own). */
function freePath({ place: { scope }, name }: NamedStore, taken: Set<string>): string {
  const plain = `stores/${scope}/${name}`;
  let free = plain;
  for (let number = 2; taken.has(free); number++) free = `${plain}~${number}`;
  taken.add(free);
  return free;
}

function putStore(
  { locations, clock }: OpenWorkspace,
  { place, name }: NamedStore,
  at: string,
  put: (file: string, content: Uint8Array) => void,
): ExportedStore {
  const store = openStoreAt(place, locations, clock);
  try {
    const transactions = store.history().transactions();
    const { notes } = scanNotes(store.directory, nodeFiles, new Set(place.excluded), clock.now());
    for (const { file } of notes.toSorted((a, b) => (a.file < b.file ? -1 : 1)))
      put(`${at}/notes/${file}`, nodeFiles.read(path.join(store.directory, file)) ?? new Uint8Array());
    const page = nodeFiles.read(path.join(store.directory, INDEX_FILE));
    if (page !== undefined) put(`${at}/notes/${INDEX_FILE}`, page);
    const logs = place.scope === "user" ? logDays(store.directory) : [];
    for (const file of logs)
      put(`${at}/logs/${file}`, nodeFiles.read(path.join(store.directory, file)) ?? new Uint8Array());
    if (transactions.length > 0) put(`${at}/history.jsonl`, encode(historyLines(transactions)));
    return {
      path: at,
      scope: place.scope,
      name,
      notes: notes.length,
      versions: transactions.length,
      ...(logs.length > 0 && { logs: logs.length }),
    };
  } finally {
    store.close();
  }
}

/** The files of daily logs, which are not notes. */
function logDays(directory: string): readonly string[] {
  return filesBelow(directory).filter(isLogFile);
}

/** Leaves out keys that a user put into settings, approvals, and addresses with a password. */
function withoutSecrets(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([name, value]) => !/key|token|secret|password|approv|consent|judge/iu.test(name) && !isAddress(value))
      .map(([name, value]): [string, unknown] => [name, withoutSecretsWithin(value)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function withoutSecretsWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isAddress(one)).map(withoutSecretsWithin);
  return isRecord(value) ? withoutSecrets(value) : value;
}

/** Whether a value is an address that contains a name, and perhaps a password. */
function isAddress(value: unknown): boolean {
  return typeof value === "string" && /\/\/[^/@]*@/u.test(value);
}

function named(error: unknown, target: string): unknown {
  if (!(error instanceof Error) || error instanceof MemoryError || codeOf(error) === "") return error;
  return new MemoryError(failureCode(error), `${target} cannot be written: ${error.message}`, { cause: error });
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
