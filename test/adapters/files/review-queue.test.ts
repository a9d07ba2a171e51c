import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { openReviewQueue } from "../../../src/adapters/files/review-queue.ts";
import { createSqliteLock } from "../../../src/adapters/sqlite/lock.ts";
import { MOST_ENTRIES, type ReviewEntry, type ReviewQueue } from "../../../src/core/capture/review-queue.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { scratch } from "../../support/scratch.ts";

const START = Date.parse("2026-03-02T09:00:00Z");

function queueIn(root: string, now: () => number = () => START, files = nodeFiles): ReviewQueue {
  return openReviewQueue({
    directory: `${root}/proposals`,
    files,
    lock: createSqliteLock(`${root}/proposals.db`),
    clock: { now, timeZone: "UTC" },
  });
}

function entry(number: number, time = START): ReviewEntry {
  const evidence = { session: "s1", message: "m1" };
  return {
    id: number.toString(16).padStart(8, "0"),
    time: new Date(time + number).toISOString(),
    scope: "project",
    reason: "confirm mode",
    doubtful: false,
    by: "rules",
    evidence,
    operation: {
      kind: "create",
      draft: { type: "feedback", name: `note-${number}`, description: "d", body: "b", evidence },
    },
    quote: "q",
    saidAs: "wish",
    seen: undefined,
  };
}

describe("the review queue on disk", () => {
  it("gives back what was put in, oldest first, with what no reader knows left out", () => {
    const root = scratch();
    const queue = queueIn(root);
    expect([queue.add(entry(2)), queue.add(entry(1)), queue.add(entry(2))]).toEqual(["added", "added", "known"]);
    expect(queueIn(root).entries()).toEqual([entry(1), entry(2)]);
    fs.writeFileSync(`${root}/proposals/0000000a.json`, '{"id":"0000000a"');
    expect([queue.entries().length, queue.damaged()]).toEqual([2, ["0000000a.json"]]);
    expect(fs.statSync(`${root}/proposals/00000001.json`).mode & 0o777).toBe(0o600);
  });

  it(
    "keeps at most 200 entries for at most 30 days, and says what went until somebody was told",
    { tags: ["slow"] },
    () => {
      const root = scratch();
      let now = START;
      const queue = queueIn(root, () => now);
      for (let number = 1; number <= MOST_ENTRIES + 3; number++) queue.add(entry(number));
      expect([queue.entries().length, queue.entries()[0]?.id, queue.lapsed()]).toEqual([
        MOST_ENTRIES,
        entry(4).id,
        { count: 3, since: entry(1).time },
      ]);
      queue.forgetLapsed();
      expect(queue.lapsed()).toBeUndefined();
      now = START + 31 * 86_400_000;
      expect(queue.entries()).toEqual([]);
      queue.add(entry(999, now));
      expect([queue.entries().length, queue.lapsed()?.count, fs.readdirSync(`${root}/proposals`).length]).toEqual([
        1,
        MOST_ENTRIES,
        2,
      ]);
    },
  );

  it("settles an entry once, whoever comes second", () => {
    const root = scratch();
    queueIn(root).add(entry(1));
    const seen = [queueIn(root), queueIn(root)].map((queue) =>
      queue.settle(entry(1).id, (found) => ({
        result: found !== undefined,
        next: found === undefined ? "keep" : "remove",
      })),
    );
    expect(seen).toEqual([true, false]);
  });

  it("keeps an entry whose work failed, and leaves whole files whenever it is killed", () => {
    const root = scratch();
    queueIn(root).add(entry(1));
    expect(() =>
      queueIn(root).settle(entry(1).id, () => {
        throw new MemoryError("disk-full", "full");
      }),
    ).toThrow("full");
    for (const step of ["create", "rename", "syncDirectory"] as const) {
      const failing = {
        ...nodeFiles,
        [step]: () => {
          throw new MemoryError("io", "killed");
        },
      };
      expect(() => queueIn(root, () => START, failing).add(entry(2))).toThrow("killed");
      expect(queueIn(root).damaged()).toEqual([]);
      expect(queueIn(root).entries()[0]).toEqual(entry(1));
    }
    expect(["added", "known"]).toContain(queueIn(root).add(entry(2)));
    expect(fs.readdirSync(`${root}/proposals`).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
