import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import type { Watchdog } from "../../../src/adapters/processes/watchdog.ts";
import type { WorkerRun } from "../../../src/adapters/files/worker-state.ts";
import { captureJobs, queueCapture, type QueuedSession } from "../../../src/app/background/capture-jobs.ts";
import { captureStatus } from "../../../src/app/background/capture-status.ts";
import { runCaptureWorker, type WorkerOptions } from "../../../src/app/background/capture-worker.ts";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { listPrompts } from "../../../src/app/past/prompt-history.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { type SessionFile, sessionFile } from "../../support/session-file.ts";

const WISH = "From now on always squash the commits of a branch before merging";
const FRIDAY = "We never deploy on Fridays, because nobody is there to look after it";
const LONG = "This is only some long text that asks for nothing at all. ".repeat(1_100);

let root: string;
let session: SessionFile;

beforeEach(() => {
  root = scratch(memoryDirectory());
  fs.mkdirSync(`${homeOf(root)}/project`, { recursive: true });
  session = sessionFile(`${root}/session.jsonl`, "s1", `${homeOf(root)}/project`);
});

afterEach(() => void vi.restoreAllMocks());

const memdirHome = (): string => `${homeOf(root)}/.memdir`;
const here = (more: Readonly<Record<string, string>> = {}): Locations =>
  locate({ cwd: `${homeOf(root)}/project`, environment: { ...emptyHome(root), ...more } });
const queue = (more: Partial<QueuedSession> = {}, locations = here()): void => {
  const job = { agent: "claude-code", session: "s1", transcript: session.path, ...more };
  expect(queueCapture(locations, job)).toEqual({ kind: "kept" });
};
const work = (options: WorkerOptions = {}, environment = emptyHome(root)): Promise<WorkerRun | undefined> =>
  runCaptureWorker(
    { memdirHome: memdirHome(), environment },
    { bounds: { jobMs: 20_000, totalMs: 60_000 }, ...options },
  );
const below = (name: string): readonly string[] => {
  const directory = `${memdirHome()}/${name}`;
  return fs.existsSync(directory) ? fs.readdirSync(directory, { recursive: true }).map(String) : [];
};
const notes = (): readonly string[] => {
  const directory = here().stores[0]?.directory ?? "";
  return fs.existsSync(directory) ? fs.readdirSync(directory).filter((name) => name !== "MEMORY.md") : [];
};
const failure = (): string | undefined => captureStatus(here()).lastFailure?.message;
const attempts = (): readonly number[] =>
  captureJobs(here())
    .waiting()
    .map((job) => job.attempts);

describe("a run of the worker", () => {
  it("adds up what it did with each session, and is told as the last one", async () => {
    session.say(`${WISH}. Also use the token ghp${"_"}aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5 for it.`);
    const other = sessionFile(`${root}/other.jsonl`, "s2", `${homeOf(root)}/project`);
    other.say(FRIDAY);
    other.say(WISH);
    queue();
    queue({ session: "s2", transcript: other.path });
    const started = Date.now();
    const run = await work();
    expect(run).toMatchObject({ sessions: 2, turns: 6, by: "rules" });
    expect([run?.notes, notes().length, (run?.refused ?? 0) > 0]).toEqual([2, 2, true]);
    expect(run?.time).toBeGreaterThanOrEqual(started);
    expect(run?.ms).toBeLessThanOrEqual(Date.now() - started);
    expect(captureStatus(here())).toEqual({
      pending: 0,
      waiting: [],
      missed: [],
      worker: undefined,
      lastRun: run,
      lastFailure: undefined,
    });
    expect(await work()).toMatchObject({ sessions: 0 });
    expect(captureStatus(here()).lastRun).toEqual(run);
  });

  it("leaves nothing of its own behind but what it knows: no mark, nothing half written", async () => {
    session.say(WISH);
    queue();
    fs.mkdirSync(`${memdirHome()}/captures/cursors`, { recursive: true });
    fs.writeFileSync(`${memdirHome()}/captures/cursors/a.json.7.tmp`, "left by a kill");
    await work();
    expect(
      below("captures")
        .filter((name) => !/^(?:cursors|jobs|kept|state\.json|worker\.lock\.db.*)$/u.test(name))
        .toSorted(),
    ).toEqual([
      expect.stringMatching(/^cursors\/[0-9a-f]{32}\.json$/u),
      expect.stringMatching(/^kept\/[0-9a-f]{16}\.jsonl$/u),
    ]);
  });

  it("takes nothing when its time is over, and says how far it may go to whoever watches it", async () => {
    session.say(WISH);
    queue();
    expect(await work({ bounds: { jobMs: 20_000, totalMs: 0 } })).toMatchObject({ sessions: 0 });
    expect(captureStatus(here()).pending).toBe(1);
    const watched: (readonly [string, number])[] = [];
    const started = Date.now();
    await work({
      bounds: { jobMs: 5_000, totalMs: 60_000 },
      watchdog: (deadline) => {
        watched.push(["start", deadline]);
        return { watch: (next) => watched.push(["watch", next]), groups: () => watched.push(["groups", 0]) };
      },
    });
    const seconds = watched.map(([name, at]) => `${name} ${Math.floor((at - started) / 5_000) * 5}`);
    expect([seconds[0], seconds[1], seconds.at(-1)]).toEqual(["start 70", "watch 15", "watch 10"]);
  });

  it("begins a session that it could not end in time once, and the next one goes on", async () => {
    for (const text of [`${WISH}. ${LONG}`, LONG, LONG]) session.say(text);
    queue();
    expect(await work({ bounds: { jobMs: 0, totalMs: 5_000 } })).toMatchObject({ sessions: 1, turns: 0 });
    expect(failure()).toBe("no part of session s1 could be captured within 0 ms");
    expect(attempts()).toEqual([1]);
    expect(await work()).toMatchObject({ sessions: 1, turns: 6, notes: 1 });
    expect(failure()).toBeUndefined();
  });

  it("goes on with a session that was longer than its time, which is no fault of it", async () => {
    for (const text of [`${WISH}. ${LONG}`, LONG, LONG]) session.say(text);
    queue();
    const [now, create] = [Date.now, nodeFiles.create];
    let ahead = 0;
    let during: unknown;
    vi.spyOn(Date, "now").mockImplementation(() => now() + ahead);
    // A minute passes while the first window's cursor is written.
    vi.spyOn(nodeFiles, "create").mockImplementation((file, bytes) => {
      if (file.includes("/cursors/")) {
        ahead += 60_000;
        during = JSON.parse(fs.readFileSync(`${memdirHome()}/captures/state.json`, "utf8"));
      }
      create(file, bytes);
    });
    expect(await work({ bounds: { jobMs: 30_000, totalMs: 3_600_000 } })).toMatchObject({ sessions: 1, turns: 2 });
    expect(during).toMatchObject({ running: { session: "claude-code s1" } });
    expect([failure(), attempts(), notes().length]).toEqual([undefined, [0], 1]);
    vi.restoreAllMocks();
    expect(await work()).toMatchObject({ sessions: 1, turns: 4, refused: 0 });
    expect(captureStatus(here())).toMatchObject({ pending: 0, lastRun: { sessions: 1, turns: 4 } });
  });

  it("has its time from the settings, and needs nothing to be there", async () => {
    expect(await runCaptureWorker({ memdirHome: memdirHome(), environment: emptyHome(root) })).toMatchObject({
      sessions: 0,
      refused: 0,
    });
    fs.writeFileSync(`${memdirHome()}/settings.json`, JSON.stringify({ capture: { jobSeconds: 5, totalSeconds: 50 } }));
    session.say(WISH);
    queue();
    const watched: number[] = [];
    const started = Date.now();
    const watchdog = (deadline: number): Watchdog => {
      watched.push(deadline);
      return { watch: (next) => watched.push(next), groups: () => undefined };
    };
    await runCaptureWorker({ memdirHome: memdirHome(), environment: emptyHome(root) }, { watchdog });
    expect(watched.slice(0, 2).map((at) => Math.floor((at - started) / 5_000) * 5)).toEqual([60, 15]);
  });

  it("ends what a killed worker had started, and nothing else", async () => {
    const start = (environment: Record<string, string>): ChildProcess =>
      spawn(process.execPath, ["--eval", "setTimeout(() => {}, 30_000)"], {
        detached: true,
        stdio: "ignore",
        env: { ...process.env, ...environment },
      });
    const [nested, other] = [start({ MEMDIR_NESTED: "1" }), start({})];
    await Promise.all([once(nested, "spawn"), once(other, "spawn")]);
    fs.mkdirSync(`${memdirHome()}/captures`, { recursive: true });
    fs.writeFileSync(`${memdirHome()}/captures/worker`, [1, nested.pid, other.pid].join("\n"));
    const ended = once(nested, "exit");
    await work();
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    other.kill("SIGKILL");
    await once(other, "exit");
  });

  it("makes state that grew smaller", async () => {
    session.say(WISH);
    queue();
    await work();
    const log = `${here().stores[0]?.state ?? ""}/usage.jsonl`;
    const line = (n: number): string =>
      JSON.stringify({ time: new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString(), files: ["a.md"] });
    fs.writeFileSync(log, Array.from({ length: 5_000 }, (_, n) => `${line(n)}\n`).join(""));
    const before = fs.statSync(log).size;
    queue();
    await work();
    expect(fs.statSync(log).size).toBeLessThan(before / 2);
  });
});

describe("a record that cannot be dealt with", () => {
  it("is given up when a worker was ended each time it began it, without another try", async () => {
    session.say(WISH);
    queue();
    for (let began = 1; began <= 3; began++) captureJobs(here()).take(() => true);
    expect(await work()).toMatchObject({ sessions: 1, notes: 0 });
    expect(failure()).toMatch(/ended each time it captured session s1; given up after 3 attempts: `memdir capture '/u);
    expect([notes(), captureStatus(here()).pending]).toEqual([[], 0]);
  });

  it("is tried up to three times", async () => {
    session.say(WISH);
    queue();
    for (let began = 1; began <= 2; began++) captureJobs(here()).take(() => true);
    expect(await work()).toMatchObject({ sessions: 1, notes: 1 });
    queue({ transcript: `${root}/none.jsonl`, session: "none" });
    await work();
    expect([failure(), attempts()]).toEqual([expect.stringMatching(/^there is no file/u), [1]]);
    await work();
    expect([failure()?.includes("given up"), attempts()]).toEqual([false, [2]]);
    await work();
    expect([failure()?.includes("given up"), attempts()]).toEqual([true, []]);
  });

  it.each(["locked", "disk-full", "permission", "io", "unavailable"] as const)(
    "stays, however often, where the machine is at fault: %s",
    async (code) => {
      session.say(WISH);
      queue();
      const full = vi.spyOn(nodeFiles, "create").mockImplementation(() => {
        throw new MemoryError(code, "this machine cannot");
      });
      for (let run = 1; run <= 4; run++) {
        expect(await work()).toMatchObject({ sessions: 1 });
        expect([failure()?.includes("given up"), attempts()]).toEqual([false, [0]]);
      }
      full.mockRestore();
      expect(await work()).toMatchObject({ sessions: 1 });
      expect([failure(), attempts(), notes().length]).toEqual([undefined, [], 1]);
    },
  );

  it("that a killed worker left is told until it was captured", async () => {
    session.say(WISH);
    queue();
    const running = { session: "claude-code s1", since: 5 };
    fs.writeFileSync(`${memdirHome()}/captures/state.json`, JSON.stringify({ running }));
    await work({ bounds: { jobMs: 0, totalMs: 0 } });
    expect(JSON.parse(fs.readFileSync(`${memdirHome()}/captures/state.json`, "utf8"))).toEqual({
      lastFailure: {
        time: 5,
        session: "claude-code s1",
        message: expect.stringContaining("was ended while it captured"),
      },
    });
    await work();
    expect(failure()).toBeUndefined();
  });
});

describe("what a record asks for", () => {
  it.each(["off", "recall-only"])("is not done where the mode is %s by now", async (mode) => {
    session.say(WISH);
    queue({ checkpoint: "session-end" });
    fs.writeFileSync(`${memdirHome()}/settings.json`, JSON.stringify({ modes: { everywhere: { all: mode } } }));
    expect(await work()).toMatchObject({ sessions: 1, turns: 0, notes: 0 });
    expect([notes(), below("checkpoints"), below("session-memory"), captureStatus(here()).pending]).toEqual([
      [],
      [],
      [],
      0,
    ]);
    expect(fs.existsSync(`${memdirHome()}/history.jsonl`)).toBe(false);
  });

  it("may be a checkpoint alone", async () => {
    const steps = [{ content: "port the importer", status: "in_progress" }];
    session.say("Please port the importer to the new parser and then measure it.", [
      { name: "TodoWrite", input: { todos: steps } },
    ]);
    queue({ checkpoint: "session-end", capture: false });
    expect(await work()).toMatchObject({ sessions: 1, turns: 0 });
    expect(below("checkpoints").filter((name) => name.endsWith(".md"))).toHaveLength(1);
    expect([listPrompts(here()), below("session-memory")]).toEqual([[], []]);
  });

  it("is captured where neither its checkpoint nor its prompts can be kept", async () => {
    session.say(WISH);
    queue({ checkpoint: "session-end" });
    fs.writeFileSync(`${memdirHome()}/checkpoints`, "");
    fs.mkdirSync(`${memdirHome()}/history.jsonl`);
    fs.writeFileSync(`${memdirHome()}/session-memory`, "");
    expect(await work()).toMatchObject({ turns: 2, notes: 1 });
    expect([failure(), captureStatus(here()).pending]).toEqual([undefined, 0]);
  });

  it("renews the notes of a session that went on, and of no other", async () => {
    session.say(`Please port the importer to the new parser and then measure it. ${LONG}${LONG}`);
    queue();
    await work();
    const kept = below("session-memory");
    expect(kept).not.toEqual([]);
    fs.rmSync(`${memdirHome()}/session-memory`, { recursive: true });
    queue();
    await work();
    expect(below("session-memory")).toEqual([]);
  });

  it("is read once the client has written it: a file that was changed just now is waited for", async () => {
    session.say(WISH);
    queue();
    fs.utimesSync(session.path, new Date(), new Date());
    const running = work();
    setTimeout(() => session.say(FRIDAY), 150);
    expect(await running).toMatchObject({ turns: 4, notes: 2 });
  });

  it("is not waited for in vain: a clock that was wrong, or a file that is never at rest", async () => {
    session.say(WISH);
    const ahead = new Date(Date.now() + 3_600_000);
    fs.utimesSync(session.path, ahead, ahead);
    queue();
    const started = Date.now();
    expect(await work()).toMatchObject({ turns: 2 });
    expect(Date.now() - started).toBeLessThan(2_000);
    const restless = setInterval(() => fs.utimesSync(session.path, new Date(), new Date()), 50);
    queue();
    expect(await work()).toMatchObject({ sessions: 1 });
    clearInterval(restless);
    expect(Date.now() - started).toBeLessThan(6_000);
  });
});

describe("a model", () => {
  const settings = (value: unknown): void => {
    fs.mkdirSync(memdirHome(), { recursive: true });
    fs.writeFileSync(`${memdirHome()}/settings.json`, JSON.stringify(value));
  };

  it("is asked in the background where a person chose one, and a key alone starts nothing", async () => {
    const answer = {
      content: [{ type: "text", text: '{"look":[],"operations":[]}' }],
      stop_reason: "end_turn",
      usage: {},
    };
    const provider = await fakeProvider(json(answer));
    const environment = { ...emptyHome(root), ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: provider.url };
    session.say(WISH);
    queue();
    expect(await work({}, environment)).toMatchObject({ by: "rules", notes: 1 });
    expect(provider.requests).toHaveLength(0);
    settings({ model: "anthropic/claude-haiku-4-5" });
    session.say(FRIDAY);
    queue();
    expect(await work({}, environment)).toMatchObject({ by: "model", turns: 2, notes: 0 });
    expect([provider.requests.length, failure()]).toEqual([1, undefined]);
  });

  it("that gives no answer is told, and rules do the work", async () => {
    const provider = await fakeProvider(json({}, 401));
    const environment = { ...emptyHome(root), ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: provider.url };
    settings({ model: "anthropic/claude-haiku-4-5" });
    session.say(WISH);
    queue();
    expect(await work({}, environment)).toMatchObject({ by: "rules", notes: 1 });
    expect(failure()).toMatch(/^the model gave no answer \(.*\); rules did the work$/u);
    expect(failure()?.length).toBeLessThanOrEqual(300);
  });
});
