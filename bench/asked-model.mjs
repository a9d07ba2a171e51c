#!/usr/bin/env node
// What the next sessions' agents make of the blocks that ask them, in two runs so that any model can be asked by hand:
//   node bench/asked-model.mjs DIR --requests FILE.jsonl        writes {"id","text"}: the notes' lines and the block, as
//                                                               the agent sees them; sessions that ask nothing are left out
//   node bench/asked-model.mjs DIR --answers FILE.jsonl --out RUN.jsonl
// An answer line is {"id","memories":[{"type","text","evidence_quote"}],"superseded":["file.md"]}: the calls of
// `remember` the agent would make, with the sentence behind each. Scored here and by DIR/score.mjs. --kept FILE writes
// the answers without their text: {"id","chosen":[{"type","sentences":["HASH"]}],"superseded":["HASH"]}, where HASH is
// the first 8 hex digits of the SHA-256 of a sentence or file name. Such a file is scored like an answer, with the
// sentences themselves as the notes, and only those that the block still shows. DIR holds sessions/<id>.jsonl,
// existing/<id>/*.md and gold/. Run `npm run build` first.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { claudeCodeTranscripts } from "../dist/adapters/agents/claude-code-transcript.js";
import { createSecretScanner } from "../dist/adapters/secrets/scanner.js";
import { yamlFrontmatter } from "../dist/adapters/yaml/frontmatter.js";
import { askingBlock, firstBlock } from "../dist/core/capture/asking.js";
import { isWorthAsking, saidInParts } from "../dist/core/capture/unjudged.js";
import { dateResolver } from "../dist/core/notes/dates/resolve.js";
import { parseNote } from "../dist/core/notes/parse-note.js";
import { readTranscript } from "../dist/core/transcripts/turn.js";
import { scoreTable } from "./capture-table.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: "string" },
    answers: { type: "string" },
    out: { type: "string" },
    kept: { type: "string" },
    "time-zone": { type: "string", default: "UTC" },
  },
});
const [directory] = positionals;
const asking = options.requests !== undefined;
if (directory === undefined || asking === (options.answers !== undefined && options.out !== undefined)) {
  console.error(
    "usage: node bench/asked-model.mjs DIR (--requests FILE | --answers FILE --out RUN [--kept FILE]) [--time-zone ZONE]",
  );
  process.exit(2);
}
const sessions = fs
  .readdirSync(path.join(directory, "sessions"))
  .filter((file) => file.endsWith(".jsonl"))
  .map((file) => file.slice(0, -".jsonl".length))
  .toSorted();

/** One line for each existing note, as in an index. */
function indexLines(id) {
  const folder = path.join(directory, "existing", id);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
    .toSorted()
    .map((file) => {
      const { name, description } = parseNote(file, fs.readFileSync(path.join(folder, file)), yamlFrontmatter);
      return `- ${file}: ${description || name}`;
    });
}

/** The sentences that each block shows: the first, and at later starts the rest; none if nothing is asked. */
async function blocksOf(id) {
  const text = fs.readFileSync(path.join(directory, "sessions", `${id}.jsonl`), "utf8");
  const deps = { secrets: createSecretScanner(), dates: dateResolver, timeZone: options["time-zone"] };
  const parts = await saidInParts(readTranscript(text, claudeCodeTranscripts), deps);
  const blocks = [];
  for (let { said, rest } = parts; said.length > 0 && isWorthAsking(said); { said, rest } = firstBlock(rest)) {
    blocks.push(said);
    if (rest.length === 0) break;
  }
  return blocks;
}

async function shown(id) {
  return (await blocksOf(id)).flat();
}

async function writeRequests(file) {
  const lines = [];
  let asked = 0;
  for (const id of sessions) {
    const blocks = await blocksOf(id);
    if (blocks.length > 0) asked++;
    for (const said of blocks)
      lines.push(JSON.stringify({ id, text: [...indexLines(id), "", askingBlock(said)].join("\n") }));
  }
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  console.log(`${asked} of ${sessions.length} sessions are asked about, in ${lines.length} blocks, written: ${file}`);
}

async function scoreAnswers(file, out) {
  const answers = new Map();
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    if (line.trim() === "") continue;
    const { id, ...answer } = JSON.parse(line);
    const known = answers.get(id) ?? {};
    // One answer for each block of a session.
    const joined = Object.entries(answer).map(([name, list]) => [name, [...(known[name] ?? []), ...list]]);
    answers.set(id, { ...known, ...Object.fromEntries(joined) });
  }
  const run = [];
  const kept = [];
  for (const id of sessions) {
    const { memories = [], chosen, superseded = [] } = answers.get(id) ?? {};
    const said = await shown(id);
    if (chosen === undefined) {
      run.push({ id, memories, superseded });
      kept.push({ id, chosen: memories.map((one) => choiceOf(one, said)), superseded: superseded.map(handle) });
    } else run.push({ id, memories: chosen.flatMap((one) => noteOf(one, said)), superseded: filesOf(id, superseded) });
  }
  fs.writeFileSync(out, `${run.map((line) => JSON.stringify(line)).join("\n")}\n`);
  if (options.kept !== undefined)
    fs.writeFileSync(options.kept, `${kept.map((line) => JSON.stringify(line)).join("\n")}\n`);
  for (const [label, cell] of await scoreTable(directory, [run])) console.log(`${label.padEnd(28)}${cell}`);
  console.log(`answered ${answers.size}, written: ${out}`);
}

function handle(text) {
  return crypto.createHash("sha256").update(text).digest("hex").slice(0, 8);
}

const plain = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The sentences that a note rests on: in or around its quotation, or sharing half of the note's words. */
function choiceOf({ type, text, evidence_quote: quote = "" }, said) {
  const wanted = plain(quote);
  const words = new Set(longWords(text));
  const of = said.filter(({ sentence }) => {
    const whole = plain(sentence);
    const shared = longWords(sentence).filter((word) => words.has(word)).length;
    return whole.includes(wanted) || wanted.includes(whole) || (shared >= 3 && shared >= words.size / 3);
  });
  return { type, sentences: of.map(({ sentence }) => handle(sentence)) };
}

const longWords = (text) => [
  ...new Set(
    plain(text)
      .split(" ")
      .filter(({ length }) => length > 3),
  ),
];

function noteOf({ type, sentences }, said) {
  const of = said.filter(({ sentence }) => sentences.includes(handle(sentence)));
  const text = of.map(({ question, sentence }) => (question === undefined ? sentence : `${question} ${sentence}`));
  return of.length === 0 ? [] : [{ type, text: text.join(" "), evidence_uuid: of[0].message }];
}

function filesOf(id, handles) {
  const folder = path.join(directory, "existing", id);
  return fs.existsSync(folder) ? fs.readdirSync(folder).filter((file) => handles.includes(handle(file))) : [];
}

if (asking) await writeRequests(options.requests);
else await scoreAnswers(options.answers, options.out);
