import { openMemory } from "memdir";

/** One session of a program: what the person says, the memory of this directory, and the model on the loopback. */
export const prompt = process.argv[2];
const url = process.argv[3];

/** Sends the messages to the model, as OpenAI's chat completions, and gives back its answer. */
export async function ask(messages, tools = []) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "fake", messages, tools, stream: true }),
  });
  const text = await response.text();
  return [...text.matchAll(/"content":"([^"]*)"/gu)].map(([, said]) => said).join("");
}

/** Runs a session with the memory open, and closes it. */
export async function session(run) {
  const memory = openMemory();
  try {
    await run(memory, url);
  } finally {
    await memory.close();
  }
}

export const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
