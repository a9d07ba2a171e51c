import { cutAtWord, oneLine } from "../shared/text.ts";

/** More phrases than this would find the note for anything. */
const MOST_PHRASES = 20;

const PHRASE_CHARACTERS = 60;

/** Phrases as a note keeps them: each once, in one line, without the commas that part them in the file. */
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

/** The four kinds of note. Anything else is read, shown and indexed, and never rewritten unasked. */
export const NOTE_TYPES = ["user", "feedback", "project", "reference"] as const;

export type NoteType = (typeof NOTE_TYPES)[number];

/**
 * Whose notes a store holds, the farthest first: where two hold a note of the same file name and type, the nearer one
 * counts. `group` is shared by projects that a person listed; `agent` belongs to one type of sub-agent, in the project
 * (`agent`), in every project (`agent-user`) or on this machine (`agent-local`). `local` never leaves the machine.
 */
export const SCOPES = ["user", "group", "team", "project", "agent-user", "agent", "agent-local", "local"] as const;

export type Scope = (typeof SCOPES)[number];

/** `user:role` → scope and the rest; without a scope all of it is the rest. */
export function splitScope(reference: string): { readonly scope: Scope | undefined; readonly rest: string } {
  const colon = reference.indexOf(":");
  const scope = SCOPES.find((one) => one === reference.slice(0, Math.max(0, colon)));
  return scope === undefined || colon === reference.length - 1
    ? { scope: undefined, rest: reference }
    : { scope, rest: reference.slice(colon + 1) };
}

/** Whether notes of the first scope count before those of the second. */
export function isNearer(first: Scope, second: Scope): boolean {
  return SCOPES.indexOf(first) > SCOPES.indexOf(second);
}

/** Where a note came from: the session and the message (its id) whose words it rests on. */
export interface Evidence {
  readonly session: string;
  readonly message: string;
}

/** Something wrong with a file that did not stop it from being read. */
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

/** One Markdown file, read. Texts are as written; nothing here was cut. */
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
  /** ISO time the note itself claims (`metadata.modified`, `modified`, `metadata.created`, `date`), else `undefined`. */
  readonly modified: string | undefined;
  /** Set when a newer note retired this one; such a note leaves recall and the index. */
  readonly supersededBy: string | undefined;
  /** ISO times between which the note held. */
  readonly validFrom: string | undefined;
  readonly validTo: string | undefined;
  readonly evidence: Evidence | undefined;
  /** Files of older notes of this store that it contradicts, as long as nobody settled which holds (`metadata.contradicts`). */
  readonly contradicts: readonly string[];
  /** Words and phrases by which a person would look for it, other than its own (`metadata.asked`): searched, never shown. */
  readonly asked: readonly string[];
  readonly problems: readonly NoteProblem[];
}

/** What someone wants to remember, before it has a file. */
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
  /** Words and phrases by which a person would look for it, other than its own. */
  readonly asked?: readonly string[];
  /** Files of older notes that it contradicts, until a person settles it. */
  readonly contradicts?: readonly string[];
  /** Files of notes beside which it holds: a person, or the agent that looked at both, said so. */
  readonly agreesWith?: readonly string[];
  /** ISO time at which its words were said; words such as "tomorrow" count from there. */
  readonly said?: string;
  /** ISO time at which someone else wrote it down; default: now. */
  readonly created?: string;
  /** What speaks against keeping it, where someone insisted. */
  readonly forced?: string;
  /** Where another tool had it: `codex:MEMORY.md#Testing@…`. */
  readonly importedFrom?: string;
  /** The file it is taken from: its frontmatter is kept. `created` is set where it says no time. */
  readonly original?: { readonly text: string; readonly changed?: string };
}
