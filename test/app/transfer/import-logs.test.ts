import fs from "node:fs";
import { expect, it } from "vitest";
import { importLogs } from "../../../src/app/transfer/import-sources.ts";
import type { StoreLocation } from "../../../src/app/workspace/locations.ts";
import { systemClock } from "../../../src/core/shared/clock.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const SAME = "# 2026-11-23\n\n- 09:00:00 +00:00\n  same\n\n";
const BEFORE = "# 2026-11-22\n\n- 09:00:00 +00:00\n  one\n\n";

it("a plan of an import tells the days that have news and leaves nothing behind", () => {
  const root = scratch();
  const days = [
    ["2026-11-21", "# 2026-11-21\n\n- 10:00:00 +00:00\n  eve\n\n"],
    ["2026-11-22", `${BEFORE}- 10:00:00 +00:00\n  two\n\n`],
    ["2026-11-23", SAME],
  ].map(([day = "", text]) => ({ file: `2026/11/${day}.md`, bytes: new TextEncoder().encode(text) }));
  const directory = `${root}/user/memory`;
  fs.mkdirSync(`${directory}/2026/11`, { recursive: true });
  fs.writeFileSync(`${directory}/2026/11/2026-11-22.md`, BEFORE);
  fs.writeFileSync(`${directory}/2026/11/2026-11-23.md`, SAME);
  const place: StoreLocation = { scope: "user", directory, state: `${root}/user/state`, excluded: [] };
  const take = (write: boolean): readonly string[] => importLogs(days, place, systemClock, write);
  const before = [...filesBelow(root)];
  expect(take(false)).toEqual(["2026-11-21", "2026-11-22"]);
  expect(importLogs(days.slice(0, 1), place, systemClock, false)).toEqual(["2026-11-21"]);
  expect(importLogs(days, { ...place, scope: "project" }, systemClock, true)).toEqual([]);
  expect([...filesBelow(root)]).toEqual(before);
  expect(fs.existsSync(place.state)).toBe(false);
  expect(take(true)).toEqual(["2026-11-21", "2026-11-22"]);
  expect(fs.readFileSync(`${directory}/2026/11/2026-11-22.md`, "utf8")).toBe(`${BEFORE}- 10:00:00 +00:00\n  two\n\n`);
  expect(take(true)).toEqual([]);
});

it("an import without logs leaves nothing behind, and one of a day with words by hand alone copies it", () => {
  const root = scratch();
  const directory = `${root}/user/memory`;
  const place: StoreLocation = { scope: "user", directory, state: `${root}/user/state`, excluded: [] };
  expect(importLogs([], place, systemClock, true)).toEqual([]);
  expect([...filesBelow(root)]).toEqual([]);
  const byHand = "# 2026-11-22\n\nAll day at the dentist's.\n";
  const day = { file: "2026/11/2026-11-22.md", bytes: new TextEncoder().encode(byHand) };
  expect(importLogs([day], place, systemClock, true)).toEqual(["2026-11-22"]);
  expect(fs.readFileSync(`${directory}/2026/11/2026-11-22.md`, "utf8")).toBe(byHand);
  expect(importLogs([day], place, systemClock, true)).toEqual([]);
});
