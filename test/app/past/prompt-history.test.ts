import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { expandPrompt, listPrompts, rememberPrompts, trimPrompts } from "../../../src/app/past/prompt-history.ts";
import { expandPastes, foldPastes } from "../../../src/core/prompts/history-line.ts";
import { cli } from "../../support/cli.ts";
import { PLANTED_SECRETS } from "../../support/planted-secrets.ts";
import { scratch } from "../../support/scratch.ts";

function world(mode?: string) {
  const root = scratch();
  const cwd = `${root}/shop`;
  fs.mkdirSync(cwd);
  const environment = { HOME: `${root}/home`, MEMDIR_MODE: mode, PATH: process.env["PATH"] };
  const locations = locate({ cwd, environment });
  const ask = (prompt: string, at = 0) =>
    rememberPrompts(locations, [
      { prompt, session: "s", agent: "codex", timeMs: Date.parse("2026-03-10T10:00:00Z") + at * 1000 },
    ])[0];
  return { root, cwd, environment, locations, ask, home: locations.memdirHome };
}

describe("the history of prompts", () => {
  it("gives prompts back newest first, those of this project alone unless all are asked for", () => {
    const { ask, locations, root, environment } = world();
    ask("first", 1);
    ask("second", 2);
    fs.mkdirSync(`${root}/other`);
    rememberPrompts(locate({ cwd: `${root}/other`, environment }), [
      { prompt: "elsewhere", session: undefined, agent: undefined },
    ]);
    expect(listPrompts(locations).map(({ prompt }) => prompt)).toEqual(["second", "first"]);
    expect(listPrompts(locations, { all: true }).map(({ prompt }) => prompt)).toContain("elsewhere");
    expect(listPrompts(locations, { limit: 1 })).toHaveLength(1);
  });

  it("keeps long pastes apart under the hash of their content and expands them", () => {
    const { ask, locations, home } = world();
    const paste = `${"line of a log\n".repeat(100)}end`;
    expect(ask(`Why does this fail?\n${paste}`)).toEqual({ kept: true });
    ask(`And this?\n${paste}`, 1);
    const [, first] = listPrompts(locations);
    expect(first?.prompt).toBe("Why does this fail?\n[Pasted text #1 +100 lines]");
    expect(fs.readdirSync(`${home}/pastes`)).toEqual([first?.pastes[0]?.sha256]);
    expect(first && expandPrompt(locations, first)).toBe(`Why does this fail?\n${paste}`);
  });

  it.each(PLANTED_SECRETS)("keeps neither a prompt nor a paste with a secret: $name", ({ text }) => {
    const { ask, home } = world();
    expect(ask(text)).toMatchObject({ kept: false, reason: "secret" });
    expect(ask(`Why?\n${"line of a log\n".repeat(100)}${text}\n${"line of a log\n".repeat(100)}`)).toMatchObject({
      kept: false,
      reason: "secret",
    });
    expect(fs.existsSync(home)).toBe(false);
    expect(ask("A prompt without one")).toEqual({ kept: true });
  });

  it("keeps no prompt with a secret, and nothing where the mode forbids it", () => {
    const { ask, home } = world();
    expect(ask(`use ${["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_")}`)).toMatchObject({
      kept: false,
      reason: "secret",
    });
    expect(ask("<memdir-context>recalled</memdir-context>")).toEqual({ kept: false, reason: "empty" });
    expect(fs.existsSync(home)).toBe(false);
    for (const mode of ["off", "recall-only"]) {
      const other = world(mode);
      expect(other.ask("hello")).toEqual({ kept: false, reason: "mode" });
      expect(fs.existsSync(other.home)).toBe(false);
    }
  });

  it("reads what Claude Code keeps, without its commands and without secrets", () => {
    const { locations, cwd } = world();
    fs.mkdirSync(locations.configDirectory, { recursive: true });
    const entry = (display: string, timestamp: number, pastedContents = {}): string =>
      `${JSON.stringify({ display, pastedContents, timestamp, project: cwd, sessionId: "c" })}\n`;
    const token = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");
    fs.writeFileSync(
      `${locations.configDirectory}/history.jsonl`,
      entry("/clear", 1) +
        entry("see [Pasted text #1 +1 lines]", 2, { 1: { type: "text", content: "a\nb" } }) +
        entry(`use ${token}`, 3) +
        "{half",
    );
    const shown = listPrompts(locations).map(({ prompt }) => prompt);
    expect(shown[1]).toBe("see a\nb");
    expect(shown[0]).toMatch(/^use •+$/u);
    expect(shown).toHaveLength(2);
  });

  it("lets the oldest go, with their pastes, and no line that comes meanwhile", () => {
    const { ask, locations, home } = world();
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(`${home}/settings.json`, '{"promptsKept": 2}');
    ask(`old\n${"x\n".repeat(600)}`, 0);
    for (const n of [1, 2, 3]) ask(`prompt ${n}`, n);
    expect(listPrompts(locations).map(({ prompt }) => prompt)).toEqual(["prompt 3", "prompt 2"]);
    expect(fs.readFileSync(`${home}/history.jsonl`, "utf8").trim().split("\n")).toHaveLength(2);
    trimPrompts(locations, Date.now() + 7_200_000);
    expect(fs.readdirSync(`${home}/pastes`)).toEqual([]);
    // A trim that was killed left the old file: nothing is lost, and the next one ends it.
    fs.renameSync(`${home}/history.jsonl`, `${home}/history.jsonl.old`);
    ask("prompt 4", 4);
    expect(listPrompts(locations).map(({ prompt }) => prompt)).toEqual(["prompt 4", "prompt 3"]);
    trimPrompts(locations);
    expect(fs.existsSync(`${home}/history.jsonl.old`)).toBe(false);
    expect(listPrompts(locations).map(({ prompt }) => prompt)).toEqual(["prompt 4", "prompt 3"]);
  });

  it("holds no more than the last of each project on disk, though nobody lists them", () => {
    const { ask, locations, home, root, environment } = world();
    for (let n = 0; n < 130; n++) ask(`prompt ${n}`, n);
    fs.mkdirSync(`${root}/other`);
    const others = locate({ cwd: `${root}/other`, environment });
    rememberPrompts(
      others,
      Array.from({ length: 150 }, (_, n) => ({ prompt: `other ${n}`, session: "o", agent: "codex", timeMs: n + 1 })),
    );
    const lines = fs.readFileSync(`${home}/history.jsonl`, "utf8").trim().split("\n");
    expect(lines).toHaveLength(200);
    expect(listPrompts(locations).at(-1)?.prompt).toBe("prompt 30");
    expect(listPrompts(others).at(-1)?.prompt).toBe("other 50");
  });

  it("lets pastes go that nothing names any more with the next prompt, not those of an hour", () => {
    const { ask, home } = world();
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(`${home}/settings.json`, '{"promptsKept": 1}');
    const pastes = (): number => fs.readdirSync(`${home}/pastes`).length;
    ask(`old\n${"x\n".repeat(600)}`, 0);
    ask(`new\n${"y\n".repeat(600)}`, 1);
    expect(pastes()).toBe(2);
    const long = new Date(Date.now() - 3_700_000);
    for (const name of fs.readdirSync(`${home}/pastes`)) fs.utimesSync(`${home}/pastes/${name}`, long, long);
    ask("", 2);
    expect(pastes()).toBe(1);
    ask("last", 3);
    expect(pastes()).toBe(0);
  });

  it("keeps none when told so, nor what it kept before", () => {
    const { ask, home } = world();
    ask(`before\n${"x\n".repeat(600)}`);
    fs.writeFileSync(`${home}/settings.json`, '{"promptsKept": 0}');
    expect(ask("hello")).toEqual({ kept: false, reason: "no-history" });
    expect(fs.readFileSync(`${home}/history.jsonl`, "utf8")).toBe("");
  });

  it("is printed by memdir prompts", async () => {
    const { ask, cwd, environment } = world();
    ask(`Explain\n${"x\n".repeat(600)}`);
    expect((await cli(["prompts"], { cwd, environment })).out).toContain(
      "2026-03-10 10:00  codex  Explain [Pasted text #1 +599 lines]",
    );
    expect((await cli(["prompts", "--expand", "--json"], { cwd, environment })).out).toContain("x\\nx");
    expect((await cli(["prompts", "--limit", "0"], { cwd, environment })).code).toBe(2);
  });
});

it("a folded prompt expands to itself", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constant("```\n"),
    fc.constant("\n"),
    fc.constant("x".repeat(600)),
    fc.constant(`\`\`\`js\n${"code;\n".repeat(300)}\`\`\`\n`),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
      (prompt) => {
        fc.pre(!prompt.includes("[Pasted text"));
        const { shown, pastes } = foldPastes(prompt);
        expect(expandPastes(shown, (number) => pastes[number - 1]?.text)).toBe(prompt);
        expect(shown.length).toBeLessThanOrEqual(1_024 + 60);
      },
    ),
  );
});
