import fs from "node:fs";
import path from "node:path";
import { startFakeModel } from "./fake-model.ts";
import type { Ground } from "./layout.ts";
import type { MemdirSection } from "./memdir-sections.ts";
import { openAiResponses, userTexts } from "./openai-responses.ts";
import { runClient } from "./run-client.ts";
import type { View } from "./sections.ts";

/** The version whose behaviour the layouts describe. */
export const CODEX_PACKAGE = "@openai/codex@0.169.0";
const TIMEOUT_MS = 90_000;

const TRIPLES: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/** The native binary that the npm package brings for this platform, below the folder it was installed into. */
export function codexBinary(installation: string): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  const file = path.join(
    installation,
    "node_modules",
    "@openai",
    `codex-${platform}`,
    "vendor",
    TRIPLES[platform] ?? "",
    "bin",
    "codex",
  );
  return fs.existsSync(file) ? file : undefined;
}

/** The fake model is named on the command line, so that the layout's own configuration file stays as it is. */
export function modelArgs(url: string): readonly string[] {
  const provider = `{name="fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_MODEL_KEY",request_max_retries=0,stream_max_retries=0}`;
  return ["-c", 'model="none"', "-c", 'model_provider="fake"', "-c", `model_providers.fake=${provider}`];
}

/** Everything the real client sent to its model in one headless session, in which it printed the files to be touched. */
export async function askCodex(binary: string, ground: Ground): Promise<readonly unknown[]> {
  const calls = ground.touch.map((file) => ({ tool: "exec_command", input: { cmd: `cat '${file}'` } }));
  const model = await startFakeModel([openAiResponses], calls);
  try {
    fs.mkdirSync(ground.environment["CODEX_HOME"] ?? path.join(ground.home, ".codex"), { recursive: true });
    const run = await runClient({
      command: binary,
      args: ["exec", "--json", "--skip-git-repo-check", "-s", "read-only", ...modelArgs(model.url), "Say OK."],
      cwd: ground.cwd,
      environment: { ...ground.environment, FAKE_MODEL_KEY: "not-a-key" },
      timeoutMs: TIMEOUT_MS,
    });
    if (run.code !== 0) throw new Error(`the client ended with ${run.code ?? "its time limit"}: ${run.err}${run.out}`);
    return model.asked.map(({ body }) => body);
  } finally {
    await model.close();
  }
}

const BLOCK = /^# (AGENTS\.md instructions[^\n]*)\n\n<INSTRUCTIONS>\n([\s\S]*)\n<\/INSTRUCTIONS>$/u;
/** Stands for the file names, which this client does not tell its model. */
const ALL_FILES = "all files";

/** Codex sends all its instruction files as one text, which names none of them. */
export function codexView(requests: readonly unknown[]): View {
  const blocksIn = (texts: readonly string[]): View["start"] =>
    texts.flatMap((text) => {
      const block = BLOCK.exec(text);
      return block === null ? [] : [{ path: ALL_FILES, label: block[1], body: block[2] ?? "" }];
    });
  const start = userTexts(requests[0]);
  return { start: blocksIn(start), touched: blocksIn(userTexts(requests.at(-1)).slice(start.length)) };
}

/** memdir's sections joined as Codex joins files: the user's text, a line that says where the project's begin, the project's. */
export function joinedAsCodex(sections: readonly MemdirSection[]): View {
  const touched = sections.filter(({ reason }) => reason !== "session-start");
  const shown = sections.filter(({ reason, text }) => reason === "session-start" && text !== "");
  const user = shown.filter(({ scope }) => scope === "user").map(({ text }) => text);
  const project = shown.filter(({ scope }) => scope === "project").map(({ text }) => text);
  const body = [...user, ...(project.length === 0 ? [] : [project.join("\n\n")])].join("\n\n--- project-doc ---\n\n");
  const start = shown.length === 0 ? [] : [{ path: ALL_FILES, label: shown.at(-1)?.label, body }];
  return { start, touched: touched.map(({ path: file, label, text }) => ({ path: file, label, body: text })) };
}
