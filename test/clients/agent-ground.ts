import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeModel, type ToolCall } from "./fake-model.ts";
import { field, list } from "./json.ts";
import { type Ground, type Layout, layOut } from "./layout.ts";
import { processesOf, waitUntil } from "./processes.ts";
import type { Piece, RealAgent } from "./real-agents.ts";
import { type ClientRun, runClient } from "./run-client.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const SESSION_MS = 120_000;
const CAPTURE_MS = 20_000;

/** One turn of a real client, and what its model was asked. */
export interface AgentSession {
  readonly run: ClientRun;
  /** The requests of the agent itself, without those for titles and the like: texts in order. */
  readonly requests: readonly (readonly Piece[])[];
  /** Processes with this home a moment after the client had ended, the worker's time included. */
  readonly left: readonly string[];
}

export interface Turn {
  readonly prompt: string;
  readonly calls?: readonly ToolCall[];
  /** Directory of the project, or of another worktree. */
  readonly cwd?: string;
  readonly more?: readonly string[];
  /** Something that goes on beside the client, until it is told to stop. */
  readonly beside?: () => () => void;
  readonly uid?: number;
  /** How many tokens the model says that the first request had. */
  readonly tokens?: number;
}

/** A person's home and repository with clients, and memdir beside them; nothing of memdir is stood in for. */
export interface AgentGround extends Ground {
  /** A second worktree of the repository. */
  readonly worktree: string;
  /** Where memdir is installed here: a folder of its own, so that it can be taken away. */
  readonly program: string;
  memdir(...args: readonly string[]): string;
  ask(agent: RealAgent, turn: Turn): Promise<AgentSession>;
}

function installProgram(directory: string): string {
  const dist = path.join(directory, "dist");
  fs.cpSync(DIST, dist, { recursive: true, preserveTimestamps: true });
  fs.symlinkSync(path.join(DIST, "..", "node_modules"), path.join(directory, "node_modules"));
  fs.copyFileSync(path.join(DIST, "..", "package.json"), path.join(directory, "package.json"));
  return dist;
}

export function layOutForAgents(layout: Omit<Layout, "name" | "proves" | "git"> = {}): AgentGround {
  // What a model would be asked by itself is no part of this: rules do the work.
  const ground = layOut({
    ...layout,
    name: "end to end",
    proves: "",
    environment: { MEMDIR_MODEL: "off", ...layout.environment },
  });
  const worktree = path.join(ground.root, "other worktree");
  execFileSync("git", ["worktree", "add", "--quiet", "-b", "other", worktree], {
    cwd: ground.project,
    env: { ...ground.environment },
    stdio: "pipe",
  });
  const program = installProgram(path.join(ground.root, "program"));
  return {
    ...ground,
    worktree,
    program,
    memdir: (...args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(program, "memdir.cjs"), ...args], {
        cwd: ground.cwd,
        env: ground.environment,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`memdir ${args.join(" ")} ended with ${String(status)}: ${stderr}${stdout}`);
      return stdout;
    },
    ask: (agent, turn) => ask(ground, agent, turn),
  };
}

async function ask(
  ground: Ground,
  agent: RealAgent,
  { prompt, calls = [], cwd = ground.cwd, more = [], beside, uid, tokens }: Turn,
): Promise<AgentSession> {
  const model = await startFakeModel([agent.protocol], calls, tokens);
  const stop = beside?.();
  let left: readonly string[] = [];
  try {
    const { command, args, environment } = agent.start(model.url, prompt, more);
    const afterwards = async (): Promise<void> => {
      await waitUntil(() => processesOf(ground.home).length === 0, CAPTURE_MS);
      left = processesOf(ground.home).map(({ line }) => line);
    };
    const run = await runClient({
      command,
      args,
      cwd,
      environment: { ...ground.environment, ...environment },
      timeoutMs: SESSION_MS,
      afterwards,
      ...(uid !== undefined && { uid }),
    });
    const asked = model.asked.map(({ body }) => body).filter((body) => list(field(body, "tools")).length > 0);
    return { run, requests: asked.map((body) => agent.pieces(body)), left };
  } finally {
    stop?.();
    await model.close();
  }
}

const BLOCK = /<memdir-context[^>]*>[\s\S]*?<\/memdir-context>/gu;

/** memdir's own blocks in a request, each with the role it came under; of a description of them in a client's prompt, nothing. */
export function memdirBlocks(pieces: readonly Piece[]): readonly Piece[] {
  return pieces
    .filter(({ role }) => role !== "tool")
    .flatMap(({ role, text }) => [...text.matchAll(BLOCK)].map(([block]) => ({ role, text: block })));
}

export function occurrences(pieces: readonly Piece[], words: string): number {
  return pieces.reduce((sum, { text }) => sum + text.split(words).length - 1, 0);
}
