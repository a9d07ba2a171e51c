import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { readWorkerState, writeWorkerState } from "../../../src/adapters/files/worker-state.ts";
import {
  captureFile,
  type CaptureFileOptions,
  isCaptured,
  newWindows,
  openCaptureCursors,
  sessionName,
  sessionNamed,
} from "../../../src/app/capture/capture-file.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { Extraction } from "../../../src/core/capture/extract/extract.ts";
import type { Extractor } from "../../../src/app/capture/capture-session.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { claudeLine, writeOpenCode } from "../../support/past.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { type SessionFile, sessionFile } from "../../support/session-file.ts";

const SQUASH = "From now on always squash the commits of a branch before merging";
const FRIDAY = "We never deploy on Fridays, because nobody is there to look after it";
/** More than half of what one window holds. */
const LONG = "This is only some long text that asks for nothing at all. ".repeat(1_100);
/** More than a model is asked about at once. */
const MANY = Array.from({ length: 40 }, () => LONG.slice(0, 2_000));

let root: string;
let workspace: OpenWorkspace;
let session: SessionFile;

beforeEach(() => {
  root = scratch(memoryDirectory());
  fs.mkdirSync(`${homeOf(root)}/project`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${homeOf(root)}/project`, environment: emptyHome(root) }));
  session = sessionFile(`${root}/session.jsonl`, "s1", `${homeOf(root)}/project`);
});

afterEach(() => workspace.close());

const home = (): string => workspace.locations.memdirHome;
const notes = (): readonly string[] => {
  const directory = workspace.locations.stores[0]?.directory ?? "";
  return fs.existsSync(directory) ? fs.readdirSync(directory).filter((name) => name !== "MEMORY.md") : [];
};
const capture = (options: CaptureFileOptions = {}, file = session.path): ReturnType<typeof captureFile> =>
  captureFile(workspace, file, options);
const cursor = (name = "s1"): ReturnType<ReturnType<typeof openCaptureCursors>["read"]> =>
  openCaptureCursors(home()).read({
    agent: "claude-code",
    session: name,
    store: workspace.locations.stores[0]?.directory ?? "",
  });
const state = `captures/state.json`;
const failed = (name: string): void => {
  fs.mkdirSync(`${home()}/captures`, { recursive: true });
  const lastFailure = { time: 1, message: "it failed", session: sessionName("claude-code", name) };
  writeWorkerState(`${home()}/${state}`, { running: undefined, lastRun: undefined, lastFailure }, nodeFiles);
};
const isFailed = (): boolean => readWorkerState(`${home()}/${state}`, nodeFiles).lastFailure !== undefined;

describe("a capture of a session's file", () => {
  it("moves its cursor with its notes, and says how far it came", async () => {
    session.say(SQUASH);
    const progress: (readonly number[])[] = [];
    const result = await capture({ turn: "t1", onProgress: (...given) => progress.push(given) });
    const size = fs.statSync(session.path).size;
    expect(result).toMatchObject({ turns: 2, saved: 0, windows: 1, finished: true, problems: [] });
    expect([notes().length, progress]).toEqual([1, [[size, size]]]);
    expect(cursor()).toMatchObject({ offset: size, line: 2, after: undefined, turn: "t1" });
    expect(cursor()?.fingerprint).toMatch(/^[0-9a-f]{32}$/u);
    expect(Math.abs((cursor()?.time ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await capture()).toMatchObject({
      turns: 0,
      windows: 0,
      finished: true,
      outcome: { notes: [], refused: [] },
    });
  });

  it("leaves everything as it was in a dry run: no note, no cursor, and a failure stays told", async () => {
    session.say(SQUASH);
    failed("s1");
    expect(await capture({ dryRun: true })).toMatchObject({ turns: 2, outcome: { notes: [{ file: undefined }] } });
    expect([notes(), cursor(), isFailed()]).toEqual([[], undefined, true]);
    await capture();
    expect([notes().length, isFailed()]).toEqual([1, false]);
  });

  it("clears the failure of the session, under the name that the client gave it too, and of no other", async () => {
    session.say("hello");
    for (const [name, options, stays] of [
      ["s1", {}, false],
      ["other", {}, true],
      ["other", { session: "other" }, false],
      ["s1", { session: "other" }, false],
    ] as const) {
      failed(name);
      await capture(options);
      expect(isFailed(), `${name} ${JSON.stringify(options)}`).toBe(stays);
    }
  });

  it("begins at the beginning when it is asked to, and adds nothing twice", async () => {
    session.say(SQUASH);
    await capture();
    expect(await capture({ again: true })).toMatchObject({ turns: 2, outcome: { notes: [], refused: [{}] } });
    expect(await capture({ again: false })).toMatchObject({ turns: 0 });
    expect(notes()).toHaveLength(1);
  });

  it("stops between two windows when it is asked to, keeps what it did, and goes on there", async () => {
    for (const text of [`${SQUASH}. ${LONG}`, LONG, `${LONG} ${FRIDAY}.`]) session.say(text);
    let asked = 0;
    const first = await capture({ stop: () => ++asked > 1 });
    expect(first).toMatchObject({ turns: 2, windows: 1, finished: false });
    expect([notes().length, isCaptured(workspace.locations, session.path)]).toEqual([1, false]);
    const told: string[] = [];
    const rest = await capture({ onTurns: (turns) => told.push(turns.map(({ id }) => id).join(" ")) });
    expect(rest).toMatchObject({ turns: 4, windows: 2, finished: true });
    expect([notes().length, told.filter((ids) => ids !== "")]).toEqual([2, ["u2 a2", "u3 a3"]]);
    expect(await capture({ again: true, stop: () => true })).toMatchObject({ turns: 0, finished: false });
  });

  it("counts a cursor for nothing that no longer fits the file", async () => {
    session.say(SQUASH);
    await capture();
    fs.writeFileSync(session.path, fs.readFileSync(session.path, "utf8").replace("Answer 1.", "Answer one."));
    expect(isCaptured(workspace.locations, session.path)).toBeUndefined();
    expect(await capture()).toMatchObject({ turns: 2, outcome: { notes: [], refused: [{}] } });
  });

  it("knows whether it was captured to its end", async () => {
    session.say("one");
    expect(isCaptured(workspace.locations, session.path)).toBeUndefined();
    await capture();
    expect(isCaptured(workspace.locations, session.path)).toBe(true);
    session.say("two");
    expect(isCaptured(workspace.locations, session.path)).toBe(false);
  });

  it("refuses what is no transcript, and passes over unreadable lines of what is one", async () => {
    const other = `${root}/other.jsonl`;
    fs.writeFileSync(other, "hello\n");
    await expect(capture({}, other)).rejects.toThrow(/is not a transcript of .*line 1/u);
    session.append("not JSON\n");
    session.say(SQUASH);
    expect(await capture()).toMatchObject({ turns: 2, problems: [{ line: 1 }] });
    session.append("not JSON either\n");
    expect(await capture()).toMatchObject({ turns: 0, problems: [{ line: 4 }] });
    expect(await capture({ again: true })).toMatchObject({ turns: 2, problems: [{ line: 1 }, { line: 4 }] });
  });
});

describe("a capture that somebody asks for", () => {
  it("writes in manual mode, and one that nobody asked for does not; an empty file is a session without words", async () => {
    fs.mkdirSync(home(), { recursive: true });
    fs.writeFileSync(`${home()}/settings.json`, JSON.stringify({ modes: { everywhere: { all: "manual" } } }));
    workspace.close();
    workspace = openWorkspace(locate({ cwd: `${homeOf(root)}/project`, environment: emptyHome(root) }));
    session.append("");
    expect(await capture()).toMatchObject({ turns: 0, finished: true });
    session.say(SQUASH);
    expect(await capture({ askedBy: "itself", dryRun: true })).toMatchObject({ outcome: { notes: [] } });
    expect(await capture()).toMatchObject({ outcome: { notes: [{}] } });
  });
});

describe("the session that a file is of", () => {
  it("is the one that it names, else the one that the client names, else its place", async () => {
    const nameless = `${root}/nameless.jsonl`;
    fs.writeFileSync(
      nameless,
      claudeLine("user", "hello", { sessionId: undefined, uuid: "u1", promptSource: "typed" }),
    );
    session.say("hello");
    await capture({ session: "given" });
    expect([cursor("s1") !== undefined, cursor("given")]).toEqual([true, undefined]);
    await capture({ session: "given" }, nameless);
    expect(cursor("given")).toBeDefined();
    expect(sessionNamed(workspace.locations, nameless)).toMatch(/^[0-9a-f]{64}$/u);
    fs.symlinkSync(nameless, `${root}/link.jsonl`);
    expect(sessionNamed(workspace.locations, `${root}/link.jsonl`)).toBe(sessionNamed(workspace.locations, nameless));
  });

  it("is looked for in the first fifty lines", () => {
    const file = `${root}/late.jsonl`;
    const write = (before: number): void =>
      fs.writeFileSync(file, "\n".repeat(before) + claudeLine("user", "hello", { sessionId: "late" }));
    write(49);
    expect(sessionNamed(workspace.locations, file)).toBe("late");
    write(50);
    expect(sessionNamed(workspace.locations, file)).not.toBe("late");
  });
});

describe("an exchange in which the agent saved notes itself", () => {
  const write = (file_path: string): readonly { readonly name: string; readonly input: unknown }[] => [
    { name: "Write", input: { file_path, content: "x" } },
  ];

  it("is left alone wherever its path leads into memory, and no other is", async () => {
    const directory = workspace.locations.stores[0]?.directory ?? "";
    session.say(SQUASH, write(`${directory}/a.md`));
    session.say(FRIDAY, [...write(`${directory}-other/a.md`), ...write(`${root}/copy${directory}/a.md`)]);
    expect(await capture()).toMatchObject({ turns: 4, saved: 2, outcome: { notes: [{}] } });
    const relative = sessionFile(`${root}/relative.jsonl`, "s2", directory);
    relative.say("From now on always rebase onto main before you push anything", write("b.md"));
    expect(await capture({}, relative.path)).toMatchObject({ turns: 2, saved: 2, outcome: { notes: [] } });
    // A session that does not say where it ran, ran here.
    const unplaced = `${root}/unplaced.jsonl`;
    const input = { file_path: path.relative(workspace.locations.cwd, `${directory}/c.md`) };
    fs.writeFileSync(
      unplaced,
      claudeLine("user", "From now on always sign your commits", { uuid: "u1", promptSource: "typed" }) +
        claudeLine("assistant", [{ type: "tool_use", id: "t1", name: "Write", input }], { uuid: "a1" }),
    );
    expect(await capture({}, unplaced)).toMatchObject({ turns: 2, saved: 2, outcome: { notes: [] } });
  });
});

describe("a model that proposes", () => {
  const failing = { kind: "failed", reason: "timeout", message: "late", steps: 1, usage: {} };
  let asked: number;
  const extractor = (answer: unknown): Extractor => ({
    extract: async () => (asked++, answer as Extraction),
    instructions: () => "",
  });

  beforeEach(() => {
    asked = 0;
  });

  it("is not asked again for the windows that follow one without an answer", async () => {
    for (const text of [SQUASH, ...MANY]) session.say(text);
    const windows = [...newWindows(workspace.locations, session.path, { again: false, model: true })].length;
    expect(windows).toBeGreaterThan(1);
    const result = await capture({ extractor: extractor(failing) });
    expect(asked).toBe(1);
    expect(result).toMatchObject({ windows, outcome: { by: "rules", modelFailure: "timeout: late", notes: [{}] } });
  });

  it("is asked for each window that it answers, and not for one without a person's words", async () => {
    const answer = {
      kind: "plan",
      plan: { operations: [], proposed: [], refused: [] },
      steps: 1,
      usage: {},
    };
    session.append(claudeLine("assistant", [{ type: "text", text: "Hello, I am alone here." }], { uuid: "a0" }));
    await capture({ extractor: extractor(answer) });
    expect(asked).toBe(0);
    for (const text of MANY) session.say(text);
    expect(await capture({ extractor: extractor(answer) })).toMatchObject({ outcome: { by: "model", notes: [] } });
    expect(asked).toBeGreaterThan(1);
  });

  it("is told of in an estimate what is new only, in windows of its own size", async () => {
    for (const text of [LONG, LONG, LONG, LONG]) session.say(text);
    const count = (options: { again: boolean; model: boolean }): readonly number[] =>
      [...newWindows(workspace.locations, session.path, options)].map(({ turns }) => turns);
    expect(count({ again: false, model: true }).length).not.toBe(count({ again: false, model: false }).length);
    await capture();
    expect(count({ again: false, model: false })).toEqual([0]);
    expect(count({ again: true, model: false }).reduce((sum, one) => sum + one, 0)).toBe(8);
  });
});

describe("a session in OpenCode's database", () => {
  it("goes on after the turn that was captured last", async () => {
    const directory = `${root}/opencode`;
    const database = (said: readonly string[]): string => {
      fs.rmSync(directory, { recursive: true, force: true });
      return `${writeOpenCode(directory, [{ id: "ses_a", said }])}#ses_a`;
    };
    const first = database([SQUASH]);
    expect(isCaptured(workspace.locations, first)).toBeUndefined();
    expect(await capture({}, first)).toMatchObject({ turns: 1, windows: 1, outcome: { notes: [{}] } });
    expect([isCaptured(workspace.locations, first), sessionNamed(workspace.locations, first)]).toEqual([true, "ses_a"]);
    const second = database([SQUASH, FRIDAY]);
    expect(isCaptured(workspace.locations, second)).toBe(false);
    expect(await capture({}, second)).toMatchObject({ turns: 1, outcome: { notes: [{}], refused: [] } });
    expect(await capture({}, second)).toMatchObject({ turns: 0, windows: 0, finished: true });
    expect(await capture({ again: true }, second)).toMatchObject({ turns: 2, outcome: { notes: [] } });
  });
});
