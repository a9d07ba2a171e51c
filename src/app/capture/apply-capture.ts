import { isOfThisProject } from "../../core/notes/types/infer-type.ts";
import type { CaptureOperation } from "../../core/capture/plan.ts";
import type { Evidence, NoteDraft, Scope } from "../../core/notes/note.ts";
import type { Headroom } from "../../core/notes/store.ts";
import { isUtf8 } from "../../core/notes/parse-note.ts";
import { setFields, replaceBody } from "../../core/notes/frontmatter.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { createNote, typedLikeRival } from "../notes/remember.ts";
import { retireChange } from "../notes/supersede.ts";
import { type Comparing, comparing, type RivalNote, type Rivals } from "../notes/rivals.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";

export interface CapturedNote {
  readonly kind: CaptureOperation["kind"];
  /** `undefined` in a dry run, or when the note changed in the meantime and so was left alone. */
  readonly file: string | undefined;
  readonly scoped: ScopedStore;
  readonly type: NoteDraft["type"] | undefined;
  readonly name: string;
  readonly description: string;
  readonly text: string;
  readonly evidence: Evidence;
  /** The note that this one retired. */
  readonly superseded: string | undefined;
}

export interface Applied {
  readonly note: CapturedNote;
  readonly headroom: Headroom | undefined;
}

export interface ApplyOptions {
  readonly actor: string;
  readonly dryRun: boolean;
  readonly session: string;
  /** The hash that a note to be revised must still have. */
  readonly expected?: string;
}

/** Carries out one operation through the store's commit. `actor` is the one that wanted it (`rules`, `model`). */
export function applyOperation(workspace: Workspace, given: CaptureOperation, options: ApplyOptions): Applied {
  if (given.kind === "retire") return retire(workspace, scopeFor(workspace, given), given, options);
  const compared = comparing(workspace, given.draft.body);
  const operation = options.actor === "rules" ? retyped(workspace, given, compared) : given;
  const { draft } = operation;
  const scoped = scopeFor(workspace, operation);
  const evidence = draft.evidence ?? { session: options.session, message: "" };
  const meant = operation.kind === "supersede" ? localFile(operation.file, scoped) : undefined;
  const said = {
    kind: operation.kind,
    scoped,
    type: draft.type,
    name: draft.name,
    description: draft.description,
    text: draft.body,
    evidence,
  };
  if (operation.kind === "revise") {
    const file = localFile(operation.file, scoped) ?? "";
    const headroom = options.dryRun ? undefined : rewrite(workspace, scoped, file, draft, options);
    return { note: { ...said, file: headroom === undefined ? undefined : file, superseded: undefined }, headroom };
  }
  const rivals = withSuperseded(compared.rivalsIn(scoped, draft), meant);
  if (options.dryRun)
    return { note: { ...said, file: undefined, superseded: namesOf(rivals.superseded) }, headroom: undefined };
  const created = createNote(workspace, scoped, { ...draft, source: options.actor }, options.actor, rivals);
  return {
    note: { ...said, file: created.ref.file, superseded: namesOf(created.superseded) ?? meant },
    headroom: created.headroom,
  };
}

/** Rules guess the type by the form of the words. The scope stays: its mode has let the operation through. */
function retyped(workspace: Workspace, operation: Drafted, compared: Comparing): Drafted {
  if (operation.kind !== "create") return operation;
  const other = { ...operation, draft: typedLikeRival(workspace, operation.draft, undefined, compared) };
  return scopeOf(workspace, other) === scopeOf(workspace, operation) ? other : operation;
}

type Drafted = Exclude<CaptureOperation, { readonly kind: "retire" }>;

function namesOf(notes: readonly RivalNote[]): string | undefined {
  return notes.length === 0 ? undefined : notes.map(({ file }) => file).join(", ");
}

/** Adds the note that the operation itself supersedes. */
function withSuperseded(rivals: Rivals, file: string | undefined): Rivals {
  if (file === undefined || rivals.superseded.some((rival) => rival.file === file)) return rivals;
  return {
    ...rivals,
    superseded: [...rivals.superseded, { file, says: "" }],
    contradicts: rivals.contradicts.filter((rival) => rival.file !== file),
  };
}

/** Rewrites a note; its name, file and other frontmatter stay. `undefined` if another writer has just changed it. */
function rewrite(
  workspace: Workspace,
  scoped: ScopedStore,
  file: string,
  draft: NoteDraft,
  { actor, expected }: ApplyOptions,
): Headroom | undefined {
  const base = scoped.store.read(file);
  if (base === undefined || !isUtf8(base) || (expected !== undefined && sha256(base) !== expected)) return undefined;
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const now = new Date(workspace.clock.now()).toISOString();
  const evidence: [readonly string[], string][] =
    draft.evidence === undefined
      ? []
      : [
          [["metadata", "evidence", "session"], draft.evidence.session],
          [["metadata", "evidence", "message"], draft.evidence.message],
        ];
  const edited = setFields(
    before,
    [
      [["description"], draft.description],
      [["metadata", "modified"], now],
      ...(draft.said === undefined ? [] : [[["metadata", "said"], draft.said] as const]),
      ...evidence,
    ],
    workspace.codec,
  );
  const result = scoped.store.commit([{ kind: "write", file, base, content: replaceBody(edited, draft.body) }], {
    actor,
    reason: "revised",
  });
  return result.ok ? result.headroom : undefined;
}

/** Used in place of a successor's name. */
const NO_HEIR = "nothing";

function retire(
  workspace: Workspace,
  scoped: ScopedStore,
  operation: Extract<CaptureOperation, { readonly kind: "retire" }>,
  options: { readonly actor: string; readonly dryRun: boolean },
): Applied {
  const file = localFile(operation.file, scoped) ?? "";
  const entry = scoped.store.index.entry(file);
  const note = {
    kind: operation.kind,
    scoped,
    type: entry?.type,
    name: entry?.name ?? file,
    description: entry?.description ?? "",
    text: "",
    evidence: operation.evidence,
    superseded: undefined,
  };
  if (options.dryRun) return { note: { ...note, file: undefined }, headroom: undefined };
  const changes = retireChange(
    workspace,
    scoped,
    file,
    operation.by ?? NO_HEIR,
    new Date(workspace.clock.now()).toISOString(),
  );
  const result =
    changes.length === 0 ? undefined : scoped.store.commit(changes, { actor: options.actor, reason: "retired" });
  return result?.ok === true
    ? { note: { ...note, file }, headroom: result.headroom }
    : { note: { ...note, file: undefined }, headroom: undefined };
}

/** Facts about the user go to the user's scope; everything else stays private in the project until promoted. */
export function scopeOf({ scopes, tree }: Pick<Workspace, "scopes" | "tree">, operation: CaptureOperation): Scope {
  const owner = operation.kind === "create" ? undefined : scopes.find((scope) => scope === scopeOfName(operation.file));
  return (
    owner ??
    (operation.kind !== "retire" &&
    operation.draft.type === "user" &&
    scopes.includes("user") &&
    !isOfThisProject(operation.draft.body, tree)
      ? "user"
      : "project")
  );
}

/** The file of a note, from the scoped name that capture uses. */
export function targetFile(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function scopeFor(workspace: Workspace, operation: CaptureOperation): ScopedStore {
  const wanted = scopeOf(workspace, operation);
  const scoped = workspace.open(wanted);
  if (scoped === undefined) throw new MemoryError("invalid-input", `there is no ${wanted} scope here`);
  return scoped;
}

/** File names are unique only within a store, so capture uses them with their scope. */
export function scopedName(scoped: ScopedStore, file: string): string {
  return `${scoped.scope}:${file}`;
}

function scopeOfName(name: string): string {
  return name.slice(0, name.indexOf(":"));
}

function localFile(name: string, scoped: ScopedStore): string | undefined {
  return scopeOfName(name) === scoped.scope ? name.slice(name.indexOf(":") + 1) : undefined;
}
