import { expect, it } from "vitest";
import { stepsOf, stepTable, withTable } from "../../scripts/end-to-end-table.mjs";

function report(client: string, tests: readonly (readonly [title: string, status: string])[]): object {
  return {
    testResults: [
      { assertionResults: tests.map(([title, status]) => ({ ancestorTitles: [client, "fail open"], title, status })) },
    ],
  };
}

it("the table of steps tells what held, what did not, what was not run and what was not made for a client", () => {
  const results = [
    report("Claude Code", [
      ["install: one command", "passed"],
      ["capture: a note", "failed"],
      ["compaction: the same bytes", "passed"],
    ]),
    report("Codex", [
      ["install: one command", "pending"],
      ["capture: a note", "passed"],
    ]),
    report("'Codex'", [["capture: a note", "pending"]]),
  ].flatMap((one) => stepsOf(one));
  expect(stepTable(results).split("\n")).toEqual([
    "| step | what it proves | Claude Code | Codex |",
    "| --- | --- | --- | --- |",
    "| install | one command | yes | not run |",
    "| capture | a note | **no** | yes |",
    "| compaction | the same bytes | yes | – |",
    "",
  ]);
});

it("a table goes between its marks of a page, and nowhere else", () => {
  const page = "# Page\n\n<!-- a -->\n\nold\n\n<!-- /a -->\n\nEnd.\n";
  const once = withTable(page, "a", "| new |\n");
  expect(once).toBe("# Page\n\n<!-- a -->\n\n| new |\n\n<!-- /a -->\n\nEnd.\n");
  expect(withTable(once, "a", "| new |\n")).toBe(once);
  expect(() => withTable(page, "b", "")).toThrow("no marks");
});
