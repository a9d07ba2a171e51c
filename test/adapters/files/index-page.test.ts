import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import type { FilePort } from "../../../src/core/notes/file-port.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText, openTestStore, textOf } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };
const MINE = "- a line of my own";
const YOURS = "- a line that came meanwhile";
/** More calls than a commit makes. */
const MOST_CALLS = 2_000;

/** Commits a note to a store with a line by hand, while `happen` is done to MEMORY.md before the call of that number. */
function committed(at: number, happen: (page: string) => void) {
  const root = scratch(memoryDirectory());
  const page = `${root}/notes/MEMORY.md`;
  const first = openTestStore(root, { git: false });
  first.commit([{ kind: "create", file: "a.md", content: noteText("a", "A", "a") }], BY);
  first.close();
  fs.writeFileSync(page, `${MINE}\n\n${fs.readFileSync(page, "utf8")}`);
  let calls = 0;
  let isDone = false;
  const files: FilePort = new Proxy(nodeFiles, {
    get(target, call: keyof FilePort & string) {
      const work = target[call];
      return (...given: [string, never]) => {
        if (++calls === at && fs.existsSync(page)) {
          isDone = true;
          happen(page);
        }
        return Reflect.apply(work, target, given);
      };
    },
  });
  const store = openTestStore(root, { git: false, files });
  store.commit([{ kind: "create", file: "b.md", content: noteText("b", "B", "b") }], BY);
  const wasDone = isDone;
  const wasOver = calls < at;
  store.commit([], BY);
  store.close();
  const text = fs.readFileSync(page, "utf8");
  const lines = text.split("\n").filter((line) => line === MINE || line === YOURS || line.startsWith("- ["));
  return { wasDone, wasOver, lines: lines.toSorted() };
}

function saved(page: string, text: string): void {
  fs.writeFileSync(`${page}~`, text);
  fs.renameSync(`${page}~`, page);
}

describe("a line by hand about a note that others rename", () => {
  const renamed = (root: string, state?: string): string => {
    const page = `${root}/notes/MEMORY.md`;
    const store = openTestStore(root, { git: false });
    store.commit([{ kind: "create", file: "a.md", content: noteText("a", "A", "a") }], BY);
    fs.appendFileSync(page, "- [Mine](a.md) — in my words\n");
    if (state !== undefined) store.index.setState("renamed-files", state);
    fs.renameSync(`${root}/notes/a.md`, `${root}/notes/c.md`);
    store.reconcile("full");
    store.commit([{ kind: "create", file: "b.md", content: noteText("b", "B", "b") }], BY);
    store.close();
    return fs.readFileSync(page, "utf8");
  };
  it.each([undefined, "", "{}", "[", "null", '[1, ["a.md"], [2, 3]]'])(
    "follows, whatever was noted before (%s)",
    (state) => {
      expect(renamed(scratch(memoryDirectory()), state)).toContain("- [Mine](c.md) — in my words\n");
    },
  );
});

describe("lines by hand about notes that others rename", () => {
  const MINE_ABOUT = (file: string): string => `- [Mine](${file}) — in my words\n`;
  function world(names: readonly string[], content = (name: string) => noteText(name, name, name)) {
    const root = scratch(memoryDirectory());
    const page = `${root}/notes/MEMORY.md`;
    const store = openTestStore(root, { git: false });
    const add = (name: string) => store.commit([{ kind: "create", file: `${name}.md`, content: content(name) }], BY);
    for (const name of names) add(name);
    const rename = (from: string, to: string): void => {
      fs.renameSync(`${root}/notes/${from}.md`, `${root}/notes/${to}.md`);
      store.reconcile("full");
    };
    const own = (): readonly string[] =>
      fs
        .readFileSync(page, "utf8")
        .split(/(?<=\n)/u)
        .filter((line) => line.includes("[Mine]"));
    return { root, page, store, add, rename, own };
  }

  it("follow every rename until the page is written, each its own, and once", () => {
    const { page, store, add, rename, own } = world(["a", "b"]);
    fs.appendFileSync(page, `${MINE_ABOUT("a.md")}${MINE_ABOUT("b.md")}`);
    rename("a", "a2");
    rename("b", "b2");
    rename("a2", "a3");
    add("c");
    expect(own()).toEqual([MINE_ABOUT("a3.md"), MINE_ABOUT("b2.md")]);
    fs.appendFileSync(page, MINE_ABOUT("a.md"));
    add("d");
    expect(own()).toEqual([MINE_ABOUT("a3.md"), MINE_ABOUT("b2.md"), MINE_ABOUT("a.md")]);
    store.close();
  });

  it("stay with the old name where a note has it again", () => {
    const { root, page, store, add, rename, own } = world(["a"]);
    fs.appendFileSync(page, MINE_ABOUT("a.md"));
    rename("a", "b");
    fs.writeFileSync(`${root}/notes/a.md`, noteText("a", "Another", "another"));
    store.reconcile("full");
    add("c");
    expect(own()).toEqual([MINE_ABOUT("a.md")]);
    store.close();
  });

  it("of notes with the same text follow each to one of its own, and to none that was there before", () => {
    const { root, page, store, add, rename, own } = world(["a", "b"], () => noteText("x", "X", "x"));
    fs.appendFileSync(page, `${MINE_ABOUT("a.md")}${MINE_ABOUT("b.md")}`);
    fs.renameSync(`${root}/notes/a.md`, `${root}/notes/c.md`);
    rename("b", "d");
    add("e");
    expect(own().toSorted()).toEqual([MINE_ABOUT("c.md"), MINE_ABOUT("d.md")]);
    const text = fs.readFileSync(`${root}/notes/c.md`);
    fs.writeFileSync(`${root}/notes/e.md`, noteText("e", "E", "e"));
    store.reconcile("full");
    fs.rmSync(`${root}/notes/c.md`);
    fs.writeFileSync(`${root}/notes/e.md`, text);
    store.reconcile("full");
    add("f");
    expect(own().toSorted()).toEqual([MINE_ABOUT("c.md"), MINE_ABOUT("d.md")]);
    store.close();
  });
});

describe("MEMORY.md, saved by an editor at any moment of a commit", () => {
  const NOTES = ["- [A](a.md)", "- [B](b.md)"];

  it.each<[string, (text: string) => string, readonly string[]]>([
    ["keeps a line that was added", (text) => `${YOURS}\n${text}`, [...NOTES, MINE, YOURS]],
    ["does not get a line back that was removed", (text) => text.replace(`${MINE}\n`, ""), NOTES],
  ])("%s", (_, edit, wanted) => {
    let edits = 0;
    for (let at = 1; at < MOST_CALLS; at++) {
      const { wasDone, wasOver, lines } = committed(at, (page) => saved(page, edit(fs.readFileSync(page, "utf8"))));
      if (wasOver) break;
      if (!wasDone) continue;
      edits++;
      expect({ at, lines }).toEqual({ at, lines: wanted.toSorted() });
    }
    expect(edits).toBeGreaterThan(10);
  });
});

it("MEMORY.md that is made anew lists what others wrote and removed a moment ago", () => {
  const root = scratch(memoryDirectory());
  const store = openTestStore(root, { git: false });
  for (const name of ["a", "b"])
    store.commit([{ kind: "create", file: `${name}.md`, content: noteText(name, name, name) }], BY);
  fs.renameSync(`${root}/notes/a.md`, `${root}/notes/c.md`);
  store.rebuildIndexFile();
  const page = fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8");
  expect(page.match(/\(\w\.md\)/gu)?.toSorted()).toEqual(["(b.md)", "(c.md)"]);
  store.close();
});

it("MEMORY.md that others get with a repository lists notes by name, whatever helped, and none that was superseded", () => {
  const root = scratch(memoryDirectory());
  const store = openTestStore(root, { git: false, orderedByName: true });
  const old = noteText("b", "b", "b").replace("  type:", "  supersededBy: c.md\n  type:");
  for (const [name, content] of [["d"], ["b", old], ["a"], ["c"]] as const) {
    const text = content ?? noteText(name, name, name);
    store.commit([{ kind: "create", file: `${name}.md`, content: text }], BY);
  }
  store.recordHelp(["d.md"]);
  store.rebuildIndexFile();
  const page = fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8");
  expect(page.match(/\(\w\.md\)/gu)).toEqual(["(a.md)", "(c.md)", "(d.md)"]);
  store.close();
});

describe("MEMORY.md in the history", () => {
  const pages = (store: ReturnType<typeof openTestStore>): readonly string[] =>
    store
      .history()
      .versions("MEMORY.md")
      .map(({ reason }) => reason);

  it("has what people wrote into it before it is replaced, and their lines before these go; nothing else", () => {
    const root = scratch(memoryDirectory());
    const page = `${root}/notes/MEMORY.md`;
    const store = openTestStore(root, { git: false });
    for (const name of ["a", "b"])
      store.commit([{ kind: "create", file: `${name}.md`, content: noteText(name, name, name) }], BY);
    expect(pages(store)).toEqual([]);
    fs.appendFileSync(page, "- [Mine](a.md) — in my words\n");
    store.commit([{ kind: "create", file: "c.md", content: noteText("c", "C", "c") }], BY);
    store.commit([{ kind: "create", file: "d.md", content: noteText("d", "D", "d") }], BY);
    expect(pages(store)).toEqual(["MEMORY.md edited outside memdir"]);
    const before = fs.readFileSync(page, "utf8");
    store.commit([{ kind: "delete", file: "a.md", base: fs.readFileSync(`${root}/notes/a.md`) }], BY);
    expect(fs.readFileSync(page, "utf8")).not.toContain("a.md");
    const [newest, ...older] = pages(store);
    expect([newest, older]).toEqual(["lines of MEMORY.md go with their notes", ["MEMORY.md edited outside memdir"]]);
    const last = store.history().versions("MEMORY.md")[0];
    expect(textOf(store.history().contentAt(last?.seq ?? 0, "MEMORY.md"))).toBe(before);
    store.commit([{ kind: "delete", file: "b.md", base: fs.readFileSync(`${root}/notes/b.md`) }], BY);
    expect(pages(store)).toHaveLength(2);
    store.close();
  });

  it("is not taken for an edit where the index was made anew or a note was forgotten", () => {
    const root = scratch(memoryDirectory());
    const store = openTestStore(root, { git: false });
    for (const name of ["a", "b"])
      store.commit([{ kind: "create", file: `${name}.md`, content: noteText(name, name, name) }], BY);
    store.rebuildIndex();
    store.commit([{ kind: "create", file: "c.md", content: noteText("c", "C", "c") }], BY);
    store.forget("a.md");
    store.commit([{ kind: "create", file: "d.md", content: noteText("d", "D", "d") }], BY);
    expect(pages(store)).toEqual([]);
    store.close();
  });

  it("is not taken for an edit where the last note went and with it the page", () => {
    const root = scratch(memoryDirectory());
    const store = openTestStore(root, { git: false });
    const content = noteText("a", "A", "a");
    for (let time = 0; time < 2; time++) {
      store.commit([{ kind: "create", file: "a.md", content }], BY);
      store.commit([{ kind: "delete", file: "a.md", base: Buffer.from(content) }], BY);
      expect(fs.existsSync(`${root}/notes/MEMORY.md`)).toBe(false);
    }
    store.commit([{ kind: "create", file: "a.md", content }], BY);
    expect(pages(store)).toEqual([]);
    store.close();
  });
});

describe("lines by hand about notes that come back", () => {
  const RED = "- [Red](a.md) — about red";
  const BLUE = "- [Blue](b.md) — about blue";
  /** The page after a note was removed, changed and brought back with the page of before. */
  function broughtBack(page: string, change: (page: string) => string = (text) => text): readonly string[] {
    const root = scratch(memoryDirectory());
    const file = `${root}/notes/MEMORY.md`;
    const store = openTestStore(root, { git: false });
    const content = noteText("a", "A", "a");
    store.commit(
      ["a.md", "b.md"].map((name) => ({ kind: "create", file: name, content })),
      BY,
    );
    fs.writeFileSync(file, page);
    store.rebuildIndexFile();
    const indexBefore = fs.readFileSync(file);
    store.commit([{ kind: "delete", file: "a.md", base: Buffer.from(content) }], BY);
    expect(fs.readFileSync(file, "utf8")).not.toContain(RED);
    fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")));
    store.commit([{ kind: "create", file: "a.md", content }], { ...BY, indexBefore });
    store.close();
    return fs.readFileSync(file, "utf8").split("\n");
  }

  it.each([
    ["between others", `# Mine\n${RED}\n${BLUE}\nwords\n`, (lines: string) => lines],
    ["where others were added above", `# Mine\n${RED}\n${BLUE}\n`, (lines: string) => `new\n${lines}`],
    ["with the line endings of the page", `# Mine\r\n${RED}\r\n${BLUE}\r\n`, (lines: string) => lines],
  ])("return to their place %s", (_, page, change) => {
    expect(broughtBack(page, change).slice(0, change(page).split("\n").length - 1)).toEqual(
      change(page).split("\n").slice(0, -1),
    );
  });

  it("return once, whoever wrote them again meanwhile, and others that were removed do not", () => {
    const again = broughtBack(`${RED}\n${BLUE}\nwords\n`, (text) => `${RED}\n${text.replace("words\n", "")}`);
    expect(again.filter((line) => [RED, BLUE, "words"].includes(line)).toSorted()).toEqual([BLUE, RED].toSorted());
  });

  it("are all there where the page was turned round meanwhile", () => {
    const lines = broughtBack(`one\n${RED}\ntwo\n`, (text) => text.replace("one\n", "1\n").replace("two\n", "2\n"));
    expect(lines.filter((line) => ["1", "2", RED].includes(line)).toSorted()).toEqual(["1", "2", RED].toSorted());
  });
});

it("a MEMORY.md that is a link takes the room that its lines take", () => {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/notes`);
  fs.writeFileSync(`${root}/elsewhere.md`, "theirs\n".repeat(100));
  fs.symlinkSync(`${root}/elsewhere.md`, `${root}/notes/MEMORY.md`);
  const store = openTestStore(root, { git: false });
  const result = store.commit([{ kind: "create", file: "a.md", content: noteText("a", "A", "a") }], BY);
  expect(result).toMatchObject({ ok: true, headroom: { lines: 99 } });
  store.close();
});

it.each([
  ["a link", (page: string, root: string) => fs.symlinkSync(`${root}/elsewhere.md`, page)],
  ["a directory", (page: string) => fs.mkdirSync(page)],
  ["no UTF-8", (page: string) => fs.writeFileSync(page, Buffer.from([0xe9, 0x0a]))],
])("a MEMORY.md that is %s stays as it is, and notes are written all the same", (_, make) => {
  const root = scratch(memoryDirectory());
  const page = `${root}/notes/MEMORY.md`;
  fs.mkdirSync(`${root}/notes`);
  fs.writeFileSync(`${root}/elsewhere.md`, "theirs\n");
  make(page, root);
  const told = (): unknown => [
    fs.lstatSync(page).isSymbolicLink(),
    fs.lstatSync(page).isFile() ? fs.readFileSync(page).toString("hex") : "",
    fs.readFileSync(`${root}/elsewhere.md`, "utf8"),
  ];
  const before = told();
  const store = openTestStore(root, { git: false });
  expect(store.commit([{ kind: "create", file: "a.md", content: noteText("a", "A", "a") }], BY).ok).toBe(true);
  expect([told(), store.index.entries().map(({ file }) => file)]).toEqual([before, ["a.md"]]);
  expect(store.history().versions("MEMORY.md")).toEqual([]);
  store.close();
});
