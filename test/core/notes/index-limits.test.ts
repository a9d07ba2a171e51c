import { describe, expect, it } from "vitest";
import {
  proseOf,
  entryTarget,
  generateIndex,
  handLinesOf,
  handSectionsOf,
  INDEX_MAX_CHARACTERS,
  INDEX_MAX_LINES,
  loadIndex,
  newerRivalsFirst,
  trimEnd,
  withHandLines,
  withNewTargets,
} from "../../../src/core/notes/index-file.ts";

const note = (at: number | string, description = `About ${at}`) => ({ file: `n${at}.md`, name: `n${at}`, description });
const notes = (count: number, description?: string) => Array.from({ length: count }, (_, at) => note(at, description));
const generate = (existing: string | undefined, ranked: ReturnType<typeof notes>, retired: readonly string[] = []) =>
  generateIndex(existing, ranked, ranked.length, (file) => retired.includes(file));

describe("an entry of the index", () => {
  it.each([
    [{ file: "a.md", name: "no-mocks_here", description: "Hook" }, "- [No mocks here](a.md) — Hook"],
    [{ file: "a.md", name: "Two Words_x", description: "" }, "- [Two Words_x](a.md)"],
    [{ file: "a (b).md", name: "[x]", description: "d" }, "- [x](<a (b).md>) — d"],
    [{ file: "a.md", name: "a", description: "one <!-- two --> three" }, "- [A](a.md) — one  two  three"],
    [{ file: `${"d".repeat(120)}.md`, name: "a", description: "no room" }, `- [A](${"d".repeat(120)}.md)`],
  ])("of %j", (one, line) => {
    expect(generateIndex(undefined, [one], 1, () => false).content.split("\n")[1]).toBe(line);
  });

  it("has at most 150 characters, of which 60 are its title's", () => {
    const long = generate(undefined, [{ file: "a.md", name: "x".repeat(99), description: "word ".repeat(99) }]);
    const line = long.content.split("\n")[1] ?? "";
    expect(line.length).toBeLessThanOrEqual(150);
    expect(line.length).toBeGreaterThan(140);
    expect(/\[(.*)\]/u.exec(line)?.[1]?.length).toBe(60);
  });

  it("says more than its title where twenty characters are left for that", () => {
    const line = (characters: number) => {
      const file = `${"d".repeat(characters)}.md`;
      return generateIndex(undefined, [{ file, name: "a", description: "words" }], 1, () => false).content.split(
        "\n",
      )[1];
    };
    expect([line(117), line(118)]).toEqual([`- [A](${"d".repeat(117)}.md) — words`, `- [A](${"d".repeat(118)}.md)`]);
  });

  it.each([
    ["- [A](a.md) — x", "a.md"],
    ["  * [A](<a b.md>)", "a b.md"],
    ["+ [A](./sub/a.md)", "sub/a.md"],
    ["- [](a%20b.md)", "a b.md"],
    ["- [A](100%.md)", "100%.md"],
    ["- [A] (a.md)", undefined],
    ["[A](a.md)", undefined],
    ["see - [A](a.md)", undefined],
    ["- [A](a b.md)", undefined],
  ])("is told by its form: %s", (line, target) => expect(entryTarget(line)).toBe(target));
});

describe("MEMORY.md at its limits", () => {
  it("lists what fits to the line, and names what does not", () => {
    for (const [count, listed] of [
      [196, 196],
      [197, 197],
      [198, 197],
      [300, 197],
    ] as const) {
      const { content, listed: told, omitted, headroom } = generate(undefined, notes(count));
      const lines = content.trimEnd().split("\n");
      expect([lines.length, told, omitted.length]).toEqual([
        listed + 2 + (count > listed ? 1 : 0),
        listed,
        count - listed,
      ]);
      expect(lines.length).toBeLessThanOrEqual(INDEX_MAX_LINES);
      expect(headroom.lines).toBe(INDEX_MAX_LINES - lines.length + 2);
      expect(/\((\d+) more notes? (?:is|are) not listed/u.exec(content)?.[1]).toBe(
        count > listed ? String(count - listed) : undefined,
      );
    }
    expect(generate(undefined, notes(198)).content).toMatch(/\(1 more note is not listed.*Left out: n197\.md\)\n/u);
  });

  it("stays within its characters with the notice, whatever the line endings", () => {
    for (const existing of [undefined, "mine\r\n", `${"x".repeat(20_000)}\n`]) {
      const { content, omitted, listed } = generate(existing, notes(196, "word ".repeat(40)));
      expect(content.length).toBeLessThanOrEqual(INDEX_MAX_CHARACTERS);
      expect(content.length).toBeGreaterThan(INDEX_MAX_CHARACTERS - 1_500);
      expect(listed + omitted.length).toBe(196);
      expect(content).toContain(`(${omitted.length} more notes are not listed`);
      expect(loadIndex(content).cut).toEqual([]);
    }
  });

  it("lists the best, whatever the length of their lines, and says that more are left out than it names", () => {
    const ranked = notes(196, "word ".repeat(40)).map((one, at) => (at < 175 ? one : { ...one, description: "" }));
    const { content, listed, omitted } = generate(undefined, ranked);
    expect(omitted).toEqual(ranked.slice(listed).map(({ file }) => file));
    expect(listed).toBeLessThan(196);
    expect(content).not.toContain("…)\n");
    expect(generate(undefined, notes(600)).content).toMatch(/Left out: n197\.md, .*\.md, …\)\n/u);
  });

  it("names what is left out also where people's lines fill nearly all", () => {
    const lines = Array.from({ length: 210 }, (_, at) => `${at} ${"x".repeat(113)}`).join("\n");
    expect(generate(lines, notes(9)).content).toContain("Left out: n0.md, n1.md, n2.md, n3.md, n4.md");
  });

  it("counts notes listed by hand, drops lines of retired ones, and says whether it did", () => {
    const hand = "# Mine\n- [Zero](n0.md) — by hand\n- [Old](old.md)\n- plain\n";
    const made = generate(hand, notes(3), ["old.md"]);
    expect(made.content).toBe(
      `# Mine\n- [Zero](n0.md) — by hand\n- plain\n${/<!-- memdir:index .*-->/u.exec(made.content)?.[0] ?? ""}\n- [N1](n1.md) — About 1\n- [N2](n2.md) — About 2\n<!-- memdir:end -->\n`,
    );
    expect(made).toMatchObject({ dropsHandLines: true, listed: 3, omitted: [] });
    expect(generate(made.content, notes(3)).dropsHandLines).toBe(false);
    expect(generate(undefined, []).content).toBe("");
    expect(generate("mine\n\n\n", []).content).toBe("mine\n");
  });

  it("keeps lines that somebody changed between the marks, and drops the marks' own and the notice", () => {
    const made = generate(undefined, notes(198)).content;
    const edited = made.replace("- [N5](n5.md) — About 5", "- [Five](n5.md) — mine\nand words");
    const next = generate(edited, notes(198)).content;
    expect(next.startsWith("- [Five](n5.md) — mine\nand words\n<!-- memdir:index")).toBe(true);
    expect(next.match(/n5\.md/gu)).toHaveLength(1);
    expect(next.match(/more notes? (?:is|are) not listed/gu)).toHaveLength(1);
    const twice = `above\n${generate(undefined, notes(2)).content}between\n${generate(undefined, notes(3)).content}below\n`;
    expect(generate(twice, notes(2)).content.replace(/<!--.*-->\n/gu, "|")).toBe(
      "above\n|- [N0](n0.md) — About 0\n- [N1](n1.md) — About 1\n|between\nbelow\n",
    );
  });

  it("comes first where what people wrote fills all that is loaded, but stays under frontmatter", () => {
    const long = `${Array.from({ length: 250 }, (_, at) => `line ${at}`).join("\n")}\n`;
    expect(generate(long, notes(2)).content.startsWith("<!-- memdir:index")).toBe(true);
    expect(generate(`${"x".repeat(26_000)}\n`, notes(2)).content.startsWith("<!-- memdir:index")).toBe(true);
    expect(generate(`---\na: 1\n---\n${long}`, notes(2)).content.startsWith("---\na: 1\n---\nline 0\n")).toBe(true);
    expect(generate(`${"line\n".repeat(100)}`, notes(2)).content.startsWith("line\n")).toBe(true);
    const exact = `${Array.from({ length: INDEX_MAX_LINES - 3 }, (_, at) => `l ${at}`).join("\n")}\n`;
    expect(generate(exact, notes(1)).content).toContain("more note is not listed");
  });
});

describe("notes that contradict others", () => {
  const files = (contradictions: readonly (readonly [string, readonly string[]])[]): readonly string[] =>
    newerRivalsFirst(notes(3), new Map(contradictions)).map(({ file, description }) => `${file}: ${description}`);
  const about = (at: number, newer?: number): string =>
    `n${at}.md: ${newer === undefined ? "" : `contradicted by the newer n${newer}.md: `}About ${at}`;

  it("come before them, each once, and others stay where they are", () => {
    expect(files([])).toEqual([about(0), about(1), about(2)]);
    expect(files([["n2.md", ["n0.md"]]])).toEqual([about(2), about(0, 2), about(1)]);
    expect(files([["n0.md", ["n1.md", "n2.md"]]])).toEqual([about(0), about(1, 0), about(2, 0)]);
  });

  it("do not if they are not in the list, and in a circle each is told once", () => {
    expect(files([["gone.md", ["n0.md"]]])).toEqual([about(0), about(1), about(2)]);
    const round = files([
      ["n0.md", ["n1.md"]],
      ["n1.md", ["n0.md"]],
    ]);
    expect(round.toSorted()).toEqual([about(0, 1), about(1, 0), about(2)]);
  });
});

describe("the lines of people", () => {
  const page = `top\n\n<!-- memdir:index 0123456789ab generated -->\n- [A](a.md)\nmine\n<!-- memdir:end -->\n\nbelow\n\n`;

  it("are what stands outside the marks, and what is no entry between them", () => {
    expect(handSectionsOf(page)).toEqual({ above: ["top", "mine"], below: ["", "below"] });
    expect(handLinesOf(page)).toEqual(["top", "mine", "", "below"]);
    expect(handLinesOf("- [A](a.md)\nx\n")).toEqual(["- [A](a.md)", "x"]);
    const marked = ["<!-- memdir:index 0123456789ab -->", "- [A](a.md)", "<!-- memdir:end --> of what?", "- [B](b.md)"];
    expect(handLinesOf([...marked, "<!-- memdir:end -->", "mine"].join("\n"))).not.toContain("- [B](b.md)");
    expect(trimEnd(["a", "", "b", " ", ""])).toEqual(["a", "", "b"]);
    expect(trimEnd([" "])).toEqual([]);
  });

  it("come before the page where it lacks them, and follow a renamed note", () => {
    expect(withHandLines("a\nb\n", ["b", "", "c", "d"])).toBe("c\nd\na\nb\n");
    expect(withHandLines("a\r\n", ["a"])).toBe("a\r\n");
    expect(withHandLines(undefined, ["a"])).toBe("a\n");
    expect(withHandLines(undefined, [" "])).toBeUndefined();
    const renamed = new Map([
      ["a.md", "b.md"],
      ["c.md", "d e.md"],
    ]);
    expect(withNewTargets("- [A](a.md) — (a.md)\r\n- [C](<c.md>)\n- [X](x.md)\nsee a.md\n", renamed)).toBe(
      "- [A](b.md) — (a.md)\r\n- [C](<d e.md>)\n- [X](x.md)\nsee a.md\n",
    );
  });

  it("are none when a listed note is renamed, while others change and go", () => {
    const noteOf = (file: string, name: string, description: string) => ({ file, name, description });
    const was = [noteOf("a.md", "A", "one"), noteOf("b.md", "B", "before"), noteOf("c.conflict-1.md", "C", "a copy")];
    const first = generateIndex("- mine\n", was, 3, () => false).content;
    const followed = withNewTargets(first, new Map([["a.md", "d.md"]]));
    expect(handLinesOf(followed)).toEqual(["- mine"]);
    const is = [noteOf("d.md", "A", "one"), noteOf("b.md", "B", "after")];
    const next = generateIndex(followed, is, 2, () => false).content;
    expect(handLinesOf(next)).toEqual(["- mine"]);
    expect(next).not.toContain("conflict");
  });
});

describe("what a client loads of MEMORY.md", () => {
  it("is everything up to its limits, with the entries that were cut", () => {
    const lines = (count: number): string =>
      notes(count)
        .map(({ file }) => `- [x](${file})`)
        .join("\n");
    expect(loadIndex(lines(200))).toMatchObject({ lines: 200, cut: [], text: lines(200) });
    const over = loadIndex(lines(201));
    expect(over).toMatchObject({ lines: 201, cut: ["n200.md"] });
    expect(over.listed).toHaveLength(200);
    expect(over.text).toContain("Left out from line 201 on: n200.md");
    expect(loadIndex("x".repeat(24_999))).toMatchObject({ characters: 24_999, text: "x".repeat(24_999) });
    expect(loadIndex("x".repeat(30_000)).text.length).toBeLessThan(25_600);
    expect(loadIndex(`${"x".repeat(24_990)}\n${"y".repeat(20)}`).text.startsWith(`${"x".repeat(24_990)}\n\n> `)).toBe(
      true,
    );
    expect(loadIndex("---\na: 1\n---\n<!-- c\nd -->\n\nshown <!-- kept -->\n")).toMatchObject({
      text: "shown <!-- kept -->",
      lines: 1,
    });
  });
});

describe("what people wrote into MEMORY.md", () => {
  it("is all but lines of notes, our notice, comments, and headings that nothing follows", () => {
    const page = [
      "# Memory",
      "## Mine",
      "",
      "The gateway is in Oslo.",
      "- [Port](port.md) — 8080",
      "- [Gone](gone.md) — hook",
      "- (12 more notes are not listed)",
      "<!-- a comment -->",
      "## Empty",
      "",
      "- [Port](port.md) — 8080",
      "## Rules",
      "- use tabs",
      "",
      "Issue # 7 is open.",
      "## Last",
      "",
    ].join("\n");
    expect(proseOf(page, (file) => file === "port.md")).toBe(
      "## Mine\n\nThe gateway is in Oslo.\n- [Gone](gone.md) — hook\n\n## Rules\n- use tabs\n\nIssue # 7 is open.",
    );
    expect(proseOf("# Memory\n\n- [Port](port.md) — 8080\n", () => true)).toBe("");
  });
});
