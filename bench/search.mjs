/**
 * node bench/search.mjs [--megabytes N]: `memdir search` over generated transcripts compared with `grep -rF` in the
 * same run. Whole processes, p50 of 7 runs in milliseconds; the files are in the page cache. NODE_EXTRA_CA_CERTS is
 * unset for child processes, because Node 20 reads it at every start.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { seeded } from "./synthetic-notes.mjs";

const COMMAND = fileURLToPath(new URL("../dist/memdir.cjs", import.meta.url));
const TERM = "ENEEDLE_4711";
const at = process.argv.indexOf("--megabytes");
const megabytes = Number(at < 0 ? 200 : process.argv[at + 1]);
const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-search-")));
const home = path.join(root, "home");
const cwd = path.join(root, "shop");
const environment = {
  ...process.env,
  HOME: home,
  MEMDIR_HOME: path.join(home, ".memdir"),
  CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
};
delete environment.NODE_EXTRA_CA_CERTS;

try {
  const { files, bytes } = generate();
  const search = (...options) => [process.execPath, COMMAND, "search", TERM, "--limit", "1000", ...options];
  console.log(
    `${os.cpus()[0]?.model ?? "?"}, Node ${process.versions.node}, ${files} transcripts, ${(bytes / 1e6).toFixed(0)} MB, load ${os.loadavg()[0]?.toFixed(1)}`,
  );
  report("bare node", [process.execPath, "-e", "0"]);
  report("grep -rF", ["grep", "-rF", TERM, home]);
  report("memdir search, scan", search("--no-index"));
  report("memdir search, scan, nothing found", [process.execPath, COMMAND, "search", "ENOWHERE_0815", "--no-index"]);
  const started = performance.now();
  run([process.execPath, COMMAND, "search", "--index"]);
  console.log(
    `index made in ${((performance.now() - started) / 1000).toFixed(1)} s, ${(fs.statSync(path.join(home, ".memdir", "past.db")).size / 1e6).toFixed(1)} MB`,
  );
  report("memdir search, index", search());
  report("index up to date", [process.execPath, COMMAND, "search", "--index"]);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

function generate() {
  const random = seeded(7);
  const letters = "etaoinshrdlucmfwypvbgk";
  const word = () =>
    Array.from(
      { length: 3 + Math.floor(random() * 8) },
      () => letters[Math.floor(random() * random() * letters.length)],
    ).join("");
  const vocabulary = Array.from({ length: 20_000 }, word);
  const some = () => vocabulary[Math.floor(random() * random() * vocabulary.length)];
  const words = (count) => Array.from({ length: count }, some).join(" ");
  const code = (count) =>
    Array.from({ length: count }, () => `  const ${some()} = ${some()}.${some()}(${Math.floor(random() * 1e6)});`).join(
      "\n",
    );
  const directory = path.join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/gu, "-"));
  fs.mkdirSync(directory, { recursive: true });
  fs.mkdirSync(cwd);
  let bytes = 0;
  let files = 0;
  for (; bytes < megabytes * 1e6; files++) {
    const session = `00000000-0000-4000-8000-${String(files).padStart(12, "0")}`;
    const line = (type, n, content) =>
      JSON.stringify({
        type,
        uuid: `${session}-${n}`,
        sessionId: session,
        cwd,
        timestamp: new Date(Date.UTC(2026, 0, 1, files, 0, n)).toISOString(),
        message: { role: type, content },
      });
    const lines = Array.from({ length: 150 }, (_, n) => {
      const error = files % 50 === 0 && n === 70 ? `\nError: ${TERM} cannot open src/config/load.ts` : "";
      return [
        line("user", 3 * n, words(40)),
        line("user", 3 * n + 1, [{ type: "tool_result", content: code(120) + error }]),
        line("assistant", 3 * n + 2, [{ type: "text", text: words(120) }]),
      ].join("\n");
    });
    const text = `${lines.join("\n")}\n`;
    fs.writeFileSync(path.join(directory, `${session}.jsonl`), text);
    bytes += text.length;
  }
  return { files, bytes };
}

function run([command, ...args]) {
  return spawnSync(command, args, { cwd, env: environment, encoding: "utf8" });
}

function report(name, command) {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now();
    run(command);
    return performance.now() - started;
  }).toSorted((a, b) => a - b);
  console.log(`${name.padEnd(36)} ${times[3].toFixed(0)} ms`);
}
