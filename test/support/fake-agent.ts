import fs from "node:fs";
import path from "node:path";

/** A fake agent command: records how it was started, then acts according to its mode. */
const SCRIPT = `
const fs = require("node:fs");
const { spawn } = require("node:child_process");
const log = process.env.FAKE_AGENT_LOG;
const stubborn = "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)";
const child = (code) => {
  const started = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "inherit", "inherit"] });
  started.unref();
  return started.pid;
};
let input = "";
process.stdin.on("data", (part) => (input += part));
process.stdin.on("end", () => {
  const schema = process.argv.includes("--output-schema") ? process.argv[process.argv.indexOf("--output-schema") + 1] : undefined;
  const read = (file) => (file && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined);
  const mode = process.env.FAKE_AGENT_MODE ?? "answer";
  const pids = mode === "hang" || mode === "flood" ? [process.pid, child("setInterval(()=>{},1000)"), child(stubborn)] : mode === "leave" ? [child(stubborn)] : [];
  fs.writeFileSync(log, JSON.stringify({ argv: process.argv.slice(2), input, cwd: process.cwd(), files: fs.readdirSync("."), env: process.env, schema: read(schema), settings: read(".gemini/settings.json"), pids }));
  if (mode === "hang") { process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); return; }
  if (mode === "flood") { setInterval(() => process.stdout.write("x".repeat(1 << 16)), 1); return; }
  if (mode === "fail") { process.stderr.write("first line\\n" + (process.env.FAKE_AGENT_OUTPUT ?? "") + "\\n"); process.exitCode = 3; return; }
  process.stdout.write(process.env.FAKE_AGENT_OUTPUT ?? "");
});
`;

export interface AgentStart {
  readonly argv: readonly string[];
  readonly input: string;
  readonly cwd: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly schema: unknown;
  readonly settings: unknown;
  readonly pids: readonly number[];
}

export interface FakeAgent {
  readonly command: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  started(): boolean;
  start(): AgentStart;
}

export function fakeAgent(
  root: string,
  mode: "answer" | "hang" | "leave" | "flood" | "fail",
  output = "",
  more: Readonly<Record<string, string>> = {},
): FakeAgent {
  const command = path.join(root, "agent");
  const log = path.join(root, "start.json");
  fs.writeFileSync(command, `#!${process.execPath}\n${SCRIPT}`, { mode: 0o755 });
  return {
    command,
    environment: {
      PATH: process.env["PATH"],
      FAKE_AGENT_LOG: log,
      FAKE_AGENT_MODE: mode,
      FAKE_AGENT_OUTPUT: output,
      ...more,
    },
    started: () => fs.existsSync(log) && fs.readFileSync(log, "utf8").endsWith("}"),
    start: () => JSON.parse(fs.readFileSync(log, "utf8")),
  };
}

/** Whether a process is running; a zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false; // ESRCH: it has ended
  }
  const stat = fs.existsSync(`/proc/${pid}/stat`) ? fs.readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return !/\) [ZX] /u.test(stat);
}

export async function until(condition: () => boolean, timeoutMs = 10_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error("the condition did not come to hold in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
