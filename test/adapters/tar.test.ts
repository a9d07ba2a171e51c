import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { create } from "tar";
import { looksPacked, packFiles, unpack } from "../../src/adapters/archive/tar.ts";
import { filesBelow, scratch } from "../support/scratch.ts";

function packed(names: Readonly<Record<string, string>>) {
  const root = scratch();
  for (const place of ["in", "out"]) fs.mkdirSync(`${root}/${place}`);
  for (const [name, text] of Object.entries(names)) {
    fs.mkdirSync(`${root}/in/${name}`.replace(/\/[^/]*$/u, ""), { recursive: true });
    fs.writeFileSync(`${root}/in/${name}`, text);
  }
  return root;
}

describe("an archive", () => {
  it("has the same bytes for the same files on any day, for its owner alone, and gives them back", () => {
    const files = { "b.md": "two", "a/deep/c.md": "three", "a/x y.md": "" };
    const root = packed(files);
    packFiles(`${root}/in`, Object.keys(files), `${root}/one.tgz`);
    for (const name of Object.keys(files)) fs.utimesSync(`${root}/in/${name}`, 1, 1);
    packFiles(`${root}/in`, Object.keys(files), `${root}/two.tgz`);
    expect(fs.readFileSync(`${root}/two.tgz`)).toEqual(fs.readFileSync(`${root}/one.tgz`));
    expect(fs.statSync(`${root}/one.tgz`).mode & 0o777).toBe(0o600);
    unpack(`${root}/one.tgz`, `${root}/out`);
    expect(Object.fromEntries([...filesBelow(`${root}/out`)].map(([name, bytes]) => [name, bytes.toString()]))).toEqual(
      files,
    );
  });

  it("names a file that went while it was packed", () => {
    const root = packed({ "a.md": "one" });
    expect(() => packFiles(`${root}/in`, ["a.md", "gone.md"], `${root}/one.tgz`)).toThrow("gone.md");
  });

  it.each([
    ["a link", (root: string) => fs.symlinkSync("/etc/passwd", `${root}/in/link`), "neither file nor directory"],
    ["a hard link", (root: string) => fs.linkSync(`${root}/in/a.md`, `${root}/in/hard`), "neither file nor directory"],
  ])("with %s is refused", (_, add, message) => {
    const root = packed({ "a.md": "one" });
    add(root);
    create({ sync: true, file: `${root}/one.tgz`, cwd: `${root}/in`, gzip: true }, ["."]);
    expect(() => unpack(`${root}/one.tgz`, `${root}/out`)).toThrow(
      expect.objectContaining({ code: "corrupt", message: expect.stringContaining(message) }),
    );
  });

  it.each(["../out.md", "a/../../out.md", "/etc/out.md"])("with the path %s is refused", (name) => {
    const root = packed({ "a.md": "one" });
    create(
      {
        sync: true,
        file: `${root}/one.tgz`,
        cwd: `${root}/in`,
        gzip: true,
        preservePaths: true,
        onWriteEntry: (entry) => void (entry.path = name),
      },
      ["a.md"],
    );
    expect(() => unpack(`${root}/one.tgz`, `${root}/out`)).toThrow(
      expect.objectContaining({ code: "corrupt", message: expect.stringContaining("leads out of it") }),
    );
    expect(fs.readdirSync(root).toSorted()).toEqual(["in", "one.tgz", "out"]);
  });

  it("that is damaged is refused", () => {
    const root = packed({ "a.md": "one".repeat(1_000) });
    packFiles(`${root}/in`, ["a.md"], `${root}/one.tgz`);
    const bytes = fs.readFileSync(`${root}/one.tgz`);
    fs.writeFileSync(`${root}/half.tgz`, bytes.subarray(0, bytes.length >> 1));
    fs.writeFileSync(`${root}/words.tgz`, "words, not an archive");
    for (const name of ["half", "words"])
      expect(() => unpack(`${root}/${name}.tgz`, `${root}/out`)).toThrow(
        expect.objectContaining({ code: "corrupt", message: expect.stringContaining("cannot be read as an archive") }),
      );
  });

  it.each([
    [[0x1f, 0x8b, 0], true],
    [[0x1f, 0x8b], true],
    [[0x1f], false],
    [[], false],
    [[0x1f, 0x8c], false],
    [[0x1e, 0x8b], false],
  ])("is told by its first bytes: %j", (head, isOne) => {
    const file = `${scratch()}/x`;
    fs.writeFileSync(file, Buffer.from(head));
    expect(looksPacked(file)).toBe(isOne);
  });
});
