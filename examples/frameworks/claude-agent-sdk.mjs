/**
 * memdir as hooks of the Claude Agent SDK (`@anthropic-ai/claude-agent-sdk` 0.3), for programs that run Claude Code
 * without the person's settings (`settingSources: []`). Where those are loaded, `memdir install claude-code` does all of
 * this: use one of them, never both.
 *
 * ```js
 * const memory = openMemory();
 * query({ prompt, options: { settingSources: [], hooks: memdirHooks(memory) } });
 * ```
 */

/** What Claude Code takes whole from one hook. */
const MOST_CHARACTERS = 9_500;

/** @param {import("memdir").Memory} memory yours to close */
export function memdirHooks(memory, { onError = console.warn } = {}) {
  /** What the person said in each session: when it stops, its transcript need not be on the disk yet. */
  const said = new Map();
  const hook = (work) => [{ hooks: [async (input) => (await safely(work, input, onError)) ?? {}] }];
  return {
    SessionStart: hook(() => {
      const context = memory.context().map(({ text }) => text);
      return given("SessionStart", context.join("\n\n").slice(0, MOST_CHARACTERS));
    }),
    UserPromptSubmit: hook(({ session_id: session, prompt }) => {
      said.set(session, [...(said.get(session) ?? []), prompt]);
      return given("UserPromptSubmit", memory.recall(prompt, { session }).text);
    }),
    Stop: hook(async ({ session_id: session, cwd, last_assistant_message: answer }) => {
      const turns = (said.get(session) ?? []).map((text, at) => turn("user", `${at}`, text));
      if (answer) turns.push(turn("assistant", `${turns.length}`, answer));
      const conversation = { agent: "claude-agent-sdk", session, cwd, turns, toolTexts: [], problems: [] };
      // Nobody asked for it, so the person's mode decides what comes of it.
      await memory.capture(conversation, { automatic: true });
    }),
  };
}

/** A memory that fails never stops the agent. */
async function safely(work, input, onError) {
  try {
    return await work(input);
  } catch (error) {
    onError(error);
    return undefined;
  }
}

function given(hookEventName, additionalContext) {
  return additionalContext === "" ? undefined : { hookSpecificOutput: { hookEventName, additionalContext } };
}

function turn(role, id, text) {
  return { role, id, text, time: undefined, toolCalls: [] };
}
