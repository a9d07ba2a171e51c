import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { propose } from "../../../src/app/capture/review.ts";
import { sortOperations } from "../../../src/app/capture/capture-modes.ts";
import { cli, type CliOptions, type CliResult, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

let root: string;

beforeEach(() => {
  root = scratch();
});

const SQUASH = "From now on always squash merges, because the history gets unreadable otherwise.";
const FREEZE = "Remember that the merge freeze starts on 2026-04-02 for the mobile release.";

function memdir(argv: readonly string[], options: CliOptions = {}, mode = "confirm"): Promise<CliResult> {
  return cli([...argv, "--dir", `${root}/notes`], {
    ...options,
    environment: { ...emptyHome(root), MEMDIR_MODE: mode },
  });
}

function session(...texts: readonly string[]): string {
  const lines = texts.map((text, index) =>
    JSON.stringify({
      type: "user",
      uuid: `m${index}`,
      sessionId: "s1",
      timestamp: "2026-03-02T09:00:00Z",
      promptSource: "typed",
      message: { role: "user", content: text },
    }),
  );
  fs.writeFileSync(`${root}/session.jsonl`, lines.join("\n"));
  return `${root}/session.jsonl`;
}

async function waiting(): Promise<readonly { id: string; text: string; quote: string; kind: string }[]> {
  return JSON.parse((await memdir(["review", "--json"])).out).waiting;
}

async function idOf(words: string): Promise<string> {
  return (await waiting()).find(({ text }) => text.includes(words))?.id ?? "none";
}

describe("confirm mode", () => {
  it("lets what capture finds wait with its evidence, once, and writes nothing", async () => {
    const out = (await memdir(["capture", session(SQUASH, FREEZE)])).out;
    expect(out).toContain("2 wait for `memdir review`");
    await memdir(["capture", `${root}/session.jsonl`]);
    expect(await waiting()).toMatchObject([{ kind: "create", evidence: { session: "s1" } }, { kind: "create" }]);
    expect((await waiting()).map(({ quote }) => quote)).toEqual(expect.arrayContaining([SQUASH]));
    expect(fs.existsSync(`${root}/notes`)).toBe(false);
    expect((await memdir(["status"])).out).toContain("2 notes wait for you: `memdir review`");
    expect((await memdir(["review", "--list"])).out).toContain(`you said: "From now on`);
  });

  it("shows in a dry run what would wait", async () => {
    expect((await memdir(["capture", session(SQUASH), "--dry-run"])).out).toContain("1 would wait");
    expect(await waiting()).toEqual([]);
  });

  it("keeps no secret in the queue", async () => {
    const secret = ["gh", "p_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("");
    await memdir(["capture", session(`From now on always use the token ${secret} for pushes.`, SQUASH)]);
    for (const [name, content] of filesBelow(`${root}/home`)) expect(content.includes(secret), name).toBe(false);
    expect(await waiting()).toHaveLength(1);
  });
});

describe("memdir review", () => {
  it("writes what is accepted, and what is rejected does not come back", async () => {
    await memdir(["capture", session(SQUASH, FREEZE)]);
    expect(await memdir(["review", "accept", await idOf("quash")])).toMatchObject({
      code: 0,
      out: expect.stringContaining("accepted: feedback_"),
    });
    expect((await memdir(["review", "reject", await idOf("freeze")])).code).toBe(0);
    expect((await memdir(["list"])).out).toMatch(/squash/iu);
    expect((await memdir(["capture", `${root}/session.jsonl`])).out).toContain("rejected-before");
    expect(await waiting()).toEqual([]);
    expect(await memdir(["review", "accept", "ffff"])).toMatchObject({ code: 3 });
  });

  it("does not apply an entry whose note was changed since, and says so", async () => {
    await memdir(["remember", "Builds run on the old runner.", "--name", "runner"], {}, "auto");
    await queueRevision("The builds run on the new runner.");
    fs.appendFileSync(`${root}/notes/project_runner.md`, "By hand.\n");
    expect(await memdir(["review", "accept", "--all"])).toMatchObject({
      code: 5,
      out: expect.stringContaining("project_runner.md was changed since"),
    });
    expect(fs.readFileSync(`${root}/notes/project_runner.md`, "utf8")).toContain("By hand.");
    expect((await memdir(["review", "--list"])).out).toContain("stale");
  });

  it("adds nothing when a kill came between writing the note and leaving the queue", async () => {
    await memdir(["capture", session(SQUASH)]);
    const [[name, entry] = ["", ""]] = [...filesBelow(`${root}/home`)].filter(([file]) =>
      /proposals.[0-9a-f]{8}\.json$/u.test(file),
    );
    await memdir(["review", "accept", "--all"]);
    fs.writeFileSync(`${root}/home/${name}`, entry);
    expect(await memdir(["review", "accept", "--all"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("already saved"),
    });
    expect([(await waiting()).length, JSON.parse((await memdir(["list", "--json"])).out).notes.length]).toEqual([0, 1]);
  });

  it("goes through the queue on a terminal: edit, accept, skip, quit", async () => {
    await memdir(["capture", session(SQUASH, FREEZE)]);
    const done = await memdir(["review"], {
      typed: ["e", "a", "x", "q"],
      edit: (text) => text.replace("unreadable", "illegible").replace("freeze", "frost"),
    });
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringMatching(/edited; it still waits[\s\S]*accepted:[\s\S]*unknown answer[\s\S]*1 note waits/u),
    });
    expect([...filesBelow(`${root}/notes`)].some(([, bytes]) => /illegible|frost/u.test(bytes.toString()))).toBe(true);
    expect(await memdir(["review"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--list") });
  });

  it("refuses a secret that is put in by editing", async () => {
    await memdir(["capture", session(SQUASH)]);
    const secret = ["gh", "p_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("");
    const [entry] = await waiting();
    expect(await memdir(["review", "edit", entry?.id ?? ""], { edit: (text) => `${text}\n${secret}\n` })).toMatchObject(
      { code: 4 },
    );
    expect(JSON.stringify(await waiting())).not.toContain(secret);
  });

  it("remembers always and never, lists both, and forgets them when told to", async () => {
    await memdir(["capture", session(SQUASH)]);
    expect((await memdir(["review", "accept", "--all", "--always"])).out).toContain(
      "from now on: always create a feedback note",
    );
    await memdir(["capture", session("From now on always rebase onto main before you push anything.")]);
    expect([(await waiting()).length, (await memdir(["list"])).out.includes("rebase")]).toEqual([0, true]);
    const [rule] = JSON.parse((await memdir(["review", "--rules", "--json"])).out).rules;
    expect((await memdir(["review", "drop-rule", rule.id])).code).toBe(0);
    await memdir(["capture", session("From now on always run the linter before each commit.")]);
    await memdir(["review", "reject", "--all", "--never"]);
    expect(
      (await memdir(["capture", session("From now on always sign your commits with the release key.")], {}, "auto"))
        .out,
    ).toContain("never-like-this");
  });

  it("never applies a doubtful operation by itself, not even in auto mode with a rule", async () => {
    await memdir(["remember", "Builds run on the old runner.", "--name", "runner"], {}, "auto");
    await queueRevision("The builds run on the new runner.", "auto");
    expect(fs.readFileSync(`${root}/notes/project_runner.md`, "utf8")).toContain("old runner");
    expect(await memdir(["review", "accept", "--all", "--always"], {}, "auto")).toMatchObject({
      code: 5,
      out: expect.stringContaining("always wait for you"),
    });
    expect((await memdir(["review", "accept", "--all"], {}, "auto")).code).toBe(0);
    expect(fs.readFileSync(`${root}/notes/project_runner.md`, "utf8")).toContain("new runner");
  });

  it("drops from the queue what would change a note that is forgotten", async () => {
    await memdir(["remember", "Builds run on the old runner.", "--name", "runner"], {}, "auto");
    await queueRevision("The builds run on the new runner.");
    await memdir(["forget", "runner", "--yes"]);
    expect(await waiting()).toEqual([]);
  });
});

/** What a capture that is unsure of a contradiction does. */
async function queueRevision(body: string, mode = "confirm"): Promise<void> {
  const workspace = openWorkspace(
    locate({ dir: `${root}/notes`, environment: { ...emptyHome(root), MEMDIR_MODE: mode } }),
  );
  const evidence = { session: "s9", message: "m1" };
  const operation = {
    kind: "revise",
    file: "project:project_runner.md",
    draft: { type: "project", name: "runner", description: "The new runner", body, evidence },
  } as const;
  const transcript = {
    agent: "test",
    session: "s9",
    cwd: undefined,
    turns: [{ role: "user", id: "m1", text: `No, ${body}`, time: undefined, toolCalls: [] }],
    toolTexts: [],
    problems: [],
  } as const;
  const sorted = sortOperations(
    workspace,
    transcript,
    { operations: [], proposed: [{ operation, reason: "contradicts a note, but the subject is unsure" }] },
    "itself",
  );
  await propose(workspace, transcript, sorted.propose, { by: "rules", dryRun: false });
  workspace.close();
}
