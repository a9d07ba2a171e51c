import { describe, expect, it, vi } from "vitest";
import { checkFormat } from "../../scripts/gates/format.mjs";
import { plantTree, rulesFor } from "./tree.ts";

const OPTIONS = { config: [".oxfmtrc.json"] };
const LONG = `export const words = [${Array.from({ length: 30 }, (_, at) => `"word ${at}"`).join(", ")}];\n`;
const CLEAN = { "src/port.ts": "export interface Port {\n  readonly name: string;\n}\n" };

describe("the format gate", () => {
  it.each([
    ["a line longer than 120 columns", "src/long.ts", LONG],
    ["single quotes", "test/quotes.test.ts", "export const one = 'one';\n"],
    ["two statements on a line", "scripts/two.mjs", "const a = 1; const b = 2;\nexport { a, b };\n"],
  ])("rejects %s", (_, path, text) => {
    const { findings } = checkFormat(plantTree({ ...CLEAN, [path]: text }, OPTIONS));
    expect(rulesFor(findings, path)).toEqual(["format"]);
    expect(findings).toHaveLength(1);
  });

  it("names the file where CI makes the formatter colour its answer", () => {
    vi.stubEnv("CI", "true");
    try {
      const { findings } = checkFormat(plantTree({ ...CLEAN, "src/long.ts": LONG }, OPTIONS));
      expect(findings.map(({ path }) => path)).toEqual(["src/long.ts"]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("accepts a formatted tree and leaves documents as they are", () => {
    const tree = plantTree({ ...CLEAN, "src/notes.md": "*  odd   list\n" }, OPTIONS);
    expect(checkFormat(tree)).toEqual({ checked: 1, findings: [] });
  });

  it("checks nothing in an empty tree and says so", () => {
    expect(checkFormat(plantTree({}, OPTIONS)).checked).toBe(0);
  });
});
