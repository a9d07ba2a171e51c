import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openLateRecalls } from "../../../src/adapters/files/recall-log.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import {
  keepLate,
  LATE_RECALL_CHARACTERS,
  LATE_RECALL_MS,
  type LateRecalls,
  takeLate,
} from "../../../src/core/recall/ledger.ts";
import { scratch } from "../../support/scratch.ts";

function open(
  directory = `${scratch()}/late`,
  clock = { now: Date.now() },
): { readonly recalls: LateRecalls; readonly directory: string; readonly clock: { now: number } } {
  let ids = 0;
  return {
    recalls: openLateRecalls({ directory, files: nodeFiles, newId: () => `${++ids}`, now: () => clock.now }),
    directory,
    clock,
  };
}

const late = (text: string, time: number, turn?: string) => ({ text, files: ["a.md"], time, turn });

describe("a late refined answer", () => {
  it("is given once, to the session it belongs to", () => {
    const { recalls, clock } = open();
    keepLate(recalls, "session/../1", late("notes", clock.now, "t1"));
    expect(takeLate(recalls, "another", undefined, clock.now)).toBeUndefined();
    expect(takeLate(recalls, "session/../1", "t1", clock.now)).toEqual(late("notes", clock.now, "t1"));
    expect(takeLate(recalls, "session/../1", "t1", clock.now)).toBeUndefined();
  });

  it("is of no use to another turn, nor after its time", () => {
    const { recalls, clock } = open();
    keepLate(recalls, "s", late("notes", clock.now, "t1"));
    expect(takeLate(recalls, "s", "t2", clock.now)).toBeUndefined();
    keepLate(recalls, "s", late("notes", clock.now, "t1"));
    expect(takeLate(recalls, "s", "t1", clock.now + LATE_RECALL_MS + 1)).toBeUndefined();
  });

  it("gives way to a newer one, and leaves nothing lying about", () => {
    const { recalls, clock, directory } = open();
    keepLate(recalls, "s", late("old", clock.now));
    keepLate(recalls, "s", late("new", clock.now));
    expect(takeLate(recalls, "s", undefined, clock.now)?.text).toBe("new");
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it("is not kept when it is empty or longer than any client takes", () => {
    const { recalls, directory, clock } = open();
    keepLate(recalls, "s", late("", clock.now));
    keepLate(recalls, "s", late("x".repeat(LATE_RECALL_CHARACTERS + 1), clock.now));
    expect(fs.existsSync(directory)).toBe(false);
  });

  it("is kept for a limited number of sessions and time", () => {
    const { recalls, directory, clock } = open();
    for (let i = 0; i < 80; i++) keepLate(recalls, `s${i}`, late("x", clock.now));
    expect(fs.readdirSync(directory).length).toBeLessThanOrEqual(64);
    clock.now += LATE_RECALL_MS * 2;
    keepLate(recalls, "s", late("x", clock.now));
    expect(fs.readdirSync(directory)).toHaveLength(1);
  });

  it("is missed in silence where nothing can be written or what is there is damaged", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/file`, "");
    const blocked = open(`${root}/file/late`);
    keepLate(blocked.recalls, "s", late("x", 1));
    expect(takeLate(blocked.recalls, "s", undefined, 1)).toBeUndefined();
    const { recalls, directory, clock } = open();
    for (const damage of ["", "{", "7", '{"text":1,"files":[],"time":1}']) {
      keepLate(recalls, "s", late("x", clock.now));
      fs.writeFileSync(`${directory}/${fs.readdirSync(directory)[0] ?? ""}`, damage);
      expect(takeLate(recalls, "s", undefined, clock.now)).toBeUndefined();
    }
  });
});
