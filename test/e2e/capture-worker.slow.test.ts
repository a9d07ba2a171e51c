import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { queueCapture, startCaptureWorker } from "../../src/app/background/capture-jobs.ts";
import { captureStatus } from "../../src/app/background/capture-status.ts";
import { waitingSessions } from "../../src/app/capture/unjudged-sessions.ts";
import { type Locations, locate } from "../../src/app/workspace/locations.ts";
import { emptyHome, homeOf } from "../support/cli.ts";
import { fakeAgent, isAlive, until } from "../support/fake-agent.ts";
import { filesBelow, scratch } from "../support/scratch.ts";
import { type SessionFile, sessionFile } from "../support/session-file.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
/** A thousand with MEMDIR_TURNS=1000 (minutes). */
const TURNS = Number(process.env["MEMDIR_TURNS"] ?? 300);
const MINUTE = 60_000;
/** Worth keeping, and no rule writes it. */
const UNJUDGED = "Our accountants count the empty rows of the importer every month.";

let root: string;
let environment: Record<string, string | undefined>;
let session: SessionFile;

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${homeOf(root)}/project`, { recursive: true });
  environment = emptyHome(root);
  session = sessionFile(`${root}/session.jsonl`, "s1", `${homeOf(root)}/project`);
});

const here = (): Locations => locate({ cwd: `${homeOf(root)}/project`, environment });
const queue = (turn: string, checkpoint?: "session-end"): boolean =>
  queueCapture(here(), {
    agent: "claude-code",
    session: "s1",
    transcript: session.path,
    turn,
    ...(checkpoint && { checkpoint }),
  }).kind === "kept";
const idle = (): boolean => captureStatus(here()).worker === undefined && captureStatus(here()).pending === 0;

function notes(): readonly string[] {
  const directory = here().stores[0]?.directory ?? "";
  return fs.existsSync(directory)
    ? fs.readdirSync(directory).filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
    : [];
}

/** Processes whose environment names this test's home. */
function processes(): readonly number[] {
  if (!fs.existsSync("/proc/self/environ")) return [];
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isAlive(pid))
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${root}/home\0`);
      } catch {
        return false; // it ended meanwhile, or is somebody else's
      }
    });
}

describe("the worker", () => {
  it("captures a turn that ended, in the background, and leaves no process", { timeout: MINUTE }, async () => {
    session.say("From now on always squash the commits of a branch before merging");
    expect(queue("t1")).toBe(true);
    startCaptureWorker(here());
    await until(() => notes().length === 1 && idle(), 40_000);
    await until(() => processes().length === 0, 15_000);
    expect(captureStatus(here()).lastRun).toMatchObject({ sessions: 1, turns: 2, notes: 1, by: "rules" });
  });

  it("killed at any moment loses nothing and captures nothing twice", { timeout: 4 * MINUTE }, async () => {
    session.say("From now on always squash the commits of a branch before merging");
    for (const ms of [150, 350, 600, 900]) {
      queue("t1");
      const child = spawn(process.execPath, [COMMAND, "capture", "--pending"], { env: environment, stdio: "ignore" });
      await new Promise((resolve) => setTimeout(resolve, ms));
      child.kill("SIGKILL");
      await until(() => child.exitCode !== null || child.signalCode !== null);
    }
    queue("t1");
    const { status } = spawnSync(process.execPath, [COMMAND, "capture", "--pending"], { env: environment });
    expect([status, notes().length, captureStatus(here()).pending]).toEqual([0, 1, 0]);
    expect(fs.readdirSync(`${homeOf(root)}/.memdir/captures/jobs`)).toEqual([]);
  });

  it(
    "that hangs in an agent is ended with its children within its bound, and the next session's agent is asked",
    { timeout: 2 * MINUTE },
    async () => {
      const agent = fakeAgent(root, "hang");
      fs.renameSync(agent.command, `${root}/claude`);
      fs.mkdirSync(`${homeOf(root)}/.memdir`, { recursive: true });
      fs.writeFileSync(
        `${homeOf(root)}/.memdir/settings.json`,
        JSON.stringify({ judge: "claude-cli/haiku", capture: { jobSeconds: 8, totalSeconds: 20 } }),
      );
      environment = { ...environment, ...agent.environment, PATH: `${root}:${process.env["PATH"] ?? ""}` };
      session.say(`From now on always squash the commits of a branch before merging. ${UNJUDGED}`);
      queue("t1", "session-end");
      const started = Date.now();
      startCaptureWorker(here());
      await until(() => agent.started(), 30_000);
      const { pids } = agent.start();
      await until(() => idle() && processes().length === 0, 40_000);
      expect(pids.filter(isAlive)).toEqual([]);
      expect(Date.now() - started).toBeLessThan(60_000);
      expect(notes()).toHaveLength(1);
      expect(waitingSessions(here())).toMatchObject([{ asked: undefined, unjudged: { session: "s1" } }]);
    },
  );

  it(
    "that is killed while an agent runs leaves the agent to the next one, which ends it",
    { timeout: 2 * MINUTE },
    async () => {
      if (!fs.existsSync("/proc/self/environ")) return; // elsewhere nobody can tell whose a process is
      const agent = fakeAgent(root, "hang");
      fs.renameSync(agent.command, `${root}/claude`);
      fs.mkdirSync(`${homeOf(root)}/.memdir`, { recursive: true });
      fs.writeFileSync(`${homeOf(root)}/.memdir/settings.json`, JSON.stringify({ judge: "claude-cli/haiku" }));
      environment = { ...environment, ...agent.environment, PATH: `${root}:${process.env["PATH"] ?? ""}` };
      session.say(`From now on always squash the commits of a branch before merging. ${UNJUDGED}`);
      queue("t1", "session-end");
      const child = spawn(process.execPath, [COMMAND, "capture", "--pending"], { env: environment, stdio: "ignore" });
      await until(() => agent.started(), 40_000);
      child.kill("SIGKILL");
      await until(() => child.signalCode !== null);
      fs.writeFileSync(`${homeOf(root)}/.memdir/settings.json`, JSON.stringify({ model: "off" }));
      spawnSync(process.execPath, [COMMAND, "capture", "--pending"], { env: environment });
      await until(() => agent.start().pids.filter(isAlive).length === 0, 10_000);
      expect([notes().length, processes()]).toEqual([1, []]);
    },
  );

  it("leaves no process and bounded files behind after many turns", { timeout: 15 * MINUTE }, async () => {
    for (let turn = 1; turn <= TURNS; turn++) {
      session.say(
        turn % 50 === 0
          ? `From now on always deploy service number${turn} with the blue${turn} pipeline`
          : `What does function number ${turn} do?`,
      );
      queue(`t${turn}`);
      startCaptureWorker(here());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // A worker that was just ending when the last turn was queued left it to the next start.
    startCaptureWorker(here());
    await until(idle, 5 * MINUTE);
    await until(() => processes().length === 0, 30_000);
    const files = filesBelow(`${homeOf(root)}/.memdir/captures`);
    const bytes = [...files.values()].reduce((sum, content) => sum + content.length, 0);
    process.stderr.write(
      `${TURNS} turns: ${notes().length} notes, ${files.size} files of ${bytes} bytes in captures (${[...files.keys()].join(", ")}), ${processes().length} processes\n`,
    );
    expect(notes()).toHaveLength(TURNS / 50);
    expect(files.size).toBeLessThanOrEqual(4);
    expect(bytes).toBeLessThan(4_096);
  });
});
