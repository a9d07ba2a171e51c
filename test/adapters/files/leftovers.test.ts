import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { scratch } from "../../support/scratch.ts";
import { noteText, openTestStore } from "../../support/store.ts";
import { BY, OPERATIONS, prepareStore, type StoreOperation } from "../../support/store-operations.ts";

const DREAM = `${JSON.stringify({ note: "private.md" })}\n${JSON.stringify({ note: "a.md" })}\n`;

const ALL: readonly StoreOperation[] = [
  ...OPERATIONS,
  {
    name: "note under a name that was forgotten",
    run: (store) => {
      store.forget("private.md");
      store.commit([{ kind: "create", file: "private.md", content: noteText("private", "New", "new") }], BY);
    },
  },
  {
    name: "second forget while one waits",
    run: (store) => {
      fs.writeFileSync(
        `${path.dirname(store.directory)}/state/forget-pending.json`,
        JSON.stringify({ lineages: [], names: ["never.md"] }),
      );
      store.forget("b.md");
    },
  },
];

function filesBelow(directory: string): Record<string, string> {
  const found = fs.readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const entries = found.map((one) => path.join(one.parentPath, one.name));
  return Object.fromEntries(entries.map((one) => [path.relative(directory, one), textOf(one)]));
}

/** The lines of the index, and so its checksum, follow the times of the notes, which may or may not be written within one millisecond. */
function textOf(file: string): string {
  const text = fs.readFileSync(file, "utf8");
  return path.basename(file) === "MEMORY.md"
    ? text
        .replace(/(memdir:index )[0-9a-f]+/u, "$1")
        .split("\n")
        .toSorted()
        .join("\n")
    : text;
}

/** Runs an operation in a store of its own, with rubbish under the given names of temporary files. */
function runWith(operation: StoreOperation, rubbish: readonly string[]) {
  const root = scratch();
  const moved = new Set<string>();
  const files = {
    ...nodeFiles,
    rename: (from: string, to: string) => {
      moved.add(path.relative(root, from));
      return nodeFiles.rename(from, to);
    },
  };
  const store = openTestStore(root, { git: false, files });
  prepareStore(store, files);
  fs.writeFileSync(`${root}/state/dreams.jsonl`, DREAM);
  operation.outside?.(files, store.directory);
  moved.clear();
  for (const name of rubbish) fs.writeFileSync(path.join(root, name), "left by a killed proc");
  operation.run(store);
  store.close();
  const temporary = [...moved].filter((name) => name.startsWith("state/") && name.endsWith(".new"));
  return { notes: filesBelow(`${root}/notes`), state: fs.readdirSync(`${root}/state`).toSorted(), temporary };
}

describe("what a killed process left of writing a file", () => {
  it.each(ALL)("does not stop, nor get into, a $name", (operation) => {
    const clean = runWith(operation, []);
    const littered = runWith(operation, clean.temporary);
    expect(littered.notes).toEqual(clean.notes);
    expect(littered.state.filter((name) => name.endsWith(".new"))).toEqual([]);
    expect(littered.temporary).toEqual(clean.temporary);
  });

  it("is looked for at all: a forget writes some files aside", () => {
    const forget = ALL.filter(({ name }) => name === "forget" || name.startsWith("note under"));
    const names = forget.flatMap((operation) => runWith(operation, []).temporary);
    expect(names).toContain("state/dreams.jsonl.new");
    expect(names).toContain("state/forgotten.new");
  });
});
