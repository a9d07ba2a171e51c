import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { cli, emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const LIBRARY = new URL("../../dist/index.js", import.meta.url).href;
/** From the package of the same name, where the system has it. */
const TRACER = "strace";
/** Only the calls asked for stop the process, where the kernel filters them: half the time. */
const FOLLOW = ["--seccomp-bpf", "-f"].slice(spawnSync(TRACER, ["--seccomp-bpf", "-f", "true"]).status === 0 ? 0 : 1);
const STRACE = spawnSync(TRACER, [...FOLLOW, "-e", "trace=file", "true"]).status === 0;

let root: string;
const home = (): string => `${root}/home`;
let environment: Record<string, string | undefined>;

beforeEach(async () => {
  root = scratch();
  environment = { ...emptyHome(root), NODE_OPTIONS: "" };
  fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
  fs.mkdirSync(`${home()}/.claude`, { recursive: true });
  fs.writeFileSync(
    `${root}/session.jsonl`,
    `${JSON.stringify({ type: "user", uuid: "m1", sessionId: "s1", timestamp: "2026-03-02T09:00:00Z", promptSource: "typed", message: { role: "user", content: "From now on always squash merges." } })}\n`,
  );
  await memdir(["remember", "The postgres container listens on port 5433.", "--name", "port"]);
  await memdir(["remember", "I am Jané, I write Rust.", "--type", "user", "--name", "jane"]);
  await memdir(["recall", "which port has the postgres container", "--session", "s1"]);
  await memdir(["log", "An entry from before"]);
  await memdir(["checkpoint", "save", "--goal", "x"]);
  fs.writeFileSync(`${home()}/.memdir/vocabulary.txt`, "container = box\n");
});

async function memdir(args: readonly string[]): Promise<void> {
  const { code, err } = await cli(args, { cwd: `${root}/orders`, environment });
  expect(`${code} ${err}`).toMatch(/^0 /u);
}

/** Every command that could touch memory, and what an agent's client runs. */
const COMMANDS: readonly (readonly string[])[] = [
  ["recall", "which port has the postgres container"],
  ["recall", "postgres port", "--session", "s1", "--json"],
  ["recall", "postgres", "--explain"],
  ["context"],
  ["context", "--json", "--text"],
  ["status"],
  ["status", "--json"],
  ["capture", "SESSION"],
  ["remember", "x"],
  ["list"],
  ["show", "port"],
  ["edit", "port", "--name", "y"],
  ["forget", "port", "--yes"],
  ["history"],
  ["undo"],
  ["review", "--list"],
  ["review", "accept", "--all"],
  ["session", "list"],
  ["session", "show", "s1"],
  ["session", "update", "SESSION"],
  ["why", "postgres"],
  ["why", "--last"],
  ["why-not", "port", "postgres"],
  ["replay"],
  ["verify"],
  ["mode"],
  ["models"],
  ["instructions", "check"],
  ["search", "postgres"],
  ["prompts"],
  ["guard", "list"],
  ["checkpoint", "list"],
  ["checkpoint"],
  ["checkpoint", "save", "--goal", "x"],
  ["checkpoint", "show"],
  ["checkpoint", "restore"],
  ["log"],
  ["log", "The vendor moves the API"],
  ["log", "--days", "9", "--json"],
  ["audit"],
  ["dream", "--apply"],
  ["dream", "log"],
  ["import", "codex", "--yes"],
  ["doctor"],
  ["doctor", "--json"],
];

const PROGRAM = `
import { openMemory } from ${JSON.stringify(LIBRARY)};
const memory = openMemory({ cwd: process.cwd() });
const tried = async (work) => { try { await work(); } catch (error) { if (error.code !== "refused" && error.code !== "not-found") throw error; } };
const recalled = memory.recall("which port has the postgres container", { session: "s1", verify: true });
await recalled.refined;
await tried(() => memory.takeRefined("s1"));
await tried(() => memory.context());
await tried(() => memory.instructions());
await tried(() => memory.verify());
await tried(() => memory.list());
await tried(() => memory.remember({ body: "x" }));
await tried(() => memory.capture(process.argv[1]));
await tried(() => memory.history());
await tried(() => memory.undo());
memory.close();
`;

/** One line a system call that has to do with what must not be touched, or with the network. */
function touched(args: readonly string[]): string[] {
  const log = `${root}/trace.txt`;
  spawnSync(TRACER, [...FOLLOW, "-y", "-s", "4096", "-e", "trace=file,network", "-o", log, process.execPath, ...args], {
    cwd: `${root}/orders`,
    env: environment,
  });
  const lines = fs.readFileSync(log, "utf8").split("\n").map(unescape);
  return lines.filter((line) => isNetwork(line) || pathsIn(line).some(isGuarded));
}

/** Loaded before memdir: writes down every path that Node's file functions and databases are given, and every connection. */
const SPY = `
const fs = require("node:fs"), net = require("node:net"), path = require("node:path"), { syncBuiltinESMExports } = require("node:module");
const write = fs.appendFileSync, log = process.env.SPY_LOG;
let busy = false;
const note = (what) => {
  if (busy) return; // writing it down uses the same functions
  busy = true;
  write(log, what + "\\n");
  busy = false;
};
note("spying");
for (const name of Object.keys(fs)) {
  const real = fs[name];
  if (typeof real !== "function" || !/^[a-z]/.test(name)) continue;
  fs[name] = function (...given) {
    for (const one of given.slice(0, 2)) if (typeof one === "string" && one.includes("/") && !one.includes("\\n")) note(name + '("' + path.resolve(one) + '"');
    return Reflect.apply(real, this, given);
  };
}
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) { note("connect("); return Reflect.apply(connect, this, given); };
syncBuiltinESMExports();
`;

/** The same look from inside the process, for machines without a tracer: it sees what Node is asked for. */
function touchedInside(args: readonly string[]): string[] {
  fs.writeFileSync(`${root}/spy.cjs`, SPY);
  fs.writeFileSync(`${root}/spy.txt`, "");
  spawnSync(process.execPath, ["--require", `${root}/spy.cjs`, ...args], {
    cwd: `${root}/orders`,
    env: { ...environment, SPY_LOG: `${root}/spy.txt` },
  });
  const seen = fs.readFileSync(`${root}/spy.txt`, "utf8").split("\n");
  if (!seen.includes("spying")) throw new Error(`the spy saw nothing of ${args.join(" ")}`);
  return seen.filter((line) => isNetwork(line) || pathsIn(line).some(isGuarded));
}

/** The kernel's octal escapes for what is not ASCII. */
function unescape(line: string): string {
  return Buffer.from(
    line.replace(/\\([0-7]{1,3})/gu, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    "latin1",
  ).toString("utf8");
}

function isNetwork(line: string): boolean {
  return /\b(?:connect|sendto|bind|listen)\(|socket\(AF_INET/u.test(line);
}

function pathsIn(line: string): string[] {
  const base = /\(AT_FDCWD<([^>]*)>|\(\d+<([^>]*)>/u.exec(line);
  const from = base?.[1] ?? base?.[2] ?? `${root}/orders`;
  return [...line.matchAll(/"([^"]*)"/gu)].map(([, given = ""]) => path.resolve(from, given));
}

/** The stores, the memory directory of Claude Code and memdir's own home; of it all only the settings may be read. */
function isGuarded(file: string): boolean {
  const inside = [`${home()}/.memdir`, `${home()}/.claude/projects`].some(
    (directory) => file === directory || file.startsWith(`${directory}/`),
  );
  return inside && file !== `${home()}/.memdir/settings.json`;
}

async function turnOff(): Promise<void> {
  await memdir(["mode", "off"]);
}

/** Switched off where Claude Code would read it, for the project alone. */
function turnOffInProject(name: string): void {
  fs.mkdirSync(`${root}/orders/.claude`, { recursive: true });
  fs.writeFileSync(`${root}/orders/.claude/${name}`, JSON.stringify({ autoMemoryEnabled: false }));
}

/** What stands for the commands where only the switch is another: one that reads, one that writes, one that looks around. */
const SOME_COMMANDS = [
  ["recall", "which port has the postgres container"],
  ["remember", "x"],
  ["context"],
  ["status"],
  ["doctor"],
  ["capture", "SESSION"],
];

describe.skipIf(!STRACE)("off, as the kernel sees it", () => {
  it("touches nothing of memory and opens no connection, whatever command is run", { timeout: 240_000 }, async () => {
    await turnOff();
    for (const args of COMMANDS)
      expect(
        touched([COMMAND, ...args.map((arg) => arg.replace("SESSION", `${root}/session.jsonl`))]),
        args.join(" "),
      ).toEqual([]);
  });

  it.each(["settings.json", "settings.local.json"])(
    "touches nothing where .claude/%s of the project switches memory off",
    { timeout: 120_000 },
    (name) => {
      turnOffInProject(name);
      for (const args of SOME_COMMANDS)
        expect(
          touched([COMMAND, ...args.map((arg) => arg.replace("SESSION", `${root}/session.jsonl`))]),
          args.join(" "),
        ).toEqual([]);
    },
  );

  it(
    "touches nothing from the library either, and reads not even the settings when the environment says off",
    { timeout: 120_000 },
    async () => {
      await turnOff();
      expect(touched(["--input-type=module", "-e", PROGRAM, `${root}/session.jsonl`])).toEqual([]);
      environment = {
        ...environment,
        MEMDIR_MODE: "off",
        ANTHROPIC_API_KEY: "test",
        ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      };
      expect(touched(["--input-type=module", "-e", PROGRAM, `${root}/session.jsonl`])).toEqual([]);
      fs.rmSync(`${home()}/.memdir/settings.json`);
      expect(touched([COMMAND, "recall", "postgres"])).toEqual([]);
    },
  );

  it(
    "would be caught reading: the same look finds opened notes in mode auto, and a connection where one is made",
    { timeout: 120_000 },
    () => {
      expect(
        touched([COMMAND, "recall", "which port has the postgres container"]).filter((line) =>
          /\bopen(?:at)?\(/u.test(line),
        ).length,
      ).toBeGreaterThan(0);
      expect(
        touched(["--input-type=module", "-e", PROGRAM, `${root}/session.jsonl`]).some((line) =>
          line.includes("project_port.md"),
        ),
      ).toBe(true);
      expect(
        touched(["-e", 'require("node:net").connect(9, "127.0.0.1").on("error", () => {})']).some((line) =>
          line.includes("connect("),
        ),
      ).toBe(true);
    },
  );
});

describe("off, as Node sees it", () => {
  it("touches nothing of memory and opens no connection", { timeout: 240_000 }, async () => {
    await turnOff();
    // Where the kernel was asked about every command, this only shows that the other look agrees.
    for (const args of STRACE ? SOME_COMMANDS : COMMANDS)
      expect(
        touchedInside([COMMAND, ...args.map((arg) => arg.replace("SESSION", `${root}/session.jsonl`))]),
        args.join(" "),
      ).toEqual([]);
    expect(touchedInside(["--input-type=module", "-e", PROGRAM, `${root}/session.jsonl`])).toEqual([]);
  });

  it("would be caught in mode auto", () => {
    expect(touchedInside([COMMAND, "recall", "which port has the postgres container"]).length).toBeGreaterThan(0);
    expect(
      touchedInside(["--input-type=module", "-e", PROGRAM, `${root}/session.jsonl`]).some((line) =>
        line.includes("project_port.md"),
      ),
    ).toBe(true);
    expect(touchedInside(["-e", 'require("node:net").connect(9, "127.0.0.1").on("error", () => {})'])).toContain(
      "connect(",
    );
  });
});
