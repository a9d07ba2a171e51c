/** A person's home with five stores, the real commands in it, and a client of the real MCP server. */
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { sharedNow } from "./store.mjs";

const LONGEST_COMMAND_MS = 90_000;
/** Shorter than the time until a displaced copy is removed. */
const LONGEST_STOP_MS = 1_200;
export const SCOPES = ["project", "local", "user", "group", "team"];

export function openHome({ root, dist, random, counts }) {
  const [home, repository] = ["home", "repository"].map((name) => path.join(root, name));
  for (const directory of [home, repository]) fs.mkdirSync(directory, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args) => execFileSync("git", args, { cwd: repository, env, stdio: "ignore" });
  git("init", "--quiet");
  git("-c", "user.name=torture", "-c", "user.email=t@localhost", "commit", "--quiet", "--allow-empty", "-m", "begin");
  const program = path.resolve(dist, "memdir.cjs");
  const start = (args) => spawn(process.execPath, [program, ...args], { cwd: repository, env });
  return {
    root,
    home,
    repository,
    /** Runs a command; with `mayDie` it is sometimes killed or stopped. `code` is `null` if it was killed. */
    run: (args, { mayDie = true, input = "" } = {}) => runToEnd(start(args), { input, mayDie, random, counts }),
    /** With all tools, because the default profile cannot revise. */
    serve: () => serve(start(["mcp", "--profile", "full"])),
    noteFiles: () => noteFiles(home, repository),
    /** Texts that were moved aside when their note was replaced, in every store. */
    displacedCopies: () => {
      const stores = path.join(home, ".memdir", "stores");
      return listed(stores).flatMap((store) =>
        listed(path.join(stores, store, "displaced")).map((name) => path.join(stores, store, "displaced", name)),
      );
    },
  };
}

function runToEnd(child, { input, mayDie, random, counts }) {
  const begin = sharedNow();
  let [out, errors] = ["", ""];
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (errors += data));
  child.stdin.on("error", () => {}); // it was killed before it read
  child.stdin.end(input);
  const timers = [setTimeout(() => child.kill("SIGKILL"), LONGEST_COMMAND_MS)];
  const later = (ms, signal) => timers.push(setTimeout(() => child.kill(signal), ms));
  const fate = mayDie ? random.next() : 1;
  if (fate < 0.2) later(100 + random.below(700), "SIGKILL");
  else if (fate < 0.35) {
    const at = 100 + random.below(500);
    counts.stops++;
    later(at, "SIGSTOP");
    later(at + 20 + random.below(LONGEST_STOP_MS), "SIGCONT");
  }
  return new Promise((done) => {
    child.on("close", (code, signal) => {
      timers.forEach(clearTimeout);
      if (signal !== null) counts.kills++;
      done({ code: signal === null ? code : null, out, errors, begin, end: sharedNow() });
    });
  });
}

/** A client over standard input and output. An unanswered call gives `undefined`; a refused one is an error. */
function serve(child) {
  const waiting = new Map();
  let count = 0;
  let isOver = false;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) =>
    new Promise((done) => {
      if (isOver) return done(undefined);
      waiting.set(++count, done);
      send({ id: count, method, params });
    });
  child.stdin.on("error", () => {});
  child.stderr.resume();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(`the server refused a request: ${JSON.stringify(error)}`);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const closed = new Promise((done) => {
    child.on("close", () => {
      isOver = true;
      for (const give of waiting.values()) give(undefined);
      done();
    });
  });
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "torture", version: "1" } };
  return {
    ready: request("initialize", client).then(() => send({ method: "notifications/initialized" })),
    call: (name, given) => request("tools/call", { name, arguments: given }),
    kill: () => child.kill("SIGKILL"),
    isOver: () => isOver,
    async end() {
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      child.stdin.end();
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Every live note in any store, conflict copies included. */
function noteFiles(home, repository) {
  const memdir = path.join(home, ".memdir");
  const below = (name) => listed(path.join(memdir, name)).map((one) => path.join(memdir, name, one, "memory"));
  const places = [
    ...["projects", "local", "groups"].flatMap(below),
    path.join(memdir, "user", "memory"),
    path.join(repository, ".memdir", "team"),
  ];
  return places.flatMap((place) =>
    listed(place)
      .filter((name) => name.endsWith(".md") && name !== "MEMORY.md" && !name.startsWith("."))
      .map((name) => path.join(place, name)),
  );
}

function listed(directory) {
  return fs.existsSync(directory) ? fs.readdirSync(directory) : [];
}
