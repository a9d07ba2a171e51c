import type { History, Version } from "../notes/history.ts";
import type { ChangeOutcome, StoreChange } from "../notes/store.ts";
import { MemoryError } from "../shared/errors.ts";
import { sha256 } from "../shared/hash.ts";
import type { NoteRef, ScopedStore, Workspace } from "./workspace.ts";

/** Undo reaches back this far (days); older versions stay readable with `show --as-of`. */
const UNDO_DAYS = 30;

/** Newest first: of one note, or of a whole store. */
export function versionsOf(scoped: ScopedStore, file?: string): readonly Version[] {
  return scoped.store.history().versions(file);
}

/** What a version changed, as a unified diff per file. */
export function diffOf(workspace: Workspace, scoped: ScopedStore, version: Version, file?: string): string {
  const history = scoped.store.history();
  return version.files
    .filter((change) => file === undefined || change.file === file)
    .map((change) => {
      const before = contentBefore(history, version.seq, change.file);
      const after = history.contentAt(version.seq, change.file);
      return `--- ${before === undefined ? "(none)" : change.file}\n+++ ${after === undefined ? "(none)" : change.file}\n${workspace.lineDiff(text(before), text(after))}`;
    })
    .join("\n");
}

/** The version in force at the end of a moment; `undefined` when the store has none that old. */
export function versionAsOf(scoped: ScopedStore, ms: number): Version | undefined {
  return versionsOf(scoped).find(({ time }) => Date.parse(time) <= ms);
}

export type UndoResult =
  | { readonly outcome: "undone"; readonly version: Version; readonly changes: readonly ChangeOutcome[] }
  | { readonly outcome: "nothing"; readonly message: string }
  /** A note was changed again since; undoing would take newer words away. */
  | { readonly outcome: "conflict"; readonly version: Version; readonly files: readonly string[] };

/** How a person names a version where several scopes count their own: `12`, `user:12`. */
export function versionRef({ scope }: Pick<ScopedStore, "scope">, { id }: Pick<Version, "id">): string {
  return scope === "project" ? id : `${scope}:${id}`;
}

/** The version that an undo takes back: the last one of a note or store, or the one named by `id`. */
export function versionToUndo(scoped: ScopedStore, file: string | undefined, id?: string): Version | undefined {
  const candidates = scoped.store.history().versions(file);
  return id === undefined ? candidates.find((one) => isOwn(one, file)) : candidates.find((one) => one.id === id);
}

/**
 * The version to take back when several steps are: the last that no undo has taken back already. What others wrote
 * is not a step.
 */
export function nextStep(scoped: ScopedStore, file: string | undefined): Version | undefined {
  const standing: Version[] = [];
  const undone = new Map<string, Version>();
  for (const version of scoped.store.history().versions(file).toReversed()) {
    const id = /^undid version (\d+)/u.exec(version.reason)?.[1];
    const transfer = /^moved back \(([0-9a-f]{8})\)/u.exec(version.reason)?.[1];
    const at = standing.findLastIndex((one) => (id !== undefined && one.id === id) || (transfer !== undefined && one.reason.endsWith(`(transfer ${transfer})`)));
    const [taken] = at === -1 ? [] : standing.splice(at, 1);
    const again = id === undefined ? undefined : undone.get(id);
    if (taken !== undefined) undone.set(version.id, taken);
    else if (again !== undefined) standing.push(again); // an undo that was undone
    else if (isOwn(version, file)) standing.push(version);
  }
  return standing.at(-1);
}

/** Takes back a version: the last one of a note or store, or the one named by `id`. */
export function undo(workspace: Workspace, scoped: ScopedStore, file: string | undefined, id?: string): UndoResult {
  const history = scoped.store.history();
  const version = versionToUndo(scoped, file, id);
  if (version === undefined) return { outcome: "nothing", message: id === undefined ? "there is no change to undo" : `there is no version ${id}; see \`memdir history\`` };
  if (workspace.clock.now() - Date.parse(version.time) > UNDO_DAYS * 86_400_000) return { outcome: "nothing", message: `version ${version.id} is older than ${UNDO_DAYS} days; read it with \`memdir show NOTE --version ${version.id}\` and save what you need` };
  return takeBack(scoped, history, version, file);
}

/** Without being asked for by id, a file that somebody else made is never taken away. */
function isOwn({ actor, files }: Version, file: string | undefined): boolean {
  const notes = files.filter((change) => change.file !== "MEMORY.md" && (file === undefined || change.file === file));
  if (notes.length === 0) return false;
  return actor !== "external" || (file !== undefined && notes.every(({ kind }) => kind !== "added"));
}

function takeBack(scoped: ScopedStore, history: History, version: Version, file: string | undefined): UndoResult {
  const blocked: string[] = [];
  const changes: StoreChange[] = [];
  for (const change of version.files) {
    if (change.file === "MEMORY.md" || (file !== undefined && change.file !== file)) continue;
    const wanted = takeBackFile(scoped, history, version.seq, change.file);
    if (wanted === "blocked") blocked.push(change.file);
    else if (wanted !== undefined) changes.push(wanted);
  }
  if (blocked.length > 0) return { outcome: "conflict", version, files: blocked };
  if (changes.length === 0) return { outcome: "nothing", message: `version ${version.id} is undone already` };
  const result = scoped.store.commit(changes, { actor: "undo", reason: `undid version ${version.id}` });
  if (!result.ok) return { outcome: "conflict", version, files: result.outcomes.filter(({ outcome }) => outcome === "exists" || outcome === "gone" || outcome === "changed").map((one) => one.file) };
  return { outcome: "undone", version, changes: result.outcomes };
}

function takeBackFile(scoped: ScopedStore, history: History, seq: number, file: string): StoreChange | "blocked" | undefined {
  const before = contentBefore(history, seq, file);
  const after = history.contentAt(seq, file);
  const current = scoped.store.read(file);
  if (current === undefined) {
    if (before === undefined) return undefined;
    return after === undefined ? { kind: "create", file, content: before } : "blocked";
  }
  if (after === undefined) return "blocked"; // deleted then, there again now
  if (before === undefined) return isSame(current, after) ? { kind: "delete", file, base: current } : "blocked";
  if (isSame(current, before)) return undefined;
  // From `after` back to `before`; what was changed elsewhere in the file since is merged, not lost.
  return { kind: "write", file, base: after, content: before };
}

function contentBefore(history: History, seq: number, file: string): Uint8Array | undefined {
  return seq <= 1 ? undefined : history.contentAt(seq - 1, file);
}

/** Content of a note as of a version. @throws MemoryError `not-found` when it did not exist then. */
export function contentOf(ref: NoteRef, seq: number): Uint8Array {
  const content = ref.scoped.store.history().contentAt(seq, ref.file);
  if (content === undefined) throw new MemoryError("not-found", `${ref.file} did not exist in version ${seq}`);
  return content;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return sha256(one) === sha256(other);
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
