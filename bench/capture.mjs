#!/usr/bin/env node
// Capture by rules, measured on sessions: npm run bench:capture -- DIR [--out RUN.jsonl]
// If DIR also holds gold/ and score.mjs, prints what was right, next to a simple regular expression. DIR holds
// sessions/<id>.jsonl (Claude Code transcripts) and existing/<id>/*.md (existing notes). If --out names a file, writes
// one line per session, {"id","memories":[{"type","text","evidence_uuid"}],"superseded":["file.md"]}. With --digest the
// memories are the sentences of each session's digest, which a judge reads, instead of what the rules alone would save.
// With --asked they are those of the block that asks the next session's agent, which costs at most 400 tokens. Run `npm
// run build` first; --dist takes another build.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { hasGold, scoreTable } from "./capture-table.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    dist: { type: "string" },
    digest: { type: "boolean", default: false },
    asked: { type: "boolean", default: false },
    "baseline-out": { type: "string" },
    "time-zone": { type: "string", default: "UTC" },
  },
});
const [directory] = positionals;
if (directory === undefined) {
  console.error(
    "usage: npm run bench:capture -- DIR [--digest | --asked] [--out RUN.jsonl] [--baseline-out RUN.jsonl] [--time-zone ZONE] [--dist DIR]",
  );
  process.exit(2);
}

const dist = values.dist ?? path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
const load = (file) => import(pathToFileURL(path.resolve(dist, file)).href);
const { claudeCodeTranscripts } = await load("adapters/agents/claude-code-transcript.js");
const { readTranscript } = await load("core/transcripts/turn.js");
const { dateResolver } = await load("core/notes/dates/resolve.js");
const { createSecretScanner } = await load("adapters/secrets/scanner.js");
const { planCapture } = await load("core/capture/plan-capture.js");
const { digestSession } = await load("core/capture/digest.js");
const { askingBlock, fitsBlock } = await load("core/capture/asking.js");
const { isWorthAsking } = await load("core/capture/unjudged.js");
const { estimateTokens } = await load("core/shared/text.js");

/** The few lines of frontmatter that capture needs; the product has a real parser. */
function readNote(file) {
  const text = fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  const [, head = "", body = text] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/u.exec(text) ?? [];
  const field = (name) => new RegExp(`^\\s*${name}:\\s*(.+)$`, "mu").exec(head)?.[1]?.trim();
  const type = field("type");
  return {
    file: path.basename(file),
    type: ["user", "feedback", "project", "reference"].includes(type) ? type : undefined,
    name: field("name") ?? path.basename(file, ".md"),
    description: field("description") ?? "",
    body,
  };
}

function existingNotes(id) {
  const folder = path.join(directory, "existing", id);
  return fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .filter((name) => name.endsWith(".md"))
        .map((name) => readNote(path.join(folder, name)))
    : [];
}

/** The simple baseline: every sentence of user text with a word that often marks a wish. */
function baseline(transcript) {
  const marker =
    /\b(?:always|never|remember|don'?t|do not|prefer|from now on|make sure|instead|for now|let'?s|we're using|i'm (?:a|the|using)|keep in mind)\b/iu;
  return transcript.turns
    .filter((turn) => turn.role === "user")
    .flatMap((turn) =>
      turn.text
        .split(/(?<=[.!?。])\s+|\n/u)
        .filter((sentence) => marker.test(sentence))
        .map((sentence) => ({ type: "feedback", text: sentence, evidence_uuid: turn.id })),
    );
}

/** Each sentence of the digest as a note, with the question it answers; only the user's words count for its length. */
async function digested(transcript) {
  const digest = await digestSession(transcript, deps, (one) => !values.asked || fitsBlock(one.said));
  digestWords.push(digest.words);
  if (values.asked) {
    const { said } = digest;
    if (!isWorthAsking(said)) return [];
    blockTokens.push(estimateTokens(askingBlock(said)));
  }
  return digest.said.map(({ message, question, sentence }) => ({
    type: "feedback",
    text: question === undefined ? sentence : `${question} ${sentence}`,
    evidence_uuid: message,
  }));
}

const digestWords = [];
const blockTokens = [];
const deps = { secrets: createSecretScanner(), dates: dateResolver, timeZone: values["time-zone"] };
const sessions = fs
  .readdirSync(path.join(directory, "sessions"))
  .filter((name) => name.endsWith(".jsonl"))
  .toSorted();
const lines = [];
const baselineLines = [];
const refusals = new Map();
const times = [];
let notes = 0;
let superseded = 0;
let baselineNotes = 0;
await deps.secrets.scan("loads the scanner, so that the first session is not charged for it");
for (const name of sessions) {
  const id = name.slice(0, -".jsonl".length);
  const text = fs.readFileSync(path.join(directory, "sessions", name), "utf8");
  const existing = existingNotes(id);
  const started = performance.now();
  const transcript = readTranscript(text, claudeCodeTranscripts);
  const plan = await planCapture(transcript, existing, deps);
  times.push(performance.now() - started);
  for (const { reason } of plan.refused) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
  const memories =
    values.digest || values.asked
      ? await digested(transcript)
      : plan.operations.map(({ draft }) => ({
          type: draft.type,
          text: draft.body,
          evidence_uuid: draft.evidence?.message,
        }));
  const retired = plan.operations
    .filter((operation) => operation.kind === "supersede")
    .map((operation) => operation.file);
  notes += memories.length;
  superseded += retired.length;
  lines.push(JSON.stringify({ id, memories, superseded: retired }));
  const crude = baseline(transcript);
  baselineNotes += crude.length;
  baselineLines.push(JSON.stringify({ id, memories: crude, superseded: [] }));
}

times.sort((a, b) => a - b);
const row = (label, ...cells) =>
  console.log(label.padEnd(28) + cells.map((cell) => String(cell).padStart(34)).join(""));
row("", "memdir", "plain regex");
row("sessions", sessions.length, sessions.length);
row("notes", notes, baselineNotes);
if (values.asked) {
  row("sessions asked about", blockTokens.length, "-");
  row("tokens a block, mean", (blockTokens.reduce((a, b) => a + b, 0) / blockTokens.length).toFixed(0), "-");
  row("tokens a block, largest", Math.max(...blockTokens), "-");
}
if (values.digest || values.asked) {
  const total = digestWords.reduce((sum, words) => sum + words, 0);
  row("words a session", (total / sessions.length).toFixed(0), "-");
  row("words, longest session", Math.max(...digestWords), "-");
}
row("superseded", superseded, 0);
row(
  "refused",
  [...refusals.values()].reduce((sum, count) => sum + count, 0),
  "-",
);
for (const [reason, count] of [...refusals].toSorted((a, b) => b[1] - a[1])) row(`  ${reason}`, count, "-");
row("ms a session, median", times[times.length >> 1]?.toFixed(1) ?? "-", "-");
row("ms a session, slowest", times.at(-1)?.toFixed(1) ?? "-", "-");
if (hasGold(directory)) {
  console.log("");
  for (const [label, ...cells] of await scoreTable(
    directory,
    [lines, baselineLines].map((run) => run.map((line) => JSON.parse(line))),
  ))
    row(label, ...cells);
}
if (values.out !== undefined) {
  fs.writeFileSync(values.out, `${lines.join("\n")}\n`);
  const baselineOut = values["baseline-out"] ?? values.out.replace(/(?:\.jsonl)?$/u, ".baseline.jsonl");
  fs.writeFileSync(baselineOut, `${baselineLines.join("\n")}\n`);
  console.log(`\nwritten: ${values.out}, ${baselineOut}`);
}
console.log(`\n${process.platform} ${process.arch}, Node ${process.versions.node}`);
