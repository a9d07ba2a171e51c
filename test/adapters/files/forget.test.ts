import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore } from "../../support/store.ts";

const BY = { actor: "test", reason: "a life under two names" };
const LINEAGE = "0123456789abcdef01234567";
const OLD = noteText("first", "About the first", "words-of-the-first");
const OTHER = noteText("second", "About the second", "words-of-the-second");

/** A note that moved from x.md to y.md, and another that took the name x.md since. */
function twoUnderOneName() {
  const store = openTestStore(scratch(), { git: false });
  store.commit([{ kind: "create", file: "x.md", content: OLD, lineage: LINEAGE }], BY);
  store.commit(
    [
      { kind: "delete", file: "x.md", base: bytes(OLD) },
      { kind: "create", file: "y.md", content: OLD, lineage: LINEAGE },
    ],
    BY,
  );
  store.commit([{ kind: "create", file: "x.md", content: OTHER }], BY);
  return store;
}

describe("forgetting a note whose old name another note has now", () => {
  it("takes the one under both names and leaves the other with its past and its line", () => {
    const store = twoUnderOneName();
    expect(store.forget("y.md")?.purged.versions).toBe(2);
    expect(fs.readFileSync(`${store.directory}/x.md`, "utf8")).toBe(OTHER);
    expect(fs.existsSync(`${store.directory}/y.md`)).toBe(false);
    expect(store.history().versions("x.md")).toHaveLength(1);
    expect(fs.readFileSync(`${store.directory}/MEMORY.md`, "utf8")).toContain("(x.md)");
    expect(JSON.stringify(store.history().versions())).not.toContain("y.md");
    store.close();
  });

  it("takes the other alone when that one is meant", () => {
    const store = twoUnderOneName();
    store.forget("x.md");
    expect(fs.existsSync(`${store.directory}/x.md`)).toBe(false);
    expect(fs.readFileSync(`${store.directory}/y.md`, "utf8")).toBe(OLD);
    store.close();
  });
});

describe("a version of another note whose reason names a forgotten one", () => {
  it.each(["x.md", "y.md"])("loses the reason, whichever of its names that is: %s", (name) => {
    const store = openTestStore(scratch(), { git: false });
    store.commit([{ kind: "create", file: "x.md", content: OLD, lineage: LINEAGE }], BY);
    store.commit(
      [
        { kind: "delete", file: "x.md", base: bytes(OLD) },
        { kind: "create", file: "y.md", content: OLD, lineage: LINEAGE },
      ],
      BY,
    );
    store.commit([{ kind: "create", file: "z.md", content: OTHER }], { actor: "user", reason: `follows ${name}` });
    store.commit([{ kind: "create", file: "x.mdx.md", content: OTHER }], { actor: "user", reason: "follows sub/x.md" });
    store.forget("y.md");
    const reasons = store.history().versions();
    expect(reasons.map(({ reason }) => reason).slice(0, 2)).toEqual(["follows sub/x.md", "forgotten"]);
    store.close();
  });
});

describe("a version that touched several notes", () => {
  const several = (reason: string) => {
    const store = openTestStore(scratch());
    store.commit(
      ["x.md", "y.md"].map((file) => ({ kind: "create", file, content: noteText(file, `About ${file}`, file) })),
      { actor: "import", reason },
    );
    store.commit([{ kind: "create", file: "z.md", content: OTHER }], { actor: "user", reason: "remembered" });
    store.forget("x.md");
    const told = store.history().versions();
    store.close();
    return told.map(({ seq, reason: said, files }) => [seq, said, files.map(({ file }) => file).join()]);
  };

  it("keeps its reason for the others when one of them is forgotten", () => {
    expect(several("imported 2 notes of project shop")).toEqual([
      [2, "remembered", "z.md"],
      [1, "imported 2 notes of project shop", "y.md"],
    ]);
  });

  it.each(["merged x.md into y.md", "x was merged"])("loses a reason that names it: %s", (reason) => {
    expect(several(reason)).toEqual([
      [2, "remembered", "z.md"],
      [1, "forgotten", "y.md"],
    ]);
  });

  it("did not touch it keeps a reason that has its name only without the ending", () => {
    const store = openTestStore(scratch(), { git: false });
    store.commit([{ kind: "create", file: "x.md", content: OLD }], BY);
    const reasons = ["the x axis is down", "now below x.md"];
    for (const [at, reason] of reasons.entries())
      store.commit([{ kind: "create", file: `y${at}.md`, content: OTHER }], { actor: "user", reason });
    store.forget("x.md");
    const left = store.history().versions();
    expect(left.map(({ reason }) => reason).slice(0, 2)).toEqual(["forgotten", "the x axis is down"]);
    store.close();
  });

  it("of which nothing is left says only that", () => {
    const store = openTestStore(scratch(), { git: false });
    store.commit([{ kind: "create", file: "x.md", content: OLD }], { actor: "user", reason: "remembered a plan" });
    store.commit([{ kind: "create", file: "y.md", content: OTHER }], BY);
    store.forget("x.md");
    const reasons = store
      .history()
      .transactions()
      .map(({ reason }) => reason);
    expect(reasons).toContain("forgotten");
    expect(reasons).not.toContain("remembered a plan");
    store.close();
  });
});
