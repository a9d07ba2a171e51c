/**
 * node bench/hooks.mjs [--notes N] [--runs N]: the cost of the hook command compared with bare node in the same
 * interleaved runs. Prints medians, minima (other work on the machine only adds time) and the ratios of both.
 * NODE_EXTRA_CA_CERTS is unset, because Node 20 reads it at every start.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { approveGuard, guardOfNote } from "../dist/app/guards/guard-approval.js";
import { locate } from "../dist/app/workspace/locations.js";
import { openWorkspace } from "../dist/app/workspace/open-workspace.js";
import { makeNote, seeded } from "./synthetic-notes.mjs";

const HOOK = fileURLToPath(new URL("../dist/hook.cjs", import.meta.url));
const PROMPTS = [
  "how do we deploy the billing service to staging",
  "write a test for the parser of order imports",
  "why does the cache return stale sessions after login",
  "rename the queue worker and update the retry policy",
];
const GUARDS = 20;

const notes = Number(argument("--notes") ?? 10_000);
const runs = Number(argument("--runs") ?? 31);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-hooks-"));
const home = path.join(root, "home");
const project = path.join(root, "project");
const environment = { ...process.env, HOME: home, XDG_CACHE_HOME: "", MEMDIR_HOME: path.join(home, ".memdir") };
for (const name of ["NODE_EXTRA_CA_CERTS", "MEMDIR_MODEL", "MEMDIR_MODE", "MEMDIR_DIR", "CLAUDE_CONFIG_DIR"])
  delete environment[name];

try {
  const locations = await fill();
  const bareProject = path.join(root, "bare");
  fs.mkdirSync(path.join(bareProject, ".git"), { recursive: true });
  const cases = {
    "bare node": () => undefined,
    "prompt submit": (run) => ({
      hook_event_name: "UserPromptSubmit",
      session_id: sessionId(run),
      prompt: PROMPTS[run % PROMPTS.length],
    }),
    "prompt submit, an id that is no UUID": (run) => ({
      hook_event_name: "UserPromptSubmit",
      session_id: `session-${run}`,
      prompt: PROMPTS[run % PROMPTS.length],
    }),
    "prompt that finds nothing": (run) => ({
      hook_event_name: "UserPromptSubmit",
      session_id: sessionId(run),
      prompt: "zyxwv",
    }),
    "session start": () => ({ hook_event_name: "SessionStart", session_id: sessionId(0), source: "startup" }),
    "tool use, no guards": () => ({
      hook_event_name: "PreToolUse",
      session_id: sessionId(0),
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      cwd: bareProject,
    }),
    [`tool use, ${GUARDS} guards, none meets`]: () => ({
      hook_event_name: "PreToolUse",
      session_id: sessionId(0),
      tool_name: "Bash",
      tool_input: { command: "npm test" },
    }),
    [`tool use, ${GUARDS} guards, one stops it`]: () => ({
      hook_event_name: "PreToolUse",
      session_id: sessionId(0),
      tool_name: "Bash",
      tool_input: { command: "danger-7 --now" },
    }),
    "turn end": (run) => ({
      hook_event_name: "Stop",
      session_id: sessionId(0),
      prompt_id: String(run),
      transcript_path: path.join(root, "none.jsonl"),
      agent_id: "a",
    }),
  };
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let run = -2; run < runs; run++) {
    for (const [name, event] of Object.entries(cases)) {
      const ms = once(event(Math.abs(run)));
      if (run >= 0) times[name].push(ms);
    }
  }
  report(times);
  console.log(`notes in the store: ${notes}, guards approved: ${locations.guards}`);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

async function fill() {
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  const locations = locate({ cwd: project, environment });
  const [place] = locations.stores;
  fs.mkdirSync(place.directory, { recursive: true });
  const random = seeded(7);
  for (let i = 0; i < notes; i++)
    fs.writeFileSync(path.join(place.directory, `project_note_${i}.md`), makeNote(random, i));
  for (let i = 0; i < GUARDS; i++) {
    fs.writeFileSync(
      path.join(place.directory, `feedback_guard_${i}.md`),
      `---\nname: guard-${i}\ndescription: Guard ${i}\nmetadata:\n  type: feedback\n  guard:\n    tool: Bash\n    pattern: danger-${i}\\b\n    action: deny\n---\n\nNever.\n`,
    );
  }
  const workspace = openWorkspace(locations);
  workspace.open("project").store.reconcile("full");
  workspace.open("project").store.rebuildIndexFile();
  // Files as recent as the clock's resolution are read again by the next check.
  await setTimeout(60);
  workspace.open("project").store.reconcile("full");
  for (let i = 0; i < GUARDS; i++) {
    const note = guardOfNote(place.directory, `feedback_guard_${i}.md`);
    approveGuard(place, `feedback_guard_${i}.md`, note.read.guard, note, new Date().toISOString());
  }
  workspace.close();
  return { guards: GUARDS };
}

/** A session id in the form of Claude Code's. */
function sessionId(run) {
  return `93a7c1de-4b1f-4c55-9d3e-${String(run).padStart(12, "0")}`;
}

function once(event) {
  const args = event === undefined ? ["-e", "0"] : [HOOK, "claude-code"];
  const input = event === undefined ? "" : JSON.stringify({ cwd: project, ...event });
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment, input, cwd: project });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(stderr.toString());
  return ms;
}

function report(times) {
  const bare = median(times["bare node"]);
  const goals = {
    "prompt submit": "≤ 2.0 × (1.8 on Node 24)",
    [`tool use, ${GUARDS} guards, none meets`]: "≤ 1.6 ×",
    [`tool use, ${GUARDS} guards, one stops it`]: "≤ 1.6 ×",
  };
  console.log(
    `memdir hooks: ${runs} interleaved runs, Node ${process.versions.node}, ${os.cpus()[0]?.model ?? "?"} × ${os.cpus().length}, load ${os.loadavg()[0].toFixed(1)}`,
  );
  const width = Math.max(...Object.keys(times).map((name) => name.length));
  for (const [name, all] of Object.entries(times))
    console.log(
      `${name.padEnd(width)}  ${median(all).toFixed(1).padStart(7)} ms  ${(median(all) / bare).toFixed(2)} ×  least ${Math.min(
        ...all,
      )
        .toFixed(1)
        .padStart(6)} ms  ${(Math.min(...all) / Math.min(...times["bare node"])).toFixed(2)} ×  ${goals[name] ?? ""}`,
    );
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function argument(name) {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}
