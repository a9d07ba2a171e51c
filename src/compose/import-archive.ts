import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { looksPacked, unpack } from "../adapters/archive/tar.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { type ExportedStore, MANIFEST, type Manifest, parseHistory, parseManifest } from "../core/memory/exported.ts";
import { mayWrite, modeIn, refusedByMode } from "../core/memory/modes.ts";
import { handLinesOf, withHandLines } from "../core/notes/index-file.ts";
import { checkNotePath, INDEX_FILE } from "../core/notes/names.ts";
import type { Transaction } from "../core/notes/history.ts";
import type { NoteStore, StoreChange } from "../core/notes/store.ts";
import type { Clock } from "../core/shared/clock.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { sha256 } from "../core/shared/hash.ts";
import { checkpointsName } from "./checkpoint-notice.ts";
import { filesBelow } from "./export.ts";
import { importLogs } from "./import-logs.ts";
import { agentLocations, groupLocation, isClaudeHere, type Locations, location, type StoreLocation } from "./locations.ts";
import { checkName } from "./scope-settings.ts";
import { openStoreAt } from "./open-store.ts";
import type { OpenWorkspace } from "./workspace.ts";
import { counted } from "../core/shared/text.ts";

/** What becomes of one store of an export. */
export interface ImportedStore {
  readonly scope: ExportedStore["scope"];
  readonly name: string;
  readonly directory: string;
  /** Notes that are new here. */
  readonly added: readonly string[];
  /** Here already, byte for byte. */
  readonly known: number;
  /** Another text is here under this name: both are kept, the imported one as `as`. */
  readonly both: readonly { readonly file: string; readonly as: string }[];
  /** Versions taken over; none where the store here has a past of its own. */
  readonly versions: number;
  /** Days of logs with something new. */
  readonly logs: number;
  /** The version that it came in as, which `undo` takes back; `undefined` where nothing was written. */
  readonly version: string | undefined;
}

export interface OpenedArchive {
  readonly manifest: Manifest;
  readonly root: string;
  close(): void;
}

/** Whether a path is an export of memdir's, packed or not. */
export function isArchive(target: string): boolean {
  const stat = fs.statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  return stat.isDirectory() ? fs.existsSync(path.join(target, MANIFEST)) : stat.isFile() && looksPacked(target);
}

/** Opens an export after every file in it was compared with its hash. @throws MemoryError `corrupt`, `not-found`. */
export function openArchive(target: string): OpenedArchive {
  if (!fs.existsSync(target)) throw new MemoryError("not-found", `there is no ${target}`);
  const isPacked = fs.statSync(target).isFile();
  const root = isPacked ? fs.mkdtempSync(path.join(os.tmpdir(), "memdir-import-")) : target;
  const close = (): void => (isPacked ? fs.rmSync(root, { recursive: true, force: true }) : undefined);
  try {
    if (isPacked) unpack(target, root);
    const text = nodeFiles.read(path.join(root, MANIFEST));
    if (text === undefined) throw new MemoryError("corrupt", `${target} is no export of memdir: it has no ${MANIFEST}`);
    const manifest = parseManifest(new TextDecoder().decode(text));
    verify(root, manifest, target);
    return { manifest, root, close };
  } catch (error) {
    close();
    throw error;
  }
}

function verify(root: string, { files }: Manifest, target: string): void {
  const present = filesBelow(root).filter((file) => file !== MANIFEST);
  const wrong = [
    ...Object.keys(files).filter((file) => !present.includes(file)).map((file) => `${file} is missing`),
    ...present.filter((file) => files[file] === undefined).map((file) => `${file} is not in the manifest`),
    ...present.filter((file) => files[file] !== undefined && sha256(fs.readFileSync(path.join(root, file))) !== files[file]).map((file) => `${file} was changed`),
  ];
  if (wrong.length > 0) throw new MemoryError("corrupt", `${target} is not as it was exported: ${wrong.slice(0, 5).join("; ")}${wrong.length > 5 ? ` and ${wrong.length - 5} more` : ""}; nothing was imported`);
}

/**
 * Takes every store of an export in, each in one version; without `write` it only says what it would do.
 * @throws MemoryError `refused` where the mode of one of their scopes forbids it; then none is taken in.
 */
export function importArchive(workspace: OpenWorkspace, { manifest, root }: OpenedArchive, options: { readonly write: boolean }): readonly ImportedStore[] {
  for (const { scope } of manifest.stores) {
    const choice = modeIn(workspace.modes, scope);
    if (!mayWrite(choice.mode)) throw refusedByMode(`memory of the ${scope} scope, of which the export has notes or logs,`, choice);
  }
  const stores = manifest.stores.map((one) => importStore(workspace, manifest, one, path.join(root, one.path), options.write));
  if (options.write) copyCheckpoints(workspace.locations, manifest, path.join(root, "checkpoints"));
  return stores;
}

function importStore(workspace: OpenWorkspace, manifest: Manifest, exported: ExportedStore, from: string, write: boolean): ImportedStore {
  const place = placeFor(workspace.locations, manifest, exported);
  const files = filesBelow(path.join(from, "notes")).filter((file) => file !== INDEX_FILE);
  const logs = importLogs(from, place, workspace.clock, write).length;
  if (!write && !fs.existsSync(place.directory)) return { scope: exported.scope, name: exported.name, directory: place.directory, added: files, known: 0, both: [], versions: exported.versions, logs, version: undefined };
  const store = openStoreAt(place, workspace.locations, workspace.clock);
  try {
    store.reconcile("full");
    const plan = planFiles(store, path.join(from, "notes"), files);
    const isNew = store.history().versions().length === 0;
    const told = { scope: exported.scope, name: exported.name, directory: place.directory, added: plan.added, known: plan.known, both: plan.both, versions: isNew ? exported.versions : 0, logs };
    return { ...told, version: write ? writeStore(store, from, plan.changes, exported, workspace.clock) : undefined };
  } finally {
    store.close();
  }
}

function writeStore(store: NoteStore, from: string, changes: readonly StoreChange[], { scope, name }: ExportedStore, clock: Clock): string | undefined {
  const history = nodeFiles.read(path.join(from, "history.jsonl"));
  if (history !== undefined) store.adoptHistory(pastElsewhere(parseHistory(new TextDecoder().decode(history)), clock));
  importHandLines(store, nodeFiles.read(path.join(from, "notes", INDEX_FILE)));
  if (changes.length === 0) return undefined;
  const result = store.commit(changes, { actor: "import", reason: `imported ${counted(changes.length, "note")} of ${scope} ${name}` });
  if (!result.ok) throw new MemoryError("conflict", `${result.outcomes.filter(({ outcome }) => outcome === "exists").map(({ file }) => file).join(", ")} came to be meanwhile in ${store.directory}; import again`);
  return String(result.seq);
}

/** A past that ends with nothing, as this store begins: so the version after it is the import itself, and can be undone. */
function pastElsewhere(past: readonly Transaction[], clock: Clock): readonly Transaction[] {
  const last = new Map(past.flatMap(({ changes }) => changes).map(({ file, after }) => [file, after]));
  const changes = [...last].flatMap(([file, before]) => (before === undefined ? [] : [{ file, before, after: undefined }]));
  if (changes.length === 0) return past;
  const seq = Math.max(...past.map((one) => one.seq)) + 1;
  return [...past, { seq, time: new Date(clock.now()).toISOString(), actor: "external", reason: "the past until here is of another place; nothing of it was here yet", changes }];
}

interface FilePlan {
  readonly added: readonly string[];
  readonly known: number;
  readonly both: ImportedStore["both"];
  readonly changes: readonly StoreChange[];
}

function planFiles(store: NoteStore, notes: string, files: readonly string[]): FilePlan {
  const added: string[] = [];
  const both: { file: string; as: string }[] = [];
  const changes: StoreChange[] = [];
  let known = 0;
  for (const file of files) {
    const checked = checkNotePath(file);
    if (!checked.ok) throw new MemoryError("corrupt", `the export holds a note that cannot be one: ${checked.reason}; nothing was imported`);
    const bytes = fs.readFileSync(path.join(notes, file));
    const isSame = (name: string): boolean => sha256(store.read(name) ?? new Uint8Array()) === sha256(bytes);
    if (isSame(file)) known++;
    else if (!store.index.hasFile(file) && store.read(file) === undefined) {
      added.push(file);
      changes.push({ kind: "create", file, content: bytes });
    } else {
      const as = beside(file, (name) => isSame(name) || (!store.index.hasFile(name) && !changes.some((change) => change.file === name)));
      if (isSame(as)) known++;
      else {
        both.push({ file, as });
        changes.push({ kind: "create", file: as, content: bytes });
      }
    }
  }
  return { added, known, both, changes };
}

/** `x_2.md`, the first that may be used. */
function beside(file: string, isUsable: (name: string) => boolean): string {
  const stem = file.replace(/\.md$/iu, "");
  for (let number = 2; ; number++) {
    const name = `${stem}_${number}.md`;
    if (isUsable(name)) return name;
  }
}

/** Lines that a person wrote into MEMORY.md come along. */
function importHandLines({ directory }: NoteStore, imported: Uint8Array | undefined): void {
  if (imported === undefined) return;
  const file = path.join(directory, INDEX_FILE);
  const stat = nodeFiles.stat(file);
  if (stat !== undefined && stat.kind !== "file") return; // a link or a directory is left as it is
  const existing = nodeFiles.read(file);
  const before = existing && new TextDecoder().decode(existing);
  const after = withHandLines(before, handLinesOf(new TextDecoder().decode(imported)));
  if (after === undefined || after === before) return;
  nodeFiles.makeDirectory(directory);
  const aside = path.join(directory, `.memdir-${process.pid}.tmp`);
  nodeFiles.remove(aside);
  nodeFiles.create(aside, new TextEncoder().encode(after));
  nodeFiles.rename(aside, file);
}

/** The exporting project's stores become this project's; those of others keep their names. */
function placeFor(locations: Locations, { here }: Manifest, { scope, name }: ExportedStore): StoreLocation {
  const { memdirHome, configDirectory, environment, stores, project } = locations;
  const own = stores.find((place) => place.scope === scope);
  if (scope === "user" && own !== undefined) return own;
  if (scope === "user") return location(memdirHome, "user", path.join(memdirHome, "user", "memory"));
  if (scope === "group") return groupLocation(memdirHome, checkName(name, "the name of a group"));
  if (scope === "agent" || scope === "agent-user" || scope === "agent-local") {
    const agent = agentLocations({ memdirHome, configDirectory, root: project?.root ?? locations.cwd, agentType: checkName(name, "a type of sub-agent") }).find((place) => place.scope === scope);
    if (agent !== undefined) return agent;
  }
  if (name === here && own !== undefined) return own;
  const base = isClaudeHere(environment, configDirectory) ? configDirectory : memdirHome;
  if (scope === "local") return location(memdirHome, "local", path.join(memdirHome, "local", name, "memory"));
  const directory = path.join(base, "projects", name, "memory");
  return scope === "team" ? location(memdirHome, "team", path.join(directory, "team")) : { ...location(memdirHome, "project", directory), excluded: ["team"] };
}

function copyCheckpoints(locations: Locations, { here }: Manifest, from: string): void {
  for (const file of filesBelow(from)) {
    const name = file.startsWith(`${here}/`) ? `${checkpointsName(locations)}/${file.slice(here.length + 1)}` : file;
    const target = path.join(locations.memdirHome, "checkpoints", name);
    if (fs.existsSync(target)) continue;
    nodeFiles.makeDirectory(path.dirname(target));
    const aside = `${target}.${process.pid}.tmp`;
    nodeFiles.remove(aside);
    nodeFiles.create(aside, fs.readFileSync(path.join(from, file)));
    nodeFiles.rename(aside, target);
  }
}
