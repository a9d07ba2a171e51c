import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { StoreChange } from "../../../src/core/notes/store.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore } from "../../support/store.ts";

const BY = { actor: "test", reason: "several at once" };
const SEEN = noteText("a", "About a", "as it was seen");
const THEIRS = noteText("a", "About a", "as a person left it");

/** One change that cannot be made, with what the answer calls it. */
const REFUSED: readonly { readonly outcome: string; readonly change: StoreChange }[] = [
  { outcome: "exists", change: { kind: "create", file: "here.md", content: SEEN } },
  { outcome: "gone", change: { kind: "write", file: "missing.md", base: bytes(SEEN), content: THEIRS } },
  { outcome: "gone", change: { kind: "delete", file: "missing.md", base: bytes(SEEN) } },
  { outcome: "gone", change: { kind: "expect", file: "missing.md", hash: sha256(SEEN) } },
  { outcome: "changed", change: { kind: "delete", file: "here.md", base: bytes(SEEN) } },
  { outcome: "changed", change: { kind: "expect", file: "here.md", hash: sha256(SEEN) } },
  { outcome: "changed", change: { kind: "write", file: "here.md", base: bytes(SEEN), content: "x", exact: true } },
];

/** Changes that could be made, one of each kind. */
const POSSIBLE: readonly StoreChange[] = [
  { kind: "create", file: "new.md", content: noteText("new", "New", "new") },
  { kind: "write", file: "known.md", base: bytes(SEEN), content: noteText("a", "About a", "written") },
  { kind: "delete", file: "old.md", base: bytes(SEEN) },
];

const filesIn = (directory: string) =>
  Object.fromEntries(
    fs
      .readdirSync(directory)
      .filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
      .map((name) => [name, fs.readFileSync(`${directory}/${name}`, "utf8")]),
  );

function prepared() {
  const store = openTestStore(scratch(), { git: false });
  const create = (file: string, content: string): StoreChange => ({ kind: "create", file, content });
  store.commit([create("here.md", THEIRS), create("known.md", SEEN), create("old.md", SEEN)], BY);
  return store;
}

describe("a commit of several changes", () => {
  it.each(REFUSED.flatMap((one) => [0, 1, 2, 3].map((place) => ({ ...one, kind: one.change.kind, place }))))(
    "makes none of them when one is refused: $kind of what is $outcome, at place $place",
    ({ outcome, change, place }) => {
      const store = prepared();
      const before = filesIn(store.directory);
      const versions = store.history().versions().length;
      const result = store.commit([...POSSIBLE.slice(0, place), change, ...POSSIBLE.slice(place)], BY);
      expect(result.ok).toBe(false);
      expect(result.outcomes.map((one) => one.outcome)[place]).toBe(outcome);
      expect(filesIn(store.directory)).toEqual(before);
      expect(store.history().versions()).toHaveLength(versions);
      expect(store.commit(POSSIBLE, BY).ok, "without the refused one all are made").toBe(true);
      expect(Object.keys(filesIn(store.directory)).toSorted()).toEqual(["here.md", "known.md", "new.md"]);
      store.close();
    },
  );

  it("never makes words of a file that is not UTF-8, and takes its bytes", () => {
    const store = prepared();
    const base = Uint8Array.from([0xe9, 0x0a]);
    fs.writeFileSync(`${store.directory}/here.md`, base);
    const change = { kind: "write", file: "here.md", base } as const;
    for (const content of ["words\n", ""])
      expect(() => store.commit([...POSSIBLE, { ...change, content }], BY)).toThrow(
        /here\.md is not UTF-8.*--convert/u,
      );
    expect(Object.keys(filesIn(store.directory)).toSorted()).toEqual(["here.md", "known.md", "old.md"]);
    expect(store.commit([{ ...change, content: Uint8Array.from([0xff]) }], BY).ok).toBe(true);
    expect([...fs.readFileSync(`${store.directory}/here.md`)]).toEqual([0xff]);
    store.close();
  });

  it("is refused where a file has two of them, or where it would stand as another's edit", () => {
    const store = prepared();
    const [first] = POSSIBLE;
    if (first === undefined) throw new Error("none");
    expect(() => store.commit([...POSSIBLE, first], BY)).toThrow("new.md is changed twice");
    expect(() => store.commit(POSSIBLE, { ...BY, actor: "external" })).toThrow("name who asked");
    expect(Object.keys(filesIn(store.directory)).toSorted()).toEqual(["here.md", "known.md", "old.md"]);
    store.close();
  });

  it("that leaves every file as it is makes no version", () => {
    const store = prepared();
    const versions = store.history().versions().length;
    const same: StoreChange = { kind: "write", file: "known.md", base: bytes(SEEN), content: SEEN };
    const result = store.commit([same, { kind: "expect", file: "old.md", hash: sha256(SEEN) }], BY);
    expect(result).toMatchObject({ ok: true, outcomes: [{ outcome: "unchanged" }, { outcome: "unchanged" }] });
    expect(store.history().versions()).toHaveLength(versions);
    store.close();
  });
});
