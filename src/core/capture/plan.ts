import type { Evidence, NoteDraft, NoteType } from "../notes/note.ts";

/** Why a candidate was not written. The user can read every refusal. */
export type RefusalReason =
  | "secret"
  | "hidden-characters"
  | "not-the-users-words"
  | "recalled-text"
  | "duplicate"
  /** The repository or an instruction file already says it. */
  | "derivable"
  | "other-project"
  | "ephemeral"
  | "too-long"
  /** A model's quotation is not in the message it names. */
  | "no-evidence"
  /** A model named an address, a number or an identifier that was never mentioned. */
  | "unsupported"
  | "unknown-note"
  /** Pinned, or in a format that is never rewritten. */
  | "protected-note"
  /** The note was changed while the model was working. */
  | "changed-meanwhile"
  | "too-many"
  /** The scope's mode does not allow capture to write there. */
  | "mode-forbids"
  /** Matches a "never like this" rule from a review. */
  | "never-like-this"
  /** The same proposal was rejected in a review. */
  | "rejected-before";

export interface Refusal {
  readonly reason: RefusalReason;
  /** The candidate's text; secrets are masked. */
  readonly text: string;
  readonly evidence: Evidence;
}

/** Rules only add. What a new note replaces is decided when it is written. */
export interface RuleOperation {
  readonly kind: "create";
  readonly draft: NoteDraft;
}

/** A change that capture wants in a store; applied only through the store's own commit. */
export type CaptureOperation =
  | RuleOperation
  | { readonly kind: "supersede"; readonly file: string; readonly draft: NoteDraft }
  /** The same note, reworded: name and file stay. */
  | { readonly kind: "revise"; readonly file: string; readonly draft: NoteDraft }
  /** No longer true; `by` names the note that replaces it, if there is one. */
  | { readonly kind: "retire"; readonly file: string; readonly by?: string; readonly evidence: Evidence };

export const OPERATION_KINDS = ["create", "revise", "supersede", "retire"] as const;

/** Why a person must decide on an operation. */
export type DoubtReason =
  /** The note belongs to another scope: other projects or other people rely on it. */
  | "other-scope"
  /** A note has every word of it and more: it may be known already, or be another wish. */
  | "may-be-known";

/** An operation that must not be applied without asking. */
export interface ProposedOperation {
  readonly operation: CaptureOperation;
  readonly reason: DoubtReason;
}

export interface CapturePlan<Operation extends CaptureOperation = CaptureOperation> {
  readonly operations: readonly Operation[];
  /** Not applied: waits for a person. */
  readonly proposed: readonly ProposedOperation[];
  readonly refused: readonly Refusal[];
}

/** What capture must know of an existing note. */
export interface ExistingNote {
  readonly file: string;
  readonly type: NoteType | undefined;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** The message it rests on, if the note names one. */
  readonly evidence?: Evidence | undefined;
  /** Capture must not change it: pinned, or in a format that is never rewritten. */
  readonly protected?: boolean;
}
