import { generateText, wrapLanguageModel } from "ai";
import { memoryMiddleware } from "memdir/ai-sdk";
import { ask, prompt, session, USAGE } from "./session.mjs";

const model = {
  specificationVersion: "v3",
  provider: "loopback",
  modelId: "fake",
  supportedUrls: {},
  doGenerate: async ({ prompt: messages }) => ({
    content: [{ type: "text", text: await ask(messages) }],
    finishReason: { unified: "stop", raw: undefined },
    usage: USAGE,
    warnings: [],
  }),
};

await session((memory) =>
  generateText({ model: wrapLanguageModel({ model, middleware: memoryMiddleware({ memory }) }), prompt }),
);
