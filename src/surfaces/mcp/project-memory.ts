import { instructionsAt } from "../../app/instructions/instruction-text.ts";
import { fileURLToPath } from "node:url";
import { statSync } from "node:fs";
import { relative } from "node:path";
import { type LocationOptions, type Locations, locate } from "../../app/workspace/locations.ts";
import { openPast } from "../../app/past/past.ts";
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "../../app/workspace/open-workspace.ts";
import { createSeenNotes, type SeenNotes } from "./seen-notes.ts";
import type { SearchPast } from "../../core/transcripts/past.ts";

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
