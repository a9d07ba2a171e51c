import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { appendUse, readUsage } from "../../../src/adapters/files/usage.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { scratch } from "../../support/scratch.ts";
import { noteText, openTestStore, type StoreOptions } from "../../support/store.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2025-01-01T00:00:00Z");
const BY = { actor: "user", reason: "test" };

function logUses(state: string, days: number): void {
  const lines = Array.from({ length: days * 5 }, (_, n) =>
    JSON.stringify({
      time: new Date(START + (n / 5) * DAY_MS).toISOString(),
      files: [
        `feedback_note_number_${n % 9}.md`,
        `project_note_number_${n % 4}.md`,
        "reference_that_is_always_shown.md",
      ],
    }),
  );
  fs.writeFileSync(`${state}/usage.jsonl`, `${lines.join("\n")}\n`);
}

function world(options: StoreOptions = {}) {
  const root = scratch();
  const store = openTestStore(root, { git: false, ...options });
  store.commit([{ kind: "create", file: "a.md", content: noteText("a", "about a", "Words of a.") }], BY);
  const place = { state: store.state, files: nodeFiles };
  const counts = (): Record<string, number> => {
    return Object.fromEntries([...readUsage(place)].map(([file, { shown }]) => [file, shown]));
  };
  const size = (): number => fs.statSync(`${store.state}/usage.jsonl`).size;
  return { root, store, place, counts, size };
}

describe("a store that is tidied", () => {
  it("counts every use as before in a log that no longer grows with them", () => {
    const { store, place, counts, size } = world();
    logUses(store.state, 400);
    const [before, bytes] = [counts(), size()];
    const lastWeek = START + 393 * DAY_MS;
    const then = readUsage(place, lastWeek);
    store.tidy(1_000);
    expect([counts(), readUsage(place, lastWeek)]).toEqual([before, then]);
    expect(size()).toBeLessThan(bytes / 2);
    // Of a month long past the end is known.
    expect(readUsage(place, Date.parse("2025-03-31T23:59:59Z")).get("reference_that_is_always_shown.md")?.shown).toBe(
      450,
    );
    expect(readUsage(place, Date.parse("2024-12-31T23:59:59Z")).size).toBe(0);
    const after = size();
    store.tidy(1_000);
    expect(size()).toBe(after);
    store.rebuildIndex();
    expect(store.index.entry("a.md")?.uses).toBe(0);
    store.close();
  });

  it("keeps a use that is logged while the log is made anew, and one logged before by a torn write's side", () => {
    let late = 0;
    const { store, place, counts } = world({
      files: {
        ...nodeFiles,
        create(file, bytes) {
          nodeFiles.create(file, bytes);
          if (!file.endsWith("usage.jsonl.new")) return;
          late++;
          appendUse({ ...place, clock: { now: () => START + 500 * DAY_MS } }, ["a.md"]);
        },
      },
    });
    logUses(store.state, 400);
    fs.appendFileSync(`${store.state}/usage.jsonl`, '{"time":"2026-01-01T00:00:00Z","files":["torn');
    store.tidy(1_000);
    expect([late, counts()["a.md"]]).toEqual([1, 1]);
    store.close();
  });

  it("keeps nobody from writing while the history is packed, and what was written is there", () => {
    const { root, store } = world({
      git: true,
      wrapArchive: (archive) => ({
        ...archive,
        packing: () => ({
          work() {
            const other = openTestStore(root);
            other.commit([{ kind: "create", file: "b.md", content: noteText("b", "about b", "Words of b.") }], BY);
            other.close();
          },
          finish: () => true,
        }),
      }),
    });
    store.tidy(1_000);
    expect(store.history().versions("b.md")).toHaveLength(1);
    store.close();
  });

  it("gives up what could not be packed in time and goes on", () => {
    const finished: boolean[] = [];
    const { store } = world({
      git: true,
      wrapArchive: (archive) => ({
        ...archive,
        packing: () => ({
          work() {
            throw new MemoryError("unavailable", "git took too long");
          },
          finish: () => (finished.push(true), false),
        }),
      }),
    });
    expect(() => store.tidy(1_000)).toThrow("took too long");
    expect(finished).toEqual([true]);
    expect(store.verify()).toEqual([]);
    store.close();
  });
});

it("a journal of more than four million bytes goes into git with the write that makes it so large", () => {
  const { root, store } = world({ git: true });
  const journal = (): number => fs.statSync(`${root}/state/journal.jsonl`).size;
  const add = (name: string) => {
    const content = noteText(name, `about ${name}`, `${name} `.repeat(1_100_000));
    return store.commit([{ kind: "create", file: `${name}.md`, content }], BY);
  };
  add("b");
  expect(journal()).toBeGreaterThan(2_000_000);
  expect(add("c").ok).toBe(true);
  expect(journal()).toBeLessThan(100_000);
  expect(
    store
      .history()
      .versions()
      .map(({ files }) => files[0]?.file),
  ).toEqual(["c.md", "b.md", "a.md"]);
  store.close();
});

it("a journal of more than two hundred thousand bytes goes into git when the store is tidied, a smaller one stays", () => {
  const { root, store } = world({ git: true });
  const journal = (): number => fs.statSync(`${root}/state/journal.jsonl`).size;
  const before = journal();
  store.tidy(1_000);
  expect(journal()).toBe(before);
  const content = noteText("b", "about b", "b ".repeat(101_000));
  store.commit([{ kind: "create", file: "b.md", content }], BY);
  store.tidy(1_000);
  expect(journal()).toBeLessThan(before);
  expect(store.history().versions()).toHaveLength(2);
  store.close();
});

describe("help that is counted", () => {
  it("moves the note's line up with the next MEMORY.md, and still does when the index is made anew", () => {
    const { root, store } = world();
    const note = (name: string) =>
      ({ kind: "create", file: `${name}.md`, content: noteText(name, `about ${name}`, "Words.") }) as const;
    const listed = (): readonly string[] =>
      fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8").match(/(?<=\()\w+\.md(?=\))/gu) ?? [];
    store.commit([note("b"), note("c")], BY);
    for (const helped of [["c.md"], ["b.md"], ["b.md"]]) store.recordHelp(helped);
    store.commit([note("d")], BY);
    expect(listed().slice(0, 2)).toEqual(["b.md", "c.md"]);
    store.rebuildIndex();
    store.rebuildIndexFile();
    expect(listed().slice(0, 2)).toEqual(["b.md", "c.md"]);
    store.close();
    // Lost alone, and lost with the mark that says that no process was killed.
    for (const lost of [["index.db"], ["index.db", "journal.mark"]]) {
      for (const name of lost) fs.rmSync(`${root}/state/${name}`);
      const again = openTestStore(root, { git: false });
      again.reconcile("quick");
      again.rebuildIndexFile();
      expect(listed().slice(0, 2)).toEqual(["b.md", "c.md"]);
      again.close();
    }
  });

  it("is missed by a note that was shown ten times in vain: its line is the last once the store is tidied", () => {
    const { root, store } = world();
    store.commit([{ kind: "create", file: "b.md", content: noteText("b", "about b", "Words of b.") }], BY);
    for (let time = 0; time < 10; time++) store.recordUse(["b.md"]);
    store.tidy(1_000);
    store.rebuildIndexFile();
    expect(fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8")).toMatch(/\(a\.md\)[^]*\(b\.md\)/u);
    store.close();
  });

  it("writes nothing where no note helped", () => {
    const { store } = world();
    store.recordHelp([]);
    expect(fs.existsSync(`${store.state}/usage.jsonl`)).toBe(false);
    store.close();
  });
});
