import type { OpenWorkspace } from "../../app/workspace/open-workspace.ts";
import { mayWrite, refusedByMode } from "../../app/workspace/modes.ts";

/**
 * What a command does with notes. If the mode forbids this in every scope, the command is refused before anything is
 * read; if it forbids this in a single scope, that scope's store refuses. Commands not listed here show settings, or
 * report in their own words that memory is off.
 */
const NEEDS: Readonly<Record<string, "read" | "write">> = {
  list: "read",
  log: "read",
  show: "read",
  history: "read",
  diff: "read",
  verify: "read",
  guard: "read",
  skill: "read",
  checkpoint: "read",
  audit: "read",
  dream: "read",
  "why-not": "read",
  replay: "read",
  bench: "read",
  conflicts: "read",
  export: "read",
  remember: "write",
  capture: "write",
  edit: "write",
  pin: "write",
  remove: "write",
  forget: "write",
  undo: "write",
  redo: "write",
  link: "write",
  import: "write",
  promote: "write",
  demote: "write",
  mv: "write",
  supersede: "write",
  restore: "write",
};

export function isGated(command: string): boolean {
  return command in NEEDS;
}

/** Whether a command changes notes. */
export function isWriting(command: string): boolean {
  return NEEDS[command] === "write";
}

/** Commands that show something, and with some arguments also change notes. */
const CHANGES_SOMETIMES: ReadonlySet<string> = new Set(["review", "guard", "conflicts", "dream"]);

export function mayChangeNotes(command: string): boolean {
  return isWriting(command) || CHANGES_SOMETIMES.has(command);
}

/** @throws MemoryError `refused` if no scope's mode allows what the command does. */
export function requireMode(command: string, { mode, locations }: OpenWorkspace): void {
  const isForbidden = isWriting(command) ? !mayWrite(mode) : mode === "off";
  if (isForbidden) throw refusedByMode("memory", { mode, reason: locations.modeReason });
}
