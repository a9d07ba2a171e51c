#!/usr/bin/env node
// Secrets: node bench/secrets.mjs DIR|FILE.jsonl [--list]
// FILE has one labelled text per line, {"id","text","secret": true|false}; prints one JSON line,
// {"positives","caught","negatives","flagged"}. DIR has such files in secrets/, and notes in realmem/stores/ and
// memwild/hook.json; prints a table of both, with what the general rules catch without the table of vendors. --list
// also names the texts that were judged differently from their label.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findVendorTokens } from "../dist/core/shared/secrets/find-secrets.js";
import { findGeneral, findSecrets } from "../dist/core/shared/secrets/find-secrets.js";

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
const [place] = positionals;
if (place === undefined) {
  console.error("usage: node bench/secrets.mjs DIR|FILE.jsonl [--list]");
  process.exit(2);
}
if (fs.statSync(place).isDirectory()) printTable(place);
else console.log(JSON.stringify(countsOf(labelled(place))));

function labelled(file) {
  const lines = fs.readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

function countsOf(texts) {
  const counts = { positives: 0, caught: 0, negatives: 0, flagged: 0 };
  for (const { id, text, secret } of texts) {
    const found = findSecrets(text);
    counts[secret ? "positives" : "negatives"]++;
    if (found.length > 0) counts[secret ? "caught" : "flagged"]++;
    if (options.list && found.length > 0 !== secret)
      console.log(`${secret ? "missed " : "flagged"} ${id} ${found.map(({ rule }) => rule).join(", ")}`);
  }
  return counts;
}

function printTable(directory) {
  const folder = path.join(directory, "secrets");
  const rows = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => rowsOf(name.slice(0, -".jsonl".length), labelled(path.join(folder, name))));
  console.log(`node ${process.version}, ${os.cpus()[0]?.model.trim()}`);
  console.log("\n| texts | secrets | caught | vendors | all caught | without the table | innocent | flagged |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  const notes = notesOf(directory);
  const flagged = notes.filter(({ text }) => findSecrets(text).length > 0);
  if (options.list) for (const { id } of flagged) console.log(`flagged ${id}`);
  console.log(`\nreal notes: ${notes.length}, flagged: ${flagged.length} (${percent(flagged.length, notes.length)})`);
}

/** One row for a whole file, then one per group: by scanner, and by whether the table knows a prefix in it. */
function rowsOf(name, texts) {
  const known = (one) => findVendorTokens(one.text).length > 0;
  const vendors = new Set(texts.filter((one) => one.secret && known(one)).map(vendorOf));
  const sources = [...new Set(texts.map(({ id }) => id.split("/")[0]))];
  const groups = [
    [name, () => true],
    ...(sources.length > 1 && sources.length < 6
      ? sources.map((one) => [one, ({ id }) => id.startsWith(`${one}/`)])
      : []),
    [`${name}: vendors in the table`, (one) => vendors.has(vendorOf(one))],
    [`${name}: vendors that are not`, (one) => !vendors.has(vendorOf(one))],
  ];
  return groups.map(([title, belongs], at) => {
    const own = texts.filter(belongs);
    const secret = own.filter((one) => one.secret);
    const listed = options.list;
    options.list = listed && at === 0;
    const { positives, caught, negatives, flagged } = countsOf(own);
    options.list = listed;
    const missed = new Set(secret.filter(({ text }) => findSecrets(text).length === 0).map(vendorOf));
    const all = new Set(secret.map(vendorOf));
    const general = secret.filter(({ text }) => findGeneral(text).length > 0).length;
    return [
      title,
      positives,
      `${caught} (${percent(caught, positives)})`,
      all.size,
      percent(all.size - missed.size, all.size),
      percent(general, positives),
      negatives,
      flagged,
    ];
  });
}

/** `kingfisher/kingfisher.adobe.1#0` belongs to adobe. */
function vendorOf({ id }) {
  return /^[^/]*\/(?:[a-z]+\.)?([\w-]+)/u.exec(id)?.[1] ?? id;
}

function notesOf(directory) {
  const stores = path.join(directory, "realmem", "stores");
  const wild = path.join(directory, "memwild", "hook.json");
  const files = fs.existsSync(stores)
    ? fs.readdirSync(stores, { recursive: true }).filter((name) => name.endsWith(".md"))
    : [];
  const texts = new Map(files.map((name) => [fs.readFileSync(path.join(stores, name), "utf8"), name]));
  if (fs.existsSync(wild))
    for (const { id, docs } of JSON.parse(fs.readFileSync(wild, "utf8")))
      for (const doc of docs) texts.set(doc.text, `${id}/${doc.id}`);
  return [...texts].map(([text, id]) => ({ id, text }));
}

function percent(part, whole) {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
}
