/**
 * npm run test:mcp: the protocol's own conformance suite against `memdir mcp --http`, and against a server that uses
 * every part of the protocol over the same code. If MEMDIR_CONFORMANCE names the suite's start file, that one is run;
 * otherwise npx fetches @modelcontextprotocol/conformance. Needs Node 22 or newer (MEMDIR_CONFORMANCE_NODE).
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND, ROOT, ensureBuild } from "./ensure-build.mjs";

const SUITE = "@modelcontextprotocol/conformance@0.1.16";
const TIMEOUT_MS = 30_000;
/** Scenarios for any server; the others need tools that only a server made for the suite has. */
const FOR_MEMDIR = [
  "server-initialize",
  "ping",
  "completion-complete",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];
/** Parts of the protocol that are not offered; a client is told so. */
const NOT_OFFERED = {
  "resources-subscribe": "no subscriptions: other processes write notes too, and nobody watches them",
  "resources-unsubscribe": "no subscriptions",
  "server-sse-polling": "a stream is not closed and taken up again",
};

/** The suite does not know tokens: this proxy adds one, and changes nothing else except its own port. */
async function throughProxy(target, token) {
  const to = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const own = `:${server.address().port}`;
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [
        name,
        name === "host" || name === "origin" ? String(value).replace(own, `:${to.port}`) : value,
      ]),
    );
    const forward = request(
      {
        host: to.hostname,
        port: to.port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...headers, authorization: `Bearer ${token}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forward.on("error", () => outgoing.destroy());
    incoming.pipe(forward);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://localhost:${server.address().port}/mcp`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

/** memdir itself in an empty home. */
async function startMemdir(home) {
  const child = spawn(process.execPath, [COMMAND, "mcp", "--http", "--port", "0"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const started = new Promise((done, fail) => {
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const [, url] = /listens on (\S+)/u.exec(said) ?? [];
      const [, token] = /shown this once: (\S+)/u.exec(said) ?? [];
      if (url !== undefined && token !== undefined) done({ url, token });
    });
    child.once("exit", () => fail(new Error(`the server ended: ${said}`)));
  });
  const stop = () =>
    new Promise((done) => (child.exitCode === null ? child.once("exit", done).kill("SIGINT") : done()));
  return { ...(await started), stop };
}

async function startEverything() {
  const { listen } = await import(join(ROOT, "dist", "surfaces", "mcp", "http", "serve.js"));
  const { everythingOffer } = await import(join(ROOT, "test", "conformance", "everything-offer.mjs"));
  const token = "a token of the conformance suite".replaceAll(" ", "-");
  const { url, close } = await listen(everythingOffer, { port: 0, token });
  return { url, token, stop: close };
}

/** The checks of one scenario, as the suite wrote them to its folder. */
async function runScenario(url, scenario, folder) {
  const output = join(folder, scenario);
  const node = process.env.MEMDIR_CONFORMANCE_NODE ?? process.execPath;
  const given = process.env.MEMDIR_CONFORMANCE;
  const [command, first] = given === undefined ? ["npx", ["--yes", SUITE]] : [node, [given]];
  const said = await new Promise((done) =>
    execFile(
      command,
      [...first, "server", "--url", url, "--scenario", scenario, "-o", output],
      { timeout: TIMEOUT_MS, cwd: folder },
      (_, out, err) => done(`${out}${err}`),
    ),
  );
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes(scenario) && name.endsWith("checks.json"));
  const checks = files.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return { checks, said };
}

async function runAll(name, server, scenarios, folder) {
  const proxy = await throughProxy(server.url, server.token);
  let failures = 0;
  try {
    for (const scenario of scenarios) {
      const { checks, said } = await runScenario(proxy.url, scenario, folder);
      const failed = checks.filter(({ status }) => status === "FAILURE");
      const passed = checks.filter(({ status }) => status === "SUCCESS");
      const why =
        scenario in NOT_OFFERED
          ? `not offered: ${NOT_OFFERED[scenario]}`
          : failed.map(({ errorMessage }) => errorMessage).join("; ") ||
            (passed.length === 0 ? said.trim().slice(-300) : "");
      const verdict = failed.length === 0 && passed.length > 0 ? "pass" : scenario in NOT_OFFERED ? "no" : "FAIL";
      if (verdict === "FAIL") failures++;
      process.stdout.write(
        `| ${name} | ${scenario} | ${verdict} | ${passed.length} of ${passed.length + failed.length} | ${why} |\n`,
      );
    }
  } finally {
    proxy.close();
    await server.stop();
  }
  return failures;
}

const EVERYTHING = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-sampling",
  "tools-call-elicitation",
  "json-schema-2020-12",
  "elicitation-sep1034-defaults",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "elicitation-sep1330-enums",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "dns-rebinding-protection",
];

await ensureBuild();
const home = mkdtempSync(join(tmpdir(), "memdir-conformance-"));
try {
  process.stdout.write("| server | scenario | verdict | checks passed | |\n|---|---|---|---|---|\n");
  const own = await runAll("memdir", await startMemdir(home), FOR_MEMDIR, join(mkdtempSync(join(home, "run-"))));
  const all = await runAll("everything", await startEverything(), EVERYTHING, join(mkdtempSync(join(home, "run-"))));
  process.exitCode = own + all === 0 ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
