import { relate } from "../capture/duplicates.ts";
import { readGuard } from "../guards/guard.ts";
import type { ImportCandidate, ImportKind } from "../imports/candidate.ts";
import { replaceBody, splitFrontmatter } from "../notes/frontmatter.ts";
import type { NoteDraft } from "../notes/note.ts";
import { parseNote } from "../notes/parse-note.ts";
import { serialiseDraft } from "../notes/write-note.ts";
import { MemoryError } from "../shared/errors.ts";
import { sha256 } from "../shared/hash.ts";
import { oneLine } from "../shared/text.ts";
import { createNote, refuseText } from "./remember.ts";
import { liveEntries, type NoteRef, type Workspace } from "./workspace.ts";

export type ImportRefusal = "known" | "duplicate" | "secret" | "hidden-characters" | "derivable" | "too-long" | "frontmatter";

export type ImportStep =
  | { readonly kind: "add"; readonly candidate: ImportCandidate }
  /** The note of the same name has other lines; these are added to it. */
  | { readonly kind: "merge"; readonly candidate: ImportCandidate; readonly into: NoteRef; readonly lines: readonly string[] }
  /** `why` is for people and never holds the secret. */
  | { readonly kind: "refuse"; readonly candidate: ImportCandidate; readonly reason: ImportRefusal; readonly why: string };

interface Existing {
  readonly ref: NoteRef;
  readonly type: NoteDraft["type"] | undefined;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly importedFrom: string | undefined;
  readonly isKept: boolean;
}

const LONGEST_CHARACTERS = 20_000;

/** What an import would do, without doing it. The second time everything is known. */
export async function planImport(workspace: Workspace, kind: ImportKind, candidates: readonly ImportCandidate[]): Promise<readonly ImportStep[]> {
  const existing = existingNotes(workspace);
  const steps: ImportStep[] = [];
  for (const candidate of candidates) {
    const earlier = steps.flatMap((step) => (step.kind === "add" ? [step.candidate] : []));
    steps.push(await judge(workspace, provenance(kind, candidate), candidate, existing, earlier));
  }
  return steps;
}

async function judge(workspace: Workspace, from: string, candidate: ImportCandidate, existing: readonly Existing[], earlier: readonly ImportCandidate[]): Promise<ImportStep> {
  const refuse = (reason: ImportRefusal, why: string): ImportStep => ({ kind: "refuse", candidate, reason, why });
  const known = existing.find(({ importedFrom }) => importedFrom === from);
  if (known !== undefined) return refuse("known", `imported already: ${known.ref.file}`);
  if (candidate.body.length > LONGEST_CHARACTERS) return refuse("too-long", `${candidate.body.length} characters; a document belongs into the repository, a note says where it is`);
  const refusal = await refuseText(workspace, [candidate.name, candidate.description, candidate.original?.text ?? candidate.body].join("\n"));
  if (refusal !== undefined) return refuse(refusal.reason, refusal.message);
  if (isDerivable(candidate.body)) return refuse("derivable", "code or a list of files: the repository says it better");
  const twin = existing.find((note) => linesMissing(note.body, candidate.body).length === 0) ?? existing.find((note) => isSame(candidate, note));
  const { pinned, guarded } = extrasOf(workspace, candidate);
  const extras = [...(pinned ? ["pin"] : []), ...(guarded ? ["guard"] : [])].join(" and ");
  if (twin !== undefined) return refuse("duplicate", `${twin.ref.file} says it already${extras === "" ? "" : `; the ${extras} of this one ${pinned && guarded ? "are" : "is"} not taken over`}`);
  if (earlier.some((other) => linesMissing(other.body, candidate.body).length === 0)) return refuse("duplicate", "another note of this import says it already");
  const problem = frontmatterProblem(workspace, draftOf(candidate, from));
  if (problem !== undefined) return refuse("frontmatter", problem);
  // A pin or a guard belongs to its own words: such a note is never poured into another.
  const namesake = pinned || guarded ? undefined : existing.find((note) => !note.isKept && folded(note.name) === folded(candidate.name) && note.type === candidate.type);
  return namesake === undefined ? { kind: "add", candidate } : { kind: "merge", candidate, into: namesake.ref, lines: linesMissing(namesake.body, candidate.body) };
}

export interface ImportedNote {
  readonly kind: "add" | "merge";
  readonly ref: NoteRef;
  readonly candidate: ImportCandidate;
}

/** Does what the plan says, through the store. What somebody changed meanwhile is left for the next import. */
export function applyImport(workspace: Workspace, kind: ImportKind, steps: readonly ImportStep[]): readonly ImportedNote[] {
  return steps.flatMap((step): ImportedNote[] => {
    if (step.kind === "refuse") return [];
    const { candidate } = step;
    if (step.kind === "merge") return mergeInto(step.into, step.lines) ? [{ kind: "merge", ref: step.into, candidate }] : [];
    const scope = candidate.type === "user" && workspace.scopes.includes("user") ? "user" : "project";
    const scoped = workspace.open(scope) ?? workspace.open("project");
    if (scoped === undefined) return [];
    return [{ kind: "add", ref: createNote(workspace, scoped, draftOf(candidate, provenance(kind, candidate)), "import").ref, candidate }];
  });
}

function draftOf({ type, name, description, body, original }: ImportCandidate, importedFrom: string): NoteDraft {
  return { type, name, description, body, source: "import", importedFrom, ...(original && { original }) };
}

/** Why a note's frontmatter cannot be kept: some YAML cannot be added to without touching the rest. */
function frontmatterProblem({ codec }: Workspace, draft: NoteDraft): string | undefined {
  try {
    serialiseDraft(draft, "", codec);
    return undefined;
  } catch (error) {
    if (error instanceof MemoryError && error.code === "invalid-input") return error.message;
    throw error;
  }
}

/** What a note of our own form carries beside its words. */
export function extrasOf({ codec }: Pick<Workspace, "codec">, { original, type }: ImportCandidate): { readonly pinned: boolean; readonly guarded: boolean } {
  if (original === undefined) return { pinned: false, guarded: false };
  return { pinned: original.pinned, guarded: readGuard(codec.read(splitFrontmatter(original.text).block).data, type).kind !== "none" };
}

function mergeInto({ scoped: { store }, file }: NoteRef, lines: readonly string[]): boolean {
  const base = store.read(file);
  if (base === undefined) return false;
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const { body } = splitFrontmatter(before);
  return store.commit([{ kind: "write", file, base, content: replaceBody(before, `${body.trim()}\n${lines.join("\n")}`) }], { actor: "import", reason: "merged an imported note" }).ok;
}

/** Where it comes from and what it said: the same candidate is known again even when its note was edited since. */
function provenance(kind: ImportKind, { origin, body }: ImportCandidate): string {
  return `${kind}:${oneLine(origin)}@${sha256(body).slice(0, 12)}`;
}

function existingNotes(workspace: Workspace): readonly Existing[] {
  for (const { store } of workspace.stores) store.reconcile("full");
  return liveEntries(workspace).flatMap(({ scoped, entry }): Existing[] => {
    const bytes = scoped.store.read(entry.file);
    if (bytes === undefined) return [];
    const note = parseNote(entry.file, bytes, workspace.codec);
    const { data } = workspace.codec.read(splitFrontmatter(new TextDecoder().decode(bytes)).block);
    const metadata: unknown = data["metadata"];
    const from = typeof metadata === "object" && metadata !== null && "imported_from" in metadata ? metadata.imported_from : undefined;
    return [{ ref: { scoped, file: entry.file }, type: note.type, name: note.name, description: note.description, body: note.body, importedFrom: typeof from === "string" ? from : undefined, isKept: note.pinned || note.problems.length > 0 }];
  });
}

/** Notes of one wish are compared as capture does; longer ones line by line. */
function isSame(candidate: ImportCandidate, note: Existing): boolean {
  if (candidate.body.includes("\n") || note.body.trim().includes("\n")) return false;
  return relate({ type: candidate.type, name: candidate.name, description: candidate.description, body: candidate.body }, note) === "duplicate";
}

function linesMissing(body: string, wanted: string): readonly string[] {
  const present = new Set(body.split("\n").map(folded));
  return wanted.split("\n").filter((line) => folded(line) !== "" && !present.has(folded(line)));
}

function folded(line: string): string {
  return oneLine(line.replace(/^[\s>*+-]+/u, "")).toLowerCase();
}

/** Mostly code, paths or a tree of files. */
function isDerivable(body: string): boolean {
  const bare = body.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gmu, "").trim();
  if (bare.length < body.length * 0.2) return true;
  const lines = bare.split("\n").filter((line) => line.trim() !== "");
  const paths = lines.filter((line) => /^[\s>*+|├└│─-]*`?[\w.@-]+(?:\/[\w.@-]+)*(?:\/|\.\w{1,5})`?\s*$/u.test(line));
  return lines.length >= 3 && paths.length > lines.length * 0.8;
}
