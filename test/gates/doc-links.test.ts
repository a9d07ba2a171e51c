import { describe, expect, it } from "vitest";
import { checkLinks } from "../../scripts/gates/doc-links.mjs";
import { plantTree, PROJECT } from "./tree.ts";

const PAGE = "# A page\n\n## What `it` says, and why\n\n## Twice\n\n## Twice\n\n![one](picture.svg)\n";

/** What is found of one page beside another and a picture. */
function wrong(text: string): readonly string[] {
  const root = plantTree({
    "docs/one.md": text,
    "docs/page.md": PAGE,
    "docs/picture.svg": "<svg/>",
    "README.md": "# R",
  });
  return checkLinks(root).findings.map(({ message }) => message);
}

describe("the gate of links", () => {
  it("passes this project", () => {
    const { checked, findings } = checkLinks(PROJECT);
    expect(findings).toEqual([]);
    expect(checked).toBeGreaterThan(40);
  });

  it("names files and headings that are not there", () => {
    expect(wrong("[a](gone.md) and ![b](gone.png)")).toEqual(["gone.md: no such file", "gone.png: no such file"]);
    expect(wrong("[a](page.md#gone), [b](#gone)")).toEqual(["page.md#gone: no such heading", "#gone: no such heading"]);
    expect(wrong("| a |\n|---|\n| [a](../docs/gone.md) |")).toEqual(["../docs/gone.md: no such file"]);
    expect(wrong("[a](../../outside.md)")).toEqual(["../../outside.md: no such file"]);
  });

  it("lets pass what is there, in other places, or code", () => {
    expect(wrong("[a](page.md#what-it-says-and-why), [b](page.md#twice-1), [c](../README.md#r)")).toEqual([]);
    expect(wrong("# Here\n\n[a](#here), [b](https://example.com/x#y), [c](..)")).toEqual([]);
    expect(wrong("`[a](gone.md)`\n\n```\n[a](gone.md)\n```")).toEqual([]);
  });
});
