import { instructionsAt } from "./instructions/instruction-text.ts";
import { type CaptureOutcome, captureSession } from "./capture/capture-session.ts";
import { type ContextSection, sessionContext } from "./recall/context.ts";
import { type ListedNote, listNotes, type ShownNote, showNote } from "./notes/list.ts";
import { recallWithSkills } from "./skills/offer.ts";
import type { RecallOutcome } from "./recall/recall-notes.ts";
import { addToLog, type LoggedDay, type LogInput, type LogResult, readLog } from "./notes/log-entry.ts";
import { memoryFiles, type MemoryFiles } from "./notes/memory-files.ts";
import { remember, type RememberInput, type RememberResult } from "./notes/remember.ts";
import { pin, remove, revise, type ReviseResult, type Revision, type WriteResult } from "./notes/revise.ts";
import { type UndoResult, versionsOf } from "./notes/versions.ts";
import type { RefinedRecall, RefineOptions } from "./recall/refine-recall.ts";
import { type Verification, type Verify, verifierOf, verifyNotes } from "./recall/verify-notes.ts";
import { noteIfThere, noteInTime, noteInTimeIfThere, noteNamed } from "./notes/find-note.ts";
import type { NoteRef } from "./workspace/workspace.ts";
import type { Model, ParentRequest } from "../core/models/model.ts";
import type { Version } from "../core/notes/history.ts";
import type { Clock } from "../core/shared/clock.ts";
import { MemoryError } from "../core/shared/errors.ts";
import type { Transcript } from "../core/transcripts/turn.ts";
import type { AgentChoice } from "../core/instructions/view.ts";
import {
  approvedPath,
  handKeptIn,
  locateInstructions,
  openSession,
  type SessionInstructions,
} from "./instructions/instructions.ts";
import { type Checkpoints, openCheckpoints } from "./checkpoints/checkpoints.ts";
import { asSaid } from "./capture/given-turn.ts";
import { instructionText, openExtractor } from "./capture/extractor.ts";
import { type Forgotten, forgetNote } from "./care/forget.ts";
import { locate, type LocationOptions } from "./workspace/locations.ts";
import { dreamOf, type DreamCall, type DreamtScope } from "./memory-dream.ts";
import { requireOptions, withCheckedInput } from "./memory-input.ts";
import { type MemoryLife, openLife } from "./memory-life.ts";
import { supersede } from "./notes/supersede.ts";
import { contextAsOf, listAsOf, type Moment, recallAsOf, showAsOf } from "./memory-as-of.ts";
import { openSideQueries, type SideQueries } from "./recall/side-queries.ts";
import { readTranscriptFile } from "./past/transcript.ts";
import { lastChangedStore, redo, undoAnywhere } from "./transfer/undo.ts";
import { type OpenWorkspace, openWorkspace } from "./workspace/open-workspace.ts";

export interface MemoryOptions extends LocationOptions {
  readonly clock?: Clock;
  /** How long a write waits for other writers (ms). Default 10,000. */
  readonly lockTimeoutMs?: number;
  /** Chooses notes beside the fast path: one of your own, or `off`. Default: what `memdir models` shows. */
  readonly model?: Model | "off";
}

export interface RecallOptions extends RefineOptions {
  /**
   * The client's conversation: a note that it has already, unchanged, is not shown again. A refined answer is then
   * also kept for `takeRefined`, so that a later, separate process can deliver it.
   */
  readonly session?: string;
  /**
   * For clients that give recalled text to the model for one turn and do not store it: what the session was given
   * before is given again. Default false.
   */
  readonly again?: boolean;
  /** Most characters of `text`; never more than 9,500, which is the default. */
  readonly maxCharacters?: number;
  /** The turn within the session, as the client names it. */
  readonly turn?: string;
  readonly verify?: Verify;
  /**
   * What recall gave at that moment, from the notes of then (`Date` or ms): nothing is counted, logged, checked or
   * asked of a model. Does not go with `session`, which is about what a conversation has now.
   */
  readonly asOf?: Moment;
}

/** The fast answer, and the promise of a model's. */
export interface PromptRecall extends RecallOutcome {
  /** What to give an agent; empty when nothing is sure to help. */
  readonly text: string;
  /** Never rejects. `undefined` without a model or without notes; a failure is told, and the fast answer stands. */
  readonly refined: Promise<RefinedRecall | undefined>;
}

/** A refined answer that came too late for the prompt it was asked for. */
export interface LateText {
  readonly text: string;
  readonly files: readonly string[];
}

export interface CaptureOptions {
  readonly dryRun?: boolean;
  /**
   * Nobody asked for this capture, as after each turn of an agent: the mode decides what comes of it, as it does for
   * the clients' hooks, and where memory may not be written nothing happens. Default false.
   */
  readonly automatic?: boolean;
  /** Lets a model propose instead of rules: the memory's own or the chosen one. Implied by `parent`. Default false. */
  readonly model?: boolean;
  /**
   * Your agent's own last request to its provider, as you sent it. The question is appended to it, so that everything
   * before it is read from the provider's cache; of another provider than the chosen one it is left out.
   */
  readonly parent?: ParentRequest;
}

/** A moment to look at; default now. */
export interface PastOptions {
  readonly asOf?: Moment;
}

export type CapturedSession = CaptureOutcome;

/**
 * The memory of one project: its notes and those of the scopes above it. Methods that name a note take
 * its file, its file without `.md` or its name, with a scope before it where needed (`user:role`).
 * Every method that writes is durable when it returns and throws `MemoryError` when it is not. What a method cannot take
 * is `invalid-input`, with the field and what to give.
 */
export interface Memory {
  /** Saves a note, or says why it must not be saved. */
  remember(input: RememberInput): Promise<RememberResult>;
  /**
   * Notes that help with a prompt, at once and without a model. What they claim is checked against the working tree:
   * within 40 ms, with `verify: true` within a second, with `verify: false` not at all; what there was no time for is
   * `unchecked`. Where a model is to be had it is asked beside it; nothing waits for it but who awaits `refined`.
   * Closing the memory cancels it.
   * @throws MemoryError `not-found` when nothing is known from the time of `asOf`.
   */
  recall(prompt: string, options?: RecallOptions): PromptRecall;
  /** The late refined answer of a session, once, while it belongs to this turn. */
  takeRefined(session: string, turn?: string): LateText | undefined;
  /** Checks what all notes of the project claim, or one, against the working tree. */
  verify(note?: string, options?: { readonly budgetMs?: number }): Verification;
  /**
   * The notes that a session starts with: the hand-kept index, each scope's index, pinned notes; with `asOf` as they
   * were at that moment, without the hand-kept index, which is not versioned.
   */
  context(options?: PastOptions): readonly ContextSection[];
  /**
   * The instruction files of a session, as one client loads them (default: Claude Code where it is used, else all),
   * in load order; `touched(paths)` of the answer gives what loads on demand. Nothing is written.
   * @throws never for what is on the disk: a bad file is listed in `unreadable`, and the others load.
   */
  instructions(options?: { readonly agent?: AgentChoice; readonly loaded?: readonly string[] }): SessionInstructions;
  /** Lets this project's instruction files import a file from outside the project; `revoke` undoes it. */
  approveImport(file: string): void;
  revokeImport(file: string): void;
  /** Turns a finished session into notes. Takes a transcript or the path of one. */
  capture(session: Transcript | string, options?: CaptureOptions): Promise<CapturedSession>;
  /**
   * The logs of the person's days: what is said goes to the file of its day, with the project, and stays. `append` refuses
   * secrets and hidden characters; `read` gives the entries of every project. Recall finds them, dreams make notes of them.
   */
  readonly log: {
    append(entry: LogInput | string): Promise<LogResult>;
    /** `day` is `YYYY-MM-DD`, default today; `days` how many up to it, default 1. The oldest first. */
    read(options?: { readonly day?: string; readonly days?: number }): readonly LoggedDay[];
  };
  list(options?: PastOptions): readonly ListedNote[];
  /** `undefined` where there is no such note. `asOf` shows also what was removed since. @throws MemoryError `not-found` for a name that may mean several notes. */
  show(note: string, options?: PastOptions): ShownNote | undefined;
  revise(note: string, revision: Revision): Promise<ReviseResult>;
  pin(note: string, pinned?: boolean): WriteResult;
  /** Retires a note in favour of another of its scope: it stays in history and leaves recall. One change, so one `undo`. */
  supersede(note: string, by: string): void;
  /** Takes a note away; `undo` brings it back. */
  remove(note: string): WriteResult;
  /** Purges a note everywhere, history included; cannot be undone. */
  forget(note: string): Forgotten;
  /** Newest first; of the project's store without an argument. */
  history(note?: string): readonly Version[];
  /** The project's notes as files, through the same gates and into the same history. */
  readonly files: MemoryFiles;
  /** Saved states of the project's long tasks. */
  readonly checkpoints: Checkpoints;
  /** Takes back the last change of a note, or of the project's store. */
  undo(note?: string): UndoResult;
  /** Does again what the last undo took back, while nothing else was changed since. */
  redo(note?: string): UndoResult;
  /** Tidies the notes: duplicates, contradictions, what is gone. Without `apply` it only says what it would do. */
  dream(options?: DreamCall): Promise<readonly DreamtScope[]>;
  /**
   * At once when nothing is being written, else when what is has ended: then await it before the process ends. What is
   * asked to be written afterwards is refused.
   */
  close(): Promise<void>;
}

/** For the message that there is no such note. */
const LISTED = "`memory.list()` shows all";

/** Opens the memory of the project that `cwd` is in, or the notes in `dir`. Nothing is written until something is saved. */
export function openMemory(options: MemoryOptions = {}): Memory {
  requireOptions(options);
  const locations = locate(options);
  const workspace = openWorkspace(locations, { ...options, instructions: async () => instructionsAt(locations) });
  const sideQueries = openSideQueries(workspace, options.model);
  const note = (reference: string): NoteRef => noteNamed(workspace, reference, LISTED);
  const noteOrPast = (reference: string): NoteRef => noteInTime(workspace, reference, LISTED);
  const project = (): NonNullable<ReturnType<typeof workspace.open>> => {
    const scoped = workspace.open("project");
    if (scoped === undefined) throw new MemoryError("invalid-input", "there is no project scope here");
    return scoped;
  };
  const life = openLife(() => workspace.close());
  return withCheckedInput({
    remember: (input) => life.run(() => remember(workspace, input)),
    recall: (prompt, recallOptions) => recallOf(workspace, sideQueries, prompt, recallOptions),
    takeRefined: (session, turn) => sideQueries.take(session, turn),
    context: ({ asOf } = {}) => (asOf === undefined ? presentContext(workspace) : contextAsOf(workspace, asOf)),
    instructions: ({ agent, loaded } = {}) => openSession(locateInstructions(workspace.locations, agent), loaded),
    ...approvalsOf(workspace),
    verify: (reference, { budgetMs } = {}) =>
      verifyNotes(workspace, reference === undefined ? undefined : note(reference), budgetMs) ?? {
        notes: [],
        count: 0,
      },
    capture: (session, captureOptions) => life.run(() => captureOf(workspace, options.model, session, captureOptions)),
    log: logOf(workspace, life),
    list: ({ asOf } = {}) => (asOf === undefined ? listNotes(workspace) : listAsOf(workspace, asOf)),
    show(reference, { asOf } = {}) {
      const ref = (asOf === undefined ? noteIfThere : noteInTimeIfThere)(workspace, reference, LISTED);
      if (ref === undefined) return undefined;
      return asOf === undefined ? showNote(workspace, ref) : showAsOf(workspace, ref, asOf);
    },
    revise: (reference, revision) => life.run(() => revise(workspace, note(reference), revision)),
    pin: (reference, pinned = true) => pin(workspace, note(reference), pinned),
    remove: (reference) => remove(note(reference)),
    forget: (reference) => forgetNote(workspace, noteOrPast(reference)),
    files: filesOf(workspace, life),
    checkpoints: checkpointsOf(workspace, life),
    supersede: (reference, by) => supersede(workspace, note(reference), note(by)),
    dream: (call) => life.run(() => dreamOf(workspace, call)),
    history(reference) {
      const ref = reference === undefined ? undefined : noteOrPast(reference);
      return versionsOf(ref?.scoped ?? project(), ref?.file);
    },
    undo(reference) {
      const ref = reference === undefined ? undefined : noteOrPast(reference);
      return undoAnywhere(workspace, ref?.scoped ?? lastChangedStore(workspace) ?? project(), ref?.file);
    },
    redo(reference) {
      const ref = reference === undefined ? undefined : noteOrPast(reference);
      return redo(workspace, ref?.scoped ?? lastChangedStore(workspace) ?? project(), ref?.file);
    },
    close() {
      sideQueries.close();
      return life.close();
    },
  });
}

function recallOf(
  workspace: OpenWorkspace,
  sideQueries: SideQueries,
  prompt: string,
  options: RecallOptions = {},
): PromptRecall {
  const { session, again, asOf, touchedFiles, maxCharacters } = options;
  if (maxCharacters !== undefined && !(maxCharacters > 0))
    throw new MemoryError("invalid-input", `maxCharacters is ${maxCharacters}; give a number above 0`);
  if (asOf !== undefined) return recallAsOf(workspace, prompt, asOf, options);
  workspace.settle();
  const verify = verifierOf(workspace, options.verify);
  const { outcome, rendered, delivered } = recallWithSkills(workspace.locations, workspace, {
    prompt,
    verify,
    session,
    again,
    touchedFiles,
    most: maxCharacters,
  });
  delivered();
  return { ...outcome, text: rendered.text, refined: sideQueries.refine(prompt, outcome, options) };
}

async function captureOf(
  workspace: OpenWorkspace,
  chosen: MemoryOptions["model"],
  session: string | Transcript,
  { dryRun = false, automatic = false, model = false, parent }: CaptureOptions = {},
): Promise<CapturedSession> {
  const own = chosen === undefined || chosen === "off" ? {} : { model: chosen };
  const extractor =
    model || parent !== undefined
      ? { extractor: await openExtractor(workspace, { ...own, ...(parent === undefined ? {} : { parent }) }) }
      : {};
  return captureSession(workspace, typeof session === "string" ? readTranscriptFile(session) : asSaid(session), {
    dryRun,
    ...(automatic && { askedBy: "itself" as const }),
    instructions: () => instructionText(workspace),
    ...extractor,
  });
}

function presentContext(workspace: OpenWorkspace): readonly ContextSection[] {
  workspace.settle();
  return [
    ...handKeptIn(workspace.locations, locateInstructions(workspace.locations).place),
    ...sessionContext(workspace),
  ];
}

function approvalsOf({ locations, clock }: OpenWorkspace): Pick<Memory, "approveImport" | "revokeImport"> {
  return {
    approveImport(file) {
      const { place, approvals } = locateInstructions(locations);
      approvals.approve(approvedPath(place, file), new Date(clock.now()).toISOString());
    },
    revokeImport(file) {
      const { place, approvals } = locateInstructions(locations);
      approvals.revoke(approvedPath(place, file));
    },
  };
}

function checkpointsOf(workspace: OpenWorkspace, life: MemoryLife): Checkpoints {
  const { save, saveAutomatically, adopt, ...others } = openCheckpoints(workspace);
  return {
    ...others,
    save: (input) => life.run(() => save(input)),
    saveAutomatically: (input) => life.run(() => saveAutomatically(input)),
    adopt: (reference) => life.run(() => adopt(reference)),
  };
}

function filesOf(workspace: OpenWorkspace, life: MemoryLife): MemoryFiles {
  const { create, replace, rename, ...files } = memoryFiles(workspace);
  return {
    ...files,
    create: (path, text) => life.run(() => create(path, text)),
    replace: (path, before, after) => life.run(() => replace(path, before, after)),
    rename: (moves) => life.run(() => rename(moves)),
  };
}

function logOf(workspace: OpenWorkspace, life: MemoryLife): Memory["log"] {
  return {
    append: (entry) => life.run(() => addToLog(workspace, typeof entry === "string" ? { text: entry } : entry)),
    read: (which) => readLog(workspace, which),
  };
}
