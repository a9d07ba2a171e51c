import { describe, expect, it } from "vitest";
import { judgeCalls } from "../../../src/app/guards/judge-calls.ts";
import {
  triggerOf,
  parseTriggers,
  type ScopedTrigger,
  triggersMeeting,
  writeTriggers,
} from "../../../src/core/guards/triggered.ts";

type Type = Parameters<typeof triggerOf>[0]["type"];

function made(body: string, type: Type = "feedback", frontmatter = {}) {
  return triggerOf({ file: "a.md", name: "a", description: "", body, type }, frontmatter);
}

describe("what a note is brought up by", () => {
  it.each([
    ["a file in a folder", "The parser is `src/parse.ts`.", ["src/parse.ts"]],
    ["without its line", "See `src/parse.ts:12-18`.", ["src/parse.ts"]],
    ["without its line and column", "See `src/parse.ts:12:5`, and src/scan.ts:7 too.", ["src/parse.ts", "src/scan.ts"]],
    ["below the project's folder", "See `./src/parse.ts` and `src/v1./scan.ts`.", ["src/parse.ts", "src/v1./scan.ts"]],
    ["a folder in a folder", "All of `src/importer/` is generated.", ["src/importer/"]],
    ["a long name alone", "See `vendor-orders.json`.", ["vendor-orders.json"]],
  ])("is %s", (_, text, paths) => {
    expect(made(text)?.paths).toEqual(paths);
  });

  it.each([
    ["a name that any project has", "See `index.html`, `README.md` and `package.json`."],
    ["a short name", "See `a.ts`."],
    ["a folder at the top", "Everything in `src/` is code."],
    ["a path outside the project", "See `/etc/hosts.conf`, `~/notes/orders.md` and `../other/orders.md`."],
    ["a word in backticks", "Call it `deploy`, never `Deploy It`."],
  ])("is never %s", (_, text) => {
    expect(made(text)).toBeUndefined();
  });

  it("is a command with what it is to do, of a rule alone, each once", () => {
    const text = "Never `git push --force`; `git push` asks, `npm  run build 'x y'`.";
    expect(made(text)?.commands).toEqual(["git push", "npm run"]);
    expect(made(text, "project")).toBeUndefined();
    expect(made("`git 'push x'` is no command, ``git push`` a quotation.")).toBeUndefined();
  });

  it("is what its frontmatter says, where a guard could say it", () => {
    const when = { tool: "Bash", pattern: "^make" };
    expect(made("Make it.", "project", { metadata: { when } })).toMatchObject({ paths: [], commands: [], when });
    for (const wrong of [undefined, "make", { tool: "Bash" }, { tool: "Bash", pattern: "(" }])
      expect(made("Make it.", "project", { metadata: { when: wrong } })).toBeUndefined();
    expect(made("Make it.", "project", { when })).toBeUndefined();
  });

  it("comes with one line that names the note", () => {
    const note = {
      file: "a.md",
      name: "orders",
      description: "",
      body: "See `src/orders.ts`.",
      type: "project" as const,
    };
    expect(triggerOf(note, {})?.line).toBe("orders");
    expect(triggerOf({ ...note, description: "Where orders are read" }, {})?.line).toBe("Where orders are read");
    expect(triggerOf({ ...note, description: "long ".repeat(90) }, {})?.line.length).toBeLessThanOrEqual(140);
  });
});

const NAMED = { file: "a.md", size: 1, mtimeMs: 2, line: "a", paths: [], commands: [], when: undefined };

function meets(trigger: Partial<ScopedTrigger>, tool: string, input: object): boolean {
  const all = [{ ...NAMED, scope: "project" as const, directory: "/notes", ...trigger }];
  return triggersMeeting(all, { tool, input: { ...input } }, judgeCalls).length === 1;
}

describe("a tool call", () => {
  it.each([
    ["src/parse.ts", "src/parse.ts", true],
    ["src/parse.ts", "/work-tree/shop/src/parse.ts", true],
    ["src/parse.ts", "src/parse.ts.bak", false],
    ["src/parse.ts", "lib/csrc/parse.ts", false],
    ["src/importer/", "src/importer/a/b.ts", true],
    ["src/importer/", "/work-tree/shop/src/importer/a.ts", true],
    ["src/importer/", "src/importers/a.ts", false],
    ["src/importer/", "lib/mysrc/importer/a.ts", false],
    ["orders.csv", "data/orders.csv", true],
    ["orders.csv", "orders.csv/a", false],
    ["src/*.ts", "/work-tree/src/parse.ts", true],
    ["src/*.ts", "src/deep/parse.ts", false],
    ["src/**/*.ts", "src/very/deep/parse.ts", true],
    ["src/**/*.ts", "src/parse.ts", true],
    ["src/*.ts", "src/parseXts", false],
    ["src/parse.ts", String.raw`C:\shop\src\parse.ts`, true],
  ])("with a note of %s on the file %s: %s", (named, file, isMet) => {
    expect(meets({ paths: [named] }, "Edit", { file_path: file })).toBe(isMet);
  });

  it("is met by its command, word for word, and by what its note waits for", () => {
    const push = { commands: ["git push"] };
    for (const command of ["git push", "cd a && git -C . push --force"])
      expect(meets(push, "Bash", { command })).toBe(true);
    for (const command of ["git pushd", "git pull", "echo git push"])
      expect(meets(push, "Bash", { command })).toBe(false);
    expect(meets(push, "Edit", { file_path: "git push" })).toBe(false);
    const when = { tool: "Bash", pattern: "^make " };
    expect(meets({ when }, "Bash", { command: "make all" })).toBe(true);
    expect(meets({ when }, "Edit", { command: "make all" })).toBe(false);
    expect(meets(push, "Edit", { file_path: "a.ts", command: "git push" })).toBe(false);
  });

  it("brings up the notes that speak of it, whatever the others speak of, in their order", () => {
    const all = [
      { ...NAMED, file: "path.md", paths: ["src/a.ts"] },
      { ...NAMED, file: "push.md", commands: ["git push"] },
      { ...NAMED, file: "neither.md" },
      { ...NAMED, file: "make.md", when: { tool: "Bash", pattern: "^git" } },
    ].map((one) => ({ ...one, scope: "project" as const, directory: "/notes" }));
    const brought = (tool: string, input: object): readonly string[] =>
      triggersMeeting(all, { tool, input: { ...input } }, judgeCalls).map(({ file }) => file);
    for (const input of [{ command: "git push -f" }, { cmd: ["git", "push"] }])
      expect(brought("Bash", input)).toEqual(["push.md", "make.md"]);
    expect(brought("Edit", { file_path: "src/a.ts" })).toEqual(["path.md"]);
    expect(brought("Bash", {})).toEqual([]);
  });

  it("is taken apart only where a note speaks of commands", () => {
    let parsed = 0;
    const judge = { ...judgeCalls, parse: (text: string) => (parsed++, judgeCalls.parse(text)) };
    const call = { tool: "Bash", input: { command: "cd a && git push" } };
    const one = { ...NAMED, scope: "project" as const, directory: "/notes", paths: ["src/a.ts"] };
    expect([triggersMeeting([one], call, judge), parsed]).toEqual([[], 0]);
    expect(triggersMeeting([{ ...one, commands: ["git push"] }], call, judge)).toHaveLength(1);
    expect(parsed).toBeGreaterThan(0);
  });
});

it("what is kept of them comes back as it was, and what is damaged is left out", () => {
  const one = { ...NAMED, paths: ["src/a.ts"], commands: ["git push"], when: { tool: "Bash", pattern: "x" } };
  expect(parseTriggers(writeTriggers([one, NAMED]))).toEqual([one, NAMED]);
  for (const damaged of ["", "{", "[]", "{}"]) expect(parseTriggers(damaged)).toEqual([]);
  const notes = [
    7,
    { line: "a" },
    { file: "a.md" },
    { ...one, paths: "src", commands: [1, "make x"], when: { tool: "Bash" } },
  ];
  expect(parseTriggers(JSON.stringify({ version: 1, notes }))).toEqual([
    { ...one, paths: [], commands: ["make x"], when: undefined },
  ]);
  expect(parseTriggers(JSON.stringify({ version: 2, notes: [one] }))).toEqual([]);
});
