/**
 * The comparison of memdir's view of instruction files with real clients, as a Markdown table: one row per layout, one
 * column per client. Usage: node scripts/client-table.mjs REPORT.json…
 * A report is written by `npm run test:clients -- --reporter=json --outputFile.json=REPORT.json`.
 */
import { readFileSync } from "node:fs";
import { isMain } from "./gates/report.mjs";

const RESULTS = { passed: "equal", failed: "**differs**" };

/** One result per test: its `describe` names the client, its title the layout and what equality proves. */
export function resultsOf(report) {
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => {
      const [layout, ...proves] = title.split(": ");
      return {
        client: ancestorTitles[0] ?? "",
        layout: layout ?? "",
        proves: proves.join(": "),
        result: RESULTS[status] ?? "not run",
      };
    }),
  );
}

function cell(text) {
  return text.replaceAll("|", String.raw`\|`);
}

function countLine(client, results) {
  const count = (result) => results.filter((one) => one.client === client && one.result === result).length;
  return `- ${client}: ${count("equal")} equal, ${count(RESULTS.failed)} differ, ${count("not run")} not run`;
}

/** Markdown: the totals, then the table. A layout that does not exist for a client has a dash. */
export function clientTable(results) {
  const clients = [...new Set(results.map(({ client }) => client))];
  const rows = groupByLayout(results);
  const lines = [...rows.values()].map((row) => {
    const cells = clients.map((client) => row.find((one) => one.client === client)?.result ?? "–");
    return `| ${[cell(row[0].layout), cell(row[0].proves), ...cells].join(" | ")} |`;
  });
  const head = ["layout", "what it proves", ...clients];
  return [
    ...clients.map((client) => countLine(client, results)),
    "",
    `| ${head.join(" | ")} |`,
    `|${" --- |".repeat(head.length)}`,
    ...lines,
    "",
  ].join("\n");
}

function groupByLayout(results) {
  const rows = new Map();
  for (const result of results) {
    const key = `${result.layout}\n${result.proves}`;
    rows.set(key, [...(rows.get(key) ?? []), result]);
  }
  return rows;
}

if (isMain(import.meta.url)) {
  const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
  process.stdout.write(clientTable(reports.flatMap((report) => resultsOf(report))));
}
