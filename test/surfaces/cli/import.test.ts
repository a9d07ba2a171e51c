import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { IMPORT_KINDS } from "../../../src/app/transfer/candidate.ts";
import { candidatesIn } from "../../../src/app/transfer/candidates-in.ts";
import { cli } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const TOKEN = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");

function world(files: Readonly<Record<string, string>>) {
  const root = scratch();
  const cwd = `${root}/shop`;
  fs.mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
    fs.writeFileSync(`${root}/${name}`, text.replaceAll("CWD", cwd));
  }
  const environment = { HOME: `${root}/home`, PATH: process.env["PATH"] };
  const memdir = (...argv: string[]) => cli(argv, { cwd, environment });
  const take = async (...argv: string[]) => JSON.parse((await memdir("import", ...argv, "--json")).out);
  return { root, cwd, environment, memdir, take };
}

interface Step {
  readonly action: string;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly reason?: string;
}

const said = (plan: readonly Step[]): readonly string[] =>
  plan.map(({ action, reason, type, name, description }) =>
    action === "refuse" ? `${reason}: ${name}` : `${action} ${type} ${name}: ${description}`,
  );

describe("memdir import", () => {
  it("takes a name with a dot or a slash for an archive, and says where there is none", async () => {
    const { root, memdir } = world({ "old/a.md": "words" });
    for (const name of ["notes.tar.gz", `${root}/old`])
      expect(await memdir("import", name)).toMatchObject({
        code: 3,
        err: expect.stringContaining(`${path.resolve(`${root}/shop`, name)} is not a memdir export`),
      });
    expect(await memdir("import", "notes")).toMatchObject({
      code: 2,
      err: expect.stringContaining("import needs to know from what: claude-code, "),
    });
  });

  it("shows what it refuses and skips without the secret and what nobody could see", async () => {
    const { root, memdir, take } = world({
      "claw/MEMORY.md": `# Use ${TOKEN} here\n\nThe token is known.\n\n# Words\u202E of old\n\nThe rest is known.\n`,
      "claw/memory/2026-02-01.md": `The token is ${TOKEN}.\n`,
    });
    const argv = ["openclaw", `${root}/claw`, "--dry-run"];
    const { plan, skipped } = await take(...argv);
    expect(plan.map(({ reason }: Step) => reason)).toEqual(["secret", "hidden-characters"]);
    expect(skipped).toEqual([{ path: "memory/2026-02-01.md", why: expect.stringContaining("a secret") }]);
    for (const shown of [JSON.stringify([plan, skipped]), (await memdir("import", ...argv)).out]) {
      expect(shown).not.toContain(TOKEN);
      expect(shown).not.toContain("\u202E");
      expect(shown).toContain("Words of old");
    }
  });

  it("asks and writes where there are days of logs alone", async () => {
    const { root, memdir } = world({ "claw/memory/2026-02-01.md": "Fed the cat.\n" });
    const asked: string[] = [];
    const argv = ["import", "openclaw", `${root}/claw`];
    await cli(argv, { cwd: `${root}/shop`, environment: { HOME: `${root}/home` }, answer: true, asked });
    expect(asked).toEqual(["Import them?"]);
    expect((await memdir("log", "--date", "2026-02-01")).out).toContain("Fed the cat.");
  });

  it("takes another Claude Code directory over, with types, and leaves its index", async () => {
    const { take, root, memdir } = world({
      "old/MEMORY.md": "- [Tabs](feedback_tabs.md) — tabs\n",
      "old/feedback_tabs.md":
        "---\nname: tabs\ndescription: Indent with tabs\nmetadata:\n  type: feedback\n---\n\nIndent with tabs in every file.\n",
      "old/user_role.md":
        "---\nname: role\ndescription: dev is a kernel developer\ntype: user\n---\n\ndev is a kernel developer.\n",
    });
    const { plan, imported } = await take("claude-code", `${root}/old`, "--yes");
    expect(said(plan)).toEqual(["add feedback tabs: Indent with tabs", "add user role: dev is a kernel developer"]);
    expect(imported).toEqual([
      { action: "add", file: "feedback_tabs.md" },
      { action: "add", file: "user:user_role.md" },
    ]);
    const { out } = await memdir("show", "tabs");
    expect(out).toContain("Indent with tabs in every file.");
    expect(
      fs.readFileSync(
        [...filesBelow(`${root}/home`).keys()]
          .filter((name) => name.endsWith("feedback_tabs.md"))
          .map((name) => `${root}/home/${name}`)[0] ?? "",
        "utf8",
      ),
    ).toMatch(/imported_from: "?claude-code:feedback_tabs\.md@[0-9a-f]{12}/u);
  });

  it("takes Codex's memories by section, and its summaries of sessions", async () => {
    const { take } = world({
      "home/.codex/memories/MEMORY.md":
        "# Testing\n\nNever mock the database.\n\n## Deploys\n\nThe staging cluster is drained on Fridays.\n",
      "home/.codex/memories/rollout_summaries/2026-03-10_import_fix.md":
        "The importer failed on empty files; dev decided to skip them.\n",
      "home/.codex/memories/memory_summary.md": "Never mock.",
      "home/.codex/memories/raw_memories.md": "Never mock.",
    });
    expect(said((await take("codex", "--yes")).plan)).toEqual([
      "add feedback Testing: Never mock the database",
      "add project Deploys: The staging cluster is drained on Fridays",
      "add project 2026 03 10 import fix: The importer failed on empty files; dev decided to skip them",
    ]);
  });

  it("takes Gemini's notes of this project and the list of older versions", async () => {
    const { take } = world({
      "home/.gemini/tmp/shop/.project_root": "CWD",
      "home/.gemini/tmp/shop/memory/MEMORY.md":
        "# Index\n\n- [Build](build.md) — how it is built\n\nReleases are cut by ann.\n",
      "home/.gemini/tmp/shop/memory/build.md": "# Build\n\nThe build needs the license server of the office.\n",
      "home/.gemini/tmp/other/memory/MEMORY.md": "Not of this project.\n",
      "home/.gemini/GEMINI.md":
        "# Mine\n\nSecret rules\n\n## Gemini Added Memories\n- dev lives in Prague\n- The standup is at nine\n\n## More\n- no memory\n",
    });
    expect(said((await take("gemini", "--yes")).plan)).toEqual([
      "add project Build: The build needs the license server of the office",
      "add project Index: Releases are cut by ann",
      "add project dev lives in Prague: dev lives in Prague",
      "add project The standup is at nine: The standup is at nine",
    ]);
  });

  it("takes the entities of a server-memory file with their relations", async () => {
    const lines = [
      {
        type: "entity",
        name: "Alice",
        entityType: "person",
        observations: ["owns the billing service", "is away in May"],
      },
      { type: "relation", from: "Alice", to: "Billing", relationType: "maintains" },
      { type: "entity", name: "Empty", entityType: "thing", observations: [] },
    ];
    const { take, memdir, root } = world({
      "memory.jsonl": `${lines.map((one) => JSON.stringify(one)).join("\n")}\n{broken\n`,
    });
    expect(said((await take("server-memory", `${root}/memory.jsonl`, "--yes")).plan)).toEqual([
      "add project Alice: Alice (person): owns the billing service",
    ]);
    expect((await memdir("show", "Alice")).out).toContain("- is away in May\n- maintains Billing");
  });

  it("takes basic-memory notes and OpenClaw's memory with its daily logs", async () => {
    const { take, memdir, root } = world({
      "basic/coffee.md":
        "---\ntitle: Coffee\npermalink: food/coffee\n---\n\n# Coffee\n\n- [method] Jane wants the pour over to take four minutes #brewing\n- relates_to [[Water]]\n",
      "claw/MEMORY.md": "# People\n\njane reviews every migration.\n",
      "claw/memory/2026-03-10.md": "Moved the queue to the new region.\n",
      "claw/SOUL.md": "Be nice.\n",
    });
    expect(said((await take("basic-memory", `${root}/basic`, "--yes")).plan)).toEqual([
      "add project Coffee: Coffee: Jane wants the pour over to take four minutes",
    ]);
    const claw = await take("openclaw", `${root}/claw`, "--yes");
    expect(said(claw.plan)).toEqual(["add project People: jane reviews every migration"]);
    expect(claw).toMatchObject({ days: ["2026-03-10"] });
    expect((await memdir("log", "--date", "2026-03-10")).out).toContain("Moved the queue to the new region.");
    expect(await take("openclaw", `${root}/claw`, "--yes")).toMatchObject({ imported: [], days: [] });
  });

  it("takes db0's lines, with its log, whatever a line lacks", async () => {
    const at = "2026-02-02T03:04:05.000Z";
    const rows = [
      { id: "m1", content: "Orders are billed at noon.", scope: "user", status: "active", createdAt: at },
      { id: "m2", content: "Orders are billed at night.", scope: "session", status: "active", createdAt: at },
    ];
    const { take, root } = world({ "db0.jsonl": rows.map((row) => `${JSON.stringify(row)}\n`).join("") });
    const { plan, skipped } = await take("db0", `${root}/db0.jsonl`, "--yes");
    expect(plan).toMatchObject([{ action: "add", description: "Orders are billed at noon" }]);
    expect(skipped).toMatchObject([{ why: "of one session" }]);
  });

  it("writes nothing before it is agreed: no note, no log, no checkpoint", async () => {
    const { memdir, root } = world({
      "claw/MEMORY.md": "# People\n\njane reviews every migration.\n",
      "claw/memory/2026-03-10.md": "Moved the queue to the new region.\n",
    });
    const written = (): readonly string[] =>
      fs.existsSync(`${root}/home`)
        ? [...filesBelow(`${root}/home`).keys()].filter((file) => file.endsWith(".md"))
        : [];
    for (const options of [["--dry-run"], ["--dry-run", "--yes"], ["--json"], []]) {
      const { out } = await memdir("import", "openclaw", `${root}/claw`, ...options);
      expect([options, written(), /also logs of 1 day$/mu.test(out)]).toEqual([options, [], options[0] !== "--json"]);
    }
    expect((await memdir("import", "openclaw", `${root}/claw`, "--yes")).out).toContain("imported 1 note");
    expect(written().some((file) => file.endsWith("2026-03-10.md"))).toBe(true);
    expect((await memdir("import", "openclaw", `${root}/claw`, "--dry-run")).out).not.toContain("also");
    expect((await memdir("import", `${root}/none.tar.gz`)).err).toMatch(/not|neither/u);
  });

  it("refuses what must not be kept or is known, with the reason and without the secret", async () => {
    const { take, memdir, root } = world({
      "old/a.md": `Deploy with ${TOKEN} please.\n`,
      "old/b.md": "Ignore\u202E this.\n",
      "old/c.md": `\`\`\`js\n${"const a = 1;\n".repeat(20)}\`\`\`\n`,
      "old/d.md": "Integration tests use the test container.\n",
      "old/e.md": "- Integration tests use the test container.\n",
      "old/f.md": "src/a.ts\nsrc/b.ts\nsrc/c/\nREADME.md\n",
    });
    await memdir("remember", "Integration tests use the test container.");
    const result = await memdir("import", "claude-code", `${root}/old`, "--json", "--yes");
    expect(said(JSON.parse(result.out).plan).map((one) => one.split(":")[0])).toEqual([
      "secret",
      "hidden-characters",
      "derivable",
      "duplicate",
      "duplicate",
      "derivable",
    ]);
    expect(result.out + result.err + (await memdir("import", "claude-code", `${root}/old`)).out).not.toContain(TOKEN);
    expect((await take("claude-code", `${root}/old`, "--yes")).imported).toEqual([]);
  });

  it("keeps what a note of the same form carries: pin, guard, times, who wrote it and unknown keys", async () => {
    const note =
      "---\n# by hand\nname: no force\ndescription: Never force-push\nmetadata:\n  type: feedback\n  created: 2025-01-02T03:04:05.000Z\n  source: user\n  pinned: true\n  mood: calm\n  guard:\n    tool: Bash\n    pattern: git push.*--force\n    action: deny\n---\n\nNever force-push to main.\n";
    const { take, memdir, root } = world({
      "old/feedback_no_force.md": note,
      "old/old.md": "---\nname: old\ndescription: The depot opens at nine\n---\n\nThe depot opens at nine.\n",
    });
    fs.utimesSync(`${root}/old/old.md`, 1_700_000_000, 1_700_000_000);
    const { imported, plan } = await take("claude-code", `${root}/old`, "--yes");
    expect(plan[0]).toMatchObject({ pinned: true, guarded: true });
    expect(imported).toHaveLength(2);
    const text = (file: string): string =>
      fs.readFileSync(
        [...filesBelow(`${root}/home`).keys()]
          .filter((name) => name.endsWith(file))
          .map((name) => `${root}/home/${name}`)[0] ?? "",
        "utf8",
      );
    expect(text("feedback_no_force.md").replace(/ {2}imported_from: .*\n/u, "")).toBe(note);
    expect(text("project_old.md")).toContain("created: 2023-11-14T22:13:20.000Z");
    expect(text("project_old.md")).not.toContain("source:");
    expect(JSON.parse((await memdir("guard", "list", "--json")).out)).toMatchObject([
      { note: "feedback_no_force.md", state: "off" },
    ]);
  });

  it("asks for consent to a guard that comes along, even where one of that name and text was in force", async () => {
    const { memdir, root } = world({
      "old/feedback_a.md":
        "---\nname: a\ndescription: Never force-push\nmetadata:\n  type: feedback\n  guard:\n    tool: Bash\n    pattern: push --force\n    action: deny\n---\n\nNever force-push.\n",
    });
    expect((await memdir("import", "claude-code", `${root}/old`, "--dry-run")).out).toContain(
      "(with a guard, off until you enable it)",
    );
    expect((await memdir("import", "claude-code", `${root}/old`, "--yes")).out).toContain(
      "`memdir guard enable feedback_a.md` enables it",
    );
    expect((await memdir("guard", "enable", "a", "--yes")).code).toBe(0);
    expect((await memdir("remove", "a")).code).toBe(0);
    await memdir("import", "claude-code", `${root}/old`, "--yes");
    expect(JSON.parse((await memdir("guard", "list", "--json")).out)).toMatchObject([{ state: "off" }]);
  });

  it("never pours a pinned note into another, refuses a secret in the frontmatter, and says what a duplicate had", async () => {
    const { take, memdir, root } = world({
      "old/a.md":
        "---\nname: release\ndescription: How releases go\nmetadata:\n  type: project\n  pinned: true\n---\n\nThe freeze is on Thursdays.\n",
      "old/b.md": `---\nname: b\ndescription: Deploys\nmetadata:\n  type: project\n  key: ${TOKEN}\n---\n\nDeploys are on Mondays.\n`,
      "old/c.md":
        "---\nname: c\ndescription: Cuts\nmetadata:\n  type: project\n  pinned: true\n---\n\nann cuts releases.\n",
    });
    await memdir("remember", "ann cuts releases.", "--name", "release");
    fs.writeFileSync(
      `${root}/old/d.md`,
      "---\nname: d\ndescription: The lift is slow\ntype: project\nmetadata: x\n---\n\nThe lift is slow.\n",
    );
    const { plan } = await take("claude-code", `${root}/old`, "--yes");
    expect(plan.pop()).toMatchObject({ action: "refuse", reason: "frontmatter" });
    expect(plan).toMatchObject([
      { action: "add" },
      { action: "refuse", reason: "secret" },
      {
        action: "refuse",
        reason: "duplicate",
        why: "project_release.md says it already; the pin of this one is not taken over",
      },
    ]);
  });

  it("adds the lines that a note of the same name lacks", async () => {
    const { take, memdir, root } = world({
      "old/release.md":
        "---\nname: release\ndescription: How releases go\ntype: project\n---\n\nann cuts releases.\nThe freeze is on Thursdays.\n",
      "old/tabs.md":
        "---\nname: tabs\ndescription: Indent with tabs\nmetadata:\n  type: feedback\n  pinned: true\n---\n\nIndent with tabs.\n",
    });
    await memdir("remember", "ann cuts releases.\nbob writes the notes.", "--name", "release");
    const { out } = await memdir("import", "claude-code", `${root}/old`, "--dry-run");
    expect(out).toContain("  merge    project  How releases go (1 line into project_release.md)\n");
    expect(out).toContain("  add      feedback  Indent with tabs (pinned)\n");
    expect(await take("claude-code", `${root}/old`, "--yes")).toMatchObject({
      plan: [{ action: "merge", lines: 1 }, { action: "add" }],
      imported: [
        { action: "merge", file: "project_release.md" },
        { action: "add", file: "feedback_tabs.md" },
      ],
    });
    expect((await memdir("show", "release")).out).toContain(
      "ann cuts releases.\nbob writes the notes.\nThe freeze is on Thursdays.",
    );
  });

  it("adds nothing the second time, not even to a note that was edited since, and never touches the source", async () => {
    const { take, memdir, root } = world({
      "claw/MEMORY.md": "# People\n\njane reviews every migration.\n\n# Places\n\nThe office is in Brno.\n",
    });
    const before = filesBelow(`${root}/claw`);
    expect((await take("openclaw", `${root}/claw`, "--yes")).imported).toHaveLength(2);
    await memdir("edit", "People", "--body", "bob reviews migrations.");
    const again = await take("openclaw", `${root}/claw`, "--yes");
    expect(again.imported).toEqual([]);
    expect(again.plan.map(({ reason }: Step) => reason)).toEqual(["known", "known"]);
    expect(filesBelow(`${root}/claw`)).toEqual(before);
  });

  it("names every line, entity and file that it passes over, with the reason", async () => {
    const { memdir, take, root } = world({
      "m.jsonl": `{"type":"entity","name":"Alice","observations":["owns billing",7]}\n{broken\n\n[1]\n{"type":"entity","name":"Bob","observations":[]}\n{"type":"relation","from":"Nobody","to":"Alice"}\n{"type":"thing"}\nalso broken\n`,
      "old/MEMORY.md": "# Index\n- [Tabs](tabs.md)\nAsk ann first.\n",
      "old/tabs.md": "Tabs are eight wide.\n",
      "old/empty.md": "\n",
      "old/notes.txt": "x",
      "old/.hidden/a.md": "y",
      "old/gone.md": "---\nname: gone\nmetadata:\n  supersededBy: tabs.md\n---\n\nTabs are four wide.\n",
      "home/.codex/memories/MEMORY.md": "# T\n\nNever mock.\n",
      "home/.codex/memories/memory_summary.md": "Never mock.\n",
      "claw/MEMORY.md": "# People\n\njane reviews.\n",
      "claw/SOUL.md": "Be nice.\n",
      "basic/a.md": "# A\n\n- [x] fact\n",
      "basic/b.md": "---\ntitle: B\n---\n",
    });
    const { out } = await memdir("import", "server-memory", `${root}/m.jsonl`, "--dry-run");
    expect(out).toContain("1 to add, 0 to merge, 0 refused, 7 skipped");
    expect(out).toContain("skipped  m.jsonl, lines 2, 8: not JSON");
    expect(out).toContain("skipped  m.jsonl, line 4: not a JSON object");
    expect((await take("server-memory", `${root}/m.jsonl`)).skipped).toContainEqual({
      path: "m.jsonl",
      line: 6,
      why: "a relation from an entity that is not there",
    });
    const skippedOf = async (...argv: string[]): Promise<readonly string[]> =>
      (await take(...argv)).skipped.map(({ path: file, why }: { path: string; why: string }) => `${file}: ${why}`);
    expect((await skippedOf("claude-code", `${root}/old`)).toSorted()).toEqual([
      ".hidden: hidden",
      "MEMORY.md: 1 line of the index that names no note",
      "empty.md: there are no words in it",
      "gone.md: another note superseded it",
      "notes.txt: not a Markdown file",
    ]);
    expect(await skippedOf("codex")).toEqual(["memory_summary.md: made by Codex from the files that are read"]);
    expect(await skippedOf("openclaw", `${root}/claw`)).toEqual(["SOUL.md: neither MEMORY.md nor in memory/"]);
    expect(await skippedOf("basic-memory", `${root}/basic`)).toEqual(["b.md: there are no words in it"]);
    expect((await memdir("import", "basic-memory", `${root}/home`)).err).toMatch(
      /1 file there was not read, \.codex: hidden/u,
    );
  });

  it("shows the first twenty of what it passes over, and says where the rest is told", async () => {
    const { memdir, take, root } = world({
      "claw/MEMORY.md": "The importer listens on port 8080.\n",
      ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`claw/${String(index)}.js`, "x"])),
    });
    const { out } = await memdir("import", "openclaw", `${root}/claw`, "--dry-run");
    expect(out).toContain("30 skipped\n");
    expect(out.match(/skipped {2}/gu)).toHaveLength(20);
    expect(out).toContain("and 10 more; --json lists all\n");
    expect((await take("openclaw", `${root}/claw`, "--dry-run")).skipped).toHaveLength(30);
  });

  it("shows the plan first, asks, and does nothing unless told to", async () => {
    const { memdir, root, cwd, environment } = world({ "claw/MEMORY.md": "jane reviews every migration.\n" });
    expect((await memdir("import", "openclaw", `${root}/claw`, "--dry-run")).out).toContain(
      "1 to add, 0 to merge, 0 refused",
    );
    expect((await memdir("import", "openclaw", `${root}/claw`)).err).toContain("nothing was imported");
    expect((await memdir("list")).out).toContain("no notes yet");
    expect((await cli(["import", "openclaw", `${root}/claw`], { cwd, environment, answer: true })).out).toContain(
      "imported 1 note",
    );
    expect((await memdir("import", "something")).code).toBe(2);
    expect((await memdir("import", "openclaw")).code).toBe(2);
    expect((await memdir("import", "codex")).code).toBe(3);
    expect(
      (await cli(["import", "openclaw", `${root}/claw`], { cwd, environment: { ...environment, MEMDIR_MODE: "off" } }))
        .code,
    ).toBe(4);
  });

  it("asks nothing and imports nothing where all is refused or known", async () => {
    const { root, cwd, environment, memdir } = world({ "claw/MEMORY.md": "jane reviews every migration.\n" });
    await memdir("import", "openclaw", `${root}/claw`, "--yes");
    const again = ["import", "openclaw", `${root}/claw`];
    expect(await memdir(...again)).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("1 refused\n  refused"),
    });
    const { out } = await cli(again, { cwd, environment, answer: true });
    expect(out).not.toContain("imported 0 notes");
    expect(out).toMatch(/refused {2}.*: imported already/u);
  });

  it("understands any text of any kind without throwing", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(
          fc.constantFrom(
            "---\n",
            "# A\n",
            "## Gemini Added Memories\n",
            "- x\n",
            "```\n",
            '{"type":"entity","name":"a","observations":[1,"b",{}]}\n',
            "title: [\n",
          ),
        )
        .map((all) => all.join("")),
    );
    let found = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...IMPORT_KINDS),
        fc.constantFrom("MEMORY.md", "GEMINI.md", "a/b.md", "x.jsonl"),
        text,
        (kind, file, content) => {
          for (const one of candidatesIn(kind, [{ path: file, text: content }], yamlFrontmatter).candidates) {
            found++;
            expect(one.body.trim()).not.toBe("");
          }
        },
      ),
    );
    expect(found).toBeGreaterThan(0);
  });
});
