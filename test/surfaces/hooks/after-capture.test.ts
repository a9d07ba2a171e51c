import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { queueCapture } from "../../../src/app/background/capture-jobs.ts";
import { runCaptureWorker } from "../../../src/app/background/capture-worker.ts";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { estimateTokens } from "../../../src/core/shared/text.ts";
import { answerFromNotes } from "../../../src/surfaces/hooks/answers.ts";
import { clientNamed } from "../../../src/surfaces/hooks/clients.ts";
import type { HookAnswer } from "../../../src/surfaces/hooks/event.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { type SessionFile, sessionFile } from "../../support/session-file.ts";

const CLIENTS = ["claude-code", "codex", "gemini", "opencode"] as const;
const RULE = "From now on squash the commits of a branch before merging";
const CORRECTION = "No, the importer must keep empty rows, our accountants count them";

let root: string;
let project: string;
let session: SessionFile;
let open: OpenWorkspace | undefined;

beforeEach(() => {
  root = scratch();
  project = `${homeOf(root)}/project`;
  fs.mkdirSync(`${project}/.git`, { recursive: true });
  session = sessionFile(`${root}/s1.jsonl`, "s1", project);
});
afterEach(() => {
  open?.close();
  open = undefined;
});

const here = (mode?: string): Locations =>
  locate({ cwd: project, environment: { ...emptyHome(root), ...(mode !== undefined && { MEMDIR_MODE: mode }) } });

/** A turn ends, and the worker sees to it. */
async function turnEnds(...words: Parameters<SessionFile["say"]>): Promise<void> {
  session.say(...words);
  const job = { agent: "claude-code", session: "s1", transcript: session.path };
  expect(queueCapture(here(), job)).toEqual({ kind: "kept" });
  const bounds = { jobMs: 60_000, totalMs: 120_000 };
  await runCaptureWorker({ memdirHome: here().memdirHome, environment: emptyHome(root) }, { bounds });
}

/** All that a client is told at an event. */
function told(event: object, { client = "claude-code", mode = "auto", isTaken = true } = {}): HookAnswer {
  const adapter = clientNamed(client);
  const read = adapter?.read({ session_id: "s2", cwd: project, ...event });
  if (adapter === undefined || (read?.kind !== "prompt" && read?.kind !== "session-start"))
    throw new Error(`${client} reads nothing from ${JSON.stringify(event)}`);
  open?.close();
  const locations = here(mode);
  open = openWorkspace(locations);
  let said: HookAnswer = {};
  const say = (answer: HookAnswer): boolean => {
    said = answer;
    return isTaken;
  };
  answerFromNotes({ workspace: open, locations, client: adapter, verify: (outcome) => outcome, say }, read);
  return said;
}

const START = { hook_event_name: "SessionStart", source: "startup" };
const prompt = (session_id = "s1"): object => ({ hook_event_name: "UserPromptSubmit", prompt: "go on", session_id });

describe("what was kept without anybody asking", () => {
  it.each(CLIENTS)("is told the person in one line at the next start, once: %s", async (client) => {
    await turnEnds(RULE);
    expect(told({ ...START, source: "compact" }, { client }).notice).toBeUndefined();
    expect(told(START, { client, isTaken: false }).notice).toContain("memdir kept 1 note");
    expect(told(START, { client }).notice).toMatch(
      /^memdir kept 1 note: (\S*squash\S*); `memdir undo \1` takes it back$/u,
    );
    expect(told(START, { client }).notice).toBeUndefined();
  });

  it("is counted where it is much, and is of this project alone", async () => {
    for (const what of ["quokkas", "wombats", "koalas", "dingos", "emus"])
      await turnEnds(`Never commit fixtures of ${what} to the ${what} branch`);
    fs.mkdirSync(`${homeOf(root)}/other/.git`, { recursive: true });
    const other = { ...START, cwd: `${homeOf(root)}/other` };
    project = other.cwd;
    expect(told(other).notice).toBeUndefined();
    project = `${homeOf(root)}/project`;
    const { notice = "" } = told(START);
    expect(notice).toMatch(
      /^memdir kept 5 notes: \S+, \S+, \S+ and 2 more \(`memdir [^`]+` lists them\); `memdir undo NAME` takes one back$/u,
    );
    const [, command = ""] = /\(`memdir ([^`]+)`/u.exec(notice) ?? [];
    const { out } = await cli(command.split(" "), { cwd: project, environment: emptyHome(root) });
    for (const what of ["quokkas", "wombats", "koalas", "dingos", "emus"]) expect(out).toContain(what);
    const later = await cli(["list", "--since", "2999-01-01"], { cwd: project, environment: emptyHome(root) });
    expect(later.out).toContain("no note was written or changed since then");
  });

  it("names first what holds in every project", async () => {
    for (const what of ["quokkas", "wombats"]) await turnEnds(`Never commit fixtures of ${what} to the ${what} branch`);
    await turnEnds("I am a backend developer with ten years of Go");
    expect(told(START).notice).toMatch(/^memdir kept 3 notes: user:\S+, /u);
  });

  it("is no news once it was undone with the words of the line", async () => {
    await turnEnds(RULE);
    const [, command = ""] = /`memdir (.*)`/u.exec(told(START, { isTaken: false }).notice ?? "") ?? [];
    const options = { cwd: project, environment: emptyHome(root) };
    expect(await cli(command.split(" "), options)).toMatchObject({ code: 0 });
    expect(told(START).notice).toBeUndefined();
  });

  it("is not told where memory may not be written, nor where nothing was kept", async () => {
    await turnEnds("Draw the box in the middle");
    expect(told(START).notice).toBeUndefined();
    await turnEnds(RULE);
    expect(told(START, { mode: "recall-only" }).notice).toBeUndefined();
    expect(told(START, { mode: "off" }).notice).toBeUndefined();
    expect(told(START).notice).toContain("squash");
  });
});

describe("a correction that the agent did not save", () => {
  const unsaved = (answer: HookAnswer): string =>
    /<memdir-context source="unsaved">[^]*/u.exec(answer.context ?? "")?.[0] ?? "";

  it("is put before it once more at the next prompt, in forty tokens, in this session alone", async () => {
    await turnEnds(CORRECTION);
    expect(unsaved(told(prompt("s2")))).toBe("");
    const line = unsaved(told(prompt()));
    expect(line).toContain('"No, the importer must keep empty');
    expect(line).toContain("`remember`");
    expect(estimateTokens(line)).toBeLessThanOrEqual(40);
    expect(unsaved(told(prompt()))).toBe("");
  });

  it("is the last one, in any script", async () => {
    await turnEnds(CORRECTION);
    await turnEnds("不对，导入程序要保留空行，会计每个月都会数这些行，还要给审计员看，他们已经问过两次了。");
    const line = unsaved(told(prompt()));
    expect(line).not.toContain("importer");
    expect(estimateTokens(line)).toBeLessThanOrEqual(40);
  });

  it.each([
    ["the agent saved it", CORRECTION, [{ name: "mcp__memdir__remember", input: { text: "x" } }]],
    ["rules wrote it", RULE, []],
    ["it is no correction", "Draw the box in the middle of the page", []],
    ["it says nothing", "no, stop", []],
  ])("is left alone where %s", async (_, words, calls) => {
    await turnEnds(words, calls);
    expect(unsaved(told(prompt()))).toBe("");
  });

  it("is not spoken of where a later turn held none, memory may not be written, or a person switched it off", async () => {
    await turnEnds(CORRECTION);
    expect(unsaved(told(prompt(), { mode: "recall-only" }))).toBe("");
    fs.writeFileSync(`${here().memdirHome}/settings.json`, JSON.stringify({ askNextSession: false }));
    await turnEnds("No, never drop the header of the export either");
    expect(unsaved(told(prompt()))).toBe("");
  });
});
