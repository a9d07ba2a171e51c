import { createMemory } from "llamaindex";
import { MemdirBlock } from "./example.mjs";
import { ask, prompt, session } from "./session.mjs";

await session(async (memory) => {
  const block = new MemdirBlock(memory);
  const chat = createMemory({ memoryBlocks: [block] });
  await chat.add({ role: "user", content: prompt });
  await chat.add({ role: "assistant", content: await ask(await chat.getLLM()) });
  await block.keep(await chat.get());
});
