/** Pushes per second into one space and several, with one and two processes on both sides of a PostgreSQL server. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startPostgres } from "./postgres.mjs";

const SECONDS = 5;
const AT_ONCE = 8;
const SERVER = path.join(import.meta.dirname, "..", "..", "dist", "memdir-server.cjs");
const CLIENT = path.join(import.meta.dirname, "push-client.mjs");
const LIMITS = ["--writes-per-minute", "1000000", "--reads-per-minute", "1000000"];

/** Rows for a table; none if PostgreSQL is not installed. */
export async function pushesPerSecond() {
  const postgres = await startPostgres();
  if (postgres === undefined) return [];
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-bench-pushes-"));
  const servers = [];
  try {
    for (const name of ["first", "second"]) servers.push(await startServer(path.join(directory, name), postgres.url));
    const [{ url, token }] = servers;
    const spaces = [];
    for (let n = 0; n < 8; n++) spaces.push(await makeSpace(url, token, n));
    const rows = [];
    for (const [spaceCount, clients, serverCount] of [
      [1, 1, 1],
      [8, 1, 1],
      [8, 2, 1],
      [1, 2, 2],
      [8, 2, 2],
    ]) {
      const works = Array.from({ length: clients }, (_, n) =>
        push(servers[n % serverCount].url, token, spaces.slice(0, spaceCount)),
      );
      const taken = (await Promise.all(works)).reduce((sum, one) => sum + one, 0);
      rows.push({ spaces: spaceCount, clients, servers: serverCount, "pushes/s": Math.round(taken / SECONDS) });
    }
    return rows;
  } finally {
    for (const { child } of servers) await end(child);
    postgres.stop();
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

function end(child) {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
}

async function startServer(data, database) {
  const args = [SERVER, "--data", data, "--database", database, "--port", "0", ...LIMITS, "--json", "--quiet"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", (code) => reject(new Error(`memdir-server ended with ${code}`)));
  });
  const { url, token } = JSON.parse(String(line));
  return { child, url, token };
}

async function makeSpace(url, token, n) {
  const response = await fetch(`${url}/v1/spaces`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ kind: "user", name: `bench ${n}` }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).id;
}

function push(url, token, spaces) {
  return new Promise((resolve, reject) => {
    const args = [CLIENT, url, token, String(SECONDS), String(AT_ONCE), ...spaces];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.once("close", (code) => (code === 0 ? resolve(Number(output)) : reject(new Error(`push client: ${code}`))));
  });
}
