import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pictures, sentenceOf } from "../../scripts/architecture.mjs";
import { PROJECT } from "./tree.ts";

it.each(Object.keys(pictures()))("%s is what `npm run picture` draws from the source", (file) => {
  expect(readFileSync(join(PROJECT, file), "utf8")).toBe(pictures()[file]);
});

it("refuses a picture of a function that is not there, or that nothing explains", () => {
  expect(() => sentenceOf("src/app/recall/recall.ts", "recallNothing")).toThrow("has no function recallNothing");
  expect(() => sentenceOf("src/core/notes/names.ts", "noteName")).toThrow(/has no (?:function|comment)/u);
});
