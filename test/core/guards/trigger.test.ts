import { describe, expect, it } from "vitest";
import { judgeCalls } from "../../../src/app/guards/judge-calls.ts";
import { projectFiles } from "../../../src/core/guards/named-files.ts";
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
    ["a name in plain words", "Round in ledger.ts, never elsewhere.", ["ledger.ts"]],
    ["a folder in plain words", "Leave src/old-api/ alone.", ["src/old-api/"]],
    ["a folder at the top that not every project has", "Never edit `migrations/`.", ["migrations/"]],
    ["a glob of names", "`*.proto` and **/*.sql come from a tool.", ["*.proto", "**/*.sql"]],
    ["a glob in a folder", "`src/gen/*.ts` and `src/gen/**` are made.", ["src/gen/*.ts", "src/gen/**"]],
    ["each of a glob's choices", "Format `web/*.{ts,css}`.", ["web/*.ts", "web/*.css"]],
    ["what the note warns of", "Use `src/a.ts` instead of `src/b.ts`, which is gone soon.", ["src/a.ts", "src/b.ts"]],
    ["set off by stars", "See **src/parse.ts** and *src/old-api/*.", ["src/parse.ts", "src/old-api/"]],
    ["between German words", "Die Dateien in src/erzeugt/ und *.proto nie ändern.", ["src/erzeugt/", "*.proto"]],
    ["among Japanese signs", "src/gen/以下と*.protoは編集しない。", ["src/gen/", "*.proto"]],
    ["in a Russian sentence", "Не править migrations/ и src/gen/**.", ["migrations/", "src/gen/**"]],
  ])("is %s", (_, text, paths) => {
    expect(made(text)?.paths).toEqual(paths);
  });

  it.each([
    ["a name that any project has", "See `index.html`, `README.md` and `package.json`."],
    ["a short name", "See `a.ts`."],
    ["a folder at the top", "Everything in `src/` is code."],
    ["a path outside the project", "See `/etc/hosts.conf`, `~/notes/orders.md` and `../other/orders.md`."],
    ["a word in backticks", "Call it `deploy`, never `Deploy It`."],
    ["any file at all", "See `*`, `**`, `**/*`, `*.*`, `src/**` and `src/*`."],
    ["stars that mean something else", "Hooks are `use*`, hosts `*.example.com`, packages `@shop/*`, 2*3*4, **bold**."],
    ["a route or an address", "Call `/api/*` or https://shop.test/src/a.ts, either/or."],
    ["a product with the name of a file", "We use Node.js and Vue.js, i.e. no others."],
    ["a name that only a known project makes distinctive", "See `Makefile` and a.ts."],
  ])("is never %s", (_, text) => {
    expect(made(text)).toBeUndefined();
  });

  it("is a bare name where few files of the project have it", () => {
    const within = (paths: readonly string[], body: string) =>
      triggerOf({ file: "a.md", name: "a", description: "", body, type: "project" }, {}, projectFiles(paths))?.paths;
    const many = ["a", "b", "c", "d"].flatMap((one) => [`${one}/Makefile`, `${one}/store.ts`, `${one}/x.ts`]);
    expect(within(["Makefile", "src/tax.ts"], "The Makefile calls tax.ts.")).toEqual(["Makefile", "tax.ts"]);
    expect(within(many, "The Makefile calls store.ts.")).toBeUndefined();
    expect(within(many, "The a/Makefile calls `a/store.ts`.")).toEqual(["a/Makefile", "a/store.ts"]);
    expect(within(["index.ts", "package.json"], "See index.ts, README.md and `package.json`.")).toBeUndefined();
    const code = ["server/a.go", "server/b.go", "server/c.go", "server/d/e.go", "migrations/1.sql"];
    expect(within(code, "All of `server/` is Go; `migrations/` is SQL.")).toEqual(["migrations/"]);
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

  it.each([
    ["Never edit `migrations/`.", true],
    ["Never edit `migrations/`\n", true],
    ["Never edit `migrations/`.\n\n**Why:** they ran already.", false],
  ])("knows whether its line says all of %j", (body, isWhole) => {
    const note = { file: "a.md", name: "a", description: "Never edit `migrations/`", body, type: "feedback" as const };
    expect(triggerOf(note, {})?.isWhole).toBe(isWhole);
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

const NAMED = {
  file: "a.md",
  size: 1,
  mtimeMs: 2,
  hash: "h",
  isWhole: true,
  line: "a",
  paths: [],
  commands: [],
  when: undefined,
};

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
    ["*.proto", "/work-tree/shop/api/v1/orders.proto", true],
    ["*.proto", "orders.proto", true],
    ["*.proto", "orders.proto.md", false],
    ["**/*.proto", "orders.proto", true],
    ["src/gen/**", "src/gen/a/b.ts", true],
    ["src/gen/**", "src/gen.ts", false],
    ["a*b*c.ts", "src/axbyc.ts", true],
    ["ab*ba.ts", "src/aba.ts", false],
    ["migrations/", "/work-tree/shop/migrations/1.sql", true],
    ["migrations/", "/work-tree/shop/db/migrations", true],
    ["src/parse.ts", String.raw`C:\shop\src\parse.ts`, true],
  ])("with a note of %s on the file %s: %s", (named, file, isMet) => {
    expect(meets({ paths: [named] }, "Edit", { file_path: file })).toBe(isMet);
  });

  it("is not met by a folder above the project", () => {
    const note = { ...NAMED, scope: "project" as const, directory: "/notes", paths: ["migrations/"] };
    const met = (file_path: string) =>
      triggersMeeting([note], { tool: "Read", input: { file_path } }, judgeCalls, "/work-tree/migrations/shop").length;
    expect(met("/work-tree/migrations/shop/src/a.ts")).toBe(0);
    expect(met("/work-tree/migrations/shop/migrations/1.sql")).toBe(1);
  });

  it("costs no time with a glob made to backtrack", () => {
    const named = `${"*a".repeat(3)}*b/**/${"*a".repeat(3)}*b`;
    const started = performance.now();
    expect(meets({ paths: [named] }, "Edit", { file_path: `${"a".repeat(3000)}/`.repeat(8) })).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
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
