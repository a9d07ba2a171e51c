import type { SecretScanner } from "../../core/shared/secrets/mask.ts";
import type { DateResolver } from "../../core/notes/dates/date-resolver.ts";
import type { WorkingTree } from "../../core/notes/claims/claim.ts";
import type { DailyLogs, RecalledLogs } from "../../core/notes/daily-log.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import { NOTE_TYPES, type Scope, splitScope } from "../../core/notes/note.ts";
import { baseName } from "../../core/notes/parse-note.ts";
import type { Vocabulary } from "../../core/recall/prompt.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import type { KeptRecallLog } from "../../core/recall/log-line.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { near } from "../../core/shared/nearest.ts";
import type { Mode, ScopeModes } from "./modes.ts";
import type { ReviewQueue } from "../../core/capture/review-queue.ts";

/** A store and whose notes it holds. */
export interface ScopedStore {
  readonly scope: Scope;
  readonly store: NoteStore;
}

export interface WorkspaceLogs extends RecalledLogs {
  readonly store: DailyLogs;
}

/** Everything the operations of memdir work on; put together by the application. */
export interface Workspace {
  /** Stores that exist and are not off, the project's own first; each scope once. */
  readonly stores: readonly ScopedStore[];
  /** Scopes that a note can be written to here. */
  readonly scopes: readonly Scope[];
  /** The store of a scope, made if it does not exist; `undefined` when there is no such scope here. @throws MemoryError `refused` for one that is off. */
  readonly open: (scope: Scope) => ScopedStore | undefined;
  /** What is done at most: of all scopes the one that does most. `off` means that every scope is. */
  readonly mode: Mode;
  readonly modes: ScopeModes;
  /** The files that the project's notes speak of; `undefined` where there are none to look at. */
  readonly tree: WorkingTree | undefined;
  /** Which words stand for which, the person's own included. */
  readonly vocabulary: Vocabulary;
  readonly clock: Clock;
  /** The logs of the person's days, where there are any. */
  readonly logs?: WorkspaceLogs | undefined;
  /** The same, to be added to. @throws MemoryError `refused` where the user's scope is off or only read, `invalid-input` where there is none. */
  readonly openLogs?: () => WorkspaceLogs;
  /** Where capture puts what a session says: into notes (the default), or into the log of the day. */
  readonly captureTo?: "notes" | "log";
  readonly recallLog: KeptRecallLog;
  /** Proposals of this project that wait for a person. */
  readonly review: ReviewQueue;
  readonly codec: FrontmatterCodec;
  readonly secrets: SecretScanner;
  /** What the instruction files of the project say at the start of a session; read when first needed. */
  readonly instructions?: () => Promise<string>;
  /** Loaded when first needed: reading never pays for it. */
  readonly dates: () => Promise<DateResolver>;
  /** A unified diff of two texts, for people. */
  readonly lineDiff: (before: string, after: string) => string;
}

export interface NoteRef {
  readonly scoped: ScopedStore;
  readonly file: string;
}

export type Found =
  | { readonly found: true; readonly ref: NoteRef }
  /** `near`: notes whose names resemble the reference; several when it was ambiguous. */
  | { readonly found: false; readonly ambiguous: boolean; readonly near: readonly string[] };

/** How a note is named where several scopes are in force: `feedback_x.md`, `user:role.md`. */
export function shownRef(workspace: Workspace, ref: NoteRef): string {
  return ref.scoped.scope === workspace.scopes[0] ? ref.file : `${ref.scoped.scope}:${ref.file}`;
}

/** Finds a note by file, by file without `.md`, by its name, each with or without a scope (`user:role`). */
export function findNote(workspace: Workspace, reference: string): Found {
  const { scope, rest } = splitScope(reference);
  const wanted = rest.replace(/^\.\//u, "");
  const stores = workspace.stores.filter((scoped) => scope === undefined || scoped.scope === scope);
  const all = stores.flatMap((scoped) => scoped.store.index.entries().map((entry) => ({ scoped, entry })));
  const tests: readonly ((entry: IndexEntry) => boolean)[] = [
    ({ file }) => file === wanted || file === `${wanted}.md`,
    ({ name }) => name === wanted,
    ({ file, name }) =>
      folded(file) === folded(`${wanted}.md`) ||
      folded(baseName(file)) === folded(wanted) ||
      folded(name) === folded(wanted),
  ];
  for (const test of tests) {
    const hits = all.filter(({ entry }) => test(entry));
    const [hit, ...others] = hits;
    if (hit !== undefined && others.length === 0)
      return { found: true, ref: { scoped: hit.scoped, file: hit.entry.file } };
    if (hit !== undefined)
      return {
        found: false,
        ambiguous: true,
        near: hits.map(({ scoped, entry }) => shownRef(workspace, { scoped, file: entry.file })),
      };
  }
  const resembling = nearEntries(
    all.map(({ entry }) => entry),
    folded(wanted.replace(/\.md$/u, "")),
  );
  return {
    found: false,
    ambiguous: false,
    near: all
      .filter(({ entry }) => resembling.has(entry))
      .slice(0, 5)
      .map(({ scoped, entry }) => shownRef(workspace, { scoped, file: entry.file })),
  };
}

/** Notes whose names hold what was typed; where there is none, those that are a slip of the pen away from it. */
function nearEntries(entries: readonly IndexEntry[], wanted: string): ReadonlySet<IndexEntry> {
  const namesOf = ({ file, name }: IndexEntry): readonly string[] => {
    const base = folded(file.replace(/\.md$/u, ""));
    return [folded(name), base, base.replace(TYPE_BEFORE, "")];
  };
  const holding = entries.filter((entry) => namesOf(entry).some((name) => holds(name, wanted)));
  if (holding.length > 0) return new Set(holding);
  return new Set(entries.filter((entry) => near(wanted, namesOf(entry)).length > 0));
}

const TYPE_BEFORE = new RegExp(`^(?:${NOTE_TYPES.join("|")})-`, "u");

/** A short word of letters is in too many names by chance: it counts only where it is a word of the name. */
function holds(name: string, wanted: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(wanted)) return false;
  return /^[a-z\d-]{1,3}$/u.test(wanted) ? `-${name}-`.includes(`-${wanted}-`) : name.includes(wanted);
}

function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "-");
}

/** Live notes of every scope, the project's first. */
export function liveEntries(workspace: Workspace): { readonly scoped: ScopedStore; readonly entry: IndexEntry }[] {
  return workspace.stores.flatMap((scoped) =>
    scoped.store.index
      .entries()
      .filter(({ supersededBy }) => supersededBy === undefined)
      .map((entry) => ({ scoped, entry })),
  );
}
