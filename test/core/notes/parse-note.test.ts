import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { baseName, parseNote, summaryOf } from "../../../src/core/notes/parse-note.ts";

const described = (text: string): string =>
  summaryOf(parseNote("a.md", new TextEncoder().encode(text), yamlFrontmatter));
const withDescription = (description: string): string =>
  described(`---\nname: a\ndescription: ${description}\n---\n\n# A\n\nShips leave at dawn. Then it is quiet.\n`);

it.each([
  ["feedback_testing.md", "feedback_testing"],
  ["sub/deep/a.MD", "a"],
  ["a.mdx.md", "a.mdx"],
  ["a.md.conflict-1.md", "a.md.conflict-1"],
  ["a.txt", "a.txt"],
])("a file %s is called %s", (file, name) => {
  expect(baseName(file)).toBe(name);
});

describe("what a line says of a note", () => {
  it.each(["ships at dawn", "SSH key", "Kubernetes", "port 80", "夜明け", "v2"])("is its description: %s", (text) => {
    expect(withDescription(text)).toBe(text);
  });

  it.each(['""', "The", "TODO", "Notes:", "..."])(
    "is its first sentence where the description says only %s",
    (text) => {
      expect(withDescription(text)).toBe("Ships leave at dawn. Then it is quiet.");
    },
  );

  it("is its first sentence where there is none, also behind a block that a comment keeps from being frontmatter", () => {
    expect(described("---\nname: a\n---\nShips leave.\n")).toBe("Ships leave.");
    expect(described("<!-- kept by hand -->\n---\nname: a\ntype: user\n---\n\nShips leave.\n")).toBe("Ships leave.");
    expect(described("The\n")).toBe("The");
  });

  it("stays what little it says where the text says nothing", () => {
    expect(described("---\ndescription: The\n---\n\n# A\n")).toBe("The");
  });

  it("is found at once in a large text of openings", () => {
    const started = performance.now();
    described("<!-- ".repeat(50_000));
    described(`<!---->\n---\n${"--> ---\n".repeat(50_000)}`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
