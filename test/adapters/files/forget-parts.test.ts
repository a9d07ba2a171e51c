import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { dropOrder, readOrder, writeOrder } from "../../../src/adapters/files/forgotten.ts";
import { mentionsName } from "../../../src/adapters/files/forget.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { openKeptRecallLog, READ_BYTES } from "../../../src/adapters/files/recall-log.ts";
import { findRemovedNote } from "../../../src/app/notes/find-note.ts";
import type { Workspace } from "../../../src/app/workspace/workspace.ts";
import type { FilePort } from "../../../src/core/notes/file-port.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore, type StoreOptions } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };

/** A store with three notes; names that are parts of each other. */
function stored(options: StoreOptions = {}) {
  const root = scratch(memoryDirectory());
  const store = openTestStore(root, { git: false, ...options });
  for (const file of ["a.md", "aa.md", "sub/a.md"])
    store.commit([{ kind: "create", file, content: noteText(file, `About ${file}`, `words of ${file}`) }], BY);
  const put = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(`${root}/${file}`), { recursive: true });
    fs.writeFileSync(`${root}/${file}`, text);
  };
  const text = (file: string): string | undefined =>
    fs.existsSync(`${root}/${file}`) ? fs.readFileSync(`${root}/${file}`, "utf8") : undefined;
  return { root, store, put, text };
}

/** The real file system, of which calls about some paths fail. */
function failing(isBroken: (call: string, file: string) => boolean): FilePort {
  return new Proxy(nodeFiles, {
    get(target, call: keyof FilePort & string) {
      const work = target[call];
      return (...given: [string, never]) => {
        if (isBroken(call, given[0])) throw new MemoryError("permission", `cannot ${call} ${path.basename(given[0])}`);
        return Reflect.apply(work, target, given);
      };
    },
  });
}

describe("the order to forget", () => {
  it("reads back as it was written, in the place of an earlier one, and is nothing where it is torn", () => {
    const state = scratch(memoryDirectory());
    const place = { state, files: nodeFiles };
    const order = { lineages: new Set(["0123456789abcdef01234567"]), names: new Set(["a.md", "b.md"]) };
    writeOrder(place, { ...order, names: new Set(["c.md"]) });
    writeOrder(place, order);
    expect(readOrder(place)).toEqual({ kind: "order", order });
    const written = JSON.parse(fs.readFileSync(`${state}/forget-pending.json`, "utf8"));
    for (const text of [
      "",
      '{"lineages": [',
      "[]",
      JSON.stringify({ ...written, names: undefined }),
      JSON.stringify({ ...written, lineages: undefined }),
      JSON.stringify({ ...written, names: {} }),
    ]) {
      fs.writeFileSync(`${state}/forget-pending.json`, text);
      expect([text, readOrder(place)]).toEqual([text, { kind: "order", order: undefined }]);
    }
    fs.writeFileSync(`${state}/forget-pending.json`, '{"file":"a.md"}');
    expect(readOrder(place)).toEqual({ kind: "file", file: "a.md" });
    fs.writeFileSync(`${state}/forget-pending.json.new`, "left of a killed process");
    dropOrder(place);
    expect([fs.readdirSync(state), readOrder(place)]).toEqual([[], { kind: "order", order: undefined }]);
  });
});

describe("forgetting in one store", () => {
  it("counts what it purged, and says nothing of a note that never was", () => {
    const { store, put, text } = stored();
    put("notes/MEMORY.md", `- [Mine](a.md) — by hand\n* [Again](<a.md>) — too\n${text("notes/MEMORY.md") ?? ""}`);
    const old = noteText("a.md", "About a.md", "words of a.md");
    store.commit([{ kind: "write", file: "a.md", base: bytes(old), content: `${old}more\n` }], BY);
    expect(store.forget("never.md")).toBeUndefined();
    expect(store.forgetLineages(new Set(["0".repeat(24)]))).toBeUndefined();
    expect(store.forget("a.md")).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/u),
      time: expect.stringMatching(/^2026-03-02T/u),
      purged: { versions: 2, indexLines: 2 },
    });
    expect(
      store.index
        .entries()
        .map(({ file }) => file)
        .toSorted(),
    ).toEqual(["aa.md", "sub/a.md"]);
    expect(text("notes/MEMORY.md")).not.toMatch(/\((?:<)?a\.md/u);
    expect(text("notes/MEMORY.md")).toContain("(sub/a.md)");
    expect(store.forget("a.md")).toBeUndefined();
    expect(text("state/forget-pending.json")).toBeUndefined();
    store.close();
  });

  it("takes a file that history never saw", () => {
    const { store, put, text } = stored();
    put("notes/own.md", "never looked at\n");
    expect(store.forget("own.md")?.purged.versions).toBeGreaterThan(0);
    expect(text("notes/own.md")).toBeUndefined();
    store.close();
  });

  it("takes one that was removed, with its past", () => {
    const { store, text } = stored();
    store.commit([{ kind: "delete", file: "a.md", base: bytes(noteText("a.md", "About a.md", "words of a.md")) }], BY);
    expect(store.forget("a.md")?.purged.versions).toBe(2);
    expect(text("state/journal.jsonl")).not.toContain("words of a.md");
    store.close();
  });

  it("takes one that came back under its name, which history does not know, as often as it comes", () => {
    const { store, put, text } = stored();
    for (let time = 0; time < 3; time++) {
      expect(store.forget("a.md")).toBeDefined();
      expect(text("notes/a.md")).toBeUndefined();
      put("notes/a.md", "back again\n");
    }
    store.close();
  });

  it("stays away under its name, whatever memdir does to a file that came back, until a new note takes it", () => {
    const { store, put } = stored();
    store.forget("a.md");
    const isLeftOut = (text: string): boolean => {
      put("notes/a.md", text);
      const { skipped } = store.reconcile("full");
      return skipped.some(({ file }) => file === "a.md") && store.index.entry("a.md") === undefined;
    };
    expect(isLeftOut("back\n")).toBe(true);
    store.commit([{ kind: "write", file: "a.md", base: bytes("back\n"), content: "changed\n" }], BY);
    expect(isLeftOut("back again\n")).toBe(true);
    store.commit([{ kind: "delete", file: "a.md", base: bytes("back again\n") }], BY);
    expect(isLeftOut("and again\n")).toBe(true);
    store.commit([{ kind: "delete", file: "a.md", base: bytes("and again\n") }], BY);
    store.commit([{ kind: "create", file: "a.md", content: "new\n" }], BY);
    expect(isLeftOut("new and edited\n")).toBe(false);
    store.close();
  });

  it("leaves what others say of other notes: uses, guards, dreams", () => {
    const { store, put, text } = stored();
    store.recordUse(["a.md", "aa.md"]);
    store.recordHelp(["a.md", "aa.md"]);
    put("state/guards.json", '{"aa.md": "b", "sub/a.md": "c"}');
    put("state/guards.json.1.tmp", '{"a.md": "b"}');
    const dreams = ['{"files":["a.md"]}', '{"files":["aa.md"]}', '{"files":["x-a.md","sub/a.md"]}'];
    put("state/dreams.jsonl", `${dreams.join("\n")}\n`);
    put("state/dreams.jsonl.new", "half");
    put("state/as-of/1.db", "a.md");
    put("state/vectors/1.json", "a.md");
    store.forget("a.md");
    expect(text("state/usage.jsonl")).not.toContain('"a.md"');
    expect(text("state/usage.jsonl")).toContain('"aa.md"');
    expect(store.index.entry("aa.md")?.uses).toBeGreaterThan(0);
    expect(text("state/guards.json")).toContain("aa.md");
    expect(text("state/guards.json.1.tmp")).toBeUndefined();
    expect(text("state/dreams.jsonl")).toBe(`${dreams.slice(1).join("\n")}\n`);
    for (const gone of ["state/dreams.jsonl.new", "state/as-of", "state/vectors"])
      expect(fs.existsSync(`${path.dirname(store.state)}/${gone}`)).toBe(false);
    store.close();
  });

  it.each([false, true])("takes its lines from every old MEMORY.md and leaves all others (with git: %s)", (git) => {
    const { store, put, text } = stored({ git });
    const own = ["- a line of my own", "- [Mine](aa.md) — by hand", "see x-a.md, v2.a.md and sub/x/a.md"];
    const about = ["- [It](a.md) — by hand", "a.md says so", "- [It](./a.md)", "/home/me/notes/a.md", "Read (a.md)."];
    put("notes/MEMORY.md", `\uFEFF${["# Ours", ...own, ...about, text("notes/MEMORY.md") ?? ""].join("\n")}`);
    store.commit([{ kind: "create", file: "b.md", content: noteText("b", "B", "b") }], BY);
    const pages = (): readonly string[] =>
      store
        .history()
        .transactions()
        .flatMap(({ changes }) => changes)
        .filter(({ file }) => file === "MEMORY.md")
        .map(({ after }) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(after));
    const before = pages();
    expect(before.filter((page) => page.startsWith("\uFEFF"))).not.toEqual([]);
    expect(before.some((page) => page.includes("a.md says so"))).toBe(true);
    store.forget("a.md");
    const after = pages().slice(0, before.length);
    expect(after).toHaveLength(before.length);
    for (const [at, page] of after.entries()) {
      const kept = (before[at] ?? "")
        .split("\n")
        .filter((line) => own.includes(line) || /\((?:aa|sub\/a)\.md\)/u.test(line));
      expect(page.split("\n")).toEqual(expect.arrayContaining(kept));
      for (const line of about) expect(page.split("\n")).not.toContain(line);
      expect(page).not.toMatch(/\(a\.md\)|^a\.md/mu);
      expect(page.startsWith("\uFEFF")).toBe(before[at]?.startsWith("\uFEFF"));
    }
    store.close();
  });

  it("keeps what a person wrote at that moment into copies that it purges, but not about the note", () => {
    const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "UTC" }; // copies stay until two seconds are over
    const { root, store, text } = stored({ clock });
    fs.renameSync(`${root}/notes/a.md`, `${root}/notes/z.md`);
    store.reconcile("full");
    const other = noteText("other", "Another note", "of another matter");
    const newer = `${other}more\n`;
    store.commit([{ kind: "create", file: "a.md", content: other }], BY);
    store.commit([{ kind: "write", file: "a.md", base: bytes(other), content: newer }], BY);
    const copies = fs.readdirSync(`${root}/state/displaced`).map((name) => `${root}/state/displaced/${name}`);
    const append = (file: string, late: string): void =>
      fs.appendFileSync(copies.find((copy) => copy.endsWith(`~${file}`)) ?? "(none)", late);
    append("MEMORY.md", "- a line of my own\n- [It](z.md) — by hand\n");
    append("a.md", "late words of the other\n");
    store.forget("z.md");
    expect(text("notes/MEMORY.md")?.split("\n")).toContain("- a line of my own");
    expect(text("notes/MEMORY.md")).not.toContain("z.md");
    expect(text("notes/a.md")).toBe(newer);
    expect(text("notes/a.conflict-1.md")).toBe(`${other}late words of the other\n`);
    store.close();
  });

  it("takes what the log of dreams says of any name that it had", () => {
    const { root, store, put, text } = stored();
    fs.renameSync(`${root}/notes/a.md`, `${root}/notes/z.md`);
    store.reconcile("full");
    put("state/dreams.jsonl", '{"files":["a.md"]}\n{"files":["z.md"]}\n{"files":["aa.md"]}\n');
    store.forget("z.md");
    expect(text("state/dreams.jsonl")).toBe('{"files":["aa.md"]}\n');
    store.close();
  });

  it("keeps the past of another note that has its former name, and what is written to that while it is purged", () => {
    const edit = "written while the other was purged";
    let isPurging = false;
    const files: FilePort = new Proxy(nodeFiles, {
      get(target, call: keyof FilePort & string) {
        const work = target[call];
        return (...given: [string, never]) => {
          if (isPurging && call === "remove" && given[0].endsWith("/notes/z.md")) put("notes/a.md", edited);
          return Reflect.apply(work, target, given);
        };
      },
    });
    const { root, store, put, text } = stored({ files, git: true });
    fs.renameSync(`${root}/notes/a.md`, `${root}/notes/z.md`);
    store.reconcile("full");
    const other = noteText("other", "Another note", "of another matter altogether");
    const edited = `${other}${edit}\n`;
    store.commit([{ kind: "create", file: "a.md", content: other }], BY);
    isPurging = true;
    store.forget("z.md");
    isPurging = false;
    expect([text("notes/z.md"), text("notes/a.md")]).toEqual([undefined, edited]);
    put("notes/a.md", `${edited}later\n`);
    store.reconcile("full");
    const past = store
      .history()
      .transactions()
      .flatMap(({ changes }) => changes);
    expect(past.map(({ file }) => file)).not.toContain("z.md");
    const versions = past.filter(({ file }) => file === "a.md").map(({ after }) => new TextDecoder().decode(after));
    expect(versions).toEqual([other, edited, `${edited}later\n`]);
    store.close();
  });

  it("writes no log of dreams anew that does not speak of it, and keeps guards of others", () => {
    const { store, put, root } = stored();
    put("state/dreams.jsonl", '{"files":["aa.md"]}\n');
    put("state/guards.json", '{"b.md": "b"}');
    const { ino } = fs.statSync(`${root}/state/dreams.jsonl`);
    store.forget("a.md");
    expect(fs.statSync(`${root}/state/dreams.jsonl`).ino).toBe(ino);
    expect(fs.existsSync(`${root}/state/guards.json`)).toBe(true);
    store.close();
  });

  it("removes guards that quote a renamed note under one of its names", () => {
    const { store, put, text, root } = stored();
    fs.renameSync(`${root}/notes/a.md`, `${root}/notes/moved.md`);
    store.reconcile("full");
    put("state/guards.json", '{"a.md": "quoted"}');
    store.forget("moved.md");
    expect(text("state/guards.json")).toBeUndefined();
    put("state/guards.json", '{"aa.md": "quoted"}');
    store.forget("sub/a.md");
    expect(text("state/guards.json")).toContain("quoted");
    store.close();
  });

  it.each([
    ["the note's file", (call: string, file: string) => call === "remove" && file.endsWith("/notes/a.md")],
    ["displaced copies", (call: string, file: string) => call === "remove" && file.includes("~a.md")],
    ["the log of recalls' uses", (call: string, file: string) => call !== "stat" && file.includes("usage.jsonl")],
    ["the registry of guards", (call: string, file: string) => call === "remove" && file.includes("guards.json")],
    ["the log of dreams", (call: string, file: string) => call === "rename" && file.includes("dreams.jsonl")],
    ["derived files", (call: string, file: string) => call === "removeTree" && file.endsWith("/vectors")],
    ["the history", (call: string, file: string) => call === "rename" && file.includes("journal.jsonl.new")],
    [
      "the record of what was forgotten",
      (call: string, file: string) => call === "append" && file.endsWith("/forgotten"),
    ],
    [
      "the directory of the store's state",
      (call: string, file: string) => call === "syncDirectory" && file.endsWith("/state"),
    ],
  ])("that could not purge %s says so, purges the rest, and goes on with the next command", (what, isBroken) => {
    let broken = false;
    const now = Date.parse("2026-03-02T09:00:00Z");
    const isBegun = (): boolean => fs.existsSync(`${store.state}/forget-pending.json`);
    const { root, store, put, text } = stored({
      files: failing((call, file) => broken && isBroken(call, file) && (what !== "displaced copies" || isBegun())),
      clock: { now: () => now, timeZone: "UTC" }, // displaced copies stay until two seconds are over
    });
    const old = noteText("a.md", "About a.md", "words of a.md");
    store.commit([{ kind: "write", file: "a.md", base: bytes(old), content: `${old}more\n` }], BY);
    store.recordHelp(["a.md", "aa.md"]);
    put("state/guards.json", '{"a.md": "b"}');
    put("state/dreams.jsonl", '{"files":["a.md"]}\n');
    put("state/vectors/1.json", "a.md");
    broken = true;
    // The order itself is noted by the same sync, so that one fails before anything is purged.
    const isOrder = what === "the directory of the store's state";
    expect(() => store.forget("a.md")).toThrow(
      expect.objectContaining({
        code: "permission",
        message: expect.stringContaining(isOrder ? "cannot syncDirectory" : `${what} (cannot`),
      }),
    );
    expect(text("state/forget-pending.json")).toContain("a.md");
    const rest = {
      told: store.verify().join().includes("a forgotten note could not be taken out"),
      file: text("notes/a.md") === undefined || what === "the note's file" || isOrder,
      vectors: text("state/vectors/1.json") === undefined || what === "derived files" || isOrder,
      dreams: text("state/dreams.jsonl") === "" || what === "the log of dreams" || isOrder,
      journal: !text("state/journal.jsonl")?.includes("words of a.md") || what === "the history" || isOrder,
    };
    expect(rest).toEqual({ told: true, file: true, vectors: true, dreams: true, journal: true });
    broken = false;
    store.commit([{ kind: "create", file: "next.md", content: noteText("next", "Next", "next") }], BY);
    expect(text("state/forget-pending.json")).toBeUndefined();
    expect(store.verify()).toEqual([]);
    for (const file of ["journal.jsonl", "usage.jsonl", "dreams.jsonl", "vectors/1.json", "guards.json"])
      expect({ file, text: text(`state/${file}`) ?? "" }).toEqual({
        file,
        text: expect.not.stringMatching(/"a\.md"|words of a\.md/u),
      });
    expect(fs.readdirSync(`${root}/state/displaced`).filter((name) => name.endsWith("~a.md"))).toEqual([]);
    store.close();
  });

  it("names every part that failed, once, and a second forget keeps the first order", () => {
    let broken = false;
    const isBroken = (call: string, file: string): boolean =>
      broken &&
      (file.endsWith("/vectors") || file.endsWith("/as-of")
        ? call === "removeTree"
        : call === "append" && file.endsWith("/forgotten"));
    const { store, text } = stored({ files: failing(isBroken) });
    broken = true;
    expect(() => store.forget("a.md")).toThrow(
      /may still hold the note: the record of what was forgotten \(.*\); derived files \([^;]*\)\. The next/u,
    );
    expect(() => store.forget("aa.md")).toThrow("not forgotten yet");
    expect(text("state/forget-pending.json")).toMatch(/"a\.md".*"aa\.md"|"aa\.md".*"a\.md"/u);
    broken = false;
    store.commit([], BY);
    expect(text("state/forget-pending.json")).toBeUndefined();
    expect(text("state/forgotten")?.trim().split(/\n+/u)).toHaveLength(2);
    store.close();
  });

  it("that a fault of memdir's own broke off is not passed over by the next command, which tells of it", () => {
    let isBroken = false;
    const files: FilePort = new Proxy(nodeFiles, {
      get(target, call: keyof FilePort & string) {
        const work = target[call];
        return (...given: [string, never]) => {
          if (isBroken && call === "removeTree") throw new RangeError("a fault of our own");
          return Reflect.apply(work, target, given);
        };
      },
    });
    const { store, text } = stored({ files });
    isBroken = true;
    expect(() => store.forget("a.md")).toThrow(RangeError);
    expect(() => store.commit([], BY)).toThrow(RangeError);
    isBroken = false;
    store.commit([], BY);
    expect([text("state/forget-pending.json"), text("notes/a.md")]).toEqual([undefined, undefined]);
    store.close();
  });

  it.each([
    ["of an earlier memdir, which named a file", '{"file":"a.md"}', ["aa.md", "sub/a.md"]],
    ["of nothing that is here", '{"file":"never.md"}', ["a.md", "aa.md", "sub/a.md"]],
    ["that is torn", '{"lineages":["0', ["a.md", "aa.md", "sub/a.md"]],
    ["of another form", '{"lineages":7,"names":[]}', ["a.md", "aa.md", "sub/a.md"]],
    ["without names", '{"lineages":[]}', ["a.md", "aa.md", "sub/a.md"]],
  ])("an order %s is settled by the next command", (_, order, left) => {
    const { store, put, text } = stored();
    put("state/forget-pending.json", order);
    store.reconcile("quick");
    expect(text("state/forget-pending.json")).toBeUndefined();
    expect(
      store.index
        .entries()
        .map(({ file }) => file)
        .toSorted(),
    ).toEqual(left);
    store.close();
  });
});

describe("the name of a note in a text", () => {
  it.each([
    "a.md",
    "see a.md",
    "(a.md)",
    "./a.md",
    "../a.md",
    "/home/me/notes/a.md",
    "~/notes/a.md",
    "read a.md.",
    "xa.md, then a.md",
    "aa.md a.md",
  ])("is found in %j", (text) => {
    expect(mentionsName(text, "a.md")).toBe(true);
  });

  it.each([
    ["", "a.md"],
    ["xa.md", "a.md"],
    ["a.mdx", "a.md"],
    ["a.md2", "a.md"],
    ["a.md-old", "a.md"],
    ["a.md_", "a.md"],
    ["sub/a.md", "a.md"],
    ["v2.a.md", "a.md"],
    ["x-a.md", "a.md"],
    ["éa.md", "a.md"],
    ["stem", "ste"],
  ])("is not found in %j", (text, name) => {
    expect(mentionsName(text, name)).toBe(false);
  });
});

describe("the log of recalls", () => {
  const line = (text: string): string => `{"prompt":"${text}"}`;
  function logs(files: Readonly<Record<string, string>>) {
    const stores = scratch(memoryDirectory());
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(`${stores}/${file}`), { recursive: true });
      fs.writeFileSync(`${stores}/${file}`, text);
    }
    const log = openKeptRecallLog({
      state: `${stores}/one`,
      files: nodeFiles,
      clock: { now: () => 0 },
      project: "p",
      keeps: "text",
    });
    return { stores, log, text: (file: string) => fs.readFileSync(`${stores}/${file}`, "utf8") };
  }
  const all = `${line("about x")}\n${line("other")}\n{"prompt":"torn about`;

  it("loses lines about a note here, or in every store; what is torn cannot be judged and goes along", () => {
    const files = { "one/recalls.jsonl": all, "one/recalls.old.jsonl": all, "two/recalls.jsonl": all, file: "x" };
    const { log, text, stores } = logs(files);
    fs.writeFileSync(`${stores}/one/recalls.jsonl.new`, "left of a killed process");
    log.drop((one) => one.includes("x"), false);
    expect(text("one/recalls.jsonl")).toBe(`${line("other")}\n`);
    expect(text("one/recalls.old.jsonl")).toBe(`${line("other")}\n`);
    expect(text("two/recalls.jsonl")).toBe(all);
    log.drop((one) => one.includes("x"), true);
    expect(text("two/recalls.jsonl")).toBe(`${line("other")}\n`);
    expect(fs.readdirSync(`${stores}/one`).toSorted()).toEqual(["recalls.jsonl", "recalls.old.jsonl"]);
  });

  it("is left alone where nothing goes, and follows no link", () => {
    const { log, stores, text } = logs({ "one/recalls.jsonl": `${line("other")}\n`, "elsewhere/x": all });
    fs.symlinkSync(`${stores}/elsewhere/x`, `${stores}/one/recalls.old.jsonl`);
    const outside = scratch(memoryDirectory());
    fs.writeFileSync(`${outside}/recalls.jsonl`, all);
    fs.symlinkSync(outside, `${stores}/linked`);
    log.drop((one) => one.includes("x"), true);
    expect(fs.readFileSync(`${outside}/recalls.jsonl`, "utf8")).toBe(all);
    const { ino } = fs.statSync(`${stores}/one/recalls.jsonl`);
    log.drop(() => false, true);
    expect(fs.statSync(`${stores}/one/recalls.jsonl`).ino).toBe(ino);
    log.drop(() => true, true);
    expect(text("one/recalls.jsonl")).toBe("");
    expect(text("elsewhere/x")).toBe(all);
  });

  it("that is larger than what is looked at loses what was not looked at", () => {
    const filler = `${line("y".repeat(990))}\n`;
    const { log, text } = logs({ "one/recalls.jsonl": filler.repeat(Math.ceil(READ_BYTES / filler.length) + 5) });
    log.drop(() => false, false);
    expect(text("one/recalls.jsonl").length).toBeLessThanOrEqual(READ_BYTES);
    expect(text("one/recalls.jsonl").startsWith('{"prompt"')).toBe(true);
  });
});

describe("a removed note", () => {
  const find = (present: readonly string[], removed: readonly string[], reference: string): string | undefined => {
    const store = openTestStore(scratch(memoryDirectory()), { git: false });
    for (const file of [...removed, ...present])
      store.commit([{ kind: "create", file, content: noteText(file.replace(/\.md$/u, ""), "x", "words") }], BY);
    for (const file of removed)
      store.commit([{ kind: "delete", file, base: bytes(noteText(file.replace(/\.md$/u, ""), "x", "words")) }], BY);
    const scoped = { scope: "project", store } as const;
    const found = findRemovedNote({ stores: [scoped] } as unknown as Workspace, reference)?.file;
    store.close();
    return found;
  };

  it.each([
    ["project_old_port.md"],
    ["project_old_port"],
    ["old port"],
    ["OLD-Port"],
    ["project:old_port"],
    ["project-old--port"],
  ])("is found by %s", (reference) => {
    expect(find(["project_new.md"], ["project_old_port.md", "user_x.md"], reference)).toBe("project_old_port.md");
  });

  it.each(["port", "project_new", "new", "user:old_port", "MEMORY", "x_old_port", "old_port_x"])(
    "is not found by %s",
    (reference) => {
      expect(find(["project_new.md"], ["project_old_port.md"], reference)).toBeUndefined();
    },
  );

  it("is not found by the name of a note that is there, though it had that name without its type", () => {
    expect(find(["user_port.md"], ["project_user_port.md"], "user port")).toBeUndefined();
    expect(find(["user_x.md"], ["project_user_port.md"], "user port")).toBe("project_user_port.md");
  });

  it("is never the index, whatever was written there", () => {
    const { store, put, text } = stored();
    put("notes/MEMORY.md", `- a line of my own\n${text("notes/MEMORY.md") ?? ""}`);
    store.commit([{ kind: "create", file: "b.md", content: noteText("b", "B", "b") }], BY);
    put("notes/MEMORY.md", (text("notes/MEMORY.md") ?? "").replace("- a line of my own\n", ""));
    store.commit([{ kind: "create", file: "c.md", content: noteText("c", "C", "c") }], BY);
    expect(store.history().versions("MEMORY.md")).not.toEqual([]);
    const workspace = { stores: [{ scope: "project", store }] } as unknown as Workspace;
    for (const name of ["MEMORY", "MEMORY.md", "memory"]) expect(findRemovedNote(workspace, name)).toBeUndefined();
    store.close();
  });

  it("is not found where a note of that name or title is there; its own name goes before one with a type", () => {
    expect(find(["project_old_port.md"], ["feedback_old_port.md"], "project_old_port")).toBeUndefined();
    expect(find([], ["feedback_port.md", "port.md"], "port")).toBe("port.md");
    expect(find([], ["feedback_port.md"], "port")).toBe("feedback_port.md");
  });
});
