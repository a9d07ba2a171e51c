import { describe, expect, it } from "vitest";
import { closingLine, countTests } from "../../scripts/closing-line.mjs";

function report(passed: number, failed: number, skipped: number, brokenFiles = 0) {
  const testResults = Array.from({ length: brokenFiles }, () => ({ status: "failed", assertionResults: [] }));
  return { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numTodoTests: 0, testResults };
}

describe("the closing line", () => {
  it("sums what the reports say", () => {
    expect(closingLine([countTests(report(3, 0, 1)), countTests(report(4, 0, 0))])).toEqual({
      line: "7 passed, 0 failed, 1 skipped",
      ok: true,
    });
  });

  it("fails when a test failed, a file could not be loaded, or nothing ran", () => {
    expect(closingLine([countTests(report(3, 1, 0))])).toEqual({ line: "3 passed, 1 failed", ok: false });
    expect(closingLine([countTests(report(3, 0, 0, 1))])).toEqual({ line: "3 passed, 1 failed", ok: false });
    expect(closingLine([])).toEqual({ line: "0 passed, 0 failed", ok: false });
    expect(closingLine([countTests(report(0, 0, 2))]).ok).toBe(false);
  });
});
