import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { benchSkills, FAMILIES, printBench } from "../../../bench/skills/run.mjs";
import type { EvidenceEvent } from "../../../src/core/skills/types.ts";

type Parts = Parameters<NonNullable<NonNullable<Parameters<typeof benchSkills>[1]>["change"]>>[0];

const load = (file: string): Promise<unknown> => {
  const source = fileURLToPath(new URL(`../../../src/${file.replace(/\.js$/u, ".ts")}`, import.meta.url));
  return import(/* @vite-ignore */ source);
};

const CODEGEN = FAMILIES.filter(({ name }) => name === "codegen");

/** The gates that fail: of one family, or of the bad skills alone. */
async function failed(of: "good" | "bad", change: (parts: Parts) => Parts): Promise<readonly string[]> {
  const some = of === "good" ? { families: CODEGEN, planted: 0 } : { families: [], planted: 1 };
  const { gates } = await benchSkills(load, { ...some, isolated: false, change });
  return gates.filter(({ holds }) => !holds).map(({ name }) => name);
}

/** memdir with another shelf. */
const shelfWith =
  (change: (shelf: Parts) => Parts) =>
  (parts: Parts): Parts => ({
    ...parts,
    openShelf: (...given: unknown[]) => {
      const shelf = parts["openShelf"](...given);
      return { ...shelf, ...change(shelf) };
    },
  });

describe("the bench of skills", () => {
  it("holds in its short form, and prints its table", async () => {
    const families = FAMILIES.filter(({ name }) => name === "codegen" || name === "profile");
    const result = await benchSkills(load, { families, planted: 1, isolated: false });
    expect(result.gates.filter(({ holds }) => !holds)).toEqual([]);
    const lines: string[] = [];
    printBench(result, (line) => lines.push(line));
    expect(lines.join("\n")).toMatch(/codegen +22 +12 +0\.55 +2:2 +2 +promoted/u);
  });

  it.each<readonly [string, "good" | "bad", string, (parts: Parts) => Parts]>([
    [
      "nothing is offered",
      "good",
      "calls on held-out instances at most 0.7 of those without",
      (parts) => ({
        ...parts,
        recallWithSkills: (locations: Parts, ...rest: unknown[]) =>
          parts["recallWithSkills"]({ ...locations, memdirHome: "/nowhere" }, ...rest),
      }),
    ],
    [
      "a skill keeps the agent from its work",
      "good",
      "no task that passes without a skill fails with one",
      (parts) => ({ ...parts, commandsOf: () => Array.from({ length: 50 }, () => "true") }),
    ],
    [
      "nothing is learnt",
      "good",
      "what is worth nothing is not learnt, all else is promoted",
      (parts) => ({ ...parts, learnSkills: () => undefined }),
    ],
    [
      "a draft is read without its candidate",
      "bad",
      "bad skills are refused for their reason, or gone",
      (parts) => ({
        ...parts,
        draftFrom: (shelf: unknown, text: string, handed: Parts) =>
          parts["draftFrom"](shelf, text, { ...handed, candidate: undefined }),
      }),
    ],
    [
      "every refusal is overruled",
      "bad",
      "bad skills are refused for their reason, or gone",
      shelfWith((shelf) => ({
        propose: async (proposal: unknown) => ({ ...(await shelf["propose"](proposal)), kind: "kept" }),
      })),
    ],
    [
      "a person's file is written to",
      "good",
      "bytes of people's skills that changed",
      (parts) => ({
        ...parts,
        takeSkillQuestion: (locations: { readonly home: string }) => {
          fs.appendFileSync(`${locations.home}/.claude/skills/mine/SKILL.md`, "more\n");
          return parts["takeSkillQuestion"](locations);
        },
      }),
    ],
  ])("fails where %s", async (_, of, gate, change) => {
    expect(await failed(of, change)).toContain(gate);
  });

  it("fails where fails are taken for passes", async () => {
    const forgiving = (event: EvidenceEvent): EvidenceEvent =>
      event.kind === "followed" ? { ...event, result: "pass" } : event;
    expect(
      await failed("bad", (parts) => ({
        ...parts,
        learnSkills: async (workspace: unknown, job: Parts, signal: unknown) => {
          await parts["learnSkills"](workspace, job, signal);
          forgive(parts["openShelf"](workspace), forgiving);
        },
      })),
    ).toContain("bad skills are never promoted");
  });
});

/** Rewrites what was noted, which memdir itself never does. */
function forgive(shelf: Parts, change: (event: EvidenceEvent) => EvidenceEvent): void {
  for (const { path } of shelf["list"]()) {
    const file = String(path).replace(/(?:next\/)?SKILL\.md$/u, "evidence.jsonl");
    const lines = fs.readFileSync(file, "utf8").split("\n");
    const changed = lines.map((line) => {
      if (line === "") return line;
      const value: EvidenceEvent | readonly EvidenceEvent[] = JSON.parse(line);
      return JSON.stringify(Array.isArray(value) ? value.map(change) : change(value as EvidenceEvent));
    });
    fs.writeFileSync(file, changed.join("\n"));
  }
}
