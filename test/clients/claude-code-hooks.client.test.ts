import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { anthropicMessages } from "./anthropic-messages.ts";
import { CLAUDE_CODE_PACKAGE, claudeCodeBinary } from "./claude-code.ts";
import { startFakeModel } from "./fake-model.ts";
import { howToInstall, installation } from "./installed.ts";
import { layOut } from "./layout.ts";
import { runClient } from "./run-client.ts";

const folder = installation("claude");
const binary = process.env["CLAUDE_BIN"] ?? (folder === undefined ? undefined : claudeCodeBinary(folder));
if (binary === undefined) process.stderr.write(howToInstall("claude", CLAUDE_CODE_PACKAGE));

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "PostCompact", "SessionEnd"];
const HOOK = `"${process.execPath}" "${DIST}hook.cjs" claude-code`;
const SETTINGS = {
  hooks: Object.fromEntries(
    EVENTS.map((event) => [event, [{ hooks: [{ type: "command", command: HOOK, timeout: 10 }] }]]),
  ),
};
const NOTE =
  "---\nname: quokka-tests\ndescription: Run the quokka tests with the container\nmetadata:\n  type: feedback\n---\n\nThe quokka tests need the container; never mock the quokka service.\n";
const GUARD =
  "---\nname: no-force-push\ndescription: Never force-push\nmetadata:\n  type: feedback\n  guard:\n    tool: Bash\n    pattern: push --force\n    action: deny\n    message: It erased work once.\n---\n\nNever force-push.\n";

describe("memdir's hooks in Claude Code", () => {
  it.skipIf(binary === undefined)("recall once and in place, and stop a guarded call", async ({ expect }) => {
    const ground = layOut({
      name: "hooks",
      proves: "hooks",
      settings: { user: SETTINGS },
      memory: {
        "feedback_quokka_tests.md": NOTE,
        "feedback_no_force_push.md": GUARD,
        "MEMORY.md": "- [Quokka tests](feedback_quokka_tests.md) — container\n",
      },
    });
    const memdir = (...args: readonly string[]): string =>
      execFileSync(process.execPath, [path.join(DIST, "memdir.cjs"), ...args], {
        cwd: ground.cwd,
        env: ground.environment,
        encoding: "utf8",
      });
    memdir("remember", "I am called dev and prefer short answers.", "--type", "user", "--name", "who-i-am");
    memdir("pin", "who-i-am");
    memdir("guard", "enable", "no-force-push", "--yes");
    const model = await startFakeModel(
      [anthropicMessages],
      [{ tool: "Bash", input: { command: "git push --force", description: "push" } }],
    );
    try {
      const run = await runClient({
        command: binary ?? "",
        args: ["-p", "run the quokka tests", "--output-format", "json", "--allowedTools", "Bash"],
        cwd: ground.cwd,
        environment: {
          ...ground.environment,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
          DISABLE_TELEMETRY: "1",
          ANTHROPIC_API_KEY: "not-a-key",
          ANTHROPIC_BASE_URL: model.url,
        },
        timeoutMs: 60_000,
      });
      expect(run.code, run.err).toBe(0);
      const [first, second] = model.asked.map(({ body }) => JSON.stringify(body));
      const count = (text: string): number => (first ?? "").split(text).length - 1;
      expect(count("never mock the quokka service")).toBe(1);
      expect(count("prefer short answers")).toBeGreaterThanOrEqual(1);
      expect(count("SessionStart hook additional context")).toBe(1);
      expect(count("UserPromptSubmit hook additional context")).toBe(1);
      // The project's index is shown by the client, and not by us again.
      expect(count("[Quokka tests](feedback_quokka_tests.md)")).toBe(1);
      expect(second).toContain("Stopped by memory before it ran");
      expect(second).toContain("It erased work once.");
      expect(fs.existsSync(path.join(ground.home, ".memdir", "hook-failures.jsonl"))).toBe(false);
    } finally {
      await model.close();
      ground.remove();
    }
  });
});
