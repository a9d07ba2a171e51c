/**
 * Records demo/session.jsonl with the real Claude Code client, against a scripted model on 127.0.0.1.
 * Usage: node scripts/record-demo.mjs CLIENT [OUTPUT]
 * CLIENT is the path of the `claude` executable; none of the user's own configuration is read.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { startMessagesApi } from "./demo/messages-api.mjs";
import { ORDERS_PROJECT } from "./demo/orders-project.mjs";
import { sanitise } from "./demo/sanitise.mjs";
import { sessionScript } from "./demo/session-script.mjs";

const SESSION_TIMEOUT_MS = 180_000;
const SHIPPED_PROJECT = "/home/dev/orders";
const SHIPPED_SIZE_MAX = 200_000;

function writeProject(project, environment) {
  for (const [file, text] of Object.entries(ORDERS_PROJECT)) {
    const path = join(project, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const git = (...args) => execFileSync("git", args, { cwd: project, env: environment, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-q", "-m", "Nightly order import");
}

/** Only what the client needs: a model on loopback, a dummy key, and a separate home. */
function isolatedEnvironment(home) {
  return {
    PATH: process.env["PATH"],
    LANG: "C.UTF-8",
    TERM: "dumb",
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  };
}

const CLIENT_ARGUMENTS = [
  "--print",
  "--verbose",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--permission-mode",
  "acceptEdits",
  "--allowedTools",
  "Read,Edit,Write",
];

/** Types one prompt after another, each when the previous answer is finished. */
function runSession(client, project, environment, prompts) {
  return new Promise((done, fail) => {
    const child = spawn(client, CLIENT_ARGUMENTS, {
      cwd: project,
      env: environment,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), SESSION_TIMEOUT_MS);
    const waiting = [...prompts];
    const typeNext = () => {
      const prompt = waiting.shift();
      if (prompt === undefined) return child.stdin.end();
      const message = { type: "user", message: { role: "user", content: prompt } };
      return child.stdin.write(`${JSON.stringify(message)}\n`);
    };
    createInterface({ input: child.stdout }).on("line", (line) => {
      const event = JSON.parse(line);
      if (event.type !== "result") return;
      process.stderr.write(`${event.subtype}: ${String(event.result).slice(0, 70)}\n`);
      typeNext();
    });
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0 && waiting.length === 0) done(undefined);
      else fail(new Error(`The client ended with ${code}, ${waiting.length} prompts left.`));
    });
    typeNext();
  });
}

function readTranscript(home) {
  const projects = join(home, ".claude", "projects");
  const files = readdirSync(projects, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".jsonl"));
  if (files.length !== 1) throw new Error(`Expected one transcript, found ${files.length}: ${files.join(", ")}`);
  return readFileSync(join(projects, files[0] ?? ""), "utf8");
}

async function record(client, output) {
  const scratch = mkdtempSync(join(tmpdir(), "orders-"));
  const project = join(scratch, "orders");
  const home = join(scratch, "home");
  mkdirSync(project);
  mkdirSync(home);
  const environment = isolatedEnvironment(home);
  const exchanges = sessionScript(project);
  const api = await startMessagesApi(exchanges);
  try {
    writeProject(project, environment);
    const prompts = exchanges.map((exchange) => exchange.prompt);
    await runSession(client, project, { ...environment, ANTHROPIC_BASE_URL: api.url }, prompts);
    const slug = (path) => path.replace(/[^A-Za-z0-9]/gu, "-");
    const shipped = sanitise(readTranscript(home), [
      [project, SHIPPED_PROJECT],
      [home, dirname(SHIPPED_PROJECT)],
      [slug(project), slug(SHIPPED_PROJECT)],
    ]);
    if (shipped.includes(scratch)) throw new Error("A machine path is left in the session.");
    if (Buffer.byteLength(shipped) > SHIPPED_SIZE_MAX) throw new Error("The session is too large to ship.");
    writeFileSync(output, shipped);
  } finally {
    api.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const [client, output = join(import.meta.dirname, "..", "demo", "session.jsonl")] = process.argv.slice(2);
if (client === undefined) {
  process.stderr.write("usage: node scripts/record-demo.mjs CLIENT [OUTPUT]\n");
  process.exitCode = 2;
} else {
  await record(resolve(client), output);
}
