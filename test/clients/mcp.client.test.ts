import { describe, it } from "vitest";
import { CLAUDE_CODE_PACKAGE, claudeCodeBinary } from "./claude-code.ts";
import { CODEX_PACKAGE, codexBinary } from "./codex.ts";
import { GEMINI_PACKAGE, geminiScript } from "./gemini.ts";
import { howToInstall, installation } from "./installed.ts";
import { layOut } from "./layout.ts";
import { MCP_CLIENTS, runMcpSession } from "./mcp-sessions.ts";
import { OPENCODE_PACKAGE, openCodeBinary } from "./opencode.ts";

const NOTE =
  "---\nname: no mocks\ndescription: Integration tests use the postgres container, never mocks\nmetadata:\n  type: feedback\n---\n\nMocked tests passed and the migration failed, so the container it is.\n";

/** How each client is started; `undefined` where it is not installed. */
function startOf(client: keyof typeof MCP_CLIENTS): readonly [string, ...string[]] | undefined {
  const folder = installation(client);
  if (folder === undefined) return undefined;
  const binary = { claude: claudeCodeBinary, codex: codexBinary, gemini: geminiScript, opencode: openCodeBinary }[
    client
  ](folder);
  if (binary === undefined) return undefined;
  return client === "gemini" ? [process.execPath, binary] : [binary];
}

const PACKAGES = {
  claude: CLAUDE_CODE_PACKAGE,
  codex: CODEX_PACKAGE,
  gemini: GEMINI_PACKAGE,
  opencode: OPENCODE_PACKAGE,
};

describe.concurrent("memdir as a server of", () => {
  for (const client of ["claude", "codex", "gemini", "opencode"] as const) {
    const start = startOf(client);
    if (start === undefined) process.stderr.write(howToInstall(client, PACKAGES[client]));
    it.skipIf(start === undefined)(
      `${client}: instructions reach the model, recall brings the note, and no process is left`,
      async ({ expect }) => {
        const ground = layOut({ name: "mcp", proves: "", memory: { "feedback_no_mocks.md": NOTE } });
        try {
          const { requests, left } = await runMcpSession(MCP_CLIENTS[client], start ?? [""], ground);
          expect(requests.length).toBeGreaterThan(1);
          expect(
            requests.some((request) => request.includes("is this project's memory")),
            "the rules of use",
          ).toBe(true);
          const last = requests.find((request) => request.includes("the migration failed"));
          expect(last, "the note's text in the tool's result").toBeDefined();
          expect(last).toContain("memdir-context");
          expect(left).toEqual([]);
        } finally {
          ground.remove();
        }
      },
    );
  }
});
