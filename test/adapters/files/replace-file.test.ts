import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { createFileReplacer, type DisplacedCopy } from "../../../src/adapters/files/replace-file.ts";
import type { FilePort } from "../../../src/core/notes/file-port.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { scratch } from "../../support/scratch.ts";
import { bytes, textOf } from "../../support/store.ts";

/** A replacer over the real file system, with calls of its own in the place of some. */
function replacer(own: Partial<FilePort> = {}) {
  const root = scratch();
  const [directory, state] = [`${root}/notes`, `${root}/state`];
  for (const place of [directory, state]) fs.mkdirSync(place);
  let now = 1_000;
  const one = createFileReplacer(directory, state, { ...nodeFiles, ...own }, () => now);
  return {
    directory,
    ...one,
    at: (ms: number) => (now = ms),
    put: (file: string, text: string) => fs.writeFileSync(`${directory}/${file}`, text),
    text: (file: string) => textOf(nodeFiles.read(`${directory}/${file}`)),
    /** What lies in the directory of notes, temporary files too. */
    names: () => fs.readdirSync(directory).toSorted(),
    aside: () => (fs.existsSync(`${state}/displaced`) ? fs.readdirSync(`${state}/displaced`) : []),
    state,
  };
}

const NO_LINKS: Partial<FilePort> = { link: () => "unsupported" };
const OTHER_DEVICE: Partial<FilePort> = {
  rename: (from, to) => (to.includes("/displaced/") ? "cross-device" : nodeFiles.rename(from, to)),
};

describe.each([
  ["an ordinary file system", {}],
  ["one without links", NO_LINKS],
  ["one where the state lies on another device", OTHER_DEVICE],
] as const)("on %s a file", (_, own) => {
  it("is made, replaced and removed only as it was expected", () => {
    const { replace, put, text, names } = replacer(own);
    expect(replace("sub/a.md", bytes("new"), undefined)).toBe("done");
    expect(text("sub/a.md")).toBe("new");
    expect(replace("sub/a.md", bytes("other"), undefined)).toBe("changed");
    expect(text("sub/a.md")).toBe("new");
    put("b.md", "one");
    expect(replace("b.md", bytes("two"), sha256(bytes("zero")))).toBe("changed");
    expect(text("b.md")).toBe("one");
    expect(replace("b.md", bytes("two"), sha256(bytes("one")))).toBe("done");
    expect(text("b.md")).toBe("two");
    expect(replace("b.md", undefined, sha256(bytes("one")))).toBe("changed");
    expect(text("b.md")).toBe("two");
    expect(replace("b.md", undefined, sha256(bytes("two")))).toBe("done");
    expect(text("b.md")).toBeUndefined();
    expect(replace("b.md", undefined, sha256(bytes("two")))).toBe("changed");
    expect(replace("b.md", bytes("three"), sha256(bytes("two")))).toBe("changed");
    expect(replace("b.md", undefined, undefined)).toBe("done");
    expect(names()).toEqual(["sub"]);
  });

  it("keeps its permissions", () => {
    const { replace, put, directory } = replacer(own);
    put("a.md", "one");
    fs.chmodSync(`${directory}/a.md`, 0o640);
    replace("a.md", bytes("two"), sha256(bytes("one")));
    expect(fs.statSync(`${directory}/a.md`).mode & 0o777).toBe(0o640);
  });
});

it.each([
  ["to be replaced", bytes("two")],
  ["to be removed", undefined],
])("a file that was moved aside %s is there again where the next step fails", (_, content) => {
  const { replace, put, text, names, aside } = replacer({
    read: (file) => {
      if (file.includes("/displaced/")) throw new MemoryError("io", "cannot read");
      return nodeFiles.read(file);
    },
  });
  put("a.md", "one");
  expect(() => replace("a.md", content, sha256(bytes("one")))).toThrow("cannot read");
  expect([text("a.md"), names(), aside()]).toEqual(["one", ["a.md"], []]);
});

describe("a file that somebody else writes meanwhile", () => {
  it("stays where it is new, and the moved one is not lost", () => {
    let once = true;
    const { replace, put, text, directory, displaced } = replacer({
      link: (from, to) => {
        if (once && to.endsWith("/a.md")) fs.writeFileSync(`${directory}/a.md`, "whole new text\none\n");
        once = false;
        return nodeFiles.link(from, to);
      },
    });
    put("a.md", "one\n");
    expect(replace("a.md", bytes("two\n"), sha256(bytes("one\n")))).toBe("changed");
    expect(text("a.md")).toBe("whole new text\none\n");
    expect(displaced("a.md").map((one) => textOf(one))).toEqual(["one\n"]);
  });

  it.each([
    ["with an end of line", "one\ntwo\nthree\n", "one\ntwo\nthree\nfour\n"],
    ["without", "one\ntwo\nthree", "one\ntwo\nthree\nfour\n"],
    ["empty", "", "four\n"],
  ])("by a line appended to nothing has its earlier text (%s) before it", (_, before, after) => {
    let once = true;
    const { replace, put, text, directory, names } = replacer({
      link: (from, to) => {
        if (once && to.endsWith("/a.md")) fs.appendFileSync(`${directory}/a.md`, "four\n");
        once = false;
        return nodeFiles.link(from, to);
      },
    });
    put("a.md", before);
    expect(replace("a.md", bytes("ours"), sha256(bytes(before)))).toBe("changed");
    expect(text("a.md")).toBe(after);
    expect(names()).toEqual(["a.md"]);
  });

  it("by an edit just before it was moved and a line just after has both", () => {
    const { replace, put, text, aside, directory } = replacer({
      rename: (from, to) => {
        const isFirst = to.includes("/displaced/") && nodeFiles.stat(`${directory}/a.md`)?.size === 4;
        if (isFirst) fs.writeFileSync(`${directory}/a.md`, "theirs\n");
        const moved = nodeFiles.rename(from, to);
        if (isFirst) fs.appendFileSync(`${directory}/a.md`, "four\n");
        return moved;
      },
    });
    put("a.md", "one\n");
    expect(replace("a.md", bytes("two\n"), sha256(bytes("one\n")))).toBe("changed");
    expect(text("a.md")).toBe("theirs\nfour\n");
    expect(aside().length).toBeGreaterThan(0);
  });

  it("goes back where it changed just before it was moved", () => {
    const { replace, put, text, aside, directory } = replacer({
      rename: (from, to) => {
        if (to.includes("/displaced/")) fs.writeFileSync(`${directory}/a.md`, "theirs");
        return nodeFiles.rename(from, to);
      },
    });
    put("a.md", "one");
    expect(replace("a.md", bytes("two"), sha256(bytes("one")))).toBe("changed");
    expect([text("a.md"), aside()]).toEqual(["theirs", []]);
    put("a.md", "one");
    expect(replace("a.md", undefined, sha256(bytes("one")))).toBe("changed");
    expect([text("a.md"), aside()]).toEqual(["theirs", []]);
  });
});

describe("displaced copies", () => {
  const NAMES = ["a.md", "sub/a.md", "100%.md", "x~y.md", 'q"<>:|?*\\.md', "%2F.md", "é\u0001.md"];

  it("carry the name of their file, whatever is in it, and the newest comes first", () => {
    const { put, replace, displaced, sweepDisplaced, at, aside, directory } = replacer();
    fs.mkdirSync(`${directory}/sub`);
    for (const file of NAMES) {
      put(file, `one of ${file}`);
      at(1_000);
      expect(replace(file, bytes(`two of ${file}`), sha256(bytes(`one of ${file}`)))).toBe("done");
      at(2_000);
      replace(file, undefined, sha256(bytes(`two of ${file}`)));
      expect(displaced(file).map((one) => textOf(one))).toEqual([`two of ${file}`, `one of ${file}`]);
    }
    expect(aside().every((name) => /^[12]000~[0-9a-f]{16}~[^/\\<>:"|?*\0-\x1f~]+$/u.test(name))).toBe(true);
    const seen: DisplacedCopy[] = [];
    sweepDisplaced(
      (copy) => (seen.push(copy), copy.time === 1_000),
      () => expect.unreachable(),
    );
    expect(new Set(seen.map(({ file }) => file))).toEqual(new Set(NAMES));
    expect(aside().every((name) => name.startsWith("2000~"))).toBe(true);
    expect(aside()).toHaveLength(NAMES.length);
  });

  it("that were written into since are handed over before they go, and are none of the past", () => {
    const { put, replace, displaced, sweepDisplaced, aside, state } = replacer();
    put("a.md", "one");
    replace("a.md", bytes("two"), sha256(bytes("one")));
    fs.appendFileSync(`${state}/displaced/${aside()[0] ?? ""}`, " and late words");
    expect(displaced("a.md")).toEqual([]);
    const late: string[] = [];
    sweepDisplaced(
      () => true,
      ({ file }, content) => late.push(`${file}: ${textOf(content) ?? ""}`) > 0,
    );
    expect(late).toEqual(["a.md: one and late words"]);
    expect(aside()).toEqual([]);
  });

  it("of one file are purged at once, and nothing else; strange files are left alone", () => {
    const { put, replace, purge, aside, displaced, state } = replacer();
    for (const file of ["a.md", "b.md"]) {
      put(file, "one");
      replace(file, bytes("two"), sha256(bytes("one")));
    }
    const [name = ""] = aside().filter((one) => one.endsWith("~a.md"));
    const strange = [
      "README",
      `x${name}`,
      name.replace("~", "x~"),
      name.replace(/~a\.md$/u, ""),
      name.replace(/~[0-9a-f]+/u, "~z"),
    ];
    for (const one of strange) fs.writeFileSync(`${state}/displaced/${one}`, "one");
    expect(displaced("a.md")).toHaveLength(1);
    purge("a.md");
    expect(displaced("b.md")).toHaveLength(1);
    expect(new Set(aside())).toEqual(new Set([expect.stringMatching(/~b\.md$/u), ...strange]));
  });

  it("of a name too long for a file system there are none, and the file is replaced all the same", () => {
    const { put, replace, text, aside, state } = replacer();
    // With its time and its hash a name of 228 bytes has 250.
    const longest = `${"n".repeat(225)}.md`;
    put(longest, "one");
    expect(replace(longest, undefined, sha256(bytes("one")))).toBe("done");
    expect(aside().map((one) => Buffer.byteLength(one))).toEqual([250]);
    fs.rmSync(`${state}/displaced/${aside()[0] ?? ""}`);
    const name = `${"n".repeat(226)}.md`;
    put(name, "one");
    expect(replace(name, bytes("two"), sha256(bytes("zero")))).toBe("changed");
    expect(replace(name, bytes("two"), sha256(bytes("one")))).toBe("done");
    expect([text(name), aside()]).toEqual(["two", []]);
    expect(replace(name, undefined, sha256(bytes("one")))).toBe("changed");
    expect(replace(name, undefined, sha256(bytes("two")))).toBe("done");
    expect(text(name)).toBeUndefined();
  });
});

describe("the machine's file system", () => {
  it("says what is wrong in plain words, with the file", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/file`, "x");
    fs.mkdirSync(`${root}/dir`);
    const told = (work: () => unknown): string => {
      try {
        return `no error: ${String(work())}`;
      } catch (error) {
        return error instanceof MemoryError ? `${error.code}: ${error.message.replaceAll(root, "ROOT")}` : "wrong";
      }
    };
    expect(told(() => nodeFiles.create(`${root}/file`, bytes("y")))).toBe(
      "invalid-input: cannot write ROOT/file: a file is in its place",
    );
    expect(told(() => nodeFiles.read(`${root}/dir`))).toBe(
      "invalid-input: cannot read ROOT/dir: it is a directory, not a file",
    );
    expect(told(() => nodeFiles.append(`${root}/file/x`, bytes("y")))).toBe(
      "invalid-input: cannot append to ROOT/file/x: a file is in the place of a directory on the way",
    );
    expect(told(() => nodeFiles.makeDirectory(`${root}/file/x`))).toMatch(
      /^invalid-input: cannot create the directory/u,
    );
    expect(told(() => nodeFiles.create(`${root}/${"n".repeat(300)}`, bytes("y")))).toContain("the name is too long");
    expect(told(() => nodeFiles.list(`${root}/none`))).toBe("no error: undefined");
    expect(told(() => nodeFiles.read(`${root}/file/x`))).toBe("no error: undefined");
    expect(told(() => nodeFiles.rename(`${root}/none`, `${root}/x`))).toBe("no error: absent");
    expect(told(() => nodeFiles.link(`${root}/file`, `${root}/dir`))).toBe("no error: exists");
    expect(told(() => nodeFiles.link(`${root}/none`, `${root}/x`))).toMatch(/^io: cannot link ROOT\/x/u);
    expect(told(() => nodeFiles.remove(`${root}/none`))).toBe("no error: undefined");
  });

  it("makes files and directories for their owner alone, and knows what is what", () => {
    const root = scratch();
    nodeFiles.makeDirectory(`${root}/a/b`);
    nodeFiles.create(`${root}/a/b/file`, bytes("one"));
    nodeFiles.append(`${root}/a/b/file`, bytes("two"));
    nodeFiles.note(`${root}/a/b/mark`, bytes("m"));
    fs.symlinkSync(`${root}/a`, `${root}/link`);
    const mode = (name: string): number => fs.statSync(`${root}/${name}`).mode & 0o777;
    expect(["a", "a/b", "a/b/file", "a/b/mark"].map(mode)).toEqual([0o700, 0o700, 0o600, 0o600]);
    expect(textOf(nodeFiles.read(`${root}/a/b/file`))).toBe("onetwo");
    expect(nodeFiles.stat(`${root}/a/b/file`)).toMatchObject({ kind: "file", size: 6 });
    expect(["a", "link", "none"].map((name) => nodeFiles.stat(`${root}/${name}`)?.kind)).toEqual([
      "directory",
      "link",
      undefined,
    ]);
    nodeFiles.copyMode(`${root}/none`, `${root}/a/b/file`);
    fs.chmodSync(`${root}/a/b/mark`, 0o751);
    nodeFiles.copyMode(`${root}/a/b/mark`, `${root}/a/b/file`);
    expect(mode("a/b/file")).toBe(0o751);
    nodeFiles.removeTree(`${root}/a`);
    expect(fs.readdirSync(root)).toEqual(["link"]);
  });
});
