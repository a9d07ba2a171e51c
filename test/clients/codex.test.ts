import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { askCodex, CODEX_PACKAGE, codexBinary, codexView, joinedAsCodex } from "./codex.ts";
import { installationOf } from "./installed.ts";
import { layOut } from "./layout.ts";
import { CODEX_LAYOUTS } from "./layouts-codex.ts";
import { type MemdirSection, memdirSections } from "./memdir-sections.ts";
import { differences } from "./sections.ts";

const binary = installationOf("codex", codexBinary);

describe.skipIf(binary === undefined)(`what ${CODEX_PACKAGE} sends of instruction files is what memdir shows${binary === undefined ? " (not installed)" : ""}`, () => {
  it.concurrent.for(CODEX_LAYOUTS)("$name: $proves", { timeout: 180_000 }, async (layout) => {
    const ground = layOut(layout);
    try {
      const client = codexView(await askCodex(binary ?? "", ground));
      const sections = memdirSections("codex", ground);
      expect(differences(client, joinedAsCodex(sections))).toEqual([]);
      expect(sections.filter((section) => !isFrom(section)).map(({ path }) => path), "sections whose text is not their file's").toEqual([]);
    } finally {
      ground.remove();
    }
  });
});

/** The client names no files, so memdir's names are checked against the disk: a section's text is its file's, or the beginning of it. */
function isFrom({ path, text }: MemdirSection): boolean {
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(fs.readFileSync(path));
  return whole.includes(text.replace(/\uFFFD$/u, ""));
}
