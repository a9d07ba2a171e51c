import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { openCursors, type CaptureJobs, openCaptureJobs } from "../../../src/adapters/files/capture-jobs.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import {
  clearFailure,
  readWorkerState,
  type WorkerState,
  writeWorkerState,
} from "../../../src/adapters/files/worker-state.ts";
import type { CaptureJob, Cursor } from "../../../src/core/transcripts/capture-job.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { scratch } from "../../support/scratch.ts";

let directory: string;
beforeEach(() => {
  directory = `${scratch()}/kept`;
});

const names = (): readonly string[] => (fs.existsSync(directory) ? fs.readdirSync(directory).toSorted() : []);
const setAge = (name: string, ms: number): void => fs.utimesSync(`${directory}/${name}`, new Date(ms), new Date(ms));

describe("cursors on disk", () => {
  const cursor = (offset: number): Cursor => ({
    offset,
    line: 1,
    after: undefined,
    fingerprint: "f",
    turn: undefined,
    time: 1,
  });
  const key = { agent: "claude-code", session: "s", store: "/notes" };
  const open = (files: Parameters<typeof openCursors>[0]["files"] = nodeFiles): ReturnType<typeof openCursors> =>
    openCursors({ directory, files, newId: () => "7" });

  it("are one file a session and store, replaced as a whole", () => {
    expect(open().read(key)).toBeUndefined();
    open().write(key, cursor(1));
    fs.writeFileSync(`${directory}/${names()[0] ?? ""}.7.tmp`, "left by a kill");
    open().write(key, cursor(2));
    expect([open().read(key), names()]).toEqual([cursor(2), [expect.stringMatching(/^[0-9a-f]{32}\.json$/u)]]);
    for (const other of [{ agent: "codex" }, { session: "t" }, { store: "/other" }])
      expect(open().read({ ...key, ...other })).toBeUndefined();
  });

  it("are on disk before they take the place of the one before", () => {
    const calls: string[] = [];
    const note =
      <A extends readonly unknown[], R>(name: string, call: (...given: A) => R) =>
      (...given: A): R => (calls.push(name), call(...given));
    open({
      ...nodeFiles,
      create: note("create", nodeFiles.create),
      rename: note("rename", nodeFiles.rename),
      syncDirectory: note("syncDirectory", nodeFiles.syncDirectory),
    }).write(key, cursor(1));
    expect(calls).toEqual(["create", "rename", "syncDirectory"]);
  });

  it("are kept up to two thousand, the oldest go; what kills left goes too, and nothing else", () => {
    open().write(key, cursor(1));
    const [own = ""] = names();
    for (let at = 0; at < 2_001; at++) {
      fs.writeFileSync(`${directory}/${at}.json`, "{}");
      setAge(`${at}.json`, 1_000_000 + at * 1_000);
    }
    for (const name of ["a.json.7.tmp", "other.txt", "b.json.bak", "c.tmp.bak"])
      fs.writeFileSync(`${directory}/${name}`, "");
    fs.mkdirSync(`${directory}/folder.tmp`);
    open().prune();
    expect(names()).toHaveLength(2_004);
    expect(names()).toEqual(
      expect.arrayContaining([own, "other.txt", "b.json.bak", "c.tmp.bak", "folder.tmp", "2.json", "2000.json"]),
    );
    expect(names()).not.toContain("1.json");
    open().prune();
    expect(names()).toHaveLength(2_004);
    expect(() =>
      openCursors({ directory: `${directory}/none`, files: nodeFiles, newId: () => "7" }).prune(),
    ).not.toThrow();
  });
});

describe("records of ended turns on disk", () => {
  const job = (session: string, more: Partial<CaptureJob> = {}): CaptureJob => ({
    agent: "claude-code",
    session,
    transcript: `/${session}.jsonl`,
    handedOver: false,
    turn: undefined,
    capture: true,
    checkpoint: undefined,
    cwd: "/project",
    place: {},
    time: 1,
    attempts: 0,
    ...more,
  });
  const open = (files: Parameters<typeof openCaptureJobs>[0]["files"] = nodeFiles): CaptureJobs =>
    openCaptureJobs({ directory, files, newId: () => "7" });
  const any = (): boolean => true;

  it("are taken oldest first, those that are wanted, and gone when they are done", () => {
    const jobs = open();
    expect([jobs.waiting(), jobs.take(any)]).toEqual([[], undefined]);
    jobs.keep(job("new", { time: 9 }));
    jobs.keep(job("old", { time: 1 }));
    expect(jobs.waiting().map(({ session }) => session)).toEqual(["old", "new"]);
    expect(jobs.take(({ session }) => session === "new")?.job).toEqual(job("new", { time: 9, attempts: 1 }));
    const taken = jobs.take(any);
    expect(taken?.job.session).toBe("old");
    taken?.done();
    expect(jobs.waiting()).toEqual([job("new", { time: 9, attempts: 1 })]);
  });

  it("count how often they were begun, except where an attempt is excused", () => {
    open().keep(job("s"));
    const attempts = [1, 2].map(() => open().take(any)?.job.attempts);
    open().take(any)?.excuse();
    expect([attempts, open().take(any)?.job.attempts]).toEqual([[1, 2], 1]);
    expect(names()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.begun$/u)]);
  });

  it("of a turn that ends while its session is captured wait beside the one that is begun", () => {
    open().keep(job("s", { turn: "t1", checkpoint: "session-end" }));
    const first = open().take(any);
    open().keep(job("s", { turn: "t2", time: 2 }));
    expect(open().waiting()).toHaveLength(2);
    first?.done();
    expect(open().waiting()).toEqual([job("s", { turn: "t2", time: 2 })]);
  });

  it("take each other's place in one session, with what the earlier was for, and not in another", () => {
    open().keep(job("s", { turn: "t1", checkpoint: "session-end" }));
    open().keep(job("s", { capture: false, time: 2 }));
    expect(open().waiting()).toEqual([job("s", { turn: "t1", checkpoint: "session-end", time: 2 })]);
    open().keep({ ...job("s"), agent: "codex" });
    expect(open().waiting()).toHaveLength(2);
  });

  it("that are torn, or no records, are passed over", () => {
    open().keep(job("s"));
    for (const [name, text] of [
      ["torn.json", '{"agent":'],
      ["other.txt", JSON.stringify(job("x"))],
      ["y.json.7.tmp", JSON.stringify(job("y"))],
      ["z.begun.7.tmp", JSON.stringify(job("z"))],
    ] as const)
      fs.writeFileSync(`${directory}/${name}`, text);
    fs.mkdirSync(`${directory}/folder.json`);
    expect(open().waiting()).toEqual([job("s")]);
  });

  it("that somebody else took are not taken", () => {
    open().keep(job("s"));
    expect(open({ ...nodeFiles, rename: () => "absent" }).take(any)).toBeUndefined();
  });

  it("leave nothing behind where they cannot be written, and say so", () => {
    const failing = {
      ...nodeFiles,
      rename: () => {
        throw new MemoryError("disk-full", "full");
      },
    };
    expect(() => open(failing).keep(job("s"))).toThrow("full");
    expect(names()).toEqual([]);
  });

  it("that could not be kept leave word, by session and place, until one is kept that captures", () => {
    const jobs = open();
    expect(jobs.lastMissed()).toBeUndefined();
    fs.mkdirSync(directory);
    fs.writeFileSync(`${directory}/other.missed.bak`, "");
    expect([jobs.missedAt(job("s")), jobs.lastMissed()]).toEqual([undefined, undefined]);
    expect(jobs.miss(job("s", { place: { A: "1", B: "2" } }))).toBe(true);
    expect(jobs.missedAt(job("s", { place: { B: "2", A: "1" } }))).toBeCloseTo(Date.now(), -5);
    for (const other of [job("s"), job("t", { place: { A: "1", B: "2" } })])
      expect(jobs.missedAt(other)).toBeUndefined();
    expect(jobs.miss(job("t"))).toBe(true);
    for (const [at, name] of names().entries()) setAge(name, 1_000_000 * (at + 1));
    fs.rmSync(`${directory}/other.missed.bak`);
    expect(jobs.lastMissed()).toBe(2_000_000);
    const withGone = { ...nodeFiles, list: () => [{ name: "gone.missed", kind: "file" as const }] };
    expect(open(withGone).lastMissed()).toBeUndefined();
    jobs.keep(job("t", { capture: false }));
    expect(jobs.missedAt(job("t"))).toBeDefined();
    jobs.keep(job("t"));
    expect(jobs.missedAt(job("t"))).toBeUndefined();
    expect(open({ ...nodeFiles, note: failingNote }).miss(job("u"))).toBe(false);
  });

  it("are pruned of what kills left and of word that nobody asked for, not of what is newer", () => {
    const jobs = open();
    jobs.keep(job("s"));
    for (const [name, time] of [
      ["a.json.7.tmp", 1_000],
      ["b.json.7.tmp", 9_000],
      ["c.missed", 1_000],
      ["d.missed", 5_000],
    ] as const) {
      fs.writeFileSync(`${directory}/${name}`, "");
      setAge(name, time);
    }
    for (const name of names().filter((one) => /^[0-9a-f]{32}/u.test(one))) setAge(name, 1_000);
    jobs.prune(5_000);
    expect(names().filter((name) => !name.endsWith(".json"))).toEqual(["b.json.7.tmp", "d.missed"]);
    expect(jobs.waiting()).toHaveLength(1);
  });
});

const failingNote = (): never => {
  throw new MemoryError("disk-full", "full");
};

describe("the worker's state on disk", () => {
  const file = (): string => `${directory}/state.json`;
  const read = (): WorkerState => readWorkerState(file(), nodeFiles);
  const write = (value: unknown): void => {
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(file(), typeof value === "string" ? value : JSON.stringify(value));
  };
  const STATE: WorkerState = {
    running: { session: "claude-code s1", since: 3 },
    lastRun: { time: 9, ms: 8, sessions: 7, turns: 6, notes: 5, refused: 4, by: "model" },
    lastFailure: { time: 2, message: "it failed", session: "claude-code s1" },
  };
  const NOTHING: WorkerState = { running: undefined, lastRun: undefined, lastFailure: undefined };

  it("is read as it was written, and as nothing where it is not there or damaged", () => {
    expect(read()).toEqual(NOTHING);
    fs.mkdirSync(directory);
    writeWorkerState(file(), STATE, nodeFiles);
    expect([read(), names()]).toEqual([STATE, ["state.json"]]);
    for (const damaged of ['{"run', "[]", { running: 5, lastRun: "x", lastFailure: null }]) {
      write(damaged);
      expect(read()).toEqual(NOTHING);
    }
  });

  it("reads what is not as expected as nothing done, by rules, of a session unknown", () => {
    write({ running: {}, lastRun: { by: "else", notes: -1 }, lastFailure: { message: 5 } });
    expect(read()).toEqual({
      running: { session: "undefined", since: 0 },
      lastRun: { time: 0, ms: 0, sessions: 0, turns: 0, notes: 0, refused: 0, by: "rules" },
      lastFailure: { time: 0, message: "5", session: undefined },
    });
  });

  it("forgets the failure of a session that was captured after all, and of no other", () => {
    const after = (failure: WorkerState["lastFailure"], ...sessions: readonly string[]): boolean => {
      write({ ...STATE, lastFailure: failure });
      clearFailure(file(), sessions, nodeFiles);
      expect(read()).toMatchObject({ running: STATE.running, lastRun: STATE.lastRun });
      return read().lastFailure === undefined;
    };
    const failure = STATE.lastFailure;
    expect(after(failure, "codex s1", "claude-code s1")).toBe(true);
    expect(after(failure, "claude-code s2")).toBe(false);
    // What an earlier version wrote names its session in the message only.
    const old = { time: 2, message: "no part of claude-code s1 could be read", session: undefined };
    expect(after(old, "claude-code s2", "claude-code s1")).toBe(true);
    expect(after(old, "claude-code s2")).toBe(false);
    write({ running: STATE.running });
    clearFailure(file(), ["claude-code s1"], { ...nodeFiles, note: failingNote });
  });
});
