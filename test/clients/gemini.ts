import fs from "node:fs";
import path from "node:path";
import { startFakeModel } from "./fake-model.ts";
import { geminiGenerate, geminiTexts } from "./gemini-generate.ts";
import type { Ground } from "./layout.ts";
import type { MemdirSection } from "./memdir-sections.ts";
import { runClient } from "./run-client.ts";
import type { Section, View } from "./sections.ts";

/** The version whose behaviour the layouts describe. */
export const GEMINI_PACKAGE = "@google/gemini-cli@0.61.0";
const TIMEOUT_MS = 120_000;

/** The client's start file, below the folder it was installed into. */
export function geminiScript(installation: string): string | undefined {
  const file = path.join(installation, "node_modules", "@google", "gemini-cli", "bundle", "gemini.js");
  return fs.existsSync(file) ? file : undefined;
}

/** What every user settings file here holds, so that nothing but the fake model is asked for anything. */
export const QUIET_SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

export const SWITCHES = {
  GEMINI_API_KEY: "not-a-key",
  GEMINI_CLI_TRUST_WORKSPACE: "true",
  GEMINI_CLI_NO_RELAUNCH: "true",
  GEMINI_SANDBOX: "false",
};

/** A layout that says nothing of user settings gets the quiet ones. */
function quieten(ground: Ground): void {
  const file = path.join(ground.environment["GEMINI_CLI_HOME"] ?? ground.home, ".gemini", "settings.json");
  if (fs.existsSync(file)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(QUIET_SETTINGS));
}

/** Everything the real client sent to its model in one headless session, in which it read the files to be touched one by one. */
export async function askGemini(script: string, ground: Ground): Promise<readonly unknown[]> {
  const calls = ground.touch.map((file) => ({ tool: "read_file", input: { file_path: file } }));
  const model = await startFakeModel([geminiGenerate], calls);
  try {
    quieten(ground);
    const run = await runClient({
      command: process.execPath,
      args: [script, "-p", "Say OK.", "-o", "json", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"],
      cwd: ground.cwd,
      environment: { ...ground.environment, ...SWITCHES, GOOGLE_GEMINI_BASE_URL: model.url },
      timeoutMs: TIMEOUT_MS,
    });
    if (run.code !== 0) throw new Error(`the client ended with ${run.code ?? "its time limit"}: ${run.err}${run.out}`);
    return model.asked.map(({ body }) => body);
  } finally {
    await model.close();
  }
}

const BLOCK = /^--- Context from: (.+) ---\n([\s\S]*?)\n--- End of Context from: \1 ---$/gmu;

function blocksIn(texts: readonly string[]): readonly Section[] {
  return texts.flatMap((text) =>
    [...text.matchAll(BLOCK)].map(([, file, body]) => ({ path: file ?? "", label: undefined, body: body ?? "" })),
  );
}

/** The user's files are in the system instruction, the project's in the first message, later ones behind a tool's output. */
export function geminiView(requests: readonly unknown[]): View {
  const { system, user } = geminiTexts(requests[0]);
  return { start: [...blocksIn(system), ...blocksIn(user)], touched: blocksIn(geminiTexts(requests.at(-1)).tools) };
}

/** Names as they stand in the markers that the client puts around imported text, in order. */
export function importedNames(view: View): readonly string[] {
  return [...view.start, ...view.touched].flatMap(({ body }) =>
    [...body.matchAll(/<!-- Imported from: (\S+) -->/gu)].map(([, name]) => path.basename(name ?? "")),
  );
}

/** memdir's sections without those whose text stands in their importer's, and without files that say nothing. */
export function shownAsGemini(sections: readonly MemdirSection[]): View {
  const shown = sections.filter(({ flags, text }) => !flags.includes("inlined") && text !== "");
  const bare = (wanted: boolean): readonly Section[] =>
    shown
      .filter(({ reason }) => (reason === "session-start") === wanted)
      .map(({ path: file, text }) => ({ path: file, label: undefined, body: text }));
  return { start: bare(true), touched: bare(false) };
}
