import { fileURLToPath } from "node:url";
import { statSync } from "node:fs";
import { relative } from "node:path";
import { instructionsAt } from "../../app/instructions/instruction-text.ts";
import { locate, type LocationOptions, type Locations } from "../../app/workspace/locations.ts";
import { openPast } from "../../app/past/past.ts";
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "../../app/workspace/open-workspace.ts";
import type { SearchPast } from "../../core/transcripts/past.ts";
import { contentVersion } from "../../core/shared/hash.ts";
import type { NoteRef } from "../../app/workspace/workspace.ts";

/** What one client's model has seen of the notes, so that a change replaces only text it has seen. */
interface SeenNotes {
  /** Records that it has the whole text of this version, from an answer or because it wrote it. */
  saw(ref: NoteRef, version: string): void;
  /** Records a part of a long text; `true` once it has seen all parts of this version. */
  sawPart(
    ref: NoteRef,
    version: string,
    part: { readonly from: number; readonly to: number; readonly of: number },
  ): boolean;
  /** The text of the given version; by default the current one, or the last one it saw. `undefined` if it saw none. */
  text(ref: NoteRef, version?: string): Uint8Array | undefined;
  clear(): void;
}

/** The number of texts kept; beyond it the oldest are dropped, and an answer's version is looked up in the history. */
const MOST_TEXTS = 200;

function createSeenNotes(): SeenNotes {
  const texts = new Map<string, { readonly note: string; readonly version: string; readonly bytes: Uint8Array }>();
  const parts = new Map<string, number>();
  const nameOf = ({ scoped, file }: NoteRef): string => `${scoped.scope}:${file}`;
  const saw = (ref: NoteRef, version: string): void => {
    const note = nameOf(ref);
    const key = `${note}@${version}`;
    const bytes = ref.scoped.store.read(ref.file);
    // The text has changed since: the new one was not shown.
    const known = bytes !== undefined && contentVersion(bytes) === version ? { note, version, bytes } : texts.get(key);
    texts.delete(key);
    if (known !== undefined) texts.set(key, known);
    for (const oldest of texts.keys()) if (texts.size > MOST_TEXTS) texts.delete(oldest);
  };
  return {
    saw,
    sawPart(ref, version, { from, to, of }) {
      const key = `${nameOf(ref)}@${version}`;
      const had = from === 0 ? 0 : (parts.get(key) ?? 0);
      if (from <= had) parts.set(key, Math.max(had, to));
      const isWhole = (parts.get(key) ?? 0) >= of;
      if (isWhole) saw(ref, version);
      return isWhole;
    },
    text(ref, version) {
      const note = nameOf(ref);
      if (version !== undefined) return texts.get(`${note}@${version}`)?.bytes;
      // After an undo the current text may be one of the earlier ones.
      const present = ref.scoped.store.read(ref.file);
      const known = present && texts.get(`${note}@${contentVersion(present)}`);
      return (known ?? [...texts.values()].findLast((one) => one.note === note))?.bytes;
    },
    clear() {
      texts.clear();
      parts.clear();
    },
  };
}

/** The memory of one client, opened on first use. The client's roots may select another project. */
export interface ProjectMemory {
  readonly locations: Locations;
  workspace(): OpenWorkspace;
  readonly past: SearchPast | undefined;
  /** What the client's model has seen, so that it replaces nothing else. */
  readonly seen: SeenNotes;
  /** Selects the first root, unless the server's start directory lies in one of the roots. */
  takeRoots(uris: readonly string[]): void;
  /** Runs deferred work after the current answer was sent, at the latest before the memory is closed. */
  later(work: () => void): void;
  close(): void;
}

/** @throws MemoryError for settings and directories that cannot be used. */
export function openProjectMemory(
  options: LocationOptions & Pick<WorkspaceOptions, "secrets">,
  past?: SearchPast,
): ProjectMemory {
  let locations = locate(options);
  let workspace: OpenWorkspace | undefined;
  let searches: { readonly past: SearchPast | undefined } | undefined;
  const seen = createSeenNotes();
  const waiting: (() => void)[] = [];
  const catchUp = (): void => {
    for (const work of waiting.splice(0)) work();
  };
  const isFixed = options.dir !== undefined || (locations.environment["MEMDIR_DIR"] ?? "") !== "";
  return {
    get locations() {
      return locations;
    },
    workspace() {
      if (workspace === undefined)
        workspace = openWorkspace(locations, { ...options, instructions: async () => instructionsAt(locations) });
      else workspace.settle();
      return workspace;
    },
    seen,
    get past() {
      return (searches ??= { past: past ?? openPast(locations) }).past;
    },
    takeRoots(uris) {
      const roots = uris.flatMap(directoryOf);
      const [first] = roots;
      if (isFixed || first === undefined || roots.some((root) => isWithin(locations.cwd, root))) return;
      catchUp();
      workspace?.close();
      [workspace, searches] = [undefined, undefined];
      seen.clear();
      locations = locate({ ...options, cwd: first });
    },
    later(work) {
      if (waiting.push(work) === 1) setImmediate(catchUp);
    },
    close() {
      catchUp();
      workspace?.tidy(Date.now() + TIDY_MS);
      workspace?.close();
      workspace = undefined;
    },
  };
}

/** The time for closing work (ms): a client that exits waits only some seconds for its servers. */
const TIDY_MS = 2_000;

/** Local directories only; a missing root is the client's mistake and changes nothing. */
function directoryOf(uri: string): readonly string[] {
  if (!/^file:\/\/(?:localhost)?\//iu.test(uri)) return [];
  try {
    const directory = fileURLToPath(uri);
    return statSync(directory).isDirectory() ? [directory] : [];
  } catch {
    // Not a path of this machine, or it does not exist.
    return [];
  }
}

/** Whether a path is a directory or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !/^\.\.[\\/]/u.test(way) && !/^(?:[A-Za-z]:|[\\/])/u.test(way));
}
