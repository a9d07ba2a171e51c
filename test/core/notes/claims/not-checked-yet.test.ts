import { expect, it } from "vitest";
import { checkClaims } from "../../../../src/core/notes/claims/check.ts";
import { type Claim, CLAIM_KINDS, NOT_CHECKED_YET, type TreeFacts } from "../../../../src/core/notes/claims/claim.ts";
import { checkLines } from "../../../../src/core/recall/render.ts";

const NOTHING = { paths: new Map(), words: new Map(), scripts: new Map(), packages: new Map(), branches: new Map() };
const claims = CLAIM_KINDS.map((kind): Claim => ({ kind, text: `${kind}Text`, name: `${kind}Name`, certain: true }));

function checked(facts: TreeFacts) {
  return checkClaims([claims], { ask: () => facts }, 40)[0] ?? [];
}

it("says of every kind of claim that it was not checked yet when the time was over, and of none else", () => {
  const late = checked({ ...NOTHING, outOfTime: true });
  expect(late.filter(({ detail }) => detail === NOT_CHECKED_YET).map(({ kind }) => kind)).toEqual(
    CLAIM_KINDS.filter((kind) => kind !== "host"), // hosts are never contacted
  );
  expect(checked({ ...NOTHING, outOfTime: false }).filter(({ detail }) => detail === NOT_CHECKED_YET)).toEqual([]);
  expect(checkLines(late)).toEqual([
    expect.stringMatching(/^Not checked yet, there was no time: pathText, scriptText, /u),
  ]);
});

it("says it beside what was found out in time, and not of what is known to be unknown", () => {
  const found = checked({
    ...NOTHING,
    paths: new Map([["pathName", { state: "here" }]]),
    words: new Map([["symbolName", { state: "never" }]]),
    outOfTime: true,
  });
  const lines = checkLines(found);
  expect(lines.slice(0, 2)).toEqual(["Checked against the working tree just now:", "- still there: pathText"]);
  expect(lines[2]).toMatch(/^Not checked yet, there was no time: .*scriptText/u);
  expect(lines[2]).not.toContain("symbolText");
  expect(lines[2]).not.toContain("pathText");
});
