import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { slugOf } from "../../../src/core/notes/names.ts";
import { cli, emptyHome, homeOf, type CliResult } from "../../support/cli.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";
import { scratch } from "../../support/scratch.ts";
import { sessionFile } from "../../support/session-file.ts";

let root: string;
let project: string;

beforeEach(() => {
  root = scratch();
  project = `${homeOf(root)}/app`;
  fs.mkdirSync(`${project}/.git`, { recursive: true });
  fs.mkdirSync(`${project}/web`);
  fs.mkdirSync(`${homeOf(root)}/app-two/.git`, { recursive: true });
});

function kept(cwd: string, session: string): ReturnType<typeof sessionFile> {
  const directory = `${homeOf(root)}/.claude/projects/${slugOf(cwd)}`;
  fs.mkdirSync(directory, { recursive: true });
  return sessionFile(`${directory}/${session}.jsonl`, session, cwd);
}

const memdir = (
  argv: readonly string[],
  options: { readonly answer?: boolean; readonly url?: string } = {},
): Promise<CliResult> =>
  cli(argv, {
    cwd: project,
    environment: {
      ...emptyHome(root),
      ...(options.url === undefined ? {} : { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: options.url }),
    },
    ...(options.answer === undefined ? {} : { answer: options.answer }),
  });

describe("capture of many sessions", () => {
  it("takes every session of this project, its directories' too and no neighbour's, and each once", async () => {
    kept(project, "s1").say("From now on always squash the commits of a branch before merging");
    kept(`${project}/web`, "s2").say("From now on always name the issue in the first line of a commit");
    kept(`${homeOf(root)}/app-two`, "s3").say("From now on always use spaces for indentation in this repository");
    const first = await memdir(["capture", "--all", "--json"]);
    expect(JSON.parse(first.out)).toMatchObject({
      sessions: 2,
      turns: 4,
      failed: [],
      notes: [{ kind: "create" }, { kind: "create" }],
    });
    expect(first.err).toMatch(/1 of 2 s\d\.jsonl: 2 turns, 1 note\n/u);
    expect(JSON.parse((await memdir(["capture", "--all", "--json"])).out)).toMatchObject({
      turns: 0,
      notes: [],
      refused: [],
    });
    expect(JSON.parse((await memdir(["capture", "--all", "--again", "--json"])).out)).toMatchObject({
      turns: 4,
      notes: [],
    });
  });

  it("says which sessions under this project's name it passed over, and why", async () => {
    kept(project, "s1").say("From now on always squash the commits of a branch before merging");
    sessionFile(`${homeOf(root)}/.claude/projects/${slugOf(project)}/s9.jsonl`, "s9", `${homeOf(root)}/app-two`).say(
      "From now on always use spaces",
    );
    const { err, out } = await memdir(["capture", "--all", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ sessions: 1 });
    expect(err).toContain(
      `1 session kept under this project's name was skipped, because they began in another directory (${homeOf(root)}/app-two)`,
    );
  });

  it("takes the sessions of a worktree, wherever it stands", async () => {
    const git = (...args: readonly string[]): unknown =>
      execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=", ...args], { cwd: project, stdio: "ignore" });
    fs.rmSync(`${project}/.git`, { recursive: true });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    git("worktree", "add", "-q", `${homeOf(root)}/elsewhere`);
    kept(`${homeOf(root)}/elsewhere`, "s1").say("From now on always squash the commits of a branch before merging");
    expect(JSON.parse((await memdir(["capture", "--all", "--json"])).out)).toMatchObject({ sessions: 1, turns: 2 });
  });

  it("writes nothing in a dry run, no cursor either, and goes on past a file that is none", async () => {
    kept(project, "s1").say("From now on always squash the commits of a branch before merging");
    fs.writeFileSync(`${homeOf(root)}/.claude/projects/${slugOf(project)}/bad.jsonl`, "no transcript\n");
    const directory = `${homeOf(root)}/.claude/projects/${slugOf(project)}`;
    for (let twice = 0; twice < 2; twice++) {
      const { code, out } = await memdir(["capture", directory, "--dry-run", "--json"]);
      expect([code, JSON.parse(out)]).toMatchObject([
        1,
        { turns: 2, failed: [{ message: expect.stringContaining("not a transcript of") }] },
      ]);
    }
    expect(fs.existsSync(`${homeOf(root)}/.memdir/captures`)).toBe(false);
  });

  it("says what a model would cost and asks before it spends", async () => {
    const provider = await fakeProvider(
      json({
        content: [{ type: "text", text: JSON.stringify({ look: [], operations: [] }) }],
        stop_reason: "end_turn",
        usage: { input_tokens: 900, output_tokens: 40 },
      }),
    );
    const session = kept(project, "s1");
    for (let turn = 0; turn < 40; turn++) session.say(`${turn} ${"a long story ".repeat(300)}`);
    const declined = await memdir(["capture", "--all", "--model"], { answer: false, url: provider.url });
    expect([declined.code, provider.requests.length]).toEqual([4, 0]);
    expect(declined.err).toMatch(
      /1 session: at least [3-9] requests, about \d+ tokens in and \d+ out, about \$0\.\d+/u,
    );
    expect((await memdir(["capture", "--all", "--model"], { url: provider.url })).code).toBe(2);
    const estimated = Number(/at least (\d+)/u.exec(declined.err)?.[1]);
    expect((await memdir(["capture", "--all", "--model", "--yes"], { url: provider.url })).code).toBe(0);
    expect(provider.requests).toHaveLength(estimated);
    const sent = provider.requests.map(({ body }) => JSON.stringify(body)).join("");
    for (let turn = 0; turn < 40; turn++) expect(sent, `turn ${turn}`).toContain(`${turn} a long story`);
    expect(sent).not.toContain("earlier messages are left out");
  });
});
