import type { Program } from "./agents.ts";

/**
 * The extension for Pi (0.73), which has no MCP and no command hooks: it runs the library in Pi. Pi keeps the message
 * with the recalled notes, so each note is given once per session. If anything fails, the turn goes on.
 */
export function piExtension({ node, command }: Program): string {
  const library = command.replace(/[^\\/]*$/u, "index.js");
  return EXTENSION.replace("COMMAND_LIST", () => `[${[node, library].map((word) => JSON.stringify(word)).join(", ")}]`);
}

const EXTENSION = String.raw`// memdir for Pi, written by memdir install; memdir uninstall removes it. Edits are lost at the next install.
import { createRequire } from "node:module";

const COMMAND = COMMAND_LIST;

const text = (content) =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.filter((part) => part?.type === "text").map((part) => part.text).join("\n")
      : "";

export default function (pi) {
  let memory;
  let writing = Promise.resolve(); // a run with -p shuts down without waiting for agent_end
  const open = (cwd) => (memory ??= createRequire(import.meta.url)(COMMAND[1]).openMemory({ cwd }));
  const session = (ctx) => ctx.sessionManager.getSessionId();
  const told = (error) => process.emitWarning("memory was left out: " + error.message, "MemdirWarning");

  pi.on("before_agent_start", async (event, ctx) => {
    try {
      const found = open(ctx.cwd).recall(event.prompt, { session: session(ctx) });
      return found.text === "" ? undefined : { message: { customType: "memdir", content: found.text, display: false } };
    } catch (error) {
      told(error);
      return undefined;
    }
  });
  pi.on("agent_end", async (event, ctx) => {
    const spoken = (one) => (one.role === "user" || one.role === "assistant") && text(one.content) !== "";
    const turns = event.messages.filter(spoken).map((one, at) => ({
      role: one.role,
      id: one.role + "-" + (one.timestamp ?? at),
      text: text(one.content),
      time: typeof one.timestamp === "number" ? new Date(one.timestamp).toISOString() : undefined,
      toolCalls: [],
    }));
    const toolTexts = event.messages.filter((one) => one.role === "toolResult").map((one) => text(one.content));
    const conversation = { agent: "pi", session: session(ctx), cwd: ctx.cwd, turns, toolTexts, problems: [] };
    writing = (async () => open(ctx.cwd).capture(conversation, { automatic: true }))().catch(told);
    await writing;
  });
  pi.on("session_shutdown", async () => {
    await writing;
    await memory?.close();
    memory = undefined;
  });
  pi.registerTool({
    name: "recall",
    label: "Recall",
    description: "Notes of earlier sessions that help with a question or a task.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    async execute(_id, { query }, _signal, _update, ctx) {
      return { content: [{ type: "text", text: open(ctx.cwd).recall(query).text || "No note is sure to help." }], details: {} };
    },
  });
  pi.registerTool({
    name: "remember",
    label: "Remember",
    description: "Saves one thing that will matter in later sessions: a preference, a decision, a fact with its reason.",
    parameters: {
      type: "object",
      properties: { text: { type: "string" }, type: { type: "string", enum: ["user", "feedback", "project", "reference"] } },
      required: ["text"],
    },
    async execute(_id, { text: body, type = "project" }, _signal, _update, ctx) {
      const saved = await open(ctx.cwd).remember({ type, body });
      return { content: [{ type: "text", text: saved.outcome === "refused" ? saved.message : saved.outcome }], details: {} };
    },
  });
}
`;
