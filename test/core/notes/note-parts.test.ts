import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { joinFrontmatter, lineEnding, replaceBody, splitFrontmatter } from "../../../src/core/notes/frontmatter.ts";
import { isUtf8, parseNote, shownType } from "../../../src/core/notes/parse-note.ts";
import { bytes } from "../../support/store.ts";

const parse = (text: string | Uint8Array, file = "dir/my_note.md") =>
  parseNote(file, typeof text === "string" ? bytes(text) : text, yamlFrontmatter);
const codes = (text: string | Uint8Array): readonly string[] => parse(text).problems.map(({ code }) => code);
const sound = (more: string, body = "words\n"): string =>
  `---\nname: n\ndescription: d\ntype: project\n${more}---\n\n${body}`;

describe("the problems of a note", () => {
  it.each([
    ["sound", sound(""), []],
    ["sound, with a byte order mark", `\uFEFF${sound("")}`, []],
    ["without frontmatter", "words\n", ["no-frontmatter"]],
    ["not closed", "---\nname: n\n", ["unclosed-frontmatter"]],
    ["malformed", "---\nname: [\ndescription: d\ntype: project\n---\n\nwords\n", ["malformed-frontmatter"]],
    ["without a description", "---\nname: n\ntype: project\n---\n\n# only a title\n", ["missing-description"]],
    ["of no type", "---\nname: n\ndescription: d\n---\n\nwords\n", ["unknown-type"]],
    ["of an unknown type", "---\nname: n\ndescription: d\ntype: wish\n---\n\nwords\n", ["unknown-type"]],
    ["with NUL", sound("", "a\0b\n"), ["nul-bytes", "hidden-characters"]],
    ["with U+FFFD of its own", sound("", "a\uFFFDb\n"), []],
    ["with hidden characters", sound("", "a\u202Eb\n"), ["hidden-characters"]],
    ["with a byte order mark within", sound("", "a\uFEFFb\n"), ["hidden-characters"]],
    ["with merge marks", sound("", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"), ["conflict-markers"]],
    ["with merge marks and CRLF", sound("", "<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n"), ["conflict-markers"]],
    ["with marks in another order", sound("", "=======\n<<<<<<< a\n>>>>>>> b\n"), []],
    ["with half of the marks", sound("", "<<<<<<< a\nx\n=======\n"), []],
    ["with marks within lines", sound("", "x <<<<<<< a\nx =======\nx >>>>>>> b\n"), []],
    ["with longer lines of marks", sound("", "<<<<<<< a\n========\n>>>>>>> b\n"), []],
    ["of a million bytes", sound("", "x".repeat(1_000_000 - sound("", "").length)), []],
    ["of a million bytes and one", sound("", "x".repeat(1_000_001 - sound("", "").length)), ["oversize"]],
  ])("%s", (_, text, expected) => expect(codes(text)).toEqual(expected));

  it("names bytes that are not UTF-8, and gives the text all the same", () => {
    const text = Buffer.concat([Buffer.from(sound("", "a")), Buffer.from([0xff, 0x0a])]);
    expect(codes(text)).toEqual(["invalid-utf8"]);
    expect(parse(text).body).toBe("\na\uFFFD\n");
    expect(isUtf8(text)).toBe(false);
    expect(isUtf8(bytes("é"))).toBe(true);
  });

  it("says which type is unknown, and which are known", () => {
    expect(parse(sound("").replace("project", "wish")).problems[0]?.message).toBe(
      'unknown type "wish"; the types are user, feedback, project, reference',
    );
    expect(parse(sound("").replace("type: project\n", "")).problems[0]?.message).toMatch(/^no `type`; /u);
  });
});

describe("what a note says of itself", () => {
  it.each([
    ["its frontmatter", "---\nname:  a name \ndescription: two\n---\n\n# Title\n\nProse\n", ["a name", "two"]],
    [
      "its title and first prose",
      "# A title ##\n\n- list\n> quoted\n`code`\nProse   here.\n",
      ["A title", "Prose here."],
    ],
    ["a title further down", "Prose\n\n### Later #\n", ["Later", "Prose"]],
    ["its file", "#no title\n\n- list\n", ["my_note", ""]],
    ["its file, where the name is empty", '---\nname: "  "\ndescription: " "\n---\n\nProse\n', ["my_note", "Prose"]],
    ["a number and a yes", "---\nname: 7\ndescription: true\n---\n\nwords\n", ["7", "true"]],
    ["a list is no name", "---\nname: [a]\n---\n\n# T\n", ["T", ""]],
    ["a title of spaces", "#    \nProse\n", ["my_note", "Prose"]],
  ])("comes from %s", (_, text, [name, description]) => {
    expect(parse(text)).toMatchObject({ name, description });
  });

  it("is cut to one line of some length", () => {
    const long = parse(`# ${"t".repeat(200)}\n\n${"p".repeat(300)}\n`);
    expect([long.name.length, long.description.length]).toEqual([100, 150]);
    expect(parse("---\ndescription: |\n  one\n  two\n---\n\nx\n").description).toBe("one two");
  });

  it("has a type under metadata or at top, and is shown with what it says", () => {
    const of = (block: string) => parse(`---\n${block}---\n\nx\n`);
    expect(of("type: user\nmetadata:\n  type: feedback\n").type).toBe("feedback");
    expect(of("type: user\n").type).toBe("user");
    expect(of("type: wish\n")).toMatchObject({ type: undefined, writtenType: "wish" });
    expect(shownType(of("type: wish\n"))).toBe("wish");
    expect(shownType(of("type: user\n"))).toBe("user");
    expect(shownType(of("name: n\n"))).toBe("note");
  });

  it("is pinned only by a plain yes", () => {
    const pinned = (block: string): boolean => parse(`---\n${block}---\n\nx\n`).pinned;
    expect(pinned("pinned: true\n")).toBe(true);
    expect(pinned("metadata:\n  pinned: true\n")).toBe(true);
    expect(pinned("pinned: true\nmetadata:\n  pinned: false\n")).toBe(false);
    for (const value of ["yes", '"true"', "1", "false"]) expect(pinned(`pinned: ${value}\n`)).toBe(false);
  });

  it("has the first date that is one, of the places where a date may stand", () => {
    const modified = (block: string) => parse(`---\n${block}---\n\nx\n`).modified;
    const day = (year: number): string => `${year}-01-02T00:00:00.000Z`;
    const all = [
      ["metadata:\n  modified: 2021-01-02\n  created: 2023-01-02\n", 2021],
      ["modified: 2022-01-02\n", 2022],
      ["metadata:\n  created: 2023-01-02\n", 2023],
      ["created: 2024-01-02\n", 2024],
      ["date: 2025-01-02\n", 2025],
    ] as const;
    for (const [block, year] of all) expect(modified(block)).toBe(day(year));
    expect(modified("modified: someday\ncreated: 2024-01-02\n")).toBe(day(2024));
    expect(modified("date: 7\n")).toBeUndefined();
    expect(parse("---\nmetadata:\n  validFrom: 2021-01-02\n  validTo: 2022-01-02\n---\nx")).toMatchObject({
      validFrom: day(2021),
      validTo: day(2022),
    });
  });

  it("knows where it is from", () => {
    const evidence = (block: string) => parse(`---\nmetadata:\n${block}---\n\nx\n`).evidence;
    expect(evidence("  evidence:\n    session: s\n    message: m\n")).toEqual({ session: "s", message: "m" });
    expect(evidence("  evidence:\n    session: s\n")).toEqual({ session: "s", message: "" });
    expect(evidence("  originSessionId: o\n")).toEqual({ session: "o", message: "" });
    expect(evidence("  evidence:\n    message: m\n")).toBeUndefined();
  });
});

describe("a file cut into its parts", () => {
  it.each([
    "---\na: 1\n---\nbody",
    "\uFEFF---\r\na: 1\r\n---\r\nbody\r\n",
    "---  \na: 1\n...\nbody",
    "---\ra: 1\r---\rbody",
    "---\n---",
    "---\nno end\n",
    "text\n---\nmore\n---\n",
    "",
  ])("is put together again byte for byte: %j", (text) => {
    expect(joinFrontmatter(splitFrontmatter(text))).toBe(text);
  });

  it("has frontmatter only at its very beginning, to a line of its own", () => {
    expect(splitFrontmatter("---\na: --- x\nb: 1\n---more\n---\nbody")).toMatchObject({
      state: "closed",
      block: "a: --- x\nb: 1\n---more\n",
      body: "body",
    });
    for (const text of ["\n---\na: 1\n---\n", "----\na: 1\n---\n", " ---\n---\n"])
      expect(splitFrontmatter(text)).toMatchObject({ state: "none", body: text });
    expect(splitFrontmatter("---\na: 1\n ---\n")).toMatchObject({ state: "unclosed", block: "" });
    expect([lineEnding("a\r\nb\n"), lineEnding("a\nb\r\n"), lineEnding("a")]).toEqual(["\r\n", "\n", "\n"]);
  });

  it("gets another body with its own line endings", () => {
    expect(replaceBody("---\r\na: 1\r\n---\r\n\r\nold\r\n", "\none\ntwo\rthree\n\n")).toBe(
      "---\r\na: 1\r\n---\r\n\r\none\r\ntwo\r\nthree\r\n",
    );
    expect(replaceBody("old\n", "new")).toBe("new\n");
    expect(replaceBody("\uFEFF---\na: 1\n---\nold", "new")).toBe("\uFEFF---\na: 1\n---\n\nnew\n");
  });
});
