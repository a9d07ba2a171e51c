import { createServer } from "node:http";
import { record } from "../../src/core/shared/json.ts";

export interface MemoryToolModel {
  readonly url: string;
  /** Messages and tools of each request. */
  readonly seen: readonly string[];
  close(): void;
}

/** A model that makes the given calls of the memory tool, one per request, and then says that it is done. */
export async function memoryToolModel(calls: readonly object[]): Promise<MemoryToolModel> {
  const seen: string[] = [];
  let made = 0;
  const listening = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { messages, tools } = record(JSON.parse(Buffer.concat(parts).toString()));
      seen.push(JSON.stringify({ messages, tools }));
      const call = calls[made];
      made += 1;
      const content =
        call === undefined
          ? [{ type: "text", text: "Done." }]
          : [{ type: "tool_use", id: `toolu_${made}`, name: "memory", input: call }];
      const stop_reason = call === undefined ? "end_turn" : "tool_use";
      const usage = { input_tokens: 1, output_tokens: 1 };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          id: `msg_${made}`,
          type: "message",
          role: "assistant",
          model: "m",
          content,
          stop_reason,
          usage,
        }),
      );
    });
  });
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  const address = listening.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    seen,
    close: () => void listening.close(),
  };
}
