#!/usr/bin/env node
// Secrets: node bench/secrets.mjs FILE.jsonl [--list]
// FILE has one labelled text a line, {"id","text","secret": true|false}. Prints one JSON line,
// {"positives","caught","negatives","flagged"}; --list also names the texts that were judged otherwise than labelled.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { createSecretScanner } from "../dist/adapters/secrets/scanner.js";

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
const [file] = positionals;
if (file === undefined) {
  console.error("usage: node bench/secrets.mjs FILE.jsonl [--list]");
  process.exit(2);
}

const secrets = createSecretScanner();
const counts = { positives: 0, caught: 0, negatives: 0, flagged: 0 };
for (const line of fs.readFileSync(file, "utf8").split("\n").filter((text) => text.trim() !== "")) {
  const { id, text, secret } = JSON.parse(line);
  const findings = await secrets.scan(text);
  const found = findings.length > 0;
  counts[secret ? "positives" : "negatives"]++;
  if (found) counts[secret ? "caught" : "flagged"]++;
  if (options.list && found !== secret) console.log(`${secret ? "missed " : "flagged"} ${id}${found ? ` (${findings.map(({ rule }) => rule).join(", ")})` : ""}`);
}
console.log(JSON.stringify(counts));
