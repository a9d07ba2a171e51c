#!/usr/bin/env node
// What learnt skills save a scripted agent, and whether bad ones are removed: npm run bench:skills [-- --no-isolation]
// How well outcomes of tasks are recognised: npm run bench:skills -- outcomes DIR… [--list] [--dist DIR]
// DIR holds sessions/*.jsonl and labels.jsonl (form: bench/skills/outcomes.mjs). Prints only numbers and ids.
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { benchSkills, printBench } from "./skills/run.mjs";
import { outcomes } from "./skills/outcomes.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    dist: { type: "string" },
    "no-isolation": { type: "boolean", default: false },
  },
});
const [task = "families", ...directories] = positionals;
const dist = values.dist ?? path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
const load = (file) => import(pathToFileURL(path.resolve(dist, file)).href);
if (task === "outcomes" && directories.length > 0) await outcomes(load, directories, { list: values.list });
else if (task === "families" && directories.length === 0) {
  const began = Date.now();
  const result = await benchSkills(load, { isolated: !values["no-isolation"] });
  printBench(result);
  console.log(`\nnode ${process.version}, ${os.cpus().length} cores, ${((Date.now() - began) / 1000).toFixed(1)} s`);
  if (result.gates.some(({ holds }) => !holds)) process.exitCode = 1;
} else {
  console.error("usage: npm run bench:skills [-- --no-isolation], or npm run bench:skills -- outcomes DIR…");
  process.exit(2);
}
