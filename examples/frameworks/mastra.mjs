/**
 * memdir as a processor of Mastra (`@mastra/core` 1.71): recalls before the model is asked, captures when it has
 * answered. Nothing of it is stored in Mastra's threads.
 *
 * ```js
 * const memory = memdirProcessor(openMemory(), { session: "support-chat-17" });
 * new Agent({ …, inputProcessors: [memory], outputProcessors: [memory] });
 * ```
 */

/** @param {import("memdir").Memory} memory yours to close */
export function memdirProcessor(memory, { session = `mastra-${crypto.randomUUID()}`, onError = console.warn } = {}) {
  return {
    id: "memdir",
    name: "memdir",
    processInput({ messages, systemMessages }) {
      const text = textOf(messages.findLast(({ role }) => role === "user"));
      const found = text === "" ? "" : recalled(memory, text, onError);
      return found === ""
        ? { messages, systemMessages }
        : { messages, systemMessages: [...systemMessages, { role: "system", content: found }] };
    },
    async processOutputResult({ messages, messageList }) {
      const turns = messageList.get.all
        .db()
        .filter(({ role }) => role === "user" || role === "assistant")
        .map((message) => ({
          role: message.role,
          id: message.id,
          text: textOf(message),
          time: undefined,
          toolCalls: [],
        }));
      const conversation = { agent: "mastra", session, cwd: undefined, turns, toolTexts: [], problems: [] };
      // Nobody asked for it, so the person's mode decides what comes of it.
      await memory.capture(conversation, { automatic: true }).catch(onError);
      return messages;
    },
  };
}

/** A memory that fails never stops the model. */
function recalled(memory, prompt, onError) {
  try {
    return memory.recall(prompt).text;
  } catch (error) {
    onError(error);
    return "";
  }
}

function textOf(message) {
  const { parts, content } = typeof message?.content === "object" ? message.content : { content: message?.content };
  const texts = (parts ?? []).filter(({ type }) => type === "text").map(({ text }) => text);
  return texts.length > 0 ? texts.join("\n") : (content ?? "");
}
