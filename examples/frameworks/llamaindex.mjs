import { BaseMemoryBlock } from "@llamaindex/core/memory";

/**
 * memdir as a memory block of LlamaIndex (`llamaindex` 0.12): what helps with the last question comes before the chat.
 * LlamaIndex hands a block messages only once its window is full, so the program captures a finished turn with `keep`.
 *
 * ```js
 * const block = new MemdirBlock(openMemory(), { session: "support-chat-17" });
 * const chat = createMemory({ memoryBlocks: [block] });
 * // after an answer:
 * await block.keep(await chat.get());
 * ```
 */
export class MemdirBlock extends BaseMemoryBlock {
  #memory;
  #session;
  #onError;

  /** @param {import("memdir").Memory} memory yours to close */
  constructor(memory, { session = `llamaindex-${crypto.randomUUID()}`, onError = console.warn, priority = 1 } = {}) {
    super({ id: "memdir", priority, isLongTerm: true });
    this.#memory = memory;
    this.#session = session;
    this.#onError = onError;
  }

  async get(messages = []) {
    const asked = messages.findLast(({ role }) => role === "user");
    try {
      const text = asked === undefined ? "" : this.#memory.recall(textOf(asked)).text;
      return text === "" ? [] : [{ id: "memdir", role: "memory", content: text }];
    } catch (error) {
      // A memory that fails never stops the model.
      this.#onError(error);
      return [];
    }
  }

  async put(messages) {
    await this.keep(messages);
  }

  /** Captures a conversation; what was captured before is not captured again. */
  async keep(messages) {
    const turns = messages
      .filter(({ role }) => role === "user" || role === "assistant")
      .map((message, at) => ({
        role: message.role,
        id: message.id ?? `${at}`,
        text: textOf(message),
        time: undefined,
        toolCalls: [],
      }));
    const conversation = {
      agent: "llamaindex",
      session: this.#session,
      cwd: undefined,
      turns,
      toolTexts: [],
      problems: [],
    };
    // Nobody asked for it, so the person's mode decides what comes of it.
    await this.#memory.capture(conversation, { automatic: true }).catch(this.#onError);
  }
}

function textOf({ content }) {
  return typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");
}
