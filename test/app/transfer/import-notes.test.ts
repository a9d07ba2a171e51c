import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { ImportCandidate } from "../../../src/app/transfer/candidate.ts";
import { applyImport, extrasOf, planImport } from "../../../src/app/transfer/import-notes.ts";
import { remember } from "../../../src/app/notes/remember.ts";
import { remove, revise } from "../../../src/app/notes/revise.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText, textOf } from "../../support/store.ts";

let workspace: OpenWorkspace;
let root: string;

beforeEach(() => {
  root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }));
});
afterEach(() => workspace.close());

function piece(body: string, more: Partial<ImportCandidate> = {}): ImportCandidate {
  return { type: "project", name: "port", description: "The port", body, origin: "a.md", ...more };
}

function original(extra: string, body: string, type = "feedback"): ImportCandidate {
  const text = noteText("mine", "Mine", body, type).replace("metadata:\n", `metadata:\n${extra}`);
  return piece(body, {
    type: "feedback",
    name: "mine",
    original: { text, pinned: extra.includes("pinned: true") },
  });
}

const never = (): never => {
  throw new Error("there is no project");
};

const GUARD = "  guard:\n    tool: Bash\n    pattern: push\n    action: deny\n    message: no\n";

async function plan(...pieces: readonly ImportCandidate[]) {
  return planImport(workspace, "codex", pieces);
}

async function planned(...pieces: readonly ImportCandidate[]): Promise<readonly string[]> {
  return (await plan(...pieces)).map((step) =>
    step.kind === "refuse"
      ? `${step.reason}: ${step.why}`
      : step.kind === "merge"
        ? `merge into ${step.into.file}: ${step.lines.join("|")}`
        : "add",
  );
}

async function take(...pieces: readonly ImportCandidate[]) {
  return applyImport(workspace, await plan(...pieces));
}

const read = (file: string, scope: "project" | "user" = "project"): string | undefined =>
  textOf(workspace.open(scope)?.store.read(file));

describe("the plan of an import", () => {
  it("knows what it imported before, though the note was edited since, and not what says something else by now", async () => {
    const [done] = await take(piece("The port is 8080"));
    expect(done?.ref.file).toBe("project_port.md");
    if (done !== undefined) await revise(workspace, done.ref, { body: "Quite other words" });
    expect(await planned(piece("The port is 8080"))).toEqual(["known: imported already: project_port.md"]);
    expect(await planned(piece("The disk is full"))).toEqual(["merge into project_port.md: The disk is full"]);
    expect(await planned(piece("The port is 8080", { origin: "b.md" }))).toEqual([
      "merge into project_port.md: The port is 8080",
    ]);
  });

  it("refuses what is mostly code or paths, which the repository says itself", async () => {
    const paths = ["├ src/a.ts", "├ src/b/", "├ README.md", "* docs/x/y.md", "> test/z.ts"];
    const code = `\`\`\`ts\n${"const a = 1;\n".repeat(20)}\`\`\``;
    for (const body of [paths.join("\n"), `${paths.join("\n\n")}\n`, code, `Look:\n${code}`])
      expect([body, await planned(piece(body))]).toEqual([
        body,
        ["derivable: code or a list of files: the repository says it better"],
      ]);
    const reason = `This is why:\n${"Words of ours. ".repeat(9)}`;
    expect(await planned(piece(`${reason}\n${code}`))).toEqual(["add"]);
  });

  it("refuses a document, to the character", async () => {
    expect(await planned(piece("word ".repeat(4_000)))).toEqual(["add"]);
    expect(await planned(piece(`${"word ".repeat(4_000)}x`))).toEqual([expect.stringContaining("too-long: 20001")]);
  });

  it.each([
    ["a list of files", "src/a.ts\n- src/b/\n* `README.md`", true],
    ["a tree", "├── src/\n│   ├── a.ts\n└── b.ts\nlib/", true],
    ["two files", "src/a.ts\nsrc/b.ts", true],
    ["files with words between", "src/a.ts\nsrc/b.ts\nsrc/c.ts\nis where it all began", true],
    ["files with a fifth of words", "a.ts\nb.ts\nc.ts\nd.ts\nthese four", true],
    ["files with less than a fifth of words", "a.ts\nb.ts\nc.ts\nd.ts\ne.ts\nthese five", true],
    ["two names with dots", "Vue.js\nNode.js", false],
    ["three files that the words do not tell from names", "todo.md\nideas.md\nplans.md", true],
    ["four addresses and a fifth of words", "acme.io\nacme.dev\nacme.eu\nacme.com\nare our domains", false],
    ["words with dots", "Ask Ann.\nAsk Bob.\nAsk Cyd.", false],
    ["code with a word", `look:\n\`\`\`js\n${"const a = 1;\n".repeat(20)}\`\`\``, true],
    ["code in tildes", `~~~~\n${"const a = 1;\n".repeat(20)}~~~~`, true],
    ["code with as many words", `${"word ".repeat(40)}\n\`\`\`js\n${"const a = 1;\n".repeat(10)}\`\`\``, false],
    ["a fence that is not closed", `Words\n\`\`\`js\n${"const a = 1;\n".repeat(20)}`, false],
  ])("takes what the repository says better for derivable: %s", async (_, body, isDerivable) => {
    expect((await planned(piece(body)))[0]?.startsWith("derivable")).toBe(isDerivable);
  });

  it("finds what is said already, line by line, whatever the marks, the case and the order", async () => {
    await remember(workspace, { body: "- The port is 8080\n- The disk is full\n\n> Ask Ann first", name: "other" });
    for (const body of ["THE DISK   IS FULL\n* the port is 8080", "ask ann first", "- The port is 8080\n\n"])
      expect(await planned(piece(body))).toEqual(["duplicate: project_other.md says it already"]);
    expect(await planned(piece("The port is 8080\nand one more"))).toEqual(["add"]);
    expect(await planned(piece("Never use port 8080"))).toEqual(["add"]);
  });

  it("finds one wish in other words, but not two lines that are alike", async () => {
    const wish = "Always run the importer tests before pushing to the main branch";
    await remember(workspace, { body: wish, name: "tests", type: "feedback" });
    const other = wish.replace("before pushing", "prior to pushing").replace("Always run", "Always run all");
    const near = await planned(piece(`${wish}!`, { type: "feedback", name: "elsewhere" }));
    expect(near).toEqual(["duplicate: feedback_tests.md says it already"]);
    expect(await planned(piece(`${other}\nand more\n`, { type: "feedback", name: "elsewhere" }))).toEqual(["add"]);
  });

  it("finds a wish that a longer note has, and one whose lines are wrapped elsewhere, but not more than that", async () => {
    const wish = "Always run the importer tests before pushing to the main branch";
    await remember(workspace, { body: `Ask Ann about releases.\n${wish}.`, name: "tests", type: "feedback" });
    const of = (body: string) => planned(piece(body, { type: "feedback", name: "elsewhere" }));
    for (const same of [`${wish}!`, wish.replace("tests before", "tests\nbefore")])
      expect(await of(same)).toEqual(["duplicate: feedback_tests.md says it already"]);
    for (const more of [`${wish} and to the release branch`, `${wish}\nand watch the first build`])
      expect(await of(more)).toEqual(["add"]);
  });

  it("takes what two pieces of one import say once", async () => {
    expect(await planned(piece("Same words"), piece("- same WORDS", { name: "b", origin: "b.md" }))).toEqual([
      "add",
      "duplicate: another note of this import says it already",
    ]);
    expect(await planned(piece("One"), piece("Two", { name: "b" }))).toEqual(["add", "add"]);
    // The first line alone stands in two of them.
    const texts = [
      "Port 8080\nAsk Ann",
      "Port 8080\nThe disk is full",
      "port 8080\nthe disk is full",
      "Port 8080\nAsk Bob",
    ];
    expect(await planned(...texts.map((body, at) => piece(body, { name: `n${at}`, origin: `${at}.md` })))).toEqual([
      "add",
      "add",
      "duplicate: another note of this import says it already",
      "add",
    ]);
  });

  it("adds to a note of the same name and type only, and never to one that is pinned or broken", async () => {
    await remember(workspace, { body: "One\nTwo", name: "The Port" });
    const more = piece("two\nThree\n\nFour", { name: "the  port" });
    expect(await planned(more)).toEqual(["merge into project_the_port.md: Three|Four"]);
    expect(await planned({ ...more, type: "feedback" })).toEqual(["add"]);
    expect(await planned({ ...more, name: "port" })).toEqual(["add"]);
    const file = `${workspace.open("project")?.store.directory ?? ""}/project_the_port.md`;
    const text = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, text.replace("metadata:\n", "metadata:\n  pinned: true\n"));
    expect(await planned(more)).toEqual(["add"]);
    fs.writeFileSync(file, text.replace("description:", "description: [").replace("name: The Port", "name: The Port"));
    expect(await planned(more)).toEqual(["add"]);
  });

  it("says which extras are lost with a duplicate, and pours no pin and no guard into another note", async () => {
    await remember(workspace, { body: "Never push on Fridays", name: "mine", type: "feedback" });
    const cases = [
      ["", ""],
      ["  pinned: true\n", "; the pin of this one is not taken over"],
      [GUARD, "; the guard of this one is not taken over"],
      [`  pinned: true\n${GUARD}`, "; the pin and guard of this one are not taken over"],
    ] as const;
    for (const [extra, told] of cases) {
      expect(await planned(original(extra, "Never push on Fridays"))).toEqual([
        `duplicate: feedback_mine.md says it already${told}`,
      ]);
      expect(await planned(original(extra, "Never push at night"))).toEqual([
        extra === "" ? "merge into feedback_mine.md: Never push at night" : "add",
      ]);
    }
    expect(extrasOf(workspace, piece("x"))).toEqual({ pinned: false, guarded: false });
    // A guard that cannot be read is a guard still.
    for (const guard of [GUARD, "  guard: words\n"])
      expect(extrasOf(workspace, original(guard, "x"))).toEqual({ pinned: false, guarded: true });
  });

  it.each(["metadata:\n", "metadata: words\n", "metadata:\n  imported_from: 7\n", "metadata:\n  - imported_from\n"])(
    "bears a note here that says oddly where it is from: %j",
    async (block) => {
      await remember(workspace, { body: "One", name: "other" });
      const directory = workspace.open("project")?.store.directory ?? "";
      fs.writeFileSync(`${directory}/odd.md`, `---\nname: odd\n${block}---\n\nThe disk is full\n`);
      expect(await planned(piece("The disk is full"))).toEqual(["duplicate: odd.md says it already"]);
    },
  );

  it.each([new MemoryError("unavailable", "no YAML here"), new RangeError("a fault of our own")])(
    "is broken off by a fault that no note has to do with: %s",
    async (fault) => {
      const fail = (): never => {
        throw fault;
      };
      const broken: OpenWorkspace = Object.create(workspace, {
        codec: { value: { ...workspace.codec, create: fail } },
      });
      await expect(planImport(broken, "codex", [piece("Words")])).rejects.toBe(fault);
    },
  );

  it("refuses a note whose frontmatter nothing can be added to", async () => {
    const text = "---\nname: mine\nmetadata: {type: feedback, x: [1, 2}\n---\n\nWords\n";
    const [told] = await planned(piece("Words", { original: { text, pinned: false } }));
    expect(told).toMatch(/^frontmatter: /u);
  });
});

describe("an import that is carried out", () => {
  it("writes what it added, with where it is from, and lines into a note that stays as it is otherwise", async () => {
    await remember(workspace, { body: "One", name: "old" });
    const before = read("project_old.md");
    const done = await take(
      piece("Two", { name: "old" }),
      piece("I speak Czech", { type: "user", name: "me", origin: "b.md#  Me" }),
      piece("word ".repeat(5_000), { name: "long" }),
      piece("Brand new", { name: "new", origin: "c.md" }),
    );
    expect(done.map(({ kind, ref }) => [kind, ref.scoped.scope, ref.file])).toEqual([
      ["merge", "project", "project_old.md"],
      ["add", "user", "user_me.md"],
      ["add", "project", "project_new.md"],
    ]);
    expect(read("project_old.md")).toBe(`${before ?? ""}Two\n`);
    expect(read("user_me.md", "user")).toMatch(/source: import\n.*imported_from: "?codex:b\.md# Me@[0-9a-f]{12}"?\n/su);
    const store = workspace.open("project")?.store;
    expect(
      store
        ?.history()
        .versions()
        .map(({ actor, reason }) => `${actor}: ${reason}`),
    ).toEqual(["import: remembered", "import: merged an imported note", "user: remembered"]);
  });

  it("writes the days that a note of known age means by its words, and no other word of it", async () => {
    const told = (created: string): ImportCandidate =>
      piece("We release tomorrow", {
        name: "release",
        description: "The release is tomorrow",
        original: {
          text: `---\nname: release\ndescription: The release is tomorrow\nmetadata:\n  type: project\n${created}---\n\nWe release tomorrow\n`,
          pinned: false,
        },
      });
    const [undated] = await plan(told(""));
    expect(undated?.candidate).toEqual(told(""));
    await take(told("  created: 2026-03-10T10:00:00.000Z\n"));
    expect(read("project_release.md")).toMatch(
      /^description: The release is .*2026-03-11[^]*\n\nWe release .*2026-03-11.*\n$/mu,
    );
  });

  it("keeps the byte order mark of a note that it adds to", async () => {
    const { store } = workspace.open("project") ?? never();
    store.commit([{ kind: "create", file: "port.md", content: `\uFEFF${noteText("port", "The port", "One")}` }], {
      actor: "user",
      reason: "test",
    });
    expect(await take(piece("One\nTwo", { name: "port" }))).toHaveLength(1);
    expect(Buffer.from(store.read("port.md") ?? []).toString("utf8")).toMatch(/^\uFEFF---\n[^]*\n\nOne\nTwo\n$/u);
  });

  it("puts a text in the place of another only where it says itself that something changed, in any order", async () => {
    await remember(workspace, { body: "The API listens on port 8080", name: "api" });
    await take(
      piece("The API listens on port 9090", { name: "other" }),
      piece("We switched from Heroku to AWS", { name: "aws", origin: "b.md" }),
      piece("We deploy on Heroku", { name: "host", origin: "c.md" }),
    );
    expect(["api", "host"].map((name) => /supersededBy: .*/u.exec(read(`project_${name}.md`) ?? "")?.[0])).toEqual([
      undefined,
      "supersededBy: project_aws.md",
    ]);
  });

  it("leaves out what went meanwhile, and keeps an edit that came meanwhile", async () => {
    const one = await remember(workspace, { body: "One", name: "old" });
    const steps = await plan(piece("Two", { name: "old" }));
    const file = `${workspace.open("project")?.store.directory ?? ""}/project_old.md`;
    fs.appendFileSync(file, "by hand");
    expect(await applyImport(workspace, steps)).toHaveLength(1);
    expect(read("project_old.md")).toMatch(/One\nby hand\nTwo\n$/u);
    if (one.outcome === "created") remove(one.ref);
    expect(await applyImport(workspace, steps)).toEqual([]);
    expect(read("project_old.md")).toBeUndefined();
  });
});
