/**
 * node bench/instructions.mjs [--files N] [--rules N] [--runs N]: the cost of `memdir context` for a cold process in a
 * large repository, compared with bare node in the same run. Times are medians in milliseconds. NODE_EXTRA_CA_CERTS is
 * unset for child processes, because Node 20 reads it at every start.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openMemory } from "../dist/index.js";

const COMMAND = fileURLToPath(new URL("../dist/memdir.cjs", import.meta.url));
const files = Number(argument("--files") ?? 50_000);
const rules = Number(argument("--rules") ?? 300);
const runs = Number(argument("--runs") ?? 15);

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-instructions-")));
const environment = {
  ...process.env,
  HOME: path.join(root, "home"),
  MEMDIR_HOME: path.join(root, "home", ".memdir"),
  MEMDIR_MANAGED_DIR: path.join(root, "managed"),
};
delete environment.NODE_EXTRA_CA_CERTS;
delete environment.CLAUDE_CONFIG_DIR;

try {
  const project = plant();
  const bare = [];
  const context = [];
  for (let run = 0; run <= runs; run++) {
    const times = [
      timed(["-e", "0"], project),
      timed([COMMAND, "context", "--json", "--agent", "claude-code"], project),
    ];
    if (run === 0) continue; // the first run warms the disk cache
    bare.push(times[0]);
    context.push(times[1]);
  }
  const warm = warmTimes(project);
  report(median(bare), median(context), warm);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

/** A repository with `files` files and `rules` rules, half of which wait for a path. */
function plant() {
  const project = path.join(root, "project");
  fs.mkdirSync(path.join(root, "home", ".claude"), { recursive: true });
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  for (let n = 0; n < files; n++) {
    const directory = path.join(project, "src", `d${n % 500}`);
    if (n < 500) fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(path.join(directory, `f${n}.ts`), "export {};\n");
  }
  fs.mkdirSync(path.join(project, ".claude", "rules"), { recursive: true });
  for (let n = 0; n < rules; n++) {
    const front = n % 2 === 0 ? "" : `---\npaths:\n  - "src/d${n}/**/*.{ts,tsx}"\n---\n`;
    fs.writeFileSync(
      path.join(project, ".claude", "rules", `rule-${n}.md`),
      `${front}# Rule ${n}\n\n${"Write tests first, and keep functions short.\n".repeat(20)}`,
    );
  }
  fs.writeFileSync(path.join(project, "CLAUDE.md"), "# Project\n\nSee @docs/style.md\n");
  fs.mkdirSync(path.join(project, "docs"));
  fs.writeFileSync(path.join(project, "docs", "style.md"), "Two spaces.\n");
  return project;
}

function timed(args, cwd) {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env: environment });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  return performance.now() - started;
}

/** In a running process: a complete start, and a file touched after it. */
function warmTimes(cwd) {
  const memory = openMemory({ cwd, environment });
  const [start, touch] = [[], []];
  for (let run = 0; run < 50; run++) {
    let started = performance.now();
    const session = memory.instructions({ agent: "claude-code" });
    start.push(performance.now() - started);
    started = performance.now();
    session.touched([`src/d${run * 2 + 1}/new.ts`]);
    touch.push(performance.now() - started);
  }
  memory.close();
  return { start: median(start), touch: median(touch) };
}

function report(bare, context, warm) {
  console.log(
    `${os.type()} ${os.release()}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? "?"}, Node ${process.versions.node}`,
  );
  console.log(`${files} files, ${rules} rules, medians of ${runs} runs in turns`);
  console.log(`bare node            ${bare.toFixed(1)} ms`);
  console.log(
    `memdir context       ${context.toFixed(1)} ms, ${(context - bare).toFixed(1)} ms over bare node (≤ 60), ${(context / bare).toFixed(2)} ×`,
  );
  console.log(`in a running process ${warm.start.toFixed(1)} ms a start, ${warm.touch.toFixed(2)} ms a touched file`);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function argument(name) {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}
