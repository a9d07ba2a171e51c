/**
 * A whole agent in one loop: it recalls before it thinks, works in steps, and captures what was said when it is done.
 * `model` is memdir's Model port, so a scripted one, a server's or one of yours all do.
 */
const MOST_STEPS = 8;

/** What the model answers at each step: one tool to call, or the last word. */
const STEP = {
  type: "object",
  properties: {
    tool: { type: "string", enum: ["none", "list_files", "read_file"] },
    argument: { type: "string" },
    say: { type: "string" },
  },
  required: ["tool", "argument", "say"],
  additionalProperties: false,
};

const SYSTEM =
  "You help with the project in the current directory. Answer each step with one tool to call, or with tool none and what you have to say.";

/**
 * @param {{ memory: import("memdir").Memory, model: import("memdir").Model, tools: Record<string, (argument: string) => Promise<string>>, session: string }} agent
 * @param {string} prompt
 * @returns {Promise<{ said: string, recalled: string, captured: readonly string[] }>}
 */
export async function runAgent({ memory, model, tools, session }, prompt) {
  const recalled = memory.recall(prompt, { session }).text;
  const messages = [{ role: "user", text: recalled === "" ? prompt : `${recalled}\n\n${prompt}` }];
  const turns = [{ role: "user", id: `${session}-1`, text: prompt, time: new Date().toISOString(), toolCalls: [] }];
  const toolTexts = [];
  let said = "";
  for (let step = 1; step <= MOST_STEPS && said === ""; step++) {
    const { tool, argument, say } = await ask(model, messages);
    if (tool === "none") {
      said = say;
      break;
    }
    const result = (await tools[tool]?.(argument)) ?? `there is no tool ${tool}`;
    toolTexts.push(result);
    messages.push(
      { role: "assistant", text: JSON.stringify({ tool, argument, say }) },
      { role: "user", text: `The result of ${tool}:\n${result}` },
    );
  }
  turns.push({ role: "assistant", id: `${session}-2`, text: said, time: new Date().toISOString(), toolCalls: [] });
  // Only what the person typed counts; what tools returned is passed along so that nobody takes it for their words.
  const conversation = { agent: "example", session, cwd: undefined, turns, toolTexts, problems: [] };
  // Nobody asked for it, so the person's mode decides what comes of it.
  const { notes } = await memory.capture(conversation, { automatic: true });
  return { said, recalled, captured: notes.map(({ name }) => name) };
}

async function ask(model, messages) {
  const result = await model.ask({
    purpose: "agent",
    system: SYSTEM,
    messages,
    schema: STEP,
    schemaName: "step",
    maxOutputTokens: 1000,
    timeoutMs: 60_000,
  });
  if (result.kind !== "answer") throw new Error(`the model gave no answer (${result.kind}): ${result.reason}`);
  return result.value;
}
