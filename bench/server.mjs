/**
 * A pull with nothing new and a push of one note over loopback, compared with a handler of the same framework that only
 * answers. Usage: node bench/server.mjs [--database URL], after a build.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const ROUNDS = 200;
const SERVER = join(import.meta.dirname, "..", "dist", "memdir-server.cjs");
const directory = mkdtempSync(join(tmpdir(), "memdir-bench-"));
const args = [SERVER, "--data", directory, "--port", "0", "--json", "--quiet", ...process.argv.slice(2)];
const child = spawn(process.execPath, [...args, "--writes-per-minute", "100000", "--reads-per-minute", "100000"], {
  stdio: ["ignore", "pipe", "inherit"],
});

async function medianMs(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await work(round);
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[ROUNDS / 2];
}

async function json(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

try {
  const { url, token } = JSON.parse(String(await new Promise((resolve) => child.stdout.once("data", resolve))));
  const headers = { authorization: `Bearer ${token}` };
  const post = (path, body, more) =>
    json(url + path, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const { id } = await post("/v1/spaces", { kind: "user", name: `bench ${Date.now()}` });
  const bare = new Hono().get("/", (context) => context.json({ head: 1, next: 1, mark: "", changes: [] }));
  const listening = await new Promise((resolve) => {
    const server = serve({ fetch: bare.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      resolve({ server, port }),
    );
  });
  const push = (round) =>
    post(
      `/v1/spaces/${id}/changes`,
      {
        changes: [
          {
            key: `n${round}.md`,
            lineage: round.toString(16).padStart(24, "0"),
            base: 0,
            state: "live",
            body: "x".repeat(600),
          },
        ],
      },
      { "idempotency-key": `bench-push-${round}` },
    );
  const pushMs = await medianMs(push);
  const { head, mark } = await json(`${url}/v1/spaces/${id}/changes?limit=500`, { headers });
  const pullMs = await medianMs(() => json(`${url}/v1/spaces/${id}/changes?cursor=${head}&mark=${mark}`, { headers }));
  const bareMs = await medianMs(() => json(`http://127.0.0.1:${listening.port}/`));
  listening.server.close();
  const shown = (ms) => `${ms.toFixed(1)} ms (${(ms / bareMs).toFixed(1)} x)`;
  console.log(`Node ${process.version}, median of ${ROUNDS}, over loopback`);
  console.log(
    `bare handler ${bareMs.toFixed(1)} ms; pull with nothing new ${shown(pullMs)}; push of one note ${shown(pushMs)}`,
  );
} finally {
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  rmSync(directory, { recursive: true, force: true });
}
