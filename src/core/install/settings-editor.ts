/** Beginning of every file that memdir writes as a whole. */
const MARK = /^(?:\/\/|#) memdir for [\w .]+, written by memdir install;/u;

/** A file that only memdir writes, recognised by its first line. */
export function wholeFile(text: string, paths: readonly string[]): SettingsEditor {
  const entry = (content: string, runs: readonly string[]): OwnEntry => ({
    place: "the whole file",
    paths: runs,
    content,
  });
  const isOurs = (there: string): boolean => MARK.test(there);
  return {
    wanted: [entry(text, paths)],
    find: (there) => ({ ok: true, entries: isOurs(there) ? [entry(there, pathsIn(there))] : [] }),
    add: (there) =>
      there === undefined || isOurs(there)
        ? { ok: true, text }
        : { ok: false, line: 1, why: "a file that is not memdir's has this name; move it away" },
    remove: (there) => ({ ok: true, text: isOurs(there) ? undefined : there }),
  };
}

/** The first two words of the file's command list. */
export function pathsIn(text: string): readonly string[] {
  const list = /^(?:const )?COMMAND = \[(.*)\];?$/mu.exec(text)?.[1] ?? "";
  return [...list.matchAll(/"(?:[^"\\]|\\["\\])*"/gu)].slice(0, 2).map(([word]) => String(JSON.parse(word)));
}

/** An entry of memdir's in a settings file. */
export interface OwnEntry {
  /** Its location, for people: `hooks.SessionStart`. */
  readonly place: string;
  /** Paths that the client runs: node, then a file of memdir's. */
  readonly paths: readonly string[];
  /** Its whole content, to compare with what would be written today. */
  readonly content: string;
}

/** `text` is undefined when no file is left. A refusal changes nothing; its line counts from 1. */
export type Edited =
  | {
      readonly ok: true;
      readonly text: string | undefined;
      /** Why the client will not read the file as it is. */ readonly caution?: string;
    }
  | Refusal;

export interface Refusal {
  readonly ok: false;
  readonly line: number | undefined;
  /** The problem and its solution, as one clause. */
  readonly why: string;
}

export type OwnEntries = { readonly ok: true; readonly entries: readonly OwnEntry[] } | Refusal;

/**
 * Adds memdir's entries to one kind of settings file and removes them; all other bytes stay. `remove` undoes `add`,
 * even after other edits. The file's content `before` the first `add` tells which empty containers existed already.
 */
export interface SettingsEditor {
  /** What `add` writes. */
  readonly wanted: readonly OwnEntry[];
  find(text: string): OwnEntries;
  add(text: string | undefined): Edited;
  remove(text: string, before: string | undefined): Edited;
}

/** Thrown inside an editor that meets something it must not change; editors return it as a `Refusal`. */
export class Refused extends Error {
  readonly line: number | undefined;

  constructor(why: string, line: number | undefined) {
    super(why);
    this.line = line;
  }
}

export function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return { ok: false, line: error.line, why: error.message };
    throw error;
  }
}

const BEGIN = "<!-- memdir: written by memdir install --rule; memdir uninstall removes it -->";
const END = "<!-- /memdir -->";

/** A paragraph between marks in the user's own Markdown file. */
export function textBlock(text: string): SettingsEditor {
  const entry = (content: string): OwnEntry => ({ place: "the rule", paths: [], content });
  return {
    wanted: [entry(text)],
    find: (there) => {
      const found = rangeIn(there);
      return { ok: true, entries: found === undefined ? [] : [entry(found.inner)] };
    },
    add: (there) => {
      const before = there ?? "";
      const gap = before === "" ? "" : before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
      return { ok: true, text: `${before}${gap}${BEGIN}\n${text}\n${END}\n` };
    },
    remove: (there) => {
      const found = rangeIn(there);
      if (found === undefined) return { ok: true, text: there };
      const rest = `${there.slice(0, found.start).replace(/\n{2}$/u, "\n")}${there.slice(found.end)}`;
      return { ok: true, text: rest.trim() === "" ? undefined : rest };
    },
  };
}

/** The range of the block, including the line break after it. */
function rangeIn(text: string): { readonly start: number; readonly end: number; readonly inner: string } | undefined {
  const start = text.indexOf(BEGIN);
  const close = start < 0 ? -1 : text.indexOf(END, start);
  if (close < 0) return undefined;
  const inner = text.slice(start + BEGIN.length, close).trim();
  const after = close + END.length;
  return { start, end: text.startsWith("\n", after) ? after + 1 : after, inner };
}
