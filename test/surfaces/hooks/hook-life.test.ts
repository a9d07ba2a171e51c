import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { captureJobs } from "../../../src/app/background/capture-jobs.ts";
import { JOBS_FOLDER, WORKER_FILE } from "../../../src/app/capture/capture-places.ts";
import { hookFailures } from "../../../src/app/background/hook-trace.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import type { CaptureJob } from "../../../src/core/transcripts/capture-job.ts";
import type { HookParts } from "../../../src/surfaces/hooks/hook.ts";
import { runHook } from "../../../src/surfaces/hooks/run-hook.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

let root: string;
let memdir: string;

beforeEach(() => {
  root = scratch(memoryDirectory());
  memdir = path.join(homeOf(root), ".memdir");
  fs.mkdirSync(path.join(root, "project", ".git"), { recursive: true });
  fs.writeFileSync(path.join(root, "s.jsonl"), "");
  // A worker seems to be at work, so that none is started.
  fs.mkdirSync(path.dirname(path.join(memdir, WORKER_FILE)), { recursive: true });
  fs.writeFileSync(path.join(memdir, WORKER_FILE), String(process.pid));
});

interface Asked {
  readonly argv?: readonly string[];
  readonly load?: () => object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Every part is the same object: a test gives it the functions that it expects to be called. */
function parts(load: (name: string) => object): Pick<HookParts, "answers" | "full" | "shell"> {
  const part = (name: string) => () => load(name) as never;
  return { answers: part("answers"), full: part("full"), shell: part("shell") };
}

/** What Claude Code is told at an event, and which parts were loaded for it. */
async function run(
  event: object,
  asked: Asked = {},
): Promise<{ readonly out: string; readonly loaded: readonly string[] }> {
  let out = "";
  const loaded: string[] = [];
  const sent = { session_id: "s", cwd: `${root}/project`, transcript_path: `${root}/s.jsonl`, ...event };
  await runHook(asked.argv ?? ["claude-code"], {
    environment: { ...emptyHome(root), ...asked.environment },
    file: "hook.cjs",
    ...parts((name) => (loaded.push(name), asked.load?.() ?? {})),
    read: () => asked.text ?? JSON.stringify(sent),
    write: (text) => {
      out += text;
      return true;
    },
  });
  return { out, loaded };
}

type Say = { readonly say: (answer: object) => boolean };
const saying = (answer: object) => () => ({
  answerQuickly: (_: unknown, __: unknown, { say }: Say): boolean => say(answer),
});
const START = { hook_event_name: "SessionStart" };
const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "hello" };
const jobs = (): readonly CaptureJob[] =>
  captureJobs(locate({ cwd: `${root}/project`, environment: emptyHome(root) })).waiting();
const failures = (): readonly string[] => hookFailures(memdir).map(({ code, event }) => `${code} at ${event}`);

describe("a hook", () => {
  it("says and does nothing for a client or an event that it does not know, or where memory is off", async () => {
    const load = saying({ context: "c" });
    expect(await run(PROMPT, { argv: ["someone"], load })).toEqual({ out: "", loaded: [] });
    expect(await run(PROMPT, { argv: [], load })).toEqual({ out: "", loaded: [] });
    expect(await run({ hook_event_name: "Notification" }, { load })).toEqual({ out: "", loaded: [] });
    for (const event of [PROMPT, { hook_event_name: "Stop" }])
      expect(await run(event, { load, environment: { MEMDIR_MODE: "off" } })).toEqual({ out: "", loaded: [] });
    expect([jobs(), failures()]).toEqual([[], []]);
  });

  it("answers from notes what is a prompt, a start or what follows a compaction", async () => {
    const told = async (event: object): Promise<string> => (await run(event, { load: saying({ context: "c" }) })).out;
    expect(await told(PROMPT)).toContain('"additionalContext":"c"');
    expect(await told(START)).toContain('"additionalContext":"c"');
    expect((await run({ hook_event_name: "PostCompact" })).loaded).toEqual(["answers"]);
    expect((await run({ ...PROMPT, prompt: " \n" }, { load: saying({ context: "c" }) })).loaded).toEqual([]);
  });

  it("makes visible what a reader cannot see, in all that it says", async () => {
    const out = (await run(PROMPT, { load: saying({ context: "a\u200Bb", notice: "c\u202Ed" }) })).out;
    expect(out).not.toMatch(/[\u200B\u202E]/u);
    expect(JSON.parse(out)).toMatchObject({
      systemMessage: expect.stringContaining("202E"),
      hookSpecificOutput: { additionalContext: expect.stringContaining("200B") },
    });
  });

  it("says what is as long as a client takes it, and cuts what is longer", async () => {
    for (const length of [9_500, 9_501]) {
      const { out } = await run(PROMPT, { load: saying({ context: "x".repeat(length) }) });
      const { additionalContext } = JSON.parse(out).hookSpecificOutput;
      expect([additionalContext.length, additionalContext.endsWith("x")]).toEqual([9_500, length === 9_500]);
    }
  });

  it("in a process of its own answers in full, or refines, and leaves no record", async () => {
    const did: string[] = [];
    const load = () => ({
      answerInFull: (_: unknown, __: unknown, { say }: Say) => (did.push("full"), say({ context: "in full" })),
      refinePrompt: () => void did.push("refine"),
    });
    expect((await run(PROMPT, { argv: ["claude-code", "full"], load })).out).toContain("in full");
    expect((await run(PROMPT, { argv: ["claude-code", "refine"], load })).out).toBe("");
    expect(did).toEqual(["full", "refine"]);
    expect((await run(PROMPT, { argv: ["claude-code", "else"], load: saying({ context: "as ever" }) })).out).toContain(
      "as ever",
    );
  });
});

describe("a hook at which something goes wrong", () => {
  const broken = (error: Error) => () => ({
    answerQuickly: () => {
      throw error;
    },
  });

  it("tells the person once a day, traces each time, and lets the client go on", async () => {
    const load = broken(new MemoryError("io", "the disk is gone"));
    const { out } = await run(PROMPT, { load });
    expect(JSON.parse(out)).toEqual({
      systemMessage:
        "memdir could not help here (the disk is gone). The agent works on without it; `memdir status` shows more.",
    });
    expect((await run(PROMPT, { load })).out).toBe("");
    expect(failures()).toEqual(["io at prompt", "io at prompt"]);
    expect((await run(PROMPT, { load: broken(new TypeError("a fault")) })).out).toContain("a fault");
    expect(failures().toSorted()).toEqual(["bug at prompt", "io at prompt", "io at prompt"]);
  });

  it.each(["not JSON", "[]", "null", '"text"', ""])("says nothing where what it is told is %j", async (text) => {
    expect(await run({}, { text })).toEqual({ out: "", loaded: [] });
    expect(failures()).toEqual(["invalid-input at unknown"]);
  });

  it("reads what begins with a byte order mark", async () => {
    const text = `\uFEFF${JSON.stringify({ ...PROMPT, cwd: `${root}/project`, session_id: "s" })}`;
    expect((await run({}, { text, load: saying({ context: "c" }) })).out).toContain('"c"');
  });

  it("traces in the place of MEMDIR_HOME, else of the home, and nowhere without one", async () => {
    const text = "not JSON";
    await run({}, { text, environment: { MEMDIR_HOME: `${root}/moved` } });
    expect([hookFailures(`${root}/moved`).length, failures()]).toEqual([1, []]);
    await run({}, { text, environment: { HOME: "", USERPROFILE: `${root}/profile` } });
    expect(hookFailures(`${root}/profile/.memdir`)).toHaveLength(1);
    expect(await run({}, { text, environment: { HOME: "" } })).toEqual({ out: "", loaded: [] });
  });
});

describe("the record that a hook leaves", () => {
  it.each([
    ["Stop", { capture: true, checkpoint: undefined }],
    ["SessionEnd", { capture: true, checkpoint: "session-end" }],
    ["PreCompact", { capture: false, checkpoint: "before-compaction" }],
  ] as const)("at %s says %j", async (hook_event_name, expected) => {
    expect((await run({ hook_event_name, prompt_id: "p" })).out).toBe("");
    expect(jobs()).toMatchObject([
      { agent: "claude-code", session: "s", turn: "p", transcript: `${root}/s.jsonl`, attempts: 0, ...expected },
    ]);
  });

  it.each([
    ["a sub-agent", { agent_id: "a" }],
    ["a session without a name", { session_id: "" }],
    ["a session whose transcript is not told", { transcript_path: undefined }],
  ])("is none of %s", async (_, more) => {
    for (const hook_event_name of ["Stop", "SessionEnd", "PreCompact"]) await run({ hook_event_name, ...more });
    expect(jobs()).toEqual([]);
  });

  it("of OpenCode names its database", async () => {
    const argv = ["opencode"];
    await run({ hook_event_name: "Stop", transcript_path: undefined }, { argv });
    expect(jobs()).toMatchObject([{ transcript: `${homeOf(root)}/.local/share/opencode/opencode.db#s` }]);
    await run(
      { hook_event_name: "Stop", transcript_path: undefined, session_id: "t" },
      { argv, environment: { XDG_DATA_HOME: `${root}/data` } },
    );
    expect(jobs().map(({ transcript }) => transcript)).toContain(`${root}/data/opencode/opencode.db#t`);
  });

  it("is left at a start where an earlier one could not be, and else not", async () => {
    const load = saying({});
    await run(START, { load });
    expect(jobs()).toEqual([]);
    fs.mkdirSync(path.join(memdir, JOBS_FOLDER), { recursive: true });
    fs.writeFileSync(path.join(memdir, JOBS_FOLDER, `${"0".repeat(32)}.missed`), "");
    await run(PROMPT, { load });
    expect(jobs()).toEqual([]);
    await run(START, { load });
    expect(jobs()).toMatchObject([{ capture: false, checkpoint: undefined }]);
  });
});
