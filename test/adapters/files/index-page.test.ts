import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import type { FilePort } from "../../../src/core/notes/file-port.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText, openTestStore } from "../../support/store.ts";

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
