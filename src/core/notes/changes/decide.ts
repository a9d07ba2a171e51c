import type { NoteType } from "../note.ts";
import { type Change, changeOf, isBrief } from "./change.ts";
import { judge } from "./learned.ts";
import { readSaid, type Said } from "./reading.ts";
import type { ChangeKind } from "./value.ts";

/** A note in force that a new statement is compared with; in the scope of the new one. */
export interface InForce {
  readonly file: string;
  readonly type: NoteType | undefined;
  readonly description: string;
  readonly body: string;
  /** Pinned, or in a form that is never rewritten, so not superseded unasked. */
  readonly isProtected: boolean;
}

/** A note that a new statement affects, so not merely `beside` it. */
export interface Rival<Note extends InForce = InForce> {
  readonly note: Note;
  readonly kind: Exclude<ChangeKind, "beside">;
  readonly change: Change;
}

/** How many of the nearest notes are compared. */
export const NEAREST = 10;

/** A statement that would retire more notes than this is more likely misread. */
const MOST_REPLACED = 3;

interface Statement {
  readonly type: NoteType;
  readonly description: string;
  readonly body: string;
}

/** What a statement does to notes in force. Omits those it is `beside`; unclear cases are `contradicts`. */
export function decide<Note extends InForce>(statement: Statement, notes: readonly Note[]): readonly Rival<Note>[] {
  const text = textOf(statement);
  const said = readSaid(text);
  const found = notes.flatMap((note): Rival<Note>[] => {
    const change = changeBy(text, said, note);
    if (change.kind === "beside") return [];
    const isClear = change.kind !== "replaces" || (note.type === statement.type && !note.isProtected);
    return [{ note, change, kind: isClear ? change.kind : "contradicts" }];
  });
  const rivals = withoutGuesses(found);
  const replaced = rivals.filter(({ kind }) => kind === "replaces").length;
  const isDoubtful = replaced > MOST_REPLACED || (replaced > 1 && said.dropped !== undefined);
  if (!isDoubtful) return rivals;
  return rivals.map((rival) => (rival.kind === "replaces" ? { ...rival, kind: "contradicts" } : rival));
}

const compared = new WeakMap<InForce, { readonly text: string; readonly change: Change }>();

/** What a statement does to one note, whatever their types. */
export function changeOfNote(statement: Statement, note: InForce): Change {
  const text = textOf(statement);
  return changeBy(text, readSaid(text), note);
}

/** Compared once, although a statement is held against the same notes for each type that it may have. */
function changeBy(text: string, said: Said, note: InForce): Change {
  const known = compared.get(note);
  if (known?.text === text) return known.change;
  const change = changeOf(said, saidBy(note));
  compared.set(note, { text, change });
  return change;
}

/**
 * Of the changes found by weights, keeps only the likeliest; none if rules read what is replaced. A plan that was carried
 * out goes together with what it was to change.
 */
function withoutGuesses<Note extends InForce>(rivals: readonly Rival<Note>[]): readonly Rival<Note>[] {
  const isRead = rivals.some(({ kind, change }) => kind === "replaces" && change.chance === undefined);
  const plans = rivals.filter(({ kind, note }) => kind === "replaces" && isPlan(note));
  const chances = rivals.filter((rival) => !plans.includes(rival)).map(({ change: { chance = 0 } }) => chance);
  const most = isRead ? Infinity : Math.max(...chances);
  return rivals.filter((rival) => (rival.change.chance ?? Infinity) >= most || plans.includes(rival));
}

function isPlan(note: InForce): boolean {
  return saidBy(note).wording().signs.has("considered");
}

/** Notes that a statement may change, likeliest first; for use when `decide` found none. */
export function perhapsAbout<Note extends InForce>(statement: Statement, notes: readonly Note[]): readonly Note[] {
  const said = readSaid(textOf(statement));
  if (!isBrief(said)) return [];
  return notes
    .map((note) => ({ note, other: saidBy(note) }))
    .filter(({ other }) => isBrief(other))
    .map(({ note, other }) => ({ note, chance: judge(said.wording(), other.wording()).change }))
    .filter(({ chance }) => chance >= WORTH_ASKING)
    .toSorted((one, other) => other.chance - one.chance)
    .slice(0, MOST_ASKED)
    .map(({ note }) => note);
}

/** From here on the agent that heard the user is asked: one in seven pairs that are `beside` each other reaches it. */
export const WORTH_ASKING = 0.15;

/** The agent is asked about at most this many notes. */
const MOST_ASKED = 2;

const read = new WeakMap<InForce, Said>();

/** Parses a note once, even if many statements are compared with it. */
function saidBy(note: InForce): Said {
  const known = read.get(note) ?? readSaid(textOf(note));
  read.set(note, known);
  return known;
}

function textOf({ body, description }: Pick<InForce, "body" | "description">): string {
  return body.trim() === "" ? description : body;
}
