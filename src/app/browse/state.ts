import { versionOfHash } from "../../core/shared/content-version.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { mayWrite, modeIn } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { version } from "../workspace/version.ts";
import { stampOf } from "./note-list.ts";
import { isoOf, type Reading, storeOf } from "./reading.ts";
import type { ScopeState, StateView } from "./shapes.ts";

/** Whether files of a directory can be written; asked of the disk by whoever opens the page. */
export type Writable = (directory: string) => boolean;

/** What the memory is now: small, and asked every few seconds. */
export function stateView({ workspace }: Reading, isWritable: Writable): StateView {
  const { locations, recallLog, review, clock } = workspace;
  // Asked every few seconds: what an editor wrote into a file of a large store is noticed when the notes are listed.
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
