import { randomBytes } from "node:crypto";
import { anonymousId } from "../../core/notes/names.ts";
import { mayWrite, modeIn, refusedByMode } from "../workspace/modes.ts";
import { forget } from "../notes/revise.ts";
import { type NoteRef, shownRef, type Workspace } from "../workspace/workspace.ts";
import { type Lineage, lineageOf, type Lives, withJoined } from "../../core/notes/history.ts";
import type { ForgetReceipt } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { beginForget, carryOutEverywhere, type Survey, withSurvey } from "../workspace/settle-forgets.ts";
import type { Locations } from "../workspace/locations.ts";

interface ForgettingWorkspace extends Workspace {
  readonly locations: Locations;
}

/** A receipt, and the scopes whose mode kept them from being searched: their copies go when the mode allows it. */
export type Forgotten = ForgetReceipt & {
  readonly waiting?: readonly string[];
  /** Identities of the note, its own first; a server's receipts use them. */
  readonly lineages?: readonly string[];
};

/**
 * Purges a note with its whole history: every store it was ever in, under every name, and everything memdir recorded
 * about it or quoted from it. The request is written to disk first; every command retries it until all is done.
 * @throws MemoryError that says what is left if something could not be purged yet; `not-found` if another process
 * removed the note in the meantime and history never had it.
 */
export function forgetNote(workspace: ForgettingWorkspace, ref: NoteRef): Forgotten {
  const { locations, clock } = workspace;
  const choice = modeIn(workspace.modes, ref.scoped.scope);
  if (!mayWrite(choice.mode)) throw refusedByMode(`memory of the ${ref.scoped.scope} scope`, choice);
  return withSurvey(locations, clock, undefined, (survey) => {
    const own = ref.scoped.store.lives();
    const lineages = lineagesOf(ref, own, survey);
    if (lineages.size === 0) return forgetUnversioned(workspace, ref);
    const record = {
      id: randomBytes(8).toString("hex"),
      time: new Date(clock.now()).toISOString(),
      pid: process.pid,
      lineages: [...lineages],
    };
    beginForget(locations.memdirHome, record);
    const purged = carryOutEverywhere(workspace, survey, record);
    const waiting = [...new Set(survey.closed.map(({ scope }) => scope))];
    return {
      id: anonymousId(ref.file),
      time: record.time,
      purged,
      lineages: record.lineages,
      ...(waiting.length > 0 && { waiting }),
    };
  });
}

/** For a file that is too large for the history. */
function forgetUnversioned(workspace: ForgettingWorkspace, ref: NoteRef): Forgotten {
  const receipt = forget(workspace, ref);
  if (receipt === undefined) throw new MemoryError("not-found", `there is no note ${ref.file} any more`);
  return receipt;
}

/** Other names of the same note, which would be forgotten with it. */
export function otherNames(workspace: ForgettingWorkspace, ref: NoteRef): readonly string[] {
  const lineage = lineageOf(ref.scoped.store.lives(), ref.file);
  return workspace.stores.flatMap((scoped) =>
    [...scoped.store.lives().present]
      .filter(([file, life]) => life.lineage === lineage && !(scoped.store === ref.scoped.store && file === ref.file))
      .map(([file]) => shownRef(workspace, { scoped, file })),
  );
}

/** The note's lineage with all that was joined to it, and earlier notes of its name that no longer exist anywhere. */
function lineagesOf({ file }: NoteRef, own: Lives, { homes }: Survey): ReadonlySet<Lineage> {
  const lineage = lineageOf(own, file);
  const alive = new Set(homes.flatMap(({ lives }) => [...lives.present.values()].map((life) => life.lineage)));
  const earlier = (own.ended.get(file) ?? []).filter((one) => !alive.has(one));
  return withJoined(
    lineage === undefined ? [] : [lineage, ...earlier],
    homes.map(({ lives }) => lives),
  );
}
