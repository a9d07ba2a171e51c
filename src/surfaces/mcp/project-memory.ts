import { fileURLToPath } from "node:url";
import { statSync } from "node:fs";
import { relative } from "node:path";
import { type LocationOptions, type Locations, locate } from "../../compose/locations.ts";
import { openPast } from "../../compose/past.ts";
import { type OpenWorkspace, openWorkspace } from "../../compose/workspace.ts";
import type { SearchPast } from "../../core/transcripts/past.ts";

/** The memory that one client works with. Opened when first needed; a client's roots may say that the project is another. */
export interface ProjectMemory {
  readonly locations: Locations;
  workspace(): OpenWorkspace;
  readonly past: SearchPast | undefined;
  /** Takes the first root, unless the directory that the server was started in lies in one of them. */
  takeRoots(uris: readonly string[]): void;
  /** Does what nobody waits for once the answer under way was sent, and before the memory is closed at the latest. */
  later(work: () => void): void;
  close(): void;
}

/** @throws MemoryError for settings and directories that cannot be used. */
export function openProjectMemory(options: LocationOptions, past?: SearchPast): ProjectMemory {
  let locations = locate(options);
  let workspace: OpenWorkspace | undefined;
  let searches: { readonly past: SearchPast | undefined } | undefined;
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
      if (workspace === undefined) workspace = openWorkspace(locations);
      else workspace.settle();
      return workspace;
    },
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
      locations = locate({ ...options, cwd: first });
    },
    later(work) {
      if (waiting.push(work) === 1) setImmediate(catchUp);
    },
    close() {
      catchUp();
      workspace?.close();
      workspace = undefined;
    },
  };
}

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
