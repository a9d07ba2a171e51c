import { describe, expect, it } from "vitest";
import { ENTRY_COLUMNS, entryOf, pastOfHeirs, stampOf, unpack } from "../../../src/adapters/sqlite/index-rows.ts";
import type { SqlRow, SqlStatement } from "../../../src/adapters/sqlite/driver.ts";

const ROW: SqlRow = {
  file: "a.md",
  hash: "h",
  size: 3,
  mtime_ms: "5.25",
  name: "a",
  description: "About a",
  type: "user",
  written_type: null,
  pinned: 1,
  time: 7,
  superseded_by: null,
  valid_to: null,
  problems: "[]",
  uses: 2,
};
const corrupt = expect.objectContaining({ code: "corrupt" });

describe("a row of the index", () => {
  it("is a note as it was put there", () => {
    expect(entryOf(ROW)).toEqual({
      file: "a.md",
      hash: "h",
      size: 3,
      mtimeMs: 5.25,
      name: "a",
      description: "About a",
      type: "user",
      writtenType: undefined,
      pinned: true,
      time: 7,
      supersededBy: undefined,
      validTo: undefined,
      problems: [],
      uses: 2,
    });
    expect(stampOf(ROW)).toEqual({ file: "a.md", hash: "h", size: 3, mtimeMs: 5.25 });
    const other = { ...ROW, pinned: 0, type: "whim", written_type: "whim", superseded_by: "b.md", valid_to: "2026" };
    expect(entryOf(other)).toMatchObject({
      pinned: false,
      type: undefined,
      writtenType: "whim",
      supersededBy: "b.md",
      validTo: "2026",
    });
  });

  it("tells only of problems that have a code and a message", () => {
    const sound = { code: "c", message: "m" };
    const odd = [
      null,
      7,
      "c",
      [],
      {},
      { code: "c" },
      { message: "m" },
      { code: 1, message: "m" },
      { code: "c", message: 2 },
    ];
    const told = (problems: unknown): unknown => entryOf({ ...ROW, problems: JSON.stringify(problems) }).problems;
    expect(told([...odd, sound])).toEqual([sound]);
    expect([told({}), told(7), told([])]).toEqual([[], [], []]);
  });

  it.each(ENTRY_COLUMNS.filter((column) => column !== "type"))("with a wrong %s is damage that is told", (column) => {
    expect(() => entryOf({ ...ROW, [column]: ["wrong"] })).toThrow(corrupt);
  });

  it("comes with others in one text, in the order of its columns", () => {
    expect(unpack('[["a",1],["b",2]]', ["file", "size"])).toEqual([
      { file: "a", size: 1 },
      { file: "b", size: 2 },
    ]);
    for (const wrong of ["{}", "[7]", '[{"file":"a"}]', undefined, 7])
      expect(() => unpack(wrong, ["file"])).toThrow(corrupt);
  });
});

describe("what retired notes were about", () => {
  /** Notes by name, each with the one in its place; what was about them names `first`. */
  const pastOf = (notes: Readonly<Record<string, string | null>>, first = "n1") => {
    const ids = Object.keys(notes);
    const prepare = (sql: string): SqlStatement => ({
      all: () => [
        { heir: first, about: "one" },
        { heir: first, about: "two" },
      ],
      get: ([named]) => {
        const name = String(named);
        const next = notes[name];
        return sql.includes("file IN") || next === undefined
          ? undefined
          : { id: ids.indexOf(name), superseded_by: next };
      },
      run: () => undefined,
    });
    return pastOfHeirs(prepare, ["term"]);
  };
  const chain = (length: number): Record<string, string | null> =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`n${at + 1}`, at + 1 === length ? null : `n${at + 2}`]));

  it("is said of the live note at the end of a chain, of at most twenty", () => {
    expect([...pastOf(chain(1))]).toEqual([[0, " one two"]]);
    expect([...pastOf(chain(20))]).toEqual([[19, " one two"]]);
    expect([...pastOf(chain(21))]).toEqual([]);
  });

  it("is said of nothing where the chain leads nowhere or in a circle, or nothing was asked", () => {
    expect([...pastOf({ n1: "gone" })]).toEqual([]);
    expect([...pastOf({ n1: "n2", n2: "n1" })]).toEqual([]);
    expect([...pastOf({}, "gone")]).toEqual([]);
    const never = (): never => {
      throw new Error("nothing is to be asked");
    };
    expect([...pastOfHeirs(never, [])]).toEqual([]);
  });
});
