import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";
import { type CliOptions, type CliResult, cli, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const TESTS = "write integration tests against postgres";

let root: string;
let environment: Record<string, string | undefined>;

beforeEach(async () => {
  root = scratch();
  environment = emptyHome(root);
  await memdir([
    "remember",
    "Integration tests use the postgres container, never mocks",
    "--name",
    "no-mocks",
    "--type",
    "feedback",
  ]);
  await memdir(["remember", "The merge freeze starts when mobile cuts the release branch", "--name", "merge-freeze"]);
});

function memdir(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return cli([...args, "--dir", `${root}/notes`], { environment, ...options });
}

function logFile(): string {
  const stores = path.join(root, "home", ".memdir", "stores");
  const [found] = fs.existsSync(stores)
    ? fs
        .readdirSync(stores, { recursive: true, encoding: "utf8" })
        .filter((file) => path.basename(file) === "recalls.jsonl")
    : [];
  return found === undefined ? "" : `${stores}/${found}`;
}

/** A long note that has many words, each by the way. */
function writeHandbook(): void {
  const chapters = Array.from(
    { length: 400 },
    (_, chapter) => `Chapter ${chapter} tells how a department once went about its business.`,
  ).join("\n");
  fs.writeFileSync(
    `${root}/notes/reference_handbook.md`,
    `---\nname: handbook\ndescription: The handbook of the house\nmetadata:\n  type: reference\n---\n\n${chapters}\nA queue is mentioned here.\n`,
  );
}

async function jsonOf(args: readonly string[], options: CliOptions = {}) {
  return JSON.parse((await memdir([...args, "--json"], options)).out);
}

describe("the log that recall writes", () => {
  it("has one line a recall, with the notes by name and hash, without their text and without secrets", async () => {
    const token = ["gh", "p_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("");
    await memdir(["recall", `${TESTS} with ${token}`, "--session", "s1"]);
    const text = fs.readFileSync(logFile(), "utf8");
    expect(text).not.toContain(token);
    expect(text).not.toContain("never mocks");
    expect(JSON.parse(text)).toMatchObject({
      session: "s1",
      project: `${root}/notes`,
      prompt: `${TESTS} with [redacted]`,
      selected: [{ scope: "project", file: "feedback_no_mocks.md", hash: expect.stringMatching(/^[0-9a-f]{64}$/u) }],
      by: "rules",
      notes: { project: 2 },
    });
  });

  it("is written for the library too, and never where memory must not write", async () => {
    const memory = openMemory({ dir: `${root}/notes`, environment });
    memory.recall(TESTS, { session: "library" });
    memory.close();
    expect(fs.readFileSync(logFile(), "utf8")).toContain('"session":"library"');
    fs.rmSync(logFile());
    for (const MEMDIR_MODE of ["off", "recall-only"])
      await memdir(["recall", TESTS], { environment: { ...environment, MEMDIR_MODE } });
    await memdir(["recall", TESTS], { environment: { ...environment, MEMDIR_RECALL_LOG: "off" } });
    expect(logFile()).toBe("");
  });

  it("keeps only a hash of prompts where that is asked for, and says so", async () => {
    const hashing = { environment: { ...environment, MEMDIR_RECALL_LOG: "hash" } };
    await memdir(["recall", TESTS], hashing);
    expect(fs.readFileSync(logFile(), "utf8")).not.toContain("postgres");
    expect((await memdir(["why", "--last"], hashing)).out).toContain("the log keeps no words of prompts");
    expect((await memdir(["replay"], hashing)).out).toContain("kept as a hash only");
    expect((await memdir(["status"], hashing)).out).toContain("hash of their prompts");
    expect(
      await memdir(["recall", TESTS], { environment: { ...environment, MEMDIR_RECALL_LOG: "maybe" } }),
    ).toMatchObject({ code: 2, err: expect.stringContaining("text, hash or off") });
  });

  it("never fails a recall: status says what is wrong with it", async () => {
    await memdir(["recall", TESTS]);
    const file = logFile();
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(await memdir(["recall", TESTS])).toMatchObject({
      code: 0,
      out: expect.stringContaining("never mocks"),
      err: "",
    });
    expect((await memdir(["status"])).out.replace(/\s+/gu, " ")).toContain("a recall could not be logged");
  });

  it("forgets with the note: no line that names it is left, in this project's log or another's", async () => {
    const elsewhere = { cwd: root, environment };
    await cli(
      ["remember", "I write Rust and dislike macros", "--scope", "user", "--type", "user", "--name", "rust-habits"],
      elsewhere,
    );
    await cli(["recall", "explain the macros in this Rust file"], elsewhere);
    await cli(["recall", "what says user_rust_habits on lunch"], elsewhere);
    await memdir(["recall", TESTS]);
    await memdir(["forget", "no-mocks", "--yes"]);
    await cli(["forget", "user:rust-habits", "--yes"], { cwd: scratch(), environment });
    const logs = [...filesBelow(path.join(root, "home", ".memdir", "stores"))].filter(([name]) =>
      name.includes("recalls"),
    );
    expect(logs.length).toBeGreaterThan(1);
    expect(logs.map(([, content]) => content.toString()).join("")).not.toMatch(/no_mocks|rust_habits/u);
  });
});

describe("why", () => {
  it("explains in one sentence what was shown, with words, scores and who chose, within 80 columns", async () => {
    const { code, out } = await memdir(["why", `${TESTS} of the zeppelin`]);
    expect(code).toBe(0);
    expect(out).toMatch(/^1 note was shown whole: feedback_no_mocks\.md\./u);
    expect(out).toMatch(/Words that no note has: .*zeppelin/u);
    expect(out).toContain("Too common to look for: of, the");
    expect(out).toContain("by rules, without a model");
    for (const row of out.split("\n")) expect(row.length, row).toBeLessThanOrEqual(80);
    expect(logFile(), "asking why is no recall").toBe("");
  });

  it.each([
    ["the of and", "common-words"],
    ["zeppelin quartz umbrella", "no-match"],
    ["retry the queue worker of the zeppelin import with quartz and umbrella before winter ends", "unlikely"],
  ])("has a sentence for the silence after %j", async (prompt, verdict) => {
    writeHandbook();
    const explained = await jsonOf(["why", prompt]);
    expect(explained.verdict).toBe(verdict);
    expect(explained.summary.length).toBeGreaterThan(30);
    expect((await memdir(["why", prompt])).out.replace(/\s+/gu, " ")).toContain(explained.summary);
  });

  it("tells an empty store, memory that is off and a missing log apart", async () => {
    expect((await cli(["why", "x"], { cwd: scratch(), environment })).out).toContain("no notes here yet");
    expect((await memdir(["why", "x"], { environment: { ...environment, MEMDIR_MODE: "off" } })).out).toMatch(
      /Memory is off[\s\S]*MEMDIR_MODE=off/u,
    );
    expect(await memdir(["why", "--last"])).toMatchObject({
      code: 3,
      err: expect.stringContaining("no recall is logged"),
    });
    expect(
      await memdir(["why", "--last"], { environment: { ...environment, MEMDIR_MODE: "recall-only" } }),
    ).toMatchObject({ code: 3, err: expect.stringContaining("recall-only") });
    expect((await memdir(["recall", TESTS], { environment: { ...environment, MEMDIR_MODE: "off" } })).out).toContain(
      "Memory is off",
    );
  });

  it("says of words that only a superseded note has that they lead to what replaced it", async () => {
    await memdir(["remember", "The gateway is Kong", "--name", "kong", "--type", "project"]);
    await memdir(["remember", "The gateway is Traefik", "--name", "traefik", "--replaces", "project_kong.md"]);
    const { out } = await memdir(["why", "where is Kong configured"]);
    expect(out).toMatch(/Words that only superseded notes have[^.]*:\s+Kong\./u);
    expect(out).toMatch(/Words that no note has: configured\./u);
    expect(out).toContain("took the place of a note with Kong");
    expect(out).not.toContain("has Kong");
  });

  it("takes the last recall of a session from the log, with control characters made harmless", async () => {
    await memdir(["recall", `${TESTS}\n\u001b[31mred\u0007 Jané Döe`, "--session", "one"]);
    await memdir(["recall", "when is the merge freeze", "--session", "two"]);
    const { out } = await memdir(["why", "--last", "--session", "one"]);
    expect(out).toContain("Jané Döe");
    expect(out).not.toMatch(/[\u0007\u001b]/u);
    expect(await jsonOf(["why", "--last"])).toMatchObject({
      prompt: "when is the merge freeze",
      session: "two",
      candidates: [{ file: "project_merge_freeze.md", fate: "shown" }],
    });
    expect(await memdir(["why", "--last", "--session", "three"])).toMatchObject({
      code: 3,
      err: expect.stringContaining("three"),
    });
  });

  it("passes over damaged lines", async () => {
    await memdir(["recall", TESTS]);
    fs.appendFileSync(logFile(), '\n\u0000\u0001\u0002\n{"time":"2026-03-02T09:00:00Z","prompt":"torn');
    expect(await jsonOf(["why", "--last"])).toMatchObject({ prompt: TESTS });
  });

  it("answers mistakes with what to write", async () => {
    expect(await memdir(["why"])).toMatchObject({ code: 2, err: expect.stringContaining("memdir why PROMPT") });
    expect(await memdir(["why", "x", "--last"])).toMatchObject({ code: 2, err: expect.stringContaining("not both") });
    expect(await memdir(["why", "x", "--session", ""])).toMatchObject({ code: 2 });
    expect((await memdir(["why", "-"], { input: TESTS })).out).toContain("feedback_no_mocks.md");
  });
});

describe("a session", () => {
  it("is not shown the same note twice, and once more when the note changed", async () => {
    const ask = async (): Promise<string[]> =>
      (await jsonOf(["recall", TESTS, "--session", "s"])).selected.map(({ file }: { file: string }) => file);
    expect(await ask()).toEqual(["feedback_no_mocks.md"]);
    expect(await ask()).toEqual([]);
    expect(await jsonOf(["why", TESTS, "--session", "s"])).toMatchObject({ verdict: "surfaced" });
    expect(await jsonOf(["why", "--last"])).toMatchObject({ verdict: "surfaced", candidates: [{ fate: "surfaced" }] });
    expect((await jsonOf(["recall", TESTS])).selected).toHaveLength(1);
    await memdir(["edit", "no-mocks", "--body", "Integration tests use the postgres container of the team."]);
    expect(await ask()).toEqual(["feedback_no_mocks.md"]);
  });
});

describe("why-not", () => {
  it("says which words are missing and what would help, and that is true", async () => {
    writeHandbook();
    const prompt = "how do we retry the queue worker of zeppelin imports";
    const before = await jsonOf(["why-not", "handbook", prompt]);
    expect(["unlikely", "pointed"]).toContain(before.reason);
    expect(before.words).toMatchObject({
      body: ["queue"],
      related: [],
      missing: ["retry", "worker", "zeppelin", "imports"],
    });
    expect(before.remedy.enough).toBe(true);
    expect((await memdir(["why-not", "handbook", prompt])).out).toContain("--description");
    await memdir(["edit", "handbook", "--description", `The handbook of the house ${before.remedy.words.join(" ")}`]);
    expect(await jsonOf(["why-not", "handbook", prompt])).toMatchObject({ reason: "shown" });
  });

  it("advises no words of mere talk", async () => {
    writeHandbook();
    const { remedy } = await jsonOf([
      "why-not",
      "handbook",
      "please help me, I really want to get the zeppelin stuff going",
    ]);
    expect(remedy.words).toEqual(["zeppelin"]);
    const may = await jsonOf([
      "why-not",
      "handbook",
      "when may we possibly ship the zeppelin over there, während wir warten",
    ]);
    for (const word of ["when", "may", "over", "there", "wir"]) expect(may.remedy.words).not.toContain(word);
  });

  it.each([
    ["no-mocks", TESTS, "shown"],
    ["no-mocks", "paint the fence green", "shares-nothing"],
    ["no-mocks", "the of and", "common-words"],
  ])("has an answer for %s and %j: %s", async (note, prompt, reason) => {
    const answer = await jsonOf(["why-not", note, prompt]);
    expect(answer.reason).toBe(reason);
    expect((await memdir(["why-not", note, prompt])).out.replace(/\s+/gu, " ")).toContain(answer.summary);
  });

  it("knows notes that were superseded, removed, or never there", async () => {
    fs.writeFileSync(
      `${root}/notes/project_old_plan.md`,
      "---\nname: old plan\ndescription: The old release plan\nmetadata:\n  type: project\n  supersededBy: project_merge_freeze.md\n---\n\nOld.\n",
    );
    const superseded = await jsonOf(["why-not", "old plan", "release plan"]);
    expect(superseded).toMatchObject({ reason: "superseded", supersededBy: "project_merge_freeze.md" });
    await memdir(["remove", "merge-freeze"]);
    expect(await memdir(["why-not", "merge-freeze", "freeze"])).toMatchObject({
      code: 3,
      err: expect.stringContaining("memdir undo"),
    });
    expect(await memdir(["why-not", "no-moks", "tests"])).toMatchObject({ code: 3 });
    expect(await memdir(["why-not"])).toMatchObject({ code: 2, err: expect.stringContaining("NOTE") });
    expect(await memdir(["why-not", "no-mocks"])).toMatchObject({ code: 2, err: expect.stringContaining("prompt") });
  });
});

describe("replay", () => {
  it("finds everything as it was when nothing changed, each prompt once, and logs nothing", async () => {
    for (const prompt of [TESTS, TESTS, "when is the merge freeze", "paint the fence green"])
      await memdir(["recall", prompt, "--session", "s"]);
    const before = fs.readFileSync(logFile());
    expect(await jsonOf(["replay"])).toMatchObject({ same: 3, gained: 0, moved: 0, lost: 0 });
    expect((await memdir(["replay", "--last", "1"])).out).toContain("1 prompt run again: 1 the same");
    expect(fs.readFileSync(logFile())).toEqual(before);
  });

  it("fails when a note that was shown is no longer found, and says why", async () => {
    await memdir(["recall", TESTS]);
    await memdir(["edit", "no-mocks", "--name", "x", "--description", "zeppelin", "--body", "zeppelin"]);
    expect(await memdir(["replay"])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/lost\s+feedback_no_mocks\.md: it exists but is no longer chosen/u),
    });
    await memdir(["remove", "feedback_no_mocks.md"]);
    expect((await memdir(["replay"])).out).toContain("it is gone");
  });

  it("takes a note that another one superseded as found in that one", async () => {
    await memdir(["recall", TESTS]);
    await memdir([
      "remember",
      "Integration tests use postgres in the shared container",
      "--name",
      "shared-container",
      "--type",
      "feedback",
    ]);
    const file = `${root}/notes/feedback_no_mocks.md`;
    fs.writeFileSync(
      file,
      fs.readFileSync(file, "utf8").replace("metadata:\n", "metadata:\n  supersededBy: feedback_shared_container.md\n"),
    );
    expect(await jsonOf(["replay"])).toMatchObject({ lost: 0 });
  });

  it("answers mistakes with what to write", async () => {
    expect(await memdir(["replay", "--last", "0"])).toMatchObject({ code: 2 });
    expect(await memdir(["replay", "--since", "yesterday"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("2026-03-01"),
    });
    expect(await memdir(["replay", "--since", "2026-03-01", "--last", "3"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("not both"),
    });
    expect(await memdir(["replay"])).toMatchObject({ code: 0, out: expect.stringContaining("no logged prompt") });
  });
});

describe("bench", () => {
  it("starts from the log, measures beside plain BM25 and explains what was missed", async () => {
    await memdir(["recall", TESTS]);
    const file = `${root}/prompts.jsonl`;
    expect((await memdir(["bench", "--init", file])).code).toBe(0);
    expect(JSON.parse(fs.readFileSync(file, "utf8"))).toEqual({ prompt: TESTS, notes: ["feedback_no_mocks.md"] });
    expect(await memdir(["bench", "--init", file])).toMatchObject({
      code: 5,
      err: expect.stringContaining("already exists"),
    });
    fs.appendFileSync(
      file,
      '{"prompt": "paint the fence green", "notes": []}\n{"prompt": "zeppelin quartz", "notes": ["merge-freeze"]}\n',
    );
    const before = fs.readFileSync(logFile());
    const { memdir: figures, plain, misses } = await jsonOf(["bench", file]);
    expect(figures).toMatchObject({ prompts: 3, negatives: 1, first: 0.5, reciprocalRank: 0.5, silent: 1 });
    expect(plain).toMatchObject({ prompts: 3, first: 0.5 });
    expect(misses).toMatchObject([
      { line: 3, missed: [{ file: "project_merge_freeze.md", reason: "shares-nothing" }], wrong: [] },
    ]);
    const { out } = await memdir(["bench", file]);
    expect(out).toMatch(/R@1 +50\.0%/u);
    for (const row of out.split("\n")) expect(row.length, row).toBeLessThanOrEqual(80);
    expect(fs.readFileSync(logFile())).toEqual(before);
  });

  it("names file and line of what it cannot use", async () => {
    const file = `${root}/prompts.jsonl`;
    fs.writeFileSync(file, '{"prompt": "a", "notes": []}\n{"prompt": "b", "notes": ["no-moks"]}\n');
    expect(await memdir(["bench", file])).toMatchObject({
      code: 3,
      err: expect.stringContaining(`${file}:2: there is no note "no-moks"`),
    });
    fs.writeFileSync(file, "{}\n");
    expect(await memdir(["bench", file])).toMatchObject({ code: 2, err: expect.stringContaining(`${file}:1:`) });
    expect(await memdir(["bench", `${root}/missing.jsonl`])).toMatchObject({
      code: 3,
      err: expect.stringContaining("missing.jsonl"),
    });
    expect(await memdir(["bench", root])).toMatchObject({ code: 2 });
    expect(await memdir(["bench"])).toMatchObject({ code: 2, err: expect.stringContaining("--init") });
    expect(await memdir(["bench", "--init", `${root}/new.jsonl`])).toMatchObject({
      code: 3,
      err: expect.stringContaining("no recall is logged"),
    });
  });
});
