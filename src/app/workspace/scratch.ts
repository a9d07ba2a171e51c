import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Environment, locate } from "./locations.ts";
import { openWorkspace, type OpenWorkspace } from "./open-workspace.ts";

/** A workspace in a new temporary directory, apart from everything the person has; the caller removes it or not. */
export function openScratch(environment: Environment = process.env): OpenWorkspace & { readonly root: string } {
  const root = mkdtempSync(path.join(tmpdir(), "memdir-"));
  const locations = locate({
    dir: path.join(root, "memory"),
    cwd: root,
    environment: {
      PATH: environment["PATH"],
      Path: environment["Path"],
      HOME: root,
      MEMDIR_HOME: path.join(root, "state"),
    },
  });
  const workspace = openWorkspace(locations);
  return Object.defineProperties({ root, ...workspace }, Object.getOwnPropertyDescriptors(workspace));
}
