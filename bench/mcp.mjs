/**
 * node bench/mcp.mjs [--notes N] [--runs N]: how long an agent waits for `memdir mcp`: from start to the answer to
 * initialize, and on to the first recall, asked at once and a moment later. Compared with bare node in interleaved
 * runs; medians in ms. NODE_EXTRA_CA_CERTS is unset for child processes, because Node 20 reads it at every start.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openMemory } from "../dist/index.js";
import { makeNote, seeded } from "./synthetic-notes.mjs";

const COMMAND = fileURLToPath(new URL("../dist/memdir.cjs", import.meta.url));
const notes = Number(argument("--notes") ?? 10_000);
const runs = Number(argument("--runs") ?? 25);
/** How soon a client sends its first request if it asks a model first (ms). */
const LATER_MS = 150;

const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-mcp-"));
const environment = { ...process.env, HOME: path.join(root, "home"), MEMDIR_HOME: path.join(root, "home", ".memdir") };
delete environment.NODE_EXTRA_CA_CERTS;
const directory = path.join(root, "notes");
const empty = path.join(root, "empty.cjs");

const line = (message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const INITIALIZE = line({
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});
const RECALL =
  line({ method: "notifications/initialized" }) +
  line({
    id: 2,
    method: "tools/call",
    params: { name: "recall", arguments: { prompt: "how do we deploy the billing service to staging" } },
  });

try {
  prepare();
  const times = { bare: [], initialize: [], atOnce: [], total: [], later: [] };
  for (let run = 0; run < runs; run++) {
    times.bare.push(await bare());
    const now = await session(0);
    times.initialize.push(now.initialize);
    times.atOnce.push(now.recall);
    times.total.push(now.initialize + now.recall);
    times.later.push((await session(LATER_MS)).recall);
  }
  const [node, initialize, total] = [median(times.bare), median(times.initialize), median(times.total)];
  const rows = [
    ["bare node", `${node.toFixed(1)} ms`, ""],
    ["start to initialize answered", `${initialize.toFixed(1)} ms`, ""],
    ["initialize / bare node", `${(initialize / node).toFixed(2)} ×`, "≤ 3 ×"],
    ["first recall, asked at once", `${median(times.atOnce).toFixed(1)} ms`, ""],
    ["start to first recall answered / (3 × bare node + 10 ms)", (total / (3 * node + 10)).toFixed(2), "≤ 1"],
    [`first recall, asked ${LATER_MS} ms later`, `${median(times.later).toFixed(1)} ms`, "≤ 10 ms"],
  ];
  process.stdout.write(
    `node ${process.version}, ${os.cpus()[0]?.model ?? "unknown"} × ${os.cpus().length}, ${notes} notes, ${runs} interleaved runs, medians\n`,
  );
  for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

function prepare() {
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(empty, "");
  const random = seeded(7);
  for (let note = 0; note < notes; note++)
    fs.writeFileSync(path.join(directory, `project_note_${note}.md`), makeNote(random, note));
  const memory = openMemory({ dir: directory, environment, model: "off" });
  memory.list();
  memory.close();
}

function bare() {
  const started = performance.now();
  return new Promise((done) =>
    spawn(process.execPath, [empty], { env: environment, stdio: "ignore" }).once("exit", () =>
      done(performance.now() - started),
    ),
  );
}

function session(waitMs) {
  const started = performance.now();
  const child = spawn(process.execPath, [COMMAND, "mcp", "--dir", directory], {
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let initialize;
  let asked;
  let said = "";
  child.stdin.write(INITIALIZE);
  return new Promise((done) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
      if (!said.endsWith("\n")) return;
      if (initialize === undefined) {
        initialize = performance.now() - started;
        setTimeout(() => {
          asked = performance.now();
          child.stdin.write(RECALL);
        }, waitMs);
      } else if (said.includes('"id":2')) {
        const recall = performance.now() - asked;
        child.stdin.end();
        child.once("exit", () => done({ initialize, recall }));
      }
    });
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function argument(name) {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}
