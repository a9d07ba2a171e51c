import path from "node:path";
import { nodeFiles, putFile } from "./node-files.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";

/** The outcome of a store's last sync. */
export function lastRunIn(state: string): string {
  return `${state}/sync/last-run.json`;
}

export function runLogIn(state: string): string {
  return `${state}/sync/log.jsonl`;
}

/** Removes unfinished files of killed processes. */
export function dropUnfinished(state: string): void {
  for (const { name } of nodeFiles.list(`${state}/sync`) ?? [])
    if (/^(?:last-run\.json|log\.jsonl|settled\.json)\.\d+$/u.test(name))
      nodeFiles.remove(path.join(state, "sync", name));
}

/** Removes names of notes from the records of a store's sync runs. */
export function dropFromRuns(state: string, names: ReadonlySet<string>): void {
  if (nodeFiles.stat(`${state}/sync`) === undefined) return;
  dropUnfinished(state);
  const log = textAt(runLogIn(state));
  const lines = log.split("\n").filter((line) => !tells(line, names));
  if (lines.join("\n") !== log) putFile(runLogIn(state), lines.join("\n"));
  const run = textAt(lastRunIn(state));
  const value = parseJson(run);
  if (tells(run, names) && isRecord(value)) putFile(lastRunIn(state), `${JSON.stringify(without(value, names))}\n`);
}

/** File system messages contain a note's path, which ends with its name. */
function tells(text: string, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => text.includes(JSON.stringify(name).slice(1, -1)));
}

function without(
  run: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const kept = (values: unknown): unknown =>
    Array.isArray(values) ? values.filter((value) => !tells(JSON.stringify(value), names)) : [];
  const message = tells(JSON.stringify(run["message"]), names) ? "" : run["message"];
  return { ...run, message, refused: kept(run["refused"]), conflicts: kept(run["conflicts"]) };
}

function textAt(file: string): string {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}
