import { nodeFiles } from "../../adapters/files/node-files.ts";
import { putFile } from "../../adapters/files/put-file.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import type { Refused } from "../../core/sync/gates.ts";
import type { SpaceRun, SpaceState, SyncLogLine } from "./reports.ts";

/** How the last run of a space ended. A cache for `status`: texts are not in it. */
export interface LastRun {
  readonly time: string;
  readonly state: SpaceState;
  readonly message: string;
  readonly head: string;
  readonly refused: readonly Refused[];
}

const LOG_LINES = 200;
const STATES: readonly SpaceState[] = ["never-run", "idle", "offline", "paused", "ask"];

export function readLastRun(state: string): LastRun | undefined {
  const value = parseJson(textAt(`${state}/sync/last-run.json`));
  if (!isRecord(value) || typeof value["time"] !== "string") return undefined;
  return {
    time: value["time"],
    state: stateOf(value["state"]),
    message: String(value["message"]),
    head: String(value["head"]),
    refused: Array.isArray(value["refused"]) ? value["refused"].flatMap(toRefused) : [],
  };
}

/** Notes a run. The log has only runs that did something or failed, the last of them. */
export function noteRun(state: string, run: SpaceRun, time: string, head: string): void {
  nodeFiles.makeDirectory(`${state}/sync`);
  const last: LastRun = { time, state: run.state, message: run.message, head, refused: run.refused };
  putFile(`${state}/sync/last-run.json`, `${JSON.stringify(last)}\n`);
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
  putFile(`${state}/sync/log.jsonl`, lines.map((one) => `${one}\n`).join(""));
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
  return textAt(`${state}/sync/log.jsonl`)
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
  const { key, reason, rule } = record(value);
  const known = (["secret", "hidden", "person", "size", "key"] as const).find((one) => one === reason);
  if (typeof key !== "string" || known === undefined) return [];
  return [{ key, reason: known, ...(typeof rule === "string" && { rule }) }];
}
