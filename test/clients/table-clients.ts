/** Where a client under test lives and whom it asks. */
export interface Ground {
  readonly home: string;
  readonly project: string;
  readonly url: string;
  /** Free when the test began, for a client that serves its own commands. */
  readonly port: number;
}

/** A client that tests run: what it is installed from and how it is told to ask the model of the test. */
export interface RealClient {
  readonly title: string;
  readonly name: string;
  readonly folder: string;
  /** What npm is to install; or pip, for what runs without Node. */
  readonly packageName: string;
  /** The program, below `node_modules` of its folder; or below the folder, for what is started as it is. */
  readonly program: string;
  readonly runsAlone?: boolean;
  /** OpenClaw needs a newer Node than memdir: the path of one in MEMDIR_NODE. */
  readonly minimalNode: number;
  readonly environment: (ground: Ground) => Readonly<Record<string, string>>;
  readonly settings: (ground: Ground) => Readonly<Record<string, unknown>>;
  /** It puts its settings into a form of its own when it starts. */
  readonly rewritesSettings?: boolean;
  readonly args: (prompt: string, session: string) => readonly string[];
  /** What the person tells it after memdir is installed, and after it is taken out. */
  readonly choose?: readonly string[];
  readonly leave?: readonly string[];
  /** What it runs all the while; its commands only talk to that. */
  readonly service?: (ground: Ground) => readonly string[];
}

function toOpenClaw(prompt: string, session: string): readonly string[] {
  return ["--agent", "main", "--session-key", `agent:main:${session}`, "--message", prompt];
}

const OPENCLAW: Omit<RealClient, "args"> = {
  title: "OpenClaw",
  name: "openclaw",
  folder: "openclaw",
  packageName: "openclaw@2026.9.6 --force",
  program: "openclaw/openclaw.mjs",
  minimalNode: 24,
  environment: () => ({}),
  settings: ({ url, project, port }) => ({
    ".openclaw/openclaw.json": {
      gateway: { mode: "local", port, auth: { mode: "token", token: "of this test" } },
      agents: { defaults: { workspace: project, model: { primary: "fake/fake" }, skipBootstrap: true } },
      models: {
        providers: {
          fake: {
            baseUrl: `${url}/v1`,
            apiKey: "none",
            api: "openai-completions",
            models: [{ id: "fake", name: "fake", contextWindow: 128_000, maxTokens: 4096 }],
          },
        },
      },
    },
  }),
};

/** Clients of the table of docs/clients.md. The titles are its columns. */
export const CLIENTS: readonly RealClient[] = [
  {
    title: "Qwen Code",
    name: "qwen",
    folder: "qwen",
    packageName: "@qwen-code/qwen-code@0.24.4",
    program: "@qwen-code/qwen-code/cli.js",
    minimalNode: 20,
    environment: ({ url }) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "fake" }),
    settings: () => ({
      ".qwen/settings.json": {
        security: { auth: { selectedType: "openai" } },
        telemetry: { enabled: false },
        usageStatisticsEnabled: false,
      },
    }),
    rewritesSettings: true,
    args: (prompt) => ["-p", prompt],
  },
  {
    title: "Pi",
    name: "pi",
    folder: "pi",
    packageName: "@mariozechner/pi-coding-agent@0.73.1",
    program: "@mariozechner/pi-coding-agent/dist/cli.js",
    minimalNode: 20,
    environment: () => ({}),
    settings: ({ url }) => ({
      ".pi/agent/models.json": {
        providers: {
          fake: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: "none",
            models: [
              {
                id: "fake",
                name: "fake",
                reasoning: false,
                input: ["text"],
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                contextWindow: 128_000,
                maxTokens: 4096,
              },
            ],
          },
        },
      },
    }),
    args: (prompt) => ["--provider", "fake", "--model", "fake", "-p", prompt],
  },
  { ...OPENCLAW, args: (prompt, session) => ["agent", "--local", ...toOpenClaw(prompt, session)] },
  {
    ...OPENCLAW,
    title: "OpenClaw Gateway",
    args: (prompt, session) => ["agent", ...toOpenClaw(prompt, session)],
    service: ({ port }) => ["gateway", "run", "--port", String(port), "--bind", "loopback"],
  },
  {
    title: "Hermes",
    name: "hermes",
    folder: "hermes",
    packageName: "hermes-agent",
    program: "bin/hermes",
    runsAlone: true,
    minimalNode: 20,
    environment: () => ({}),
    // JSON is YAML too.
    settings: ({ url }) => ({
      ".hermes/config.yaml": {
        model: { default: "fake", provider: "custom", base_url: `${url}/v1`, api_key: "none" },
      },
    }),
    rewritesSettings: true,
    args: (prompt) => ["-z", prompt],
    choose: ["config", "set", "memory.provider", "memdir"],
    leave: ["memory", "off"],
  },
];
