import { type DreamNote, type DreamOperation, madeFiles, type RefusedOperation } from "../../core/dream/operation.ts";
import { boundPlan, planDream } from "../../core/dream/plan.ts";
import type { Lineage } from "../../core/notes/history.ts";
import type { StoreChange } from "../../core/notes/store.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { dreamNotes, refusedAsTakenBack } from "./dream-notes.ts";
import { recallRegressions, type TrialStore } from "./dream-regression.ts";
import { distilLog, isPutOff, type LogNews, withDistilled } from "./distil-log.ts";
import { type DreamTexts, dreamTexts } from "./dream-schedule.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";
import { counted } from "../../core/shared/text.ts";

export type DreamPhase = "orient" | "gather" | "consolidate" | "prune" | "check" | "apply";

export interface DreamOptions {
  /** Write nothing. */
  readonly dryRun: boolean;
  /** Notes without a known author may also be changed: the user sees the operations, or asked for this. */
  readonly unsigned: boolean;
  /** Called for each operation before it is applied; default yes. */
  readonly accept?: (operation: DreamOperation) => boolean | Promise<boolean>;
  /** Called as each phase begins; a promise is awaited. */
  readonly progress?: (phase: DreamPhase) => unknown;
  /** Gets proposals from a model, in addition to those of the rules. */
  readonly propose?: (notes: readonly DreamNote[], plan: readonly DreamOperation[]) => Promise<ModelProposals>;
  /** Whether time has run out: then nothing more starts and nothing is written. Default never. */
  readonly isLate?: () => boolean;
  /** Whether an earlier dream did this and it was undone. */
  readonly isTakenBack: (operation: DreamOperation) => boolean;
  /** Entries of daily logs to turn into notes. */
  readonly log?: LogNews;
  /** Opens the store with other texts, to recall from. */
  readonly trial: (scoped: ScopedStore, texts: DreamTexts) => TrialStore;
}

export interface DreamOutcome {
  readonly scope: ScopedStore["scope"];
  /** How many live notes were read. */
  readonly notes: number;
  /** Every proposal, in order. */
  readonly operations: readonly DreamOperation[];
  readonly applied: readonly DreamOperation[];
  readonly refused: readonly RefusedOperation[];
  /** For the user to decide. */
  readonly told: readonly DreamOperation[];
  /** The version with all changes; `undefined` if nothing was written. Undoing it undoes the dream. */
  readonly version: number | undefined;
  /** Log entries read; `isDone`: none needs to be read again. */
  readonly log: { readonly entries: number; readonly isDone: boolean } | undefined;
  /** The model that made proposals in addition to the rules, and its usage; `undefined` if no model was asked. */
  readonly model: ModelReport | undefined;
}

/** A model's proposals for the notes. */
export interface ModelProposals {
  readonly operations: readonly DreamOperation[];
  readonly refused: readonly RefusedOperation[];
  readonly report: ModelReport;
}

export interface ModelReport {
  readonly id: string;
  /** How many notes it was shown. */
  readonly notes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Why its answer was not used. */
  readonly failure: string | undefined;
}

/** Rounds of leaving out operations that recall would suffer from; after that, the whole run is refused. */
const MOST_ROUNDS = 3;

/** Consolidates one store: proposes, limits, checks that recall loses nothing, and applies all in one version. */
export async function dreamOfStore(
  workspace: Workspace,
  scoped: ScopedStore,
  options: DreamOptions,
): Promise<DreamOutcome> {
  const { progress = () => undefined } = options;
  await progress("orient");
  const { notes, successorOf } = dreamNotes(workspace, scoped, { isLate: options.isLate });
  await progress("gather");
  const dates = await workspace.dates();
  const fresh = options.log === undefined ? [] : await distilLog(workspace, scoped, options.log);
  await progress("consolidate");
  const all = [...notes, ...fresh.map(({ note }) => note)];
  const rules = withDistilled(
    planDream({ notes: all, dates, successorOf, timeZone: workspace.clock.timeZone }),
    fresh,
    notes,
    options.unsigned,
  );
  const proposed = await options.propose?.(notes, rules);
  const wanted = [...rules, ...(proposed?.operations ?? [])];
  const plan = wanted.filter((operation) => !options.isTakenBack(operation));
  await progress("prune");
  const bounded = boundPlan(plan, notes, options);
  const { accepted, declined } = await asked(bounded.operations, options);
  await progress("check");
  const safe = withoutRegressions(workspace, scoped, accepted, notes, options);
  const takenBack = wanted.filter(options.isTakenBack).map(refusedAsTakenBack);
  const refused = [...takenBack, ...(proposed?.refused ?? []), ...bounded.refused, ...safe.refused];
  const said = {
    scope: scoped.scope,
    notes: notes.length,
    operations: plan,
    told: [...bounded.told, ...declined],
    model: proposed?.report,
  };
  const withLog = (done: Pick<DreamOutcome, "applied" | "refused" | "version">): DreamOutcome => ({
    ...said,
    ...done,
    log: logReport(options, done.refused),
  });
  if (options.dryRun || safe.operations.length === 0) return withLog({ applied: [], refused, version: undefined });
  await progress("apply");
  return withLog(apply(workspace, scoped, safe.operations, notes, refused));
}

function logReport({ log, dryRun }: DreamOptions, refused: readonly RefusedOperation[]): DreamOutcome["log"] {
  return (
    log && {
      entries: log.entries.length,
      isDone: !dryRun && !refused.some(({ operation, reason }) => operation.kind === "distil" && isPutOff(reason)),
    }
  );
}

async function asked(
  operations: readonly DreamOperation[],
  { accept }: DreamOptions,
): Promise<{ readonly accepted: readonly DreamOperation[]; readonly declined: readonly DreamOperation[] }> {
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

function withoutRegressions(
  workspace: Workspace,
  scoped: ScopedStore,
  wanted: readonly DreamOperation[],
  notes: readonly DreamNote[],
  options: DreamOptions,
): Safe {
  const { isLate = () => false } = options;
  let operations = wanted;
  const refused: RefusedOperation[] = [];
  for (let round = 0; round < MOST_ROUNDS && operations.length > 0; round++) {
    if (isLate()) return tooLate(operations, refused);
    const trial = options.trial(scoped, dreamTexts(workspace, scoped, operations, nowOf(workspace)));
    try {
      const bad = recallRegressions(workspace, scoped, trial, operations, notes, isLate);
      if (bad === "late") return tooLate(operations, refused);
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
  return {
    operation,
    reason: "recall-regression",
    message: "a prompt that finds this note today would find neither it nor its heir",
  };
}

/** An operation not shown to be harmless is not done. */
function tooLate(operations: readonly DreamOperation[], refused: readonly RefusedOperation[]): Safe {
  const late = operations.map((operation): RefusedOperation => ({
    operation,
    reason: "out-of-time",
    message:
      "the time was over before it was shown that recall loses nothing; `memdir dream --apply` takes the time it needs",
  }));
  return { operations: [], refused: [...refused, ...late] };
}

/**
 * Applies all in one version, against the texts that were read. The store refuses the commit if any note of an
 * operation, even one that stays as it is, has changed. Such operations are left to the next dream.
 */
function apply(
  workspace: Workspace,
  scoped: ScopedStore,
  operations: readonly DreamOperation[],
  notes: readonly DreamNote[],
  before: readonly RefusedOperation[],
): Pick<DreamOutcome, "applied" | "refused" | "version"> {
  const seen = new Map(notes.map(({ file, hash }) => [file, hash]));
  const refused = [...before];
  let wanted = operations;
  const leaveOut = (isStale: (file: string) => boolean): void => {
    refused.push(...wanted.filter(({ files }) => files.some(isStale)).map(stale));
    wanted = wanted.filter(({ files }) => !files.some(isStale));
  };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    leaveOut((file) => hashOf(scoped, file) !== seen.get(file));
    if (wanted.length === 0) return { applied: [], refused, version: undefined };
    const result = scoped.store.commit(changesOf(workspace, scoped, wanted, seen), {
      actor: "dream",
      reason: `tidied: ${counted(wanted.length, "change")}`,
    });
    if (result.ok) return { applied: wanted, refused, version: result.seq };
    const moved = new Set(
      result.outcomes
        .filter(({ outcome }) => outcome === "changed" || outcome === "gone" || outcome === "exists")
        .map(({ file }) => file),
    );
    leaveOut((file) => moved.has(file));
  }
  return { applied: [], refused: [...refused, ...wanted.map(stale)], version: undefined };
}

function changesOf(
  workspace: Workspace,
  scoped: ScopedStore,
  operations: readonly DreamOperation[],
  seen: ReadonlyMap<string, string>,
): readonly StoreChange[] {
  const texts = dreamTexts(workspace, scoped, operations, nowOf(workspace));
  // If a text changed since it was read, the store is told to expect the old one and refuses the commit.
  const made = madeFiles(operations.flatMap(({ edits }) => edits));
  const heirs = mergedInto(scoped, operations);
  const written = [...texts].map(([file, { base, content }]): StoreChange =>
    made.has(file)
      ? { kind: "create", file, content }
      : sha256(base) === seen.get(file)
        ? { kind: "write", file, base, content, exact: true, ...heirs(file) }
        : { kind: "expect", file, hash: seen.get(file) ?? "" },
  );
  const others = new Set(operations.flatMap(({ files }) => files).filter((file) => !texts.has(file)));
  return [
    ...written,
    ...[...others].map((file): StoreChange => ({ kind: "expect", file, hash: seen.get(file) ?? "" })),
  ];
}

/** A merge makes one note of two: forgetting one then also forgets the other. */
function mergedInto(
  { store }: ScopedStore,
  operations: readonly DreamOperation[],
): (file: string) => { readonly lineage?: Lineage } {
  const heirs = new Map(
    operations
      .filter(({ kind }) => kind === "merge")
      .flatMap(({ edits }) => edits.flatMap((edit) => (edit.kind === "retire" ? [[edit.file, edit.by] as const] : []))),
  );
  if (heirs.size === 0) return () => ({});
  const { present } = store.lives();
  const lastHeir = (file: string): string => {
    const heir = heirs.get(file);
    return heir === undefined ? file : lastHeir(heir);
  };
  return (file) => {
    const lineage = heirs.has(file) ? present.get(lastHeir(file))?.lineage : undefined;
    return lineage === undefined ? {} : { lineage };
  };
}

function hashOf({ store }: ScopedStore, file: string): string | undefined {
  const bytes = store.read(file);
  return bytes === undefined ? undefined : sha256(bytes);
}

function stale(operation: DreamOperation): RefusedOperation {
  return {
    operation,
    reason: "changed-meanwhile",
    message: "one of these notes was changed while the dream ran; the next one looks again",
  };
}

function nowOf({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString();
}
