import { Agent } from "@mastra/core/agent";
import { memdirProcessor } from "./example.mjs";
import { prompt, session } from "./session.mjs";

await session(async (memory, url) => {
  const processor = memdirProcessor(memory);
  const agent = new Agent({
    id: "helper",
    name: "helper",
    instructions: "Help.",
    model: { id: "loopback/fake", url: `${url}/v1`, apiKey: "none" },
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  const { textStream } = await agent.stream(prompt);
  for await (const part of textStream) process.stdout.write(part);
});
