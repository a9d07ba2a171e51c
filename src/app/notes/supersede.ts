import type { IndexEntry } from "../../core/notes/note-index.ts";
import { isUtf8, parseNote, shownNote } from "../../core/notes/parse-note.ts";
import type { StoreChange } from "../../core/notes/store.ts";
import { setFields } from "../../core/notes/frontmatter.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { lineageBefore, pageBefore, transferOf } from "../../core/notes/history.ts";
import { type NoteRef, type ScopedStore, shownRef, type Workspace } from "../workspace/workspace.ts";

/**
 * The change that retires a note: the file stays, with the end of its validity, but leaves recall and the index. Empty
 * if the note must not be rewritten.
 */
export function retireChange(
  workspace: Workspace,
  scoped: ScopedStore,
  file: string,
  by: string,
  now: string,
): StoreChange[] {
  const base = scoped.store.read(file);
  if (base === undefined) return [];
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const note = parseNote(file, base, workspace.codec);
  if (
    note.pinned ||
    note.problems.some(
      ({ code }) => code === "malformed-frontmatter" || code === "unclosed-frontmatter" || code === "invalid-utf8",
    )
  )
    return [];
  const content = setFields(
    text,
    [
      [["metadata", "supersededBy"], by],
      [["metadata", "validTo"], now],
    ],
    workspace.codec,
  );
  return [{ kind: "write", file, base, content }];
}

/**
 * Retires `old` in favour of `by`: the old note keeps its text and gets an end date, the new one a start date if it has
 * none. One version, so one undo.
 * @throws MemoryError if one cannot supersede the other.
 */
export function supersede(
  workspace: Workspace,
  old: NoteRef,
  by: NoteRef,
  reason = `${by.file} supersedes ${old.file}`,
): void {
  const { scoped } = old;
  if (scoped.scope !== by.scoped.scope)
    throw new MemoryError(
      "invalid-input",
      `${shownRef(workspace, old)} and ${shownRef(workspace, by)} are of two scopes; move one first: \`memdir mv ${old.file} ${by.scoped.scope}\``,
    );
  if (old.file === by.file) throw new MemoryError("invalid-input", `${old.file} cannot supersede itself`);
  const heir = scoped.store.index.entry(by.file);
  if (heir?.supersededBy !== undefined)
    throw new MemoryError(
      "conflict",
      `${by.file} was itself superseded by ${heir.supersededBy}; restore it first, or name ${heir.supersededBy}`,
    );
  const before = scoped.store.index.entry(old.file);
  if (before?.supersededBy !== undefined)
    throw new MemoryError("conflict", `${old.file} is superseded by ${before.supersededBy} already`);
  if (before?.pinned === true)
    throw new MemoryError(
      "refused",
      `${old.file} is pinned, so it is never retired; \`memdir pin ${old.file} --off\` first`,
    );
  const now = new Date(workspace.clock.now()).toISOString();
  const retired = retireChange(workspace, scoped, old.file, by.file, now);
  if (retired.length === 0)
    throw new MemoryError(
      "refused",
      `${old.file} cannot be rewritten safely; \`memdir doctor\` says what is wrong with it`,
    );
  commitOrThrow(scoped, [...retired, ...beginning(workspace, by, now)], reason);
}

/** The new fact is valid from now on, unless the note has a start date. */
function beginning(workspace: Workspace, { scoped, file }: NoteRef, now: string): StoreChange[] {
  const base = scoped.store.read(file);
  if (base === undefined || !isUtf8(base) || parseNote(file, base, workspace.codec).validFrom !== undefined) return [];
  return [
    {
      kind: "write",
      file,
      base,
      content: setFields(decode(base), [[["metadata", "validFrom"], now]], workspace.codec),
    },
  ];
}

/** One fact of a chain, with its period of validity (ISO); without an end it is valid today. */
export interface ChainLink {
  readonly file: string;
  readonly description: string;
  readonly validFrom: string | undefined;
  readonly validTo: string | undefined;
  readonly supersededBy: string | undefined;
}

/** Everything that a note superseded or was superseded by, oldest first; only the note itself if nothing. */
export function chainOf(workspace: Workspace, { scoped, file }: NoteRef): readonly ChainLink[] {
  const entries = scoped.store.index.entries();
  const successorOf = new Map(
    entries.flatMap((entry) =>
      entry.supersededBy === undefined ? [] : [[entry.file, resolve(entries, entry.supersededBy)] as const],
    ),
  );
  const members = new Set([file]);
  for (let grown = true; grown;) {
    const size = members.size;
    for (const [from, to] of successorOf)
      if (to !== undefined && (members.has(from) || members.has(to))) members.add(from).add(to);
    grown = members.size > size;
  }
  const links = [...members].flatMap((one) => linkOf(workspace, scoped, one));
  return links.toSorted((a, b) => endOf(a) - endOf(b) || (a.file < b.file ? -1 : 1));
}

/** What took the place of a note; its own successors lead to `inForce`. */
export interface Succession {
  readonly by: string;
  /** ISO; `undefined` if it is not known. */
  readonly since: string | undefined;
  /** The note that holds now, if it is there. */
  readonly inForce: Pick<ChainLink, "file" | "description"> | undefined;
}

/** By what a note was superseded, and what holds now; `undefined` if it was not. */
export function successionOf(workspace: Workspace, { scoped, file }: NoteRef): Succession | undefined {
  const entries = scoped.store.index.entries();
  const [note] = linkOf(workspace, scoped, file);
  if (note?.supersededBy === undefined) return undefined;
  let inForce = resolve(entries, note.supersededBy);
  for (const passed = new Set([file]); inForce !== undefined && !passed.has(inForce);) {
    passed.add(inForce);
    const next = scoped.store.index.entry(inForce)?.supersededBy;
    if (next === undefined) break;
    inForce = resolve(entries, next);
  }
  const [holds] = inForce === undefined || inForce === file ? [] : linkOf(workspace, scoped, inForce);
  return { by: resolve(entries, note.supersededBy) ?? note.supersededBy, since: note.validTo, inForce: holds };
}

function endOf({ validTo }: ChainLink): number {
  return validTo === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(validTo);
}

/** A note names its successor by file, or by the file without its extension. */
function resolve(entries: readonly IndexEntry[], by: string): string | undefined {
  return entries.find(({ file, name }) => file === by || file === `${by}.md` || name === by)?.file;
}

function linkOf(workspace: Workspace, { store }: ScopedStore, file: string): ChainLink[] {
  const bytes = store.read(file);
  if (bytes === undefined) return [];
  const { description, validFrom, modified, validTo, supersededBy } = shownNote(
    parseNote(file, bytes, workspace.codec),
  );
  return [{ file, description, validFrom: validFrom ?? modified, validTo, supersededBy }];
}

/** How long a removed note can be restored (days). */
const RESTORE_DAYS = 30;

export type Restored =
  | { readonly outcome: "in-force"; readonly file: string; readonly was: "superseded" | "retired" | "removed" }
  | { readonly outcome: "unchanged"; readonly file: string };

/** Restores a superseded, retired or, within 30 days, removed note. @throws MemoryError `not-found`, `conflict`. */
export function restore(workspace: Workspace, { scoped, file }: NoteRef): Restored {
  const base = scoped.store.read(file);
  if (base === undefined) return bringBack(workspace, scoped, file);
  const note = parseNote(file, base, workspace.codec);
  if (note.supersededBy === undefined && note.validTo === undefined) return { outcome: "unchanged", file };
  const content = setFields(
    decode(base),
    [
      [["metadata", "supersededBy"], undefined],
      [["metadata", "validTo"], undefined],
    ],
    workspace.codec,
  );
  const history = scoped.store.history();
  const retired = history.versions(file)[0];
  commitOrThrow(
    scoped,
    [{ kind: "write", file, base, content }],
    `restored ${file}`,
    retired && pageBefore(history, retired.seq),
  );
  const heir = note.supersededBy === undefined ? undefined : resolve(scoped.store.index.entries(), note.supersededBy);
  return { outcome: "in-force", file, was: heir === undefined ? "retired" : "superseded" };
}

function bringBack(workspace: Workspace, scoped: ScopedStore, file: string): Restored {
  const history = scoped.store.history();
  const gone = history
    .versions(file)
    .find(({ files }) => files.some((change) => change.file === file && change.kind === "deleted"));
  const content = gone === undefined ? undefined : history.contentAt(gone.seq - 1, file);
  if (gone === undefined || content === undefined)
    throw new MemoryError("not-found", `nothing is known of ${file}; it was never here, or it was forgotten`);
  if (transferOf(gone.reason) !== undefined)
    throw new MemoryError(
      "conflict",
      `${file} was not removed but ${gone.reason.replace(/ \(transfer .*$/u, "")}; \`memdir undo ${scoped.scope}:${gone.id}\` moves it back`,
    );
  if (workspace.clock.now() - Date.parse(gone.time) > RESTORE_DAYS * 86_400_000)
    throw new MemoryError(
      "not-found",
      `${file} was removed more than ${RESTORE_DAYS} days ago; read it with \`memdir show ${file} --version ${String(gone.seq - 1)}\` and save what you need`,
    );
  commitOrThrow(
    scoped,
    [{ kind: "create", file, content, ...lineageBefore(history, gone.seq, file) }],
    `restored ${file}`,
    pageBefore(history, gone.seq),
  );
  return { outcome: "in-force", file, was: "removed" };
}

export function commitOrThrow(
  scoped: ScopedStore,
  changes: readonly StoreChange[],
  reason: string,
  indexBefore?: Uint8Array,
): void {
  const result = scoped.store.commit(changes, { actor: "user", reason, indexBefore });
  if (!result.ok)
    throw new MemoryError(
      "conflict",
      `${result.outcomes.map(({ file }) => file).join(", ")} changed meanwhile; nothing was written, try again`,
    );
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
