import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { readPlain } from "../../../src/adapters/yaml/frontmatter.ts";

const USUAL =
  'name: merge freeze\ndescription: "When mobile cuts: no merges"\nmetadata:\n  node_type: memory\n  type: project\n  modified: 2026-11-22T03:11:00Z\n';
const pieces = [
  "a",
  "name",
  "metadata",
  "type",
  "null",
  "True",
  "on",
  "12",
  "-",
  ":",
  ": ",
  " #",
  "#",
  "'",
  '"',
  "{",
  "[",
  "|",
  ">",
  "&",
  "*",
  "!",
  "%",
  "@",
  "`",
  ",",
  "\\",
  "  ",
  " ",
  "\n",
  "\n  ",
  "\t",
  "\r",
  "é",
  "\u0085",
  "…",
  "---",
  "...",
  "2026-11-22",
  "0x1",
  ".5",
  "?",
  "~",
  "<<",
  "\u{1f600}",
  "https://a.b/c",
  "name: x\n",
  "metadata:\n  type: y\n",
];

describe("frontmatter without the YAML parser", () => {
  it("is read as it is mostly written", () => {
    expect(readPlain(USUAL)).toEqual({
      name: "merge freeze",
      description: "When mobile cuts: no merges",
      metadata: { node_type: "memory", type: "project", modified: "2026-11-22T03:11:00Z" },
    });
  });

  it("is left to the parser where a value could be more than a text", () => {
    for (const block of [
      "pinned: true",
      "name: a\n  b",
      "name: 12",
      "name: a # b",
      "name: [a]",
      "metadata:\n",
      "name: a\nname: b",
      'name: "a\\n"',
      "name: a: b",
      "name:\n  type: x",
      "null: x",
    ])
      expect(readPlain(block), block).toBeUndefined();
  });

  it("is never read otherwise than by the parser", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 14 }),
        fc.boolean(),
        (parts, usual) => {
          const block = (usual ? USUAL : "name: ") + parts.join("");
          const plain = readPlain(block);
          if (plain === undefined) return;
          const document = parseDocument(block, { strict: false, uniqueKeys: false, logLevel: "silent" });
          expect(document.errors).toEqual([]);
          expect(plain).toEqual(document.toJS({ maxAliasCount: 50 }));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
