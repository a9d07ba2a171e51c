import { describe, expect, it } from "vitest";
import { parseView } from "./claude-code.ts";
import { differences, type Section, type View, withoutOwnWords } from "./sections.ts";

const MAIN: Section = { path: "/p/CLAUDE.md", label: "project", body: "main" };
const RULE: Section = { path: "/p/.claude/rules/r.md", label: "project", body: "rule" };
const NESTED: Section = { path: "/p/src/CLAUDE.md", label: undefined, body: "nested\n" };

function view(start: readonly Section[], touched: readonly Section[] = []): View {
  return { start, touched };
}

describe("comparing memdir's view with a client's", () => {
  it("finds nothing where files, order, labels and texts are the same", () => {
    expect(differences(view([MAIN, RULE], [NESTED]), view([{ ...MAIN }, { ...RULE }], [{ ...NESTED }]))).toEqual([]);
  });

  it("tells of a file that memdir leaves out, and of one that it adds", () => {
    expect(differences(view([MAIN, RULE]), view([MAIN]))).toEqual([
      "at start: memdir leaves out /p/.claude/rules/r.md",
    ]);
    expect(differences(view([MAIN]), view([MAIN, RULE]))).toEqual(["at start: memdir adds /p/.claude/rules/r.md"]);
    expect(differences(view([MAIN], [NESTED]), view([MAIN, NESTED]))).toEqual([
      "at start: memdir adds /p/src/CLAUDE.md",
      "after reading: memdir leaves out /p/src/CLAUDE.md",
    ]);
  });

  it("tells of another order", () => {
    expect(differences(view([MAIN, RULE]), view([RULE, MAIN]))).toEqual([
      "at start: the client's order is /p/CLAUDE.md, /p/.claude/rules/r.md; memdir's is /p/.claude/rules/r.md, /p/CLAUDE.md",
    ]);
  });

  it("tells of a file that is shown once where the client shows it twice", () => {
    expect(differences(view([MAIN, MAIN]), view([MAIN]))).toHaveLength(1);
  });

  it("tells of another label, and of none", () => {
    expect(differences(view([MAIN]), view([{ ...MAIN, label: "local" }]))).toEqual([
      'at start: /p/CLAUDE.md is called "project" by the client, "local" by memdir',
    ]);
    expect(differences(view([MAIN]), view([{ ...MAIN, label: undefined }]))).toEqual([
      'at start: /p/CLAUDE.md is called "project" by the client, nothing by memdir',
    ]);
  });

  it("leaves out what each says about a cut, and nothing above it", () => {
    const [client, memdir] = [
      "one\n\n> quoted\n\ntwo\n\n> WARNING: cut.",
      "one\n\n> quoted\n\ntwo\n\n> Cut: 3 lines,\n> two entries.",
    ].map((body) => withoutOwnWords(view([{ ...MAIN, body }])));
    expect(client?.start[0]?.body).toBe("one\n\n> quoted\n\ntwo");
    expect(memdir).toEqual(client);
  });

  it("tells where a text differs, be it one final newline or one character of many", () => {
    expect(differences(view([MAIN], [NESTED]), view([MAIN], [{ ...NESTED, body: "nested" }]))[0]).toContain(
      "the text of /p/src/CLAUDE.md differs (7 and 6 characters)",
    );
    const long = "x".repeat(50_000);
    expect(
      differences(view([{ ...MAIN, body: `${long}a${long}` }]), view([{ ...MAIN, body: `${long}b${long}` }]))[0],
    ).toContain("xa");
  });
});

function request(...blocks: readonly string[]): unknown {
  return { messages: [{ role: "user", content: blocks.map((text) => ({ type: "text", text })) }] };
}

describe("reading what Claude Code sent", () => {
  const instructions =
    "<system-reminder>\nSome words.\n\nContents of /p/CLAUDE.md (project instructions):\n\nfirst\n\nsecond\n\nContents of /p/a (b).md (user's own words):\n\nlast\n</system-reminder>\n";

  it("takes path, label and text of each section, in order", () => {
    expect(parseView([request(instructions, "the prompt")]).start).toEqual([
      { path: "/p/CLAUDE.md", label: "project instructions", body: "first\n\nsecond" },
      { path: "/p/a (b).md", label: "user's own words", body: "last" },
    ]);
  });

  it("takes what later requests add, with its final newline and without a label", () => {
    const read = "<system-reminder>\nContents of /p/src/CLAUDE.md:\n\nnested\n\n</system-reminder>\n";
    expect(parseView([request(instructions), request(instructions, "tool result", read)])).toMatchObject({
      start: { length: 2 },
      touched: [NESTED],
    });
  });

  it("finds nothing where nothing was sent", () => {
    expect(parseView([request("<system-reminder>\nToday is a day.\n</system-reminder>", "the prompt")])).toEqual({
      start: [],
      touched: [],
    });
    expect(parseView([])).toEqual({ start: [], touched: [] });
  });
});
