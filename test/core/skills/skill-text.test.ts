import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { bodyOf, commandsOf, readSkill, renderSkill, sizeProblems } from "../../../src/core/skills/skill.ts";
import type { DraftProposal, SkillText } from "../../../src/core/skills/types.ts";

const PROPOSAL: DraftProposal = {
  author: "host-agent",
  scope: "project",
  name: "release-cli",
  description: "Releases the command. Use when a version is ready.",
  when: "A version is ready.",
  steps: [{ text: "Stamp it.", command: "sh scripts/stamp.sh" }, { text: "Look at it." }],
  pitfalls: ["Without a tag nothing is published."],
  check: "sh scripts/check.sh",
  programs: ["git"],
  from: ["codex:s:m"],
  candidate: undefined,
};
const SKILL: SkillText = {
  name: "release-cli",
  description: PROPOSAL.description,
  compatibility: "needs git",
  id: "k1",
  revision: 2,
  from: ["codex:s:m", "codex:t:m"],
  check: "sh scripts/check.sh",
  learnt: "2026-03-02",
  body: bodyOf(PROPOSAL),
};

const read = (text: string, folder = "release-cli") => readSkill(folder, text, yamlFrontmatter);
const written = renderSkill(SKILL, yamlFrontmatter);

/** A SKILL.md with these lines in its block. */
function file(lines: readonly string[]): string {
  return `---\n${lines.join("\n")}\n---\n\nbody\n`;
}
const FORM = ["name: release-cli", "description: Releases."];
const without = (key: string): readonly string[] => FORM.filter((line) => !line.startsWith(key));

describe("a SKILL.md of memdir's own", () => {
  it("is read back as it was written, and gives the same bytes again", () => {
    const back = read(written);
    expect(back).toEqual({ kind: "skill", skill: SKILL });
    expect(back.kind === "skill" && renderSkill(back.skill, yamlFrontmatter)).toBe(written);
  });

  it("leaves out what it has not", () => {
    const bare = { ...SKILL, compatibility: undefined, check: undefined, from: [] };
    const text = renderSkill(bare, yamlFrontmatter);
    expect(text).not.toMatch(/compatibility|memdir-check|memdir-from/u);
    expect(read(text)).toEqual({ kind: "skill", skill: bare });
  });

  it.each([
    ["no id", /^.*memdir-skill:.*\n/mu, ""],
    ["no revision", /^.*memdir-revision:.*\n/mu, ""],
    ["revision 0", /memdir-revision: "2"/u, 'memdir-revision: "0"'],
    ["half a revision", /memdir-revision: "2"/u, 'memdir-revision: "1.5"'],
  ])("with %s is somebody else's", (_, from, to) => {
    expect(written).toMatch(from);
    expect(read(written.replace(from, to))).toEqual({
      kind: "foreign",
      name: "release-cli",
      description: PROPOSAL.description,
    });
  });
});

describe("a SKILL.md is refused", () => {
  const problem = (text: string, folder?: string): string => {
    const found = read(text, folder);
    return found.kind === "invalid" ? found.problems.join("; ") : found.kind;
  };

  it.each<readonly [string, string, RegExp]>([
    ["whose block is not closed", "---\nname: release-cli\n", /block of `---`/u],
    ["that has no block", "# Release\n", /block of `---`/u],
    ["with a key that no client knows", file([...FORM, "state: trial"]), /keys that no client knows: state$/u],
    ["without a name", file(without("name")), /its name must be/u],
    ["with two hyphens in its name", file([...without("name"), "name: release--cli"]), /its name must be/u],
    ["with a hyphen behind its name", file([...without("name"), "name: release-"]), /its name must be/u],
    ["with a capital in its name", file([...without("name"), "name: Release"]), /its name must be/u],
    ["with the name of another directory", file([...without("name"), "name: release"]), /its directory release-cli/u],
    ["without a description", file(without("description")), /1 to 1024/u],
    ["with an empty description", file([...without("description"), 'description: " "']), /1 to 1024/u],
    [
      "with a description too long",
      file([...without("description"), `description: ${"x".repeat(1025)}`]),
      /1 to 1024/u,
    ],
    ["with a number for compatibility", file([...FORM, "compatibility: 3"]), /compatibility must be/u],
    ["with too long a compatibility", file([...FORM, `compatibility: ${"x".repeat(501)}`]), /compatibility must be/u],
    ["whose metadata is a text", file([...FORM, "metadata: mine"]), /metadata must be/u],
    ["whose metadata is no text", file([...FORM, "metadata:", "  uses: 3"]), /metadata must be/u],
  ])("%s", (_, text, expected) => {
    expect(problem(text)).toMatch(expected);
  });

  it("not for what the standard allows", () => {
    const most = [
      `name: ${"a".repeat(64)}`,
      `description: ${"x".repeat(1024)}`,
      `compatibility: ${"x".repeat(500)}`,
      "license: MIT",
      "allowed-tools: Bash",
      "metadata:",
      '  author: "me"',
    ];
    expect(problem(file(most), "a".repeat(64))).toBe("foreign");
    expect(problem(file([`name: ${"a".repeat(65)}`, "description: x"]), "a".repeat(65))).toMatch(/at most 64/u);
  });
});

describe("the body of a draft", () => {
  it("has its sections in order, none of them empty", () => {
    const sections = (one: DraftProposal): readonly string[] =>
      [...bodyOf(one).matchAll(/^## (\w+)$/gmu)].map(([, name = ""]) => name);
    expect(sections(PROPOSAL)).toEqual(["When", "Steps", "Pitfalls", "Check"]);
    expect(sections({ ...PROPOSAL, pitfalls: [], check: undefined })).toEqual(["When", "Steps"]);
    expect(bodyOf(PROPOSAL)).toContain("1. Stamp it.\n   ```sh\n   sh scripts/stamp.sh\n   ```\n2. Look at it.");
  });

  it.each(["one", "two\nlines", "echo '```'", "a `b` c", "````"])("gives the command %j back", (command) => {
    const check = "echo '## Steps'";
    const body = bodyOf({ ...PROPOSAL, steps: [{ text: "Go", command }, { text: "Then" }], check });
    expect(commandsOf(body)).toEqual([command]);
  });

  it("has no commands but those of its steps", () => {
    expect(commandsOf("## When\n\n```sh\nno\n```\n")).toEqual([]);
    expect(commandsOf("## Steps\n\n1. Go\n```sh\nyes\n```\n## Check\n```sh\nno\n```")).toEqual(["yes"]);
  });
});

describe("a text of memdir's own that is too large is told so", () => {
  const steps = (count: number): DraftProposal["steps"] => Array.from({ length: count }, () => ({ text: "Go" }));
  const bodied = (change: Partial<DraftProposal>): Partial<SkillText> => ({ body: bodyOf({ ...PROPOSAL, ...change }) });
  const lines = (count: number): Partial<SkillText> => ({
    body: `## Steps\n\n1. Go${"\n-".repeat(count - 3)}`,
  });
  const characters = (count: number): Partial<SkillText> => ({ body: `## Steps\n\n1. ${"x".repeat(count - 13)}` });

  it.each<readonly [string, Partial<SkillText>, Partial<SkillText>, RegExp]>([
    ["name", { name: "a".repeat(64) }, { name: "a".repeat(65) }, /the name/u],
    ["description", { description: "x".repeat(300) }, { description: "x".repeat(301) }, /more than 300/u],
    ["empty description", { description: "x" }, { description: "  " }, /no description/u],
    ["programs", { compatibility: "x".repeat(500) }, { compatibility: "x".repeat(501) }, /programs is too long/u],
    ["no steps", bodied({ steps: steps(1) }), { body: "## Pitfalls\n\n- one" }, /no steps/u],
    ["steps", bodied({ steps: steps(12) }), bodied({ steps: steps(13) }), /more than 12 steps/u],
    ["pitfalls", bodied({ pitfalls: Array(8).fill("x") }), bodied({ pitfalls: Array(9).fill("x") }), /8 pitfalls/u],
    ["lines", lines(80), lines(81), /more than 80 lines/u],
    ["characters", characters(6_000), characters(6_001), /more than 6000 characters/u],
  ])("%s", (_, fits, large, expected) => {
    expect(sizeProblems({ ...SKILL, ...fits })).toEqual([]);
    expect(sizeProblems({ ...SKILL, ...large }).join("; ")).toMatch(expected);
  });
});
