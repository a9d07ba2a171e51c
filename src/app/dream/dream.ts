import fs from "node:fs";
import path from "node:path";
import { pause } from "../workspace/pause.ts";
import { DREAM_LOCK } from "../../adapters/files/dream-lock.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openNoteIndex } from "../../adapters/sqlite/note-index.ts";
import { dreamLine, type DreamRecord, readDreamLog, refusedLine, withDream } from "../../core/dream/dream-log.ts";
import type { TrialStore } from "./dream-regression.ts";
import { isTakenBackIn } from "./dream-notes.ts";
import { type DreamOptions, type DreamOutcome, type DreamPhase, dreamOfStore } from "./dream-store.ts";
import { DREAM_TOKENS, type DreamModelOptions, proposeWithModel } from "./dream-model.ts";
import {
  type DreamTexts,
  logNews,
  openForLog,
  withExtractor,
  releaseMemory,
  dreamDue,
  LONGEST_MS,
  lockOf,
} from "./dream-schedule.ts";
import { modeIn } from "../workspace/modes.ts";
import { undo, type UndoResult } from "../notes/versions.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import type { Model } from "../../core/models/model.ts";
import type { Scope } from "../../core/notes/note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { requireModel } from "../capture/extractor.ts";
import { fillIndex } from "../workspace/open-store.ts";
import { agentStores, agentTypesHere, type StoreLocation } from "../workspace/locations.ts";
import { chooseModel } from "../models/models.ts";
import { hasNote } from "../workspace/note-count.ts";
import { isModelNamed, readModelSettings } from "../workspace/settings.ts";
import { type OpenWorkspace, openWorkspace } from "../workspace/open-workspace.ts";

/** A request for a dream; see `DreamOptions`. */
export interface DreamRequest extends Omit<DreamOptions, "trial" | "propose" | "isLate" | "isTakenBack"> {
  /** A model that makes proposals in addition to the rules. */
  readonly model?: Model;
  /** What the user wants from this dream, for the model. */
  readonly guidance?: string;
  /** Called before anything is sent to the model; default yes. */
  readonly mayAsk?: DreamModelOptions["mayAsk"];
  /** Ask the model only about notes that changed since the last dream. */
  readonly newsOnly?: boolean;
  /** When to end (ms since the epoch); nothing is written later. Default: the longest time of any dream. */
  readonly deadline?: number;
}

export type DreamResult =
  | { readonly kind: "dreamt"; readonly outcome: DreamOutcome; readonly ms: number }
  /** Another process is consolidating these notes. */
  | { readonly kind: "busy"; readonly pid: number };

/** Dreams kept in a store's log; older ones are dropped from it, but their versions stay in history. */
const KEPT_DREAMS = 200;
/** How long a model's answer is awaited (ms). */
const MODEL_MS = 60_000;

/** Scopes that are consolidated automatically. A team's notes change in a pull request. */
const DREAM_SCOPES: readonly Scope[] = ["project", "user", "local", "group", "agent-user", "agent", "agent-local"];

/** Consolidates the notes of one scope. Its log records the result, including failures. */
export async function dream(
  workspace: OpenWorkspace,
  scoped: ScopedStore,
  request: DreamRequest,
): Promise<DreamResult> {
  const started = performance.now();
  const options = optionsOf(workspace, scoped, request);
  const dreamt = (): Promise<DreamOutcome> => dreamWithLog(workspace, scoped, options, request);
  return request.dryRun
    ? { kind: "dreamt", outcome: await dreamt(), ms: performance.now() - started }
    : underLock(workspace, scoped, dreamt);
}

/** The log cursor moves once the notes are on disk: after a kill in between, the same entries add nothing. */
async function dreamWithLog(
  workspace: OpenWorkspace,
  scoped: ScopedStore,
  options: DreamOptions,
  { model, mayAsk }: Pick<DreamRequest, "model" | "mayAsk">,
): Promise<DreamOutcome> {
  const news = logNews(workspace, scoped);
  if (news === undefined) return dreamOfStore(workspace, scoped, options);
  const characters = news.entries.reduce((sum, { text }) => sum + text.length, 0);
  const isAsked =
    model !== undefined &&
    characters > 0 &&
    (await (mayAsk ?? (() => Promise.resolve(true)))({
      model: model.id,
      notes: news.entries.length,
      groups: 1,
      tokens: Math.ceil(characters / 3),
    }));
  const log = isAsked ? await withExtractor(workspace, news, model) : news;
  const outcome = await dreamOfStore(workspace, scoped, { ...options, log });
  if (outcome.log?.isDone === true) news.done();
  return outcome;
}

/** The lock's time moves only when a dream finishes. */
async function underLock(
  workspace: OpenWorkspace,
  scoped: ScopedStore,
  work: () => Promise<DreamOutcome>,
): Promise<DreamResult> {
  // A project known only from the log has no directory yet.
  nodeFiles.makeDirectory(scoped.store.directory);
  const lock = lockOf(workspace, scoped);
  const started = performance.now();
  if (!lock.take()) return { kind: "busy", pid: lock.holder() ?? 0 };
  let done = false;
  try {
    const outcome = await work();
    const ms = performance.now() - started;
    keep(scoped, recordOf(workspace, outcome, ms));
    done = true;
    return { kind: "dreamt", outcome, ms };
  } catch (error) {
    keep(scoped, {
      time: new Date(workspace.clock.now()).toISOString(),
      scope: scoped.scope,
      notes: 0,
      ms: Math.round(performance.now() - started),
      version: undefined,
      applied: [],
      refused: [],
      told: [],
      failure: error instanceof Error ? error.message : String(error),
    });
    throw error;
  } finally {
    lock.release(done);
  }
}

function optionsOf(workspace: OpenWorkspace, scoped: ScopedStore, request: DreamRequest): DreamOptions {
  const last = lockOf(workspace, scoped).last();
  const { model, mayAsk, newsOnly, deadline, progress, guidance, ...others } = request;
  const rest = {
    ...others,
    isTakenBack: isTakenBackIn(scoped, dreamsOf(scoped)),
    progress: async (phase: DreamPhase): Promise<void> => {
      releaseMemory();
      await progress?.(phase);
      // Between two phases, a request to stop can be handled.
      await pause();
    },
  };
  const end = deadline ?? workspace.clock.now() + LONGEST_MS;
  const trial = (one: ScopedStore, texts: DreamTexts): TrialStore => openTrial(workspace, one, texts);
  const isLate = (): boolean => workspace.clock.now() >= end;
  if (model === undefined) return { ...rest, trial, isLate };
  return {
    ...rest,
    trial,
    isLate,
    propose: (notes, plan) =>
      proposeWithModel(workspace, notes, plan, {
        model,
        maxTokens: DREAM_TOKENS,
        timeoutMs: Math.max(0, Math.min(MODEL_MS, end - workspace.clock.now())),
        ...(newsOnly === true && last !== undefined ? { since: last } : {}),
        ...(mayAsk === undefined ? {} : { mayAsk }),
        ...(guidance === undefined ? {} : { guidance }),
      }),
  };
}

/** The result for one scope of an automatic dream. */
export type ScheduledDream = {
  readonly scope: Scope;
  /** The sub-agent whose notes these are. */ readonly agentType?: string;
} & (
  | DreamResult
  | {
      readonly kind: "not-due";
      readonly reason: "mode" | "recent" | "few-sessions" | "late" | "failed";
      readonly message: string;
    }
);

/**
 * Called by a background process after a captured turn: consolidates the scopes that are due, within the given time (ms
 * since the epoch). Checks the mode, then the lock's time, then the sessions since; most calls end at the second. In
 * confirm mode proposals only go to the log of dreams; in manual, recall-only and off nothing is read. A model proposes
 * only if the user chose one (`memdir models --use`). After the scopes in use come those of up to five types of
 * sub-agents that have notes here, the longest undreamt first.
 */
export async function dreamIfDue(
  workspace: OpenWorkspace,
  { deadline }: { readonly deadline?: number } = {},
): Promise<readonly ScheduledDream[]> {
  const results: ScheduledDream[] = [];
  openForLog(workspace);
  for (const scoped of workspace.stores.filter(({ scope }) => DREAM_SCOPES.includes(scope)))
    results.push({ scope: scoped.scope, ...(await dreamScopeIfDue(workspace, scoped, deadline)) });
  for (const agentType of agentTypesToDream(workspace))
    results.push(...(await dreamOfAgent(workspace, agentType, deadline)));
  return results;
}

/** Types of sub-agents whose notes are read after one turn. */
const MOST_AGENT_TYPES = 5;

/** Types with notes, except the one in use, the longest undreamt first. */
function agentTypesToDream({ locations }: OpenWorkspace): readonly string[] {
  const lastOf = ({ directory }: StoreLocation): number =>
    fs.statSync(path.join(directory, DREAM_LOCK), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const types = agentTypesHere(locations)
    .filter((type) => type !== locations.agentType)
    .flatMap((type) => {
      const places = agentStores(locations, type).filter(({ directory }) => hasNote(directory));
      return places.length === 0 ? [] : [{ type, last: Math.min(...places.map(lastOf)) }];
    });
  return types
    .toSorted((a, b) => a.last - b.last || (a.type < b.type ? -1 : 1))
    .slice(0, MOST_AGENT_TYPES)
    .map(({ type }) => type);
}

async function dreamOfAgent(
  { locations, clock }: OpenWorkspace,
  agentType: string,
  deadline: number | undefined,
): Promise<readonly ScheduledDream[]> {
  const workspace = openWorkspace(
    {
      ...locations,
      agentType,
      stores: [
        ...locations.stores.filter(({ scope }) => !scope.startsWith("agent")),
        ...agentStores(locations, agentType),
      ],
    },
    { clock },
  );
  try {
    const results: ScheduledDream[] = [];
    for (const scoped of workspace.stores.filter(
      ({ scope, store }) => scope.startsWith("agent") && hasNote(store.directory),
    ))
      results.push({
        scope: scoped.scope,
        agentType,
        ...(await failingAlone(dreamScopeIfDue(workspace, scoped, deadline))),
      });
    return results;
  } finally {
    workspace.close();
  }
}

/** A directory that cannot be written does not keep the others from their dreams. */
async function failingAlone(dreaming: ReturnType<typeof dreamScopeIfDue>): ReturnType<typeof dreamScopeIfDue> {
  try {
    return await dreaming;
  } catch (error) {
    if (error instanceof MemoryError) return { kind: "not-due", reason: "failed", message: error.message };
    throw error;
  }
}

async function dreamScopeIfDue(
  workspace: OpenWorkspace,
  scoped: ScopedStore,
  deadline: number | undefined,
): Promise<DreamResult | Omit<Extract<ScheduledDream, { kind: "not-due" }>, "scope">> {
  const { mode } = modeIn(workspace.modes, scoped.scope);
  if (mode !== "auto" && mode !== "confirm") return { kind: "not-due", reason: "mode", message: `the mode is ${mode}` };
  if (deadline !== undefined && workspace.clock.now() >= deadline)
    return { kind: "not-due", reason: "late", message: "the time allowed is over" };
  const due = dreamDue(workspace, scoped);
  if (!due.due) return { kind: "not-due", ...due };
  const model = await chosenModel(workspace);
  const request = {
    unsigned: false,
    newsOnly: true,
    ...(deadline === undefined ? {} : { deadline }),
    ...(model === undefined ? {} : { model }),
  };
  if (mode === "auto") return dream(workspace, scoped, { ...request, dryRun: false });
  const options = optionsOf(workspace, scoped, { ...request, dryRun: true });
  return underLock(workspace, scoped, async () => {
    const outcome = await dreamWithLog(workspace, scoped, options, request);
    return { ...outcome, told: outcome.operations };
  });
}

/** A key that was merely found is not used automatically: the user must have chosen the model. */
async function chosenModel(workspace: OpenWorkspace): Promise<Model | undefined> {
  const { locations } = workspace;
  const settings = readModelSettings(locations.memdirHome);
  return isModelNamed(locations) && chooseModel(locations, settings).kind === "chosen"
    ? requireModel(workspace)
    : undefined;
}

/** Past dreams, newest first. */
export function dreamsOf(scoped: ScopedStore): readonly DreamRecord[] {
  const bytes = nodeFiles.read(logOf(scoped));
  return bytes === undefined ? [] : readDreamLog(new TextDecoder().decode(bytes)).toReversed();
}

export interface DreamUndo {
  readonly scoped: ScopedStore;
  readonly record: DreamRecord;
  readonly result: UndoResult;
}

/** Undoes the newest dream that is not yet undone; `undefined` if there is none. */
export function undoDream(workspace: OpenWorkspace, stores: readonly ScopedStore[]): DreamUndo | undefined {
  const dreams = stores.flatMap((scoped) =>
    dreamsOf(scoped)
      .filter(({ version }) => version !== undefined)
      .map((record) => ({ scoped, record })),
  );
  for (const { scoped, record } of dreams.toSorted((a, b) => (a.record.time < b.record.time ? 1 : -1))) {
    const result = undo(workspace, scoped, undefined, String(record.version));
    const isDone =
      result.outcome === "nothing" ||
      (result.outcome === "undone" && result.changes.every(({ outcome }) => outcome === "unchanged"));
    if (!isDone) return { scoped, record, result };
  }
  return undefined;
}

function recordOf({ clock }: OpenWorkspace, outcome: DreamOutcome, ms: number): DreamRecord {
  return {
    time: new Date(clock.now()).toISOString(),
    scope: outcome.scope,
    notes: outcome.notes,
    ms: Math.round(ms),
    version: outcome.version,
    applied: outcome.applied.map(dreamLine),
    refused: outcome.refused.map(refusedLine),
    told: outcome.told.map(dreamLine),
    ...(outcome.model === undefined ? {} : { model: outcome.model }),
  };
}

/** The log is only informative: if it cannot be written, a dream stays applied. */
function keep(scoped: ScopedStore, record: DreamRecord): void {
  const file = logOf(scoped);
  const kept = withDream(dreamsOf(scoped).toReversed(), record).slice(-KEPT_DREAMS);
  const aside = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(aside, kept.map((one) => `${JSON.stringify(one)}\n`).join(""));
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function logOf({ store }: ScopedStore): string {
  return path.join(store.state, "dreams.jsonl");
}

/** A separate in-memory index over the notes with their new texts: a killed dream leaves no copy of them. */
function openTrial(workspace: OpenWorkspace, { store }: ScopedStore, texts: DreamTexts): TrialStore {
  const index = openNoteIndex(":memory:");
  const contents = new Map([...texts].map(([file, { content }]) => [file, new TextEncoder().encode(content)]));
  const read = (file: string): Uint8Array | undefined => contents.get(file) ?? store.read(file);
  const entries = store.index.entries();
  const known = new Set(entries.map(({ file }) => file));
  const made = [...contents.keys()]
    .filter((file) => !known.has(file))
    .map((file) => ({ file, mtimeMs: workspace.clock.now() }));
  fillIndex(index, [...entries, ...made], read, workspace.codec);
  releaseMemory();
  index.setUses(new Map(entries.map(({ file, uses }) => [file, uses])));
  return {
    index,
    read,
    reconcile: () => ({ added: [], changed: [], removed: [], skipped: [] }),
    recordUse: () => undefined,
    close: () => index.close(),
  };
}

/** The stores of the requested scopes. @throws MemoryError `not-found` if a named one does not exist. */
export function dreamStores(workspace: OpenWorkspace, scope: string | undefined): readonly ScopedStore[] {
  openForLog(workspace);
  const stores = workspace.stores.filter((one) =>
    scope === undefined ? DREAM_SCOPES.includes(one.scope) : one.scope === scope,
  );
  if (stores.length > 0) return stores;
  throw new MemoryError(
    "not-found",
    scope === undefined
      ? "there are no notes here yet, so there is nothing to consolidate"
      : `there are no ${scope} notes here; scopes: ${workspace.scopes.join(", ")}`,
  );
}
