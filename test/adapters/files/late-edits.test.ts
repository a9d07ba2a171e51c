import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../../src/adapters/files/journal.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { createFileReplacer } from "../../../src/adapters/files/replace-file.ts";
import type { FilePort } from "../../../src/core/notes/file-port.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore, textOf } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };
const START = Date.parse("2026-03-02T09:00:00Z");
const OLD = noteText("a", "About a", "one\n\ntwo");
const NEW = OLD.replace("one", "ONE");
const LATE = `${OLD}saved by an editor that had the old file open\n`;

/** A store whose note was replaced a moment ago; an editor that still holds the old file saves into it. */
function replacedUnder(files: FilePort = nodeFiles) {
  const root = scratch(memoryDirectory());
  let now = START;
  const store = openTestStore(root, { git: false, files, clock: { now: () => now, timeZone: "UTC" } });
  store.commit([{ kind: "create", file: "a.md", content: OLD }], BY);
  store.commit([{ kind: "write", file: "a.md", base: bytes(OLD), content: NEW }], BY);
  const aside = `${root}/state/displaced`;
  const copyOf = (file: string): string => {
    const [name = "none"] = fs
      .readdirSync(aside)
      .filter((one) => one.endsWith(`~${file}`))
      .toReversed();
    return `${aside}/${name}`;
  };
  const notes = (): Record<string, string> =>
    Object.fromEntries(
      fs
        .readdirSync(`${root}/notes`)
        .filter((name) => name !== "MEMORY.md")
        .map((name) => [name, fs.readFileSync(`${root}/notes/${name}`, "utf8")]),
    );
  return {
    root,
    store,
    notes,
    aside: () => fs.readdirSync(aside).filter((name) => name.endsWith("~a.md")),
    copyOf,
    late: (file: string, text: string) => fs.writeFileSync(copyOf(file), text),
    page: () => fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8"),
    at: (ms: number) => (now = START + ms),
    touch: () => store.commit([], BY),
  };
}

describe("what an editor saves into a note that was replaced under it", () => {
  it("is kept beside the note once nobody writes into it any more, by a write and by a look alike", () => {
    for (const look of ["write", "look"] as const) {
      const { store, notes, aside, late, at, touch } = replacedUnder();
      late("a.md", LATE);
      const next = (): void => void (look === "write" ? touch() : store.reconcile("quick"));
      at(1_999);
      next();
      expect(notes()).toEqual({ "a.md": NEW });
      at(2_600);
      next();
      expect([notes(), aside()]).toEqual([{ "a.md": NEW, "a.conflict-1.md": LATE }, []]);
      expect(store.index.entries().map(({ file }) => file)).toEqual(["a.conflict-1.md", "a.md"]);
      expect(store.history().versions()[0]).toMatchObject({
        actor: "external",
        reason: "edited while it was being replaced",
        files: [{ file: "a.conflict-1.md" }],
      });
      store.close();
    }
  });

  it("is kept where the clock was set back since", () => {
    const { store, notes, late, at, touch } = replacedUnder();
    late("a.md", LATE);
    at(-60_000);
    touch();
    expect(notes()).toEqual({ "a.md": NEW, "a.conflict-1.md": LATE });
    store.close();
  });

  it("is looked for at most twice a second", () => {
    let looks = 0;
    const { store, at, touch } = replacedUnder({
      ...nodeFiles,
      list(directory) {
        if (directory.endsWith("/displaced")) looks++;
        return nodeFiles.list(directory);
      },
    });
    const looksOf = (ms: number): number => {
      looks = 0;
      at(ms);
      touch();
      return looks;
    };
    const [first, second, third, fourth] = [600, 1_099, 1_100, 1_101].map(looksOf);
    expect(first).toBeGreaterThan(second ?? 0);
    expect(third).toBe(first);
    expect(fourth).toBe(second);
    store.close();
  });

  it("takes the note's place where that is free, and is kept once where it stands there already", () => {
    const { root, store, notes, aside, late, at, touch } = replacedUnder();
    late("a.md", LATE);
    fs.rmSync(`${root}/notes/a.md`);
    at(3_000);
    touch();
    expect([notes(), aside()]).toEqual([{ "a.md": LATE }, []]);
    store.close();
    for (const place of ["a.md", "a.conflict-1.md"]) {
      const twice = replacedUnder();
      twice.late("a.md", LATE);
      fs.writeFileSync(`${twice.root}/notes/${place}`, LATE);
      twice.at(3_000);
      twice.touch();
      expect([twice.notes(), twice.aside()]).toEqual([{ "a.md": NEW, [place]: LATE }, []]);
      twice.store.close();
    }
  });

  it("waits where another program takes the place at the same moment", () => {
    let isTaken = false;
    const { root, store, notes, aside, late, at, touch } = replacedUnder({
      ...nodeFiles,
      link(from, to) {
        if (isTaken && to.endsWith("conflict-1.md")) fs.writeFileSync(to, "theirs\n");
        return nodeFiles.link(from, to);
      },
    });
    late("a.md", LATE);
    isTaken = true;
    at(3_000);
    touch();
    expect([notes(), aside()]).toEqual([{ "a.md": NEW, "a.conflict-1.md": "theirs\n" }, [expect.any(String)]]);
    isTaken = false;
    at(4_000);
    touch();
    expect([notes()["a.conflict-2.md"], aside()]).toEqual([LATE, []]);
    expect(fs.existsSync(`${root}/state/displaced`)).toBe(true);
    store.close();
  });
});

describe("what an editor saves into a note that ended under it", () => {
  const ONE = "1".repeat(24);
  const TWO = "2".repeat(24);
  const SYNC = { actor: "sync", reason: "from sync" };
  const LATER = `${NEW}saved later\n`;

  /** Sync changes the note; the editor saves into the file that it had open; then a command looks. */
  function endedBy(change: (store: ReturnType<typeof replacedUnder>["store"]) => void, git = false) {
    const root = scratch(memoryDirectory());
    let now = START;
    const store = openTestStore(root, { git, clock: { now: () => now, timeZone: "UTC" } });
    store.commit([{ kind: "create", file: "a.md", content: NEW, lineage: ONE }], SYNC);
    change(store);
    const [name] = fs.readdirSync(`${root}/state/displaced`).filter((one) => one.endsWith("~a.md"));
    fs.writeFileSync(`${root}/state/displaced/${name}`, LATER);
    now += 3_000;
    store.commit([], BY);
    const lineages = Object.fromEntries([...store.lives().present].map(([file, { lineage }]) => [file, lineage]));
    return { root, store, lineages };
  }
  const remove = { kind: "delete", file: "a.md", base: bytes(NEW) } as const;

  it.each([true, false])(
    "is an edit of that note under its old name, which a forget of the note reaches; git: %s",
    (git) => {
      const { root, store, lineages } = endedBy((open) => void open.commit([remove], SYNC), git);
      expect(lineages).toEqual({ "a.md": ONE });
      expect(fs.readFileSync(`${root}/notes/a.md`, "utf8")).toBe(LATER);
      store.forgetLineages(new Set([ONE]));
      expect(fs.readdirSync(`${root}/notes`)).toEqual([]);
      store.close();
    },
  );

  it("is a copy of the note beside its new name", () => {
    const { root, store, lineages } = endedBy((open) => {
      open.commit([remove, { kind: "create", file: "b.md", content: NEW, lineage: ONE }], SYNC);
    });
    expect(lineages).toEqual({ "b.md": ONE, "b.conflict-1.md": ONE });
    expect(fs.readFileSync(`${root}/notes/b.conflict-1.md`, "utf8")).toBe(LATER);
    store.close();
  });

  it("is not a copy of another note that has its name since", () => {
    const { store, lineages } = endedBy((open) => {
      open.commit([remove], SYNC);
      open.commit([{ kind: "create", file: "a.md", content: OLD, lineage: TWO }], SYNC);
    });
    expect(lineages).toEqual({ "a.md": TWO, "a.conflict-1.md": ONE });
    store.close();
  });
});

describe("what an editor saves into a MEMORY.md that was replaced under it", () => {
  const OWN = "- a line of my own";
  /** The newest MEMORY.md that was moved aside gets `lines` at its end. */
  function lateLines(lines: readonly string[], change: (notes: string) => void = () => undefined): string {
    const { root, store, copyOf, at, touch, page } = replacedUnder();
    store.commit([{ kind: "create", file: "b.md", content: noteText("b", "B", "b") }], BY);
    fs.appendFileSync(copyOf("MEMORY.md"), `${lines.join("\n")}\n`);
    change(`${root}/notes`);
    at(3_000);
    touch();
    store.close();
    return page();
  }

  it("comes back line by line, but for lines of notes that are gone", () => {
    const page = lateLines([OWN, "- [Mine](a.md) — in my words", "- [Gone](gone.md) — hook"]);
    expect(page).toContain(`${OWN}\n`);
    expect(page).toContain("- [Mine](a.md) — in my words\n");
    expect(page).not.toContain("gone.md");
  });

  it("is in the history as it was saved, with the lines that did not come back", () => {
    const { store, copyOf, at, touch } = replacedUnder();
    store.commit([{ kind: "create", file: "b.md", content: noteText("b", "B", "b") }], BY);
    fs.appendFileSync(copyOf("MEMORY.md"), "- [Gone](gone.md) — hook\n");
    at(3_000);
    touch();
    const history = store.history();
    const kept = history.versions("MEMORY.md").map(({ seq }) => textOf(history.contentAt(seq, "MEMORY.md")));
    expect(kept.join()).toContain("- [Gone](gone.md) — hook\n");
    store.close();
  });

  it("makes a new MEMORY.md where somebody removed it, and leaves one alone that is no text or no file", () => {
    expect(lateLines([OWN], (notes) => fs.rmSync(`${notes}/MEMORY.md`))).toContain(`${OWN}\n`);
    const latin = Buffer.from("caf\u00e9\n", "latin1");
    expect(lateLines([OWN], (notes) => fs.writeFileSync(`${notes}/MEMORY.md`, latin))).toBe("caf\ufffd\n");
    const { root, store, copyOf, at, touch } = replacedUnder();
    store.commit([{ kind: "create", file: "b.md", content: noteText("b", "B", "b") }], BY);
    fs.appendFileSync(copyOf("MEMORY.md"), `${OWN}\n`);
    fs.renameSync(`${root}/notes/MEMORY.md`, `${root}/elsewhere`);
    fs.symlinkSync(`${root}/elsewhere`, `${root}/notes/MEMORY.md`);
    const before = fs.readFileSync(`${root}/elsewhere`, "utf8");
    at(3_000);
    touch();
    store.close();
    expect(fs.readFileSync(`${root}/elsewhere`, "utf8")).toBe(before);
    expect(fs.lstatSync(`${root}/notes/MEMORY.md`).isSymbolicLink()).toBe(true);
  });
});

describe("a change that was broken off after its line was in the journal", () => {
  const TEXTS = { before: OLD, after: NEW, other: noteText("a", "About a", "by a person") } as const;
  type Text = keyof typeof TEXTS | "none";
  const bytesOf = (text: Text): Uint8Array | undefined => (text === "none" ? undefined : bytes(TEXTS[text]));
  const KINDS: readonly (readonly ["before" | "none", "after" | "none"])[] = [
    ["none", "after"],
    ["before", "after"],
    ["before", "none"],
  ];
  const CASES = KINDS.flatMap(([before, after]) =>
    (["before", "after", "other", "none"] as const).flatMap((found) =>
      (["nothing", "before", "other"] as const).map((aside) => ({ before, after, found, aside })),
    ),
  );

  it.each([true, false])("leaves an edit of a note that it renamed or removed an edit of that note; git: %s", (git) => {
    const ONE = "1".repeat(24);
    for (const renames of [true, false]) {
      const root = scratch(memoryDirectory());
      const store = openTestStore(root, { git });
      store.commit([{ kind: "create", file: "a.md", content: OLD, lineage: ONE }], BY);
      store.close();
      const journal = openJournal(`${root}/state`, nodeFiles);
      const renamed = { file: "b.md", before: undefined, after: bytes(OLD), lineage: ONE };
      journal.commit({
        seq: journal.nextSeq(),
        time: "2026-03-02T10:00:00Z",
        actor: "sync",
        reason: "from sync",
        changes: [{ file: "a.md", before: bytes(OLD), after: undefined }, ...(renames ? [renamed] : [])],
      });
      fs.writeFileSync(`${root}/notes/a.md`, LATE);
      const again = openTestStore(root, { git });
      again.commit([], BY);
      const lineages = [...again.lives().present].map(([file, { lineage }]) => [file, lineage]);
      expect(Object.fromEntries(lineages)).toEqual({ "a.md": ONE, ...(renames && { "b.md": ONE }) });
      expect(textOf(again.history().contentAt(Number.MAX_SAFE_INTEGER, "a.md"))).toBe(LATE);
      again.close();
    }
  });

  it.each(CASES)("from $before to $after, with $found in place and $aside aside, is finished or left", (one) => {
    const { before, after, found, aside } = one;
    const root = scratch(memoryDirectory());
    fs.mkdirSync(`${root}/notes`);
    const store = openTestStore(root, { git: false });
    store.commit([{ kind: "create", file: "z.md", content: TEXTS.other }], BY);
    store.close();
    const file = `${root}/notes/a.md`;
    if (aside !== "nothing") {
      fs.writeFileSync(file, TEXTS[aside]);
      const replacer = createFileReplacer(`${root}/notes`, `${root}/state`, nodeFiles, () => START);
      replacer.replace("a.md", undefined, sha256(bytes(TEXTS[aside])));
    }
    if (found !== "none") fs.writeFileSync(file, TEXTS[found]);
    const journal = openJournal(`${root}/state`, nodeFiles);
    journal.commit({
      seq: journal.nextSeq(),
      time: "2026-03-02T10:00:00Z",
      ...BY,
      changes: [{ file: "a.md", before: bytesOf(before), after: bytesOf(after) }],
    });
    const again = openTestStore(root, { git: false });
    again.commit([], BY);
    // The file follows when it is as the change found it, or gone: an edit wins over a removal. What others wrote stays.
    const follows = found === before || found === "none";
    const wanted = follows ? after : found;
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
    expect(text).toBe(wanted === "none" ? undefined : TEXTS[wanted]);
    expect(again.index.entry("a.md")?.hash).toBe(text === undefined ? undefined : sha256(bytes(text)));
    expect(fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8").includes("(a.md)")).toBe(text !== undefined);
    again.close();
  });
});
