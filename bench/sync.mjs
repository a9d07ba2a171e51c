#!/usr/bin/env node
/**
 * The cost of a sync run with real processes, over a bare git repository and over `memdir-server` on loopback, compared
 * with bare Node and a command without network. Times depend on this machine and moment: compare them within one run.
 * Also counts the pages that a pull touches in the server's database, in spaces of 1,000 notes and of many, and, if
 * PostgreSQL is installed, pushes per second into one space and into several. Next to a figure is the target, and
 * whether it is met.
 * Usage: npm run bench:sync [-- --notes 1000 --rounds 7 --large 1000000].
 */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { pagesOfPulls, spaceOf } from "./sync/pages.mjs";
import { pushesPerSecond } from "./sync/pushes.mjs";

const { values } = parseArgs({
  options: {
    notes: { type: "string", default: "1000" },
    rounds: { type: "string", default: "7" },
    large: { type: "string", default: "100000" },
  },
});
const notes = Number(values.notes);
const rounds = Number(values.rounds);
const dist = path.join(import.meta.dirname, "..", "dist");
const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-bench-sync-")));
const rows = [];
/** Targets in milliseconds, over bare Node or in total. */
const WANTED = {
  [`git: sync now, nothing to do`]: { overNode: 60 },
  [`git: ${notes} notes on a new machine`]: { all: 10_000 },
  [`server: ${notes} notes on a new machine`]: { all: 10_000 },
};
let server;
try {
  console.log(`Node ${process.version}, ${os.cpus().length} CPUs, ${notes} notes, medians of ${rounds} rounds`);
  const [bareMs] = medians([() => node(["-e", "0"])]);
  const bare = path.join(root, "notes.git");
  spawnSync("git", ["init", "--quiet", "--bare", bare]);
  measure("git", [bare], bareMs);
  server = await startServer();
  measure("server", [server.url, "--token-file", server.tokenFile], bareMs);
  console.table(rows);
  await countRequests();
  await countPages();
  const pushes = await pushesPerSecond();
  if (pushes.length === 0) console.log("no PostgreSQL is installed: pushes to many spaces were not measured");
  else {
    console.log("pushes of one note of 600 bytes into a PostgreSQL server, 8 at once by each client");
    console.table(pushes);
  }
} finally {
  if (server !== undefined) await end(server.child);
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

function end(child) {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
}

/** A home with manual sync, so that nothing else runs during a measurement. */
function device(name, remote) {
  const home = path.join(root, name);
  fs.mkdirSync(home);
  const memdir = (...args) => {
    const done = spawnSync(process.execPath, [path.join(dist, "memdir.cjs"), ...args], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: path.join(root, "cache") },
      encoding: "utf8",
    });
    if (done.status !== 0) throw new Error(`memdir ${args.join(" ")}: ${done.status} ${done.stdout}${done.stderr}`);
    return done.stdout;
  };
  const setUp = () => memdir("sync", "setup", ...remote, "--scope", "user", "--manual", "--yes");
  return { memdir, setUp, directory: path.join(home, ".memdir", "user", "memory") };
}

function write(one, n, words) {
  const text = `---\nname: note ${n}\ndescription: what note ${n} is about\ntype: feedback\n---\n${words} `;
  fs.mkdirSync(one.directory, { recursive: true });
  fs.writeFileSync(path.join(one.directory, `feedback_n${n}.md`), text + "lorem ipsum ".repeat(40));
}

function measure(kind, remote, bareMs) {
  const [a, b] = [device(`${kind} a`, remote), device(`${kind} b`, remote)];
  for (let n = 0; n < notes; n++) write(a, n, "first");
  row(kind, `${notes} notes sent for the first time`, timed(a.setUp), bareMs);
  row(kind, `${notes} notes on a new machine`, timed(b.setUp), bareMs);
  const there = fs.readdirSync(b.directory).filter((file) => file.startsWith("feedback_n")).length;
  if (there !== notes) throw new Error(`${there} of ${notes} notes arrived`);
  let round = 0;
  const [status, nothing, push, pull] = medians([
    () => a.memdir("sync", "status"),
    () => a.memdir("sync", "now"),
    () => {
      write(a, 0, `round ${(round += 1)}`);
      a.memdir("sync", "now");
    },
    () => b.memdir("sync", "now"),
  ]);
  row(kind, "sync status, no network", status, bareMs);
  row(kind, "sync now, nothing to do", nothing, bareMs);
  row(kind, "sync now, one note sent", push, bareMs);
  row(kind, "sync now, one note fetched", pull, bareMs);
}

function row(remote, what, ms, bareMs) {
  const over = Math.round(ms - bareMs);
  const { overNode, all } = WANTED[`${remote}: ${what}`] ?? {};
  const wanted = overNode === undefined ? all : overNode;
  const isMet = overNode === undefined ? ms <= all : over <= overNode;
  rows.push({
    remote,
    what,
    ms: Math.round(ms),
    "over bare node (ms)": over,
    wanted: wanted === undefined ? "" : `${overNode === undefined ? "" : "over node "}≤ ${wanted}`,
    holds: wanted === undefined ? "" : isMet ? "yes" : "NO",
  });
}

/** The tasks alternate, so that a busy moment of the machine affects all of them. */
function medians(works) {
  const times = works.map(() => []);
  for (let round = 0; round < rounds; round++) for (const [at, work] of works.entries()) times[at].push(timed(work));
  return times.map((one) => one.toSorted((x, y) => x - y)[Math.floor(rounds / 2)]);
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function node(args) {
  spawnSync(process.execPath, args);
}

async function startServer() {
  const command = [path.join(dist, "memdir-server.cjs"), "--data", path.join(root, "data"), "--port", "0"];
  const limits = ["--writes-per-minute", "100000", "--reads-per-minute", "100000"];
  const child = spawn(process.execPath, [...command, ...limits, "--json", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { url, token } = JSON.parse(String(await new Promise((resolve) => child.stdout.once("data", resolve))));
  const tokenFile = path.join(root, "token");
  fs.writeFileSync(tokenFile, token, { mode: 0o600 });
  return { child, url, tokenFile };
}

/** The requests of one run, counted by a relay between the device and the server. */
async function countRequests() {
  let requests = 0;
  const relay = http.createServer((request, response) => {
    requests++;
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== "host"));
    const onward = http.request(server.url + request.url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${relay.address().port}`;
  const one = device("counted", [address, "--token-file", server.tokenFile]);
  // The relay needs this process's event loop, so the device runs in a separate process.
  const run = (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [path.join(dist, "memdir.cjs"), ...args], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: path.join(root, "counted"), XDG_CACHE_HOME: path.join(root, "cache") },
        stdio: ["ignore", "ignore", "inherit"],
      });
      child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`memdir ${args[1]}: ${code}`))));
    });
  try {
    await run("sync", "setup", address, "--token-file", server.tokenFile, "--scope", "user", "--manual", "--yes");
    for (const [what, prepare] of [
      ["nothing to do", () => {}],
      ["one note sent", () => write(one, 0, "counted")],
    ]) {
      prepare();
      requests = 0;
      await run("sync", "now");
      const holds = what === "nothing to do" ? ` (wanted 1: ${requests === 1 ? "holds" : "does NOT hold"})` : "";
      console.log(`requests of \`sync now\`, ${what}: ${requests}${holds}`);
    }
  } finally {
    relay.closeAllConnections();
    relay.close();
  }
}

/** In the embedded database, which counts pages like a PostgreSQL server. */
async function countPages() {
  const load = (file) => import(pathToFileURL(path.join(dist, file)).href);
  const [{ openDatabase }, { pull }] = [
    await load("adapters/postgres/open-database.js"),
    await load("core/server/pull.js"),
  ];
  const database = await openDatabase({ directory: path.join(root, "pages") });
  try {
    const counts = [];
    for (const count of [1_000, Number(values.large)]) {
      const id = await spaceOf(database, count);
      await database.query("vacuum analyze");
      const { none, ten } = await pagesOfPulls(database, pull, { id, notes: count });
      counts.push({ none, ten });
      console.log(
        `pages of a pull, space of ${count.toLocaleString("en")} notes: ${none} with nothing new, ${ten} with ten new notes`,
      );
    }
    const [few, many] = counts;
    // An index with many times the rows may be a level or two deeper: one more page for each index used.
    const holds = ["none", "ten"].every((kind) => many[kind] <= few[kind] * 1.25 + 3);
    console.log(`wanted: as many pages in the large space as in the small: ${holds ? "holds" : "does NOT hold"}`);
  } finally {
    await database.close();
  }
}
