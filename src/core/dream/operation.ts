import type { Check } from "../notes/claims/claim.ts";
import type { NoteType } from "../notes/note.ts";
import { type Statement, statementOf } from "../notes/statement.ts";
import { counted } from "../shared/text.ts";

/** When a dream is due; the cheapest check comes first. */
interface DreamGates {
  readonly hours: number;
  readonly sessions: number;
}

export const DREAM_GATES: DreamGates = { hours: 24, sessions: 5 };

export type DreamDue =
  | { readonly due: true; readonly sessions: number }
  | { readonly due: false; readonly reason: "recent" | "few-sessions"; readonly message: string };

/** `lastMs`: end of the last dream, `undefined` if none. `sessionsSince` is called only after enough hours. */
export function isDreamDue(
  lastMs: number | undefined,
  now: number,
  sessionsSince: (ms: number) => number,
  gates: DreamGates = DREAM_GATES,
): DreamDue {
  const hours = lastMs === undefined ? Number.POSITIVE_INFINITY : (now - lastMs) / 3_600_000;
  // A clock that was set back must not block dreams forever.
  if (hours >= 0 && hours < gates.hours) {
    const ago = hours < 1 ? "less than an hour" : counted(Math.floor(hours), "hour");
    return {
      due: false,
      reason: "recent",
      message: `the last dream was ${ago} ago; the next is due after ${counted(gates.hours, "hour")} and ${gates.sessions} sessions`,
    };
  }
  const sessions = sessionsSince(lastMs ?? 0);
  const [since, which] = lastMs === undefined ? ["so far", "first"] : ["since the last dream", "next"];
  if (sessions < gates.sessions)
    return {
      due: false,
      reason: "few-sessions",
      message: `${counted(sessions, "session")} ${since}; the ${which} is due after ${gates.sessions} sessions`,
    };
  return { due: true, sessions };
}

/** Who wrote a note. An unsigned note may be a person's. */
export type Author = "agent" | "person" | "unknown";

/** A live note as a dream sees it. */
export interface DreamNote {
  readonly file: string;
  readonly name: string;
  readonly type: NoteType | undefined;
  readonly description: string;
  readonly body: string;
  /** When it was last said (ms). */
  readonly time: number;
  /** When its words were written (ms), if all at one time. */
  readonly said: number | undefined;
  readonly author: Author;
  readonly pinned: boolean;
  /** Names of the notes it links to. */
  readonly links: readonly string[];
  /** Files that a person marked as not contradicting it. */
  readonly settledWith?: readonly string[];
  /** What verification found about the things it names. */
  readonly checks: readonly Check[];
  /** Times it was shown since it last helped. */
  readonly shownInVain?: number;
  /** SHA-256 of the file: a proposal for an older text is refused. */
  readonly hash: string;
}

/** May be changed without asking: not written or pinned by a person. */
export function isOpen({ author, pinned }: DreamNote): boolean {
  return author === "agent" && !pinned;
}

/** Never touched, not even in a proposal. */
export function isProtected({ author, pinned }: DreamNote): boolean {
  return author === "person" || pinned;
}

export interface ReadNote {
  readonly note: DreamNote;
  readonly statement: Statement;
}

/** Parsed statements by text: parsing thousands of notes takes seconds, and some callers need them twice. */
export type Statements = Map<string, Statement>;

export function readNotes(notes: readonly DreamNote[], known: Statements = new Map()): readonly ReadNote[] {
  return notes.map((note) => {
    const text = note.body.trim() === "" ? note.description : note.body;
    const statement = known.get(text) ?? statementOf(text);
    known.set(text, statement);
    return { note, statement };
  });
}

/** One change of one file. Only the body and the description are changed. */
export type DreamEdit =
  /** A new note; the first of its operation's edits. */
  | { readonly kind: "create"; readonly file: string; readonly content: string }
  | { readonly kind: "replace"; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: "append"; readonly file: string; readonly text: string }
  /** Replaces the whole body; only a model proposes it. */
  | { readonly kind: "body"; readonly file: string; readonly text: string }
  /** `by`: the note that says it now; `nothing` when there is none. */
  | { readonly kind: "retire"; readonly file: string; readonly by: string };

/** `conflict` and `flag` are reported and never applied: a person decides. */
export type DreamKind = "distil" | "merge" | "supersede" | "correct" | "retire" | "conflict" | "flag";

/** The problem found; `model`: a model's suggestion; `log`: an entry of a daily log calls for a note. */
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
  /** The notes concerned; the one that stays comes first. */
  readonly files: readonly string[];
  /** Number of further notes concerned that `files` does not list. */
  readonly more?: number;
  /** A sentence for people that includes the evidence. */
  readonly reason: string;
  readonly edits: readonly DreamEdit[];
  /** Involves an unsigned note: applied only when a person approves. */
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
  | "taken-back"
  | "out-of-time";

export interface RefusedOperation {
  readonly operation: DreamOperation;
  readonly reason: RefusalReason;
  readonly message: string;
}

/** Existing notes that an operation changes; notes it creates are not included. */
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
