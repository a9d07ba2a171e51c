import { describe, expect, it } from "vitest";
import {
  type CallWritten,
  DIALECTS,
  type Dialect,
  type ExchangeWritten,
  writeSession,
} from "../../../bench/skills/dialects.mjs";
import { pipelines } from "../../../src/adapters/shell/pipelines.ts";
import { formatNamed } from "../../../src/app/past/transcript.ts";
import { readCheck } from "../../../src/core/skills/commands.ts";
import { judgeOutcome } from "../../../src/core/skills/outcome.ts";
import { isGoOn, tasksOf } from "../../../src/core/skills/tasks.ts";
import type { Task } from "../../../src/core/skills/types.ts";
import { readTranscript } from "../../../src/core/transcripts/turn.ts";

function tasksIn(exchanges: readonly ExchangeWritten[], dialect: Dialect = "claude-code"): readonly Task[] {
  const text = writeSession(dialect, {
    session: "s1",
    cwd: "/home/dev/shop",
    startMs: Date.UTC(2026, 2, 1),
    exchanges,
  });
  return tasksOf(readTranscript(text, formatNamed(dialect)));
}

const EDIT: CallWritten = { edit: "/home/dev/shop/src/cart.ts" };
const PASSED: CallWritten = { command: "npm test", output: "Tests  12 passed (12)" };
const FAILED: CallWritten = { command: "npm test", output: "Tests  1 failed | 11 passed (12)", failed: true };

function outcomeOf(calls: readonly CallWritten[], next?: string, more: Partial<ExchangeWritten> = {}): string {
  const exchanges = [{ prompt: "Round the totals of the cart.", calls, ...more }];
  const [task] = tasksIn(next === undefined ? exchanges : [...exchanges, { prompt: next, calls: [] }]);
  if (task === undefined) throw new Error("no task");
  const { kind, reasons } = judgeOutcome(task, pipelines);
  return `${kind}: ${reasons.join(", ")}`;
}

describe.each(DIALECTS)("a session of %s", (dialect) => {
  it("keeps beside each call how it ended and what it said", () => {
    const [task] = tasksIn(
      [
        {
          prompt: "Go",
          calls: [
            { command: "npm run lint", output: "clean" },
            { command: "npm test", output: "1 failed", failed: true },
            { rejected: true, command: "rm -rf dist" },
          ],
        },
      ],
      dialect,
    );
    const results = task?.calls.map(({ result }) => result);
    expect(results?.map((result) => result?.status)).toEqual(["ok", "failed", "rejected"]);
    expect(results?.[0]?.head).toContain("clean");
    expect(results?.[1]?.head).toContain("1 failed");
  });

  it("keeps the beginning and the end of a long output", () => {
    const output = `first line\n${"x".repeat(9_000)}\n3 passed`;
    const [task] = tasksIn([{ prompt: "Go", calls: [{ command: "npm test", output }] }], dialect);
    const result = task?.calls[0]?.result;
    expect(result?.head).toContain("first line");
    expect(result?.tail).toContain("3 passed");
    expect((result?.head.length ?? 0) + (result?.tail.length ?? 0)).toBeLessThanOrEqual(2_000);
  });

  it("is cut at prompts that are more than a word to go on, and knows where the person broke in", () => {
    const tasks = tasksIn(
      [
        { prompt: "Round the totals.", calls: [EDIT], interrupted: true },
        { prompt: "Sort the list.", calls: [EDIT] },
        { prompt: "continue", calls: [PASSED] },
      ],
      dialect,
    );
    expect(tasks.map(({ prompt, calls, interrupted }) => [prompt, calls.length, interrupted])).toEqual([
      ["Round the totals.", 1, true],
      ["Sort the list.", 2, false],
    ]);
    expect(tasks[0]?.next).toBe("Sort the list.");
  });

  it("ends well by a check that passed after the last edit", () => {
    const [task] = tasksIn([{ prompt: "Round.", calls: [FAILED, EDIT, PASSED] }], dialect);
    expect(task && judgeOutcome(task, pipelines)).toEqual({ kind: "good", reasons: ["check-passed"] });
  });
});

describe("the outcome of a task", () => {
  it.each<readonly [string, readonly CallWritten[], string | undefined]>([
    ["good: check-passed", [EDIT, PASSED], undefined],
    ["bad: check-failed", [EDIT, FAILED], undefined],
    ["unknown: nothing-checkable", [PASSED, EDIT], undefined],
    ["good: check-passed", [EDIT, PASSED, { edit: "/home/dev/shop/README.md" }], undefined],
    ["good: committed, pushed", [EDIT, { command: "git commit -am x" }, { command: "git push" }], undefined],
    ["unknown: nothing-checkable", [{ command: "git commit -am x" }, EDIT], undefined],
    ["bad: corrected", [EDIT, PASSED], "No, that is not what I asked for."],
    ["bad: corrected", [EDIT, PASSED], "The total still doesn't work."],
    ["bad: error-pasted", [EDIT, PASSED], "TypeError: total is undefined\n    at sum (cart.ts:3:1)"],
    ["good: thanked", [EDIT], "Perfect, thanks!"],
    ["good: thanked", [EDIT, FAILED], "Looks good, the failure is an old one."],
    ["unknown: nothing-checkable", [{ read: "/home/dev/shop/a.ts" }], "Now add a test."],
    [
      "bad: calls-failed",
      [
        { command: "./deploy", failed: true },
        { command: "./deploy -v", failed: true },
      ],
      undefined,
    ],
    ["bad: check-failed", [EDIT, { ...FAILED, command: "npm test 2>&1 | tail -5", failed: false }], undefined],
    ["good: check-passed", [EDIT, { ...PASSED, command: "npm test 2>&1 | tail -5" }], undefined],
    ["unknown: nothing-checkable", [EDIT, { command: "npm test | grep -c x", output: "" }], undefined],
    ["unknown: nothing-checkable", [EDIT, { command: "npm test || true", output: "" }], undefined],
    ["good: check-passed", [EDIT, { command: "npx tsc --noEmit 2>&1 | head -20", output: "" }], undefined],
    ["bad: check-failed", [EDIT, FAILED, { command: "npm run lint", output: "" }], undefined],
  ])("is %s", (expected, calls, next) => {
    expect(outcomeOf(calls, next)).toBe(expected);
  });

  it("is bad where the person broke in, whatever passed before", () => {
    expect(outcomeOf([EDIT, PASSED], undefined, { interrupted: true })).toBe("bad: interrupted");
  });

  it("is bad where the agent says it could not", () => {
    expect(outcomeOf([EDIT], undefined, { answer: "I was not able to fix the rounding." })).toBe("bad: gave-up");
  });

  it("is not good where the client recorded no results", () => {
    const [task] = tasksIn([{ prompt: "Round.", calls: [EDIT, PASSED] }]);
    const silent = task?.calls.map(({ id, name, input }) => ({ id, name, input })) ?? [];
    expect(task && judgeOutcome({ ...task, calls: silent }, pipelines).kind).toBe("unknown");
  });
});

it.each([
  ["passed", "ok  \texample.com/shop\t0.2s"],
  ["passed", "0 issues."],
  ["passed", "✅ Passed: 44\n❌ Failed: 0"],
  ["failed", "--- FAIL: TestTotal (0.00s)"],
  ["failed", "src/a.ts(3,1): error TS2322: Type"],
  ["failed", "✖ 3 problems (2 errors, 1 warning)"],
  ["unknown", "listening on port 3000"],
])("a check's output says %s", (expected, output) => {
  expect(readCheck(output)).toBe(expected);
});

it.each(["yes", "ok, go ahead", "continue", "2", "weiter", "好"])("`%s` only lets the agent go on", (prompt) => {
  expect(isGoOn(prompt)).toBe(true);
});

it.each(["yes, but round up", "no", "go back to the old layout"])("`%s` is a prompt of its own", (prompt) => {
  expect(isGoOn(prompt)).toBe(false);
});
