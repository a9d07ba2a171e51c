#!/usr/bin/env node
// Facts, measured on labelled cases: npm run bench:facts -- DIR [--list wrong|verbatim|right] [--json] [--dist DIR]
// DIR holds *.jsonl, one case per line; bench/facts/README.md describes the form. Every case goes through `remember` of
// the library in a scratch store. Prints wrong, verbatim and right for each group, author and language. The exit code
// is 1 if a date is wrong or a note was superseded that had to stay.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { readCases } from "./facts/cases.mjs";
import { outcomeOf } from "./facts/outcome.mjs";
import { printTable } from "./facts/table.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string", multiple: true, default: ["wrong"] },
    json: { type: "boolean", default: false },
    dist: { type: "string" },
  },
});
const [directory] = positionals;
if (directory === undefined) {
  console.error("usage: npm run bench:facts -- DIR [--list wrong|verbatim|right]… [--json] [--dist DIR]");
  process.exit(2);
}

const dist = values.dist ?? path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
const { openMemory } = await import(pathToFileURL(path.resolve(dist, "index.js")).href);
const cases = readCases(directory);
if (cases.length === 0) {
  console.error(`there is no case in ${directory}: it must hold *.jsonl with a "group" in each line`);
  process.exit(2);
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-facts-"));
const results = [];
try {
  for (const [number, one] of cases.entries()) {
    const place = path.join(root, String(number));
    results.push({ ...one, ...(await outcomeOf(one, place, openMemory)) });
    fs.rmSync(place, { recursive: true, force: true });
  }
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

if (values.json) for (const result of results) console.log(JSON.stringify(result));
else {
  for (const { verdict, group, lang, author, text, before, after, got, expect } of results)
    if (values.list.includes(verdict))
      console.log(
        `${verdict}  ${group} ${lang} ${author}\n  said  ${text ?? `${before} / ${after}`}\n  got   ${got}\n  want  ${JSON.stringify(expect)}`,
      );
  printTable(results);
}
if (results.some(({ verdict, group, got }) => verdict === "wrong" && (group === "dates" || got === "replaces")))
  process.exitCode = 1;
