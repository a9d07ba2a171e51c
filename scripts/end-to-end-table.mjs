/**
 * What was tried end to end with real clients, as a Markdown table: one row a step, one column a client.
 * Usage: node scripts/end-to-end-table.mjs REPORT.json…
 * A report is what `npx vitest run --config vitest.clients.config.ts test/clients/end-to-end --reporter=json --outputFile.json=REPORT.json` leaves.
 */
import { readFileSync } from "node:fs";
import { isMain } from "./gates/report.mjs";

const RESULTS = { passed: "yes", failed: "**no**" };

/** One result a test: the outermost `describe` names the client, the title the step and what it proves. */
export function stepsOf(report) {
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => {
      const [step, ...proves] = title.split(": ");
      return { client: ancestorTitles[0] ?? "", step: step ?? "", proves: proves.join(": "), result: RESULTS[status] };
    }),
  );
}

/** Markdown. Of several reports the last that ran a step counts; a step that was not made for a client has a dash. */
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

if (isMain(import.meta.url)) {
  const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
  process.stdout.write(stepTable(reports.flatMap((report) => stepsOf(report))));
}
