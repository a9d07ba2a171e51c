import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { stampOf, type StatOf } from "../../../src/adapters/files/settled.ts";
import { openSyncBase } from "../../../src/adapters/sqlite/sync-base.ts";
import { scratch } from "../../support/scratch.ts";

/** A store that was synced once, far enough in the past that no file is fresh. */
function place() {
  const root = scratch();
  const [directory, state] = [`${root}/notes`, `${root}/state`];
  fs.mkdirSync(`${directory}/deep`, { recursive: true });
  fs.mkdirSync(`${state}/sync`, { recursive: true });
  openSyncBase(`${state}/sync/sync.db`).close();
  return { directory, state, excluded: ["team"] };
}

/** A file system whose clock ticks every two seconds and that numbers no file. */
const coarse: StatOf = (file) => {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const tick = (ms: number): number => Math.floor(ms / 2_000) * 2_000;
  const { size, mtimeMs, ctimeMs } = stat;
  return { size, mtimeMs: tick(mtimeMs), ctimeMs: tick(ctimeMs), ino: 0, isFile: () => stat.isFile() };
};

/** A sequence that is the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Every byte that sync may send, by name. */
function bytesOf(directory: string): string {
  return fs
    .readdirSync(directory, { recursive: true, encoding: "utf8" })
    .toSorted()
    .flatMap((name) => {
      const file = path.join(directory, name);
      return fs.statSync(file).isFile() ? [`${name} ${fs.readFileSync(file, "utf8")}`] : [];
    })
    .join("\n");
}

test("a change of the same size within the same tick of the clock makes another stamp", () => {
  const store = place();
  const file = `${store.directory}/a.md`;
  fs.writeFileSync(file, "the port is 8080");
  const at = Date.now();
  const before = stampOf(store, at, coarse);
  expect(before).toBeDefined();
  expect(stampOf(store, at, coarse)).toBe(before);
  fs.writeFileSync(file, "the port is 9090");
  expect(stampOf(store, at, coarse)).not.toBe(before);
});

test.each([1, 2, 3, 4])("whatever is done to the notes, other bytes make another stamp (history %i)", (seed) => {
  const store = place();
  const next = random(seed);
  const names = ["a.md", "A.md", "b.md", "MEMORY.md", "deep/c.md"];
  const nameAt = (): string => `${store.directory}/${names[next(names.length)] ?? ""}`;
  for (const name of names) fs.writeFileSync(`${store.directory}/${name}`, `${name} 0`);
  const steps: readonly (() => void)[] = [
    () => fs.writeFileSync(nameAt(), `same size ${next(10)}`),
    () => fs.writeFileSync(nameAt(), "x".repeat(next(20))),
    () => fs.rmSync(nameAt(), { force: true }),
    () => {
      const [from, to] = [nameAt(), nameAt()];
      if (fs.existsSync(from)) fs.renameSync(from, to);
    },
    () => {
      const file = nameAt();
      if (fs.existsSync(file)) fs.utimesSync(file, 1, 1);
    },
    () => {},
  ];
  let at = Date.now();
  let [stamp, bytes] = [stampOf(store, at, coarse), bytesOf(store.directory)];
  let changed = 0;
  for (let step = 0; step < 200; step++) {
    steps[next(steps.length)]?.();
    const now = bytesOf(store.directory);
    if (now === bytes) continue;
    changed++;
    expect(stampOf(store, at, coarse), `step ${step}`).not.toBe(stamp);
    at = Date.now();
    [stamp, bytes] = [stampOf(store, at, coarse), now];
  }
  expect(changed).toBeGreaterThan(50);
});

test("what sync noted, a forget, a write that was cut off and a copy moved aside make another stamp, or none", () => {
  const store = place();
  const at = Date.now() + 60_000;
  const stamps = new Set([stampOf(store, at)]);
  const base = openSyncBase(`${store.state}/sync/sync.db`);
  base.write({ unsent: ["0".repeat(24)] });
  base.close();
  stamps.add(stampOf(store, at));
  for (const trace of ["forgotten", "journal.jsonl", "journal.mark", "forget-pending.json"]) {
    fs.writeFileSync(`${store.state}/${trace}`, "x");
    stamps.add(stampOf(store, at));
  }
  expect(stamps.size).toBe(6);
  fs.mkdirSync(`${store.state}/displaced`);
  fs.writeFileSync(`${store.state}/displaced/1`, "an editor may still write here");
  expect(stampOf(store, at)).toBeUndefined();
  fs.rmSync(`${store.state}/displaced`, { recursive: true });
  fs.writeFileSync(`${store.state}/sync/sync.db-journal`, "a transaction that was cut off");
  expect(stampOf(store, at)).toBeUndefined();
});

test("notes of a store within the store, hidden files and what sync itself notes of its runs do not count", () => {
  const store = place();
  const at = Date.now() + 60_000;
  const before = stampOf(store, at);
  fs.mkdirSync(`${store.directory}/team`);
  for (const file of ["team/t.md", ".hidden.md"]) fs.writeFileSync(`${store.directory}/${file}`, "x");
  fs.writeFileSync(`${store.state}/sync/last-run.json`, "{}");
  expect(stampOf(store, at)).toBe(before);
});
