import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesPassed, rulesStand } from "../../scripts/planted.mjs";
import { scratch } from "../support/scratch.ts";

const FILES = ["scripts/gates/lint.mjs", "test/gates/lint.test.ts", "test/support/tree.ts", "package-lock.json"];

function put(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function project(): string {
  const root = scratch();
  for (const file of FILES) put(root, file, "as it was");
  return root;
}

describe("violations that were planted for gates", () => {
  it("are judged where nothing has passed yet, and not again while gates and rules are the same", () => {
    const root = project();
    expect(rulesStand(root)).toBe(false);
    rulesPassed(root);
    put(root, "src/index.ts", "new");
    put(root, "CHANGELOG.md", "new");
    expect(rulesStand(root)).toBe(true);
  });

  it.each([...FILES, "scripts/new.mjs", ".oxlintrc.json"])("are judged again once %s has changed", (file) => {
    const root = project();
    rulesPassed(root);
    put(root, file, "changed");
    expect(rulesStand(root)).toBe(false);
  });

  it("are judged again once a gate is gone", () => {
    const root = project();
    rulesPassed(root);
    rmSync(join(root, FILES[0] ?? ""));
    expect(rulesStand(root)).toBe(false);
  });
});
