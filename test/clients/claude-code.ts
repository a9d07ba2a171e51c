import fs from "node:fs";
import path from "node:path";
import { anthropicMessages, messageTexts } from "./anthropic-messages.ts";
import { startFakeModel } from "./fake-model.ts";
import type { Ground } from "./layout.ts";
import { runClient } from "./run-client.ts";
import type { Section, View } from "./sections.ts";

/** The version whose behaviour the layouts describe. */
export const CLAUDE_CODE_PACKAGE = "@anthropic-ai/claude-code@2.1.330";
const TIMEOUT_MS = 60_000;

export const SWITCHES = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  ANTHROPIC_API_KEY: "not-a-key",
};

/** The native binary that the npm package brings for this platform, below the folder it was installed into. */
export function claudeCodeBinary(installation: string): string | undefined {
  const file = path.join(
    installation,
    "node_modules",
    "@anthropic-ai",
    `claude-code-${process.platform}-${process.arch}`,
    "claude",
  );
  return fs.existsSync(file) ? file : undefined;
}

/** Everything the real client sent to its model in one headless session, in which it read the files to be touched one by one. */
export async function askClaudeCode(binary: string, ground: Ground): Promise<readonly unknown[]> {
  const calls = ground.touch.map((file) => ({ tool: "Read", input: { file_path: file } }));
  const model = await startFakeModel([anthropicMessages], calls);
  try {
    const run = await runClient({
      command: binary,
      args: ["-p", "Say OK.", "--output-format", "json", "--allowedTools", "Read"],
      cwd: ground.cwd,
      environment: { ...ground.environment, ...SWITCHES, ANTHROPIC_BASE_URL: model.url },
      timeoutMs: TIMEOUT_MS,
    });
    if (run.code !== 0) throw new Error(`the client ended with ${run.code ?? "its time limit"}: ${run.err}${run.out}`);
    return model.asked.map(({ body }) => body);
  } finally {
    await model.close();
  }
}

const REMINDER = /<system-reminder>\n([\s\S]*?)\n<\/system-reminder>/gu;
const HEAD = /^Contents of (\/.+?)(?: \(([^()\n]*)\))?:\n\n/gmu;

/** The sections of one reminder; each ends where the next begins, or with the reminder. */
function sectionsOf(reminder: string): readonly Section[] {
  const heads = [...reminder.matchAll(HEAD)];
  return heads.map((head, index) => {
    const next = heads[index + 1];
    const end = next === undefined ? reminder.length : next.index - 2;
    return { path: head[1] ?? "", label: head[2], body: reminder.slice(head.index + head[0].length, end) };
  });
}

function sectionsIn(texts: readonly string[]): readonly Section[] {
  return texts.flatMap((text) => [...text.matchAll(REMINDER)].flatMap(([, inner]) => sectionsOf(inner ?? "")));
}

/** What the model knew at the first request, and what the later requests added to it. */
export function parseView(requests: readonly unknown[]): View {
  const start = messageTexts(requests[0]);
  const whole = messageTexts(requests.at(-1));
  return { start: sectionsIn(start), touched: sectionsIn(whole.slice(start.length)) };
}
