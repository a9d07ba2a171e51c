import { isPlanted } from "../../core/capture/gates.ts";
import { maskSecrets } from "../../core/shared/secrets/mask.ts";
import {
  DREAM_INSTRUCTIONS,
  type DreamBrief,
  estimateTokens,
  writeDreamBrief,
  type NoteGroup,
  relatedGroups,
} from "../../core/dream/propose/groups.ts";
import { judgeDreamProposals } from "../../core/dream/propose/judge.ts";
import { DREAM_SCHEMA, parseDreamAnswer } from "../../core/dream/propose/proposal.ts";
import { type DreamNote, type DreamOperation, touchedFiles } from "../../core/dream/operation.ts";
import type { Model, TokenUsage } from "../../core/models/model.ts";
import { findHidden } from "../../core/shared/hidden.ts";
import type { ModelProposals, ModelReport } from "./dream-store.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { REDACTED } from "../../core/shared/sanitize.ts";

export interface DreamModelOptions {
  readonly model: Model;
  /** Input and output of the one request together; the estimate is on the high side. */
  readonly maxTokens: number;
  readonly timeoutMs: number;
  /** What the user wants from this dream; the rules for proposals still apply. */
  readonly guidance?: string;
  /** Only groups with a note newer than this (ms) are sent; default all. */
  readonly since?: number;
  /** Called once the size of the request is known; `false` sends nothing. */
  readonly mayAsk?: (request: {
    readonly model: string;
    readonly notes: number;
    readonly groups: number;
    readonly tokens: number;
  }) => Promise<boolean>;
}

/** Token limit of one dream, input and output. */
export const DREAM_TOKENS = 20_000;
const OUTPUT_TOKENS = 4_096;

/**
 * Shows groups of related notes to a model in one request, and judges its proposals. Notes that this dream's rules
 * change are not shown, nor notes with secrets. Writes nothing, whatever comes back.
 */
export async function proposeWithModel(
  workspace: Workspace,
  notes: readonly DreamNote[],
  plan: readonly DreamOperation[],
  options: DreamModelOptions,
): Promise<ModelProposals> {
  const { model, mayAsk = () => Promise.resolve(true) } = options;
  const brief = await briefOf(workspace, notes, plan, options);
  const report = (usage?: TokenUsage, failure?: string): ModelReport => ({
    id: model.id,
    notes: brief.shown.size,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    failure,
  });
  const nothing = (failure?: string, usage?: TokenUsage): ModelProposals => ({
    operations: [],
    refused: [],
    report: report(usage, failure),
  });
  if (brief.shown.size === 0) return nothing();
  const asked = {
    model: model.id,
    notes: brief.shown.size,
    groups: new Set([...brief.shown.values()].map(({ group }) => group)).size,
    tokens: estimateTokens(brief.text) + estimateTokens(DREAM_INSTRUCTIONS),
  };
  if (!(await mayAsk(asked))) return nothing("it was not asked");
  const result = await model.ask({
    purpose: "dream",
    system: guided(options.guidance),
    messages: [{ role: "user", text: brief.text }],
    schema: DREAM_SCHEMA,
    schemaName: "dream_operations",
    maxOutputTokens: OUTPUT_TOKENS,
    cachePrefix: 0,
    timeoutMs: options.timeoutMs,
  });
  if (result.kind !== "answer") return nothing(`${result.kind}: ${result.reason}`, result.usage);
  const answer = parseDreamAnswer(result.value);
  if (answer.kind === "unusable") return nothing(answer.reason, result.usage);
  const judged = await judgeDreamProposals({
    proposals: answer.proposals,
    shown: brief.shown,
    unclean: (text) => unclean(workspace, text),
  });
  return {
    ...judged,
    report: report(
      result.usage,
      answer.malformed === 0 ? undefined : `${answer.malformed} of its proposals were malformed`,
    ),
  };
}

function guided(guidance: string | undefined): string {
  return guidance === undefined ? DREAM_INSTRUCTIONS : `${DREAM_INSTRUCTIONS}\n\nWanted of this dream: ${guidance}`;
}

async function briefOf(
  workspace: Workspace,
  notes: readonly DreamNote[],
  plan: readonly DreamOperation[],
  { since, maxTokens }: DreamModelOptions,
): Promise<DreamBrief> {
  const busy = new Set(plan.flatMap((operation) => [...touchedFiles(operation), ...operation.files]));
  const groups = relatedGroups(
    notes.filter(({ file }) => !busy.has(file)),
    ({ time }) => since === undefined || time > since,
  );
  const room = maxTokens - OUTPUT_TOKENS - estimateTokens(DREAM_INSTRUCTIONS);
  return writeDreamBrief(await withoutSecrets(workspace, groups), workspace.clock.timeZone, room);
}

async function withoutSecrets({ secrets }: Workspace, groups: readonly NoteGroup[]): Promise<readonly NoteGroup[]> {
  const clean: NoteGroup[] = [];
  for (const { type, notes } of groups) {
    const kept: DreamNote[] = [];
    for (const note of notes) {
      const text = `${note.name}\n${note.description}\n${note.body}`;
      if (!text.includes(REDACTED) && !(await maskSecrets(text, secrets)).found) kept.push(note);
    }
    if (kept.length > 1) clean.push({ type, notes: kept });
  }
  return clean;
}

async function unclean({ secrets }: Workspace, text: string): Promise<string | undefined> {
  if (findHidden(text).length > 0) return "characters that cannot be seen";
  if (isPlanted(text)) return "orders to agents";
  return (await maskSecrets(text, secrets)).found ? "a secret" : undefined;
}
