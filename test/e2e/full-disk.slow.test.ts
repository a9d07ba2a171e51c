import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeOf } from "../../src/core/shared/errors.ts";
import { emptyHome, homeOf } from "../support/cli.ts";
import { until } from "../support/fake-agent.ts";
import { scratch } from "../support/scratch.ts";
import { type SessionFile, sessionFile } from "../support/session-file.ts";
import { mayMount, mountSmallDisk, unmount } from "../support/small-disk.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const WISH = "From now on always squash the commits of a branch before merging";
const MINUTE = 60_000;

let root: string;
let disk: string;
let project: string;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  root = scratch();
  project = path.join(homeOf(root), "project");
  disk = path.join(root, "disk");
  for (const folder of [path.join(project, ".git"), disk]) fs.mkdirSync(folder, { recursive: true });
  environment = { ...emptyHome(root), MEMDIR_HOME: path.join(disk, "memdir") };
  mountSmallDisk(disk, "8m");
});

afterEach(() => {
  unmount(disk);
});

function transcript(session: string): SessionFile {
  const folder = path.join(homeOf(root), ".claude", "projects", project.replace(/[^A-Za-z0-9]/gu, "-"));
  fs.mkdirSync(folder, { recursive: true });
  return sessionFile(path.join(folder, `${session}.jsonl`), session, project);
}

function hook(event: string, session: SessionFile, extra: object = {}, more: Record<string, string> = {}): string {
  const id = path.basename(session.path, ".jsonl");
  const input = { hook_event_name: event, session_id: id, transcript_path: session.path, cwd: project, ...extra };
  const { status, stdout } = spawnSync(process.execPath, [path.join(DIST, "hook.cjs"), "claude-code"], {
    cwd: project,
    env: { ...environment, ...more },
    input: JSON.stringify(input),
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stdout;
}

const stop = (session: SessionFile, more: Record<string, string> = {}): string => hook("Stop", session, {}, more);
const toldBy = (out: string): unknown => (out === "" ? undefined : JSON.parse(out).systemMessage);

function memdir(...args: readonly string[]): string {
  const { stdout } = spawnSync(process.execPath, [path.join(DIST, "memdir.cjs"), ...args], {
    cwd: project,
    env: environment,
    encoding: "utf8",
  });
  return stdout;
}

const titles = (): readonly { readonly description: string }[] => JSON.parse(memdir("list", "--json")).notes ?? [];
const squashes = (): number => titles().filter(({ description }) => /squash/iu.test(description)).length;

function fill(): void {
  const filler = path.join(disk, "filler");
  const fd = fs.openSync(filler, "a");
  try {
    for (const size of [65_536, 4096, 1]) {
      const block = Buffer.alloc(size);
      try {
        for (;;) if (fs.writeSync(fd, block) < size) break;
      } catch (error) {
        if (codeOf(error) !== "ENOSPC") throw error;
      }
    }
  } finally {
    fs.closeSync(fd);
  }
}

const idle = (): boolean => {
  const { capture } = JSON.parse(memdir("status", "--json"));
  return capture.worker === undefined && capture.pending === 0;
};

/** A session that was captured while there was room, so that memdir's directory is there. */
async function captureFirst(): Promise<void> {
  const first = transcript("first");
  first.say("What does this project do?");
  expect(stop(first)).toBe("");
  await until(() => fs.existsSync(path.join(disk, "memdir", "captures", "state.json")) && idle(), 40_000);
}

describe.skipIf(!mayMount)("a disk that is full when a turn ends", () => {
  it.each(["SessionStart", "Stop"])(
    "is told once, and the wish is a note after the next %s with room, once",
    { timeout: 2 * MINUTE },
    async (next) => {
      await captureFirst();
      const full = transcript("full");
      full.say(WISH);
      fill();
      expect(toldBy(stop(full))).toMatch(/could not keep what is to be noted[\s\S]*disk is full[\s\S]*transcript/u);
      expect(stop(full)).toBe("");
      expect(fs.readdirSync(path.join(disk, "memdir", "captures", "jobs")).filter((n) => n.endsWith(".tmp"))).toEqual(
        [],
      );
      fs.rmSync(path.join(disk, "filler"));
      const status = JSON.parse(memdir("status", "--json")).capture;
      expect([status.pending, status.missed]).toEqual([0, [expect.objectContaining({ session: "full" })]]);
      expect(memdir("status")).toContain("1 session was missed");
      expect(squashes()).toBe(0);
      const other = transcript("other");
      other.say("What is left to do?");
      expect(toldBy(hook(next, other, { source: "startup" }))).toBeUndefined();
      await until(() => squashes() > 0 && idle(), 60_000);
      expect(stop(full)).toBe("");
      await until(idle, 40_000);
      expect(squashes()).toBe(1);
      expect(JSON.parse(memdir("status", "--json")).capture.missed).toEqual([]);
    },
  );

  it("at a session's end is told at the next turn's end", { timeout: 2 * MINUTE }, async () => {
    await captureFirst();
    const full = transcript("full");
    full.say(WISH);
    fill();
    expect(hook("SessionEnd", full)).toBe("");
    fs.rmSync(path.join(disk, "filler"));
    const other = transcript("other");
    other.say("What is left to do?");
    expect(toldBy(stop(other))).toContain("an earlier turn could not be kept");
    expect(toldBy(stop(other))).toBeUndefined();
    await until(() => squashes() === 1 && idle(), 60_000);
  });

  it("takes nothing from sessions that ran without memory", { timeout: 2 * MINUTE }, async () => {
    await captureFirst();
    const [full, silent, before] = [transcript("full"), transcript("silent"), transcript("before")];
    full.say("What is the time?");
    before.say(WISH);
    silent.say(WISH);
    fill();
    for (const mode of ["off", "recall-only"]) expect(stop(silent, { MEMDIR_MODE: mode })).toBe("");
    stop(full);
    fs.rmSync(path.join(disk, "filler"));
    stop(full);
    await until(idle, 40_000);
    expect([squashes(), JSON.parse(memdir("status", "--json")).capture.missed]).toEqual([0, []]);
  });
});
