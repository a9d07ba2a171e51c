import { describe, expect, it } from "vitest";
import {
  type CaptureJob,
  numberOf,
  parseCaptureJob,
  parseRecord,
  placeOf,
  withWaiting,
  type Cursor,
  parseCursor,
} from "../../../src/core/transcripts/capture-job.ts";

const JOB: CaptureJob = {
  agent: "claude-code",
  session: "s1",
  handedOver: false,
  transcript: "/s1.jsonl",
  turn: "t1",
  capture: true,
  checkpoint: "session-end",
  cwd: "/project",
  place: { MEMDIR_DIR: "/notes" },
  time: 5,
  attempts: 2,
};
const CURSOR: Cursor = { offset: 9, line: 3, after: "a", fingerprint: "f", turn: "t", time: 4 };

const jobWith = (more: Readonly<Record<string, unknown>>): CaptureJob | undefined =>
  parseCaptureJob(JSON.stringify({ ...JOB, ...more }));
const cursorWith = (more: Readonly<Record<string, unknown>>): Cursor | undefined =>
  parseCursor(JSON.stringify({ ...CURSOR, ...more }));

describe("the record of an ended turn", () => {
  it("is read as it was written", () => {
    expect(jobWith({})).toEqual(JOB);
    expect(jobWith({ checkpoint: "before-compaction" })).toEqual({ ...JOB, checkpoint: "before-compaction" });
  });

  it.each(["agent", "session", "transcript", "cwd"])("is none without its %s", (field) => {
    expect([jobWith({ [field]: undefined }), jobWith({ [field]: 5 })]).toEqual([undefined, undefined]);
  });

  it.each(['{"agent":"claude-co', "[]", "null", '"text"', ""])("is none when the file holds %j", (text) => {
    expect([parseCaptureJob(text), parseCursor(text), parseRecord(text)]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    [{ turn: 5 }, { turn: undefined }],
    [{ capture: false }, { capture: false }],
    [{ capture: undefined }, { capture: true }],
    [{ checkpoint: "often" }, { checkpoint: undefined }],
    [{ place: null }, { place: {} }],
    [{ place: "x" }, { place: {} }],
    [{ place: { MEMDIR_MODE: "", MEMDIR_DIR: 5, PATH: "/bin" } }, { place: {} }],
    [{ time: -1 }, { time: 0 }],
    [{ attempts: "9" }, { attempts: 0 }],
    [{ attempts: 0 }, { attempts: 0 }],
  ])("%j is taken for %j", (given, expected) => {
    expect(jobWith(given)).toEqual({ ...JOB, ...expected });
  });

  it.each([
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_REMOTE_MEMORY_DIR",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "MEMDIR_DIR",
    "MEMDIR_MODE",
  ])("keeps %s of an environment, which says where memory is and whether it is on", (name) => {
    expect(placeOf({ [name]: "x", HOME: "/home", ANTHROPIC_API_KEY: "value" })).toEqual({ [name]: "x" });
    expect(placeOf({ [name]: "" })).toEqual({});
  });

  it("leaves nothing undone of the record whose place it takes", () => {
    const later: CaptureJob = { ...JOB, turn: undefined, capture: false, checkpoint: undefined, time: 9 };
    expect(withWaiting(later, undefined)).toEqual(later);
    expect(withWaiting(later, JOB)).toEqual({ ...JOB, time: 9 });
    expect(withWaiting(JOB, later)).toEqual(JOB);
    expect(withWaiting({ ...JOB, turn: "t2", checkpoint: "before-compaction" }, JOB)).toMatchObject({
      turn: "t2",
      checkpoint: "before-compaction",
    });
    expect(withWaiting(later, { ...later, time: 1 })).toMatchObject({ capture: false, checkpoint: undefined, time: 9 });
  });
});

describe("the cursor of a session", () => {
  it("is read as it was written, and needs its fingerprint", () => {
    expect(cursorWith({})).toEqual(CURSOR);
    expect(cursorWith({ fingerprint: "" })).toEqual({ ...CURSOR, fingerprint: "" });
    for (const fingerprint of [undefined, 5]) expect(cursorWith({ fingerprint })).toBeUndefined();
  });

  it.each([
    [{ after: 5 }, { after: undefined }],
    [{ turn: 5 }, { turn: undefined }],
    [
      { offset: -1, line: "x", time: null },
      { offset: 0, line: 0, time: 0 },
    ],
  ])("%j is taken for %j", (given, expected) => {
    expect(cursorWith(given)).toEqual({ ...CURSOR, ...expected });
  });

  it("has no number that is not finite, or below nothing", () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY, -0.5, "1", 0, 1.5].map(numberOf)).toEqual([0, 0, 0, 0, 0, 1.5]);
  });
});
