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
} from "../../core/skills/writing.ts";
import { MemoryError } from "../../core/shared/errors.ts";

export interface DraftContext {
  readonly notebook: NotebookFile;
  readonly shelf: SkillShelf;
  readonly now: number;
}

/** The available writers of drafts. */
export interface Writers {
  readonly mode: SkillsMode;
  /** A model that the user chose, within the day's budget. */
  readonly model?: Model | undefined;
  readonly signal?: AbortSignal;
  /** Leaves one line for the agent of the next session. */
  readonly ask: (line: string) => void;
}

/** Most recipes that become drafts in one pass. */
const MOST_RECIPES = 3;
/** An agent that was asked and wrote nothing for this long does not want the draft (ms). */
const ANSWER_MS = 7 * 86_400_000;
const MODEL_MS = 60_000;
const MOST_OUTPUT = 900;

/**
 * Turns wanted candidates into drafts. A chosen model writes one now. If skills are in use, the next session's agent is
 * asked about one. If skills are only observed, or no answer came, the bare recipe is kept, which never goes on trial.
 * Returns the number of drafts kept.
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

/** An existing skeleton is rewritten under its name. */
function revising({ shelf }: DraftContext, proposal: DraftProposal, { draft }: Candidate): DraftProposal {
  const kept = shelf.known().find(({ id }) => id === draft);
  return kept === undefined ? proposal : { ...proposal, revises: kept.id, name: kept.name };
}

/** Instructions for writing the draft of a candidate. */
export interface WriterBrief {
  readonly instructions: string;
  /** Record of the task, as data. */
  readonly record: string;
  readonly schema: JsonSchema;
}

/** @throws MemoryError `not-found` for an unknown candidate, `refused` if no skill can come of it. */
export function writerBrief(notebook: NotebookFile, id: string): WriterBrief {
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
 * A draft that a host agent or the user wrote from a candidate. Commands that its task never ran are refused.
 * @throws MemoryError `not-found` for an unknown candidate, `invalid-input` for an answer of another form.
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
  // An agent or model may write a better draft; a recipe stays as it is.
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
