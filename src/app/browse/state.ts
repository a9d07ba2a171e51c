import { sha256, versionOfHash } from "../../core/shared/hash.ts";
import { mayWrite, modeIn } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { version } from "../workspace/version.ts";
import { idOf, isoOf, type Reading, stampOf, storeOf } from "./note-list.ts";
import type { ScopeState, StateView } from "./shapes.ts";
import { parseNote, shownNote } from "../../core/notes/parse-note.ts";
import { auditNotes } from "../care/audit-notes.ts";
import { diagnose } from "../care/doctor.ts";
import { findConflicts } from "../dream/conflicts.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import type { ConflictNote, ConflictsView, HealthFinding, HealthView } from "./activity-shapes.ts";

/** Called before each step of slow work. */
export type Progress = (step: string, done: number, total: number) => void;

/** Shown at once; settling some reveals the next. */
const MOST_CONFLICTS = 100;

/** Findings shown per kind. */
const MOST_ALIKE = 50;

export function conflictsView(workspace: OpenWorkspace, progress: Progress): ConflictsView {
  progress("comparing the notes", 0, 1);
  const found = findConflicts(workspace);
  const conflicts = found.slice(0, MOST_CONFLICTS).flatMap(({ scoped, newer, older, reason, others, more }) => {
    const [first, second] = [conflictNote(workspace, scoped, newer), conflictNote(workspace, scoped, older)];
    if (first === undefined || second === undefined) return [];
    return [{ newer: first, older: second, reason, others: others.map((file) => idOf(scoped, file)), more }];
  });
  return { conflicts, omitted: Math.max(0, found.length - MOST_CONFLICTS) };
}

function conflictNote(workspace: OpenWorkspace, scoped: ScopedStore, file: string): ConflictNote | undefined {
  const entry = scoped.store.index.entry(file);
  const bytes = scoped.store.read(file);
  if (entry === undefined || bytes === undefined) return undefined;
  return {
    id: idOf(scoped, file),
    name: entry.name,
    body: shownNote(parseNote(file, bytes, workspace.codec)).body,
    version: versionOfHash(entry.hash),
    time: isoOf(entry.time),
    ...(entry.pinned && { pinned: true }),
  };
}

/** The findings of doctor and audit, with the command that fixes each. */
export async function healthView(workspace: OpenWorkspace, progress: Progress): Promise<HealthView> {
  const findings: HealthFinding[] = [];
  progress("looking at the installation", 0, 2);
  for await (const { check, level, result, why, remedy } of diagnose(workspace))
    findings.push({
      from: "doctor",
      check,
      level,
      message: result,
      why,
      notes: [],
      ...(remedy !== undefined && { command: remedy }),
    });
  progress("looking at the notes", 1, 2);
  const alike = new Map<string, number>();
  let omitted = 0;
  for (const { code, scope, files, message, mend, hint } of await auditNotes(workspace)) {
    const count = (alike.get(code) ?? 0) + 1;
    alike.set(code, count);
    if (count > MOST_ALIKE) omitted++;
    else
      findings.push({
        from: "audit",
        check: code,
        level: code === "secret" ? "fail" : "warn",
        message,
        notes: files.map((file) => idOf({ scope }, file)),
        command: mend,
        ...(hint !== undefined && { hint }),
      });
  }
  return { findings, omitted };
}

/** Whether files in a directory can be written; the caller supplies the check on disk. */
export type Writable = (directory: string) => boolean;

/** The current state of the memory: small, and requested every few seconds. */
export function stateView({ workspace }: Reading, isWritable: Writable): StateView {
  const { locations, recallLog, review, clock } = workspace;
  // A quick check, as this is requested often. An edit inside a file of a large store is noticed when notes are listed.
  for (const { store } of workspace.stores) store.reconcile("quick");
  const root = locations.project?.root ?? locations.stores[0]?.directory ?? locations.cwd;
  const health = recallLog.health();
  const waiting = review.entries();
  return {
    version: version(),
    name: root.split(/[\\/]/u).findLast((part) => part !== "") ?? root,
    project: root,
    mode: workspace.mode,
    ...(locations.modeReason !== undefined && { modeReason: locations.modeReason }),
    scopes: locations.stores.map((place) => scopeState(workspace, place, isWritable)),
    stamp: stampOf(workspace),
    activity: versionOfHash(sha256(JSON.stringify([health.bytes, waiting.map(({ id }) => id)]))),
    waiting: waiting.length,
    recallLog: {
      keeps: recallLog.keeps,
      path: health.path,
      ...(health.problem !== undefined && { problem: health.problem.message }),
    },
    now: isoOf(clock.now()),
    ...(clock.timeZone !== undefined && { timeZone: clock.timeZone }),
  };
}

function scopeState(
  workspace: OpenWorkspace,
  { scope, directory }: OpenWorkspace["locations"]["stores"][number],
  isWritable: Writable,
): ScopeState {
  const { mode, reason } = modeIn(workspace.modes, scope);
  const store = storeOf(workspace.stores, scope)?.store;
  const readOnly = !mayWrite(mode)
    ? `memory is ${mode}${reason === undefined ? "" : ` (${reason})`}`
    : store !== undefined && !isWritable(directory)
      ? `${directory} may only be read`
      : undefined;
  return {
    scope,
    directory,
    mode,
    ...(reason !== undefined && { modeReason: reason }),
    notes: store?.index.count() ?? 0,
    exists: store !== undefined,
    ...(readOnly !== undefined && { readOnly }),
  };
}
