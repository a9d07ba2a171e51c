import type { NoteType } from "../note.ts";
import { type Change, changeOf } from "./change.ts";
import { readSaid, type Said } from "./reading.ts";
import type { ChangeKind } from "./value.ts";

/** A note in force, as far as a new statement is held against it; of the new one's scope. */
export interface InForce {
  readonly file: string;
  readonly type: NoteType | undefined;
  readonly description: string;
  readonly body: string;
  /** Pinned, or in a form that is never rewritten: it is not superseded unasked. */
  readonly isProtected: boolean;
}

/** A note that a new statement does not simply stand beside. */
export interface Rival<Note extends InForce = InForce> {
  readonly note: Note;
  readonly kind: Exclude<ChangeKind, "beside">;
  readonly change: Change;
}

/** So many of the nearest notes are looked at. */
export const NEAREST = 10;
/** A statement that would retire more notes than this is more likely misread than so far-reaching. */
const MOST_REPLACED = 3;

interface Statement {
  readonly type: NoteType;
  readonly description: string;
  readonly body: string;
}

/** What a statement does to notes in force; those that it stands beside are left out. What is not clear contradicts. */
export function decide<Note extends InForce>(statement: Statement, notes: readonly Note[]): readonly Rival<Note>[] {
  const said = readSaid(textOf(statement));
  const rivals = notes.flatMap((note): Rival<Note>[] => {
    const change = changeOf(said, saidBy(note));
    if (change.kind === "beside") return [];
    const isClear = change.kind !== "replaces" || (note.type === statement.type && !note.isProtected);
    return [{ note, change, kind: isClear ? change.kind : "contradicts" }];
  });
  const replaced = rivals.filter(({ kind }) => kind === "replaces").length;
  const isDoubtful = replaced > MOST_REPLACED || (replaced > 1 && said.dropped !== undefined);
  if (!isDoubtful) return rivals;
  return rivals.map((rival) => (rival.kind === "replaces" ? { ...rival, kind: "contradicts" } : rival));
}

const read = new WeakMap<InForce, Said>();

/** A note that many statements are held against is taken apart once. */
function saidBy(note: InForce): Said {
  const known = read.get(note) ?? readSaid(textOf(note));
  read.set(note, known);
  return known;
}

function textOf({ body, description }: Pick<InForce, "body" | "description">): string {
  return body.trim() === "" ? description : body;
}
