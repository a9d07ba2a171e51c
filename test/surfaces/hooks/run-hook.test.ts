import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { JOBS_FOLDER, WORKER_FILE } from "../../../src/app/capture/capture-places.ts";
import { runHook } from "../../../src/surfaces/hooks/run-hook.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const CLIENTS = ["claude-code", "codex", "gemini", "opencode"] as const;
const NAMES = {
  start: { "claude-code": "SessionStart", codex: "SessionStart", gemini: "SessionStart", opencode: "SessionStart" },
  prompt: {
    "claude-code": "UserPromptSubmit",
    codex: "UserPromptSubmit",
    gemini: "BeforeAgent",
    opencode: "UserPromptSubmit",
  },
  stop: { "claude-code": "Stop", codex: "Stop", gemini: "AfterAgent", opencode: "Stop" },
  end: { "claude-code": "SessionEnd", codex: "SessionEnd", gemini: "SessionEnd", opencode: "SessionEnd" },
} as const;

let root: string;
let memdir: string;

beforeEach(() => {
  root = scratch();
  memdir = path.join(homeOf(root), ".memdir");
  fs.mkdirSync(path.join(root, "project", ".git"), { recursive: true });
  fs.writeFileSync(path.join(root, "s.jsonl"), "");
  // A worker seems to be at work, so that none is started.
  fs.mkdirSync(path.dirname(path.join(memdir, WORKER_FILE)), { recursive: true });
  fs.writeFileSync(path.join(memdir, WORKER_FILE), String(process.pid));
});

function unexpected(part: string): never {
  throw new Error(`${part} was loaded`);
}

/** What a client is told at an event, `said` being what notes would answer. */
async function run(client: string, event: object, said = ""): Promise<string> {
  let out = "";
  const answerQuickly = (_: unknown, __: unknown, { say }: { say: (answer: object) => boolean }): boolean =>
    say({ context: said });
  await runHook([client], {
    environment: emptyHome(root),
    file: "hook.cjs",
    answers: () => ({ answerQuickly }),
    full: () => unexpected("the full part"),
    shell: () => unexpected("the shell parser"),
    read: () =>
      JSON.stringify({ session_id: "s", cwd: `${root}/project`, transcript_path: `${root}/s.jsonl`, ...event }),
    write: (text) => {
      out += text;
      return true;
    },
  });
  return out;
}

function jobs(): readonly string[] {
  const folder = path.join(memdir, JOBS_FOLDER);
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

describe("the hook of every client", () => {
  it.each(CLIENTS)("says no more than clients take whole: %s", async (client) => {
    for (const kind of ["start", "prompt"] as const) {
      const out = await run(client, { hook_event_name: NAMES[kind][client], prompt: "hello" }, "x".repeat(20_000));
      const { additionalContext } = JSON.parse(out).hookSpecificOutput;
      expect(additionalContext).toHaveLength(9500);
    }
  });

  it.each(CLIENTS)("leaves the end of a turn to capture, and that of a sub-agent not: %s", async (client) => {
    for (const kind of ["stop", "end"] as const) {
      await run(client, { hook_event_name: NAMES[kind][client], agent_id: "a1" });
      expect(jobs(), kind).toEqual([]);
    }
    await run(client, { hook_event_name: NAMES.stop[client] });
    expect(jobs()).toHaveLength(1);
  });

  it.each(CLIENTS)(
    "tells once that a turn could not be kept for capture, where the client shows it: %s",
    async (client) => {
      fs.writeFileSync(path.join(memdir, JOBS_FOLDER), "a file in the place of the records");
      expect(await run(client, { hook_event_name: NAMES.end[client] })).toBe("");
      expect(JSON.parse(await run(client, { hook_event_name: NAMES.stop[client] })).systemMessage).toContain(
        "could not keep what is to be noted of this turn",
      );
      for (const kind of ["stop", "end", "start"] as const)
        expect(await run(client, { hook_event_name: NAMES[kind][client] })).not.toContain("systemMessage");
    },
  );

  it.each(CLIENTS)(
    "tells at the next start, beside the context, what a session's end could not tell: %s",
    async (client) => {
      const records = path.join(memdir, JOBS_FOLDER);
      fs.writeFileSync(records, "a file in the place of the records");
      await run(client, { hook_event_name: NAMES.end[client] });
      fs.rmSync(records);
      const out = JSON.parse(await run(client, { hook_event_name: NAMES.start[client] }, "said at the start"));
      expect(out).toMatchObject({
        systemMessage: expect.stringContaining("an earlier turn could not be kept"),
        hookSpecificOutput: { additionalContext: "said at the start" },
      });
      expect(await run(client, { hook_event_name: NAMES.stop[client] })).toBe("");
    },
  );

  it.each(CLIENTS)("forgets at a session's start that memdir was gone: %s", async (client) => {
    const mark = path.join(memdir, `gone-for-${client}`);
    fs.mkdirSync(mark);
    await run(client, { hook_event_name: NAMES.start[client] });
    expect(fs.existsSync(mark)).toBe(false);
  });
});
