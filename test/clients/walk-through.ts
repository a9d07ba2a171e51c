import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { type AgentGround, layOutForAgents } from "./agent-ground.ts";
import { modelArgs } from "./codex.ts";
import { startFakeModel } from "./fake-model.ts";
import { field, list } from "./json.ts";
import { processesOf, waitUntil } from "./processes.ts";
import type { Piece, RealAgent } from "./real-agents.ts";
import { runClient } from "./run-client.ts";

/** A line that a person typed, the commands that the agent ran for it, and what was shown. */
export interface Line {
  readonly typed: string;
  readonly output: string;
  /** In the agent's shell, each with what it was shown of it. */
  readonly ran: readonly { readonly command: string; readonly output: string }[];
}

/** The lines of all `console` blocks of a page: `$` is the person, `>` the agent, the rest is output. */
export function linesOf(page: string): readonly Line[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gmu)].map(([, text = ""]) => text);
  return blocks
    .flatMap((block) => block.split(/^(?=\$ )/mu))
    .map((part) => {
      const [own = "", ...rest] = part.split(/^(?=> )/mu);
      const ran = rest.map((text) => ({ command: headOf(text), output: tailOf(text) }));
      const last = ran.at(-1);
      // What the client says at the end stands after the last command's output.
      const said = last === undefined ? undefined : /(?:^|\n)(OK)$/u.exec(last.output);
      return {
        typed: headOf(own),
        output: said === null || said === undefined ? tailOf(own) : "OK",
        ran: ran.map((one) =>
          one === last && said !== null && said !== undefined
            ? { ...one, output: one.output.slice(0, said.index) }
            : one,
        ),
      };
    });
}

function headOf(text: string): string {
  return text.split("\n", 1)[0]?.slice(2) ?? "";
}

function tailOf(text: string): string {
  return text.includes("\n") ? text.slice(text.indexOf("\n") + 1).trimEnd() : "";
}

/** What one line did. */
export interface Done {
  readonly typed: string;
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
  /** The agent's requests, where a client was started. */
  readonly requests: readonly (readonly Piece[])[];
  readonly left: readonly string[];
}

export interface WalkThrough {
  readonly ground: AgentGround;
  /** Types a line as it stands; `ran` is what the scripted model has the agent's shell do. */
  type(line: string, ran: readonly string[]): Promise<Done>;
}

const SESSION_MS = 120_000;
const WORKER_MS = 20_000;

/** A person's home with `~/work/shop`, the clients and memdir on the path; lines are typed into a shell one after the other. */
export function layOutWalkThrough(agents: readonly RealAgent[], files: Readonly<Record<string, string>>): WalkThrough {
  const ground = layOutForAgents({ home: Object.assign({}, ...agents.map(({ settings }) => settings)) });
  const [bin, shop] = [path.join(ground.root, "bin"), path.join(ground.home, "work", "shop")];
  for (const directory of [bin, shop]) fs.mkdirSync(directory, { recursive: true });
  script(path.join(bin, "memdir"), `exec "${process.execPath}" "${path.join(ground.program, "memdir.cjs")}" "$@"`);
  // A login shell, which agents start, makes its path anew.
  fs.writeFileSync(path.join(ground.home, ".profile"), `PATH="${bin}:$PATH"\n`);
  const environment = { ...ground.environment, PATH: `${bin}:${ground.environment["PATH"] ?? ""}` };
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(shop, file)), { recursive: true });
    fs.writeFileSync(path.join(shop, file), text);
  }
  const prepare =
    "git init --quiet --initial-branch=main && git config user.name dev && git config user.email dev@localhost && git add --all && git commit --quiet --message 'Import orders'";
  const prepared = spawnSync("bash", ["-c", prepare], { cwd: shop, env: environment, encoding: "utf8" });
  if (prepared.status !== 0) throw new Error(prepared.stderr);
  for (const { name } of agents) ground.memdir("install", name, "--yes");
  let cwd = shop;
  /** The model's script counts the results of the whole conversation. */
  const said = new Map<string, readonly string[]>();
  return {
    ground,
    async type(line, ran) {
      if (line.startsWith("cd ")) {
        cwd = path.resolve(cwd, line.slice(3).replace(/^~/u, ground.home));
        return { typed: line, code: fs.existsSync(cwd) ? 0 : 1, out: "", err: "", requests: [], left: [] };
      }
      const agent = agents.find(({ name }) => line.startsWith(`${COMMANDS[name] ?? name} `));
      const before = agent !== undefined && line.includes("--continue") ? (said.get(agent.name) ?? []) : [];
      if (agent !== undefined) said.set(agent.name, [...before, ...ran]);
      return typeLine(line, { agent, commands: [...before, ...ran], cwd, bin, home: ground.home, environment });
    },
  };
}

const COMMANDS: Readonly<Record<string, string>> = {
  "claude-code": "claude",
  codex: "codex exec",
  gemini: "gemini",
  opencode: "opencode run",
};

interface Typing {
  readonly agent: RealAgent | undefined;
  readonly commands: readonly string[];
  readonly cwd: string;
  readonly bin: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function typeLine(line: string, { agent, commands, cwd, bin, home, environment }: Typing): Promise<Done> {
  const model =
    agent === undefined
      ? undefined
      : await startFakeModel(
          [agent.protocol],
          commands.map((command) => agent.shell(command)),
        );
  let left: readonly string[] = [];
  const afterwards = async (): Promise<void> => {
    await waitUntil(() => processesOf(home).length === 0, WORKER_MS);
    left = processesOf(home).map(({ line: process }) => process);
  };
  try {
    const more = agent === undefined || model === undefined ? {} : clientFor(agent, model.url, bin);
    const { code, out, err } = await runClient({
      command: "bash",
      args: ["-c", line],
      cwd,
      environment: { ...environment, ...more },
      timeoutMs: SESSION_MS,
      afterwards,
    });
    const asked = model?.asked.map(({ body }) => body).filter((body) => list(field(body, "tools")).length > 0) ?? [];
    return {
      typed: line,
      code,
      out,
      err,
      requests: agent === undefined ? [] : asked.map((body) => agent.pieces(body)),
      left,
    };
  } finally {
    await model?.close();
  }
}

/** The client under its own name on the path, with what only a test needs: the loopback model, and nobody to ask. Its environment is the answer. */
function clientFor(agent: RealAgent, url: string, bin: string): Readonly<Record<string, string>> {
  const program = agent.program ?? "";
  if (agent.name === "claude-code")
    script(path.join(bin, "claude"), `exec '${program}' "$@" --allowedTools Bash Read mcp__memdir`);
  if (agent.name === "codex")
    script(
      path.join(bin, "codex"),
      `shift; exec '${program}' exec --skip-git-repo-check --dangerously-bypass-hook-trust ${modelArgs(url)
        .map((word) => `'${word}'`)
        .join(" ")} "$@"`,
    );
  return agent.start(url, "", []).environment;
}

function script(file: string, text: string): void {
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** Without what differs from run to run: ids, times, and where the home is. */
export function masked(text: string, home: string): string {
  return text
    .replaceAll(home, "/home/dev")
    .replaceAll(/\S*\/checkpoints\/\S+/gu, "FILE")
    .replaceAll(/\b[0-9a-f]{7,64}\b/gu, "HASH")
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d/gu, "TIME")
    .replaceAll(/\b\d\d:\d\d\b/gu, "CLOCK")
    .trimEnd();
}

/** What the agent's tools gave back, as plain text. */
export function resultsIn(pieces: readonly Piece[]): readonly string[] {
  return pieces
    .filter(({ role }) => role === "tool")
    .map(({ text }) => {
      try {
        return stringsIn(JSON.parse(text)).join("\n");
      } catch {
        return text; // plain text already
      }
    });
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
