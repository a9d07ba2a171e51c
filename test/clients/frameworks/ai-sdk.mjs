import { readFileSync } from "node:fs";
import { generateText, wrapLanguageModel } from "ai";
import { memoryMiddleware } from "memdir/ai-sdk";
import { ask, prompt, session, USAGE } from "./session.mjs";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.resolve("ai")), "utf8"));

const model = {
  specificationVersion: version.startsWith("6.") ? "v3" : "v4",
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
