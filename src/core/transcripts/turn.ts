/** A tool call that an assistant message made. Inputs are kept as the agent wrote them. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** What came of it, where the client recorded that. */
  readonly result?: ToolResult;
}

/** The result of one call, its output bounded. */
export interface ToolResult {
  /** `rejected`: a person or a guard did not allow it. `unknown`: there is output, but nothing says how it ended. */
  readonly status: "ok" | "failed" | "rejected" | "unknown";
  /** The first 500 characters, and of what follows them the last 1,500. */
  readonly head: string;
  readonly tail: string;
}

/**
 * One message that a person typed or a model answered. Text from tools, hooks, attachments, recalled
 * memory and the client itself is not here: it was never said by either of them.
 */
export interface Turn {
  readonly role: "user" | "assistant";
  /** The message's own id in the transcript: what evidence points at. */
  readonly id: string;
  readonly text: string;
  /** ISO time, where the transcript has one. */
  readonly time: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  /** What the person chose where a tool of the client's asked; `text` is empty then: the words are the agent's. */
  readonly answers?: readonly Answer[];
  /** The person broke in while the agent was at it. */
  readonly interrupted?: true;
}

export interface Answer {
  readonly question: string;
  /** The chosen option, or what the person typed in place of one. */
  readonly answer: string;
  readonly options: readonly string[];
}

/** One session of any agent, in the order it was said. */
export interface Transcript {
  readonly agent: string;
  readonly session: string;
  readonly cwd: string | undefined;
  readonly turns: readonly Turn[];
  /** Text that tools returned, for the gate that tells whose words a sentence was. */
  readonly toolTexts: readonly string[];
  /** Ids of tool calls that failed, where the client says so; a call that the person would not allow is none. */
  readonly failedCalls?: readonly string[];
  /** Lines that could not be read: 1-based numbers and why. Never fatal. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[];
}
