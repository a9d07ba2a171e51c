import { type History, lineageBefore, pageBefore, transferOf, type Version } from "../../core/notes/history.ts";
import type { ChangeOutcome, StoreChange } from "../../core/notes/store.ts";
import { shownText } from "../../core/notes/parse-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { NoteRef, ScopedStore, Workspace } from "../workspace/workspace.ts";

/** A file name that a note had from one version on. */
interface PastName {
  readonly file: string;
  readonly from: number;
  /** The last version with this name. */
  readonly through: number;
}

/**
 * The names of a note, the present one first. It was renamed if its old file disappeared in the version in which a file
 * with the same text appeared.
 */
export function pastNames(history: History, file: string): readonly PastName[] {
  const names: PastName[] = [];
  let through = Number.POSITIVE_INFINITY;
  for (let name = file; ;) {
    const came = history
      .versions(name)
      .find(
        ({ seq, files }) => seq <= through && files.some((change) => change.file === name && change.kind === "added"),
      );
    const before = came && renamedFrom(history, came, name);
    if (came === undefined || before === undefined) return [...names, { file: name, from: 0, through }];
    names.push({ file: name, from: came.seq, through });
    through = came.seq - 1;
    name = before;
  }
}

function renamedFrom(history: History, { seq, files, actor }: Version, file: string): string | undefined {
  if (actor !== "external") return undefined;
  const gone = files.filter(({ kind }) => kind === "deleted");
  if (gone.length === 0) return undefined;
  const content = history.contentAt(seq, file);
  const hash = content && sha256(content);
  return gone.find((change) => {
    const earlier = history.contentAt(seq - 1, change.file);
    return earlier !== undefined && sha256(earlier) === hash;
  })?.file;
}

/** The note's name in a version; before its first one, the oldest. */
export function nameAt(names: readonly PastName[], seq: number): string {
  return names.find(({ from }) => seq >= from)?.file ?? "";
}

/** Versions of a note under all its names, newest first. */
export function versionsUnder(history: History, file: string): readonly Version[] {
  return pastNames(history, file).flatMap(({ file: name, from, through }) =>
    history.versions(name).filter(({ seq }) => seq >= from && seq <= through),
  );
}

/** How far back undo reaches (days); older versions stay readable with `show --as-of`. */
const UNDO_DAYS = 30;

/** Versions of one note or of a whole store, newest first. */
export function versionsOf(scoped: ScopedStore, file?: string): readonly Version[] {
  const history = scoped.store.history();
  return file === undefined ? history.versions() : versionsUnder(history, file);
}

/** Whether all notes of a version were forgotten: nothing else is left of it. */
export function isForgotten({ reason, files }: Pick<Version, "reason" | "files">): boolean {
  return files.length === 0 && reason === "forgotten";
}

/** The changes of a version, as a unified diff per file, without secrets. */
export function diffOf(workspace: Workspace, scoped: ScopedStore, version: Version, file?: string): string {
  const history = scoped.store.history();
  const name = file === undefined ? undefined : nameAt(pastNames(history, file), version.seq);
  return version.files
    .filter((change) => name === undefined || change.file === name)
    .map((change) => {
      const before = history.contentAt(version.seq - 1, change.file);
      const after = history.contentAt(version.seq, change.file);
      return `--- ${before === undefined ? "(none)" : change.file}\n+++ ${after === undefined ? "(none)" : change.file}\n${workspace.lineDiff(text(before), text(after))}`;
    })
    .join("\n");
}

/** The version in force at a time; `undefined` if the store has none that old. */
export function versionAsOf(scoped: ScopedStore, ms: number): Version | undefined {
  return versionsOf(scoped).find(({ time }) => Date.parse(time) <= ms);
}

export type UndoResult =
  | { readonly outcome: "undone"; readonly version: Version; readonly changes: readonly ChangeOutcome[] }
  | { readonly outcome: "nothing"; readonly message: string }
  /** A note has changed again since; undoing would remove newer text. */
  | { readonly outcome: "conflict"; readonly version: Version; readonly files: readonly string[] };

/** A version's reference for the user; scopes count separately: `12`, `user:12`. */
export function versionRef({ scope }: Pick<ScopedStore, "scope">, { id }: Pick<Version, "id">): string {
  return scope === "project" ? id : `${scope}:${id}`;
}

/** The version that an undo reverts: the last one of a note or store, or the one with this `id`. */
export function versionToUndo(scoped: ScopedStore, file: string | undefined, id?: string): Version | undefined {
  const names = file === undefined ? undefined : pastNames(scoped.store.history(), file);
  const candidates = versionsOf(scoped, file);
  return id === undefined
    ? candidates.find((one) => isOwn(one, names && nameAt(names, one.seq)))
    : candidates.find((one) => one.id === id);
}

/** Whether a version is recent enough to be undone. */
export function isInReach({ clock }: Pick<Workspace, "clock">, { time }: Pick<Version, "time">): boolean {
  return clock.now() - Date.parse(time) <= UNDO_DAYS * 86_400_000;
}

/** Undoes a version: the last one of a note or store, or the one with this `id`. */
export function undo(workspace: Workspace, scoped: ScopedStore, file: string | undefined, id?: string): UndoResult {
  const history = scoped.store.history();
  const version = versionToUndo(scoped, file, id);
  if (version === undefined)
    return {
      outcome: "nothing",
      message: id === undefined ? "there is no change to undo" : `there is no version ${id}; see \`memdir history\``,
    };
  if (!isInReach(workspace, version))
    return {
      outcome: "nothing",
      message: `version ${version.id} is older than ${UNDO_DAYS} days; read it with \`memdir show NOTE --version ${version.id}\` and save what you need`,
    };
  return takeBack(scoped, history, version, broughtWith(scoped, version, file) ? undefined : file);
}

/** Whether the version added this note and retired older ones: then they are undone together. */
function broughtWith(scoped: ScopedStore, version: Version, file: string | undefined): boolean {
  if (file === undefined) return false;
  const undone = undoneBy(version);
  if (undone !== undefined) {
    const before = versionsOf(scoped).find(({ id }) => id === undone);
    return before !== undefined && broughtWith(scoped, before, file);
  }
  const isBrought = version.files.some((change) => change.file === file && change.kind === "added");
  return isBrought && /^superseded (?:a note|\d+ notes)$/u.test(version.reason);
}

/** The version that an undo reverted; `undefined` for other versions. */
export function undoneBy({ reason }: Pick<Version, "reason">): string | undefined {
  return /^undid version (\d+)/u.exec(reason)?.[1];
}

/** Ids of versions that are undone and were not redone. */
export function takenBack(scoped: ScopedStore): ReadonlySet<string> {
  const taken = new Set<string>();
  const undos = new Map<string, string>();
  for (const version of versionsOf(scoped).toReversed()) {
    const undone = undoneBy(version);
    if (undone === undefined) continue;
    const origin = undos.get(undone) ?? undone;
    if (!taken.delete(origin)) taken.add(origin);
    undos.set(version.id, origin);
  }
  return taken;
}

/** What undoing a version means to the user: undoing an undo is a redo. */
export interface Undoing {
  readonly again: boolean;
  /** What the original version did. */
  readonly what: string;
}

export function undoingOf(versions: readonly Version[], version: Version): Undoing {
  const { origin, steps } = traceUndos(versions, version);
  return { again: steps % 2 === 1, what: origin.reason };
}

/** The change at the end of a chain of undos and redos. */
export function originOf(versions: readonly Version[], version: Version): Version {
  return traceUndos(versions, version).origin;
}

function traceUndos(versions: readonly Version[], version: Version): { origin: Version; steps: number } {
  let origin = version;
  for (let steps = 0; ; steps++) {
    const undone = undoneBy(origin);
    const before = undone === undefined ? undefined : versions.find(({ id }) => id === undone);
    if (before === undefined) return { origin, steps };
    origin = before;
  }
}

/** What a version did, in words: an undo says what it undid or redid. */
export function toldReason(versions: readonly Version[], version: Version): string {
  const { again, what } = undoingOf(versions, version);
  if (what === version.reason) return what;
  return again ? `took back: ${what}` : `did again: ${what}`;
}

/** A file that another program created is removed only if its version is named by id. */
function isOwn({ actor, files }: Version, file: string | undefined): boolean {
  const notes = files.filter((change) => change.file !== "MEMORY.md" && (file === undefined || change.file === file));
  if (notes.length === 0) return false;
  // A sync from another device is not a step here; it can be undone if named by its note or its number.
  if (actor === "sync") return file !== undefined;
  return actor !== "external" || (file !== undefined && notes.every(({ kind }) => kind !== "added"));
}

function takeBack(scoped: ScopedStore, history: History, version: Version, file: string | undefined): UndoResult {
  const blocked: string[] = [];
  const changes: StoreChange[] = [];
  const name = file === undefined ? undefined : nameAt(pastNames(history, file), version.seq);
  for (const change of version.files) {
    if (change.file === "MEMORY.md" || (name !== undefined && change.file !== name)) continue;
    const wanted = takeBackFile(scoped, history, version.seq, change.file, file ?? change.file);
    if (wanted === "blocked") blocked.push(change.file);
    else if (wanted !== undefined) changes.push(wanted);
  }
  if (blocked.length > 0) return { outcome: "conflict", version, files: blocked };
  if (changes.length === 0) return { outcome: "nothing", message: `version ${version.id} is undone already` };
  const result = scoped.store.commit(changes, {
    actor: "undo",
    reason: `undid version ${version.id}`,
    indexBefore: pageBefore(history, version.seq),
  });
  if (!result.ok)
    return {
      outcome: "conflict",
      version,
      files: result.outcomes
        .filter(({ outcome }) => outcome === "exists" || outcome === "gone" || outcome === "changed")
        .map((one) => one.file),
    };
  return { outcome: "undone", version, changes: result.outcomes };
}

function takeBackFile(
  scoped: ScopedStore,
  history: History,
  seq: number,
  name: string,
  file: string,
): StoreChange | "blocked" | undefined {
  const before = history.contentAt(seq - 1, name);
  const after = history.contentAt(seq, name);
  const current = scoped.store.read(file);
  const lineage = lineageBefore(history, seq, file);
  if (current === undefined) {
    if (before === undefined) return undefined;
    return after === undefined ? { kind: "create", file, content: before, ...lineage } : "blocked";
  }
  if (after === undefined) return "blocked"; // deleted in that version, but exists again
  if (before === undefined) return isSame(current, after) ? { kind: "delete", file, base: current } : "blocked";
  if (isSame(current, before)) return undefined;
  // From `after` back to `before`; later changes elsewhere in the file are merged, not lost.
  return { kind: "write", file, base: after, content: before, ...lineage };
}

/** The content of a note as of a version. @throws MemoryError `not-found` if it did not exist then. */
export function contentOf(ref: NoteRef, seq: number): Uint8Array {
  const history = ref.scoped.store.history();
  const content = history.contentAt(seq, nameAt(pastNames(history, ref.file), seq));
  if (content === undefined) throw new MemoryError("not-found", `${ref.file} did not exist in version ${seq}`);
  return content;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return sha256(one) === sha256(other);
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : shownText(bytes);
}

/** The versions in force and those undone, as undo and redo count them. Changes by other programs are not steps. */
interface Steps {
  /** Changes that are not undone, oldest first. */
  readonly standing: readonly Version[];
  /** Undos that no other change followed, oldest first, each with the version it undid. */
  readonly undone: readonly { readonly by: Version; readonly version: Version }[];
}

function stepsOf(scoped: ScopedStore, file: string | undefined): Steps {
  const standing: Version[] = [];
  const taken = new Map<string, Version>();
  const redone = new Map<string, Version>();
  let undone: { by: Version; version: Version }[] = [];
  const names = file === undefined ? undefined : pastNames(scoped.store.history(), file);
  for (const version of versionsOf(scoped, file).toReversed()) {
    const id = undoneBy(version);
    const transfer = /^moved back \(([0-9a-f]{8})\)/u.exec(version.reason)?.[1];
    // Undoing a redo undoes what that brought back.
    const target = id === undefined ? undefined : (redone.get(id)?.id ?? id);
    const at = standing.findLastIndex(
      (one) => one.id === target || (transfer !== undefined && transferOf(one.reason) === transfer),
    );
    const [gone] = at === -1 ? [] : standing.splice(at, 1);
    const again = id === undefined ? undefined : taken.get(id);
    if (gone !== undefined) {
      taken.set(version.id, gone);
      undone.push({ by: version, version: gone });
    } else if (again !== undefined) {
      standing.push(again); // an undo was undone
      redone.set(version.id, again);
      undone = undone.filter(({ by }) => by.id !== id);
    } else if (isOwn(version, names && nameAt(names, version.seq))) {
      standing.push(version);
      undone = [];
    }
  }
  return { standing, undone };
}

/** The version to undo next when undoing several steps: the last that is not yet undone. */
export function nextStep(scoped: ScopedStore, file: string | undefined): Version | undefined {
  return stepsOf(scoped, file).standing.at(-1);
}

/** The undo to revert in order to redo its version; `undefined` if something else changed since. */
export function lastUndo(scoped: ScopedStore, file: string | undefined): Steps["undone"][number] | undefined {
  return stepsOf(scoped, file).undone.at(-1);
}
