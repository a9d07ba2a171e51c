import { cutAtWord, oneLine } from "../shared/text.ts";

/** With more phrases than this, every search would find the note. */
const MOST_PHRASES = 20;

const PHRASE_CHARACTERS = 60;

/** Phrases as a note keeps them: no duplicates, each in one line, without the commas that separate them in the file. */
export function askedPhrases(given: readonly string[]): readonly string[] {
  const phrases = new Map<string, string>();
  for (const phrase of given.flatMap((text) => text.split(/[,，、;\n]/u))) {
    const written = cutAtWord(oneLine(phrase), PHRASE_CHARACTERS);
    if (written !== "" && !phrases.has(written.toLowerCase())) phrases.set(written.toLowerCase(), written);
  }
  return [...phrases.values()].slice(0, MOST_PHRASES);
}

/** The value of `metadata.asked`, which is one line: `going live, ship it, production`. */
export function askedLine(given: readonly string[]): string {
  return askedPhrases(given).join(", ");
}

/** The four types of note. A note of another type is read, shown and indexed, but never rewritten unasked. */
export const NOTE_TYPES = ["user", "feedback", "project", "reference"] as const;

export type NoteType = (typeof NOTE_TYPES)[number];

/**
 * The scopes of stores, farthest first: of two notes with the same file name and type, the nearer one counts.
 * `group` is shared by projects that the user listed; `agent` scopes belong to one type of sub-agent, in the project
 * (`agent`), in every project (`agent-user`) or on this machine (`agent-local`). `local` never leaves the machine.
 */
export const SCOPES = ["user", "group", "team", "project", "agent-user", "agent", "agent-local", "local"] as const;

export type Scope = (typeof SCOPES)[number];

/** Splits `user:role` into scope and rest; without a scope, all of it is the rest. */
export function splitScope(reference: string): { readonly scope: Scope | undefined; readonly rest: string } {
  const colon = reference.indexOf(":");
  const scope = SCOPES.find((one) => one === reference.slice(0, Math.max(0, colon)));
  return scope === undefined || colon === reference.length - 1
    ? { scope: undefined, rest: reference }
    : { scope, rest: reference.slice(colon + 1) };
}

/** Whether a scope's notes are about this project. Notes of the user, group or agent-user scope may not be. */
export function speaksOfProject(scope: Scope): boolean {
  return scope !== "user" && scope !== "group" && scope !== "agent-user";
}

/** Whether notes of the first scope take precedence over those of the second. */
export function isNearer(first: Scope, second: Scope): boolean {
  return SCOPES.indexOf(first) > SCOPES.indexOf(second);
}

/** The source of a note: the session, and the id of the message it is based on. */
export interface Evidence {
  readonly session: string;
  readonly message: string;
}

/** A fault in a file that did not prevent reading it. */
export interface NoteProblem {
  readonly code:
    | "no-frontmatter"
    | "malformed-frontmatter"
    | "unclosed-frontmatter"
    | "missing-description"
    | "unknown-type"
    | "invalid-utf8"
    | "nul-bytes"
    | "oversize"
    | "conflict-markers"
    | "hidden-characters";
  readonly message: string;
}

/** One parsed Markdown file. Texts are as written; nothing was cut. */
export interface Note {
  /** Path relative to the store's directory, `/` as separator: `feedback_testing.md`. The note's id. */
  readonly file: string;
  /** `name` of the frontmatter, else derived from the first heading or the file name. */
  readonly name: string;
  /** `description` of the frontmatter, else the first line of prose. */
  readonly description: string;
  /** `undefined` when missing or unknown; `writtenType` keeps what the file says. */
  readonly type: NoteType | undefined;
  readonly writtenType: string | undefined;
  /** Markdown after the frontmatter, line endings as `\n`. */
  readonly body: string;
  /** `metadata.pinned: true`. */
  readonly pinned: boolean;
  /** ISO time that the note states (`metadata.modified`, `modified`, `metadata.created`, `date`), else `undefined`. */
  readonly modified: string | undefined;
  /** Set when a newer note replaced this one, which removes it from recall and the index. */
  readonly supersededBy: string | undefined;
  /** ISO times between which the note was valid. */
  readonly validFrom: string | undefined;
  readonly validTo: string | undefined;
  readonly evidence: Evidence | undefined;
  /** Files of older notes of this store that it contradicts, until the user settles it (`metadata.contradicts`). */
  readonly contradicts: readonly string[];
  /** Search words and phrases of a user beyond the note's own (`metadata.asked`): searched, never shown. */
  readonly asked: readonly string[];
  readonly problems: readonly NoteProblem[];
}

/** A note to be remembered, before it has a file. */
export interface NoteDraft {
  readonly type: NoteType;
  /** Short and stable; the file name is made from it. */
  readonly name: string;
  /** One line: what recall and the index show. */
  readonly description: string;
  /** Markdown; for `feedback` with `**Why:**` and `**How to apply:**` where known. */
  readonly body: string;
  readonly evidence?: Evidence;
  /** Who wrote it: `user` by hand, `rules` by capture without a model. */
  readonly source?: string;
  /** Words and phrases that a user would search for, beyond the note's own. */
  readonly asked?: readonly string[];
  /** Files of older notes that it contradicts, until the user settles it. */
  readonly contradicts?: readonly string[];
  /** Files of notes that it does not contradict, as stated by the user or by the agent that compared both. */
  readonly agreesWith?: readonly string[];
  /** ISO time at which its words were said; words such as "tomorrow" are relative to it. */
  readonly said?: string;
  /** ISO time at which another author wrote it down; default: now. */
  readonly created?: string;
  /** The reasons against keeping it, if the caller insisted. */
  readonly forced?: string;
  /** Its origin in another tool: `codex:MEMORY.md#Testing@…`. */
  readonly importedFrom?: string;
  /** The file it is taken from; its frontmatter is kept. `changed` is its time if the file gives none. */
  readonly original?: { readonly text: string; readonly changed?: string };
}
