import type { Evidence, NoteDraft, NoteType } from "../notes/note.ts";

/** Why a candidate was not written. Every refusal can be read by the person it concerns. */
export type RefusalReason =
  | "secret"
  | "hidden-characters"
  | "not-the-users-words"
  | "recalled-text"
  | "duplicate"
  /** The repository or an instruction file says it. */
  | "derivable"
  | "other-project"
  | "ephemeral"
  | "too-long"
  /** A model's quotation does not stand in the message it names. */
  | "no-evidence"
  /** A model named an address, a number or an identifier that nobody mentioned. */
  | "unsupported"
  | "unknown-note"
  /** Pinned, or in a form that is never rewritten. */
  | "protected-note"
  /** Someone changed the note while the model thought. */
  | "changed-meanwhile"
  | "too-many"
  /** The scope's mode lets capture write nothing there. */
  | "mode-forbids"
  /** Someone said "never like this" in review. */
  | "never-like-this"
  /** Someone refused the very same in review. */
  | "rejected-before";

export interface Refusal {
  readonly reason: RefusalReason;
  /** The candidate's text; secrets are masked. */
  readonly text: string;
  readonly evidence: Evidence;
}

/** Rules only add and replace: what to say better is a matter of judgement. */
export type RuleOperation =
  | { readonly kind: "create"; readonly draft: NoteDraft }
  | { readonly kind: "supersede"; readonly file: string; readonly draft: NoteDraft };

/** What capture wants done to a store; applied only through the store's own commit. */
export type CaptureOperation =
  | RuleOperation
  /** The same note, said better: name and file stay. */
  | { readonly kind: "revise"; readonly file: string; readonly draft: NoteDraft }
  /** No longer true; `by` names the note that holds in its place, where there is one. */
  | { readonly kind: "retire"; readonly file: string; readonly by?: string; readonly evidence: Evidence };

/** Why an operation is for a person to decide. */
export type DoubtReason =
  /** It seems to say the opposite of a note, but the subject may be another. */
  | "contradiction-in-doubt"
  /** The note belongs to another scope: other projects or other people rely on it. */
  | "other-scope"
  | "protected-note"
  /** A note has every word of it and says more: perhaps it is known, perhaps it is another wish. */
  | "may-be-known";

/** An operation that must not be done unasked. */
export interface ProposedOperation {
  readonly operation: CaptureOperation;
  readonly reason: DoubtReason;
}

export interface CapturePlan<Operation extends CaptureOperation = CaptureOperation> {
  readonly operations: readonly Operation[];
  /** Not done: waits for a person. */
  readonly proposed: readonly ProposedOperation[];
  readonly refused: readonly Refusal[];
}

/** What capture must know of a note that is already there. */
export interface ExistingNote {
  readonly file: string;
  readonly type: NoteType | undefined;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** The words it rests on, where it says so. */
  readonly evidence?: Evidence | undefined;
  /** Capture leaves it alone: pinned, or in a form that is never rewritten. */
  readonly protected?: boolean;
}
