import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { queueCapture } from "../../../src/app/background/capture-jobs.ts";
import { captureStatus } from "../../../src/app/background/capture-status.ts";
import { runCaptureWorker } from "../../../src/app/background/capture-worker.ts";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { type SessionFile, sessionFile } from "../../support/session-file.ts";

const WISH = "From now on always squash the commits of a branch before merging";

let root: string;

beforeEach(() => {
  root = scratch();
  for (const name of ["project", "other"]) fs.mkdirSync(`${homeOf(root)}/${name}/.git`, { recursive: true });
});

afterEach(() => void vi.restoreAllMocks());

const here = (project = "project", more: Readonly<Record<string, string>> = {}): Locations =>
  locate({ cwd: `${homeOf(root)}/${project}`, environment: { ...emptyHome(root), ...more } });

function transcript(session: string): SessionFile {
  const folder = `${homeOf(root)}/.claude/projects/-project`;
  fs.mkdirSync(folder, { recursive: true });
  return sessionFile(`${folder}/${session}.jsonl`, session, `${homeOf(root)}/project`);
}

function end(session: SessionFile, locations = here()): ReturnType<typeof queueCapture> {
  const name = path.basename(session.path, ".jsonl");
  return queueCapture(locations, { agent: "claude-code", session: name, transcript: session.path });
}

/** Names can be made, contents not, as on a full disk. */
function whileFull<T>(work: () => T): T {
  const original = nodeFiles.note;
  const spy = vi.spyOn(nodeFiles, "note").mockImplementation((file, bytes) => {
    original(file, new Uint8Array());
    if (bytes.byteLength > 0) throw new MemoryError("disk-full", `cannot write ${file}: the disk is full`);
  });
  try {
    return work();
  } finally {
    spy.mockRestore();
  }
}

const work = (): ReturnType<typeof runCaptureWorker> =>
  runCaptureWorker({ memdirHome: `${homeOf(root)}/.memdir`, environment: emptyHome(root) }, {});
const missed = (): readonly string[] => captureStatus(here()).missed.map(({ session }) => session);
const files = (): readonly string[] => fs.readdirSync(`${homeOf(root)}/.memdir/captures/jobs`);

describe("a session whose record could not be kept", () => {
  it("is captured after the next turn of any session of the project, once, and no word of it stays", async () => {
    const [full, next] = [transcript("full"), transcript("next")];
    full.say(WISH);
    expect(whileFull(() => end(full))).toMatchObject({ kind: "missed", isMarked: true });
    expect(files()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.missed$/u)]);
    expect(missed()).toEqual(["full"]);
    next.say("What is left to do?");
    end(next);
    expect(captureStatus(here()).waiting.map(({ session }) => session)).toEqual(["next"]);
    expect(await work()).toMatchObject({ sessions: 2, notes: 1 });
    expect([files(), missed()]).toEqual([[], []]);
    end(full);
    expect(await work()).toMatchObject({ sessions: 1, turns: 0, notes: 0 });
  });

  it("is not missed where its record was for a checkpoint alone: no word of it was to be captured", () => {
    const full = transcript("full");
    full.say(WISH);
    const job = { agent: "claude-code", session: "full", transcript: full.path, capture: false };
    expect(whileFull(() => queueCapture(here(), job))).toMatchObject({ kind: "missed", isMarked: false });
    expect(missed()).toEqual([]);
  });

  it("is no longer missed once its own next record is kept", () => {
    const full = transcript("full");
    full.say(WISH);
    whileFull(() => end(full));
    expect(end(full)).toEqual({ kind: "kept" });
    expect(files()).toEqual([expect.stringMatching(/\.json$/u)]);
  });

  it.each([
    ["another project", (): Locations => here("other")],
    ["another mode", (): Locations => here("project", { MEMDIR_MODE: "confirm" })],
    ["another place of memory", (): Locations => here("project", { CLAUDE_CONFIG_DIR: `${homeOf(root)}/moved` })],
  ])("is not captured after a turn in %s", async (_, elsewhere) => {
    const [full, next] = [transcript("full"), transcript("next")];
    full.say(WISH);
    next.say("What is left to do?");
    whileFull(() => end(full));
    end(next, elsewhere());
    expect(await work()).toMatchObject({ sessions: 1, notes: 0 });
    expect(missed()).toEqual(["full"]);
  });

  it("is the only one: older sessions and those without memory are left alone", async () => {
    const [old, off, full] = [transcript("old"), transcript("off"), transcript("full")];
    old.say(WISH);
    off.say(WISH);
    full.say("What is the time?");
    for (const mode of ["off", "recall-only"])
      expect(whileFull(() => end(off, here("project", { MEMDIR_MODE: mode })))).toEqual({ kind: "unwanted" });
    whileFull(() => end(full));
    end(transcript("next"));
    transcript("next").say("What is left to do?");
    expect(await work()).toMatchObject({ sessions: 2, notes: 0 });
  });

  it("is taken up to twenty at a time, and all in the end", async () => {
    const many = Array.from({ length: 23 }, (_, n) => transcript(`full${n}`));
    for (const one of many) {
      one.say("What is the time?");
      whileFull(() => end(one));
    }
    const next = transcript("next");
    next.say("What is left to do?");
    end(next);
    expect(await work()).toMatchObject({ sessions: 21 + 3 });
    expect(files()).toEqual([]);
  });
});
