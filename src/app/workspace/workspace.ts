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

export interface ScopedStore {
  readonly scope: Scope;
  readonly store: NoteStore;
}

export interface WorkspaceLogs extends RecalledLogs {
  readonly store: DailyLogs;
}

/** The parts that memdir's operations use, put together by the application. */
export interface Workspace {
  /** Stores that exist and are not off, the project's own first; one per scope. */
  readonly stores: readonly ScopedStore[];
  /** Scopes that a note can be written to here. */
  readonly scopes: readonly Scope[];
  /** The store of a scope, created if needed; `undefined` if not in force. @throws MemoryError `refused` if off. */
  readonly open: (scope: Scope) => ScopedStore | undefined;
  /** The same. @throws MemoryError that says why the scope is not in force and what puts it in force. */
  readonly require: (scope: Scope) => ScopedStore;
  /** The most permissive mode of all scopes. `off` means that every scope is off. */
  readonly mode: Mode;
  readonly modes: ScopeModes;
  /** The files that the project's notes refer to; `undefined` without a working tree. */
  readonly tree: WorkingTree | undefined;
  /** Related words, including the user's own. */
  readonly vocabulary: Vocabulary;
  readonly clock: Clock;
  /** The user's daily logs, if there are any. */
  readonly logs?: WorkspaceLogs | undefined;
  /** The logs for writing. @throws MemoryError `refused` by the user scope's mode, `invalid-input` without a scope. */
  readonly openLogs?: () => WorkspaceLogs;
  /** Where capture writes what a session says: into notes (the default) or into the daily log. */
  readonly captureTo?: "notes" | "log";
  readonly recallLog: KeptRecallLog;
  /** Proposals of this project that wait for the user. */
  readonly review: ReviewQueue;
  readonly codec: FrontmatterCodec;
  readonly secrets: SecretScanner;
  /** The text of the project's instruction files at the start of a session; read when first needed. */
  readonly instructions?: () => Promise<string>;
  /** Loaded when first needed, so that reading does not pay for it. */
  readonly dates: () => Promise<DateResolver>;
  /** A unified diff of two texts, for display. */
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

/** A note's name when several scopes are in force: `feedback_x.md`, `user:role.md`. */
export function shownRef(workspace: Workspace, ref: NoteRef): string {
  return ref.scoped.scope === workspace.scopes[0] ? ref.file : `${ref.scoped.scope}:${ref.file}`;
}

/** Finds a note by file, by file without `.md`, or by name, each with or without a scope (`user:role`). */
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

/** Notes whose names contain what was typed; if there are none, those that differ by a typo. */
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

/** A short word occurs in many names by chance, so it counts only as a whole word of the name. */
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
