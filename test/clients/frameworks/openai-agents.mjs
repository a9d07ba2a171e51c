import { Agent, Runner, Usage } from "@openai/agents-core";
import { memoryModel } from "memdir/openai-agents";
import { ask, prompt, session } from "./session.mjs";

const model = {
  getResponse: async ({ input }) => ({
    usage: new Usage(),
    output: [
      {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: await ask(typeof input === "string" ? [{ content: input }] : input) }],
      },
    ],
  }),
};

await session((memory) =>
  new Runner({ tracingDisabled: true }).run(
    new Agent({ name: "helper", model: memoryModel(model, { memory }) }),
    prompt,
  ),
);
