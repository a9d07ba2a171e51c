import type { Check } from "../notes/claims/claim.ts";
import type { NoteType } from "../notes/note.ts";
import { type Statement, statementOf } from "../notes/statement.ts";

/** Who wrote a note. What nobody signed may be a person's. */
export type Author = "agent" | "person" | "unknown";

/** A live note as a dream looks at it; all of one store. */
export interface DreamNote {
  readonly file: string;
  readonly name: string;
  readonly type: NoteType | undefined;
  readonly description: string;
  readonly body: string;
  /** When it was last said (ms). */
  readonly time: number;
  /** When its words were written (ms), where they were written at one time. */
  readonly said: number | undefined;
  readonly author: Author;
  readonly pinned: boolean;
  /** Names of notes that it points at. */
  readonly links: readonly string[];
  /** Files that a person said do not contradict it. */
  readonly settledWith?: readonly string[];
  /** What verification found of the things it names. */
  readonly checks: readonly Check[];
  /** Times it was shown since it last helped. */
  readonly shownInVain?: number;
  /** SHA-256 of the file: a proposal for another text is refused. */
  readonly hash: string;
}

/** May be changed without asking: no person wrote or pinned it. */
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

/** What texts were found to say, by text: taking thousands of notes apart costs seconds, and some look at them twice. */
export type Statements = Map<string, Statement>;

export function readNotes(notes: readonly DreamNote[], known: Statements = new Map()): readonly ReadNote[] {
  return notes.map((note) => {
    const text = note.body.trim() === "" ? note.description : note.body;
    const statement = known.get(text) ?? statementOf(text);
    known.set(text, statement);
    return { note, statement };
  });
}
