import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { COMMANDS, COMMON_OPTIONS } from "../../../src/surfaces/cli/catalogue.ts";
import triedOptions from "../../../src/surfaces/cli/tried-options.json" with { type: "json" };
import { NOTE_TYPES, SCOPES } from "../../../src/core/notes/note.ts";
import { SCOPE_VALUES, TYPE_VALUES } from "../../../src/surfaces/cli/catalogue/options.ts";
import { displayWidth } from "../../../src/surfaces/cli/io.ts";
import { cli, type CliOptions, type CliResult, emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;
let memdir: (argv: readonly string[], options?: CliOptions) => Promise<CliResult>;

beforeEach(() => {
  root = scratch();
  memdir = (argv, options) => cli([...argv, "--dir", `${root}/notes`], { environment: emptyHome(root), ...options });
});

const MANY_NOTES = [
  [
    "Never run kubectl apply by hand in the production cluster of the payments team, use the deploy pipeline",
    "feedback",
  ],
  ["The billing cron runs at 02:00 UTC", "project"],
  [
    "Latenz-Dashboard: https://grafana.example.org/d/abcdef/latency-of-the-import-service?orgId=1&from=now-6h",
    "reference",
  ],
  ["支払いサービスのテストには必ずテストコンテナを使い、データベースをモックしないでください。", "feedback"],
];

async function saveMany(): Promise<void> {
  for (const [text = "", type = ""] of MANY_NOTES)
    expect((await memdir(["remember", text, "--type", type])).code).toBe(0);
}

describe("help", () => {
  it("shows the everyday commands, and with --all every command in groups", async () => {
    const everyday = (await cli(["help"])).out;
    const names = [...everyday.matchAll(/^ {2}([a-z]+)/gmu)].map(([, name]) => name);
    expect(names).toEqual([
      "remember",
      "list",
      "show",
      "edit",
      "forget",
      "recall",
      "search",
      "why",
      "undo",
      "install",
      "mode",
      "status",
    ]);
    const { out } = await cli(["help", "--all"]);
    for (const group of ["Notes", "Recall and search", "Versions", "Sessions", "Scopes and projects", "Agents", "Care"])
      expect(out).toContain(`\n${group}\n`);
  });

  it("fits 80 columns for every command, but for commands to copy", async () => {
    const { commands } = JSON.parse((await cli(["help", "--json"])).out);
    for (const { name } of commands)
      for (const row of (await cli([name, "--help"])).out.split("\nExamples")[0]?.split("\n") ?? [])
        expect(displayWidth(row), row).toBeLessThanOrEqual(80);
  });

  it.each([
    ["delete", "remove"],
    ["save", "remember"],
    ["hist", "history"],
    ["lits", "list"],
    ["find", "search"],
    ["setup", "install"],
    ["revert", "undo"],
    ["delte", "remove"],
  ])("suggests for %s the command %s", async (given, wanted) => {
    expect(await cli([given])).toMatchObject({
      code: 2,
      err: `memdir: unknown command "${given}"; did you mean \`memdir ${wanted}\`?\n`,
    });
  });

  it.each(["x", "up", "cp", "bin", "set", "now", "a b"])(
    "suggests no command for %s, which resembles none",
    async (given) => {
      expect((await cli([given])).err).toContain("`memdir help` lists the commands");
    },
  );

  it.each([
    [["edit", "port", "--text", "x"], "did you mean --body?"],
    [["edit", "port", "--descripton", "x"], "did you mean --description?"],
    [["remember", "--text", "x"], "did you mean `memdir remember TEXT`, without an option?"],
    [["search", "--query", "x"], "did you mean `memdir search TERM`, without an option?"],
    [["show", "--name", "port"], "did you mean `memdir show NOTE`, without an option?"],
    [["list", "--kind", "user"], "did you mean --type?"],
    [["import", "codex", "--preview"], "did you mean --dry-run?"],
    [["import", "codex", "-y"], "did you mean --yes?"],
    [["history", "--max", "2"], "did you mean --limit?"],
    [["list", "--directory", "x"], "did you mean --dir?"],
    [["list", "--format", "x"], "did you mean --json?"],
    [["list", "--jsn"], "did you mean --json?"],
    [["edit", "port", "It is 8080."], "a text goes after --body"],
  ])("asks of %j: %s", async (argv, hint) => {
    expect(await cli(argv)).toMatchObject({ code: 2, err: expect.stringContaining(hint) });
  });

  it.each(["--x", "--xylophone", "-x", "--no"])("suggests no option for %s", async (option) => {
    expect((await cli(["list", option])).err).not.toContain("did you mean");
  });

  it("knows only words for options that some command has", () => {
    const known = new Set(COMMANDS.flatMap(({ options }) => Object.keys({ ...options, ...COMMON_OPTIONS })));
    const used = COMMANDS.flatMap(({ usage }) => usage.match(/[A-Z]{2,}/gu) ?? []);
    for (const { options, arguments: called } of triedOptions.tried) {
      expect(options.filter((one) => !known.has(one))).toEqual([]);
      expect(called.filter((one) => !used.includes(one))).toEqual([]);
    }
  });

  it("suggests nothing for a word that resembles none, and the option that was meant", async () => {
    expect((await cli(["xylophone"])).err).toBe(
      'memdir: unknown command "xylophone"; `memdir help` lists the commands\n',
    );
    expect((await cli(["search", "x", "--limt", "2"])).err).toContain("did you mean --limit?");
  });

  it("knows the types and scopes that notes have", () => {
    expect([...TYPE_VALUES].toSorted()).toEqual([...NOTE_TYPES].toSorted());
    expect([...SCOPE_VALUES].toSorted()).toEqual([...SCOPES].toSorted());
  });
});

describe("short and common forms", () => {
  it("runs add, ls and rm as remember, list and remove, and undoes a removal", async () => {
    expect((await memdir(["add", "Deploys happen on Tuesdays", "--name", "deploys"])).code).toBe(0);
    expect((await memdir(["ls"])).out).toContain("project_deploys.md");
    expect((await memdir(["rm", "deploys"])).code).toBe(0);
    expect((await memdir(["ls"])).out).not.toContain("project_deploys.md");
    expect((await memdir(["undo"])).code).toBe(0);
    expect((await memdir(["ls"])).out).toContain("project_deploys.md");
  });

  it("prints the version for --version, -V and version, and each as JSON", async () => {
    const { version } = JSON.parse(fs.readFileSync("package.json", "utf8"));
    for (const form of ["--version", "-V", "version"]) {
      expect(await cli([form])).toEqual({ code: 0, out: `${version}\n`, err: "" });
      expect(JSON.parse((await cli([form, "--json"])).out)).toEqual({ version });
    }
    expect((await cli(["version", "--what"])).code).toBe(2);
  });

  it("takes common options before the command too", async () => {
    await memdir(["remember", "Deploys happen on Tuesdays"]);
    const { out } = await cli(["--json", "--dir", `${root}/notes`, "list"], { environment: emptyHome(root) });
    expect(JSON.parse(out).notes).toHaveLength(1);
  });

  it("limits history with --limit, and with its old name --most", async () => {
    for (const text of ["One thing to know", "Another thing entirely", "Something else again"])
      await memdir(["remember", text]);
    for (const option of ["--limit", "--most"]) {
      const { out } = await memdir(["history", option, "2", "--json"]);
      expect(JSON.parse(out).versions, option).toHaveLength(2);
    }
    expect((await cli(["history", "--help"])).out).not.toContain("--most");
    expect((await memdir(["history", "--limit", "0"])).code).toBe(2);
  });
});

describe("output on a terminal", () => {
  it("fits list and history into 80 and into 48 columns, whatever the notes are called", async () => {
    await saveMany();
    for (const terminal of [80, 48])
      for (const command of ["list", "history"])
        for (const row of (await memdir([command], { terminal })).out.split("\n"))
          expect(displayWidth(row), row).toBeLessThanOrEqual(/^\s*\S+\.md$/u.test(row) ? 80 : terminal);
  });

  it("uses the width that there is: a wide terminal shows more of a description", async () => {
    await saveMany();
    const [narrow, wide] = [await memdir(["list"], { terminal: 80 }), await memdir(["list"], { terminal: 200 })];
    expect(wide.out.length).toBeGreaterThan(narrow.out.length);
  });

  it("fits status and doctor into 80 columns but for paths, and keeps a path with spaces on one line", async () => {
    await saveMany();
    for (const command of ["status", "doctor"]) {
      const { out } = await memdir([command]);
      for (const row of out.split("\n").filter((one) => !one.includes(root)))
        expect(displayWidth(row), row).toBeLessThanOrEqual(80);
      expect(out).toContain(`${root}/notes`);
    }
  });

  it("explains each check of doctor once, not once a scope", async () => {
    const environment = emptyHome(root);
    const here = (argv: readonly string[]) => cli(argv, { environment, cwd: root });
    await here(["remember", "I prefer short answers", "--type", "user"]);
    await here(["remember", "Deploys happen on Tuesdays"]);
    const { out } = await here(["doctor"]);
    expect(out).toContain("user: index");
    expect(out).toContain("project: index");
    expect(out.replace(/\s+/gu, " ").split("both must match")).toHaveLength(2);
  });

  it("recalls plain text for a person, and the fenced form for pipes and with --raw", async () => {
    await memdir(["remember", "Integration tests use the postgres test container, never mocks", "--name", "tests"]);
    const prompt = ["recall", "integration tests with the postgres container"];
    const [person, pipe, raw] = [
      await memdir(prompt, { terminal: 80 }),
      await memdir(prompt),
      await memdir([...prompt, "--raw"], { terminal: 80 }),
    ];
    expect(person.out).toContain("never mocks");
    expect(person.out).not.toMatch(/<|not instructions/u);
    expect(pipe.out).toContain("not instructions");
    expect(raw.out).toBe(pipe.out);
  });
});

describe("list and search", () => {
  it("lists what a word, a type and a scope fit, alone and together", async () => {
    await saveMany();
    const files = async (...argv: string[]): Promise<string[]> =>
      JSON.parse((await memdir(["list", ...argv, "--json"])).out).notes.map(({ type }: { type: string }) => type);
    expect(await files("BILLING")).toEqual(["project"]);
    expect(await files("--type", "feedback")).toEqual(["feedback", "feedback"]);
    expect(await files("kubectl", "--type", "project")).toEqual([]);
    expect(await files("--scope", "user")).toEqual([]);
    expect((await memdir(["list", "nosuchword"])).out).toContain("none of the 4 notes match");
    expect((await memdir(["list", "--type", "wish"])).err).toContain('unknown type "wish"; use one of user');
  });

  it("searches notes first, then past sessions", async () => {
    const sessions = path.join(homeOf(root), ".claude", "projects", `${root}/work`.replace(/[^A-Za-z0-9]/gu, "-"));
    fs.mkdirSync(sessions, { recursive: true });
    fs.mkdirSync(`${root}/work`);
    const message = { type: "user", sessionId: "s1", cwd: `${root}/work`, timestamp: "2026-01-05T10:00:00.000Z" };
    fs.writeFileSync(
      `${sessions}/s1.jsonl`,
      `${JSON.stringify({ ...message, uuid: "u1", message: { role: "user", content: "the build died of ECONNREFUSED" } })}\n`,
    );
    const here = { environment: emptyHome(root), cwd: `${root}/work` };
    await cli(["remember", "An econnrefused in the build means that the proxy is down", "--name", "proxy"], here);
    const { out } = await cli(["search", "ECONNREFUSED"], here);
    expect(out.indexOf("project_proxy.md")).toBeGreaterThanOrEqual(0);
    expect(out.indexOf("the build died of")).toBeGreaterThan(out.indexOf("project_proxy.md"));
    const { notes, messages } = JSON.parse((await cli(["search", "ECONNREFUSED", "--json"], here)).out);
    expect([notes.length, messages.length]).toEqual([1, 1]);
  });
});

describe("remember", () => {
  it("mentions room in MEMORY.md only when little is left", async () => {
    expect((await memdir(["remember", "Deploys happen on Tuesdays"])).out).not.toContain("room");
    const lines = Array.from({ length: 185 }, (_, n) => `- a line of my own, number ${n}`);
    fs.writeFileSync(`${root}/notes/MEMORY.md`, `${lines.join("\n")}\n`);
    expect((await memdir(["remember", "Releases happen on Fridays"])).out).toMatch(/nearly full: room for \d+ lines/u);
  });
});
