import { startIn, withQuestion } from "../claude-shape.ts";
import { baseOf, type HappenedEvent, type HookClient, type JsonRecord, textOf } from "../event.ts";

/**
 * Gemini CLI (0.61.0). A tool call can be stopped before it runs; context for the agent is accepted only afterwards.
 * PreCompress fires before every model request and means nothing, so it is ignored. When headless, SessionStart output
 * is put before the user's prompt; a resumed session then lacks that prompt, because it drops anything that begins with
 * a hook's context. So the start is sent with the prompt, as a separate part.
 */
export const gemini: HookClient = {
  name: "gemini",
  showsIndex: false,
  startsAt: "prompt",
  takesContext: "after",
  read(input) {
    const happened = happenedIn(input);
    return happened === undefined ? undefined : { ...baseOf(input), ...happened };
  },
  write(event, { context, decision, notice }) {
    const takesContext = event.kind === "session-start" || event.kind === "prompt" || event.kind === "after-tool";
    const output = {
      ...(decision !== undefined && { decision: "deny", reason: withQuestion(decision) }),
      ...(takesContext &&
        context !== undefined &&
        context !== "" && { hookSpecificOutput: { hookEventName: EVENTS[event.kind], additionalContext: context } }),
      ...(notice !== undefined && { systemMessage: notice }),
    };
    return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
  },
};

const EVENTS = { "session-start": "SessionStart", prompt: "BeforeAgent", "after-tool": "AfterTool" } as const;

function happenedIn(input: JsonRecord): HappenedEvent | undefined {
  const call = { tool: textOf(input, "tool_name") ?? "", input: input["tool_input"] };
  switch (input["hook_event_name"]) {
    case "SessionStart":
      return startIn(input);
    case "BeforeAgent":
      return { kind: "prompt", prompt: withoutContext(textOf(input, "prompt") ?? "") };
    case "BeforeTool":
      return { kind: "before-tool", ...call };
    case "AfterTool":
      return { kind: "after-tool", ...call };
    case "AfterAgent":
      return { kind: "turn-end" };
    case "SessionEnd":
      return { kind: "session-end" };
    default:
      return undefined;
  }
}

const CONTEXT_END = "</hook_context>";

/** When headless, Gemini CLI puts SessionStart output before the prompt's own words. */
function withoutContext(prompt: string): string {
  let rest = prompt;
  for (let end = 0; rest.startsWith("<hook_context>") && end !== -1;) {
    end = rest.indexOf(CONTEXT_END);
    if (end !== -1) rest = rest.slice(end + CONTEXT_END.length).trimStart();
  }
  return rest;
}
