import fs from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import {
  pruneHandedOver,
  queueCapture,
  queueHandedOver,
  startCaptureWorker,
} from "../../../src/app/background/capture-jobs.ts";
import { captureStatus } from "../../../src/app/background/capture-status.ts";
import { runCaptureWorker } from "../../../src/app/background/capture-worker.ts";
import { CAPTURES_FOLDER, TURNS_FOLDER } from "../../../src/app/capture/capture-places.ts";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { listPrompts } from "../../../src/app/past/prompt-history.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { type SessionFile, sessionFile } from "../../support/session-file.ts";

const WISH = "From now on always squash the commits of a branch before merging";

let root: string;
let session: SessionFile;

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${homeOf(root)}/project`, { recursive: true });
  session = sessionFile(`${root}/session.jsonl`);
});

const here = (more: Readonly<Record<string, string>> = {}): Locations =>
  locate({ cwd: `${homeOf(root)}/project`, environment: { ...emptyHome(root), ...more } });
const queue = (locations = here(), turn = "t1"): boolean =>
  queueCapture(locations, { agent: "claude-code", session: "s1", transcript: session.path, turn }).kind === "kept";
const notes = (): readonly string[] =>
  fs.readdirSync(here().stores[0]?.directory ?? "").filter((name) => name !== "MEMORY.md" && name.endsWith(".md"));

describe("the record of an ended turn", () => {
  it("holds ids and paths only, and one session has one", () => {
    session.say("the words of the conversation");
    expect([queue(here({ ANTHROPIC_API_KEY: "value-of-a-key" })), queue(here(), "t2")]).toEqual([true, true]);
    const files = [...filesBelow(`${homeOf(root)}/.memdir`)];
    expect(files).toHaveLength(1);
    const text = String(files[0]?.[1]);
    expect(text).not.toMatch(/conversation|value-of-a-key/u);
    expect(JSON.parse(text)).toMatchObject({
      agent: "claude-code",
      session: "s1",
      turn: "t2",
      transcript: session.path,
      cwd: `${homeOf(root)}/project`,
    });
  });

  it("is not kept of a session that ended without a word, for its client wrote no transcript", () => {
    const ended = (transcript: string, agent = "claude-code") =>
      queueCapture(here(), { agent, session: "s1", transcript, checkpoint: "session-end" }).kind;
    expect(ended(`${root}/none.jsonl`)).toBe("unwanted");
    expect(captureStatus(here())).toMatchObject({ pending: 0, lastFailure: undefined });
    fs.writeFileSync(`${root}/opencode.db`, "");
    expect(ended(`${root}/opencode.db#s1`, "opencode")).toBe("kept");
    session.say("the words of the conversation");
    expect(ended(session.path)).toBe("kept");
  });

  it("is kept for a place that is named like a secret only where it is there", () => {
    const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    const transcript = `${root}/${token}.jsonl`;
    const queued = () => queueCapture(here(), { agent: "claude-code", session: "s1", transcript, turn: "t1" }).kind;
    expect(queued()).toBe("unwanted");
    fs.writeFileSync(transcript, "");
    expect(queued()).toBe("kept");
    const left = { ...here(), cwd: `${homeOf(root)}/${token}` };
    expect(queue(left)).toBe(false);
    fs.mkdirSync(left.cwd);
    expect(queue(left)).toBe(true);
  });

  it("is not kept where nothing can be written, and nobody is told by an exception", () => {
    if (process.getuid?.() === 0) {
      // Root may write anywhere, but not below a file.
      fs.writeFileSync(`${homeOf(root)}/.memdir`, "");
    } else fs.chmodSync(`${root}/home`, 0o500);
    expect(queue()).toBe(false);
  });

  it.each(["off", "recall-only"])("is not kept in mode %s, and no file is made", (mode) => {
    expect(queue(here({ MEMDIR_MODE: mode }))).toBe(false);
    expect(fs.existsSync(`${homeOf(root)}/.memdir`)).toBe(false);
  });
});

describe("a conversation that a program hands over", () => {
  const handOver = (locations: Locations) =>
    queueHandedOver(locations, { agent: "other", session: "s1", text: "the words of the conversation" }).kind;
  const holding = (): readonly string[] =>
    [...filesBelow(root)].flatMap(([name, bytes]) => (String(bytes).includes("the words of") ? [name] : []));

  it("stays in one file until it is captured, and nowhere where it is not wanted", () => {
    expect([handOver(here({ MEMDIR_MODE: "recall-only" })), holding()]).toEqual(["unwanted", []]);
    expect([handOver(here()), handOver(here()), holding()]).toEqual([
      "kept",
      "kept",
      [expect.stringMatching(/^home\/\.memdir\/captures\/turns\/[0-9a-f]{32}\.jsonl$/u)],
    ]);
  });
});

describe("the start of the worker", () => {
  /** With what a worker is started in each mode, when two hooks ask for one. */
  const started = (mode: string): readonly (readonly string[])[] => {
    const locations = here({ MEMDIR_MODE: mode });
    fs.mkdirSync(`${locations.memdirHome}/${CAPTURES_FOLDER}`, { recursive: true });
    const calls: (readonly string[])[] = [];
    for (let hook = 0; hook < 2; hook++)
      startCaptureWorker(locations, (_, args) => {
        calls.push(args);
        return process.pid;
      });
    return calls;
  };

  it.each(["auto", "confirm", "manual"])("is for what waits, once, in mode %s", (mode) => {
    expect(started(mode)).toEqual([["capture", "--pending"]]);
  });

  it.each(["off", "recall-only"])("never happens in mode %s", (mode) => {
    expect(started(mode)).toEqual([]);
  });
});

it("conversations that were handed over stay as long as they may be captured", () => {
  const turns = `${root}/${TURNS_FOLDER}`;
  expect(() => pruneHandedOver(root, 0)).not.toThrow();
  fs.mkdirSync(turns, { recursive: true });
  for (const seconds of [1, 2, 3]) {
    fs.writeFileSync(`${turns}/${seconds}.jsonl`, "x");
    fs.utimesSync(`${turns}/${seconds}.jsonl`, seconds, seconds);
  }
  pruneHandedOver(root, 2_000);
  expect(fs.readdirSync(turns)).toEqual(["2.jsonl", "3.jsonl"]);
});

describe("the worker's work", () => {
  it.each([
    ["MEMDIR_DIR", () => `${root}/lent`],
    ["MEMDIR_MODE", () => "off"],
    ["CLAUDE_CODE_DISABLE_AUTO_MEMORY", () => "1"],
    ["CLAUDE_CONFIG_DIR", () => `${root}/lent`],
    ["CLAUDE_CODE_REMOTE_MEMORY_DIR", () => `${root}/lent`],
  ])("goes where the record says, whatever %s is where the worker was started", async (name, value) => {
    session.say(WISH);
    queue();
    const { memdirHome, environment } = here();
    await runCaptureWorker({ memdirHome, environment: { ...environment, [name]: value() } });
    expect(notes()).toHaveLength(1);
    expect(fs.existsSync(`${root}/lent`)).toBe(false);
  });

  const work = (): ReturnType<typeof runCaptureWorker> =>
    runCaptureWorker(
      { memdirHome: `${homeOf(root)}/.memdir`, environment: emptyHome(root) },
      { bounds: { jobMs: 20_000, totalMs: 60_000 } },
    );

  it("captures each turn once, whatever is queued again", async () => {
    session.say(WISH);
    queue();
    expect(await work()).toMatchObject({ sessions: 1, turns: 2, notes: 1 });
    queue();
    expect(await work()).toMatchObject({ sessions: 1, turns: 0, notes: 0, refused: 0 });
    session.say("We never deploy on Fridays, because nobody is there to look after it");
    queue(here(), "t2");
    expect(await work()).toMatchObject({ turns: 2, notes: 1 });
    expect(notes()).toHaveLength(2);
  });

  it("reads a session anew that was rewritten, and adds nothing twice", async () => {
    session.say(WISH);
    queue();
    await work();
    fs.writeFileSync(
      session.path,
      fs.readFileSync(session.path, "utf8").replace("Answer 1.", "Answer one, said otherwise."),
    );
    queue();
    expect(await work()).toMatchObject({ turns: 2, notes: 0, refused: 1 });
    expect(notes()).toHaveLength(1);
  });

  it("leaves a turn alone in which the agent saved a note itself", async () => {
    session.say(WISH, [
      {
        name: "Write",
        input: { file_path: `${here().stores[0]?.directory ?? ""}/feedback_squash.md`, content: "Squash." },
      },
    ]);
    queue();
    expect(await work()).toMatchObject({ turns: 2, notes: 0, refused: 0 });
  });

  it("captures into the place that the turn belongs to, not into the worker's", async () => {
    session.say(WISH);
    queue(here({ CLAUDE_CONFIG_DIR: `${homeOf(root)}/other` }));
    await work();
    expect(fs.existsSync(`${homeOf(root)}/other/projects`)).toBe(true);
  });

  it("tells what went wrong, and gives a session up that cannot be read", async () => {
    queue();
    for (let attempt = 1; attempt <= 3; attempt++) await work();
    const status = captureStatus(here());
    expect([status.pending, status.lastFailure?.message]).toEqual([
      0,
      expect.stringMatching(/there is no file.*given up after 3 attempts/u),
    ]);
  });

  it("tells of no failure any more once the session was captured after all, by whomever", async () => {
    queue();
    for (let attempt = 1; attempt <= 3; attempt++) await work();
    session.say(WISH);
    queue(here(), "t2");
    expect(captureStatus(here()).lastFailure?.message).toContain("given up");
    await work();
    expect(captureStatus(here()).lastFailure).toBeUndefined();
    const state = `${homeOf(root)}/.memdir/captures/state.json`;
    const ended = { session: "claude-code s1", since: 5 };
    fs.writeFileSync(state, JSON.stringify({ running: ended }));
    expect(captureStatus(here()).lastFailure?.message).toContain("was ended while it captured claude-code s1");
    // Another session that goes well says nothing of this one.
    const other = sessionFile(`${root}/other.jsonl`, "s2");
    other.say("hello");
    queueCapture(here(), { agent: "claude-code", session: "s2", transcript: other.path });
    await work();
    expect(captureStatus(here()).lastFailure?.session).toBe("claude-code s1");
    await cli(["capture", session.path], { cwd: `${homeOf(root)}/project`, environment: emptyHome(root) });
    expect(captureStatus(here()).lastFailure).toBeUndefined();
  });

  it("takes a record that is left as it goes, when whoever left it still saw a worker", async () => {
    session.say(WISH);
    queue();
    const late = sessionFile(`${root}/late.jsonl`, "late");
    late.say("We never deploy on Fridays, because nobody is there to look after it");
    let isLeft = false;
    const original = nodeFiles.remove;
    const spy = vi.spyOn(nodeFiles, "remove").mockImplementation((file) => {
      if (file.endsWith("/captures/worker") && !isLeft) {
        isLeft = true;
        queueCapture(here(), { agent: "claude-code", session: "late", transcript: late.path });
      }
      return original(file);
    });
    try {
      expect(await work()).toMatchObject({ sessions: 2, notes: 2 });
    } finally {
      spy.mockRestore();
    }
    expect([isLeft, captureStatus(here()).pending]).toEqual([true, 0]);
  });

  it("keeps what the person typed in the history of prompts, and nothing that the agent said", async () => {
    session.say("How do I restart the queue?");
    queue();
    await work();
    expect(listPrompts(here()).map(({ prompt }) => prompt)).toEqual(["How do I restart the queue?"]);
  });

  it("ends with its time, and the next run goes on", async () => {
    session.say(WISH);
    queue();
    expect(
      await runCaptureWorker(
        { memdirHome: `${homeOf(root)}/.memdir`, environment: emptyHome(root) },
        { bounds: { jobMs: 0, totalMs: 1_000 } },
      ),
    ).toMatchObject({ turns: 0 });
    expect(captureStatus(here()).pending).toBe(1);
    expect(await work()).toMatchObject({ notes: 1 });
    expect(captureStatus(here())).toMatchObject({ pending: 0, worker: undefined });
  });

  it("is one process's at a time", async () => {
    session.say(WISH);
    queue();
    const both = await Promise.all([work(), work()]);
    expect(both.filter((run) => run !== undefined)).toHaveLength(1);
  });
});
