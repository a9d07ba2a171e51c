import type { Model, ModelFailureKind, ModelMessage, ParentRequest, TokenUsage } from "../../models/model.ts";
import { addedUsage, NO_USAGE } from "../../models/model.ts";
import { dayIn } from "../../shared/clock.ts";
import { oneLine, truncate } from "../../shared/text.ts";
import { timeOf, type Turn } from "../../transcripts/turn.ts";
import { maskSecrets } from "../../shared/secrets/mask.ts";
import type { CaptureDeps } from "../plan-capture.ts";
import type { CapturePlan } from "../plan.ts";
import { type ExtractInput, INSTRUCTIONS, instructionsInside, writeBrief } from "./brief.ts";
import { judgeProposals } from "./judge.ts";
import { type Look, parseStep, STEP_SCHEMA } from "./proposal.ts";

/** What the extractor may see in addition to the brief. All tools are read-only and report refusals as text. */
export interface ProjectTools {
  /** The result of a look, at most `limit` characters. */
  look(look: Look, limit: number): Promise<string>;
}

export interface ExtractDeps extends CaptureDeps {
  readonly model: Model;
  readonly tools: ProjectTools;
  readonly signal?: AbortSignal;
  /** The caller's own last request. It is continued if the model can, to use the provider's cache. */
  readonly parent?: ParentRequest;
  readonly now: () => number;
}

export type Extraction = { readonly steps: number; readonly usage: TokenUsage } & (
  | { readonly kind: "plan"; readonly plan: CapturePlan }
  /** No usable answer: these turns count as not processed and can be tried again. */
  | { readonly kind: "failed"; readonly reason: ModelFailureKind | "no-end"; readonly message: string }
);

/** A model that has not answered by then never will. */
const MOST_STEPS = 5;
/** More proposals than this mean a broken answer, not a long conversation. */
const MOST_PROPOSALS = 40;
const STEP_TIMEOUT_MS = 60_000;
const OUTPUT_TOKENS = 4_096;
const LOOK_CHARACTERS = 6_000;
const BEYOND = 4_000;
const ARGUMENT_SHOWN = 200;

/**
 * Asks a model what to remember of a part of a conversation. It may look at notes and the project, in at most five
 * requests in all. Its proposals are judged and returned; nothing is written here.
 */
export async function extractMemories(input: ExtractInput, deps: ExtractDeps): Promise<Extraction> {
  const turns = await Promise.all(input.turns.map((turn) => withoutSecrets(turn, deps)));
  const parent =
    deps.parent !== undefined && deps.model.continues === deps.parent.provider && canContinue(deps.parent)
      ? deps.parent
      : undefined;
  const brief = writeBrief({
    ...input,
    turns,
    day: dayIn(deps.timeZone, turns.map(timeOf).findLast((time) => time !== undefined) ?? deps.now()),
    timeZone: deps.timeZone,
    conversation: parent === undefined ? "shown" : "known",
  });
  const messages: ModelMessage[] = [
    { role: "user", text: parent === undefined ? brief.text : `${instructionsInside(STEP_SCHEMA)}\n\n${brief.text}` },
  ];
  let usage = NO_USAGE;
  const failed = (steps: number, reason: ModelFailureKind | "no-end", message: string): Extraction => {
    return { kind: "failed", reason, message, steps, usage };
  };
  for (let step = 1; step <= MOST_STEPS; step++) {
    const result = await deps.model.ask({
      purpose: "capture",
      system: INSTRUCTIONS,
      messages,
      schema: STEP_SCHEMA,
      schemaName: "memory_step",
      maxOutputTokens: OUTPUT_TOKENS,
      cachePrefix: messages.length,
      timeoutMs: STEP_TIMEOUT_MS,
      ...(deps.signal === undefined ? {} : { signal: deps.signal }),
      ...(parent === undefined ? {} : { parent }),
    });
    usage = addedUsage(usage, result.usage);
    if (result.kind !== "answer") return failed(step, result.kind, result.reason);
    const answer = parseStep(result.value);
    if (answer === undefined)
      return failed(step, "invalid-answer", "the model's answer has neither `look` nor `operations`");
    const { looks, proposals } = answer;
    if (proposals.length > MOST_PROPOSALS)
      return failed(
        step,
        "invalid-answer",
        `the model proposed ${proposals.length} operations; a conversation holds a handful, so none was taken`,
      );
    if (looks.length === 0 || proposals.length > 0) {
      // Judged against the text as typed, so that what was masked for the model is still found.
      const plan = await judgeProposals(proposals, { ...input, messages: brief.messages }, deps);
      return { kind: "plan", plan, steps: step, usage };
    }
    messages.push(
      { role: "assistant", text: JSON.stringify(result.value) },
      { role: "user", text: await seen(looks, step, deps) },
    );
  }
  return failed(MOST_STEPS, "no-end", `the model still wanted to look after ${MOST_STEPS} steps`);
}

/** A message cannot be appended after a tool call that has no result yet. */
function canContinue({ request }: ParentRequest): boolean {
  const { messages } = request;
  if (!Array.isArray(messages) || messages.length === 0) return false;
  const last = JSON.stringify(messages.at(-1));
  return !/"role":"assistant"/u.test(last) || !/"type":"tool_use"|"tool_calls":\[\{/u.test(last);
}

/** Masks secrets before the text leaves the machine. */
async function withoutSecrets(turn: Turn, deps: CaptureDeps): Promise<Turn> {
  return turn.text === "" ? turn : { ...turn, text: (await maskSecrets(turn.text, deps.secrets)).masked };
}

async function seen(looks: readonly Look[], step: number, deps: ExtractDeps): Promise<string> {
  const limit = Math.floor(LOOK_CHARACTERS / looks.length);
  const parts: string[] = [];
  for (const look of looks) {
    // Read beyond the limit, so that a secret at the cut is still recognised.
    const shown = (await maskSecrets(await deps.tools.look(look, limit + BEYOND), deps.secrets)).masked;
    parts.push(`## ${look.tool} ${truncate(oneLine(look.argument), ARGUMENT_SHOWN)}\n${shown.slice(0, limit)}`);
  }
  const left = MOST_STEPS - step;
  return `What you looked at, as data:\n\n${parts.join("\n\n")}\n\n${left === 1 ? "Answer now; this is the last step." : "Answer now."}`;
}
