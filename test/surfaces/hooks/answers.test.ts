import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { forgetGiven } from "../../../src/app/recall/session-start.ts";
import { writeLogLine } from "../../../src/core/recall/log-line.ts";
import { answerFromNotes } from "../../../src/surfaces/hooks/answers.ts";
import { clientNamed } from "../../../src/surfaces/hooks/clients.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const NOTE = "never a mocked quokka service";
const PIN = "prefer short answers";
const ASKED = "which container do the quokka tests need";
/** How each client names a prompt. */
const CLIENTS = [
  ["claude-code", "UserPromptSubmit"],
  ["codex", "UserPromptSubmit"],
  ["gemini", "BeforeAgent"],
  ["opencode", "UserPromptSubmit"],
] as const;

let root: string;
let environment: Record<string, string | undefined>;
let open: OpenWorkspace | undefined;

beforeEach(async () => {
  root = scratch();
  environment = emptyHome(root);
  fs.mkdirSync(`${root}/project/.git`, { recursive: true });
  await memdir("remember", `The quokka tests need the container, ${NOTE}.`, "--type", "feedback", "--name", "quokka");
  await memdir("remember", `I am called dev and ${PIN}.`, "--type", "user", "--name", "who-i-am");
  await memdir("pin", "who-i-am");
});
afterEach(() => open?.close());

async function memdir(...argv: readonly string[]): Promise<void> {
  expect(await cli(argv, { cwd: `${root}/project`, environment }), argv.join(" ")).toMatchObject({ code: 0 });
}

function here(): Locations {
  return locate({ cwd: `${root}/project`, environment });
}

/** What a client's model is told at an event; `isTaken` is whether anybody takes it. */
function told(client: string, event: object, isTaken = true): string {
  const adapter = clientNamed(client);
  const read = adapter?.read({ session_id: "s", cwd: `${root}/project`, ...event });
  if (
    adapter === undefined ||
    (read?.kind !== "prompt" && read?.kind !== "session-start" && read?.kind !== "after-compaction")
  )
    throw new Error(`${client} reads no event of notes from ${JSON.stringify(event)}`);
  let said = "";
  open?.close();
  const locations = here();
  open = openWorkspace(locations);
  for (const { store } of open.stores) store.reconcile("full");
  answerFromNotes(
    {
      workspace: open,
      locations,
      client: adapter,
      verify: (outcome) => outcome,
      say: ({ context }) => {
        said = context ?? "";
        return isTaken;
      },
    },
    read,
  );
  return said;
}

function count(text: string): object {
  return { note: text.split(NOTE).length - 1, pin: text.split(PIN).length - 1 };
}

const start = (source: string, more: object = {}): object => ({ hook_event_name: "SessionStart", source, ...more });

describe("what a client is told of notes", () => {
  it.each(CLIENTS)("is given again when nobody took it, and else not: %s", (client, prompt) => {
    const transcript = { transcript_path: geminiTranscript("") };
    for (const event of [start("startup"), { hook_event_name: prompt, prompt: ASKED, ...transcript }]) {
      const first = told(client, event, false);
      const again = told(client, event);
      expect(again).toBe(first);
      if (again === "") continue;
      if (client === "gemini") geminiTranscript(again);
      expect(told(client, event)).toBe("");
    }
    expect(told(client, { hook_event_name: prompt, prompt: ASKED, ...transcript, session_id: "other" })).toContain(
      NOTE,
    );
  });

  it.each(CLIENTS)("holds each note once from start to prompt, and again after a compaction: %s", (client, prompt) => {
    const turn = { hook_event_name: prompt, prompt: ASKED, transcript_path: geminiTranscript("") };
    for (const source of ["startup", "compact", "clear"]) {
      if (source !== "startup") geminiTranscript("a summary");
      const said = told(client, start(source)) + told(client, turn);
      // Once as a line of the index, once whole; of a pinned note the index has no line.
      expect(count(said)).toEqual({ note: 2, pin: 1 });
      geminiTranscript(said);
      for (const event of [start("resume"), turn, start("resume")]) expect(told(client, event)).toBe("");
    }
  });

  it.each(CLIENTS)("is the new text of a pinned note that was edited since, once: %s", async (client, prompt) => {
    const turn = { hook_event_name: prompt, prompt: "hello", transcript_path: geminiTranscript("") };
    geminiTranscript(told(client, start("startup")) + told(client, turn));
    const options = { cwd: `${root}/project`, environment, input: "I am called dev and like long answers.\n" };
    expect(await cli(["edit", "who-i-am", "--body", "-"], options)).toMatchObject({ code: 0 });
    const said = told(client, start("resume")) + told(client, turn);
    expect(said).toContain("like long answers");
    expect(said).not.toContain("## Index");
    expect(told(client, start("resume")) + told(client, turn)).toBe("");
  });

  it.each(CLIENTS)(
    "stays what the mode allows where nothing may be logged: the start once, and no more on resume: %s",
    (client, prompt) => {
      environment = { ...environment, MEMDIR_RECALL_LOG: "off" };
      const turn = { hook_event_name: prompt, prompt: "hello", transcript_path: geminiTranscript("") };
      const said = told(client, start("startup")) + told(client, turn);
      expect(count(said)).toMatchObject({ pin: 1 });
      geminiTranscript(said);
      for (const source of ["resume", "fork"]) expect(told(client, start(source)) + told(client, turn)).toBe("");
    },
  );
});

/** What Gemini CLI shows its model, as it keeps it: with what hooks said, escaped. */
function geminiTranscript(said: string): string {
  const text = `<hook_context>${said.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</hook_context>`;
  const messages = [{ type: "user", content: [{ text: "hello" }, { text }] }];
  const before = { $set: { messages: [{ content: [{ text: '<memdir-context source="session-start">' }] }] } };
  fs.writeFileSync(`${root}/gemini.jsonl`, `${JSON.stringify(before)}\n${JSON.stringify({ $set: { messages } })}\n`);
  return `${root}/gemini.jsonl`;
}

describe("a fork", () => {
  const forked = (more: object): object =>
    start("fork", { session_id: "fork", transcript_path: `${root}/t/fork.jsonl`, ...more });
  const turn = { hook_event_name: "UserPromptSubmit", prompt: ASKED, session_id: "fork" };
  const begin = (client: string): void => {
    fs.mkdirSync(`${root}/t`, { recursive: true });
    told(client, start("startup"));
    told(client, { hook_event_name: "UserPromptSubmit", prompt: ASKED });
  };
  /** A session of Claude Code whose last answer came so many seconds ago. */
  const transcript = (session: string, seconds: number, tokens: number): void => {
    const usage = { input_tokens: tokens - 5, output_tokens: 5 };
    const time = (ago: number): string => new Date(Date.now() - ago * 1000).toISOString();
    const lines = [
      { type: "assistant", timestamp: time(seconds + 60), message: { usage: { input_tokens: 7 } } },
      { type: "assistant", timestamp: time(seconds), message: { usage } },
      { type: "last-prompt" },
    ];
    fs.writeFileSync(`${root}/t/${session}.jsonl`, lines.map((line) => JSON.stringify(line)).join("\n"));
  };
  const idle = { seconds_since_last_response: 40, context_tokens: 105 };

  it("in Claude Code has what the session had whose last answer fits", () => {
    begin("claude-code");
    transcript("s", 40, 105);
    transcript("younger", 5, 105);
    transcript("larger", 40, 900);
    expect(told("claude-code", forked(idle)) + told("claude-code", turn)).toBe("");
  });

  it("in Claude Code is given all where two sessions fit, or none", () => {
    for (const others of [["s", "twin"], []]) {
      begin("claude-code");
      for (const session of others) transcript(session, 40, 105);
      const said = told("claude-code", forked(idle)) + told("claude-code", turn);
      expect(count(said)).toEqual({ note: 2, pin: 1 });
      fs.rmSync(`${root}/t`, { recursive: true });
      forgetGiven(openedWorkspace(), "fork");
    }
  });

  it("in Codex has what the session had that its transcript names", () => {
    begin("codex");
    fs.writeFileSync(`${root}/t/fork.jsonl`, `${JSON.stringify({ payload: { id: "fork", forked_from_id: "s" } })}\n`);
    expect(told("codex", forked({})) + told("codex", turn)).toBe("");
  });

  it("in OpenCode has what the session had that the plugin names", () => {
    begin("opencode");
    expect(told("opencode", forked({ forked_from: "s" })) + told("opencode", turn)).toBe("");
  });
});

function openedWorkspace(): OpenWorkspace {
  if (open === undefined) throw new Error("no event was told yet");
  return open;
}

describe("a session's 60,000 characters", () => {
  const ask = (): string => told("claude-code", { hook_event_name: "UserPromptSubmit", prompt: ASKED });

  it("end with a word to the agent, once, and start anew after a compaction", () => {
    told("claude-code", start("startup"));
    const given = { selected: [], pointed: [], candidates: [], cut: [], floors: { whole: 1, pointer: 0 }, notes: {} };
    openedWorkspace().recallLog.append(
      writeLogLine({
        ...given,
        time: new Date().toISOString(),
        session: "s",
        project: "",
        prompt: "q",
        ms: 1,
        characters: 59_900,
        by: "rules",
      }),
    );
    const said = ask();
    expect(said).toContain("60,000 characters");
    expect(said).not.toContain(NOTE);
    expect([ask(), ask()]).toEqual(["", ""]);
    told("claude-code", start("compact"));
    expect(ask()).toContain(NOTE);
  });

  it("are not spoken of where nothing would be recalled", () => {
    expect(told("claude-code", { hook_event_name: "UserPromptSubmit", prompt: "hello" })).toBe("");
  });
});
