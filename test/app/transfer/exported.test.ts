import { describe, expect, it } from "vitest";
import {
  exportedFile,
  historyLines,
  type Manifest,
  parseHistory,
  parseManifest,
} from "../../../src/app/transfer/exported.ts";
import { type Transaction, LAST_SEQ } from "../../../src/core/notes/history.ts";
import { bytes } from "../../support/store.ts";

const HASH = "a".repeat(64);
const STORE = { path: "stores/user/user", scope: "user", name: "user", notes: 1, versions: 2, logs: 1 };
const PROJECT = { path: "stores/project/shop", scope: "project", name: "shop", notes: 0, versions: 0 };
const MANIFEST = {
  format: "memdir-export",
  version: 1,
  here: "shop",
  stores: [STORE, PROJECT],
  files: { "README.md": HASH, "stores/user/user/notes/a.md": HASH },
};

const parse = (change: object): Manifest => parseManifest(JSON.stringify({ ...MANIFEST, ...change }));
const withStore = (change: object): Manifest => parse({ stores: [{ ...STORE, ...change }], files: {} });
const refusal = (work: () => unknown): unknown => {
  try {
    work();
    return "taken";
  } catch (error) {
    return error;
  }
};

describe("the manifest of an export", () => {
  it("is read as it was written; a store without logs says nothing of them", () => {
    expect(parse({})).toEqual(MANIFEST);
    expect(withStore({ logs: 0 }).stores[0]).not.toHaveProperty("logs");
    expect(withStore({ notes: 0, versions: 0 }).stores[0]).toMatchObject({ notes: 0, versions: 0 });
  });

  it.each([
    ["no JSON", "{", "not JSON"],
    ["a list", "[]", "not an export of memdir"],
    ["another format", { format: "zip" }, "not an export of memdir"],
    ["no version", { version: undefined }, 'the version "undefined"'],
    ["a version of words", { version: "2" }, "which is not one"],
    ["a version below one", { version: 0 }, "which is not one"],
    ["no name", { here: undefined }, "does not name the project"],
    ["a number as a name", { here: 7 }, "does not name the project"],
    ["the name ..", { here: ".." }, "does not name the project"],
    ["a name that is a path", { here: "a/b" }, "does not name the project"],
    ["stores that are no list", { stores: {} }, "lacks its stores"],
    ["no files", { files: undefined }, "lacks its stores or its files"],
    ["a list of files", { files: [] }, "lacks its stores or its files"],
    ["one store twice", { stores: [PROJECT, PROJECT], files: {} }, "twice"],
    ["a strange file", { files: { "more.txt": HASH } }, "does not belong"],
    ["a file that leads out", { files: { "../README.md": HASH } }, "not a path inside"],
    ["a hash that is none", { files: { "README.md": "A".repeat(64) } }, "no SHA-256"],
    ["a hash with more behind it", { files: { "README.md": `${HASH}0` } }, "no SHA-256"],
    ["a hash with more before it", { files: { "README.md": `x${HASH}` } }, "no SHA-256"],
    ["a hash that is a number", { files: { "README.md": 7 } }, "no SHA-256"],
  ])("with %s is refused", (_, change, message) => {
    const error = refusal(() => (typeof change === "string" ? parseManifest(change) : parse(change)));
    expect(error).toMatchObject({ code: "corrupt", message: expect.stringContaining(message) });
    expect(error).toMatchObject({ message: expect.stringContaining("nothing was imported") });
  });

  it("of a newer memdir says so", () => {
    expect(refusal(() => parse({ version: 2 }))).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("version 2"),
    });
  });

  it.each([
    [{ scope: "world" }, "unknown scope"],
    [{ name: 7 }, "unknown scope"],
    [{ path: 7 }, "unknown scope"],
    [{ name: "..", path: "stores/user/.." }, "not a name"],
    [{ name: ".", path: "stores/user/." }, "not a name"],
    [{ name: "", path: "stores/user/" }, "not a name"],
    [{ name: "a/b", path: "stores/user/a/b" }, "not a name"],
    [{ name: "a\\b", path: "stores/user/a\\b" }, "not a name"],
    [{ name: "a\nb", path: "stores/user/a\nb" }, "not a name"],
    [{ name: "é".repeat(128), path: `stores/user/${"é".repeat(128)}` }, "not a name"],
    [{ path: "stores/user/other" }, "instead of"],
    [{ path: "stores/user/user~" }, "instead of"],
    [{ path: "stores/user/user~1" }, "instead of"],
    [{ path: "stores/user/user~01" }, "instead of"],
    [{ path: "stores/user/user~2x" }, "instead of"],
    [{ path: "stores/user/user~20000" }, "instead of"],
    [{ path: "stores/user/user~x/../../.." }, "instead of"],
    [{ notes: -1 }, "how many"],
    [{ notes: 1.5 }, "how many"],
    [{ notes: undefined }, "how many"],
    [{ versions: "2" }, "how many"],
    [{ versions: 2 ** 53 }, "how many"],
    [{ logs: -1 }, "how many"],
    [{ logs: null }, "how many"],
  ])("with a store of %j is refused", (change, message) => {
    expect(refusal(() => withStore(change))).toMatchObject({
      code: "corrupt",
      message: expect.stringContaining(message),
    });
  });

  it.each([
    { path: "stores/user/user~2" },
    { path: "stores/user/user~9" },
    { path: "stores/user/user~10" },
    { path: "stores/user/user~1999" },
    { name: `${"é".repeat(127)}x`, path: `stores/user/${"é".repeat(127)}x` },
  ])("takes a store of %j", (change) => {
    expect(withStore(change).stores[0]).toMatchObject(change);
  });

  it("that is a store of nothing at all is refused", () => {
    for (const store of [null, 7, "x", []])
      expect(refusal(() => parse({ stores: [store], files: {} }))).toMatchObject({ code: "corrupt" });
  });
});

describe("a file of an export", () => {
  const { stores } = parse({});
  it.each([
    ["README.md", { kind: "about" }],
    ["settings.json", { kind: "about" }],
    ["checkpoints/shop/one.md", { kind: "checkpoint", project: "shop", file: "one.md" }],
    ["stores/user/user/history.jsonl", { kind: "history", store: STORE }],
    ["stores/user/user/notes/MEMORY.md", { kind: "page", store: STORE }],
    ["stores/user/user/notes/a.md", { kind: "note", store: STORE, file: "a.md" }],
    ["stores/user/user/notes/sub/a.MD", { kind: "note", store: STORE, file: "sub/a.MD" }],
    ["stores/project/shop/notes/sub/MEMORY.md", { kind: "note", store: PROJECT, file: "sub/MEMORY.md" }],
    ["stores/user/user/logs/2026/11/2026-11-22.md", { kind: "log", store: STORE, file: "2026/11/2026-11-22.md" }],
  ])("%s is known", (path, expected) => expect(exportedFile({ stores }, path)).toEqual(expected));

  it.each([
    "notes/a.md",
    "x/README.md",
    "README.md.bak",
    "settings.json/x",
    "checkpoints/one.md",
    "checkpoints/shop/deep/one.md",
    "checkpoints/shop/one.txt",
    "checkpoints/shop/one.md.bak",
    "x/checkpoints/shop/one.md",
    "stores/user/user",
    "stores/user/username/notes/a.md",
    "stores/user/user/a.md",
    "stores/user/user/notes/a.txt",
    "stores/user/user/x/notes/a.md",
    "stores/user/user/x/history.jsonl",
    "stores/project/shop/logs/2026/11/2026-11-22.md",
    "stores/user/user/logs/2026/11/2026-11-31.md",
    "stores/user/user/logs/2026/12/2026-11-22.md",
    "stores/user/user/logs/2026-11-22.md",
    "stores/user/user/logs/2026/11/x-2026-11-22.md",
    "stores/user/user/logs/2026/11/2026-11-22.md.bak",
    "stores/user/user/logs/x.md",
    "stores/user/user/x/logs/2026/11/2026-11-22.md",
  ])("%s is not memdir's", (path) => expect(exportedFile({ stores }, path)).toBeUndefined());
});

describe("the history of an export", () => {
  const LINEAGE = "0123456789abcdef01234567";
  const BOM = new Uint8Array([0xef, 0xbb, 0xbf, 0x61]);
  const past: readonly Transaction[] = [
    {
      seq: 1,
      time: "2026-03-02T09:00:00.000Z",
      actor: "user",
      reason: "remembered",
      changes: [
        { file: "a.md", before: undefined, after: bytes("text\r\nwith é"), lineage: LINEAGE },
        { file: "b.md", before: undefined, after: new Uint8Array([0xff, 0x00]) },
        { file: "c.md", before: undefined, after: BOM },
        { file: "d.md", before: undefined, after: new Uint8Array() },
        { file: "e.md", before: undefined, after: new Uint8Array([0xef, 0x61]) },
      ],
    },
    {
      seq: 7,
      time: "2026-03-02T09:00:01.000Z",
      actor: "user",
      reason: "removed",
      changes: [{ file: "a.md", before: bytes("old"), after: undefined }],
    },
  ];
  const plain = (all: readonly Transaction[]): unknown =>
    all.map((one) => ({
      ...one,
      changes: one.changes.map(({ file, after, lineage }) => ({ file, after: after && [...after], lineage })),
    }));

  it("comes back byte for byte, and tells texts as texts", () => {
    const lines = historyLines(past);
    expect(plain(parseHistory(lines))).toEqual(plain(past));
    expect(lines).toContain('"text\\r\\nwith é"');
    expect(lines.match(/base64/gu)).toHaveLength(3);
    expect(lines.split("\n")).toHaveLength(3);
    expect(parseHistory("")).toEqual([]);
    expect(parseHistory(JSON.stringify({ ...past[1], seq: LAST_SEQ - 2, changes: [] }))).toHaveLength(1);
    expect(parseHistory(`\n${lines}\n`)).toHaveLength(2);
    expect(parseHistory(lines).flatMap(({ changes }) => changes)[1]).not.toHaveProperty("lineage");
  });

  const line = { seq: 1, time: "2026-03-02T09:00:00.000Z", actor: "user", reason: "x", changes: [] as unknown[] };
  it.each([
    ["a line that is no object", "7"],
    ["no number", { ...line, seq: "1" }],
    ["no time", { ...line, time: 7 }],
    ["no author", { ...line, actor: null }],
    ["no reason", { ...line, reason: undefined }],
    ["no changes", { ...line, changes: "x" }],
    ["a number of nothing", { ...line, seq: 0 }],
    ["a number after which no two come", { ...line, seq: LAST_SEQ - 1 }],
    ["a change that is none", { ...line, changes: [7] }],
    ["a file that is a number", { ...line, changes: [{ file: 7, after: null }] }],
    ["a lineage that is a number", { ...line, changes: [{ file: "a.md", after: null, lineage: 7 }] }],
    ["no text", { ...line, changes: [{ file: "a.md" }] }],
    ["a text that is a number", { ...line, changes: [{ file: "a.md", after: 7 }] }],
    ["base64 that is none", { ...line, changes: [{ file: "a.md", after: { base64: "%" } }] }],
    ["base64 that is a number", { ...line, changes: [{ file: "a.md", after: { base64: 7 } }] }],
  ])("with %s is refused", (_, value) => {
    expect(refusal(() => parseHistory(typeof value === "string" ? value : JSON.stringify(value)))).toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("nothing was imported"),
    });
  });
});
