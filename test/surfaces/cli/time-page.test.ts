import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { person } from "../../support/person.ts";

const PAGE = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/time.md"), "utf8");

// The day on which the page was written.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-23T12:00:00Z") }));
afterEach(() => void vi.useRealTimers());

/** The cells of the rows of the table below a heading. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, table = ""] = new RegExp(String.raw`## ${heading}\n[\s\S]*?\n\|---.*\n((?:\|.*\n)+)`, "u").exec(PAGE) ?? [];
  return table
    .trim()
    .split("\n")
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

async function saidTo(...statements: readonly string[]) {
  const { memdir, json } = person();
  const answers = [];
  for (const statement of statements) answers.push(await memdir(["remember", statement]));
  return { memdir, json, answers };
}

async function expectStored(said: string, stored: string): Promise<void> {
  const { json } = await saidTo(said);
  const { notes } = await json(["list"]);
  expect([said, notes[0].description]).toEqual([said, stored]);
}

async function expectSuperseded(first: string, second: string): Promise<void> {
  const { memdir, json, answers } = await saidTo(first, second);
  expect([second, answers.map(({ code }) => code)]).toEqual([second, [0, 0]]);
  expect((await json(["list"])).notes).toHaveLength(1);
  expect((await memdir(["recall", "--raw", first])).out).toContain(second.replace(/^.*switched/u, "switched"));
  expect((await json(["conflicts"])).conflicts).toEqual([]);
}

async function expectRefused(example: string): Promise<void> {
  const { memdir, json, cwd } = person();
  const claude = "Every commit message begins with the ticket's number";
  fs.writeFileSync(path.join(cwd, "CLAUDE.md"), `# Shop\n\n- ${claude}\n`);
  const text = example === "what CLAUDE.md says already" ? claude : example;
  expect([text, (await memdir(["remember", text])).code]).toEqual([text, 4]);
  expect([text, (await memdir(["remember", text, "--force"])).code]).toEqual([text, 0]);
  expect((await json(["list"])).notes).toHaveLength(1);
}

it("the six examples come out as the page says", async () => {
  const rows = rowsBelow("Six examples");
  expect(rows.map(([, happens = ""]) => happens.split(/[ ,;]/u)[0])).toEqual([
    "stored",
    "stored",
    ...Array.from({ length: 3 }, () => "the"),
    "refused",
  ]);
  for (const [said = "", happens = ""] of rows) {
    const [first = "", second = ""] = said.split("; then: ");
    if (happens.startsWith("stored")) await expectStored(said, /"([^"]+)"/u.exec(happens)?.[1] ?? said);
    else if (happens.startsWith("the second supersedes the first")) await expectSuperseded(first, second);
    else for (const example of said.split(" · ")) await expectRefused(example);
  }
});

it("what a new statement does to an older one is what the page's table says", async () => {
  const rows = rowsBelow("Changes");
  expect(rows.length).toBeGreaterThan(10);
  const seen: string[] = [];
  for (const [before = "", after = ""] of rows) {
    const { json, answers } = await saidTo(before, after);
    const { notes } = await json(["list"]);
    const out = answers[1]?.out ?? "";
    const outcome = out.includes("superseded ")
      ? "replaces"
      : out.includes("contradicts ")
        ? "contradicts"
        : notes.length === 2
          ? "both stay"
          : "same";
    seen.push(`${before} | ${after} | ${outcome}`);
  }
  const told = (happens: string): string =>
    /^(?:beside|refines)/u.test(happens) ? "both stay" : (/^\w+/u.exec(happens)?.[0] ?? "");
  expect(seen).toEqual(rows.map(([before, after, happens = ""]) => `${before} | ${after} | ${told(happens)}`));
});
