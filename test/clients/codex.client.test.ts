import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { askCodex, CODEX_PACKAGE, codexBinary, codexView, joinedAsCodex } from "./codex.ts";
import { howToInstall, installation } from "./installed.ts";
import { layOut } from "./layout.ts";
import { CODEX_LAYOUTS } from "./layouts-codex.ts";
import { type MemdirSection, memdirSections } from "./memdir-sections.ts";
import { differences } from "./sections.ts";

const folder = installation("codex");
const binary = folder === undefined ? undefined : codexBinary(folder);
if (binary === undefined) process.stderr.write(howToInstall("codex", CODEX_PACKAGE));

describe.concurrent("Codex", () => {
  it.skipIf(binary === undefined).for(CODEX_LAYOUTS)("$name: $proves", async (layout) => {
    const ground = layOut(layout);
    try {
      const sent = codexView(await askCodex(binary ?? "", ground));
      const sections = await memdirSections("codex", ground);
      expect(differences(sent, joinedAsCodex(sections))).toEqual([]);
      expect(sections.filter((section) => !isOfItsFile(section)).map(({ path }) => path)).toEqual([]);
    } finally {
      ground.remove();
    }
  });
});

/** The client names no files, so the names in memdir's view are held against the disk: each text is its file's, or its beginning. */
function isOfItsFile({ path, text }: MemdirSection): boolean {
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(fs.readFileSync(path));
  return whole.includes(text.replace(/\uFFFD$/u, ""));
}
