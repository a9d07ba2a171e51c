#!/usr/bin/env node
// A strong model as the agent, by hand, in two runs: does it find the helpful notes with what memdir shows it?
//   npm run bench:host -- DIR --requests FOLDER     writes CLIENT-STORE.md: a session's start, then the store's prompts,
//                                                   shuffled (--seed N), each with what comes with it in a new session
//   npm run bench:host -- DIR --answers FILE.jsonl  scores {"client","store","id","notes":["file.md"]}
// A note may be named by its file or by the first 8 hex digits of the SHA-256 of its file's name, so that answers can
// be kept without the stores they refer to. --kept FILE writes them that way. Run `npm run build` first.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { readStores } from "./recall-data.mjs";
import { CLIENTS, openSession, withStore } from "./sessions.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: "string" },
    answers: { type: "string" },
    kept: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const [directory] = positionals;
if (directory === undefined || (options.requests === undefined) === (options.answers === undefined)) {
  console.error("usage: npm run bench:host -- DIR (--requests FOLDER [--seed N] | --answers FILE [--kept FILE])");
  process.exit(2);
}
const handle = (file) => crypto.createHash("sha256").update(file).digest("hex").slice(0, 8);
const stores = [...readStores(directory)].filter(({ set }) => set === "realmem");

if (options.requests !== undefined) writeRequests(options.requests);
else score(options.answers);

function writeRequests(folder) {
  fs.mkdirSync(folder, { recursive: true });
  for (const client of CLIENTS)
    for (const { name, tasks } of stores)
      withStore(directory, name, (workspace, notes) => {
        const index = client === "claude-code" ? indexShown(notes) : "";
        const { start } = openSession(workspace, client);
        const prompts = shuffled(tasks[0].queries, `${options.seed} ${client} ${name}`).map(({ id, text }) => {
          const { rendered } = openSession(workspace, client).ask(text);
          return `### ${id}\n\n${text}\n${rendered.text === "" ? "" : `\n[comes with the prompt]\n${rendered.text}\n`}`;
        });
        fs.writeFileSync(
          path.join(folder, `${client}-${name}.md`),
          `# Start of the session\n\n${index}${start.text}\n\n# Prompts, each the first of such a session\n\n${prompts.join("\n")}`,
        );
      });
  console.log(`written: ${folder}, ${CLIENTS.length * stores.length} files`);
}

/** Like Claude Code: at most 200 lines and 25,000 characters. */
function indexShown(notes) {
  const file = path.join(notes, "MEMORY.md");
  if (!fs.existsSync(file)) return "";
  return `${fs.readFileSync(file, "utf8").split("\n").slice(0, 200).join("\n").slice(0, 25_000)}\n\n`;
}

/** The same seed gives the same order. */
function shuffled(items, seed) {
  const key = ({ id }) => crypto.createHash("sha256").update(`${seed} ${id}`).digest("hex");
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function score(file) {
  const answers = new Map(
    fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map((answer) => [`${answer.client} ${answer.store} ${answer.id}`, answer]),
  );
  const table = [];
  const kept = [];
  for (const client of CLIENTS) {
    const all = [];
    for (const { name, tasks, documents } of stores) {
      const byHandle = new Map(documents.map(({ id }) => [handle(id), id]));
      const rows = tasks[0].queries.flatMap((query) => {
        const answer = answers.get(`${client} ${name} ${query.id}`);
        if (answer === undefined) return [];
        const notes = [...new Set(answer.notes)].map((note) => byHandle.get(note) ?? note);
        for (const note of notes)
          if (!byHandle.has(handle(note)))
            console.log(`${client} ${name} ${query.id}: no such note, counts as wrong: ${note}`);
        kept.push(JSON.stringify({ client, store: name, id: query.id, notes: notes.map(handle) }));
        return [judged(query, notes)];
      });
      all.push(...rows);
      if (rows.length > 0) table.push(summary(client, name, rows));
    }
    if (all.length > 0) table.push(summary(client, "all", all));
  }
  console.table(table);
  if (options.kept !== undefined) fs.writeFileSync(options.kept, `${kept.join("\n")}\n`);
}

/** An acceptable note counts neither as right nor as wrong. */
function judged({ id, gold, acceptable }, notes) {
  const counted = notes.filter((note) => !acceptable.includes(note));
  const right = counted.filter((note) => gold.includes(note)).length;
  return { id, helps: gold.length > 0, right, wrong: counted.length - right, missed: gold.length - right };
}

function summary(client, store, rows) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const percent = (part, whole) => ((100 * part) / Math.max(1, whole)).toFixed(1);
  const [right, wrong, missed] = [sum("right"), sum("wrong"), sum("missed")];
  const nothing = rows.filter(({ helps }) => !helps);
  return {
    client,
    store,
    prompts: rows.length,
    "precision %": percent(right, right + wrong),
    "recall %": percent(right, right + missed),
    "F1 %": percent(2 * right, 2 * right + wrong + missed),
    "chose nothing where nothing helps": `${nothing.filter(({ wrong: chosen }) => chosen === 0).length} of ${nothing.length}`,
  };
}
