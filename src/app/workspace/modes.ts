import { isNearer, type Scope, SCOPES } from "../../core/notes/note.ts";
import type { NoteStore, ReadableStore } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";

/** Stores in force, as far as needed to decide which of two notes takes precedence. */
type Stores = readonly { readonly scope: Scope; readonly store: Pick<ReadableStore, "index"> }[];

/**
 * The scope whose note overrides this one: the nearest with a live note of the same file name and type. A file is named
 * after a note's type and name, so both notes have the same name and subject.
 */
export function overriddenBy(
  stores: Stores,
  scope: Scope,
  entry: Pick<IndexEntry, "file" | "type">,
): Scope | undefined {
  let nearest: Scope | undefined;
  for (const other of stores) {
    if (!isNearer(other.scope, nearest ?? scope)) continue;
    const rival = other.store.index.entry(entry.file);
    if (rival !== undefined && rival.supersededBy === undefined && rival.type === entry.type) nearest = other.scope;
  }
  return nearest;
}

/** From most permissive to off. */
export const MODES = ["auto", "confirm", "manual", "recall-only", "off"] as const;

/**
 * What memdir does with the notes of a scope. `auto`: recalls, and captures automatically. `confirm`: captured notes
 * wait in the review queue. `manual`: writes only on request. `recall-only`: writes nothing. `off`: reads nothing,
 * writes nothing, asks no model, opens no connection.
 */
export type Mode = (typeof MODES)[number];

export interface ModeChoice {
  readonly mode: Mode;
  /** What decided it, for display; `undefined` for the default. */
  readonly reason: string | undefined;
  /** The environment or Claude Code decided it: settings of memdir have no effect until that ends. */
  readonly isForced?: true;
}

export type ScopeModes = ReadonlyMap<Scope, ModeChoice>;

const DEFAULT: ModeChoice = { mode: "auto", reason: undefined };

export function modeIn(modes: ScopeModes, scope: Scope): ModeChoice {
  return modes.get(scope) ?? DEFAULT;
}

export function everyScope(choice: ModeChoice): ScopeModes {
  return new Map(SCOPES.map((scope) => [scope, choice]));
}

/** The most permissive mode of these scopes. `off` means that all of them are off. */
export function widestMode(modes: ScopeModes, scopes: readonly Scope[]): ModeChoice {
  const choices = scopes.map((scope) => modeIn(modes, scope));
  return choices.toSorted((a, b) => MODES.indexOf(a.mode) - MODES.indexOf(b.mode))[0] ?? DEFAULT;
}

export function mayWrite(mode: Mode): boolean {
  return mode === "auto" || mode === "confirm" || mode === "manual";
}

/** What happens to a captured note. `itself`: an automatic capture. */
export function captureFate(mode: Mode, askedBy: "person" | "itself"): "write" | "queue" | "nothing" {
  if (mode === "auto") return "write";
  if (mode === "confirm") return "queue";
  return mode === "manual" && askedBy === "person" ? "write" : "nothing";
}

/** "the user scope is recall-only (reason)". */
function modeSentence(what: string, { mode, reason }: ModeChoice): string {
  return `${what} is ${mode}${reason === undefined ? "" : ` (${reason})`}`;
}

export function refusedByMode(what: string, choice: ModeChoice): MemoryError {
  const consequence = choice.mode === "off" ? "nothing is read or written" : "nothing is written";
  return new MemoryError(
    "refused",
    `${modeSentence(what, choice)}, so ${consequence}; \`memdir mode\` shows and changes it`,
  );
}

/** A store that can be read but not written; external changes are still noticed. */
export function withoutWrites(scope: Scope, store: NoteStore, choice: ModeChoice): NoteStore {
  const refuse = (): never => {
    throw refusedByMode(`memory of the ${scope} scope`, choice);
  };
  return {
    ...store,
    commit: refuse,
    adoptHistory: refuse,
    forget: refuse,
    forgetLineages: refuse,
    rebuildIndexFile: refuse,
    recordUse: () => undefined,
    recordHelp: () => undefined,
    tidy: () => undefined,
  };
}
