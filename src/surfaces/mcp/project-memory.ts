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

/** What one client's model was shown of the notes: a change of its own replaces nothing else. */
interface SeenNotes {
  /** It has the whole text of this version, from an answer or because it wrote it. */
  saw(ref: NoteRef, version: string): void;
  /** It was shown a part of a long text: `true` once it has had all parts of this version. */
  sawPart(
    ref: NoteRef,
    version: string,
    part: { readonly from: number; readonly to: number; readonly of: number },
  ): boolean;
  /** The text of the version that it names, else the present one or the last one that it saw; `undefined` where it saw none. */
  text(ref: NoteRef, version?: string): Uint8Array | undefined;
  clear(): void;
}

/** Texts kept at a time; of more the oldest go, and the version that an answer names is looked up in the history. */
const MOST_TEXTS = 200;

function createSeenNotes(): SeenNotes {
  const texts = new Map<string, { readonly note: string; readonly version: string; readonly bytes: Uint8Array }>();
  const parts = new Map<string, number>();
  const nameOf = ({ scoped, file }: NoteRef): string => `${scoped.scope}:${file}`;
  const saw = (ref: NoteRef, version: string): void => {
    const note = nameOf(ref);
    const key = `${note}@${version}`;
    const bytes = ref.scoped.store.read(ref.file);
    // Another text by now: that one was not shown.
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
      // After an undo the present text may be an earlier one of those.
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

/** The memory that one client works with. Opened when first needed; a client's roots may say that the project is another. */
export interface ProjectMemory {
  readonly locations: Locations;
  workspace(): OpenWorkspace;
  readonly past: SearchPast | undefined;
  /** What the client's model was shown, so that it replaces nothing else. */
  readonly seen: SeenNotes;
  /** Takes the first root, unless the directory that the server was started in lies in one of them. */
  takeRoots(uris: readonly string[]): void;
  /** Does what nobody waits for once the answer under way was sent, and before the memory is closed at the latest. */
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

/** A client that ends waits for its servers no longer than some seconds (ms). */
const TIDY_MS = 2_000;

/** Local directories only; a root that is not there is the client's mistake and changes nothing. */
function directoryOf(uri: string): readonly string[] {
  if (!/^file:\/\/(?:localhost)?\//iu.test(uri)) return [];
  try {
    const directory = fileURLToPath(uri);
    return statSync(directory).isDirectory() ? [directory] : [];
  } catch {
    // Not a path of this machine, or nothing there.
    return [];
  }
}

/** Whether a path is a directory or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !/^\.\.[\\/]/u.test(way) && !/^(?:[A-Za-z]:|[\\/])/u.test(way));
}
