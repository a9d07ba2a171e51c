import { dreamStatus } from "../dream/dream-schedule.ts";
import { dreamsOf } from "../dream/dream.ts";
import { undoneBy, versionsOf } from "../notes/versions.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import type { DreamItem, DreamsView } from "./activity-shapes.ts";
import type { Reading } from "./reading.ts";

/** The dreams of every scope, newest first, and when the next one comes. */
export function dreamsView({ workspace }: Reading): DreamsView {
  const status = dreamStatus(workspace);
  const dreams = workspace.stores.flatMap(dreamsIn).toSorted((a, b) => (a.time < b.time ? 1 : -1));
  return {
    ...(status?.last !== undefined && { last: status.last }),
    next: status?.line ?? "there are no notes of this project yet",
    dreams,
  };
}

function dreamsIn(scoped: ScopedStore): readonly DreamItem[] {
  const records = dreamsOf(scoped);
  const taken = records.length === 0 ? new Set<string>() : takenBack(scoped);
  return records.map(({ time, notes, ms, version, applied, refused, told, failure, model }) => ({
    scope: scoped.scope,
    time,
    notes,
    ms,
    ...(version !== undefined && { version }),
    undone: version !== undefined && taken.has(String(version)),
    applied,
    refused,
    told,
    ...(failure !== undefined && { failure }),
    ...(model !== undefined && {
      model: { id: model.id, inputTokens: model.inputTokens, outputTokens: model.outputTokens },
    }),
  }));
}

/** Versions that an undo took back and that no later undo brought again. */
function takenBack(scoped: ScopedStore): ReadonlySet<string> {
  const taken = new Set<string>();
  const undos = new Map<string, string>();
  for (const version of versionsOf(scoped).toReversed()) {
    const undone = undoneBy(version);
    if (undone === undefined) continue;
    const again = undos.get(undone);
    if (again === undefined) taken.add(undone);
    else taken.delete(again);
    undos.set(version.id, again ?? undone);
  }
  return taken;
}
