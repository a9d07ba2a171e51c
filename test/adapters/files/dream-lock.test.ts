import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openDreamLock } from "../../../src/adapters/files/dream-lock.ts";
import type { StoreLock } from "../../../src/core/notes/store.ts";
import { scratch } from "../../support/scratch.ts";

const guard: StoreLock = { run: (_timeoutMs, work) => work(), close: () => undefined };
const HOUR = 3_600_000;

function lockIn(directory: string, now: number, alive: readonly number[] = [process.pid]) {
  return openDreamLock({ directory, guard, now: () => now, isAlive: (pid) => alive.includes(pid), longestMs: HOUR });
}

describe("the lock of a dream", () => {
  it("is held by one and remembers when the last one ended", () => {
    const directory = scratch();
    const now = Date.parse("2026-03-02T10:00:00Z");
    expect(lockIn(directory, now).last()).toBeUndefined();
    expect(lockIn(directory, now).take()).toBe(true);
    expect(lockIn(directory, now).take()).toBe(false);
    lockIn(directory, now + 5000).release(true);
    expect(lockIn(directory, now + HOUR).last()).toBe(now + 5000);
    expect(lockIn(directory, now + HOUR).holder()).toBeUndefined();
  });

  it("rolls its time back when a dream failed or was killed", () => {
    const directory = scratch();
    const first = Date.parse("2026-03-02T10:00:00Z");
    lockIn(directory, first).take();
    lockIn(directory, first).release(true);
    lockIn(directory, first + HOUR).take();
    lockIn(directory, first + HOUR).release(false);
    expect(lockIn(directory, first + 2 * HOUR).last()).toBe(first);
    lockIn(directory, first + 3 * HOUR).take();
    const afterKill = lockIn(directory, first + 3 * HOUR + 1000, []);
    expect(afterKill.holder()).toBeUndefined();
    expect(afterKill.last()).toBe(first);
    expect(afterKill.take()).toBe(true);
  });

  it("leaves no file behind when the very first dream failed", () => {
    const directory = scratch();
    lockIn(directory, 1000).take();
    lockIn(directory, 1000).release(false);
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it("honours the bare process number that another program writes, and no number that is older than any dream", () => {
    const directory = scratch();
    fs.writeFileSync(`${directory}/.consolidate-lock`, "4242\n");
    const now = Date.now();
    expect(lockIn(directory, now, [4242]).take()).toBe(false);
    expect(lockIn(directory, now + 2 * HOUR, [4242]).take()).toBe(true);
  });

  it("takes a damaged file for a free one", () => {
    const directory = scratch();
    fs.writeFileSync(`${directory}/.consolidate-lock`, '{"pid":');
    expect(lockIn(directory, Date.now()).take()).toBe(true);
  });
});
