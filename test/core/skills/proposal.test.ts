import { describe, expect, it } from "vitest";
import { needsOf, parseProposal } from "../../../src/core/skills/writing.ts";

const GIVEN = { author: "host-agent", scope: "project", from: ["codex:s:m"], candidate: "c1" } as const;
const VALUE = {
  name: "release-cli",
  description: "Releases it.",
  when: "A version is ready.",
  steps: [{ text: "Stamp it.", command: " sh stamp.sh " }, "Look at it.", { text: "Wait.", command: null }],
  pitfalls: ["Tag first."],
  check: " sh check.sh ",
  programs: ["git"],
};
const parsed = (change: object, given: object = {}) => {
  const result = parseProposal({ ...VALUE, ...change }, { ...GIVEN, ...given });
  return result.ok ? result.proposal : result.problem;
};

describe("a draft that is handed in", () => {
  it("is taken with what is known of it, commands and check without blanks around them", () => {
    expect(parsed({})).toEqual({
      ...VALUE,
      ...GIVEN,
      steps: [{ text: "Stamp it.", command: "sh stamp.sh" }, { text: "Look at it." }, { text: "Wait." }],
      check: "sh check.sh",
    });
  });

  it("may leave out pitfalls, programs and a check", () => {
    const bare = { pitfalls: undefined, programs: null, check: undefined };
    expect(parsed(bare)).toMatchObject({ pitfalls: [], programs: [], check: undefined });
    expect(parsed({ check: null })).toMatchObject({ check: undefined });
    expect(parsed({ check: "  " })).toMatchObject({ check: undefined });
  });

  it("needs the programs that the task tells, where it tells them", () => {
    expect(parsed({}, { programs: ["pnpm"] })).toMatchObject({ programs: ["pnpm"] });
  });

  it("revises another only where it says so", () => {
    expect(parsed({ revises: "k1", operation: "revise" })).toMatchObject({ revises: "k1" });
    expect(parsed({ revises: "k1" })).toMatchObject({ revises: "k1" });
    for (const change of [{ revises: "k1", operation: "create" }, { revises: "" }, { revises: 3 }])
      expect(parsed(change)).not.toHaveProperty("revises");
  });

  it.each<readonly [string, object, RegExp]>([
    ["no name", { name: "" }, /^"name" is not a text; the form is \{"name"/u],
    ["a number for a name", { name: 3 }, /^"name"/u],
    ["no description", { description: " " }, /^"description"/u],
    ["no occasion", { when: undefined }, /^"when"/u],
    ["no steps", { steps: [] }, /^"steps"/u],
    ["steps that are a text", { steps: "Go." }, /^"steps"/u],
    ["a step that is a number", { steps: ["Go.", 3] }, /^"steps"/u],
    ["a step without a text", { steps: [{ command: "go" }] }, /^"steps"/u],
    ["a step whose command is a list", { steps: [{ text: "Go.", command: ["go"] }] }, /^"steps"/u],
    ["pitfalls that are a text", { pitfalls: "Tag." }, /^"pitfalls" and "programs"/u],
    ["a pitfall that is a number", { pitfalls: [3] }, /^"pitfalls" and "programs"/u],
    ["programs that are a text", { programs: "git" }, /^"pitfalls" and "programs"/u],
    ["a check that is a list", { check: ["sh check.sh"] }, /^"check" is not a text/u],
    ["a check of two lines", { check: "sh a.sh\nsh b.sh" }, /^"check" is more than one line/u],
  ])("with %s is refused in words", (_, change, problem) => {
    expect(parsed(change)).toMatch(problem);
  });

  it.each([[[]], ["text"], [null]])("that is %j is refused", (value) => {
    expect(parseProposal(value, GIVEN)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("one JSON object"),
    });
  });
});

describe("what commands need to be there", () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["./bin/run.sh --all", ["bin/run.sh"], []],
    ["sh scripts/a.sh", ["scripts/a.sh"], []],
    ["node ./tools/a.mjs x", ["tools/a.mjs"], []],
    ["python3 gen.py", ["gen.py"], []],
    ["CI=1 MODE=x sh scripts/a.sh", ["scripts/a.sh"], []],
    ["npm run gen && sh a.sh; bun run b:c | sh d.sh", ["a.sh", "d.sh"], ["gen", "b:c"]],
    ["sh a.sh || sh a.sh", ["a.sh"], []],
    ["sh -c 'ls'", [], []],
    ["sh /opt/a.sh", [], []],
    ["node -e 1", [], []],
    ["cat scripts/a.sh", [], []],
    ["npm test", [], []],
    ["npm install run", [], []],
    ["npm run <name>", [], []],
    ["npm run a<b", [], []],
    ["make run gen", [], []],
    ["CI=1", [], []],
    ["", [], []],
  ])("%j", (command, files, scripts) => {
    expect(needsOf([command])).toEqual({ files, scripts });
  });
});
