import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutSaved } from "../../../src/core/transcripts/exchanges.ts";
import { findInLine, linesAround } from "../../../src/app/past/search.ts";
import {
  readTranscript,
  objectOf,
  objectsOf,
  parseLine,
  stringOf,
  textsIn,
  type Turn,
} from "../../../src/core/transcripts/turn.ts";
import {
  stripInjected,
  formatOf,
  type Said,
  type SaidInLine,
  searchableText,
} from "../../../src/core/transcripts/said.ts";
import { asTypedInOpenCode } from "../../../src/core/shared/opencode-words.ts";
import { searchTerm } from "../../../src/core/transcripts/past.ts";
import { callsMemory, withoutBulk, writtenPaths } from "../../../src/core/transcripts/tool-calls.ts";
import { createToolTexts, recentToolTexts } from "../../../src/core/transcripts/tool-texts.ts";

describe("what a tool call did", () => {
  const paths = (name: string, input: unknown): readonly string[] => writtenPaths({ id: "1", name, input });

  it.each(
    "Write Edit MultiEdit NotebookEdit write_file replace patch apply_patch create str_replace_based_edit_tool".split(
      " ",
    ),
  )("%s writes the file that it names, whatever stands before its name", (name) => {
    for (const key of ["file_path", "filePath", "notebook_path", "path", "absolute_path"])
      expect(paths(name, { [key]: "/a.md", content: "x" })).toEqual(["/a.md"]);
    for (const prefix of ["mcp__files__", "functions.", "server:", "a/"])
      expect(paths(`${prefix}${name}`, { path: "/a.md" })).toEqual(["/a.md"]);
    expect(paths(name, { path: 5 })).toEqual([]);
    expect(paths(`${name}_not`, { path: "/a.md" })).toEqual([]);
  });

  it("is seen in a patch, whoever applies it", () => {
    const patch =
      "*** Begin Patch\n*** Add File: /a.md\n*** Update File:  b c.md \n*** Move to: d.md\n*** Delete File: e.md\n x *** Add File: f.md";
    const expected = ["/a.md", "b c.md", "d.md", "e.md"];
    expect(paths("Bash", { command: patch })).toEqual(expected);
    expect(paths("shell", { command: ["apply_patch", patch] })).toEqual(expected);
    expect(paths("custom", patch)).toEqual(expected);
    for (const input of [undefined, null, 5, [patch], { patch: { deep: patch } }])
      expect(paths("Bash", input)).toEqual([]);
  });

  it("is to change notes where it asks memdir for that", () => {
    const calls = (name: string, input?: unknown): boolean => callsMemory({ id: "1", name, input });
    for (const verb of ["remember", "revise", "edit", "forget", "remove", "supersede", "retire", "pin"]) {
      expect(calls(`mcp__memdir__${verb}`), verb).toBe(true);
      expect(calls(`mcp__memdir__${verb}er`), verb).toBe(false);
    }
    expect([calls("memdir_remember"), calls("amemdir_remember"), calls("mcp__other__remember")]).toEqual([
      true,
      false,
      false,
    ]);
    for (const verb of ["remember", "edit", "forget", "remove", "pin", "undo"])
      expect(calls("Bash", { command: `cd x && memdir ${verb} y` }), verb).toBe(true);
    for (const shell of "bash shell local_shell exec_command run_shell_command powershell terminal".split(" "))
      expect(calls(shell, { command: ["memdir", "remember", "x"] }), shell).toBe(true);
    for (const command of ["/usr/bin/memdir remember", "'/a/memdir.cjs' remember x", "(memdir forget x)"])
      expect(calls("Bash", { command }), command).toBe(true);
    for (const command of ["memdir recall x", "memdir remembered x", "notmemdir remember x", "memdirs pin"])
      expect(calls("Bash", { command }), command).toBe(false);
    expect(calls("Write", { content: "memdir remember x" })).toBe(false);
  });

  it("is kept without the bulk that it carried; what was patched stays named", () => {
    const turn = (input: unknown): Turn => ({
      role: "assistant",
      id: "1",
      text: "t",
      time: undefined,
      toolCalls: [{ id: "c", name: "n", input }],
    });
    const light = (input: unknown): unknown => withoutBulk(turn(input)).toolCalls[0]?.input;
    const long = "x".repeat(4_001);
    expect(light({ a: "y".repeat(4_000), b: [long, 5, "z"], c: 5, d: { e: "f" } })).toEqual({
      a: "y".repeat(4_000),
      b: ["x".repeat(4_000), "z"],
    });
    expect(light(`${long}\n*** Add File: a.md\nmore`)).toBe(`${"x".repeat(4_000)}\n*** Add File: a.md`);
    expect([light(5), light([long]), light(null)]).toEqual([undefined, undefined, undefined]);
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`k${at}`, "v"]));
    expect(Object.keys(Object(light(many)))).toHaveLength(20);
    expect(light({ a: Array.from({ length: 25 }, () => "v") })).toEqual({ a: Array.from({ length: 20 }, () => "v") });
    const calm: Turn = { ...turn(1), toolCalls: [] };
    expect(withoutBulk(calm)).toBe(calm);
  });
});

describe("an exchange", () => {
  const turn = (role: Turn["role"], id: string, saves = false): Turn => ({
    role,
    id,
    text: id,
    time: undefined,
    toolCalls: saves ? [{ id: "c", name: "Write", input: { file_path: "/notes/a.md" } }] : [],
  });
  const left = (...turns: readonly Turn[]): unknown => {
    const { turns: kept, left: count } = withoutSaved(turns, (path) => path.startsWith("/notes/"));
    return [kept.map(({ id }) => id).join(" "), count];
  };

  it("begins with the person's words, several typed in a row being one", () => {
    expect(left(turn("user", "u1"), turn("user", "u2"), turn("assistant", "a1", true), turn("user", "u3"))).toEqual([
      "u3",
      3,
    ]);
    expect(
      left(turn("assistant", "a0", true), turn("assistant", "a1"), turn("user", "u1"), turn("assistant", "a2")),
    ).toEqual(["u1 a2", 2]);
    expect(left(turn("user", "u1"), turn("assistant", "a1"), turn("assistant", "a2", true))).toEqual(["", 3]);
    expect(left()).toEqual(["", 0]);
  });
});

describe("a line of a transcript", () => {
  it("is read where it is an object, with a word on bytes that are no text", () => {
    expect(parseLine('{"a":1}')).toEqual({ ok: true, record: { a: 1 }, problem: undefined });
    expect(parseLine('{"a":\0"b"}')).toEqual({ ok: true, record: { a: "b" }, problem: expect.stringContaining("NUL") });
    expect(parseLine('{"a":"\uFFFD"}')).toMatchObject({ ok: true, problem: expect.stringContaining("invalid UTF-8") });
    for (const line of ["[]", "5", "null", '"text"'])
      expect(parseLine(line)).toEqual({ ok: false, problem: "not a JSON object" });
    expect(parseLine("{")).toMatchObject({ ok: false, problem: expect.stringMatching(/^not JSON: /u) });
    expect(parseLine("\0{")).toMatchObject({ ok: false, problem: expect.stringContaining("NUL") });
  });

  it("gives objects and texts of what has another shape than expected", () => {
    expect([objectOf({ a: 1 }), objectOf([]), objectOf(null)]).toEqual([{ a: 1 }, {}, {}]);
    expect([objectsOf([{ a: 1 }, 5, null, []]), objectsOf({})]).toEqual([[{ a: 1 }], []]);
    expect([stringOf("a"), stringOf(""), stringOf(5)]).toEqual(["a", undefined, undefined]);
    expect(textsIn({ a: "b", c: ["d", "", 5, null, { e: "f" }] })).toEqual(["b", "d", "f"]);
    const nested = (depth: number): unknown => (depth === 0 ? "deep" : [nested(depth - 1)]);
    expect([textsIn(nested(13)), textsIn(nested(14))]).toEqual([["deep"], []]);
  });
});

describe("a session read line by line", () => {
  const said = (speaker: Said["speaker"], text: string, call?: Said["call"]): Said => ({
    speaker,
    text,
    ...(call && { call }),
  });
  const CALL = { id: "c", name: "Read", input: { path: "/a", deep: ["b"] } };
  const inLine: SaidInLine = (record) => [
    {
      id: stringOf(record["id"]),
      time: undefined,
      said: objectsOf(record["said"]).map(({ speaker, text, call }) =>
        said(
          speaker === "you" || speaker === "agent" ? speaker : "tool",
          String(text),
          call === true ? CALL : undefined,
        ),
      ),
    },
  ];
  const format = formatOf({
    agent: "test",
    recognises: () => true,
    said: inLine,
    header: (record) => ({
      session: stringOf(record["session"]),
      cwd: stringOf(record["cwd"]),
      isSubagent: record["sub"] === true,
    }),
  });
  const read = (...records: readonly unknown[]): ReturnType<typeof readTranscript> =>
    readTranscript(records.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"), format);
  const line = (...parts: readonly (readonly [Said["speaker"], string, boolean?])[]) => ({
    said: parts.map(([speaker, text, call]) => ({ speaker, text, call })),
  });

  it("has a turn a speaker, later lines in the place of earlier ones, and the first word on where it was", () => {
    const session = read(
      { session: "s", cwd: "/a", id: "1", ...line(["you", "one"], ["you", ""], ["you", "two"], ["agent", "three"]) },
      { session: "t", cwd: "/b", id: "2", ...line(["tool", "result"], ["agent", "", true]) },
      "",
      "no line",
      { id: "1", ...line(["you", "other"]) },
      line(["agent", "unnamed"]),
    );
    expect(session).toMatchObject({ agent: "test", session: "s", cwd: "/a", toolTexts: ["result"] });
    expect(session.turns.map(({ role, id, text, toolCalls }) => [role, id, text, toolCalls.length])).toEqual([
      ["user", "1", "other", 0],
      ["assistant", "2", "", 1],
      ["assistant", "line-6", "unnamed", 0],
    ]);
    expect(session.problems).toEqual([{ line: 4, reason: expect.stringContaining("not JSON") }]);
    expect(read().session).toBe("unknown");
    expect(read(line(["you", "one"], ["you", "two"])).turns[0]?.text).toBe("one\n\ntwo");
  });

  it("has no person's words where another agent speaks, from there on", () => {
    expect(
      read(
        line(["you", "a person"]),
        { sub: true, ...line(["you", "x"], ["agent", "y"]) },
        line(["you", "z"]),
      ).turns.map(({ text }) => text),
    ).toEqual(["a person", "y"]);
  });

  it("is found by its words, calls by name and arguments", () => {
    expect(searchableText(said("agent", "", CALL))).toBe("Read\n/a\nb");
    expect(searchableText(said("agent", "words"))).toBe("words");
    const term = searchTerm("b", { regex: false, ignoreCase: false });
    const found = findInLine(
      JSON.stringify({ id: "1", ...line(["you", "abc"], ["agent", "x"], ["tool", "bb"]) }),
      inLine,
      term,
    );
    expect(found.map(({ part, speaker, at, id }) => [part, speaker, at, id])).toEqual([
      [0, "you", 1, "1"],
      [2, "tool", 0, "1"],
    ]);
    expect(findInLine("no line", () => [], term)).toEqual([]);
  });
});

describe("a match in a text", () => {
  it("is shown with the lines around it, and how many lines more have it", () => {
    const term = searchTerm("x", { regex: false, ignoreCase: false });
    const around = (text: string): unknown => {
      const { line, before, after, more } = linesAround(text, text.indexOf("x"), term);
      return [before, line, after, more];
    };
    expect(around("x")).toEqual(["", "x", "", 0]);
    expect(around("a\nbx\nc")).toEqual(["a", "bx", "c", 0]);
    expect(around("z\na\nxx\nc\nxyx\n\nx")).toEqual(["a", "xx", "c", 2]);
    expect(around("\nx\n")).toEqual(["", "x", "", 0]);
    expect(around("a\n\nx\n\nb")).toEqual(["", "x", "", 0]);
    expect(around("ab\nx\nx")).toEqual(["ab", "x", "x", 1]);
  });
});

describe("a term", () => {
  it.each([
    ["a.b", false, false, "xa.b", 1],
    ["A.b", false, false, "xa.b", -1],
    ["A.b", false, true, "xa.b", 1],
    ["a.b", false, true, "xacb", -1],
    ["a.b", true, false, "xacb", 1],
    ["A.b", true, false, "xacb", -1],
    ["A.b", true, true, "xacb", 1],
  ])("%s (regex %s, ignoreCase %s) in %s stands at %d", (term, regex, ignoreCase, text, at) => {
    const asked = searchTerm(term, { regex, ignoreCase });
    expect([asked.find(text, 0), asked.find(text, 0)]).toEqual([at, at]);
    expect(asked.find(text, text.length)).toBe(-1);
  });

  it("has a needle that stands in whatever JSON makes of a text with the term", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), fc.boolean(), (term, ignoreCase) => {
        fc.pre(term.trim() !== "");
        const { needle } = searchTerm(term, { regex: false, ignoreCase });
        const line = JSON.stringify({ text: `before ${term} behind` });
        expect((ignoreCase ? line.toLowerCase() : line).includes(needle ?? "")).toBe(true);
      }),
    );
    expect(searchTerm('say "hello there" now', { regex: false, ignoreCase: false }).needle).toBe("hello there");
    expect(searchTerm("ABCé", { regex: false, ignoreCase: true }).needle).toBe("abc");
    expect(searchTerm("ABCé", { regex: false, ignoreCase: false }).needle).toBe("ABCé");
    expect(searchTerm('"', { regex: false, ignoreCase: false }).needle).toBeUndefined();
    expect(searchTerm("abc", { regex: true, ignoreCase: false }).needle).toBeUndefined();
    expect(searchTerm("x".repeat(300), { regex: false, ignoreCase: false }).needle).toHaveLength(128);
  });

  it("is something, and a pattern where it is said to be one", () => {
    expect(() => searchTerm(" ", { regex: false, ignoreCase: false })).toThrow(/nothing to search for/u);
    expect(() => searchTerm("(", { regex: true, ignoreCase: false })).toThrow(/"\(" is not a regular expression/u);
  });
});

describe("texts of tools", () => {
  it("are kept up to half a million characters, a longer one without its middle", () => {
    const long = `a${"x".repeat(99_999)}b`;
    expect(recentToolTexts([long, "y"])).toEqual([`a${"x".repeat(49_999)}\n${"x".repeat(49_999)}b`, "y"]);
    const exact = "x".repeat(100_000);
    expect(recentToolTexts([exact])).toEqual([exact]);
    expect(recentToolTexts(Array.from({ length: 6 }, () => exact))).toHaveLength(5);
    expect(recentToolTexts(["first", ...Array.from({ length: 5 }, () => exact)])).toHaveLength(5);
    expect(recentToolTexts([])).toEqual([]);
  });

  it("are the newest, the oldest of them first, however they came", () => {
    const texts = createToolTexts();
    for (let n = 0; n < 900; n++) texts.add([`${String(n).padStart(4, "0")}${"x".repeat(996)}`, ""]);
    const kept = texts.recent().filter((text) => text !== "");
    expect([kept.length, kept[0]?.slice(0, 4), kept.at(-1)?.slice(0, 4)]).toEqual([500, "0400", "0899"]);
  });
});

describe("words of a person's", () => {
  it.each([
    ['"a b"', "a b"],
    ['"say \\"a b\\" now"', 'say "a b" now'],
    ['  "a b"\n', "a b"],
    ['"ab"', '"ab"'],
    ['"a b" and "c d"', '"a b" and "c d"'],
    ["a b", "a b"],
    ['"a b', '"a b'],
    ['a b"', 'a b"'],
  ])("are what was typed into OpenCode: %s", (sent, typed) => {
    expect(asTypedInOpenCode(sent)).toBe(typed);
  });

  it.each([
    ["<system-reminder>x</system-reminder> hello", "hello"],
    ["hello <memdir-context a='b'>x", "hello"],
    ["a <user-memory>x</user-memory> b", "a \n b"],
    ["a <user-memory>x b", "a <user-memory>x b"],
    ["# AGENTS.md instructions for /a\n<INSTRUCTIONS>x</INSTRUCTIONS>\nhello", "hello"],
    ["<instructions>mine</instructions>", "<instructions>mine</instructions>"],
    ["see\n--- Content from referenced files ---\nx\n--- End of content ---\nhello", "see\n\n\nhello"],
    ["[Request interrupted by user]\nhello", "hello"],
    ["<hook_context><system-reminder>x</system-reminder></hook_context>hello", "hello"],
  ])("are without what others put there: %j", (text, own) => {
    expect(stripInjected(text)).toBe(own);
  });
});
