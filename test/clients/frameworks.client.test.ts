import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { filesBelow } from "../support/scratch.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { type FakeModel, startFakeModel } from "./fake-model.ts";
import { installation } from "./installed.ts";
import { openAiChat } from "./openai-chat.ts";
import { runClient } from "./run-client.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAMS = fileURLToPath(new URL("frameworks", import.meta.url));
const NODE = process.env["MEMDIR_NODE"] ?? process.execPath;
const FACT = "Remember that releases are cut on Thursdays.";
const QUESTION = "On which day do we cut the release?";

/** Frameworks of docs/clients.md, each with a program of a few lines. The titles are the columns of its table. */
const FRAMEWORKS: readonly {
  readonly title: string;
  readonly name: string;
  /** With a version it is installed where it is missing; the others are here to develop memdir. */
  readonly packageName: string;
  /** From `examples/frameworks`; the others have a part of memdir of their own. */
  readonly isExample?: boolean;
}[] = [
  { title: "AI SDK", name: "ai-sdk", packageName: "ai" },
  { title: "AI SDK 7", name: "ai-sdk", packageName: "ai@7.0.173" },
  { title: "OpenAI Agents", name: "openai-agents", packageName: "@openai/agents-core" },
  { title: "LangGraph", name: "langgraph", packageName: "@langchain/langgraph" },
  { title: "Mastra", name: "mastra", packageName: "@mastra/core@1.71.0", isExample: true },
  {
    title: "Claude Agent SDK",
    name: "claude-agent-sdk",
    packageName: "@anthropic-ai/claude-agent-sdk@0.3.330",
    isExample: true,
  },
  { title: "LlamaIndex", name: "llamaindex", packageName: "llamaindex@0.12.1", isExample: true },
];

describe.each(FRAMEWORKS)("$title", ({ title, name, packageName, isExample = false }) => {
  let root: string;
  let model: FakeModel;
  let missing: string | undefined;
  const at = (...names: readonly string[]): string => path.join(root, ...names);

  beforeAll(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-frameworks-"));
    for (const folder of ["home", "project", "app/node_modules"]) fs.mkdirSync(at(folder), { recursive: true });
    for (const file of ["session.mjs", `${name}.mjs`]) fs.copyFileSync(path.join(PROGRAMS, file), at("app", file));
    if (isExample) fs.copyFileSync(path.join(PROJECT, "examples/frameworks", `${name}.mjs`), at("app/example.mjs"));
    fs.symlinkSync(PROJECT, at("app/node_modules/memdir"), "dir");
    missing = await provide(packageName, root);
    if (missing !== undefined) process.stderr.write(`${title} was not tried: ${missing}\n`);
    model = await startFakeModel([openAiChat, anthropicMessages]);
  }, 300_000);
  afterAll(async () => {
    await model.close();
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });

  const say = async (prompt: string, { skip }: TestContext): Promise<string> => {
    skip(missing !== undefined, missing);
    const sent = model.asked.length;
    const { code, err } = await runClient({
      command: NODE,
      args: [at("app", `${name}.mjs`), prompt, model.url],
      cwd: at("project"),
      environment: { HOME: at("home"), PATH: `${path.dirname(NODE)}:/usr/bin:/bin`, MASTRA_TELEMETRY_DISABLED: "1" },
      timeoutMs: 120_000,
    });
    expect([code, err.slice(-2000)]).toEqual([0, expect.anything()]);
    return (
      model.asked
        .slice(sent)
        .map(({ body }) => JSON.stringify(body))
        .find((body) => body.includes(prompt)) ?? ""
    );
  };
  const notes = (): readonly string[] =>
    [...filesBelow(at("home")).keys()].filter(
      (file) => /\.memdir\/(?:projects|user)\/.*\.md$/u.test(file) && !file.endsWith("MEMORY.md"),
    );

  it("capture: a fact told in one session is a note when it has ended, and one only", async (context) => {
    await say(FACT, context);
    expect(notes()).toHaveLength(1);
  });

  it("recall: the next session is given it, once in the request", async (context) => {
    const asked = await say(QUESTION, context);
    expect(asked.split("## releases-are-cut-on-thursdays").length - 1).toBe(1);
  });

  it("nothing twice: what was recalled, or is told again, adds no note", async (context) => {
    await say(FACT, context);
    expect(notes()).toHaveLength(1);
  });

  it("left behind: the program ends, and only memdir's home has anything of memdir's", ({ skip }) => {
    skip(missing !== undefined, missing);
    expect(fs.readdirSync(at("project"))).toEqual([]);
    const others = [...filesBelow(at("home"))].filter(([file]) => !/^\.(?:memdir|cache\/memdir)\//u.test(file));
    expect(others.filter(([, bytes]) => /memdir\.cjs|hook\.cjs|"memdir"/u.test(bytes.toString("utf8")))).toEqual([]);
  });
});

/** Makes the package one that programs below `root` find. Why it cannot, where it cannot. */
async function provide(packageName: string, root: string): Promise<string | undefined> {
  const [folder = "", version] = packageName.split(/(?!^)@/u);
  const major = version?.split(".")[0];
  const isIn = (modules: string): boolean => {
    const file = path.join(modules, folder, "package.json");
    if (!fs.existsSync(file)) return false;
    return major === undefined || String(JSON.parse(fs.readFileSync(file, "utf8")).version).startsWith(`${major}.`);
  };
  const places = [path.join(installation("frameworks") ?? "", "node_modules"), path.join(PROJECT, "node_modules")];
  const here = places.find((modules) => path.isAbsolute(modules) && isIn(modules));
  if (here !== undefined) {
    fs.symlinkSync(here, path.join(root, "node_modules"), "dir");
    return undefined;
  }
  if (version === undefined) return `${packageName} is not here: npm ci`;
  const { code, err } = await runClient({
    command: "npm",
    args: ["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefix", root, packageName],
    cwd: root,
    environment: Object.fromEntries(
      Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
    timeoutMs: 280_000,
  });
  return code === 0 && isIn(path.join(root, "node_modules"))
    ? undefined
    : `${packageName} could not be installed: ${err.trim().split("\n").at(-1) ?? ""}`;
}
