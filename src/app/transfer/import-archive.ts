import fs from "node:fs";
import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import type { ExportedStore } from "./exported.ts";
import { mayWrite, modeIn, refusedByMode } from "../workspace/modes.ts";
import { isExcluded } from "../../core/notes/names.ts";
import { type Lives, pastElsewhere } from "../../core/notes/history.ts";
import type { NoteStore, StoreChange } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { counted } from "../../core/shared/text.ts";
import type { ArchivedFile } from "./archive-gate.ts";
import { checkpointsName } from "../checkpoints/checkpoint-notice.ts";
import { addHandLines } from "./hand-lines.ts";
import { importLogs } from "./import-sources.ts";
import {
  agentLocations,
  groupLocation,
  isClaudeHere,
  type Locations,
  location,
  type StoreLocation,
} from "../workspace/locations.ts";
import { openStoreAt } from "../workspace/open-store.ts";
import type { ArchivedStore, LeftOut, OpenedArchive } from "./read-archive.ts";
import { checkName } from "../workspace/scope-settings.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** The result for one store of an export. */
export interface ImportedStore {
  readonly scope: ExportedStore["scope"];
  readonly name: string;
  readonly directory: string;
  /** Notes that are new here. */
  readonly added: readonly string[];
  /** Already here, byte for byte. */
  readonly known: number;
  /** Another text has this name here: both are kept, the imported one as `as`. */
  readonly both: readonly { readonly file: string; readonly as: string }[];
  /** Versions imported; 0 if the store here has a history of its own. */
  readonly versions: number;
  /** Days of logs with something new. */
  readonly logs: number;
  /** What was not imported at all, and why: a gate refuses it, or something is in its way. */
  readonly leftOut: readonly LeftOut[];
  /** The version of the import, which `undo` reverts; `undefined` if nothing was written. */
  readonly version: string | undefined;
}

/**
 * Imports every store of an export, each in one version; without `write` it only reports what it would do. Every store
 * is planned before the first is written.
 * @throws MemoryError `refused` if the mode of one of their scopes forbids it; then none is imported.
 */
export function importArchive(
  workspace: OpenWorkspace,
  archive: OpenedArchive,
  options: { readonly write: boolean },
): readonly ImportedStore[] {
  for (const { exported } of archive.stores) {
    const choice = modeIn(workspace.modes, exported.scope);
    if (!mayWrite(choice.mode))
      throw refusedByMode(`memory of the ${exported.scope} scope, of which the export has notes or logs,`, choice);
  }
  const places = archive.stores.map((store) => ({
    store,
    place: placeFor(workspace.locations, archive.here, store.exported),
  }));
  const plan = places.map(({ store, place }) => importStore(workspace, store, place, false));
  if (!options.write) return plan;
  const done = places.map(({ store, place }) => importStore(workspace, store, place, true));
  copyCheckpoints(workspace.locations, archive);
  return done;
}

function importStore(
  { locations, clock }: OpenWorkspace,
  archived: ArchivedStore,
  place: StoreLocation,
  write: boolean,
): ImportedStore {
  const { exported, notes } = archived;
  const told = { scope: exported.scope, name: exported.name, directory: place.directory };
  const logs = importLogs(archived.logs, place, clock, write).length;
  const versions = archived.past.length;
  const isUnmade = !write && !fs.existsSync(place.directory);
  const store = isUnmade ? undefined : openStoreAt(place, locations, clock);
  try {
    store?.reconcile("full");
    const { files, leftOut } = fitting(notes, place);
    const plan = planFiles(store, files, archived.lives);
    const isNew = store === undefined || store.history().versions().length === 0;
    const version = write && store !== undefined ? writeStore(store, archived, plan.changes, clock) : undefined;
    return {
      ...told,
      added: plan.added,
      known: plan.known,
      both: plan.both,
      versions: isNew ? versions : 0,
      logs,
      leftOut: [...archived.leftOut, ...leftOut],
      version,
    };
  } finally {
    store?.close();
  }
}

/** Leaves out notes that cannot be placed: in the place of another store or the logs, or of a link or directory. */
function fitting(
  notes: readonly ArchivedFile[],
  { directory, excluded }: StoreLocation,
): { readonly files: readonly ArchivedFile[]; readonly leftOut: readonly LeftOut[] } {
  const others = new Set(excluded);
  const problemOf = (file: string): string | undefined => {
    const parts = file.split("/");
    for (let depth = 1; depth <= parts.length; depth++) {
      const part = parts.slice(0, depth).join("/");
      if (depth < parts.length && isExcluded(others, part))
        return `${part} belongs to other notes or to the daily logs`;
      const kind = nodeFiles.stat(path.join(directory, part))?.kind ?? "none";
      if (kind !== "none" && kind !== (depth < parts.length ? "directory" : "file"))
        return `${part} is in the way in ${directory}`;
    }
    return undefined;
  };
  const judged = notes.map((note) => ({ note, why: problemOf(note.file) }));
  return {
    files: judged.flatMap(({ note, why }) => (why === undefined ? [note] : [])),
    leftOut: judged.flatMap(({ note: { file }, why }) => (why === undefined ? [] : [{ file, why }])),
  };
}

function writeStore(
  store: NoteStore,
  { exported: { scope, name }, past, handLines }: ArchivedStore,
  changes: readonly StoreChange[],
  clock: Clock,
): string | undefined {
  if (past.length > 0) store.adoptHistory(pastElsewhere(past, clock.now()));
  addHandLines(store.directory, handLines);
  if (changes.length === 0) return undefined;
  const result = store.commit(changes, {
    actor: "import",
    reason: `imported ${counted(changes.length, "note")} of ${scope} ${name}`,
  });
  if (!result.ok)
    throw new MemoryError(
      "conflict",
      `${result.outcomes
        .filter(({ outcome }) => outcome === "exists")
        .map(({ file }) => file)
        .join(", ")} came to be meanwhile in ${store.directory}; import again`,
    );
  return String(result.seq);
}

interface FilePlan {
  readonly added: readonly string[];
  readonly known: number;
  readonly both: ImportedStore["both"];
  readonly changes: readonly StoreChange[];
}

/** `store` is `undefined` if it does not exist yet. */
function planFiles(
  store: NoteStore | undefined,
  files: readonly ArchivedFile[],
  lives: Pick<Lives, "present">,
): FilePlan {
  const added: string[] = [];
  const both: { file: string; as: string }[] = [];
  const changes: StoreChange[] = [];
  let known = 0;
  for (const { file, bytes } of files) {
    const isSame = (name: string): boolean => {
      const here = store?.read(name);
      return here !== undefined && sha256(here) === sha256(bytes);
    };
    const lineage = lives.present.get(file)?.lineage;
    const create = (name: string): StoreChange => ({
      kind: "create",
      file: name,
      content: bytes,
      ...(lineage !== undefined && { lineage }),
    });
    const isFree = (name: string): boolean =>
      store?.index.hasFile(name) !== true &&
      store?.read(name) === undefined &&
      !changes.some((one) => one.file === name);
    if (isSame(file)) known++;
    else if (isFree(file)) {
      added.push(file);
      changes.push(create(file));
    } else {
      const as = beside(file, (name) => isSame(name) || isFree(name));
      if (isSame(as)) known++;
      else {
        both.push({ file, as });
        changes.push(create(as));
      }
    }
  }
  return { added, known, both, changes };
}

/** `x_2.md` or the first following name that is usable. */
function beside(file: string, isUsable: (name: string) => boolean): string {
  const stem = file.replace(/\.md$/iu, "");
  for (let number = 2; ; number++) {
    const name = `${stem}_${number}.md`;
    if (isUsable(name)) return name;
  }
}

/** The exporting project's stores become this project's; stores of other projects keep their names. */
function placeFor(locations: Locations, here: string, { scope, name }: ExportedStore): StoreLocation {
  const { memdirHome, configDirectory, environment, stores, project } = locations;
  const own = stores.find((place) => place.scope === scope);
  if (scope === "user" && own !== undefined) return own;
  if (scope === "user") return location(memdirHome, "user", path.join(memdirHome, "user", "memory"));
  if (scope === "group") return groupLocation(memdirHome, checkName(name, "the name of a group"));
  if (scope === "agent" || scope === "agent-user" || scope === "agent-local") {
    const agent = agentLocations({
      memdirHome,
      configDirectory,
      root: project?.root ?? locations.cwd,
      agentType: checkName(name, "a type of sub-agent"),
    }).find((place) => place.scope === scope);
    if (agent !== undefined) return agent;
  }
  if (name === here && own !== undefined) return own;
  const base = isClaudeHere(environment, configDirectory) ? configDirectory : memdirHome;
  if (scope === "local") return location(memdirHome, "local", path.join(memdirHome, "local", name, "memory"));
  const directory = path.join(base, "projects", name, "memory");
  return scope === "team"
    ? location(memdirHome, "team", path.join(directory, "team"))
    : { ...location(memdirHome, "project", directory), excluded: ["team"] };
}

/** Existing checkpoints stay unchanged. */
function copyCheckpoints(locations: Locations, { here, checkpoints }: OpenedArchive): void {
  for (const { file, bytes } of checkpoints) {
    const name = file.startsWith(`${here}/`) ? `${checkpointsName(locations)}/${file.slice(here.length + 1)}` : file;
    const target = path.join(locations.memdirHome, "checkpoints", name);
    if (nodeFiles.stat(target) !== undefined) continue;
    nodeFiles.makeDirectory(path.dirname(target));
    putFile(target, bytes, { aside: `${target}.${process.pid}.tmp`, named: true });
  }
}
