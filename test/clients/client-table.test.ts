import { describe, expect, it } from "vitest";
import { clientTable, resultsOf } from "../../scripts/client-table.mjs";

function report(client: string, tests: readonly (readonly [title: string, status: string])[]): object {
  return {
    testResults: [{ assertionResults: tests.map(([title, status]) => ({ ancestorTitles: [client], title, status })) }],
  };
}

describe("the table of comparisons", () => {
  it("has a row for each layout and a column for each client, and says what was not run", () => {
    const results = [
      report("Claude Code", [
        ["nothing: no files: no sections", "passed"],
        ["a|b: pipes", "failed"],
      ]),
      report("Codex", [["nothing: no files: no sections", "pending"]]),
    ].flatMap((one) => resultsOf(one));
    expect(clientTable(results)).toBe(
      [
        "- Claude Code: 1 equal, 1 differ, 0 not run",
        "- Codex: 0 equal, 0 differ, 1 not run",
        "",
        "| layout | what it proves | Claude Code | Codex |",
        "| --- | --- | --- | --- |",
        "| nothing | no files: no sections | equal | not run |",
        String.raw`| a\|b | pipes | **differs** | – |`,
        "",
      ].join("\n"),
    );
  });
});
