import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkNotePath,
  conflictFile,
  isConflictCopy,
  linksIn,
  newNoteFile,
  slugOf,
  linkKey,
} from "../../../src/core/notes/names.ts";
import { NOTE_TYPES } from "../../../src/core/notes/note.ts";

describe("the file of a new note", () => {
  it("is a valid name, in the form in which it is stored, whatever the note is called", () => {
    const names = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("İ̧", "../..", "CON", "a".repeat(400), "日".repeat(200), "🎉", "feedback_feedback_x"),
    );
    fc.assert(
      fc.property(fc.constantFrom(...NOTE_TYPES), names, fc.integer({ min: 0, max: 12 }), (type, name, used) => {
        const taken = new Set<string>();
        for (let n = 0; n < used; n++) taken.add(newNoteFile(type, name, (file) => taken.has(file)));
        const file = newNoteFile(type, name, (candidate) => taken.has(candidate));
        expect(checkNotePath(file)).toEqual({ ok: true, file });
        expect(taken.has(file)).toBe(false);
        expect(checkNotePath(conflictFile(file, () => false)).ok).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("says what the note is about", () => {
    expect(newNoteFile("feedback", "Never mock the database!", () => false)).toBe(
      "feedback_never_mock_the_database.md",
    );
    expect(newNoteFile("project", "Jané Döe's 計画", () => false)).toBe("project_jané_döe_s_計画.md");
  });

  it.each([
    [
      "a name of 72 characters stays whole",
      `${"a".repeat(40)} ${"b".repeat(31)}`,
      `${"a".repeat(40)}_${"b".repeat(31)}`,
    ],
    ["a longer one is cut at a word", `${"a".repeat(40)} ${"b".repeat(32)}`, "a".repeat(40)],
    [
      "a word that ends at the limit stays",
      `${"a".repeat(40)} ${"b".repeat(31)} c`,
      `${"a".repeat(40)}_${"b".repeat(31)}`,
    ],
    [
      "a word is cut where less than half would be left",
      `${"a".repeat(36)} ${"b".repeat(40)}`,
      `${"a".repeat(36)}_${"b".repeat(35)}`,
    ],
    ["half and one more is enough", `${"a".repeat(37)} ${"b".repeat(40)}`, "a".repeat(37)],
    ["one long word is cut", "a".repeat(80), "a".repeat(72)],
    ["styled letters become plain ones", "𝒜".repeat(50), "a".repeat(50)],
    ["a file system counts bytes", "計".repeat(72), "計".repeat(53)],
    ["a character that counts twice is not halved", "𠀀".repeat(80), "𠀀".repeat(36)],
  ])("has at most 72 characters behind its type: %s", (_, name, stem) => {
    expect(newNoteFile("project", name, () => false)).toBe(`project_${stem}.md`);
  });
});

describe("a conflict copy", () => {
  it("is known by its name, and is nobody else's", () => {
    expect(
      isConflictCopy(
        conflictFile("sub/a.md", (file) => file.endsWith("-1.md")),
        "sub/a.md",
      ),
    ).toBe(true);
    for (const name of [
      "sub/a.md",
      "sub/ab.conflict-1.md",
      "a.conflict-1.md",
      "sub/a.conflict-x.md",
      "sub/a.conflict-1.md.md",
      "sub/a.conflict-1.mdx.md",
      "sub/sub/a.conflict-1.md",
      "sub/a.conflict-1.conflict-1.md",
    ])
      expect(isConflictCopy(name, "sub/a.md")).toBe(false);
    expect(isConflictCopy("sub/a.conflict-12.md", "sub/a.MD")).toBe(true);
    const free = (file: string): string => conflictFile(file, () => false);
    expect(["a.md", "a.MD", "a.md.old.md", "notes.mdx", "md"].map(free)).toEqual([
      "a.conflict-1.md",
      "a.conflict-1.md",
      "a.md.old.conflict-1.md",
      "notes.mdx.conflict-1.md",
      "md.conflict-1.md",
    ]);
  });
});

describe("a name from outside", () => {
  const long = (bytes: number) => `${"a".repeat(bytes - 3)}.md`;
  const deep = (bytes: number) => `${`${"d".repeat(99)}/`.repeat(5)}${long(bytes - 500)}`;
  it.each([
    ["", "empty"],
    ["a\u0000.md", "control"],
    ["a\u001f.md", "control"],
    ["a\u007f.md", "control"],
    ["a\ud800.md", "half a character"],
    ["sub\\a.md", "inside the store"],
    ["c:a.md", "inside the store"],
    ["C:/a.md", "inside the store"],
    ["/a.md", "relative"],
    ["~/a.md", "relative"],
    ["a.txt", "end in .md"],
    ["a.md.txt", "end in .md"],
    [deep(601), "longer than 600"],
    ["a//b.md", "empty part"],
    ["./a.md", "empty part"],
    ["sub/../a.md", "empty part"],
    [".a.md", "hidden"],
    ["sub/.git/a.md", "hidden"],
    ['a"b.md', "some systems"],
    ["a|b.md", "some systems"],
    ["dot./a.md", "some systems"],
    ["space /a.md", "some systems"],
    ["MEMORY.md", "reserved"],
    ["sub/memory.md", "reserved"],
    ["con.md", "reserved"],
    ["LPT1.x.md", "reserved"],
    ["nul/a.md", "reserved"],
    [long(201), "longer than 200"],
  ])("is refused where it could harm: %j", (file, reason) => {
    const check = checkNotePath(file);
    expect(check.ok ? "" : check.reason).toContain(reason);
  });

  it.each(["a.md", "A.MD", "sub/a b.md", "a~b.md", "abc.d.md", "console.md", "my memory.md", long(200), deep(600)])(
    "is taken where it cannot: %j",
    (file) => expect(checkNotePath(file)).toEqual({ ok: true, file }),
  );
});

describe("the slug of a path", () => {
  it.each([
    ["/home/jane/code/app", "-home-jane-code-app"],
    ["/home/Jané Döe/app", "-home-Jan--D-e-app"],
    ["/srv/feature_1", "-srv-feature-1"],
    ["C:\\Code\\app", "C--Code-app"],
    ["/srv/🎉", "-srv---"],
  ])("of %j is %j", (path, slug) => {
    expect(slugOf(path)).toBe(slug);
  });

  it("is cut at 200 characters and completed with a hash of the whole path", () => {
    // Sums of character codes times powers of 31, modulo 2^32, worked out apart from the code.
    expect(slugOf(`/${"a".repeat(250)}`)).toBe(`-${"a".repeat(199)}-feo44x`);
    expect(slugOf(`/home/${"x/".repeat(120)}`)).toBe(`-home-${"x-".repeat(97)}-vlkaw9`);
    expect(slugOf(`/${"a".repeat(199)}`)).toBe(`-${"a".repeat(199)}`);
  });
});

it("links of a note are names in brackets and addresses of files, once each, in order, and nothing on the web", () => {
  const body = [
    "See [[deploy]], [the port](project_port.md#why), [[deploy|again]] and [[port#why]],",
    "[web](https://example.org/a.md), [mail](mailto:a.md), [no note](a.txt), [[file:x.md]].",
  ].join("\n");
  expect(linksIn(body)).toEqual(["deploy", "project_port.md", "port"]);
});

it.each([
  ["port.md", "port"],
  ["sub/Deep/Port.MD", "port"],
  ["Port", "port"],
  ["port.md.old", "port.md.old"],
  ["port.mdx", "port.mdx"],
])("the link %s and the note it names have %s in common", (target, key) => expect(linkKey(target)).toBe(key));
