import { expect, it } from "vitest";
import { waitAfter, joined, parseWish, type SyncWish, waitFor } from "../../../src/core/sync/wish.ts";

const wish = (parts: Partial<SyncWish> = {}): SyncWish => ({
  cwd: "/home/jane/Jané Döe's shop",
  place: { MEMDIR_DIR: "/home/jane/notes" },
  why: "change",
  since: 100_000,
  time: 100_000,
  ...parts,
});

it("waits two seconds after the last change, ten after the first, and not at all for a session", () => {
  expect(waitFor(wish(), 100_500)).toBe(1_500);
  expect(waitFor(wish(), 102_000)).toBe(0);
  expect(waitFor(wish({ time: 109_500 }), 109_600)).toBe(400);
  expect(waitFor(wish({ why: "session" }), 100_000)).toBe(0);
});

it("does not wait for a clock that was set back", () => {
  expect(waitFor(wish(), 40_000)).toBe(0);
});

it("joins a later wish with one that waits: the first moment counts, and a session hurries it", () => {
  const later = joined(wish({ since: 105_000, time: 105_000 }), wish({ why: "session" }));
  expect(later).toEqual(wish({ why: "session", since: 100_000, time: 105_000 }));
  expect(joined(later, undefined)).toBe(later);
});

it("reads what it wrote, and takes torn or strange text for nothing", () => {
  expect(parseWish(JSON.stringify(wish()))).toEqual(wish());
  for (const text of ["", '{"cwd":"/a', "[]", '{"cwd":1,"place":{},"since":1,"time":1}']) {
    expect(parseWish(text), text).toBeUndefined();
  }
});

it("waits twice as long after each failure, up to ten minutes, and as long as a server asks", () => {
  expect([0, 1, 2, 3].map((failures) => waitAfter(failures, 1))).toEqual([0, 2_000, 4_000, 8_000]);
  expect(waitAfter(1, 0)).toBe(1_500);
  expect([10, 11, 5_000].map((failures) => waitAfter(failures, 1))).toEqual([600_000, 600_000, 600_000]);
  expect(waitAfter(1, 1, 7_000_000)).toBe(7_000_000);
});
