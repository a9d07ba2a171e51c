import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { queueCapture } from "../../../src/app/background/capture-jobs.ts";
import { runCaptureWorker } from "../../../src/app/background/capture-worker.ts";
import { waitingSessions } from "../../../src/app/capture/unjudged-sessions.ts";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { type FakeAgent, fakeAgent } from "../../support/fake-agent.ts";
import { scratch } from "../../support/scratch.ts";
import { type SessionFile, sessionFile } from "../../support/session-file.ts";

const SAID = "Our accountants count the empty rows of the importer every month";
const OPERATION = {
  action: "create",
  note: "",
  type: "project",
  name: "accountants-count-empty-rows",
  description: "Accountants count the empty rows of the importer every month",
  rule: "The accountants count the empty rows of the importer every month.",
  why: "",
  how: "",
  message: "u1",
  quote: SAID,
};
const ANSWER = JSON.stringify({
  structured_output: { look: [], operations: [OPERATION] },
  usage: { input_tokens: 3000, output_tokens: 90 },
});

let root: string;
let project: string;
let session: SessionFile;

beforeEach(() => {
  root = scratch();
  project = `${homeOf(root)}/project`;
  fs.mkdirSync(`${project}/.git`, { recursive: true });
  session = sessionFile(`${root}/s1.jsonl`, "s1", project);
});

/** Claude Code's command, found by PATH, plays what it is told. */
function claude(mode: Parameters<typeof fakeAgent>[1] = "answer"): FakeAgent {
  const agent = fakeAgent(root, mode, ANSWER);
  fs.mkdirSync(`${root}/bin`);
  fs.renameSync(agent.command, `${root}/bin/claude`);
  const PATH = `${root}/bin${path.delimiter}${process.env["PATH"] ?? ""}`;
  return { ...agent, environment: { ...emptyHome(root), ...agent.environment, PATH } };
}

const here = ({ environment }: FakeAgent): Locations => locate({ cwd: project, environment });

function memdir(agent: FakeAgent, argv: readonly string[], answer?: boolean): ReturnType<typeof cli> {
  const options = { cwd: project, environment: agent.environment };
  return cli(argv, answer === undefined ? options : { ...options, answer });
}

async function turnEnds(agent: FakeAgent, checkpoint?: "session-end"): Promise<void> {
  const job = { agent: "claude-code", session: "s1", transcript: session.path, ...(checkpoint && { checkpoint }) };
  expect(queueCapture(here(agent), job)).toEqual({ kind: "kept" });
  const bounds = { jobMs: 60_000, totalMs: 120_000 };
  await runCaptureWorker({ memdirHome: here(agent).memdirHome, environment: agent.environment }, { bounds });
}

const storeOf = (agent: FakeAgent): string => here(agent).stores[0]?.directory ?? "";
const notes = (agent: FakeAgent): readonly string[] =>
  (fs.existsSync(storeOf(agent)) ? fs.readdirSync(storeOf(agent)) : []).filter((name) => name !== "MEMORY.md");

describe("the person's own agent", () => {
  it("reads what was typed in a session once, when it is over, and its notes are kept", async () => {
    const agent = claude();
    expect(await memdir(agent, ["models", "--judge", "claude-cli"])).toMatchObject({ code: 0 });
    session.say(`${SAID}. Draw the box`);
    await turnEnds(agent);
    expect(agent.started()).toBe(false);
    await turnEnds(agent, "session-end");
    const { input, argv, env } = agent.start();
    expect(input).toContain(SAID);
    expect(input).not.toContain("Answer 1.");
    expect([argv.includes("-p"), argv[argv.indexOf("--model") + 1], env["MEMDIR_NESTED"]]).toEqual([
      true,
      "haiku",
      "1",
    ]);
    expect(notes(agent)).toEqual([expect.stringContaining("accountants")]);
    expect(waitingSessions(here(agent))).toEqual([]);
    fs.rmSync(`${root}/start.json`);
    await turnEnds(agent, "session-end");
    expect([agent.started(), notes(agent).length]).toEqual([false, 1]);
  });

  it("leaves a session about which it gives no answer to the next session's agent", async () => {
    const agent = claude("fail");
    await memdir(agent, ["models", "--judge", "claude-cli"]);
    session.say(SAID);
    await turnEnds(agent, "session-end");
    expect([agent.started(), notes(agent)]).toEqual([true, []]);
    expect(waitingSessions(here(agent))).toMatchObject([{ asked: undefined, unjudged: { session: "s1" } }]);
  });

  it.each([
    ["nobody said yes", []],
    ["a person took it back", ["models", "--judge", "none"]],
    ["models are off", ["models", "--off"]],
  ])("is not started where %s", async (_, argv) => {
    const agent = claude();
    if (argv.length > 0) {
      await memdir(agent, ["models", "--judge", "claude-cli"]);
      await memdir(agent, argv);
    }
    session.say(SAID);
    await turnEnds(agent, "session-end");
    expect([agent.started(), waitingSessions(here(agent)).length]).toEqual([false, 1]);
  });
});

describe("memdir install", () => {
  const judge = async (agent: FakeAgent): Promise<object> =>
    JSON.parse((await memdir(agent, ["models", "--json"])).out).sessions;
  const again = async (agent: FakeAgent): Promise<string> => {
    await memdir(agent, ["uninstall", "--yes"]);
    return (await memdir(agent, ["install", "claude-code"], true)).out;
  };

  it("asks once whether it may look through sessions; a yes is all that it needs", async () => {
    const agent = claude();
    const { out } = await memdir(agent, ["install", "claude-code"], true);
    expect(out).toContain("It looks through finished sessions");
    expect(await judge(agent)).toMatchObject({ model: "claude-cli/haiku", state: "chosen" });
    expect(await again(agent)).not.toContain("through finished sessions");
  });

  it("does not take a yes to everything for a yes to that, and asks nobody without a terminal or an agent", async () => {
    const agent = claude();
    expect((await memdir(agent, ["install", "claude-code", "--yes"])).out).not.toContain("finished sessions");
    expect(await judge(agent)).toMatchObject({ state: "none" });
    fs.rmSync(`${root}/bin/claude`);
    expect(await again(agent)).not.toContain("finished sessions");
    expect(await judge(agent)).toMatchObject({ state: "none" });
  });
});
