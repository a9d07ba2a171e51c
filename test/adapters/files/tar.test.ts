import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { create, Header } from "tar";
import { describe, expect, it } from "vitest";
import { looksPacked, packFiles, unpack } from "../../../src/adapters/archive/tar.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { filesBelow, memoryDirectory, scratch } from "../../support/scratch.ts";

interface Entry {
  readonly path: string;
  readonly type?: "File" | "SymbolicLink" | "Link" | "FIFO" | "CharacterDevice";
  /** What the header claims; the body is empty or as long as `text`. */
  readonly size?: number;
  readonly text?: string;
}

/** An archive of these headers, valid or not. */
function archiveOf(file: string, entries: readonly Entry[]): string {
  const blocks = entries.flatMap(({ path: name, type = "File", text = "", size = Buffer.byteLength(text) }) => {
    const block = Buffer.alloc(512);
    new Header({
      path: name,
      type,
      size,
      mode: 0o600,
      ...(type.endsWith("Link") && { linkpath: "target" }),
      mtime: new Date(0),
    }).encode(block);
    return [block, Buffer.from(text.padEnd(Math.ceil(text.length / 512) * 512, "\0"))];
  });
  fs.writeFileSync(file, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
  return file;
}

function places(): { readonly file: string; readonly into: string; readonly from: string } {
  const root = scratch(memoryDirectory());
  const [into, from] = [path.join(root, "into"), path.join(root, "from")];
  fs.mkdirSync(into);
  fs.mkdirSync(from);
  return { file: path.join(root, "notes.tar.gz"), into, from };
}

const GIB = 1024 ** 3;

describe("a packed directory", () => {
  it("comes back as it was, and is its owner's alone", () => {
    const { file, into, from } = places();
    fs.mkdirSync(path.join(from, "below"));
    fs.writeFileSync(path.join(from, "one.md"), "one\n");
    fs.writeFileSync(path.join(from, "below", "@two.md"), "two\n");
    packFiles(from, ["one.md", "below/@two.md"], file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(looksPacked(file)).toBe(true);
    unpack(file, into);
    expect(filesBelow(into)).toEqual(filesBelow(from));
  });

  it("has the same bytes on any day", () => {
    const { file, from } = places();
    fs.writeFileSync(path.join(from, "one.md"), "one\n");
    packFiles(from, ["one.md"], file);
    const before = fs.readFileSync(file);
    fs.utimesSync(path.join(from, "one.md"), 1_000_000, 1_000_000);
    packFiles(from, ["one.md"], file);
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  });

  it("is not made when a file of it is gone", () => {
    const { file, from } = places();
    expect(() => packFiles(from, ["gone.md"], file)).toThrow(/gone\.md/u);
  });
});

describe("an archive", () => {
  it.each<[string, readonly Entry[], RegExp]>([
    ["a symbolic link", [{ path: "a.md", type: "SymbolicLink" }], /a\.md, which is neither file nor directory/u],
    ["a hard link", [{ path: "a.md", type: "Link" }], /a\.md, which is neither file nor directory/u],
    ["a pipe", [{ path: "a.md", type: "FIFO" }], /a\.md, which is neither file nor directory/u],
    ["a path that leads out", [{ path: "a/../../x.md", text: "x" }], /leads out of it \(a\/\.\.\/\.\.\/x\.md\)/u],
    ["a path from the root", [{ path: "/x.md", text: "x" }], /leads out of it \(\/x\.md\)/u],
    ["a file beyond 4 GiB", [{ path: "a.md", size: 4 * GIB + 1 }], /unpacks to more than/u],
    [
      "files that are beyond 4 GiB together",
      [
        { path: "a.md", text: "words" },
        { path: "b.md", size: 4 * GIB - 4 },
      ],
      /unpacks to more than/u,
    ],
    ["a body that is cut off", [{ path: "a.md", size: 5_000 }], /cannot be read as an archive/u],
  ])("with %s is refused", (what, entries, reason) => {
    const { file, into } = places();
    const error = thrownBy(() => unpack(archiveOf(file, entries), into));
    expect(error).toBeInstanceOf(MemoryError);
    expect(error).toMatchObject({ code: "corrupt", message: expect.stringMatching(reason) });
    expect(/cannot be read/u.test(String(error)), "a reason of our own is told as it is").toBe(/cut off/u.test(what));
    expect(fs.existsSync(path.join(into, "..", "x.md"))).toBe(false);
  });

  it("that is damaged, or none at all, is refused with its name", () => {
    const { file, into, from } = places();
    fs.writeFileSync(path.join(from, "one.md"), "one\n".repeat(1_000));
    create({ sync: true, gzip: true, file, cwd: from }, ["one.md"]);
    const whole = fs.readFileSync(file);
    for (const bytes of [
      whole.subarray(0, whole.length - 20),
      Buffer.from("no archive at all, but words ".repeat(40)),
    ]) {
      fs.writeFileSync(file, bytes);
      expect(thrownBy(() => unpack(file, into))).toMatchObject({
        code: "corrupt",
        message: expect.stringContaining(file),
      });
    }
  });

  it("is told from other files by its first two bytes", () => {
    const { file } = places();
    for (const [bytes, packed] of [
      [[0x1f, 0x8b], true],
      [[0x1f], false],
      [[], false],
      [[0x1f, 0x8c], false],
      [[0x1e, 0x8b], false],
    ] as const) {
      fs.writeFileSync(file, Buffer.from(bytes));
      expect(looksPacked(file)).toBe(packed);
    }
  });

  it("is closed again after the look at its first bytes", () => {
    const { file } = places();
    fs.writeFileSync(file, "words");
    const open = (): number => fs.readdirSync("/proc/self/fd").length;
    const before = open();
    for (let at = 0; at < 50; at++) looksPacked(file);
    expect(open()).toBeLessThan(before + 50);
  });
});

function thrownBy(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
