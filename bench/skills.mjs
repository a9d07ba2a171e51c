#!/usr/bin/env node
// How well the ends of tasks are told: npm run bench:skills -- outcomes DIR… [--list] [--dist DIR]
// DIR holds sessions/*.jsonl and labels.jsonl (bench/skills/outcomes.mjs says their form). Prints numbers and ids only.
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { outcomes } from "./skills/outcomes.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, dist: { type: "string" } },
});
const [task, ...directories] = positionals;
if (task !== "outcomes" || directories.length === 0) {
  console.error("usage: npm run bench:skills -- outcomes DIR… [--list] [--dist DIR]");
  process.exit(2);
}
const dist = values.dist ?? path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
await outcomes((file) => import(pathToFileURL(path.resolve(dist, file)).href), directories, { list: values.list });
