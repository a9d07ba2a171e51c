import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { parseNote } from "../../../src/core/notes/parse-note.ts";

const KEYS = Array.from({ length: 200_000 }, (_, at) => `key${at}: ${at}`).join("\n");
const START = "name: big\ndescription: as it was\nmetadata:\n  type: project\n";

describe("frontmatter of 200,000 keys", () => {
  it("is read from its beginning alone, and says so", () => {
    const { data, problem } = yamlFrontmatter.read(`${START}${KEYS}\nlast: x\n`);
    expect(data).toEqual({ name: "big", description: "as it was", metadata: { type: "project" } });
    expect(problem).toMatch(/^the frontmatter has \d+ characters, more than 100000: only its beginning is read$/u);
    const note = parseNote("big.md", new TextEncoder().encode(`---\n${START}${KEYS}\n---\n\nBody.\n`), yamlFrontmatter);
    expect(note).toMatchObject({ name: "big", description: "as it was", type: "project", body: "\nBody.\n" });
    expect(note.problems.map(({ code }) => code)).toEqual(["oversize", "malformed-frontmatter"]);
  });

  it("holds nothing up when it is one line, and is left as it is", () => {
    const line = `name: ${"x".repeat(2_000_000)}\n`;
    expect(yamlFrontmatter.read(line)).toMatchObject({ data: {} });
    expect(() => yamlFrontmatter.set(line, ["metadata", "pinned"], true)).toThrow(
      /cannot be changed and is left as it is/u,
    );
  });

  it("is read whole as long as it is below the limit", () => {
    const keys = KEYS.slice(0, KEYS.lastIndexOf("\n", 90_000));
    expect(yamlFrontmatter.read(`${START}${keys}\n`).problem).toBeUndefined();
    expect(Object.keys(yamlFrontmatter.read(`${START}${keys}\n`).data).length).toBeGreaterThan(5_000);
  });
});
