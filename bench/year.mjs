#!/usr/bin/env node
// A year with memory, in minutes: npm run bench:year [-- --seeds 1,2 --sessions 150]
// A generated person works in one project with eight modules: lasting wishes and changes to them, one-off tasks, pasted
// errors. Sessions are captured by rules through the library with a simulated clock. A scripted judge stands for the
// agent of the next session: it reads only the real digest of the last one and saves the wishes that no note holds.
// Each month the command applies a dream, its clock shifted by a preload. All labels come from bench/year/person.mjs.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { yearOf } from "./year/person.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: { seeds: { type: "string", default: "1" }, sessions: { type: "string", default: "150" } },
});
const { openMemory } = await import(path.join(here, "..", "dist", "index.js"));
const built = (file) => import(path.join(here, "..", "dist", file));
const { digestSession } = await built("core/capture/digest.js");
const { createSecretScanner } = await built("adapters/secrets/scanner.js");
const deps = { secrets: createSecretScanner(), timeZone: "UTC" };
const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-05T09:00:00Z");

/** Every note below a directory that is not retired. */
function liveNotes(directory) {
  const files = fs.existsSync(directory) ? fs.readdirSync(directory, { recursive: true }) : [];
  return files
    .map(String)
    .filter((file) => file.endsWith(".md") && path.basename(file) !== "MEMORY.md")
    .map((file) => ({ file, text: fs.readFileSync(path.join(directory, file), "utf8") }))
    .filter(({ text }) => !/^\s*supersededBy:/mu.test(text));
}

function bytesBelow(directory) {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

const bodyOf = (text) => text.split(/^---$/mu).slice(2).join("---");
// "17 workers" must not match "7 workers".
const holds = (notes, { key, module }) =>
  notes.some(({ text }) => new RegExp(`(?<!\\d)${key}`, "u").test(bodyOf(text)) && bodyOf(text).includes(module));

function transcriptOf({ index, messages }, now) {
  const turns = messages.flatMap((text, at) => [
    { role: "user", id: `u${at}`, text, time: new Date(now + at * 60_000).toISOString(), toolCalls: [] },
    { role: "assistant", id: `a${at}`, text: "Done.", time: undefined, toolCalls: [] },
  ]);
  return { agent: "bench", session: `s${index}`, cwd: undefined, turns, toolTexts: [], problems: [] };
}

function makeWorld() {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-year-"));
  const project = path.join(root, "shop");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  fs.mkdirSync(path.join(root, "home"));
  for (const module of ["auth", "billing", "search", "quota"])
    fs.mkdirSync(path.join(project, "src", module), { recursive: true });
  const environment = { PATH: process.env.PATH, HOME: path.join(root, "home"), TZ: "UTC" };
  return { root, project, environment };
}

function dream({ project, environment }, now) {
  execFileSync(
    process.execPath,
    [
      "--require",
      path.join(here, "year", "clock.cjs"),
      path.join(here, "..", "dist", "memdir.cjs"),
      "dream",
      "--apply",
    ],
    { cwd: project, env: { ...environment, MEMDIR_BENCH_NOW: String(now) }, stdio: "ignore", timeout: 120_000 },
  );
}

/** The live notes of all scopes, and the project's MEMORY.md. */
function look({ root }) {
  const directories = fs
    .readdirSync(path.join(root, "home"), { recursive: true })
    .map(String)
    .filter((file) => path.basename(file) === "MEMORY.md")
    .map((file) => path.join(root, "home", path.dirname(file)));
  const notes = directories.flatMap((directory) => liveNotes(directory));
  const firstLines = directories.flatMap((directory) =>
    fs
      .readFileSync(path.join(directory, "MEMORY.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("- ["))
      .slice(0, 10),
  );
  return { notes, firstLines };
}

/** The text that the judge reads of a session. */
async function digestOf(session, now) {
  const { said } = await digestSession(transcriptOf(session, now), deps);
  return said.map(({ sentence }) => sentence).join(" ");
}

async function replay(seed) {
  const world = makeWorld();
  const sessions = yearOf(seed, Number(values.sessions));
  const junk = new Set(sessions.flatMap((session) => session.junk));
  const isJunk = (text) => [...junk].some((piece) => text.includes(piece));
  const rows = [];
  let month = { wishes: 0, byRules: 0, kept: 0, start: [] };
  const force = new Map();
  for (const session of sessions) {
    const now = START + Math.floor((session.index / sessions.length) * 365) * DAY_MS;
    const memory = openMemory({
      cwd: world.project,
      environment: world.environment,
      model: "off",
      clock: { now: () => now, timeZone: "UTC" },
    });
    month.start.push(memory.context().reduce((sum, { text }) => sum + text.length, 0));
    for (const prompt of session.messages.slice(0, 3))
      memory.recall(prompt, { session: `s${session.index}`, verify: false });
    await memory.capture(transcriptOf(session, now));
    const byRules = look(world).notes;
    const digest = await digestOf(session, now);
    for (const wish of session.wishes)
      if (!holds(byRules, wish) && digest.includes(wish.text)) await memory.remember({ body: wish.text });
    memory.close();
    const { notes } = look(world);
    for (const wish of session.wishes) {
      month.wishes++;
      if (holds(byRules, wish)) month.byRules++;
      if (holds(notes, wish)) month.kept++;
      if (wish.old !== undefined) force.set(`${wish.module} ${wish.old}`, { key: wish.old, module: wish.module });
      force.delete(`${wish.module} ${wish.key}`);
    }
    const isMonthsEnd =
      Math.floor(((session.index + 1) * 12) / sessions.length) > Math.floor((session.index * 12) / sessions.length);
    if (!isMonthsEnd) continue;
    dream(world, now + 3_600_000);
    const seen = look(world);
    rows.push({
      month: rows.length + 1,
      wishes: month.wishes,
      "by rules %": share(month.byRules, month.wishes),
      "kept %": share(month.kept, month.wishes),
      "old in force": [...force.values()].filter((old) => holds(seen.notes, old)).length,
      notes: seen.notes.length,
      "junk notes": seen.notes.filter(({ text }) => isJunk(bodyOf(text))).length,
      "junk in first lines": seen.firstLines.filter(isJunk).length,
      "start, characters": Math.round(month.start.reduce((sum, one) => sum + one, 0) / month.start.length),
      "state, KB": Math.round(bytesBelow(path.join(world.root, "home")) / 1024),
    });
    month = { wishes: 0, byRules: 0, kept: 0, start: [] };
  }
  fs.rmSync(world.root, { recursive: true, force: true });
  return rows;
}

function share(part, whole) {
  return whole === 0 ? 100 : Math.round((100 * part) / whole);
}

for (const seed of values.seeds.split(",").map(Number)) {
  const started = Date.now();
  const rows = await replay(seed);
  console.log(`seed ${seed}, ${values.sessions} sessions, ${Math.round((Date.now() - started) / 1000)} s`);
  console.table(rows);
}
console.log(`${process.platform} ${process.arch}, Node ${process.version}`);
