#!/usr/bin/env node
// npm run bench:reach -- DIR
// What a session of the product shows its agent. For each store of DIR/realmem, "reach" is the share of helpful notes
// whose line or text is in the session's start or comes with the prompt; the cost is in tokens (characters / 4). Each
// prompt gets its own session; `claude-code` shows MEMORY.md itself, `codex` shows nothing. A session of 20 prompts is
// measured too: its start once and the prompts of the store in order.
import { readStores } from "./recall-data.mjs";
import { CLIENTS, openSession, shownBy, withStore } from "./sessions.mjs";

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error("usage: npm run bench:reach -- DIR");
  process.exit(2);
}
const tokens = (text) => text.length / 4;
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function sessionsOf(workspace, client, queries) {
  const shown = shownBy(workspace, client);
  const rows = queries.map((query) => {
    const { start, ask } = openSession(workspace, client);
    const { outcome, rendered } = ask(query.text);
    const inStart = (file) => start.text.includes(file) || shown.has(`project:${file}`);
    const given = new Set([...rendered.shown, ...rendered.pointed].map(({ file }) => file));
    const reached = query.gold.filter((file) => inStart(file) || given.has(file));
    const whole = outcome.selected.map(({ file }) => file).filter((file) => !query.acceptable.includes(file));
    return {
      gold: query.gold.length,
      missed: query.gold.filter((file) => !reached.includes(file)),
      bodies: whole.length,
      right: whole.filter((file) => query.gold.includes(file)).length,
      start: tokens(start.text),
      prompt: tokens(rendered.text),
    };
  });
  const long = openSession(workspace, client);
  const twenty = queries.slice(0, 20).map((query) => tokens(long.ask(query.text).rendered.text));
  return { rows, session: tokens(long.start.text) + twenty.reduce((sum, one) => sum + one, 0) };
}

const table = [];
for (const client of CLIENTS) {
  const all = [];
  const sessions = [];
  for (const { set, name, tasks } of readStores(directory)) {
    if (set !== "realmem") continue;
    const { rows, session } = withStore(directory, name, (workspace) =>
      sessionsOf(workspace, client, tasks[0].queries),
    );
    all.push(...rows);
    sessions.push(session);
    if (process.argv.includes("--missed"))
      for (const { missed } of rows)
        if (missed.length > 0) console.log(`${client} ${name} missed ${missed.join(", ")}`);
    table.push(summary(client, name, rows, session));
  }
  table.push(summary(client, "all", all, mean(sessions)));
}

function summary(client, name, rows, session) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const gold = sum("gold");
  const missed = rows.reduce((total, row) => total + row.missed.length, 0);
  return {
    client,
    store: name,
    prompts: rows.length,
    "reach %": ((100 * (gold - missed)) / gold).toFixed(1),
    "bodies that help %": ((100 * sum("right")) / Math.max(1, sum("bodies"))).toFixed(1),
    "tokens at start": mean(rows.map(({ start }) => start)).toFixed(0),
    "a prompt": mean(rows.map(({ prompt }) => prompt)).toFixed(0),
    "20 prompts": session.toFixed(0),
  };
}

console.table(table);
console.log(`\n${process.platform} ${process.arch}, Node ${process.versions.node}`);
