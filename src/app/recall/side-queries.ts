import { randomUUID } from "node:crypto";
import { openLateRecalls } from "../../adapters/files/recall-log.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { recordRecall, type RecallOutcome } from "./recall-notes.ts";
import { type RefinedRecall, type RefineOptions, refineRecall } from "./refine-recall.ts";
import { logChosenRecall } from "./log-recall.ts";
import { mayWrite } from "../workspace/modes.ts";
import type { Model } from "../../core/models/model.ts";
import { keepLate, takeLate, type LateRecall, type LateRecalls } from "../../core/recall/ledger.ts";
import { createEmbeddingSelector, type VectorCache } from "../../core/recall/embedding-selector.ts";
import { readByFile } from "../workspace/read-by-file.ts";
import { createModelSelector, type Selector, SIDE_QUERY_MS } from "../../core/recall/side-query.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { Locations } from "../workspace/locations.ts";
import { chooseEmbedder, chooseModel } from "../models/models.ts";
import { openEmbedder, openModel, sideQueryMs } from "../models/open-model.ts";
import { isModelNamed, type ModelSettings, readModelSettings } from "../workspace/settings.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

export interface SideQueryOptions extends RefineOptions {
  readonly session?: string;
  readonly turn?: string;
}

/** Side queries of one open memory. */
export interface SideQueries {
  /** Returns at once and asks in a later step. Never rejects. */
  refine(prompt: string, fast: RecallOutcome, options: SideQueryOptions): Promise<RefinedRecall | undefined>;
  take(session: string, turn: string | undefined): LateRecall | undefined;
  /** Cancels running queries. */
  close(): void;
}

export function openSideQueries(workspace: OpenWorkspace, given: Model | "off" | undefined): SideQueries {
  const { locations, clock } = workspace;
  const closing = new AbortController();
  const late = lateRecalls(locations, clock);
  let choosing: Promise<Chosen | undefined> | undefined;
  const chosen = (): Promise<Chosen | undefined> => (choosing ??= choose(workspace, given));
  const ask = async (
    prompt: string,
    fast: RecallOutcome,
    options: SideQueryOptions,
  ): Promise<RefinedRecall | undefined> => {
    const model = await chosen();
    if (model === undefined) return undefined;
    const { session, turn, signal, ...rest } = options;
    const signals = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    const refined = await refineRecall(
      { workspace, selector: model.selector, secrets: workspace.secrets, readWith: readByFile(locations.stores) },
      prompt,
      fast,
      { timeoutMs: model.timeoutMs, ...rest, signal: signals },
    );
    if (refined?.kind !== "chosen") return refined;
    if (refined.grade === "whole") recordRecall(workspace, refined.added);
    logChosenRecall(workspace, { prompt, session, outcome: fast, chosen: refined });
    if (session !== undefined && mayWrite(workspace.mode))
      keepLate(late, session, {
        turn,
        text: refined.text,
        files: refined.added.map(({ file }) => file),
        time: clock.now(),
      });
    return refined;
  };
  return {
    refine: (prompt, fast, options) =>
      given === "off" || workspace.mode === "off"
        ? Promise.resolve(undefined)
        : later(() => ask(prompt, fast, options)).catch(asFailure),
    take: (session, turn) => (workspace.mode === "off" ? undefined : takeLate(late, session, turn, clock.now())),
    close: () => closing.abort(),
  };
}

/** Runs after the caller has its fast answer, because reading settings and the index takes time too. */
function later<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => setImmediate(() => void work().then(resolve, reject)));
}

interface Chosen {
  readonly selector: Selector;
  readonly timeoutMs: number;
}

/** A chosen model or embedder beats a key that is merely found; of the two, the model judges better. */
async function choose(workspace: OpenWorkspace, given: Model | "off" | undefined): Promise<Chosen | undefined> {
  if (given === "off") return undefined;
  if (given !== undefined) return { selector: createModelSelector(given), timeoutMs: SIDE_QUERY_MS };
  const settings = readModelSettings(workspace.locations.memdirHome);
  const [first, second] = isModelNamed(workspace.locations)
    ? ([chooseByModel, chooseByNearness] as const)
    : ([chooseByNearness, chooseByModel] as const);
  return (await first(workspace, settings)) ?? second(workspace, settings);
}

async function chooseByModel(
  { locations, clock }: OpenWorkspace,
  settings: ModelSettings,
): Promise<Chosen | undefined> {
  const choice = chooseModel(locations, settings);
  if (choice.kind !== "chosen") return undefined;
  const model = await openModel(choice, settings, {
    memdirHome: locations.memdirHome,
    environment: locations.environment,
    clock,
  });
  return { selector: createModelSelector(model), timeoutMs: sideQueryMs(choice, settings) };
}

async function chooseByNearness(
  { locations, clock, stores }: OpenWorkspace,
  settings: ModelSettings,
): Promise<Chosen | undefined> {
  const choice = chooseEmbedder(locations, settings);
  if (choice.kind !== "chosen") return undefined;
  const { openVectorCache } = await import("../../adapters/files/vector-cache.ts");
  const embedder = await openEmbedder(choice, settings, { memdirHome: locations.memdirHome, clock });
  const caches = new Map(
    stores.map(({ scope, store }) => [
      scope,
      openVectorCache({ state: store.state, embedder: embedder.id, files: nodeFiles }),
    ]),
  );
  return {
    selector: createEmbeddingSelector(embedder, (scope) => caches.get(scope) ?? NO_CACHE),
    timeoutMs: settings.sideQueryMs ?? SIDE_QUERY_MS,
  };
}

const NO_CACHE: VectorCache = { get: () => undefined, keep: () => undefined };

/** For unreadable settings or a bug. The caller already has the fast answer, so this must not stop it. */
function asFailure(error: unknown): RefinedRecall {
  return {
    kind: "failed",
    failure: "unavailable",
    reason: error instanceof Error ? error.message : String(error),
    ms: 0,
  };
}

function lateRecalls({ memdirHome }: Locations, clock: Clock): LateRecalls {
  return openLateRecalls({
    directory: `${memdirHome}/late`,
    files: nodeFiles,
    newId: randomUUID,
    now: () => clock.now(),
  });
}
