import type { JsonSchema, Model } from "../../core/models/model.ts";
import { draftable, sessionsOf } from "../../core/skills/candidate.ts";
import type { Notebook, NotebookFile } from "../../core/skills/notebook.ts";
import type {
  Candidate,
  DraftProposal,
  DraftVerdict,
  SkillAuthor,
  SkillGate,
  SkillScope,
  SkillShelf,
  SkillsMode,
} from "../../core/skills/types.ts";
import {
  askLine,
  digestFor,
  DRAFT_SCHEMA,
  readDraft,
  recipeProposal,
  WRITER_SYSTEM,
  parseProposal,
} from "../../core/skills/writing.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { parseJson } from "../../core/shared/json.ts";
import type { OpenShelf } from "./shelf.ts";
import { openNotebook } from "../../adapters/files/skill-store.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import type { Locations } from "../workspace/locations.ts";
import { skillsPlace } from "../workspace/skills-mode.ts";

/** The project's notebook of finished tasks; `undefined` where there is no project to learn about. */
export function notebookOf(locations: Locations): NotebookFile | undefined {
  const { root, project } = skillsPlace(locations);
  if (project === undefined) return undefined;
  const file = openNotebook(project, createSqliteLock(`${root}/candidates.lock`));
  return {
    read: file.read,
    change(work) {
      nodeFiles.makeDirectory(root);
      return file.change(work);
    },
  };
}

/** @throws MemoryError `not-found` where there is no project. */
export function projectNotebook(locations: Locations): NotebookFile {
  const notebook = notebookOf(locations);
  if (notebook === undefined)
    throw new MemoryError("not-found", "there is no project here, so there are no candidates");
  return notebook;
}

/** Candidates of the project, the oldest first. */
export function listCandidates(locations: Locations): readonly Candidate[] {
  return notebookOf(locations)?.read().candidates ?? [];
}

export interface DraftContext {
  readonly notebook: NotebookFile;
  readonly shelf: SkillShelf;
  readonly now: number;
}

/** Whom a draft may be asked of. */
export interface Writers {
  readonly mode: SkillsMode;
  /** One that a person chose, within the day's budget. */
  readonly model?: Model | undefined;
  readonly signal?: AbortSignal;
  /** Leaves one line for the agent of the next session. */
  readonly ask: (line: string) => void;
}

/** Recipes that become drafts in one pass. */
const MOST_RECIPES = 3;
/** An agent that was asked and wrote nothing for so long does not want it (ms). */
const ANSWER_MS = 7 * 86_400_000;
const MODEL_MS = 60_000;
const MOST_OUTPUT = 900;

/**
 * Lets candidates that are wanted become drafts. A chosen model writes one now; where skills are used, the next session's
 * agent is asked about one; where they are only observed, or nobody answered, the bare recipe is kept, which never goes on
 * trial. Returns how many drafts were kept.
 */
export async function writeDrafts(context: DraftContext, writers: Writers): Promise<number> {
  const { candidates } = context.notebook.read();
  const [first] = draftable(candidates, "writer").filter(({ askedAt }) => askedAt === undefined);
  if (first !== undefined && writers.model !== undefined)
    return askModel(context, first, writers.model, writers.signal);
  if (first !== undefined && writers.mode !== "observe") {
    writers.ask(askLine(first, sessionsOf(first, candidates)));
    marked(context, first, { askedAt: context.now });
  }
  const late = ({ askedAt }: Candidate): boolean => askedAt !== undefined && context.now - askedAt > ANSWER_MS;
  const bare = draftable(candidates).filter((one) => writers.mode === "observe" || late(one));
  let kept = 0;
  for (const one of bare.slice(0, MOST_RECIPES))
    kept += isKept(await proposed(context, one, "recipe", () => context.shelf.propose(recipeProposal(one)))) ? 1 : 0;
  return kept;
}

async function askModel(
  context: DraftContext,
  candidate: Candidate,
  model: Model,
  signal: AbortSignal | undefined,
): Promise<number> {
  const result = await model.ask({
    purpose: "skill",
    system: WRITER_SYSTEM,
    messages: [{ role: "user", text: digestFor(candidate) }],
    schema: DRAFT_SCHEMA,
    schemaName: "skill_draft",
    maxOutputTokens: MOST_OUTPUT,
    timeoutMs: MODEL_MS,
    ...(signal !== undefined && { signal }),
  });
  if (result.kind !== "answer") return 0; // another pass asks again
  marked(context, candidate, { askedAt: context.now });
  const draft = readDraft(result.value, candidate, { author: "model" });
  if (draft.kind !== "draft" || draft.doubts.length > 0) return 0;
  return isKept(
    await proposed(context, candidate, "model", () =>
      context.shelf.propose(revising(context, draft.proposal, candidate)),
    ),
  )
    ? 1
    : 0;
}

/** A skeleton that is there already is written anew, under its name. */
function revising({ shelf }: DraftContext, proposal: DraftProposal, { draft }: Candidate): DraftProposal {
  const kept = shelf.known().find(({ id }) => id === draft);
  return kept === undefined ? proposal : { ...proposal, revises: kept.id, name: kept.name };
}

/** What whoever writes the draft of a candidate is told. */
export interface WriterBrief {
  readonly instructions: string;
  /** Of the task: data. */
  readonly record: string;
  readonly schema: JsonSchema;
}

/** @throws MemoryError `not-found` for a candidate that there is not, `refused` where no skill can come of it. */
function writerBrief(notebook: NotebookFile, id: string): WriterBrief {
  const candidate = candidateNamed(notebook, id);
  if (candidate.refused.length > 0) throw new MemoryError("refused", refusalOf(candidate, candidate.refused));
  return { instructions: WRITER_SYSTEM, record: digestFor(candidate), schema: DRAFT_SCHEMA };
}

function candidateNamed(notebook: NotebookFile, id: string): Candidate {
  const candidate = notebook.read().candidates.find((one) => one.id === id);
  if (candidate === undefined)
    throw new MemoryError("not-found", `there is no candidate ${id}; \`memdir skill candidates\` lists them`);
  return candidate;
}

function refusalOf({ id }: Candidate, reasons: readonly SkillGate[]): string {
  return `no skill can come of candidate ${id}: ${reasons.join(", ")}`;
}

/**
 * A draft that a host agent or a person wrote from a candidate. Commands that its task never ran are refused.
 * @throws MemoryError `not-found` for a candidate that there is not, `invalid-input` for an answer of another form.
 */
export async function draftFromCandidate(
  context: DraftContext,
  id: string,
  {
    value,
    author,
    scope,
  }: { readonly value: unknown; readonly author: SkillAuthor; readonly scope?: SkillScope | undefined },
): Promise<DraftVerdict> {
  const candidate = candidateNamed(context.notebook, id);
  const draft = readDraft(value, candidate, { author, ...(scope !== undefined && { scope }) });
  if (draft.kind === "invalid") throw new MemoryError("invalid-input", `this is not a draft: ${draft.problem}`);
  if (draft.kind === "nothing") {
    marked(context, candidate, { askedAt: context.now });
    return { kind: "refused", reasons: [], message: "nothing is kept of it, as you say" };
  }
  const reasons = [...candidate.refused, ...draft.doubts];
  if (reasons.length > 0) return { kind: "refused", reasons, message: refusalOf(candidate, reasons) };
  return proposed(context, candidate, author, () =>
    context.shelf.propose(revising(context, draft.proposal, candidate)),
  );
}

async function proposed(
  context: DraftContext,
  candidate: Candidate,
  writer: SkillAuthor,
  propose: () => Promise<DraftVerdict>,
): Promise<DraftVerdict> {
  const verdict = await propose();
  if (verdict.kind === "kept") marked(context, candidate, { draft: verdict.skill, writer });
  // Whoever writes may write it better; a recipe stays what it is.
  else if (verdict.kind === "refused" && writer === "recipe")
    marked(context, candidate, { refused: [...new Set([...candidate.refused, ...verdict.reasons])] });
  return verdict;
}

function isKept(verdict: DraftVerdict): boolean {
  return verdict.kind === "kept";
}

function marked({ notebook }: DraftContext, { id }: Candidate, change: Partial<Candidate>): void {
  notebook.change((before): Notebook => ({
    ...before,
    candidates: before.candidates.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }));
}

interface HandedIn {
  readonly scope: SkillScope;
  readonly candidate: string | undefined;
}

/** A draft as an agent or a person hands it in: JSON of one form, always only a draft. @throws MemoryError `invalid-input`, `not-found` */
export function draftFrom(shelf: OpenShelf, text: string, { scope, candidate }: HandedIn): Promise<DraftVerdict> {
  const { locations, clock } = shelf.skills;
  const value = parseJson(text);
  if (candidate !== undefined)
    return draftFromCandidate({ notebook: projectNotebook(locations), shelf, now: clock.now() }, candidate, {
      value,
      author: "host-agent",
      scope,
    });
  const parsed = parseProposal(value, { author: "host-agent", scope, from: [], candidate });
  if (!parsed.ok) throw new MemoryError("invalid-input", parsed.problem);
  return shelf.propose(parsed.proposal);
}

/** What the writer of a candidate's draft needs. @throws MemoryError `not-found`, `refused` */
export function briefFor({ skills }: OpenShelf, candidate: string): WriterBrief {
  return writerBrief(projectNotebook(skills.locations), candidate);
}
