import { describe, expect, it } from "vitest";
import { type CallWritten, DIALECTS, type Dialect, writeSession } from "../../../bench/skills/dialects.mjs";
import { pipelines } from "../../../src/adapters/shell/pipelines.ts";
import { formatNamed } from "../../../src/app/past/transcript.ts";
import { everydayIn } from "../../../src/core/skills/recipe.ts";
import { tasksOf } from "../../../src/core/skills/tasks.ts";
import type { EvidenceEvent, KnownSkill, Task } from "../../../src/core/skills/types.ts";
import { loads, matches, usesIn } from "../../../src/core/skills/uses.ts";
import { readTranscript } from "../../../src/core/transcripts/turn.ts";

const PATH = "/home/dev/.memdir/skills/projects/shop/regenerate-client/SKILL.md";
const SKILL: KnownSkill = {
  id: "k1",
  name: "regenerate-client",
  revision: 2,
  stage: "trial",
  path: PATH,
  commands: ["pnpm run codegen", "scripts/stamp.sh <version>", "npm test"],
  check: "pnpm run check:client",
};
const LOAD: CallWritten = { read: PATH };
const CODEGEN: CallWritten = { command: "pnpm run codegen" };
const STAMP: CallWritten = { command: "cd app && ./scripts/stamp.sh 3.1.0" };
const PASSED: CallWritten = { command: "pnpm run check:client", output: "ok" };
const FAILED: CallWritten = { ...PASSED, output: "1 failed", failed: true };
const FOLLOWED: readonly CallWritten[] = [LOAD, CODEGEN, STAMP];

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("no task");
  return value;
}

interface Told {
  readonly calls: readonly CallWritten[];
  readonly next?: string;
  readonly nextCalls?: readonly CallWritten[];
  readonly interrupted?: boolean;
}

function tasksIn({ calls, next, nextCalls = [], interrupted = false }: Told, dialect: Dialect): readonly Task[] {
  const exchanges = [{ prompt: "The client is stale.", calls, interrupted }];
  return tasksOf(
    readTranscript(
      writeSession(dialect, {
        session: "s1",
        cwd: "/home/dev/shop",
        startMs: Date.UTC(2026, 2, 1),
        exchanges: next === undefined ? exchanges : [...exchanges, { prompt: next, calls: nextCalls }],
      }),
      formatNamed(dialect),
    ),
  );
}

function eventsOf(told: Told, skill: KnownSkill = SKILL, dialect: Dialect = "claude-code"): readonly EvidenceEvent[] {
  const [task, following] = tasksIn(told, dialect);
  if (task === undefined) throw new Error("no task");
  const context = { parse: pipelines, isEveryday: everydayIn([]), following };
  return usesIn(task, [skill], context).flatMap(({ events }) => events);
}

/** `followed pass`, `harm reverted`. */
function toldOf(told: Told, skill: KnownSkill = SKILL, dialect: Dialect = "claude-code"): readonly string[] {
  return eventsOf(told, skill, dialect).map((event) =>
    event.kind === "followed" ? `followed ${event.result}` : event.kind === "harm" ? `harm ${event.how}` : event.kind,
  );
}

describe.each(DIALECTS)("in a session of %s", (dialect) => {
  it("a skill that was read, followed and checked has passed", () => {
    expect(toldOf({ calls: [...FOLLOWED, PASSED] }, SKILL, dialect)).toEqual(["loaded", "followed pass"]);
  });

  it("a check that failed after the steps counts against it", () => {
    expect(toldOf({ calls: [...FOLLOWED, FAILED] }, SKILL, dialect)).toEqual(["loaded", "followed fail"]);
  });
});

describe("a use", () => {
  it.each<readonly [string, readonly CallWritten[], readonly string[]]>([
    ["nothing without a load", [CODEGEN, STAMP, PASSED], []],
    ["nothing before the load", [CODEGEN, STAMP, LOAD, PASSED], ["loaded"]],
    ["a load alone", [LOAD, PASSED], ["loaded"]],
    ["no follow by everyday commands", [LOAD, { command: "npm test" }, PASSED], ["loaded"]],
    ["no follow by one of two uncommon commands", [LOAD, CODEGEN, PASSED], ["loaded"]],
    ["no follow in another order", [LOAD, STAMP, CODEGEN, PASSED], ["loaded"]],
    ["no follow by a step that was not allowed", [LOAD, { ...CODEGEN, rejected: true }, STAMP, PASSED], ["loaded"]],
    ["unknown without the check", FOLLOWED, ["loaded", "followed unknown"]],
    ["unknown by a check before the last step", [LOAD, CODEGEN, PASSED, STAMP], ["loaded", "followed unknown"]],
    [
      "unknown by another check",
      [...FOLLOWED, { command: "npm run lint", output: "ok" }],
      ["loaded", "followed unknown"],
    ],
    [
      "a fail where the agent had to go on by itself until the check passed",
      [...FOLLOWED, FAILED, CODEGEN, PASSED],
      ["loaded", "followed fail"],
    ],
    [
      "no pass by a check whose result is cut away",
      [...FOLLOWED, { command: "pnpm run check:client | grep x" }],
      ["loaded", "followed unknown"],
    ],
    [
      "no load that failed",
      [{ command: `cat ${PATH}`, output: "No such file", failed: true }, CODEGEN, STAMP, PASSED],
      [],
    ],
  ])("is %s", (_, calls, expected) => {
    expect(toldOf({ calls })).toEqual(expected);
  });

  it("of a skill whose steps anyone runs needs a check of its own", () => {
    const plain = { ...SKILL, commands: ["npm test"] };
    expect(toldOf({ calls: [LOAD, { command: "npm test" }, PASSED] }, plain)).toEqual(["loaded", "followed pass"]);
    expect(toldOf({ calls: [LOAD, { command: "npm test" }] }, { ...plain, check: "npm test" })).toEqual(["loaded"]);
  });

  it.each<readonly [string, Told, readonly string[]]>([
    [
      "corrected by its name",
      { calls: [...FOLLOWED, PASSED], next: "No, the regenerate-client skill is wrong." },
      ["corrected"],
    ],
    ["corrected by an interruption", { calls: FOLLOWED, interrupted: true }, ["corrected"]],
    [
      "rejected by one of its steps",
      { calls: [...FOLLOWED, PASSED], next: "No, never run pnpm run codegen here." },
      ["harm rejected"],
    ],
    [
      "harm where its work is taken back at once",
      { calls: [...FOLLOWED, { command: "git checkout -- src" }] },
      ["harm reverted"],
    ],
    [
      "harm where the next task takes it back",
      { calls: [...FOLLOWED, PASSED], next: "Revert that.", nextCalls: [{ command: "git reset --hard HEAD~1" }] },
      ["harm reverted"],
    ],
    [
      "harm where a guard denied a step",
      {
        calls: [
          ...FOLLOWED,
          { rejected: true, command: "pnpm run codegen", output: "Bash call denied by guard no-codegen" },
        ],
      },
      ["harm guard-denied"],
    ],
    [
      "corrected, and no harm, where the person did not allow a step",
      {
        calls: [
          ...FOLLOWED,
          {
            rejected: true,
            command: "pnpm run codegen",
            output: "The user doesn't want to proceed with this tool use.",
          },
        ],
      },
      ["corrected"],
    ],
    [
      "not touched by a step that a guard denied before it was read",
      {
        calls: [
          { rejected: true, command: "pnpm run codegen", output: "Bash call denied by guard no-codegen" },
          ...FOLLOWED,
          PASSED,
        ],
      },
      [],
    ],
    [
      "not touched by what was taken back before its steps",
      { calls: [LOAD, { command: "git checkout -- src" }, CODEGEN, STAMP, PASSED] },
      [],
    ],
    [
      "not touched by thanks, or a reset that nobody asked for",
      { calls: [...FOLLOWED, PASSED], next: "Thanks. Sort the list.", nextCalls: [{ command: "git restore a.ts" }] },
      [],
    ],
    [
      "not touched by a correction of something else",
      { calls: [...FOLLOWED, PASSED], next: "No, the button is blue." },
      [],
    ],
  ])("is %s", (_, told, expected) => {
    expect(toldOf(told).filter((one) => one.startsWith("harm") || one === "corrected")).toEqual(expected);
  });

  it("is not rejected by a word as short as one of its commands", () => {
    const short = { ...SKILL, commands: ["mk", ...SKILL.commands] };
    const told = { calls: [LOAD, { command: "mk" }, CODEGEN, STAMP, PASSED], next: "No, the mk button is blue." };
    expect(toldOf(told, short)).toEqual(["loaded", "followed pass"]);
  });

  it("has the same ids when it is read again, and others for another revision", () => {
    const ids = (skill: KnownSkill): readonly string[] =>
      eventsOf({ calls: [...FOLLOWED, PASSED] }, skill).map(({ id }) => id);
    expect(ids(SKILL)).toEqual(ids(SKILL));
    expect(new Set([...ids(SKILL), ...ids({ ...SKILL, revision: 3 })]).size).toBe(4);
  });

  it("counts for the revision whose file was read", () => {
    const next = { ...SKILL, revision: 3, path: PATH.replace("/SKILL.md", "/next/SKILL.md") };
    const [task] = tasksIn({ calls: [{ read: next.path }, CODEGEN, STAMP, PASSED] }, "claude-code");
    const context = { parse: pipelines, isEveryday: everydayIn([]), following: undefined };
    const uses = usesIn(present(task), [SKILL, next], context).flatMap(({ events }) => events);
    expect(new Set(uses.map(({ revision }) => revision))).toEqual(new Set([3]));
  });
});

describe("a load", () => {
  const call = (name: string, input: unknown): boolean => loads({ id: "c", name, input }, SKILL, pipelines);

  it.each([
    ["Skill", { skill: "regenerate-client" }],
    ["activate_skill", { name: "regenerate-client" }],
    ["skill", { name: "regenerate-client" }],
    ["mcp__memdir__skill", { op: "read", name: "regenerate-client" }],
    ["mcp__memdir__read", { note: "skill:regenerate-client" }],
    ["mcp_memdir_read", { note: "skill:regenerate-client" }],
    ["memdir_read", { note: "skill:regenerate-client" }],
    ["Bash", { command: "memdir skill show regenerate-client" }],
    ["shell", { command: ["bash", "-lc", `sed -n 1,80p ${PATH}`] }],
    ["Read", { file_path: PATH }],
    ["shell", { command: "cat .agents/skills/regenerate-client/SKILL.md" }],
  ])("is known by %s", (name, input) => {
    expect(call(name, input)).toBe(true);
  });

  it.each([
    ["Skill", { skill: "regenerate" }],
    ["Read", { file_path: "/home/dev/shop/docs/skills/regenerate-client/SKILL.md" }],
    ["Bash", { command: "memdir skill list" }],
    ["Bash", { command: `rm ${PATH}` }],
    ["mcp__memdir__skill", { op: "read", name: "release" }],
    ["mcp_memdir_spread", { note: "skill:regenerate-client" }],
    ["mcp_memdir_read", { note: "project_regenerate_client.md" }],
  ])("is not %s of something else", (name, input) => {
    expect(call(name, input)).toBe(false);
  });
});

it.each([
  ["scripts/stamp.sh <version>", "./scripts/stamp.sh 1.2.3", true],
  ["scripts/stamp.sh <version>", "scripts/stamp.sh", false],
  ["gh release create <version> -t <message>", 'gh release create 1.0.0 -t "A b" --draft', true],
  ["pnpm run codegen", "pnpm  run codegen", true],
  ["pnpm run codegen", "pnpm run codegen:all", false],
])("the step `%s` and the command `%s`: %s", (step, command, expected) => {
  expect(matches(step, { command })).toBe(expected);
});
