import { describe, expect, it } from "vitest";
import { bodyOf } from "../../../src/core/skills/skill.ts";
import { type Beside, textGates } from "../../../src/core/skills/text-gates.ts";
import type { DraftProposal, SkillText } from "../../../src/core/skills/types.ts";

const PROPOSAL: DraftProposal = {
  author: "host-agent",
  scope: "project",
  name: "regenerate-client",
  description: "Regenerates the typed client after a schema change.",
  when: "The schema changed.",
  steps: [
    { text: "Generate it.", command: "sh scripts/generate.sh" },
    { text: "Stamp it.", command: "sh stamp.sh" },
  ],
  pitfalls: ["Without a token the server is not reached; log in first."],
  check: "sh scripts/check.sh",
  programs: [],
  from: [],
  candidate: undefined,
};
const NOBODY: Beside = { own: [], human: [] };

function skillOf(proposal: DraftProposal, id = "new"): SkillText {
  const { name, description, check } = proposal;
  const body = bodyOf(proposal);
  return { name, description, check, id, revision: 1, compatibility: undefined, from: [], learnt: "", body };
}

function found(change: Partial<DraftProposal>, beside: Partial<Beside> = {}): readonly string[] {
  const proposal = { ...PROPOSAL, ...change };
  return textGates(proposal, skillOf(proposal), { ...NOBODY, ...beside }).map(
    ({ gate, isDoubt }) => `${gate}${isDoubt ? ", a person may say yes" : ""}`,
  );
}
const steps = (...commands: readonly string[]): Partial<DraftProposal> => ({
  steps: commands.map((command) => ({ text: "Go.", command })),
});

describe("the gates of a text", () => {
  it("let a sound one pass", () => {
    expect(found({})).toEqual([]);
    expect(found({ check: undefined })).toEqual([]);
  });

  it.each<readonly [string, Partial<DraftProposal>, readonly string[]]>([
    ["a check that passes whatever happens", { check: "true" }, ["no-check"]],
    ["no steps", { steps: [] }, ["invalid"]],
    ["a description that something fails", { description: "The deploy is broken." }, ["transient"]],
    ["an occasion that something fails", { when: "npm does not work here." }, ["transient"]],
    ["a step that something fails", { steps: [{ text: "The server is broken." }] }, ["transient"]],
    ["a pitfall with its way out", { pitfalls: ["npm does not work here; use pnpm."] }, []],
  ])("meet %s", (_, change, expected) => {
    expect(found(change)).toEqual(expected);
  });

  it.each([
    ["the description", { description: "Runs git push --force origin main." }],
    ["the occasion", { when: "After git push --force origin main." }],
    ["a step's words", { steps: [{ text: "Say git push --force origin main." }] }],
    ["a step's command", steps("git push --force origin main")],
    ["a pitfall", { pitfalls: ["Without git push --force origin main nothing is there."] }],
    ["the check", { check: "git push --force origin main" }],
  ])("doubt a dangerous command in %s", (_, change) => {
    expect(new Set(found(change))).toEqual(new Set(["dangerous, a person may say yes"]));
  });

  it.each([
    "deadbeef1",
    "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
    "2026-03-01",
    "2026-03-01T10:00",
    "v1.2.3",
    "1.2.3-rc1",
    "4711",
    ["", "tmp", "x"].join("/"),
    ["", "var", "folders", "x"].join("/"),
  ])("take %s for a value of one session", (value) => {
    expect(found(steps(`mk ${value}`))).toEqual(["too-specific"]);
    expect(found(steps(`mk --at=${value}`))).toEqual([]);
    expect(found(steps(`mk now ${value}`))).toEqual([]);
    expect(found(steps(`mk now ${value}`, `${value} go`))).toEqual(["too-specific"]);
  });

  it.each(["123", "beef", "release-2", "tmp/x", "1.2"])("do not take %s for one", (word) => {
    expect(found(steps(`mk ${word}`))).toEqual([]);
  });
});

describe("a text beside others", () => {
  const mine = { name: "other", description: "Regenerates the typed client after a schema change." };
  const own = (change: Partial<DraftProposal>, id = "k1") =>
    skillOf({ ...PROPOSAL, name: "other-name", ...change }, id);

  it("is refused where a person has that name, or answers the same prompts", () => {
    expect(found({}, { human: [{ name: PROPOSAL.name, description: "x" }] })).toEqual(["human-exists"]);
    expect(found({}, { human: [mine] })).toEqual(["human-exists"]);
    // Three words of five are enough, whichever of the two has more.
    const short = { name: "typed-client", description: "Regenerates schemas now." };
    expect(found({}, { human: [short] })).toEqual(["human-exists"]);
    expect(found({}, { human: [{ name: "paint", description: "Paints the logo of a client." }] })).toEqual([]);
  });

  it("is refused where memdir has that name, or the same trigger with half the steps", () => {
    expect(found({}, { own: [own({ name: PROPOSAL.name, description: "x", steps: [{ text: "Go." }] })] })).toEqual([
      "duplicate",
    ]);
    expect(found({}, { own: [own({})] })).toEqual(["duplicate"]);
    expect(found({}, { own: [own(steps("sh scripts/generate.sh", "other one"))] })).toEqual(["duplicate"]);
  });

  it("is not where only the steps or only the trigger are the same", () => {
    expect(found({}, { own: [own(steps("one", "two"))] })).toEqual([]);
    expect(found({}, { own: [own({ description: "Paints the logo." })] })).toEqual([]);
    expect(found({}, { own: [own(steps("sh scripts/generate.sh", "two", "three"))] })).toEqual(["duplicate"]);
    expect(found(steps("a1", "b", "c"), { own: [own(steps("a1", "x", "y"))] })).toEqual([]);
  });

  it("is not a duplicate of the one that it revises", () => {
    expect(found({ revises: "k1" }, { own: [own({})] })).toEqual([]);
    expect(found({ revises: "k2" }, { own: [own({})] })).toEqual(["duplicate"]);
  });
});
