import { pause } from "../workspace/pause.ts";
import { readSaid } from "../../core/notes/changes/reading.ts";
import { refusalFor } from "../../core/notes/exclusions/exclusion.ts";
import { overlapOf } from "../../core/notes/duplicates.ts";
import { readGuard } from "../../core/guards/guard.ts";
import type { ImportCandidate, ImportKind } from "./candidate.ts";
import { replaceBody, splitFrontmatter, serialiseDraft, setFields } from "../../core/notes/frontmatter.ts";
import { type DateResolver, withDates, saidAt } from "../../core/notes/dates/date-resolver.ts";
import type { NoteDraft } from "../../core/notes/note.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { oneLine } from "../../core/shared/text.ts";
import { refuseExcluded, refusePersonal, refuseText } from "../notes/gate.ts";
import { createNote } from "../notes/remember.ts";
import { nearNotes, rivalsOf } from "../notes/rivals.ts";
import { folded, linesMissing, type LinesSaid, linesSaid } from "./import-sources.ts";
import { liveEntries, type NoteRef, type Workspace } from "../workspace/workspace.ts";

export type ImportRefusal =
  | "known"
  | "duplicate"
  | "secret"
  | "hidden-characters"
  | "personal"
  | "derivable"
  | "ephemeral"
  | "too-long"
  | "frontmatter";

export type ImportStep =
  | { readonly kind: "add"; readonly candidate: ImportCandidate; readonly from: string }
  /** The note of the same name lacks these lines; they are added to it. */
  | {
      readonly kind: "merge";
      readonly candidate: ImportCandidate;
      readonly into: NoteRef;
      readonly lines: readonly string[];
    }
  /** `why` is for the user and never contains the secret. */
  | {
      readonly kind: "refuse";
      readonly candidate: ImportCandidate;
      readonly reason: ImportRefusal;
      readonly why: string;
    };

interface Existing {
  readonly ref: NoteRef;
  readonly type: NoteDraft["type"] | undefined;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly importedFrom: string | undefined;
  readonly isKept: boolean;
}

/** What is already said: in existing notes, and in earlier candidates. */
interface Said {
  readonly existing: readonly Existing[];
  readonly here: LinesSaid<Existing>;
  readonly earlier: LinesSaid<ImportCandidate>;
}

const LONGEST_CHARACTERS = 20_000;

/** What an import would do, without doing it. A repeated import finds everything known. */
export async function planImport(
  workspace: Workspace,
  kind: ImportKind,
  candidates: readonly ImportCandidate[],
): Promise<readonly ImportStep[]> {
  const existing = existingNotes(workspace);
  const said: Said = { existing, here: linesSaid(existing), earlier: linesSaid<ImportCandidate>([]) };
  const steps: ImportStep[] = [];
  for (const candidate of candidates) {
    // Lets the user interrupt it.
    await pause();
    const dated = withItsDates(workspace, candidate, await workspace.dates());
    const step = await judge(workspace, provenance(kind, candidate), dated, said);
    if (step.kind === "add") said.earlier.add(step.candidate);
    steps.push(step);
  }
  return steps;
}

async function judge(
  workspace: Workspace,
  from: string,
  candidate: ImportCandidate,
  { existing, here, earlier }: Said,
): Promise<ImportStep> {
  const refuse = (reason: ImportRefusal, why: string): ImportStep => ({ kind: "refuse", candidate, reason, why });
  const known = existing.find(({ importedFrom }) => importedFrom === from);
  if (known !== undefined) return refuse("known", `imported already: ${known.ref.file}`);
  if (candidate.body.length > LONGEST_CHARACTERS)
    return refuse(
      "too-long",
      `${candidate.body.length} characters; a document belongs into the repository, a note says where it is`,
    );
  const refusal = await refuseText(workspace, candidate, from);
  if (refusal !== undefined) return refuse(refusal.reason, refusal.message);
  if (isDerivable(candidate.body)) return refuse("derivable", "code or a list of files: the repository says it better");
  // Gemini keeps its memories in its instruction file, so that file is not compared.
  const excluded = await refuseExcluded(from.startsWith("gemini:") ? {} : workspace, candidate.body);
  if (excluded !== undefined) return refuse(refusalFor(excluded.reason), excluded.message);
  const twin = here.whole(candidate.body) ?? existing.find((note) => isSame(candidate, note));
  const { pinned, guarded } = extrasOf(workspace, candidate);
  const extras = [...(pinned ? ["pin"] : []), ...(guarded ? ["guard"] : [])].join(" and ");
  if (twin !== undefined)
    return refuse(
      "duplicate",
      `${twin.ref.file} says it already${extras === "" ? "" : `; the ${extras} of this one ${pinned && guarded ? "are" : "is"} not taken over`}`,
    );
  if (earlier.whole(candidate.body) !== undefined)
    return refuse("duplicate", "another note of this import says it already");
  const problem = frontmatterProblem(workspace, draftOf(candidate, from));
  if (problem !== undefined) return refuse("frontmatter", problem);
  // A pin or a guard belongs to its own text, so such a note is never merged into another.
  const namesake =
    pinned || guarded
      ? undefined
      : existing.find(
          (note) => !note.isKept && folded(note.name) === folded(candidate.name) && note.type === candidate.type,
        );
  if (namesake === undefined) return { kind: "add", candidate, from };
  const lines = linesMissing(namesake.body, candidate.body);
  const personal = refusePersonal(namesake.ref.scoped.scope, undefined, lines, { text: namesake.body });
  if (personal !== undefined) return refuse(personal.reason, personal.message);
  return { kind: "merge", candidate, into: namesake.ref, lines };
}

export interface ImportedNote {
  readonly kind: "add" | "merge";
  readonly ref: NoteRef;
  readonly candidate: ImportCandidate;
}

/** Resolves "last Tuesday" in a note with a known time. In other notes its reference day is unknown. */
function withItsDates(
  { codec, clock: { timeZone } }: Workspace,
  candidate: ImportCandidate,
  dates: DateResolver,
): ImportCandidate {
  const { original } = candidate;
  if (original === undefined) return candidate;
  const ms = saidAt(codec.read(splitFrontmatter(original.text).block).data, timeZone);
  if (ms === undefined) return candidate;
  const dated = (text: string): string => withDates(text, { ms, timeZone }, dates);
  const before = splitFrontmatter(original.text).body;
  const body = dated(before);
  const description = dated(candidate.description);
  const described = description === candidate.description ? [] : [[["description"], description] as const];
  const text = setFields(body === before ? original.text : replaceBody(original.text, body), described, codec);
  return { ...candidate, description, body: dated(candidate.body), original: { ...original, text } };
}

/** Applies the plan through the store. Notes changed meanwhile are left for the next import. */
export async function applyImport(
  workspace: Workspace,
  steps: readonly ImportStep[],
): Promise<readonly ImportedNote[]> {
  const wanted = steps.flatMap((step) =>
    step.kind === "refuse" ? [] : [{ step, isChange: readSaid(step.candidate.body).isChange }],
  );
  const done: ImportedNote[] = [];
  // Statements about a change come after the notes that they may refer to.
  for (const { step } of wanted.toSorted((a, b) => Number(a.isChange) - Number(b.isChange))) {
    // Lets the user interrupt it; notes imported so far stay.
    await pause();
    const ref = applyStep(workspace, step);
    if (ref !== undefined) done.push({ kind: step.kind, ref, candidate: step.candidate });
  }
  return done;
}

function applyStep(workspace: Workspace, step: Exclude<ImportStep, { kind: "refuse" }>): NoteRef | undefined {
  const { candidate } = step;
  if (step.kind === "merge") return mergeInto(step.into, step.lines) ? step.into : undefined;
  const own = candidate.type === "user" ? workspace.open("user") : undefined;
  const scoped = own ?? workspace.open("project");
  if (scoped === undefined) return undefined;
  const draft = draftOf(candidate, step.from);
  // The age of the text is unknown, so only text that itself reports a change supersedes at once.
  const rivals = rivalsOf(nearNotes(workspace, scoped, draft.body), draft, { onlyTold: true });
  return createNote(workspace, scoped, draft, "import", rivals).ref;
}

function draftOf({ type, name, description, body, original }: ImportCandidate, importedFrom: string): NoteDraft {
  return { type, name, description, body, source: "import", importedFrom, ...(original && { original }) };
}

/** Why a note's frontmatter cannot be kept: some YAML cannot be extended without changing the rest. */
function frontmatterProblem({ codec }: Workspace, draft: NoteDraft): string | undefined {
  try {
    serialiseDraft(draft, "", codec);
    return undefined;
  } catch (error) {
    if (error instanceof MemoryError && error.code === "invalid-input") return error.message;
    throw error;
  }
}

/** The pin and guard of a note in memdir's own form. */
export function extrasOf(
  { codec }: Pick<Workspace, "codec">,
  { original, type }: ImportCandidate,
): { readonly pinned: boolean; readonly guarded: boolean } {
  if (original === undefined) return { pinned: false, guarded: false };
  return {
    pinned: original.pinned,
    guarded: readGuard(codec.read(splitFrontmatter(original.text).block).data, type).kind !== "none",
  };
}

function mergeInto({ scoped: { store }, file }: NoteRef, lines: readonly string[]): boolean {
  const base = store.read(file);
  if (base === undefined) return false;
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const { body } = splitFrontmatter(before);
  return store.commit(
    [{ kind: "write", file, base, content: replaceBody(before, `${body.trim()}\n${lines.join("\n")}`) }],
    { actor: "import", reason: "merged an imported note" },
  ).ok;
}

/** The origin and a hash of the text: the same candidate is recognized even if its note was edited since. */
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
    const from =
      typeof metadata === "object" && metadata !== null && "imported_from" in metadata
        ? metadata.imported_from
        : undefined;
    return [
      {
        ref: { scoped, file: entry.file },
        type: note.type,
        name: note.name,
        description: note.description,
        body: note.body,
        importedFrom: typeof from === "string" ? from : undefined,
        isKept: note.pinned || note.problems.length > 0,
      },
    ];
  });
}

/** Compared as in capture, regardless of line wrapping. */
function isSame(candidate: ImportCandidate, note: Existing): boolean {
  return (
    overlapOf(
      { type: candidate.type, name: candidate.name, description: candidate.description, body: candidate.body },
      note,
    ) === "duplicate"
  );
}

/** Whether it is mostly code, paths or a tree of files. */
function isDerivable(body: string): boolean {
  const bare = body.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gmu, "").trim();
  if (bare.length < body.length * 0.2) return true;
  const lines = bare.split("\n").filter((line) => line.trim() !== "");
  const paths = lines.filter((line) => /^[\s>*+|├└│─-]*`?[\w.@-]+(?:\/[\w.@-]+)*(?:\/|\.\w{1,5})`?\s*$/u.test(line));
  return lines.length >= 3 && paths.length > lines.length * 0.8;
}
