import { type CaptureOutcome, captureSession } from "../core/memory/capture-session.ts";
import { type ContextSection, sessionContext } from "../core/memory/context.ts";
import { type ListedNote, listNotes, type ShownNote, showNote } from "../core/memory/list.ts";
import { type RecallOutcome, recallNotes, recallText, recordRecall } from "../core/memory/recall-notes.ts";
import { remember, type RememberInput, type RememberResult } from "../core/memory/remember.ts";
import { forget, pin, remove, revise, type ReviseResult, type Revision, type WriteResult } from "../core/memory/revise.ts";
import { undo, type UndoResult, versionsOf } from "../core/memory/versions.ts";
import { findNote, type NoteRef } from "../core/memory/workspace.ts";
import type { Version } from "../core/notes/history.ts";
import type { ForgetReceipt } from "../core/notes/store.ts";
import type { Clock } from "../core/shared/clock.ts";
import { MemoryError } from "../core/shared/errors.ts";
import type { Transcript } from "../core/transcripts/turn.ts";
import type { AgentChoice } from "../core/instructions/view.ts";
import { approvedPath, handKeptNotes, locateInstructions, openSession, type SessionInstructions } from "./instructions.ts";
import { locate, type LocationOptions } from "./locations.ts";
import { readTranscriptFile } from "./transcript.ts";
import { openWorkspace } from "./workspace.ts";

export interface MemoryOptions extends LocationOptions {
  readonly clock?: Clock;
  /** How long a write waits for other writers (ms). Default 10,000. */
  readonly lockTimeoutMs?: number;
}

export type CapturedSession = CaptureOutcome;

/**
 * The memory of one project: its notes and those of the scopes above it. Methods that name a note take
 * its file, its file without `.md` or its name, with a scope before it where needed (`user:role`).
 * Every method that writes is durable when it returns and throws `MemoryError` when it is not.
 */
export interface Memory {
  /** Saves a note, or says why it must not be saved. */
  remember(input: RememberInput): Promise<RememberResult>;
  /** Notes that help with a prompt; `text` is what to give an agent, empty when nothing is sure to help. */
  recall(prompt: string): RecallOutcome & { readonly text: string };
  /** The notes that a session starts with: the hand-kept index, each scope's index, pinned notes. */
  context(): readonly ContextSection[];
  /**
   * The instruction files of a session, as one client loads them (default: Claude Code where it is used, else all),
   * in load order; `touched(paths)` of the answer gives what loads on demand. Nothing is written.
   * @throws never for what is on the disk: a bad file is listed in `unreadable`, and the others load.
   */
  instructions(options?: { readonly agent?: AgentChoice; readonly loaded?: readonly string[] }): SessionInstructions;
  /** Lets this project's instruction files import a file from outside the project; `revoke` takes it back. */
  approveImport(file: string): void;
  revokeImport(file: string): void;
  /** Turns a finished session into notes. Takes a transcript or the path of one. */
  capture(session: Transcript | string, options?: { readonly dryRun?: boolean }): Promise<CapturedSession>;
  list(): readonly ListedNote[];
  show(note: string): ShownNote | undefined;
  revise(note: string, revision: Revision): Promise<ReviseResult>;
  pin(note: string, pinned?: boolean): WriteResult;
  /** Takes a note away; `undo` brings it back. */
  remove(note: string): WriteResult;
  /** Purges a note everywhere, history included; cannot be undone. */
  forget(note: string): ForgetReceipt | undefined;
  /** Newest first; of the project's store without an argument. */
  history(note?: string): readonly Version[];
  /** Takes back the last change of a note, or of the project's store. */
  undo(note?: string): UndoResult;
  close(): void;
}

/** Opens the memory of the project that `cwd` is in, or the notes in `dir`. Nothing is written until something is saved. */
export function openMemory(options: MemoryOptions = {}): Memory {
  const workspace = openWorkspace(locate(options), options);
  const note = (reference: string): NoteRef => {
    for (const { store } of workspace.stores) store.reconcile("full");
    const found = findNote(workspace, reference);
    if (found.found) return found.ref;
    throw new MemoryError("not-found", `there is no note "${reference}"${found.near.length > 0 ? `; near: ${found.near.join(", ")}` : ""}`);
  };
  const project = (): NonNullable<ReturnType<typeof workspace.open>> => {
    const scoped = workspace.open("project");
    if (scoped === undefined) throw new MemoryError("invalid-input", "there is no project scope here");
    return scoped;
  };
  return {
    remember: (input) => remember(workspace, input),
    recall(prompt) {
      const outcome = recallNotes(workspace, prompt);
      recordRecall(workspace, outcome.selected);
      return { ...outcome, text: recallText(workspace.clock, outcome) };
    },
    context: () => (workspace.mode === "off" ? [] : [...handKeptNotes(locateInstructions(workspace.locations).place), ...sessionContext(workspace)]),
    instructions: ({ agent, loaded } = {}) => openSession(locateInstructions(workspace.locations, agent), loaded),
    approveImport(file) {
      const { place, approvals } = locateInstructions(workspace.locations);
      approvals.approve(approvedPath(place, file), new Date(workspace.clock.now()).toISOString());
    },
    revokeImport(file) {
      const { place, approvals } = locateInstructions(workspace.locations);
      approvals.revoke(approvedPath(place, file));
    },
    capture: (session, captureOptions) => captureSession(workspace, typeof session === "string" ? readTranscriptFile(session) : session, captureOptions),
    list: () => listNotes(workspace),
    show: (reference) => showNote(workspace, note(reference)),
    revise: (reference, revision) => revise(workspace, note(reference), revision),
    pin: (reference, pinned = true) => pin(workspace, note(reference), pinned),
    remove: (reference) => remove(note(reference)),
    forget: (reference) => forget(note(reference)),
    history: (reference) => (reference === undefined ? versionsOf(project()) : versionsOf(note(reference).scoped, note(reference).file)),
    undo: (reference) => (reference === undefined ? undo(workspace, project(), undefined) : undo(workspace, note(reference).scoped, note(reference).file)),
    close: () => workspace.close(),
  };
}
