import { describe, expect, it } from "vitest";
import { report } from "../../scripts/gates/report.mjs";
import { runSteps } from "../../scripts/steps.mjs";

function step(name: string, code: string, after: readonly string[] = []) {
  return { name, args: ["--eval", code], after };
}

describe("the check", () => {
  it("tells a step that passed in one line", async () => {
    const lines: string[] = [];
    const results = await runSteps([step("quiet", "console.log('chatter')")], 2, (text) => lines.push(text));
    expect(results).toMatchObject([{ name: "quiet", passed: true }]);
    expect(lines.join("")).toMatch(/^ok\s+quiet\s+\d+\.\d s\n$/u);
  });

  it("shows what a failing step printed and goes on with the others", async () => {
    const lines: string[] = [];
    const steps = [step("bad", "console.error('why it failed'); process.exit(3)"), step("next", "", ["bad"])];
    const results = await runSteps(steps, 2, (text) => lines.push(text));
    expect(results).toMatchObject([
      { name: "bad", passed: false },
      { name: "next", passed: true },
    ]);
    expect(lines.join("")).toContain("why it failed");
  });

  it("fails a step that a signal ended", async () => {
    const [result] = await runSteps([step("killed", "process.kill(process.pid, 'SIGKILL')")], 1, () => {});
    expect(result?.passed).toBe(false);
  });

  it("fails a gate that found something, and one that looked at nothing", () => {
    const finding = { rule: "some-rule", path: "a.ts", line: 3, message: "what is wrong" };
    const lines: string[] = [];
    const print = (text: string): number => lines.push(text);
    expect(report("gate", { checked: 1, findings: [] }, print)).toBe(0);
    expect(report("gate", { checked: 1, findings: [finding] }, print)).toBe(1);
    expect(report("gate", { checked: 0, findings: [] }, print)).toBe(1);
    expect(lines.join("")).toContain("a.ts:3 some-rule: what is wrong");
  });
});
