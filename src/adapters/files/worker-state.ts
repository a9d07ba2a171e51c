import type { FilePort } from "../../core/notes/file-port.ts";
import { numberOf, parseRecord } from "../../core/transcripts/capture-job.ts";

/** The last actions of background capture: one small file, replaced as a whole. */
export interface WorkerState {
  /** The session being captured; a killed worker leaves it set. */
  readonly running: { readonly session: string; readonly since: number } | undefined;
  readonly lastRun: WorkerRun | undefined;
  readonly lastFailure: WorkerFailure | undefined;
}

export interface WorkerFailure {
  readonly time: number;
  readonly message: string;
  /** The session that failed; unknown in files of earlier versions. */
  readonly session: string | undefined;
}

export interface WorkerRun {
  /** When it ended (ms). */
  readonly time: number;
  readonly ms: number;
  /** Sessions whose records were processed. */
  readonly sessions: number;
  readonly turns: number;
  readonly notes: number;
  readonly refused: number;
  readonly by: "rules" | "model";
}

type StateFiles = Pick<FilePort, "read" | "note" | "rename">;

export function readWorkerState(file: string, files: StateFiles): WorkerState {
  const bytes = files.read(file);
  const value = bytes === undefined ? undefined : parseRecord(new TextDecoder().decode(bytes));
  const part = (name: string): Readonly<Record<string, unknown>> | undefined => {
    const found = value?.[name];
    return typeof found === "object" && found !== null ? Object.fromEntries(Object.entries(found)) : undefined;
  };
  const [running, run, failure] = [part("running"), part("lastRun"), part("lastFailure")];
  return {
    running:
      running === undefined ? undefined : { session: String(running["session"]), since: numberOf(running["since"]) },
    lastRun:
      run === undefined
        ? undefined
        : {
            time: numberOf(run["time"]),
            ms: numberOf(run["ms"]),
            sessions: numberOf(run["sessions"]),
            turns: numberOf(run["turns"]),
            notes: numberOf(run["notes"]),
            refused: numberOf(run["refused"]),
            by: run["by"] === "model" ? "model" : "rules",
          },
    lastFailure:
      failure === undefined
        ? undefined
        : {
            time: numberOf(failure["time"]),
            message: String(failure["message"]),
            session: failure["session"] === undefined ? undefined : String(failure["session"]),
          },
  };
}

export function writeWorkerState(file: string, state: WorkerState, files: StateFiles): void {
  files.note(`${file}.tmp`, new TextEncoder().encode(JSON.stringify(state)));
  files.rename(`${file}.tmp`, file);
}

/** Clears the failure of a session that was captured after all. */
export function clearFailure(file: string, sessions: readonly string[], files: StateFiles): void {
  const state = readWorkerState(file, files);
  const { lastFailure } = state;
  if (lastFailure === undefined) return;
  const { session, message } = lastFailure;
  const isTheirs = session === undefined ? sessions.some((one) => message.includes(one)) : sessions.includes(session);
  if (isTheirs) writeWorkerState(file, { ...state, lastFailure: undefined }, files);
}
