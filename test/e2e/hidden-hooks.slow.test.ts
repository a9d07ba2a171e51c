import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { emptyHome, homeOf } from "../support/cli.ts";
import { planter, seedOfRun } from "../support/planted.ts";
import { scratch } from "../support/scratch.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

const CLAUDE = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "PostCompact", "SessionEnd"];
/** Each client with the events of its dialect. */
const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": CLAUDE,
  codex: CLAUDE,
  opencode: CLAUDE,
  gemini: ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "PreCompress", "SessionEnd"],
};

/** Every field that a client sends, in any event; `place` is what has to be where it says. */
const FIELDS = [
  "session_id",
  "prompt_id",
  "turn_id",
  "agent_id",
  "source",
  "prompt",
  "tool_name",
  "tool_use_id",
  "trigger",
  "reason",
  "message",
  "last_assistant_message",
  "custom_instructions",
  "model",
  "timestamp",
  "permission_mode",
];

it(
  "a secret in any field of any event of any client reaches no byte on the disk, nor one in the session that is captured then",
  { timeout: 180_000 },
  async () => {
    const root = scratch();
    const cwd = `${root}/orders`;
    const home = homeOf(root);
    fs.mkdirSync(`${cwd}/.git`, { recursive: true });
    fs.mkdirSync(home);
    const environment = emptyHome(root);
    const run = (file: string, args: readonly string[], input = ""): string =>
      spawnSync(process.execPath, [path.join(DIST, file), ...args], { cwd, env: environment, input, encoding: "utf8" })
        .stdout;
    run("memdir.cjs", ["remember", "The quokka tests need the container.", "--name", "quokka"]);
    const { plant, planted, found } = planter(seedOfRun());
    const transcript = (name: string): string => {
      const file = `${root}/${planted.length}.jsonl`;
      const line = (type: string, words: unknown, more = {}): string =>
        JSON.stringify({
          type,
          uuid: plant(`${name} uuid of ${type}`),
          sessionId: plant(`${name} sessionId`),
          cwd,
          gitBranch: plant(`${name} gitBranch`),
          timestamp: "2026-03-02T09:00:00Z",
          message: { role: type, content: words },
          ...more,
        });
      const lines = [
        line("user", `From now on always deploy with ${plant(`${name} words`)}.`, { promptSource: "typed" }),
        line("assistant", [
          { type: "text", text: `I use ${plant(`${name} answer`)}.` },
          {
            type: "tool_use",
            id: plant(`${name} call`),
            name: "Bash",
            input: { command: `echo ${plant(`${name} tool input`)}` },
          },
        ]),
        line("user", [{ type: "tool_result", tool_use_id: "t1", content: plant(`${name} tool result`) }]),
        line("user", "From now on always squash merges before pushing.", { promptSource: "typed" }),
        line("user", `A long paste:\n${"line of a log\n".repeat(200)}${plant(`${name} paste`)}`, {
          promptSource: "typed",
        }),
      ];
      fs.writeFileSync(file, `${lines.join("\n")}\n`);
      return file;
    };
    for (const [client, events] of Object.entries(CLIENTS))
      for (const event of events) {
        const name = `${client} ${event}`;
        const fields = (): object => ({
          ...Object.fromEntries(FIELDS.map((field) => [field, plant(`${name} ${field}`)])),
          tool_input: {
            command: plant(`${name} tool_input`),
            deep: [{ file_path: `/nowhere/${plant(`${name} file_path`)}` }],
          },
          hook_event_name: event,
        });
        const whole = { ...fields(), agent_id: undefined };
        run("hook.cjs", [client], JSON.stringify({ ...whole, cwd, transcript_path: transcript(name) }));
        run(
          "hook.cjs",
          [client],
          JSON.stringify({
            ...whole,
            cwd,
            prompt: `which container do the quokka tests need, ${plant(`${name} question`)}`,
          }),
        );
        run(
          "hook.cjs",
          [client],
          JSON.stringify({
            ...fields(),
            cwd: `/nowhere/${plant(`${name} cwd`)}`,
            transcript_path: `/nowhere/${plant(`${name} transcript_path`)}.jsonl`,
          }),
        );
        run(
          "hook.cjs",
          [client],
          JSON.stringify({ ...fields(), cwd, transcript_path: `/nowhere/${plant(`${name} transcript_path`)}.jsonl` }),
        );
      }
    run("hook.cjs", ["claude-code"], `{"hook_event_name": "Stop", "session_id": "${plant("torn input")}`);
    // Records of ended turns are worked off in the background; each run here takes what is left.
    const jobs = `${home}/.memdir/captures/jobs`;
    for (let round = 0; round < 20 && fs.existsSync(jobs) && fs.readdirSync(jobs).length > 0; round++) {
      run("memdir.cjs", ["capture", "--pending"]);
      await delay(100);
    }
    run("memdir.cjs", ["history"]);
    expect(planted.length).toBeGreaterThan(400);
    expect(run("memdir.cjs", ["list"])).toContain("squash merges");
    expect(fs.readFileSync(`${home}/.memdir/history.jsonl`, "utf8")).toContain("squash merges");
    expect(found(home, cwd)).toEqual([]);
  },
);
