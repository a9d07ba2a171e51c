import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openSpendLedger } from "../../adapters/files/spend-ledger.ts";
import { withBudget, withEmbedBudget, withRetries } from "../../core/models/budgeted.ts";
import { type Embedder, type Model, isAgentCli } from "../../core/models/model.ts";
import { priceOf, type SpendEntry, type SpendLedger, type SpendSum, spentToday } from "../../core/models/spend.ts";
import { SIDE_QUERY_MS } from "../../core/recall/side-query.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { Environment, Locations } from "../workspace/locations.ts";
import type { ModelChoice } from "./models.ts";
import type { ModelSettings } from "../workspace/settings.ts";

export type ChosenModel = ModelChoice & { readonly kind: "chosen" };

/** An agent starts slowly: its answer comes too late for this prompt and is kept for the next (ms). */
const AGENT_SIDE_QUERY_MS = 30_000;

export function sideQueryMs({ name }: ChosenModel, settings: ModelSettings): number {
  return settings.sideQueryMs ?? (isAgentCli(name.provider) ? AGENT_SIDE_QUERY_MS : SIDE_QUERY_MS);
}

/** The ledger of this user's spending; not read when memory is off. */
function openLedger({
  memdirHome,
  mode,
}: Pick<Locations, "memdirHome"> & Partial<Pick<Locations, "mode">>): SpendLedger {
  if (mode === "off") return { append: () => undefined, since: () => [] };
  return openSpendLedger({ directory: memdirHome, files: nodeFiles });
}

/** What models have cost this user today. */
export function spentOnModels(locations: Pick<Locations, "memdirHome" | "mode">, clock: Clock): SpendSum {
  return spentToday(openLedger(locations), clock.now(), clock.timeZone);
}

/** All spending on models that is in the ledger. */
export function modelSpending(locations: Pick<Locations, "memdirHome" | "mode">): readonly SpendEntry[] {
  return openLedger(locations).since(0);
}

export interface ModelPlace extends Pick<Locations, "memdirHome" | "environment"> {
  readonly clock: Clock;
}

/** The chosen model, within the daily budget. Its code is loaded now; nothing is sent until it is asked. */
export async function openModel(
  choice: ChosenModel,
  settings: ModelSettings,
  { memdirHome, environment, clock }: ModelPlace,
): Promise<Model> {
  const model = await loadModel(choice, environment);
  const price = priceOf(model.id, model.place, settings.prices);
  const budgeted = withBudget(model, {
    ledger: openLedger({ memdirHome }),
    budget: settings.budget,
    price,
    clock,
    newId: randomUUID,
  });
  return withRetries(budgeted, { clock: { now: () => performance.now() }, random: Math.random, wait });
}

/** The chosen embedder, within the daily budget, which it shares with models. */
export async function openEmbedder(
  { name: { provider, model }, access: { baseUrl, key } }: ChosenModel,
  settings: ModelSettings,
  { memdirHome, clock }: Omit<ModelPlace, "environment">,
): Promise<Embedder> {
  const embedder = (await import("../../adapters/models/embeddings.ts")).createEmbedder({
    provider,
    model,
    key,
    baseUrl,
  });
  const price = priceOf(embedder.id, embedder.place, settings.prices);
  return withEmbedBudget(embedder, {
    ledger: openLedger({ memdirHome }),
    budget: settings.budget,
    price,
    clock,
    newId: randomUUID,
  });
}

async function loadModel(
  { name: { provider, model }, access: { baseUrl, key } }: ChosenModel,
  environment: Environment,
): Promise<Model> {
  switch (provider) {
    case "anthropic":
      return (await import("../../adapters/models/anthropic.ts")).createAnthropicModel({ model, key, baseUrl });
    case "openai":
      return (await import("../../adapters/models/openai-compatible.ts")).createOpenAiModel({ model, key, baseUrl });
    case "google":
      return (await import("../../adapters/models/google.ts")).createGoogleModel({ model, key, baseUrl });
    case "claude-cli":
      return (await import("../../adapters/models/claude-cli.ts")).createClaudeCliModel({ model, environment });
    case "codex-cli":
      return (await import("../../adapters/models/codex-cli.ts")).createCodexCliModel({ model, environment });
    case "gemini-cli":
      return (await import("../../adapters/models/gemini-cli.ts")).createGeminiCliModel({ model, environment });
    default:
      return (await import("../../adapters/models/openai-compatible.ts")).createOpenAiCompatibleModel({
        provider,
        model,
        key,
        baseUrl,
      });
  }
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error; // the caller sees the cancellation
  }
}
