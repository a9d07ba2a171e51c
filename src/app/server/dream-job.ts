import { utimesSync } from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { checkNotePath, INDEX_FILE } from "../../core/notes/names.ts";
import type { DreamUsage } from "../../core/server/dreams.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { foldedKey } from "../../core/sync/protocol.ts";
import type { Turn } from "../../core/transcripts/turn.ts";
import { captureSession } from "../capture/capture-session.ts";
import { openExtractor, requireModel } from "../capture/extractor.ts";
import { dream } from "../dream/dream.ts";
import { modelSpending } from "../models/open-model.ts";
import { type Environment, locate } from "../workspace/locations.ts";
import { JOB_FILE, RESULT_FILE } from "./dream-files.ts";
import { openWorkspace, type OpenWorkspace } from "../workspace/open-workspace.ts";

/** The input of a dream: a store as it was at one moment, and sessions. */
export interface DreamJob {
  /** Texts of memories by their key. `at`: when each was written (ms). */
  readonly notes: readonly { readonly key: string; readonly text: string; readonly at: number }[];
  readonly sessions: readonly { readonly id: string; readonly turns: readonly Turn[] }[];
  readonly instructions: string | undefined;
  /** `PROVIDER/MODEL` to ask in addition to the rules; without it only the rules are used. */
  readonly model: string | undefined;
  /** No step starts after this time (ms since the epoch). */
  readonly until: number;
}

export interface DreamJobResult {
  /** New texts by key; `isRetired` for a note that another one replaced. */
  readonly changed: readonly { readonly key: string; readonly text: string; readonly isRetired: boolean }[];
  /** Every note that a change concerns, including notes that stay as they are. */
  readonly involved: readonly string[];
  readonly usage: DreamUsage;
}

/**
 * Runs the phases of a dream on a copy in a directory of its own: what the sessions ask to remember; then duplicates,
 * contradictions and dates; then the check that recall loses nothing. The caller applies the result.
 */
export async function runDreamJob(directory: string, environment: Environment): Promise<void> {
  const job = readJob(path.join(directory, JOB_FILE));
  const notes = path.join(directory, "notes");
  const before = spread(notes, job);
  const workspace = openAlone(directory, notes, environment, job.model);
  try {
    const result = await dreamt(workspace, job, before);
    nodeFiles.note(path.join(directory, RESULT_FILE), new TextEncoder().encode(JSON.stringify(result)));
  } finally {
    workspace.close();
  }
}

/** Only texts that can be notes are written; everything else passes through untouched. */
function spread(directory: string, { notes }: DreamJob): ReadonlyMap<string, string> {
  nodeFiles.makeDirectory(directory);
  const taken = new Set<string>();
  const written = new Map<string, string>();
  for (const { key, text, at } of notes) {
    const isNote = checkNotePath(key).ok && key !== INDEX_FILE && !text.includes("\0") && !taken.has(foldedKey(key));
    if (!isNote) continue;
    taken.add(foldedKey(key));
    const file = path.join(directory, key);
    nodeFiles.makeDirectory(path.dirname(file));
    nodeFiles.note(file, new TextEncoder().encode(text));
    // The age of a note decides which of two is in force.
    utimesSync(file, at / 1000, at / 1000);
    written.set(key, text);
  }
  return written;
}

/** One store without a project: there is no working tree that a note could refer to. */
function openAlone(
  directory: string,
  notes: string,
  environment: Environment,
  model: string | undefined,
): OpenWorkspace {
  const others = Object.entries(environment).filter(([name]) => !/^(?:MEMDIR_(?!MODEL_URL$)|CLAUDE)/u.test(name));
  const home = { HOME: directory, USERPROFILE: directory, MEMDIR_HOME: path.join(directory, "state") };
  const locations = locate({
    dir: notes,
    cwd: directory,
    environment: { ...Object.fromEntries(others), ...home, ...(model !== undefined && { MEMDIR_MODEL: model }) },
  });
  const stores = locations.stores.filter(({ scope }) => scope === "project");
  return Object.defineProperty(openWorkspace({ ...locations, stores }), "tree", { value: undefined });
}

async function dreamt(
  workspace: OpenWorkspace,
  job: DreamJob,
  before: ReadonlyMap<string, string>,
): Promise<DreamJobResult> {
  const scoped = workspace.open("project");
  if (scoped === undefined) throw new MemoryError("unavailable", "the copy of the store cannot be opened");
  const { store } = scoped;
  store.reconcile("full");
  const model = job.model === undefined ? undefined : await requireModel(workspace);
  const extractor = model === undefined ? undefined : await openExtractor(workspace, { model });
  const involved = new Set<string>();
  for (const { id, turns } of job.sessions) {
    if (workspace.clock.now() >= job.until) break;
    const given = { agent: "session", session: id, cwd: undefined, turns, toolTexts: [], problems: [] };
    const { notes } = await captureSession(workspace, given, extractor === undefined ? {} : { extractor });
    for (const { file, superseded } of notes)
      for (const one of [file, superseded]) if (one !== undefined) involved.add(one);
  }
  const result = await dream(workspace, scoped, {
    dryRun: false,
    // A request to dream over a store covers the whole store.
    unsigned: true,
    deadline: job.until,
    ...(model !== undefined && { model }),
    ...(job.instructions !== undefined && { guidance: job.instructions }),
  });
  if (result.kind === "dreamt")
    for (const { files } of result.outcome.applied) for (const file of files) involved.add(file);
  store.reconcile("full");
  const changed = store.index.entries().flatMap(({ file, supersededBy }) => {
    const bytes = store.read(file);
    const text = bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    if (text === undefined || text === before.get(file)) return [];
    return [{ key: file, text, isRetired: supersededBy !== undefined }];
  });
  return {
    changed,
    involved: [...new Set([...involved, ...changed.map(({ key }) => key)])],
    usage: usageOf(workspace),
  };
}

function usageOf({ locations }: OpenWorkspace): DreamUsage {
  const spent = modelSpending(locations).filter(({ state }) => state !== "begun");
  const sum = (of: (entry: (typeof spent)[number]) => number): number => spent.reduce((all, one) => all + of(one), 0);
  return {
    input: sum(({ inputTokens, cachedTokens }) => inputTokens - cachedTokens),
    output: sum(({ outputTokens }) => outputTokens),
    cacheRead: sum(({ cachedTokens }) => cachedTokens),
    cacheWrite: 0,
  };
}

/** Written by the server that starts the job, so only its form is checked. */
function readJob(file: string): DreamJob {
  const bytes = nodeFiles.read(file);
  const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
  if (!isDreamJob(value)) throw new MemoryError("corrupt", `${file} is not a dream`);
  return value;
}

function isDreamJob(value: unknown): value is DreamJob {
  return isRecord(value) && Array.isArray(value["notes"]) && Array.isArray(value["sessions"]);
}
