import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { openDailyLog } from "../../../src/adapters/files/daily-log.ts";
import { looksCurrent, openLogReader } from "../../../src/adapters/files/daily-log-look.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { createSqliteLock } from "../../../src/adapters/sqlite/lock.ts";
import { openNoteIndex } from "../../../src/adapters/sqlite/note-index.ts";
import { entryId, logFile, type NewLogEntry } from "../../../src/core/notes/daily-log.ts";
import type { NoteIndex } from "../../../src/core/notes/note-index.ts";
import { scratch } from "../../support/scratch.ts";

let directory: string;
let state: string;
let index: NoteIndex & { readonly applied: string[][] };
const DAY = "2026-11-22";
const said = (text: string, time = Date.parse(`${DAY}T12:00:00Z`)): NewLogEntry => ({
  time,
  offset: 60,
  project: "~/shop",
  session: undefined,
  message: undefined,
  text,
});

beforeEach(() => {
  const root = scratch();
  directory = `${root}/Jané Döe`;
  state = `${root}/state`;
  fs.mkdirSync(directory);
  fs.mkdirSync(state);
  const real = openNoteIndex(`${state}/index.db`);
  const applied: string[][] = [];
  index = {
    ...real,
    degraded: undefined,
    applied,
    apply: (changes) => {
      applied.push((changes.upsert ?? []).map(({ file }) => file));
      real.apply(changes);
    },
  };
});

function open(files = nodeFiles): ReturnType<typeof openDailyLog> {
  return openDailyLog({ directory, state, files, index, lock: createSqliteLock(`${state}/lock.db`) });
}

const path = (): string => `${directory}/${logFile(DAY)}`;

describe("the index of daily logs", () => {
  it("takes only what is new of a day that was added to", () => {
    const log = open();
    log.append([said("one"), said("two")]);
    log.append([said("three")]);
    const [one, two, three] = log.day(DAY).map(entryId);
    expect(index.applied).toEqual([[one, two], [three]]);
    expect(looksCurrent({ directory, files: nodeFiles, index })).toBe(true);
    log.close();
  });

  it("follows what a person cuts: the others keep their names and stand beside each other", () => {
    const log = open();
    const added = log.append([said("one"), said("two"), said("three")]);
    const text = fs.readFileSync(path(), "utf8");
    fs.writeFileSync(path(), text.slice(0, text.indexOf("- ")) + text.slice(text.indexOf("- ", text.indexOf("one"))));
    log.reconcile("quick");
    const placed = index.entries().map(({ file, mtimeMs }) => [file, mtimeMs]);
    expect(Object.fromEntries(placed)).toEqual(
      Object.fromEntries(added.slice(1).map((entry, at) => [entryId(entry), at + 1])),
    );
    const digest = index.digest();
    index.clear();
    log.reconcile("full");
    expect(index.digest()).toBe(digest);
    log.close();
  });

  it("is the same after appends as when it is made from the files alone", () => {
    const log = open();
    for (let day = 0; day < 5; day++)
      log.append([
        said(`first of day ${day}`, Date.parse(`${DAY}T12:00:00Z`) - day * 86_400_000 * 20),
        said("second\n\nwith more"),
      ]);
    const digest = index.digest();
    index.clear();
    log.reconcile("full");
    expect(index.digest()).toBe(digest);
    log.close();
  });

  it("follows a day that was edited, emptied or removed by hand", () => {
    const log = open();
    log.append([said("one"), said("two"), said("three")]);
    fs.writeFileSync(path(), "- 09:00 only this\n");
    log.reconcile("quick");
    expect(index.entries().map(({ file, description }) => [file, description])).toEqual([
      [expect.stringMatching(/#090000-\w{8}$/u), "only this"],
    ]);
    fs.rmSync(`${directory}/2026`, { recursive: true });
    log.reconcile("quick");
    expect([index.entries(), log.days()]).toEqual([[], []]);
    log.close();
  });

  it("is not looked through by who may only read: a full look, asked for where an entry is not as it was, takes the full command", () => {
    const log = open();
    log.append([said("one")]);
    let outdated = 0;
    const reader = openLogReader({ directory, files: nodeFiles, index }, () => {
      outdated++;
      throw new Error("outdated");
    });
    expect([reader.reconcile("quick").changed, outdated]).toEqual([[], 0]);
    expect(() => reader.reconcile("full")).toThrow("outdated");
    log.close();
  });

  it("does not follow links", () => {
    fs.mkdirSync(`${directory}/2026/11`, { recursive: true });
    fs.writeFileSync(`${state}/secret.md`, "- 09:00 elsewhere\n");
    fs.symlinkSync(`${state}/secret.md`, path());
    const log = open();
    log.reconcile("full");
    expect([index.count(), log.day(DAY)]).toEqual([0, []]);
    log.close();
  });
});

describe("a write that was cut off", () => {
  it.each([1, 10, 60])("in the middle is completed by the next one (%i bytes of it were written)", (written) => {
    const before = open();
    before.append([said("the first entry")]);
    let isCut = true;
    const torn = {
      ...nodeFiles,
      append: (file: string, bytes: Uint8Array): void => {
        if (!isCut || !file.endsWith(".md")) return nodeFiles.append(file, bytes);
        isCut = false;
        nodeFiles.append(file, bytes.subarray(0, written));
        throw new Error("killed");
      },
    };
    const log = open(torn);
    expect(() => log.append([said("an entry that is torn\n\nin its second paragraph")])).toThrow("killed");
    log.append([said("the entry after it")]);
    expect(log.day(DAY).map(({ text }) => text)).toEqual([
      "the first entry",
      "an entry that is torn\n\nin its second paragraph",
      "the entry after it",
    ]);
    expect(fs.readdirSync(state).filter((name) => name.startsWith("pending"))).toEqual([]);
    log.close();
  });

  it("after its last byte and before the index, to a day long gone, is in the index after the next one", () => {
    const before = open();
    before.append([said("long gone", Date.parse(`${DAY}T12:00:00Z`) - 40 * 86_400_000), said("today")]);
    const { apply } = index;
    let isKilled = true;
    const torn: NoteIndex = {
      ...index,
      apply: (changes) => {
        if (isKilled) throw new Error("killed");
        apply(changes);
      },
    };
    const log = openDailyLog({
      directory,
      state,
      files: nodeFiles,
      index: torn,
      lock: createSqliteLock(`${state}/lock.db`),
    });
    expect(() => log.append([said("of the day long gone", Date.parse(`${DAY}T12:00:00Z`) - 40 * 86_400_000)])).toThrow(
      "killed",
    );
    isKilled = false;
    log.append([said("after it")]);
    expect(
      index
        .entries()
        .map(({ description }) => description)
        .toSorted(),
    ).toEqual(["after it", "long gone", "of the day long gone", "today"]);
    log.close();
  });

  it("before its first byte is as if it had never been, and one after its last byte is not repeated", () => {
    const killed = (when: "before" | "after") => ({
      ...nodeFiles,
      append: (file: string, bytes: Uint8Array): void => {
        if (when === "after") nodeFiles.append(file, bytes);
        throw new Error("killed");
      },
    });
    for (const when of ["before", "after"] as const)
      expect(() => open(killed(when)).append([said(`killed ${when}`)])).toThrow("killed");
    const log = open();
    log.append([said("the entry after it")]);
    expect(log.day(DAY).map(({ text }) => text)).toEqual(["killed after", "the entry after it"]);
    log.close();
  });
});
