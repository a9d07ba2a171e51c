import fs from "node:fs";
import { describe, expect, it } from "vitest";
import types from "../../../src/core/notes/types/words.json" with { type: "json" };
import { patternOf, startOf, WordPattern } from "../../../src/core/notes/wording/words.ts";

const CASES = new URL("../../../bench/facts/cases/", import.meta.url);

/** A sample of the labelled texts, so that the comparison takes a second. */
const texts = fs
  .readdirSync(CASES)
  .flatMap((file) => fs.readFileSync(new URL(file, CASES), "utf8").split("\n"))
  .filter((line) => line.startsWith('{"group"'))
  .flatMap((line) => line.match(/(?<="text": ?")[^"\\]+/u) ?? [])
  .filter((_, index) => index % 25 === 0);

describe("a pattern of words", () => {
  it("finds what the same expression finds that ignores case, whatever the case of the text", () => {
    const patterns = Object.values(types).flatMap((table) => [patternOf(table), startOf(table)]);
    const differing: string[] = [];
    let found = 0;
    for (const pattern of patterns) {
      const same = new RegExp(pattern.source, "iu");
      for (const text of [...texts, ...texts.slice(0, 20).map((one) => one.toUpperCase())]) {
        const [mine, other] = [pattern.exec(text), same.exec(text)];
        if (mine?.[0] !== other?.[0] || mine?.index !== other?.index) differing.push(`${text}: ${pattern.source}`);
        if (mine !== null) found++;
      }
    }
    expect(differing).toEqual([]);
    expect(texts.length).toBeGreaterThan(50);
    expect(found).toBeGreaterThan(50);
  });

  it("knows letters whose small letter is longer or is none", () => {
    const pattern = new WordPattern("tests?|\\p{Lu}x");
    expect(pattern.exec("İ Tests")).toEqual({ 0: "Tests", index: 2 });
    expect(pattern.test("teſts")).toBe(true);
    expect(pattern.exec("4 Áx")).toEqual({ 0: "Áx", index: 2 });
    expect(pattern.exec("none")).toBeNull();
  });
});
