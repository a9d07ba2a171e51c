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
  /** Chooses notes in addition to the fast path: your own model, or `off`. Default: what `memdir models` shows. */
  readonly model?: Model | "off";
}

export interface RecallOptions extends RefineOptions {
  /**
   * The client's conversation: a note that it already has, unchanged, is not shown again. A refined answer is then also
   * kept for `takeRefined`, so that a later, separate process can deliver it.
   */
  readonly session?: string;
  /**
   * For clients that give recalled text to the model for one turn and do not store it: notes that the session was given
   * before are given again. Default false.
   */
  readonly again?: boolean;
  /** Maximum characters of `text`. Default and upper limit: 9,500. */
  readonly maxCharacters?: number;
  /** The turn within the session, as the client names it. */
  readonly turn?: string;
  readonly verify?: Verify;
  /**
   * Recalls from the notes as they were at that moment (`Date` or ms): nothing is counted, logged, checked or asked of
   * a model. Cannot be combined with `session`, which is about what a conversation has now.
   */
  readonly asOf?: Moment;
}

/** The fast answer, and a promise of a model's answer. */
export interface PromptRecall extends RecallOutcome {
  /** What to give an agent. Empty when no note is sure to help. */
  readonly text: string;
  /** Never rejects. `undefined` without a model or without notes. A failure is reported, and the fast answer stands. */
  readonly refined: Promise<RefinedRecall | undefined>;
}

/** A refined answer that came too late for its prompt. */
export interface LateText {
  readonly text: string;
  readonly files: readonly string[];
}

export interface CaptureOptions {
  readonly dryRun?: boolean;
  /**
   * No one requested this capture, as after each turn of an agent: the mode decides what happens, as it does for the
   * clients' hooks. When memory may not be written, nothing happens. Default false.
   */
  readonly automatic?: boolean;
  /** Lets a model propose instead of rules: the memory's own or the chosen one. Implied by `parent`. Default false. */
  readonly model?: boolean;
  /**
   * Your agent's own last request to its provider, as you sent it. The question is appended to it, so that everything
   * before it is read from the provider's cache. Ignored when it is for a provider other than the chosen one.
   */
  readonly parent?: ParentRequest;
}

/** A moment to read from; default now. */
export interface PastOptions {
  readonly asOf?: Moment;
}

export type CapturedSession = CaptureOutcome;

/**
 * The memory of one project: its notes and those of the scopes above it. Methods that name a note take its file, its
 * file without `.md` or its name, with a scope before it if needed (`user:role`). Every method that writes is durable
 * when it returns, and throws `MemoryError` when it is not. Invalid arguments give `invalid-input`, with the field and
 * what to give.
 */
export interface Memory {
  /** Saves a note, or says why it must not be saved. */
  remember(input: RememberInput): Promise<RememberResult>;
  /**
   * Notes that help with a prompt, at once and without a model. Their claims are checked against the working tree:
   * within 40 ms by default, within a second with `verify: true`, not at all with `verify: false`. Claims that there
   * was no time for are `unchecked`. If a model is available, it is also asked; only a caller that awaits `refined`
   * waits for it. Closing the memory cancels it.
   * @throws MemoryError `not-found` when nothing is known from the time of `asOf`.
   */
  recall(prompt: string, options?: RecallOptions): PromptRecall;
  /** Takes the late refined answer of a session, once, while it belongs to this turn. */
  takeRefined(session: string, turn?: string): LateText | undefined;
  /** Checks the claims of one note, or of all notes of the project, against the working tree. */
  verify(note?: string, options?: { readonly budgetMs?: number }): Verification;
  /**
   * The notes that a session starts with: the hand-kept index, each scope's index, pinned notes. With `asOf`, as they
   * were at that moment, without the hand-kept index, which is not versioned.
   */
  context(options?: PastOptions): readonly ContextSection[];
  /**
   * The instruction files of a session, as one client loads them (default: Claude Code if it is used, else all), in
   * load order. `touched(paths)` of the answer gives what loads on demand. Nothing is written.
   * @throws never for problems on disk: a bad file is listed in `unreadable`, and the others load.
   */
  instructions(options?: { readonly agent?: AgentChoice; readonly loaded?: readonly string[] }): SessionInstructions;
  /** Lets this project's instruction files import a file from outside the project. `revokeImport` undoes it. */
  approveImport(file: string): void;
  revokeImport(file: string): void;
  /** Turns a finished session into notes. Takes a transcript or the path of one. */
  capture(session: Transcript | string, options?: CaptureOptions): Promise<CapturedSession>;
  /**
   * The user's daily logs: an entry goes to the file of its day, with its project, and stays. `append` refuses secrets
   * and hidden characters; `read` gives the entries of every project. Recall finds them, and dreams turn them into
   * notes.
   */
  readonly log: {
    append(entry: LogInput | string): Promise<LogResult>;
    /** `day` is `YYYY-MM-DD`, default today; `days` is how many days up to it, default 1. Oldest first. */
    read(options?: { readonly day?: string; readonly days?: number }): readonly LoggedDay[];
  };
  list(options?: PastOptions): readonly ListedNote[];
  /**
   * `undefined` when there is no such note. With `asOf`, also shows notes that were removed since.
   * @throws MemoryError `not-found` for a name that may mean several notes.
   */
  show(note: string, options?: PastOptions): ShownNote | undefined;
  revise(note: string, revision: Revision): Promise<ReviseResult>;
  pin(note: string, pinned?: boolean): WriteResult;
  /**
   * Retires a note in favour of another in its scope: it stays in history but leaves recall. One change, so one `undo`.
   */
  supersede(note: string, by: string): void;
  /** Removes a note; `undo` restores it. */
  remove(note: string): WriteResult;
  /** Purges a note everywhere, including its history. Cannot be undone. */
  forget(note: string): Forgotten;
  /** Versions, newest first. Without an argument, those of the project's store. */
  history(note?: string): readonly Version[];
  /** The project's notes as files, through the same gates and into the same history. */
  readonly files: MemoryFiles;
  /** Saved states of the project's long tasks. */
  readonly checkpoints: Checkpoints;
  /** Undoes the last change of a note, or of the project's store. */
  undo(note?: string): UndoResult;
  /** Redoes what the last undo undid, if nothing else has changed since. */
  redo(note?: string): UndoResult;
  /** Tidies the notes: duplicates, contradictions, what is gone. Without `apply`, only says what it would do. */
  dream(options?: DreamCall): Promise<readonly DreamtScope[]>;
  /**
   * Closes at once when nothing is being written, else when the last write has ended: then await it before the process
   * ends. Later writes are refused.
   */
  close(): Promise<void>;
}

/** Part of the message that there is no such note. */
const LISTED = "`memory.list()` shows all";

/** Opens the memory of the project that `cwd` is in, or the notes in `dir`. Writes nothing until something is saved. */
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
