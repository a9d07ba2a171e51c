import { query } from "@anthropic-ai/claude-agent-sdk";
import { memdirHooks } from "./example.mjs";
import { prompt, session } from "./session.mjs";

await session(async (memory, url) => {
  const env = {
    ...process.env,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  const messages = query({ prompt, options: { settingSources: [], hooks: memdirHooks(memory), env } });
  for await (const message of messages) if (message.type === "result") process.stdout.write(message.result ?? "");
});
