import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { verifierOf } from "../../../src/app/recall/verify-notes.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { type Memory, openMemory } from "../../../src/index.ts";
import { memoryMiddleware } from "../../../src/surfaces/ai-sdk/middleware.ts";
import { answerFromNotes } from "../../../src/surfaces/hooks/answers.ts";
import { answerQuickly } from "../../../src/surfaces/hooks/hook-recall.ts";
import type { HookParts } from "../../../src/surfaces/hooks/hook.ts";
import { runHook } from "../../../src/surfaces/hooks/run-hook.ts";
import { memoryOffer, PROFILES } from "../../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { callTool, connectTo } from "../../surfaces/mcp/linked.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const PROMPT = "write integration tests for the importer";

/** A project with one note that helps and names a file that is not there, and one that does not help. */
async function project(): Promise<string> {
  const root = scratch();
  fs.mkdirSync(path.join(root, "src"));
  fs.writeFileSync(path.join(root, "src/importer.ts"), "export const importer = 1;\n");
  await withMemory(root, async (memory) => {
    await memory.remember({
      type: "feedback",
      name: "no mocks",
      body: "Integration tests use the postgres container of `src/container.ts`, never mocks.",
    });
    await memory.remember({ type: "project", name: "merge freeze", body: "The merge freeze starts on Thursday." });
    // Files as fresh as the tick of the clock are read once more by the next look.
    await setTimeout(50);
    memory.list();
  });
  return root;
}

async function withMemory<T>(root: string, work: (memory: Memory) => T | Promise<T>): Promise<T> {
  const memory = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
  try {
    return await work(memory);
  } finally {
    memory.close();
  }
}

async function withServer<T>(
  root: string,
  work: (client: Awaited<ReturnType<typeof connectTo>>) => Promise<T>,
): Promise<T> {
  const memory = openProjectMemory({ cwd: root, environment: emptyHome(root) });
  const client = await connectTo(memoryOffer(memory, PROFILES["full"] ?? []));
  try {
    return await work(client);
  } finally {
    await client.close();
    memory.close();
  }
}

async function hook(root: string, answers: ReturnType<HookParts["answers"]>): Promise<string> {
  let out = "";
  const event = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: root, prompt: PROMPT };
  await runHook(["claude-code"], {
    environment: emptyHome(root),
    file: "hook.cjs",
    answers: () => answers,
    full: () => unexpected(),
    shell: () => unexpected(),
    read: () => JSON.stringify(event),
    write: (text) => {
      out += text;
      return true;
    },
  });
  return out;
}

function unexpected(): never {
  throw new Error("a prompt needs no more than the answers");
}

/** What each surface gives an agent for the prompt. */
const SURFACES: Readonly<Record<string, (root: string) => Promise<string>>> = {
  "the command": async (root) => (await cli(["recall", PROMPT], { cwd: root, environment: emptyHome(root) })).out,
  "the tool of the MCP server": (root) =>
    withServer(root, async (client) => (await callTool(client, "recall", { prompt: PROMPT })).text),
  "the prompt of the MCP server": (root) =>
    withServer(root, async (client) =>
      JSON.stringify((await client.getPrompt({ name: "start-session", arguments: { task: PROMPT } })).messages),
    ),
  "the hook": (root) => hook(root, { answerQuickly }),
  "the hook with an index brought up to date": (root) =>
    hook(root, {
      answerQuickly: (...[locations, event, parts]: Parameters<typeof answerQuickly>) => {
        // Without the end that the process of a hook sets itself: this one is the test's.
        const workspace = openWorkspace(locations);
        answerFromNotes({ ...parts, locations, workspace, verify: verifierOf(workspace) }, event);
        workspace.close();
        return true;
      },
    }),
  "the library": (root) => withMemory(root, (memory) => memory.recall(PROMPT).text),
  "the AI SDK": (root) =>
    withMemory(root, async (memory) => {
      const model = new MockLanguageModelV3({
        doGenerate: async () => ({
          content: [{ type: "text", text: "Done." }],
          finishReason: { unified: "stop", raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        }),
      });
      const middleware = memoryMiddleware({ memory, capture: false });
      await generateText({ model: wrapLanguageModel({ model, middleware }), prompt: PROMPT });
      return JSON.stringify(model.doGenerateCalls[0]?.prompt);
    }),
};

/** What is said of the last recall, without what differs from one to the next: its time, its session, its form of words. */
async function why(root: string): Promise<unknown> {
  const { out } = await cli(["why", "--last", "--json"], { cwd: root, environment: emptyHome(root) });
  const explained = JSON.parse(out);
  return { ...explained, loggedAt: "", session: "", ms: explained.ms > 0, characters: explained.characters > 0 };
}

/** How often each note was shown, as the log of use says. */
function shownIn(root: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, bytes] of filesBelow(root))
    for (const line of name.endsWith("usage.jsonl") ? bytes.toString("utf8").split("\n").filter(Boolean) : [])
      for (const file of JSON.parse(line).files ?? []) counts[file] = (counts[file] ?? 0) + 1;
  return counts;
}

describe("a recall, whoever asks", () => {
  it.each(Object.entries(SURFACES))("is chosen, checked, counted and explained alike: %s", async (_name, ask) => {
    const root = await project();
    const text = await ask(root);
    expect(text).toContain("never mocks");
    expect(text).toContain("gone: src/container.ts");
    expect(shownIn(root)).toEqual({ "feedback_no_mocks.md": 1 });
    expect(await why(root)).toMatchObject({
      verdict: "shown",
      prompt: PROMPT,
      scopes: [{ scope: "project", notes: 2 }],
      candidates: [{ scope: "project", file: "feedback_no_mocks.md", fate: "shown" }],
      by: "rules",
      ms: true,
      characters: true,
    });
  });

  it("says the same of each in every figure", async () => {
    const explained: unknown[] = [];
    for (const ask of Object.values(SURFACES)) {
      const root = await project();
      await ask(root);
      explained.push(await why(root));
    }
    expect(explained).toEqual(explained.map(() => explained[0]));
  });
});
