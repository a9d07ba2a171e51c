/**
 * A project with notes, sessions, a dream, a contradiction, proposals, a skill and a space, all made by the command.
 * `node scripts/filled-memory.mjs` starts the page over it and prints the address; Ctrl-C ends it and removes all.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND, ensureBuild, ROOT } from "./ensure-build.mjs";
import { servePage } from "./page-server.mjs";

export const NOTES = [
  [
    "feedback",
    "Tests use the real database",
    "Integration tests run against PostgreSQL in Docker, never against mocks.\n\n**Why:** the mocked tests were green while the migration failed in production.\n\n**How to apply:**\n\n- Start it with `make db`; each test file gets a schema of its own.\n- See [[Migrations run by hand]].",
  ],
  [
    "project",
    "Migrations run by hand",
    "Migrations are started by hand after the deploy, with `make migrate`. See [[Who owns checkout]].",
  ],
  ["reference", "Who owns checkout", "The checkout belongs to the shop team; ask in #checkout."],
  ["user", "Prefers short answers", "Answers in a few lines; details only when asked for."],
  ["feedback", "No default exports", "Named exports only: a rename stays visible in a review."],
  [
    "project",
    "Freeze before Black Friday",
    "No deploys from 23 to 30 November without Ana. See [[Migrations run by hand]].",
  ],
  ["reference", "Error dashboard", "Errors of the checkout are in Grafana, board checkout-errors."],
];
const PROMPTS = [
  "write integration tests for the importer",
  "which port does the importer listen on?",
  "who owns the checkout?",
];
/** What agents noted themselves; a dream may merge these. */
const NOTED = [
  ["importer-port", "The importer service listens on port 4017"],
  ["importer-port-4250", "The importer service listens on port 4250", "2026-02-02"],
  ["staging-region", "The staging cluster runs in eu-west-1 with three nodes."],
  ["staging-nodes", "The staging cluster runs in eu-west-1 with three nodes."],
  ["nightly-export", "The nightly export of orders starts at 02:00 UTC."],
  ["ci-cache", "The cache of the pipeline is kept for seven days."],
  ["feature-flags", "Feature flags live in the table flags and are read once a minute."],
  ["invoice-format", "Invoices are made as PDF by the service paper."],
  ["search-index", "The search index is rebuilt after each deploy of the catalogue."],
];
const SKILL = {
  name: "regenerate-client",
  description: "Regenerates the typed client of the importer. Use when openapi.yaml changed.",
  when: "After openapi.yaml changed.",
  steps: [{ text: "Generate the client", command: "pnpm run codegen openapi.yaml" }, { text: "Read the diff" }],
  pitfalls: ["`pnpm run gen` failed with `no schema`; `pnpm run codegen` worked"],
  check: "pnpm run typecheck",
  programs: ["pnpm"],
};

function agentNote([name, body, day = "2026-01-12"]) {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(body)}\nmetadata:\n  type: project\n  created: ${day}\n  source: rules\n---\n\n${body}\n`;
}

/** Fills `home`, and returns what a process needs to work there. */
export function fillMemory(home) {
  const project = join(home, "shop");
  mkdirSync(project, { recursive: true });
  const environment = { HOME: home, PATH: process.env.PATH, NO_COLOR: "1" };
  const run = (args, input = "") =>
    execFileSync(process.execPath, [COMMAND, ...args], {
      cwd: project,
      env: environment,
      encoding: "utf8",
      input,
      stdio: "pipe",
    });
  for (const [type, name, text] of NOTES) run(["remember", text, "--name", name, "--type", type, "--beside"]);
  run(["pin", NOTES[0][1]]);
  const { directory } = JSON.parse(run(["status", "--json"])).scopes.find(({ scope }) => scope === "project");
  for (const note of NOTED) writeFileSync(join(directory, `project_${note[0]}.md`), agentNote(note));
  run(["dream", "--apply"]);
  for (const [at, prompt] of PROMPTS.entries()) run(["recall", prompt, "--session", `session-${at + 1}`, "--raw"]);
  run(["mode", "confirm"]);
  run(["capture", join(ROOT, "demo", "session.jsonl")]);
  run(["mode", "auto"]);
  run(["skill", "draft", "-"], JSON.stringify(SKILL));
  const remote = join(home, "notes.git");
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  run(["sync", "setup", "--manual", "--remote", remote, "--scope", "user", "--yes"]);
  return { project, environment };
}

/** Removes what `fillMemory` created; a detached process of the last command may still write its last line. */
export function emptyMemory(home) {
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuild();
  const home = mkdtempSync(join(tmpdir(), "memdir-filled-"));
  const { url, stop, ended } = await servePage(fillMemory(home));
  process.stdout.write(`${url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop());
  await ended;
  emptyMemory(home);
}
