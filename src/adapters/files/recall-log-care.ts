import fs from "node:fs";
import path from "node:path";
import type { KeptRecallLog, RecallLogHealth } from "../../core/recall/recall-log.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import {
  FILE,
  isSystemError,
  OLDER,
  openOrdinary,
  openRecallLog,
  PROBLEM,
  READ_BYTES,
  type RecallLogParts,
  tailOf,
  TO_APPEND,
} from "./recall-log.ts";

/** The log with what recall itself never needs: forgetting, and a look at how it is. */
export function openKeptRecallLog(parts: RecallLogParts): KeptRecallLog {
  return {
    ...openRecallLog(parts),
    drop: (isAbout, everywhere) => dropLines(parts, isAbout, everywhere),
    health: () => healthOf(parts.state),
  };
}

function dropLines({ state, files }: RecallLogParts, isAbout: (line: string) => boolean, everywhere: boolean): void {
  const stores = path.dirname(state);
  const states = everywhere
    ? (files.list(stores) ?? []).filter(({ kind }) => kind === "directory").map(({ name }) => path.join(stores, name))
    : [state];
  for (const file of states.flatMap((one) => [path.join(one, FILE), path.join(one, OLDER)])) {
    const stat = files.stat(file);
    if (stat?.kind !== "file") continue;
    const lines = tailOf(file, READ_BYTES)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    const kept = lines.filter((line) => line.endsWith("}") && !isAbout(line)); // what cannot be read cannot be judged
    if (kept.length === lines.length && stat.size <= READ_BYTES) continue;
    files.remove(`${file}.new`);
    files.create(`${file}.new`, Buffer.from(kept.map((line) => `${line}\n`).join("")));
    files.rename(`${file}.new`, file);
  }
}

function healthOf(state: string): RecallLogHealth {
  const file = path.join(state, FILE);
  const stats = [file, path.join(state, OLDER)].map((one) => fs.lstatSync(one, { throwIfNoEntry: false }));
  const problem = presentProblem(state, file) ?? pastProblem(path.join(state, PROBLEM), stats[0]?.mtimeMs ?? 0);
  return { path: file, bytes: stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0), problem };
}

/** Whether a line could be written now. */
function presentProblem(state: string, file: string): RecallLogHealth["problem"] {
  if (!fs.existsSync(state)) return undefined;
  try {
    fs.accessSync(state, fs.constants.W_OK);
    if (fs.existsSync(file)) fs.closeSync(openOrdinary(file, TO_APPEND));
    return undefined;
  } catch (error) {
    if (!(error instanceof MemoryError) && !isSystemError(error)) throw error;
    return { time: "", message: error.message };
  }
}

/** What stopped a recall from being logged, unless one was logged since. */
function pastProblem(trace: string, loggedMs: number): RecallLogHealth["problem"] {
  const stat = fs.statSync(trace, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.mtimeMs < loggedMs) return undefined;
  try {
    const value: unknown = JSON.parse(fs.readFileSync(trace, "utf8"));
    if (typeof value !== "object" || value === null || !("time" in value) || !("message" in value)) return undefined;
    return { time: String(value.time), message: String(value.message) };
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return { time: "", message: `${trace} cannot be read` };
    throw error;
  }
}
