#!/usr/bin/env node
/**
 * What new statements do to real notes: npm run bench:changes -- DIR [--notes 10000] [--dist DIR]
 * DIR holds stores/<id>/notes/*.md. Every note is stated again to its own store, which must see it as the same note,
 * and to every other store, which must keep it separate. It is compared with all notes there, not only the ten nearest.
 * Then measures the time of an add to a store of --notes notes. Prints one line each; ends with 1 if a note would have
 * been superseded. Run `npm run build` first.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { makeNote, seeded } from "./synthetic-notes.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { notes: { type: "string", default: "10000" }, dist: { type: "string" } },
});
const [directory] = positionals;
if (directory === undefined) {
  console.error("usage: npm run bench:changes -- DIR [--notes 10000] [--dist DIR]");
  process.exit(2);
}
const dist = values.dist ?? path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
const load = (file) => import(pathToFileURL(path.resolve(dist, file)).href);
const { decide } = await load("core/notes/changes/decide.js");
const { parseNote } = await load("core/notes/parse-note.js");
const { yamlFrontmatter } = await load("adapters/yaml/frontmatter.js");
const { openMemory } = await load("index.js");

function notesOf(store) {
  const folder = path.join(directory, "stores", store, "notes");
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
    .map((file) => {
      const { type, description, body } = parseNote(file, fs.readFileSync(path.join(folder, file)), yamlFrontmatter);
      return { file, type, description, body, isProtected: false };
    });
}

const stores = fs.readdirSync(path.join(directory, "stores")).map((id) => ({ id, notes: notesOf(id) }));
const counts = { own: {}, other: {}, itself: {} };
const superseded = [];
for (const { id, notes } of stores)
  for (const note of notes)
    for (const other of stores) {
      const rivals = decide({ ...note, type: note.type ?? "project" }, other.notes);
      for (const rival of rivals) {
        const which = other.id !== id ? "other" : rival.note.file === note.file ? "itself" : "own";
        counts[which][rival.kind] = (counts[which][rival.kind] ?? 0) + 1;
        if (rival.change.kind === "replaces") superseded.push(`${id}/${note.file} → ${other.id}/${rival.note.file}`);
      }
    }
const total = stores.reduce((sum, { notes }) => sum + notes.length, 0);
const shown = (kinds) =>
  Object.entries(kinds)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ") || "beside throughout";
console.log(`${total} notes of ${stores.length} stores`);
console.log(`each said again: of itself ${shown(counts.itself)}; of its neighbours ${shown(counts.own)}`);
console.log(`each said to every other store: ${shown(counts.other)}`);
console.log(`superseded: ${superseded.length}`);
for (const one of superseded.slice(0, 20)) console.log(`  ${one}`);

/** The first adds of a process also wait for its code to be compiled. */
const [FIRST, WARM] = [30, 300];

const size = Number(values.notes);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-changes-"));
const dir = path.join(root, "notes");
fs.mkdirSync(dir);
const random = seeded(7);
for (let i = 0; i < size; i++) fs.writeFileSync(path.join(dir, `project_note_${i}.md`), makeNote(random, i));
const memory = openMemory({ dir, environment: { HOME: path.join(root, "home"), PATH: process.env.PATH } });
memory.recall("which port does the worker listen on?", { verify: false });
await memory.remember({ body: "The first worker listens on port 4000" });
const times = [];
for (let i = 0; i < FIRST + WARM; i++) {
  const name = `worker ${String.fromCharCode(97 + (i % 26))}${Math.floor(i / 26)}`;
  const body = i % 2 === 0 ? `The ${name} listens on port ${4000 + i}` : `The queue of ${name} retries ${i} times`;
  const started = performance.now();
  await memory.remember({ body });
  times.push(performance.now() - started);
}
memory.close();
fs.rmSync(root, { recursive: true, force: true });
const p50 = (all) => all.toSorted((a, b) => a - b)[all.length >> 1].toFixed(1);
console.log(
  `an add at ${size} notes: p50 ${p50(times.slice(FIRST))} ms, of the first ${FIRST} in a process ${p50(times.slice(0, FIRST))} ms (${os.cpus()[0]?.model ?? "?"}, Node ${process.version})`,
);
process.exitCode = superseded.length === 0 ? 0 : 1;
