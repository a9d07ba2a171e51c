import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/sqlite/driver.ts";
import { openNoteIndex } from "../../../src/adapters/sqlite/note-index.ts";
import { entryOf, unpack } from "../../../src/adapters/sqlite/index-rows.ts";
import { analyseQuery } from "../../../src/core/notes/terms.ts";
import { indexed } from "../../contracts/note-index.ts";
import { scratch } from "../../support/scratch.ts";

const notes = Array.from({ length: 1_001 }, (_, at) =>
  indexed(`n${String(at).padStart(4, "0")}.md`, {
    body: `the common word and token${at} ${at % 3 === 0 ? "third" : ""}`,
    description: `about ${at % 7}`,
    ...(at % 50 === 0 && { supersededBy: "x.md" }),
  }),
);

/** Everything that an index holds of words, as SQLite sees it. */
function words(file: string): unknown {
  const database = openDatabase(file, { busyTimeoutMs: 0, journal: "wal" });
  const all = (sql: string): unknown => database.prepare(sql).all([]);
  try {
    return {
      frequency: all("SELECT term, notes FROM frequency ORDER BY term"),
      totals: all("SELECT live, name_length, description_length, body_length FROM totals"),
      sizes: all("SELECT count(*) AS n FROM note_size"),
      cache: database.prepare("PRAGMA cache_size").get([]),
    };
  } finally {
    database.close();
  }
}

describe("notes that come into the index", () => {
  it("are counted the same one by one, in one go, and after others went", () => {
    const root = scratch();
    const files = ["one", "bulk", "less"].map((name) => `${root}/${name}.db`);
    const [one, bulk, less] = files.map((file) => openNoteIndex(file));
    for (let at = 0; at < notes.length; at += 500) one?.apply({ upsert: notes.slice(at, at + 500) });
    bulk?.apply({ upsert: notes });
    const extra = Array.from({ length: 1_200 }, (_, at) => indexed(`extra${at}.md`, { body: `extra words ${at}` }));
    less?.apply({ upsert: [...extra.slice(0, 600), ...notes] });
    less?.apply({ upsert: extra.slice(600) });
    less?.apply({ remove: extra.map(({ file }) => file) });
    const digest = one?.digest();
    for (const index of [one, bulk, less]) {
      expect(index?.count()).toBe(1_001 - 21);
      expect(index?.digest()).toBe(digest);
      const { candidates } = index?.search(analyseQuery("token17 third"), 50) ?? { candidates: [] };
      expect(candidates.map(({ entry }) => entry.file)).toContain("n0017.md");
      index?.close();
    }
    const [a, b, c] = files.map(words);
    expect(b).toEqual(a);
    expect(c).toEqual(a);
  });

  it("count the last where one comes twice into an empty index", () => {
    const index = openNoteIndex(":memory:");
    index.apply({ upsert: [indexed("a.md", { body: "first words" }), indexed("a.md", { body: "second words" })] });
    expect([index.count(), index.search(analyseQuery("first"), 5).candidates]).toEqual([1, []]);
    expect(index.search(analyseQuery("second"), 5).candidates.map(({ entry }) => entry.file)).toEqual(["a.md"]);
    index.close();
  });

  it("keep what was not changed, take what was, and one that came twice counts once", () => {
    const index = openNoteIndex(":memory:");
    index.apply({ upsert: [indexed("a.md", { body: "old words" }), indexed("b.md", { body: "other" })] });
    index.setUses(
      new Map([
        ["a.md", 2],
        ["gone.md", 1],
      ]),
    );
    index.apply({ upsert: [indexed("a.md", { body: "new words", modified: "2026-01-02T00:00:00.000Z" })] });
    expect(index.entry("a.md")).toMatchObject({ uses: 2, time: Date.parse("2026-01-02T00:00:00.000Z") });
    expect(index.search(analyseQuery("old"), 5).candidates).toEqual([]);
    index.apply({ upsert: [indexed("a.md", { body: "new words", modified: "not a date", mtimeMs: 1_234.6 })] });
    expect(index.entry("a.md")).toMatchObject({ uses: 2, time: 1_235, mtimeMs: 1_234.6 });
    index.apply({ remove: ["b.md", "never.md"] });
    expect([index.count(), index.entry("b.md"), index.hasFile("A.MD"), index.hasFile("b.md")]).toEqual([
      1,
      undefined,
      true,
      false,
    ]);
    index.apply({ upsert: [indexed("gone.md", { body: "x" })] });
    expect(index.entry("gone.md")?.uses).toBe(1);
    index.close();
  });
});

describe("a row that is not as it was written", () => {
  it("is called damaged", () => {
    for (const json of [undefined, "{}", "[7]"])
      expect(() => unpack(json, ["a"])).toThrow(expect.objectContaining({ code: "corrupt" }));
    expect(unpack('[["x",1]]', ["a", "b"])).toEqual([{ a: "x", b: 1 }]);
    expect(() => entryOf({ file: 7 })).toThrow(expect.objectContaining({ code: "corrupt" }));
  });
});
