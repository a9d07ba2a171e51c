import { nodeFiles, unlessImpossible, putFile } from "../../adapters/files/node-files.ts";
import { dropUnfinished, lastRunIn, runLogIn } from "../../adapters/files/sync-records.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import { waitAfter } from "../../core/sync/wish.ts";
import { REFUSALS, type Refused } from "../../core/sync/gates.ts";
import type { SpaceRun, SpaceState, SyncLogLine } from "./reports.ts";

/** How the last run of a space ended. A cache for `status`, without texts. */
export interface LastRun {
  readonly time: string;
  readonly state: SpaceState;
  readonly message: string;
  readonly head: string;
  readonly refused: readonly Refused[];
  /** Conflict copies that were in the store at that time. */
  readonly conflicts: readonly string[];
  /** Devices that asked for the keys of the space. */
  readonly requests: number;
  /** Consecutive runs that could not reach the remote, since when (ISO), and the time of the next automatic attempt. */
  readonly failures: number;
  readonly offlineSince?: string;
  readonly retryAt?: string;
}

const LOG_LINES = 200;
const STATES: readonly SpaceState[] = ["never-run", "idle", "offline", "paused", "ask", "key"];

export function readLastRun(state: string): LastRun | undefined {
  const value = parseJson(textAt(lastRunIn(state)));
  if (!isRecord(value) || typeof value["time"] !== "string") return undefined;
  return {
    time: value["time"],
    state: stateOf(value["state"]),
    message: String(value["message"]),
    head: String(value["head"]),
    refused: Array.isArray(value["refused"]) ? value["refused"].flatMap(toRefused) : [],
    conflicts: Array.isArray(value["conflicts"]) ? value["conflicts"].map(String) : [],
    requests: Number(value["requests"] ?? 0),
    failures: Number(value["failures"] ?? 0),
    ...(typeof value["offlineSince"] === "string" && { offlineSince: value["offlineSince"] }),
    ...(typeof value["retryAt"] === "string" && { retryAt: value["retryAt"] }),
  };
}

/** Additional facts about a run. */
export interface RunCircumstances {
  /** When it ended (ms since the epoch). */
  readonly now: number;
  readonly head?: string;
  readonly conflicts?: readonly string[];
  readonly requests?: number;
  /** How long the remote asked not to be contacted (ms). */
  readonly retryAfterMs?: number;
}

/** Records a run. The log has only the last runs that changed something or failed. */
export function noteRun(
  state: string,
  run: SpaceRun,
  { now, head, conflicts, requests, retryAfterMs }: RunCircumstances,
): void {
  nodeFiles.makeDirectory(`${state}/sync`);
  dropUnfinished(state);
  const before = readLastRun(state);
  const time = new Date(now).toISOString();
  const last: LastRun = {
    time,
    state: run.state,
    message: run.message,
    head: head ?? before?.head ?? "",
    refused: run.refused,
    conflicts: conflicts ?? before?.conflicts ?? [],
    requests: requests ?? before?.requests ?? 0,
    ...failuresAfter(run.state, before, now, retryAfterMs),
  };
  putFile(lastRunIn(state), `${JSON.stringify(last)}\n`);
  if (run.state === "idle" && run.pulled + run.pushed + run.refused.length === 0) return;
  const line: SyncLogLine = {
    time,
    scope: run.scope,
    state: run.state,
    message: run.message,
    pulled: run.pulled,
    pushed: run.pushed,
    conflicts: run.conflicts.length,
    refused: run.refused.length,
  };
  const lines = [...linesOf(state), JSON.stringify(line)].slice(-LOG_LINES);
  putFile(runLogIn(state), lines.map((one) => `${one}\n`).join(""));
}

/**
 * Records a run that transferred nothing: only its time is new. After a power failure the last run may be unknown,
 * which does no harm, so this does not wait for the disk.
 */
export function noteQuietRun(state: string, now: number): void {
  const before = readLastRun(state);
  if (before === undefined) return;
  const { head, refused, conflicts, requests } = before;
  const kept = { head, refused, conflicts, requests };
  const last: LastRun = { time: new Date(now).toISOString(), state: "idle", message: "", ...kept, failures: 0 };
  unlessImpossible(() => {
    const aside = `${lastRunIn(state)}.${process.pid}`;
    nodeFiles.note(aside, new TextEncoder().encode(`${JSON.stringify(last)}\n`));
    nodeFiles.rename(aside, lastRunIn(state));
  });
}

/** Records a run that could not start. The same cause may also prevent this write. */
export function noteFailedRun(state: string, run: SpaceRun, now: number): void {
  unlessImpossible(() => noteRun(state, run, { now }));
}

function failuresAfter(
  state: SpaceState,
  before: LastRun | undefined,
  now: number,
  retryAfterMs: number | undefined,
): Pick<LastRun, "failures" | "offlineSince" | "retryAt"> {
  if (state !== "offline") return { failures: 0 };
  const failures = (before?.failures ?? 0) + 1;
  return {
    failures,
    offlineSince: before?.offlineSince ?? new Date(now).toISOString(),
    retryAt: new Date(now + waitAfter(failures, Math.random(), retryAfterMs)).toISOString(),
  };
}

/** Oldest first. */
export function readRunLog(state: string, scope: SyncLogLine["scope"]): readonly SyncLogLine[] {
  return linesOf(state).flatMap((text) => {
    const value = record(parseJson(text));
    if (typeof value["time"] !== "string") return [];
    const count = (name: string): number => Number(value[name] ?? 0);
    return [
      {
        time: value["time"],
        scope,
        state: stateOf(value["state"]),
        message: String(value["message"]),
        pulled: count("pulled"),
        pushed: count("pushed"),
        conflicts: count("conflicts"),
        refused: count("refused"),
      },
    ];
  });
}

function linesOf(state: string): readonly string[] {
  return textAt(runLogIn(state))
    .split("\n")
    .filter((line) => line !== "");
}

function textAt(file: string): string {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

function stateOf(value: unknown): SpaceState {
  return STATES.find((one) => one === value) ?? "idle";
}

function toRefused(value: unknown): readonly Refused[] {
  const { key, reason, rule, limitBytes } = record(value);
  const known = REFUSALS.find((one) => one === reason);
  if (typeof key !== "string" || known === undefined) return [];
  return [
    {
      key,
      reason: known,
      ...(typeof rule === "string" && { rule }),
      ...(typeof limitBytes === "number" && { limitBytes }),
    },
  ];
}
