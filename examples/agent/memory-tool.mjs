/**
 * node examples/agent/memory-tool.mjs PROMPT: an agent whose memory tool is the notes of this project. What it writes
 * in one run it reads in the next, and so does Claude Code in this project. Needs ANTHROPIC_API_KEY and
 * `npm install @anthropic-ai/sdk`; AGENT_MODEL says which model.
 */
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { openMemory } from "memdir";
import { memoryTool } from "memdir/anthropic";

const prompt = process.argv.slice(2).join(" ");
if (prompt === "") {
  process.stderr.write("usage: node memory-tool.mjs PROMPT\n");
  process.exit(2);
}
const memory = openMemory({ cwd: process.cwd(), model: "off" });
try {
  const answer = await new Anthropic().beta.messages.toolRunner({
    model: process.env.AGENT_MODEL ?? "claude-sonnet-4-5",
    max_tokens: 2000,
    max_iterations: 20,
    system: "Look into /memories first. Write down there, as Markdown, what will help next time.",
    messages: [{ role: "user", content: prompt }],
    tools: [betaMemoryTool(memoryTool({ memory }))],
  });
  process.stdout.write(`${answer.content.map((part) => (part.type === "text" ? part.text : "")).join("")}\n`);
} finally {
  memory.close();
}
