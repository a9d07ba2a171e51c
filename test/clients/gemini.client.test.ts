import path from "node:path";
import { describe, expect, it } from "vitest";
import { askGemini, GEMINI_PACKAGE, geminiScript, geminiView, importedNames, shownAsGemini } from "./gemini.ts";
import { howToInstall, installation } from "./installed.ts";
import { layOut } from "./layout.ts";
import { GEMINI_DIFFERENCES, GEMINI_LAYOUTS } from "./layouts-gemini.ts";
import { memdirSections } from "./memdir-sections.ts";
import { differences } from "./sections.ts";

const folder = installation("gemini");
const script = folder === undefined ? undefined : geminiScript(folder);
if (script === undefined) process.stderr.write(howToInstall("gemini", GEMINI_PACKAGE));

describe.concurrent("Gemini CLI", () => {
  it.skipIf(script === undefined).for(GEMINI_DIFFERENCES)("differs in $name: $proves", async (layout) => {
    const ground = layOut(layout);
    try {
      const sent = geminiView(await askGemini(script ?? "", ground));
      expect(differences(sent, shownAsGemini(await memdirSections("gemini", ground)))).not.toEqual([]);
    } finally {
      ground.remove();
    }
  });

  it.skipIf(script === undefined).for(GEMINI_LAYOUTS)("$name: $proves", async (layout) => {
    const ground = layOut(layout);
    try {
      const sent = geminiView(await askGemini(script ?? "", ground));
      const sections = await memdirSections("gemini", ground);
      expect(differences(sent, shownAsGemini(sections))).toEqual([]);
      const inlined = sections.filter(({ flags }) => flags.includes("inlined"));
      expect(
        inlined.map((section) => path.basename(section.path)),
        "imported files in memdir's list",
      ).toEqual(importedNames(sent));
    } finally {
      ground.remove();
    }
  });
});
