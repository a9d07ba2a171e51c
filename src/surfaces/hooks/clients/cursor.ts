import { safeId } from "../../../core/shared/redact.ts";
import { baseOf, type HappenedEvent, type HookClient, type JsonRecord, textOf } from "../event.ts";

/**
 * Cursor, written from documentation: `{"hook_event_name": "sessionStart" | "beforeSubmitPrompt" | …, "conversation_id",
 * "generation_id", "workspace_roots", "prompt"?}`; it takes `additional_context`, and `continue` before a prompt.
 */
export const cursor: HookClient = {
  name: "cursor",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read(input) {
    const happened = happenedIn(input);
    if (happened === undefined) return undefined;
    const base = baseOf(input);
    const turn = textOf(input, "generation_id");
    return {
      ...base,
      ...happened,
      session: safeId(textOf(input, "conversation_id") ?? textOf(input, "session_id") ?? ""),
      cwd: base.cwd ?? firstRoot(input),
      transcript: undefined,
      turn: turn === undefined ? undefined : safeId(turn),
    };
  },
  write(event, { context }) {
    const said = context === undefined || context === "" ? {} : { additional_context: context };
    if (event.kind === "prompt") return JSON.stringify({ continue: true, ...said });
    return Object.keys(said).length === 0 ? "" : JSON.stringify(said);
  },
};

/** Whether it is Cursor that says so. */
export function isOfCursor(input: JsonRecord): boolean {
  return happenedIn(input) !== undefined;
}

function happenedIn(input: JsonRecord): HappenedEvent | undefined {
  switch (input["hook_event_name"]) {
    case "sessionStart":
      return { kind: "session-start", source: "startup" };
    case "beforeSubmitPrompt":
      return { kind: "prompt", prompt: textOf(input, "prompt") ?? "" };
    default:
      return undefined;
  }
}

function firstRoot(input: JsonRecord): string | undefined {
  const roots = input["workspace_roots"];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof root === "string" && root !== "" ? root : undefined;
}
