/** One change of one file; texts are replaced in the body and the description, nothing else of a file is touched. */
export type DreamEdit =
  /** A note that was not there; first of its operation's edits. */
  | { readonly kind: "create"; readonly file: string; readonly content: string }
  | { readonly kind: "replace"; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: "append"; readonly file: string; readonly text: string }
  /** The whole body anew; only a model proposes it. */
  | { readonly kind: "body"; readonly file: string; readonly text: string }
  /** `by`: the note that says it now; `nothing` where there is none. */
  | { readonly kind: "retire"; readonly file: string; readonly by: string };

/** `conflict` and `flag` are told and never applied: a person decides. */
export type DreamKind = "distil" | "merge" | "supersede" | "correct" | "retire" | "conflict" | "flag";

/** What was found wrong; `model`: what a model thought; `log`: an entry of a daily log asks for a note. */
export type DreamCause =
  | "duplicate"
  | "contradiction"
  | "reference"
  | "date"
  | "link"
  | "length"
  | "log"
  | "model"
  | "unused";

export interface DreamOperation {
  readonly kind: DreamKind;
  readonly cause: DreamCause;
  /** The notes it is about; first the one that stays. */
  readonly files: readonly string[];
  /** How many more notes it is about that `files` does not name. */
  readonly more?: number;
  /** A sentence for people, with the evidence in it. */
  readonly reason: string;
  readonly edits: readonly DreamEdit[];
  /** Some note of it was signed by nobody: applied only when a person says so. */
  readonly ask: boolean;
}

export type RefusalReason =
  | "limit"
  | "protected"
  | "changed-meanwhile"
  | "recall-regression"
  | "unsigned"
  | "unknown-note"
  | "unfounded"
  | "out-of-time";

export interface RefusedOperation {
  readonly operation: DreamOperation;
  readonly reason: RefusalReason;
  readonly message: string;
}

/** Notes that an operation changes; what it makes is none yet. */
export function touchedFiles({ edits }: DreamOperation): readonly string[] {
  const made = madeFiles(edits);
  return [...new Set(edits.map(({ file }) => file))].filter((file) => !made.has(file));
}

export function madeFiles(edits: readonly DreamEdit[]): ReadonlySet<string> {
  return new Set(edits.flatMap((edit) => (edit.kind === "create" ? [edit.file] : [])));
}

export function isForPerson({ edits }: DreamOperation): boolean {
  return edits.length === 0;
}
