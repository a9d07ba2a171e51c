import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ModelFailure, ModelRequest } from "../../core/models/model.ts";
import { codeOf } from "../../core/shared/errors.ts";

export type AgentEnvironment = Readonly<Record<string, string | undefined>>;

export interface AgentRun {
  readonly command: string;
  readonly args: readonly string[];
  /** The text for its standard input. */
  readonly input: string;
  /** An empty directory to run in, so that no project instructions are read. */
  readonly directory: string;
  readonly environment: AgentEnvironment;
  readonly request: Pick<ModelRequest, "signal" | "timeoutMs">;
}

export type AgentOutput = { readonly kind: "output"; readonly stdout: string; readonly ms: number } | ModelFailure;

/** The most that an agent may print (bytes); beyond that it is ended. */
const MOST_BYTES = 1 << 20;
/** The time between SIGTERM and SIGKILL (ms). */
const GRACE_MS = 300;

/** Process groups now running, by the id of their first process. */
const groups = new Set<number>();
let onGroups: (groups: readonly number[]) => void = () => undefined;

/** Calls `listener` whenever a group begins or ends, so that the groups can be ended without this thread. */
export function watchAgentGroups(listener: (groups: readonly number[]) => void): void {
  onGroups = listener;
}

function noteGroup({ pid }: ChildProcess, runs: boolean): void {
  if (pid === undefined) return;
  if (runs) groups.add(pid);
  else groups.delete(pid);
  onGroups([...groups]);
}

/** Runs an agent without a shell, in its own process group, which does not outlive the call. */
export function runAgent(run: AgentRun): Promise<AgentOutput> {
  const started = performance.now();
  const child = spawn(run.command, [...run.args], {
    cwd: run.directory,
    env: nestedEnvironment(run.environment),
    detached: process.platform !== "win32",
    shell: false,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  noteGroup(child, true);
  return new Promise((resolve) => {
    let early: Pick<ModelFailure, "kind" | "reason"> | undefined;
    const end = (kind: ModelFailure["kind"], reason: string): void => {
      early ??= { kind, reason };
      endGroup(child);
    };
    const stdout = collect(child.stdout, () =>
      end("invalid-answer", `${run.command} printed more than ${MOST_BYTES} bytes`),
    );
    const stderr = collect(child.stderr, () =>
      end("invalid-answer", `${run.command} printed more than ${MOST_BYTES} bytes of messages`),
    );
    const timer = setTimeout(
      () => end("timeout", `${run.command} did not answer within ${Math.round(run.request.timeoutMs)} ms`),
      run.request.timeoutMs,
    );
    const onAbort = (): void => end("cancelled", "cancelled by the caller");
    const onExit = (): void => signalGroup(child, "SIGKILL");
    const done = (outcome: (ms: number) => AgentOutput): void => {
      clearTimeout(timer);
      run.request.signal?.removeEventListener("abort", onAbort);
      process.removeListener("exit", onExit);
      const ms = performance.now() - started;
      resolve(early === undefined ? outcome(ms) : { ...early, ms });
    };
    process.once("exit", onExit);
    run.request.signal?.addEventListener("abort", onAbort, { once: true });
    if (run.request.signal?.aborted === true) onAbort();
    child.once("error", (error) =>
      done((ms) => ({
        kind: "unavailable",
        reason: `${run.command} cannot be started: ${codeOf(error) || String(error)}`,
        ms,
      })),
    );
    // Processes that it left behind would keep its output open, so the whole group is ended.
    child.once("exit", () => {
      signalGroup(child, "SIGKILL");
      noteGroup(child, false);
    });
    child.once("close", (code) =>
      done((ms) => outcomeOf(run.command, code, { stdout: stdout(), stderr: stderr() }, ms)),
    );
    // An agent that exits before reading all its input closes the pipe; its exit status gives the reason.
    child.stdin.on("error", () => undefined);
    child.stdin.end(run.input);
  });
}

function outcomeOf(
  command: string,
  code: number | null,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  ms: number,
): AgentOutput {
  if (code === 0) return { kind: "output", stdout, ms };
  const said = (stderr.trim().split("\n").at(-1) ?? "").slice(0, 300);
  const kind = /log ?in|logged out|unauthori[sz]ed|api key|authenticat/iu.test(`${stderr}\n${stdout}`)
    ? "unauthorised"
    : "unavailable";
  return {
    kind,
    reason: `${command} ended with ${code ?? "a signal"}${kind === "unauthorised" ? ": it is not logged in" : said === "" ? "" : `: ${said}`}`,
    ms,
  };
}

function collect(stream: NodeJS.ReadableStream, onTooMuch: () => void): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on("data", (part: Buffer) => {
    size += part.byteLength;
    if (size <= MOST_BYTES) parts.push(part);
    else onTooMuch();
  });
  return () => Buffer.concat(parts).toString("utf8");
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, "SIGTERM");
  setTimeout(() => {
    signalGroup(child, "SIGKILL");
    // A process that left the group may keep the pipes open; memdir does not wait for it.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE_MS);
}

/** The group has the child's id. On Windows a system tool ends the process tree. */
function signalGroup({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
      "error",
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group has ended, or what is left of it belongs to another user.
    if (codeOf(error) !== "ESRCH" && codeOf(error) !== "EPERM") throw error;
  }
}

/** Variables that tell an agent that it runs inside another one, or give it the outer agent's channels. */
const OUTER_SESSION =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_ENV_FILE|CLAUDE_PROJECT_DIR|CLAUDE_CODE_(?:SESSION_ID|SESSION_ATTENDED|ENTRYPOINT|MESSAGING_\w+)|GEMINI_CLI|CODEX_THREAD_ID)$/u;

/** With this marker every nested memdir does nothing, so that memory never triggers memory. */
function nestedEnvironment(environment: AgentEnvironment): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OUTER_SESSION.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), MEMDIR_NESTED: "1", CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1", NO_COLOR: "1" };
}

/** Gives `work` a new directory and removes it afterwards. */
export async function inEmptyDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-agent-"));
  try {
    return await work(directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
