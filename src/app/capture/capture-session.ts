import { notesThatHelped } from "../../core/transcripts/notes-that-helped.ts";
import type { ExtractInput } from "../../core/capture/extract/brief.ts";
import type { Extraction } from "../../core/capture/extract/extract.ts";
import { explainDoubt } from "./given-turn.ts";
import { type CaptureDeps, planCapture } from "../../core/capture/plan-capture.ts";
import type { CaptureOperation, CapturePlan, ExistingNote, Refusal } from "../../core/capture/plan.ts";
import type { LogEntry } from "../../core/notes/daily-log.ts";
import type { Headroom } from "../../core/notes/store.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { zoneName } from "../../core/shared/clock.ts";
import type { Transcript, Turn } from "../../core/transcripts/turn.ts";
import { applyOperation, type CapturedNote, scopedName } from "./apply-capture.ts";
import {
  CAPTURED_SCOPES,
  mayCapture,
  refusalOf,
  sortOperations,
  capturesToLog,
  captureToLog,
} from "./capture-modes.ts";
import { SECRET_MARK } from "../../core/shared/secrets/mask.ts";
import { stripTyped } from "../../core/shared/hidden.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import { refuseText } from "../notes/gate.ts";
import { pause } from "../workspace/pause.ts";
import { refusedByMode, widestMode } from "../workspace/modes.ts";
import { propose } from "./review.ts";
import type { ReviewEntry } from "../../core/capture/review-queue.ts";
import { liveEntries, type Workspace } from "../workspace/workspace.ts";

/** Asks a model what to remember. Built by the app when a model is available. */
export interface Extractor {
  extract(input: ExtractInput, deps: CaptureDeps): Promise<Extraction>;
  /** The text of the project's instruction files. */
  instructions(): string;
}

export interface CaptureSessionOptions {
  readonly dryRun?: boolean;
  /** The turns not yet captured; default all. */
  readonly turns?: readonly Turn[];
  readonly extractor?: Extractor;
  /** `itself`: automatic, so nothing happens in manual mode. Default `person`. */
  readonly askedBy?: "person" | "itself";
  /** The text of the project's instruction files; read only when rules do the work. */
  readonly instructions?: () => string;
}

export interface CaptureOutcome {
  readonly notes: readonly CapturedNote[];
  readonly refused: readonly Refusal[];
  /** Room left in MEMORY.md after the last note; `undefined` if none was written. */
  readonly headroom: Headroom | undefined;
  /** What waits for `memdir review` instead of being written. */
  readonly queued: readonly ReviewEntry[];
  readonly by: "rules" | "model";
  /** Entries of daily logs, when capture writes there instead of to notes. */
  readonly logged?: readonly LogEntry[];
  /** Why the model gave no answer, so that rules did the work. */
  readonly modelFailure: string | undefined;
}

/**
 * Turns a finished session into notes: only the user's own words, each with its evidence. Running it again on the same
 * session adds nothing. With an extractor a model proposes; without one, or when it fails, rules do.
 */
export async function captureSession(
  workspace: Workspace,
  given: Transcript,
  givenOptions: CaptureSessionOptions = {},
): Promise<CaptureOutcome> {
  const transcript = { ...given, session: safeId(given.session), turns: given.turns.map(asTypedTurn) };
  const options =
    givenOptions.turns === undefined ? givenOptions : { ...givenOptions, turns: givenOptions.turns.map(asTypedTurn) };
  const { askedBy = "person", dryRun = false } = options;
  if (!mayCapture(workspace, askedBy)) {
    if (askedBy === "person") throw refusedByMode("memory", widestMode(workspace.modes, CAPTURED_SCOPES));
    return NOTHING_CAPTURED;
  }
  if (!dryRun) recordHelp(workspace, options.turns ?? transcript.turns);
  if (capturesToLog(workspace, askedBy)) return logSession(workspace, transcript, options);
  const { plan: wanted, by, modelFailure } = await planSession(workspace, transcript, options);
  const plan = wanted.operations.length === 0 ? wanted : withoutRepeats(wanted, await existingNotes(workspace));
  const sorted = sortOperations(
    workspace,
    transcript,
    { ...plan, proposed: plan.proposed.map(({ operation, reason }) => ({ operation, reason: explainDoubt(reason) })) },
    askedBy,
  );
  const notes: CapturedNote[] = [];
  let headroom: Headroom | undefined;
  const { passed, refused } = await throughGate(workspace, sorted.write);
  for (const operation of passed) {
    const applied = applyOperation(workspace, operation, {
      actor: by,
      dryRun,
      session: transcript.session,
    });
    headroom = applied.headroom ?? headroom;
    notes.push(applied.note);
  }
  const proposed = await propose(workspace, transcript, sorted.propose, { by, dryRun });
  return {
    notes,
    refused: [...plan.refused, ...sorted.refused, ...refused, ...proposed.refused],
    queued: proposed.queued,
    headroom,
    by,
    modelFailure,
  };
}

/** Notes that an agent used rank higher from now on; each session's turns are counted once. */
function recordHelp({ stores }: Workspace, turns: readonly Turn[]): void {
  for (const { store } of stores) {
    const files = store.index.entries().map(({ file }) => file);
    store.recordHelp(notesThatHelped(turns, { directory: store.directory, files }));
  }
}

/** A turn that may be stored: without a keyboard's control characters, and without an id that looks like a secret. */
function asTypedTurn(turn: Turn): Turn {
  const text = turn.role === "user" ? stripTyped(turn.text) : turn.text;
  return { ...turn, text, id: safeId(turn.id) };
}

/** Plans are made from checked texts; everything else that an operation would write is checked here. */
async function throughGate(
  workspace: Workspace,
  operations: readonly CaptureOperation[],
): Promise<{ readonly passed: readonly CaptureOperation[]; readonly refused: readonly Refusal[] }> {
  const passed: CaptureOperation[] = [];
  const refused: Refusal[] = [];
  for (const operation of operations) {
    const refusal = await refuseText(workspace, operation);
    if (refusal === undefined) passed.push(operation);
    else refused.push({ ...refusalOf(operation, refusal.reason), text: SECRET_MARK });
  }
  return { passed, refused };
}

/** Asks no model: an entry is the user's own words. What to remember of them is decided when the log is distilled. */
async function logSession(
  workspace: Workspace,
  transcript: Transcript,
  { turns, extractor, instructions = () => "", dryRun = false }: CaptureSessionOptions,
): Promise<CaptureOutcome> {
  const { entries, refused } = await captureToLog(workspace, transcript, await existingNotes(workspace), {
    turns,
    dryRun,
    instructions: (extractor?.instructions ?? instructions)(),
  });
  return { ...NOTHING_CAPTURED, logged: entries, refused };
}

/** The outcome before anything is captured. */
export const NOTHING_CAPTURED: CaptureOutcome = {
  notes: [],
  refused: [],
  queued: [],
  headroom: undefined,
  by: "rules",
  modelFailure: undefined,
};

/** Joins the outcomes of two consecutive captures. */
export function joinOutcomes(first: CaptureOutcome, second: CaptureOutcome): CaptureOutcome {
  const logged =
    first.logged === undefined && second.logged === undefined
      ? {}
      : { logged: [...(first.logged ?? []), ...(second.logged ?? [])] };
  return {
    ...logged,
    notes: [...first.notes, ...second.notes],
    refused: [...first.refused, ...second.refused],
    queued: [...first.queued, ...second.queued],
    headroom: second.headroom ?? first.headroom,
    by: second.by === "model" ? "model" : first.by,
    modelFailure: first.modelFailure ?? second.modelFailure,
  };
}

interface Planned extends Pick<CaptureOutcome, "by" | "modelFailure"> {
  readonly plan: CapturePlan;
}

/** What a session asks to remember, by a model or by rules. Writes nothing. */
export async function planSession(
  workspace: Workspace,
  transcript: Transcript,
  { turns, extractor, instructions = () => "" }: Pick<CaptureSessionOptions, "turns" | "extractor" | "instructions">,
): Promise<Planned> {
  const deps = { secrets: workspace.secrets, dates: await workspace.dates(), timeZone: zoneName(workspace.clock) };
  const range = turns === undefined ? transcript : { ...transcript, turns };
  const ruled = async (modelFailure?: string): Promise<Planned> => ({
    plan: await planCapture(range, await existingNotes(workspace), {
      ...deps,
      pause,
      instructions: (extractor?.instructions ?? instructions)(),
    }),
    by: "rules",
    modelFailure,
  });
  if (extractor === undefined || !range.turns.some(({ role, text }) => role === "user" && text.trim() !== ""))
    return ruled();
  const before = await existingNotes(workspace);
  const extraction = await extractor.extract(
    { transcript, turns: range.turns, existing: before, instructions: extractor.instructions() },
    deps,
  );
  if (extraction.kind === "failed") return ruled(`${extraction.reason}: ${extraction.message}`);
  return {
    plan: stillPossible(extraction.plan, before, await existingNotes(workspace)),
    by: "model",
    modelFailure: undefined,
  };
}

/**
 * Capturing a session again yields nothing new, even if the comparison rules changed: a sentence of a message that
 * already has its note is refused.
 */
function withoutRepeats(plan: CapturePlan, existing: readonly ExistingNote[]): CapturePlan {
  const isKnown = (operation: CaptureOperation): boolean =>
    operation.kind === "create" &&
    existing.some(
      ({ evidence, description }) =>
        evidence !== undefined &&
        evidence.message !== "" &&
        evidence.message === operation.draft.evidence?.message &&
        evidence.session === operation.draft.evidence.session &&
        description === operation.draft.description,
    );
  return {
    ...plan,
    operations: plan.operations.filter((operation) => !isKnown(operation)),
    refused: [...plan.refused, ...plan.operations.filter(isKnown).map((one) => refusalOf(one, "duplicate"))],
  };
}

/** Notes may have changed while the model worked: operations on such notes are refused. */
function stillPossible(plan: CapturePlan, before: readonly ExistingNote[], now: readonly ExistingNote[]): CapturePlan {
  const unchanged = new Set(
    now
      .filter((note) =>
        before.some((old) => old.file === note.file && old.body === note.body && old.description === note.description),
      )
      .map(({ file }) => file),
  );
  const isPossible = (operation: CaptureOperation): boolean =>
    operation.kind === "create" || unchanged.has(operation.file);
  const stale = plan.operations.filter((operation) => !isPossible(operation));
  return {
    operations: plan.operations.filter(isPossible),
    proposed: plan.proposed.filter(({ operation }) => isPossible(operation)),
    refused: [...plan.refused, ...stale.map((operation) => refusalOf(operation, "changed-meanwhile"))],
  };
}

/** All live notes, as capture needs them. Brings the stores up to date first. */
export async function existingNotes(workspace: Workspace): Promise<readonly ExistingNote[]> {
  for (const { store } of workspace.stores) store.reconcile("full");
  const notes: ExistingNote[] = [];
  for (const [at, { scoped, entry }] of liveEntries(workspace).entries()) {
    if (at % READ_AT_ONCE === 0) await pause();
    const bytes = scoped.store.read(entry.file);
    if (bytes === undefined) continue;
    const { type, name, description, body, pinned, evidence } = parseNote(entry.file, bytes, workspace.codec);
    notes.push({ file: scopedName(scoped, entry.file), type, name, description, body, evidence, protected: pinned });
  }
  return notes;
}

/** Notes read before other work in the process gets a turn. */
const READ_AT_ONCE = 100;
