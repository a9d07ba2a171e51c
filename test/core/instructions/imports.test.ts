import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findImports } from "../../../src/core/instructions/markdown-inline.ts";

function targets(text: string): string[] {
  return findImports(text).map(({ target }) => target);
}

describe("imports", () => {
  it.each([
    ["@a.md", ["a.md"]],
    ["see @docs/a.md and @~/b.md, or @/abs/c.md", ["docs/a.md", "~/b.md,", "/abs/c.md"]],
    ["- @a.md\n  - @b.md\n\n> @c.md\n\n# Title @d.md", ["a.md", "b.md", "c.md", "d.md"]],
    ["**@a.md** _@b.md_ [@c.md](x) <b>@d.md</b>", ["a.md", "b.md", "c.md", "d.md"]],
    ["@docs/my\\ notes.md", ["docs/my notes.md"]],
    ["@a.md#part", ["a.md"]],
    ["paragraph\n    @a.md", ["a.md"]],
    ["- item\n    @a.md", ["a.md"]],
  ])("are found in prose: %j", (text, expected) => {
    expect(targets(text)).toEqual(expected);
  });

  it.each([
    "`@d/a`",
    "``x `@d/a` ``",
    "```\n@d/a\n```",
    "~~~\n@d/a",
    "```\n@d/a\n~~~\n@d/b",
    "text\n\n    @d/a",
    "<!-- @d/a -->",
    "text <!-- @d/a --> more",
    "<!--\n@d/a",
    "<div>\n@d/a\n</div>",
    "dev@example.test",
    "(@d/a)",
    '"@d/a"',
    "x@d/b",
    "@@d/a",
    "@é/a",
    "[x]: @d/a",
    "![@d/a](b.png)",
    "[a](@d/b)",
    "\\@d/a",
    "- ```\n  @d/a\n  ```",
    "> ~~~\n> @d/a",
  ])("are not found in %j", (text) => {
    expect(targets(text)).toEqual([]);
  });

  it("stand in a fence only as long as the list or quote around it lasts", () => {
    expect(targets("- ```\n  @a.md\n\nout @b.md")).toEqual(["b.md"]);
    expect(targets("> ```\n> @a.md\nout @b.md")).toEqual(["b.md"]);
  });

  const markdown = fc
    .array(
      fc.constantFrom(
        "@a.md",
        "`",
        "``",
        "```",
        "~~~",
        "\n",
        "\n\n",
        "    ",
        "  ",
        "\t",
        "- ",
        "1. ",
        "> ",
        "<!--",
        "-->",
        "<div>",
        "*",
        "**",
        "_",
        "[",
        "](x)",
        "\\",
        " ",
        "text",
        "#",
        "@",
        "é",
        "|",
        "---",
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(""));

  it("are found in any text without an error, in order, where the text says so", () => {
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ maxLength: 300, unit: "binary" })), (text) => {
        let last = -1;
        for (const { start, end } of findImports(text)) {
          expect(start).toBeGreaterThan(last);
          expect(text[start]).toBe("@");
          expect(end).toBeGreaterThan(start);
          expect(text.slice(start, end)).not.toMatch(/\s(?<!\\ )/u);
          last = start;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("never come out of a fence, a code span or a comment, whatever stands around it", () => {
    const secret = "@secret.md";
    const prose = fc
      .array(fc.constantFrom("word", "@a.md", "- item", "> quote", "# Title", ""), { maxLength: 6 })
      .map((lines) => lines.join("\n\n"));
    const hidden = fc.constantFrom(
      `\`\`\`\n${secret}\n\`\`\``,
      `~~~md\n${secret}\n~~~`,
      `<!-- ${secret} -->`,
      `<!--\n\n${secret}\n-->`,
      `word \`${secret}\` word`,
      `word \`\`x ${secret} y\`\` word`,
    );
    fc.assert(
      fc.property(prose, hidden, prose, (before, middle, after) => {
        expect(targets(`${before}\n\n${middle}\n\n${after}`)).not.toContain("secret.md");
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["backticks", "`".repeat(100_000)],
    ["runs of many lengths", Array.from({ length: 1_200 }, (_, n) => "`".repeat(n % 90)).join(" x ")],
    ["open comments", "<!-- ".repeat(60_000)],
    ["stars", "*a ".repeat(80_000)],
    ["open brackets", "[".repeat(100_000)],
    ["links", "[a](".repeat(60_000)],
    ["tags", "<a ".repeat(60_000)],
    ["quotes", ">".repeat(5_000)],
    ["lines", "@a b\n".repeat(80_000)],
    ["lists", Array.from({ length: 300 }, (_, n) => `${"  ".repeat(n)}- @a`).join("\n")],
  ])("are looked for in 400 KB of %s without delay", (_, text) => {
    const started = performance.now();
    findImports(`${text} @a.md`);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
