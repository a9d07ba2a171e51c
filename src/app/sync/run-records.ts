import { nodeFiles, unlessImpossible, putFile } from "../../adapters/files/node-files.ts";
import { dropUnfinished, lastRunIn, runLogIn } from "../../adapters/files/sync-records.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import { waitAfter } from "../../core/sync/wish.ts";
import type { Refused } from "../../core/sync/gates.ts";
import type { SpaceRun, SpaceState, SyncLogLine } from "./reports.ts";

/** How the last run of a space ended. A cache for `status`: texts are not in it. */
export interface LastRun {
  readonly time: string;
  readonly state: SpaceState;
  readonly message: string;
  readonly head: string;
  readonly refused: readonly Refused[];
  /** Conflict copies that were in the store then. */
  readonly conflicts: readonly string[];
  /** Devices that asked for the keys of the space. */
  readonly requests: number;
  /** Runs in a row that could not reach the remote; since when (ISO), and before when nothing is tried automatically. */
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

/** What is known besides the run itself. */
export interface RunCircumstances {
  /** When it ended (ms). */
  readonly now: number;
  readonly head?: string;
  readonly conflicts?: readonly string[];
  readonly requests?: number;
  /** How long the remote asked to be left alone (ms). */
  readonly retryAfterMs?: number;
}

/** Notes a run. The log has only runs that did something or failed, the last of them. */
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
 * Of a run in which nothing travelled: only its time is new. What a power loss can leave of it is that nothing is known of
 * the last run, so nobody waits for the disk.
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

/** Of a run that could not begin. What kept it from that may keep the note from the disk too. */
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
  const known = (["secret", "hidden", "person", "size", "text", "key", "sealed"] as const).find(
    (one) => one === reason,
  );
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
