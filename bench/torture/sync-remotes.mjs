/**
 * The remotes of the sync torture: a bare repository behind `git daemon`, or the real `memdir-server`, each behind a
 * relay on loopback that cuts, delays, duplicates and replays. Both are killed, restored from backups, and run out of
 * disk space.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";

const READY_MS = 60_000;
const REPLAYS_KEPT = 40;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function listen(server) {
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));
}

async function freePort() {
  const server = net.createServer();
  const port = await listen(server);
  await new Promise((done) => server.close(done));
  return port;
}

const end = (child, signal) =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once("exit", done);
    child.kill(signal);
  });

/** Fills a small mounted disk until nothing more fits, and returns a function that makes room again. */
export function fillDisk(directory) {
  const ballast = path.join(directory, "ballast");
  const file = fs.openSync(ballast, "w");
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
    const part = Buffer.alloc(bytes, "x");
    try {
      while (fs.writeSync(file, part) === bytes);
    } catch (error) {
      if (error.code !== "ENOSPC") throw error;
    }
  }
  fs.closeSync(file);
  return () => fs.rmSync(ballast, { force: true });
}

/** A separate disk of `megabytes`, if this user may mount one; otherwise a directory on the usual disk. */
export function smallDisk(directory, megabytes) {
  fs.mkdirSync(directory, { recursive: true });
  const mounting = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "memdir-torture", directory];
  const isMounted = spawnSync("mount", mounting, { stdio: "ignore" }).status === 0;
  const unmount = (isKept = false) => {
    if (!isMounted) return;
    const aside = `${directory}.kept`;
    if (isKept) fs.cpSync(directory, aside, { recursive: true });
    spawnSync("umount", ["--lazy", directory], { stdio: "ignore" });
    if (isKept) fs.cpSync(aside, directory, { recursive: true });
    if (isKept) fs.rmSync(aside, { recursive: true });
  };
  return { isMounted, unmount };
}

/** A bare repository as a git host serves it. Its relay knows no requests: it cuts, delays and replays connections. */
export async function openRepository({ directory, random, counts, errors }) {
  const bare = path.join(directory, "notes.git");
  const git = (...args) => execFileSync("git", ["--git-dir", bare, ...args], { encoding: "utf8" }).trim();
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
  git("config", "receive.denyNonFastForwards", "false");
  const port = await freePort();
  // Not through `git`, which would die alone and leave the daemon behind.
  const program = path.join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-daemon");
  let daemon;
  const start = async () => {
    const where = ["--listen=127.0.0.1", `--port=${port}`, "--reuseaddr", `--base-path=${directory}`];
    daemon = spawn(program, [...where, "--export-all", "--enable=receive-pack", "--timeout=60"], {
      stdio: "ignore",
    });
    for (let tried = 0; !(await answers(port)); tried++) {
      if (tried * 50 > READY_MS) throw new Error("git daemon does not listen");
      await sleep(50);
    }
  };
  await start();
  const line = { isBad: true };
  const relay = connectionRelay({ port, random, counts, line });
  const relayPort = await listen(relay.server);
  let backup;
  return {
    args: [`git://127.0.0.1:${relayPort}/notes.git`],
    directory,
    async kill() {
      await end(daemon, "SIGKILL");
      await start();
    },
    async restore() {
      const refs = git("for-each-ref", "--format=%(refname) %(objectname)")
        .split("\n")
        .filter((one) => one !== "");
      if (backup === undefined) {
        backup = { refs, at: performance.now() };
        return undefined;
      }
      for (const one of backup.refs) git("update-ref", ...one.split(" "));
      const { at } = backup;
      backup = undefined;
      return { at };
    },
    async calm() {
      line.isBad = false;
      await relay.quiet();
    },
    async end() {
      relay.server.close();
      await end(daemon, "SIGTERM");
      // What a host does now and then, and what docs/sync.md tells users to request from it.
      git("reflog", "expire", "--expire=now", "--all");
      git("gc", "--quiet", "--prune=now");
      if (git("fsck", "--no-dangling") !== "") errors.push("the repository is damaged");
    },
  };
}

function answers(port) {
  return new Promise((done) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => socket.destroy() && done(true));
    socket.once("error", () => done(false));
  });
}

function connectionRelay({ port, random, counts, line }) {
  const recorded = [];
  const playing = new Set();
  const replay = (bytes) => {
    const played = new Promise((done) => {
      const socket = net.connect(port, "127.0.0.1", () => socket.end(bytes));
      socket.resume();
      socket.setTimeout(3_000, () => socket.destroy());
      socket.on("error", () => {});
      socket.on("close", done);
    });
    playing.add(played);
    counts("replays");
    return played.finally(() => playing.delete(played));
  };
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const luck = line.isBad ? random.next() : 1;
    const far = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const drop = () => void (near.destroy(), far.destroy());
    for (const socket of [near, far]) socket.on("error", drop);
    near.on("close", () => far.destroy());
    let left = Number.POSITIVE_INFINITY;
    if (luck < 0.06) {
      // Cut after `left` bytes from either side.
      left = random.below(4_000);
      counts("cuts");
    }
    const parts = [];
    near.on("close", () => {
      const bytes = Buffer.concat(parts);
      if (line.isBad && bytes.includes("receive-pack") && recorded.length < REPLAYS_KEPT) recorded.push(bytes);
    });
    const waitMs = luck > 0.85 && line.isBad ? random.below(800) : 0;
    if (waitMs > 0) counts("delays");
    setTimeout(() => {
      near.on("data", (data) => parts.push(data));
      for (const socket of [near, far]) socket.on("data", (data) => (left -= data.length) < 0 && drop());
      near.pipe(far);
      far.pipe(near);
    }, waitMs);
    if (line.isBad && recorded.length > 0 && random.next() < 0.05) void replay(random.pick(recorded));
  });
  return { server, quiet: () => Promise.all(playing) };
}

/** Starts `memdir-server` on a data directory, repeatedly on one port. */
function serverProcess({ data, port, dist, errors }) {
  const limits = ["--writes-per-minute", "1000000", "--reads-per-minute", "1000000"];
  const args = [path.resolve(dist, "memdir-server.cjs"), "--data", data, "--port", String(port), ...limits];
  let child;
  let isEnding = false;
  return {
    isOver: () => child.exitCode !== null,
    async start() {
      let said = "";
      const mine = spawn(process.execPath, [...args, "--json", "--quiet"], { stdio: ["ignore", "pipe", "pipe"] });
      child = mine;
      mine.stderr.on("data", (bytes) => (said = `${said}${bytes}`.slice(-2_000)));
      const line = await new Promise((done) => {
        mine.stdout.once("data", (bytes) => done(String(bytes)));
        mine.once("exit", (code, signal) => {
          if (!isEnding && signal === null) errors.push(`memdir-server ended by itself with ${code}: ${said}`);
          done("{}");
        });
      });
      return JSON.parse(line);
    },
    async stop(signal) {
      isEnding = true;
      await end(child, signal);
      isEnding = false;
    },
  };
}

/** A token for each device, in a file. */
async function makeTokens({ url, token, directory, devices }) {
  const tokens = {};
  for (const name of devices) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ device: name, role: "admin" });
    const made = await fetch(`${url}/v1/tokens`, { method: "POST", headers, body });
    tokens[name] = path.join(directory, `token-${name}`);
    fs.writeFileSync(tokens[name], (await made.json()).token);
  }
  return tokens;
}

/** `memdir-server` with its embedded database, and a relay that knows requests. */
export async function openServer({ directory, dist, random, counts, errors, devices }) {
  const data = path.join(directory, "data");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = serverProcess({ data, port, dist, errors });
  const { start, stop } = program;
  const { token } = await start();
  const tokens = await makeTokens({ url, token, directory, devices });
  const line = { isBad: true };
  const relay = requestRelay({ port, random, counts, line });
  const relayPort = await listen(relay.server);
  const copy = path.join(directory, "backup");
  let backup;
  return {
    args: [`http://127.0.0.1:${relayPort}`],
    tokens,
    directory,
    async kill() {
      await stop("SIGKILL");
      await start();
    },
    async restore() {
      await stop(backup === undefined ? "SIGTERM" : "SIGKILL");
      const at = backup;
      const database = path.join(data, "database");
      const [from, to] = at === undefined ? [database, copy] : [copy, database];
      fs.rmSync(to, { recursive: true, force: true });
      fs.cpSync(from, to, { recursive: true });
      if (at !== undefined) fs.rmSync(copy, { recursive: true });
      backup = at === undefined ? performance.now() : undefined;
      await start();
      return at === undefined ? undefined : { at };
    },
    /** Answers again once there is room, without intervention. */
    async recovers() {
      for (let tried = 0; tried < 100; tried++) {
        const answered = await fetch(`${url}/healthz`).catch(() => undefined);
        if (answered?.ok) return;
        if (program.isOver()) await start();
        await sleep(100);
      }
      errors.push("memdir-server did not recover after its disk was full");
    },
    holdPush: () => holdPush(line),
    async calm() {
      line.isBad = false;
      await relay.quiet();
    },
    async end() {
      relay.server.closeAllConnections();
      relay.server.close();
      fs.rmSync(copy, { recursive: true, force: true });
      await stop("SIGTERM");
    },
  };
}

/** Holds the next push: `met` resolves when it arrives, and it continues after `release`. */
function holdPush(line) {
  const hold = {};
  hold.met = new Promise((done) => (hold.meet = done));
  hold.released = new Promise((done) => (hold.release = done));
  line.hold = hold;
  return hold;
}

async function waitIfHeld(line, { method, url }) {
  const { hold } = line;
  if (hold === undefined || method !== "POST" || !url.endsWith("/changes")) return;
  line.hold = undefined;
  hold.meet();
  await hold.released;
}

function requestRelay({ port, random, counts, line }) {
  const recorded = [];
  const playing = new Set();
  const onward = ({ method, url, headers, body }) =>
    new Promise((done) => {
      const to = { port, host: "127.0.0.1", method, path: url, headers, agent: false };
      const asked = http.request(to, async (answer) => {
        const parts = [];
        try {
          for await (const part of answer) parts.push(part);
        } catch {
          return done(undefined); // the server was killed while it answered
        }
        done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) });
      });
      asked.on("error", () => done(undefined));
      asked.end(body);
    });
  const replay = (request) => {
    counts("replays");
    const played = onward(request);
    playing.add(played);
    void played.finally(() => playing.delete(played));
  };
  const server = http.createServer(async (request, response) => {
    const parts = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return; // the device was killed while it asked
    }
    const { method, url } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== "host"));
    const asked = { method, url, headers, body: Buffer.concat(parts) };
    await waitIfHeld(line, asked);
    const luck = line.isBad ? random.next() : 1;
    const cut = () => void (counts("cuts"), request.socket.destroy());
    if (luck < 0.03) return cut();
    if (luck > 0.8 && line.isBad) counts("delays");
    if (luck > 0.8 && line.isBad) await sleep(random.below(600));
    if (luck < 0.1) counts("doubled");
    const given = await Promise.all(luck < 0.1 ? [onward(asked), onward(asked)] : [onward(asked)]);
    if (line.isBad && method === "POST") {
      if (recorded.length === REPLAYS_KEPT) recorded.splice(random.below(REPLAYS_KEPT), 1);
      recorded.push(asked);
      if (random.next() < 0.15) replay(random.pick(recorded));
    }
    const answer = random.pick(given);
    if (answer === undefined || (luck > 0.1 && luck < 0.13)) return cut();
    response.writeHead(answer.status, answer.headers);
    if (luck > 0.13 && luck < 0.15) {
      // Half an answer.
      response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)));
      return void setTimeout(cut, 5);
    }
    response.end(answer.body);
  });
  return { server, quiet: () => Promise.all(playing) };
}
