import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type FakeModel, startFakeModel, type ToolCall } from "./fake-model.ts";
import { field, text } from "./json.ts";
import type { Ground, Layout } from "./layout.ts";
import type { MemdirSection } from "./memdir-sections.ts";
import { chatTexts, openAiChat } from "./openai-chat.ts";
import type { Section, View } from "./sections.ts";

/** The version whose behaviour the layouts describe. */
export const OPENCODE_PACKAGE = "opencode-ai@1.18.33";
const START_TIMEOUT_MS = 90_000;
const TURN_TIMEOUT_MS = 90_000;

/** The native binary that the npm package brings for this platform, below the folder it was installed into. */
export function openCodeBinary(installation: string): string | undefined {
  const file = path.join(
    installation,
    "node_modules",
    `opencode-${process.platform}-${process.arch}`,
    "bin",
    "opencode",
  );
  return fs.existsSync(file) ? file : undefined;
}

/** The client's headless server: it starts in seconds, so layouts that can share one process do. */
interface Server {
  readonly url: string;
  stop(): void;
}

export const SWITCHES = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_PURE: "1",
  // The client installs a package of its own at its first start; nothing here needs it.
  npm_config_offline: "true",
};

/** Comes on top of the layout's configuration files, which say nothing of these. */
export function configFor(modelUrl: string): string {
  const model = { name: "Fake", limit: { context: 1_000_000, output: 1000 } };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "fake",
    options: { baseURL: `${modelUrl}/v1`, apiKey: "not-a-key" },
    models: { none: model },
  };
  const quiet = { autoupdate: false, share: "disabled", snapshot: false, lsp: false, formatter: false };
  return JSON.stringify({
    ...quiet,
    model: "fake/none",
    small_model: "fake/none",
    provider: { fake: provider },
    permission: { "*": "allow", skill: "deny" },
  });
}

async function startServer(
  binary: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
  model: FakeModel,
): Promise<Server> {
  const child = spawn(binary, ["serve", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd,
    env: { ...SWITCHES, ...environment, OPENCODE_CONFIG_CONTENT: configFor(model.url) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  try {
    return { url: await listeningUrl(child), stop: () => killGroup(child.pid) };
  } catch (error) {
    killGroup(child.pid);
    throw error;
  }
}

/** The server says on its output where it listens. */
function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let said = "";
    const timer = setTimeout(
      () => fail(new Error(`the client's server did not start in ${START_TIMEOUT_MS} ms: ${said}`)),
      START_TIMEOUT_MS,
    );
    const hear = (chunk: Buffer): void => {
      said += chunk.toString("utf8");
      const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      done(url);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("error", fail).once("close", () => fail(new Error(`the client's server ended: ${said}`)));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has ended by itself.
  }
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TURN_TIMEOUT_MS),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the client's server answered ${response.status}: ${answer.slice(0, 500)}`);
  return JSON.parse(answer);
}

/** One session with one turn, started in the ground's directory. */
async function takeTurn(server: Server, ground: Ground): Promise<void> {
  const directory = `directory=${encodeURIComponent(ground.cwd)}`;
  const session = text(field(await post(`${server.url}/session?${directory}`, { title: "One turn" }), "id"));
  await post(`${server.url}/session/${session}/message?${directory}`, { parts: [{ type: "text", text: "Say OK." }] });
}

/** What the client reads once per process: its environment and the user's configuration. */
function needsOwnProcess(layout: Layout): boolean {
  return (
    layout.environment !== undefined || Object.keys(layout.home ?? {}).some((name) => /opencode\.jsonc?$/u.test(name))
  );
}

export interface OpenCode {
  /** Everything the real client sent to its model in one headless session, in which it read the files to be touched one by one. */
  ask(layout: Layout, ground: Ground): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export async function startOpenCode(binary: string): Promise<OpenCode> {
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-opencode-")));
  const home = path.join(scratch, "home");
  // Read at each turn, so what is put into it now is what the next session does.
  const script: ToolCall[] = [];
  const model = await startFakeModel([openAiChat], script);
  let shared: Promise<Server> | undefined;

  const sharedServer = (ground: Ground): Promise<Server> => {
    fs.rmSync(home, { force: true });
    fs.symlinkSync(ground.home, home);
    const directories = {
      XDG_CONFIG_HOME: ".config",
      XDG_DATA_HOME: "../data",
      XDG_CACHE_HOME: "../cache",
      XDG_STATE_HOME: "../state",
    };
    const moved = Object.entries(directories).map(([name, below]) => [
      name,
      below.startsWith("../") ? path.join(scratch, below.slice(3)) : path.join(home, below),
    ]);
    shared ??= startServer(binary, scratch, { ...ground.environment, HOME: home, ...Object.fromEntries(moved) }, model);
    return shared;
  };

  return {
    ask: async (layout, ground) => {
      const own = needsOwnProcess(layout);
      const server = own
        ? await startServer(binary, ground.root, ground.environment, model)
        : await sharedServer(ground);
      try {
        script.splice(0, script.length, ...ground.touch.map((file) => ({ tool: "read", input: { filePath: file } })));
        const before = model.asked.length;
        await takeTurn(server, ground);
        return model.asked
          .slice(before)
          .map(({ body }) => JSON.parse(JSON.stringify(body).replaceAll(home, ground.home)));
      } finally {
        if (own) server.stop();
      }
    },
    close: async () => {
      if (shared !== undefined) (await shared).stop();
      await model.close();
      fs.rmSync(scratch, { recursive: true, force: true });
    },
  };
}

const HEAD = /^Instructions from: (.+)\n/gmu;

/** Each section ends where the next begins, a separator before it, or with the text. */
function sectionsOf(whole: string, separator: string): readonly Section[] {
  const heads = [...whole.matchAll(HEAD)];
  return heads.map((head, index) => {
    const next = heads[index + 1];
    const end = next === undefined ? whole.length : next.index - separator.length;
    return { path: head[1] ?? "", label: undefined, body: whole.slice(head.index + head[0].length, end) };
  });
}

const REMINDER = /<system-reminder>\n(Instructions from: [\s\S]*?)\n<\/system-reminder>/gu;

/** Files of the start are in the system message; those that a read brings are in a reminder behind its output. */
export function openCodeView(requests: readonly unknown[]): View {
  const start = chatTexts(requests[0], "system").flatMap((whole) => sectionsOf(whole, "\n"));
  const touched = chatTexts(requests.at(-1), "tool").flatMap((output) =>
    [...output.matchAll(REMINDER)].flatMap(([, inner]) => sectionsOf(inner ?? "", "\n\n")),
  );
  return { start, touched };
}

/** memdir's sections without files that say nothing at all. */
export function shownAsOpenCode(sections: readonly MemdirSection[]): View {
  const shown = sections.filter(({ text: said }) => said !== "");
  const bare = (wanted: boolean): readonly Section[] =>
    shown
      .filter(({ reason }) => (reason === "session-start") === wanted)
      .map(({ path: file, text: body }) => ({ path: file, label: undefined, body }));
  return { start: bare(true), touched: bare(false) };
}
