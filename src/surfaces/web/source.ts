import { accessSync, constants } from "node:fs";
import { createKept, type Reading } from "../../app/browse/note-list.ts";
import { instructionsAt } from "../../app/instructions/instruction-text.ts";
import { type LocationOptions, locate } from "../../app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "../../app/workspace/open-workspace.ts";

export type SourceOptions = LocationOptions & WorkspaceOptions;

/** The memory that the page shows, with the current settings. */
export interface Source {
  reading(): Reading;
  close(): void;
}

/** Opened on first use, and reopened when settings change: switching memory off takes effect at once. */
export function openSource(options: SourceOptions): Source {
  const kept = createKept();
  let open: { readonly workspace: OpenWorkspace; readonly settings: string } | undefined;
  return {
    reading() {
      const locations = locate(options);
      const settings = JSON.stringify([locations, [...locations.modes]]);
      if (open?.settings === settings) {
        open.workspace.settle();
        return { workspace: open.workspace, kept };
      }
      open?.workspace.close();
      const workspace = openWorkspace(locations, { ...options, instructions: async () => instructionsAt(locations) });
      open = { workspace, settings };
      return { workspace, kept };
    },
    close() {
      open?.workspace.close();
      open = undefined;
    },
  };
}

/** Whether files of a directory can be written. */
export function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    // Missing or not ours: either way nothing is written.
    return false;
  }
}
