#!/usr/bin/env node
// Capture with a model, measured on sessions, in two runs so that any model can be asked by hand:
//   node bench/capture-model.mjs DIR --requests FILE.jsonl          writes {"id","system","text"}, what memdir would send
//   node bench/capture-model.mjs DIR --answers FILE.jsonl --out RUN.jsonl
// With --judge it reads what the user's own agent reads of a finished session: what was typed, and the questions that
// short answers belong to. Without it, it reads the whole conversation, as a model with an API key does. An answer line
// is {"id","value"}: the JSON that the model gave. The product's own code judges it; score with DIR/score.mjs. DIR
// holds sessions/<id>.jsonl and existing/<id>/*.md. Run `npm run build` first.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { claudeCodeTranscripts } from "../dist/adapters/agents/claude-code-transcript.js";
import { readTranscript } from "../dist/core/transcripts/turn.js";
import { dateResolver } from "../dist/core/notes/dates/resolve.js";
import { createSecretScanner } from "../dist/adapters/secrets/scanner.js";
import { yamlFrontmatter } from "../dist/adapters/yaml/frontmatter.js";
import { conversationOf, digestSession } from "../dist/core/capture/digest.js";
import { extractMemories } from "../dist/core/capture/extract/extract.js";
import { parseNote } from "../dist/core/notes/parse-note.js";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: "string" },
    answers: { type: "string" },
    out: { type: "string" },
    judge: { type: "boolean", default: false },
    "time-zone": { type: "string", default: "UTC" },
  },
});
const [directory] = positionals;
const asking = options.requests !== undefined;
if (directory === undefined || asking === (options.answers !== undefined && options.out !== undefined)) {
  console.error(
    "usage: node bench/capture-model.mjs DIR (--requests FILE | --answers FILE --out RUN) [--judge] [--time-zone ZONE]",
  );
  process.exit(2);
}

const readLines = (file) =>
  fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
const answers = asking ? new Map() : new Map(readLines(options.answers).map(({ id, value }) => [id, value]));
const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
const EMPTY = { look: [], operations: [] };

function existingNotes(id) {
  const folder = path.join(directory, "existing", id);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((file) => {
      const { type, name, description, body } = parseNote(
        file,
        fs.readFileSync(path.join(folder, file)),
        yamlFrontmatter,
      );
      return { file, type, name, description, body };
    });
}

const requests = [];
const lines = [];
const refusals = new Map();
const failures = [];
for (const name of fs
  .readdirSync(path.join(directory, "sessions"))
  .filter((file) => file.endsWith(".jsonl"))
  .toSorted()) {
  const id = name.slice(0, -".jsonl".length);
  const transcript = readTranscript(
    fs.readFileSync(path.join(directory, "sessions", name), "utf8"),
    claudeCodeTranscripts,
  );
  const model = {
    id: "by-hand",
    place: "machine",
    ask: async ({ system, messages }) => {
      requests.push(JSON.stringify({ id, system, text: messages[0].text }));
      return { kind: "answer", value: answers.get(id) ?? EMPTY, usage, ms: 0 };
    },
  };
  const secrets = createSecretScanner();
  const turns = options.judge
    ? conversationOf(await digestSession(transcript, { secrets, timeZone: options["time-zone"] }), transcript)
    : transcript.turns;
  const result = await extractMemories(
    { transcript, turns, existing: existingNotes(id), instructions: "" },
    {
      model,
      tools: { look: async () => "not available here" },
      secrets,
      dates: dateResolver,
      timeZone: options["time-zone"],
      now: Date.now,
    },
  );
  if (result.kind === "failed") {
    failures.push(`${id}: ${result.reason} ${result.message}`);
    lines.push(JSON.stringify({ id, memories: [], superseded: [] }));
    continue;
  }
  for (const { reason, text } of result.plan.refused) {
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    console.log(`refused ${id} ${reason}: ${text.slice(0, 140)}`);
  }
  const written = result.plan.operations.filter(({ kind }) => kind !== "retire");
  lines.push(
    JSON.stringify({
      id,
      memories: written.map(({ draft }) => ({
        type: draft.type,
        text: draft.body,
        evidence_uuid: draft.evidence.message,
      })),
      superseded: result.plan.operations
        .filter(({ kind }) => kind === "supersede" || kind === "retire")
        .map(({ file }) => file),
    }),
  );
}
if (asking) {
  fs.writeFileSync(options.requests, `${requests.join("\n")}\n`);
  console.log(
    `${requests.length} requests, ${Math.round(requests.join("").length / 4)} tokens or so in all, written: ${options.requests}`,
  );
} else {
  fs.writeFileSync(options.out, `${lines.join("\n")}\n`);
  console.log(
    `answered ${answers.size}, failed ${failures.length}, refused ${[...refusals].map(([reason, count]) => `${reason} ${count}`).join(", ") || "none"}`,
  );
  for (const failure of failures) console.log(failure);
  console.log(`written: ${options.out}\nscore:   node ${path.join(directory, "score.mjs")} ${options.out} --list`);
}
