/**
 * What was tried end to end with real clients, as a Markdown table: one row per step, one column per client.
 * Usage: node scripts/end-to-end-table.mjs REPORT.json… [--into PAGE.md#NAME]
 * A report is written by `npx vitest run --config vitest.clients.config.ts test/clients/end-to-end --reporter=json
 * --outputFile.json=REPORT.json`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isMain } from "./gates/report.mjs";

const RESULTS = { passed: "yes", failed: "**no**" };

/** One result per test: the outermost `describe` names the client, the title the step and what it proves. */
export function stepsOf(report) {
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => {
      const [step, ...proves] = title.split(": ");
      // The test runner puts the titles of a table in quotation marks.
      const client = (ancestorTitles[0] ?? "").replace(/^'(.*)'$/u, "$1");
      return { client, step: step ?? "", proves: proves.join(": "), result: RESULTS[status] };
    }),
  );
}

/** Markdown. If several reports ran a step, the last one counts; a step that does not exist for a client has a dash. */
export function stepTable(results) {
  const clients = [...new Set(results.map(({ client }) => client))];
  const steps = new Map(results.map(({ step, proves }) => [step, proves]));
  const cellOf = (client, step) => {
    const of = results.filter((one) => one.client === client && one.step === step);
    return of.findLast(({ result }) => result !== undefined)?.result ?? (of.length === 0 ? "–" : "not run");
  };
  const rows = [...steps].map(
    ([step, proves]) => `| ${[step, proves, ...clients.map((client) => cellOf(client, step))].join(" | ")} |`,
  );
  const head = ["step", "what it proves", ...clients];
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...rows, ""].join("\n");
}

/** A page with the table between its marks, `<!-- NAME -->` and `<!-- /NAME -->`. @throws if they are missing. */
export function withTable(page, name, table) {
  const [before, after] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const from = page.indexOf(before) + before.length;
  const to = page.indexOf(after, from);
  if (!page.includes(before) || to < 0) throw new Error(`the page has no marks of the table "${name}"`);
  return `${page.slice(0, from)}\n${table}${page.slice(to)}`;
}

if (isMain(import.meta.url)) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { into: { type: "string" } } });
  const reports = positionals.map((file) => JSON.parse(readFileSync(file, "utf8")));
  const table = stepTable(reports.flatMap((report) => stepsOf(report)));
  const [page, name] = (values.into ?? "").split("#");
  if (page === "") process.stdout.write(table);
  else writeFileSync(page, withTable(readFileSync(page, "utf8"), name, table));
}
