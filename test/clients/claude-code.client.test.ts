import { describe, it } from "vitest";
import { askClaudeCode, CLAUDE_CODE_PACKAGE, claudeCodeBinary, parseView } from "./claude-code.ts";
import { howToInstall, installation } from "./installed.ts";
import { layOut } from "./layout.ts";
import { CLAUDE_CODE_LAYOUTS } from "./layouts-claude-code.ts";
import { memdirView } from "./memdir-view.ts";
import { differences, withoutOwnWords } from "./sections.ts";

const folder = installation("claude");
const binary = process.env["CLAUDE_BIN"] ?? (folder === undefined ? undefined : claudeCodeBinary(folder));
if (binary === undefined) process.stderr.write(howToInstall("claude", CLAUDE_CODE_PACKAGE));

describe.concurrent("Claude Code", () => {
  for (const layout of CLAUDE_CODE_LAYOUTS) {
    it.skipIf(binary === undefined)(`${layout.name}: ${layout.proves}`, async ({ expect }) => {
      const ground = layOut(layout);
      try {
        const views = [
          parseView(await askClaudeCode(binary ?? "", ground)),
          await memdirView("claude-code", ground),
        ] as const;
        const [client, memdir] =
          layout.ownWords === true ? [withoutOwnWords(views[0]), withoutOwnWords(views[1])] : views;
        const found = differences(client, memdir);
        expect(found, found.join("\n")).toEqual([]);
      } finally {
        ground.remove();
      }
    });
  }
});
