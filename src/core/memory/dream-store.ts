import type { DreamNote } from "../dream/note.ts";
import type { DreamOperation, RefusedOperation } from "../dream/operation.ts";
import { boundPlan, planDream } from "../dream/plan.ts";
import type { ResolveDays } from "../dream/upkeep.ts";
import { sha256 } from "../shared/hash.ts";
import { zoneName } from "../shared/clock.ts";
import { dreamNotes } from "./dream-notes.ts";
import { recallRegressions, type TrialStore } from "./dream-regression.ts";
import { type DreamTexts, dreamTexts } from "./dream-texts.ts";
import type { ScopedStore, Workspace } from "./workspace.ts";

export type DreamPhase = "orient" | "gather" | "consolidate" | "prune" | "check" | "apply";

export interface DreamOptions {
  /** Nothing is written. */
  readonly dryRun: boolean;
  /** Notes that nobody signed may be changed too: somebody looks at the operations, or asked for it. */
  readonly unsigned: boolean;
  /** Asked for each operation before it is applied; default yes. */
  readonly accept?: (operation: DreamOperation) => boolean | Promise<boolean>;
  readonly progress?: (phase: DreamPhase) => void;
  /** The store with other texts, to recall from. */
  readonly trial: (scoped: ScopedStore, texts: DreamTexts) => TrialStore;
}

export interface DreamOutcome {
  readonly scope: ScopedStore["scope"];
  /** Live notes looked at. */
  readonly notes: number;
  /** Every proposal, in order. */
  readonly operations: readonly DreamOperation[];
  readonly applied: readonly DreamOperation[];
  readonly refused: readonly RefusedOperation[];
  /** For a person to decide. */
  readonly told: readonly DreamOperation[];
  /** The version that holds all changes; `undefined` when nothing was written. Undoing it takes the dream back. */
  readonly version: number | undefined;
}

/** Rounds of leaving out what recall would lose; then the whole run is refused. */
const MOST_ROUNDS = 3;

/** Consolidates one store: proposes, bounds, checks that recall loses nothing, and applies in one version. */
export async function dreamOfStore(workspace: Workspace, scoped: ScopedStore, options: DreamOptions): Promise<DreamOutcome> {
  const { progress = () => undefined } = options;
  progress("orient");
  const { notes, heirOf } = dreamNotes(workspace, scoped);
  progress("gather");
  const resolveDays = await daysOf(workspace);
  progress("consolidate");
  const plan = planDream({ notes, resolveDays, heirOf, timeZone: workspace.clock.timeZone });
  progress("prune");
  const bounded = boundPlan(plan, notes, options);
  const { accepted, declined } = await asked(bounded.operations, options);
  progress("check");
  const safe = withoutRegressions(workspace, scoped, accepted, notes, options);
  const said = { scope: scoped.scope, notes: notes.length, operations: plan, told: bounded.told };
  const refused = [...bounded.refused, ...safe.refused];
  if (options.dryRun || safe.operations.length === 0) return { ...said, told: [...said.told, ...declined], applied: [], refused, version: undefined };
  progress("apply");
  return { ...said, told: [...said.told, ...declined], ...apply(workspace, scoped, safe.operations, notes, refused) };
}

async function daysOf(workspace: Workspace): Promise<ResolveDays> {
  const dates = await workspace.dates();
  const timeZone = zoneName(workspace.clock);
  return (text, said) => dates.resolve(text, { ms: said, timeZone });
}

async function asked(operations: readonly DreamOperation[], { accept }: DreamOptions): Promise<{ readonly accepted: readonly DreamOperation[]; readonly declined: readonly DreamOperation[] }> {
  if (accept === undefined) return { accepted: operations, declined: [] };
  const accepted: DreamOperation[] = [];
  const declined: DreamOperation[] = [];
  for (const operation of operations) ((await accept(operation)) ? accepted : declined).push(operation);
  return { accepted, declined };
}

interface Safe {
  readonly operations: readonly DreamOperation[];
  readonly refused: readonly RefusedOperation[];
}

function withoutRegressions(workspace: Workspace, scoped: ScopedStore, wanted: readonly DreamOperation[], notes: readonly DreamNote[], options: DreamOptions): Safe {
  let operations = wanted;
  const refused: RefusedOperation[] = [];
  for (let round = 0; round < MOST_ROUNDS && operations.length > 0; round++) {
    const trial = options.trial(scoped, dreamTexts(workspace, scoped, operations, nowOf(workspace)));
    try {
      const bad = recallRegressions(workspace, scoped, trial, operations, notes);
      if (bad.size === 0) return { operations, refused };
      refused.push(...[...bad].map(regression));
      operations = operations.filter((operation) => !bad.has(operation));
    } finally {
      trial.close();
    }
  }
  return { operations: [], refused: [...refused, ...operations.map(regression)] };
}

function regression(operation: DreamOperation): RefusedOperation {
  return { operation, reason: "recall-regression", message: "a prompt that finds this note today would find neither it nor its heir" };
}

/** All in one version; a note that was changed since it was looked at takes its operations out. */
function apply(workspace: Workspace, scoped: ScopedStore, operations: readonly DreamOperation[], notes: readonly DreamNote[], before: readonly RefusedOperation[]): Pick<DreamOutcome, "applied" | "refused" | "version"> {
  const hashes = new Map(notes.map(({ file, hash }) => [file, hash]));
  const isFresh = ({ files }: DreamOperation): boolean => files.every((file) => {
    const bytes = scoped.store.read(file);
    return bytes !== undefined && sha256(bytes) === hashes.get(file);
  });
  const applied = operations.filter(isFresh);
  const stale = operations.filter((operation) => !applied.includes(operation)).map((operation): RefusedOperation => ({ operation, reason: "changed-meanwhile", message: "one of these notes was changed while the dream ran; the next one looks again" }));
  const refused = [...before, ...stale];
  const texts = dreamTexts(workspace, scoped, applied, nowOf(workspace));
  if (texts.size === 0) return { applied: [], refused, version: undefined };
  const changes = [...texts].map(([file, { base, content }]) => ({ kind: "write" as const, file, base, content }));
  const result = scoped.store.commit(changes, { actor: "dream", reason: `dreamt: ${applied.length} ${applied.length === 1 ? "operation" : "operations"}` });
  return result.ok ? { applied, refused, version: result.seq } : { applied: [], refused: [...refused, ...applied.map((operation): RefusedOperation => ({ operation, reason: "changed-meanwhile", message: "a note was taken away while the dream ran" }))], version: undefined };
}

function nowOf({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString();
}
