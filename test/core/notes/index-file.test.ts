import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  entryTarget,
  generateIndex,
  handLinesOf,
  INDEX_MAX_CHARACTERS,
  INDEX_MAX_LINES,
  loadIndex,
  withHandLines,
} from "../../../src/core/notes/index-file.ts";

const never = (): boolean => false;
const notes = fc.uniqueArray(
  fc.record({
    file: fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,5})?\.md$/u),
    name: fc.string({ minLength: 1 }),
    description: fc.string({ maxLength: 200 }),
  }),
  { selector: ({ file }) => file, maxLength: 260 },
);
const hand = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[a-zA-Z #*-]{1,40}$/u),
      fc.constantFrom("# My notes", "- [Mine](mine.md) — by hand", "> quote", "- [x](gone.md)"),
    ),
    { maxLength: 30 },
  )
  .map((lines) => lines.map((line) => line.trimEnd()).filter((line) => line !== ""));
const visible = (content: string): string[] => content.split("\n").filter((line) => !line.startsWith("<!-- memdir:"));

describe("a generated MEMORY.md", () => {
  it("keeps every hand-written line, lists or counts every note, stays within the limits, and is stable", () => {
    fc.assert(
      fc.property(notes, hand, fc.integer({ min: 0, max: 500 }), (ranked, lines, more) => {
        const total = ranked.length + more;
        const { content, listed, headroom } = generateIndex(lines.join("\n"), ranked, total, never);
        const out = content.split("\n");
        for (const line of lines) expect(out).toContain(line);
        const entries = new Set(out.map(entryTarget).filter((file) => file !== undefined));
        const counted = Number(/^- \((\d+) more/mu.exec(content)?.[1] ?? 0);
        expect(ranked.filter(({ file }) => entries.has(file)).length + counted).toBe(total);
        expect(listed).toBe(total - counted);
        expect(visible(content).length - 1).toBeLessThanOrEqual(INDEX_MAX_LINES);
        expect(visible(content).join("\n").length).toBeLessThanOrEqual(INDEX_MAX_CHARACTERS);
        expect(headroom.lines).toBeGreaterThanOrEqual(0);
        expect(generateIndex(content, ranked, total, never).content).toBe(content);
        expect(loadIndex(content).cut).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("fills a file of 200 lines and 25,000 characters, its marks counted, and never one more", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 190, max: 600 }),
        fc.integer({ min: 0, max: 150 }),
        fc.integer({ min: 0, max: 150 }),
        fc.constantFrom("\n", "\r\n"),
        (count, width, lineCount, eol) => {
          const ranked = Array.from({ length: count }, (_, n) => ({
            file: `n${n}.md`,
            name: `n${n}`,
            description: "w".repeat(width),
          }));
          const own = Array.from({ length: lineCount }, (_, n) => `line ${n} of a person`);
          const { content, listed, omitted } = generateIndex(own.join(eol), ranked, count, never);
          const lines = content.split(/\r?\n/u).slice(0, -1);
          expect(lines.length).toBeLessThanOrEqual(INDEX_MAX_LINES);
          expect(content.length).toBeLessThanOrEqual(INDEX_MAX_CHARACTERS);
          expect(listed + omitted.length).toBe(count);
          if (omitted.length === 0) return;
          // One entry more would not have fitted beside the line that names what is left out (1,200).
          const notice = lines.find((line) => /^- \(\d+ more/u.test(line)) ?? "";
          const fuller = content.length - notice.length + 150 + eol.length;
          expect(lines.length === INDEX_MAX_LINES || fuller > INDEX_MAX_CHARACTERS - 1_200).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("leaves people's lines where they stand, above and below its own, and their line endings", () => {
    const note = { file: "a.md", name: "a", description: "About a" };
    const first = generateIndex("# Mine\r\n", [note], 1, never).content;
    const edited = `${first}\r\n- a line below\r\n`;
    const second = generateIndex(edited, [note, { ...note, file: "b.md" }], 2, never).content;
    expect(second.split("\r\n")).toEqual([
      "# Mine",
      expect.stringContaining("memdir:index"),
      "- [A](a.md) — About a",
      "- [A](b.md) — About a",
      "<!-- memdir:end -->",
      "",
      "- a line below",
      "",
    ]);
    expect(generateIndex(second, [note, { ...note, file: "b.md" }], 2, never).content).toBe(second);
  });

  it("drops the entries of retired notes, by hand or not, and nothing else", () => {
    const note = { file: "a.md", name: "a", description: "About a" };
    const first = generateIndex(
      "- [By hand](gone.md)\n- [Kept](kept.md)\nprose about gone.md\n",
      [note, { ...note, file: "gone.md" }],
      2,
      never,
    ).content;
    const second = generateIndex(first, [note], 1, (file) => file === "gone.md").content;
    expect(second.split("\n").slice(0, 2)).toEqual(["- [Kept](kept.md)", "prose about gone.md"]);
    expect(second).toContain("](a.md)");
    expect(second).not.toContain("](gone.md)");
  });

  it("keeps what people wrote between the markers, drops a second copy of its own part, and a byte order mark", () => {
    const note = { file: "a.md", name: "a", description: "About a" };
    const own = generateIndex(undefined, [note], 1, never).content;
    const edited = own.replace("<!-- memdir:end", "- my line inside\n<!-- memdir:end");
    expect(generateIndex(edited, [note], 1, never).content).toBe(`- my line inside\n${own}`);
    expect(generateIndex(`${own}${own}`, [note], 1, never).content).toBe(own);
    expect(generateIndex(`\uFEFF${own}`, [note], 1, never).content).toBe(own);
    expect(generateIndex(own.replace("<!-- memdir:end -->\n", ""), [note], 1, never).content).toBe(own);
  });

  it("leaves its notice short where people left little room", () => {
    const lines = Array.from({ length: 190 }, (_, n) => `${n} ${"x".repeat(123)}`);
    const ranked = Array.from({ length: 60 }, (_, n) => ({
      file: `note-${n}.md`,
      name: `note ${n}`,
      description: "d",
    }));
    const { content } = generateIndex(lines.join("\n"), ranked, 60, never);
    expect(visible(content).join("\n").length).toBeLessThanOrEqual(INDEX_MAX_CHARACTERS);
    expect(content).toContain("60 more notes are not listed");
  });

  it("gives back people's lines to whoever lost them, once", () => {
    const own = generateIndex("- mine\n", [{ file: "a.md", name: "a", description: "About a" }], 1, never).content;
    expect(handLinesOf(`${own}- appended\n`)).toEqual(["- mine", "- appended"]);
    const united = withHandLines("- fragment\n", handLinesOf(own));
    expect(united).toBe("- mine\n- fragment\n");
    expect(withHandLines(united, handLinesOf(own))).toBe(united);
  });
});

describe("loading MEMORY.md", () => {
  it("cuts at 200 lines on a line boundary and names what was cut", () => {
    const content = Array.from({ length: 205 }, (_, n) => `- [N${n}](n${n}.md)`).join("\n");
    const { text, cut, lines } = loadIndex(content);
    expect(lines).toBe(205);
    expect(text.split("\n").slice(0, 200).at(-1)).toBe("- [N199](n199.md)");
    expect(cut).toEqual(["n200.md", "n201.md", "n202.md", "n203.md", "n204.md"]);
    expect(text).toContain("Left out from line 201 on: n200.md, n201.md");
  });

  it("cuts at 25,000 characters on a line boundary, and a single long line by code points", () => {
    const line = `- [N](n.md) ${"é".repeat(1_237)}`;
    const { text, cut } = loadIndex(Array.from({ length: 30 }, () => line).join("\n"));
    expect(text.split("\n").filter((one) => one === line).length).toBe(20);
    expect(cut.length).toBe(10);
    const [first, last] = [`- [A](a.md) ${"x".repeat(20_000)}`, "- [B](b.md) "];
    const filled = `${first}\n${last}${"y".repeat(INDEX_MAX_CHARACTERS - first.length - 1 - last.length)}`;
    expect(loadIndex(filled)).toMatchObject({ text: filled, characters: INDEX_MAX_CHARACTERS, cut: [] });
    expect(loadIndex(`${filled}y`).cut).toEqual(["b.md"]);
    const long = loadIndex("🎉".repeat(20_000));
    expect(long.text.split("\n")[0]?.length).toBeLessThanOrEqual(INDEX_MAX_CHARACTERS);
    expect(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/u.test(long.text)).toBe(false);
  });

  it("takes frontmatter and block comments out first", () => {
    expect(loadIndex("---\nx: 1\n---\n<!-- note\nto self -->\n- [A](a.md)\n").text).toBe("- [A](a.md)");
  });

  it("tells which notes were read and which were cut, whatever else stands between them", () => {
    const loaded = loadIndex(
      ["# Title", "- [A](a.md)", "words", ...Array(INDEX_MAX_LINES).fill("x"), "- [B](b.md)"].join("\n"),
    );
    expect([loaded.listed, loaded.cut]).toEqual([["a.md"], ["b.md"]]);
  });
});
