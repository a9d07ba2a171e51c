import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { stripInjected } from "../../core/transcripts/injected.ts";
import type { ToolCall, Transcript, Turn } from "../../core/transcripts/turn.ts";

/**
 * A conversation that a program hands over: the library's `Transcript` as one JSON document. `session` and `turns` with
 * `role` and `text` are needed; the rest has defaults. What memory put into a turn is nobody's words and is left out.
 * @throws MemoryError `invalid-input` with the first field that is wrong.
 */
export function readGivenTranscript(text: string): Transcript {
  const value = parseJson(text);
  if (!isRecord(value)) throw wrong("it is not one JSON object");
  const { turns, toolTexts = [] } = value;
  if (!Array.isArray(turns)) throw wrong("`turns` is not a list");
  if (!isTexts(toolTexts)) throw wrong("`toolTexts` is not a list of texts");
  return {
    agent: optional(value, "agent") ?? "program",
    session: optional(value, "session") ?? missing("session"),
    cwd: optional(value, "cwd"),
    turns: turnsIn(turns).filter(({ text: said }) => said !== ""),
    toolTexts,
    problems: [],
  };
}

/** A conversation without what memory, hooks and clients put into its turns: that is nobody's words. */
export function asSaid(given: Transcript): Transcript {
  const turns = given.turns.map((turn) => ({ ...turn, text: stripInjected(turn.text) }));
  return { ...given, turns: turns.filter(({ text, toolCalls }) => text !== "" || toolCalls.length > 0) };
}

/** A turn without an id is named after all that was said up to it: the same words later in a session are another turn. */
function turnsIn(values: readonly unknown[]): readonly Turn[] {
  let said = "";
  return values.map((value, index) => {
    const turn = turnAt(value, index);
    said = sha256(`${said}\n${turn.role}\n${turn.text}`).slice(0, 12);
    return turn.id === "" ? { ...turn, id: `m${index}-${said}` } : turn;
  });
}

function turnAt(value: unknown, index: number): Turn {
  const at = `turns[${index}]`;
  if (!isRecord(value)) throw wrong(`\`${at}\` is not an object`);
  const { role, text, toolCalls = [] } = value;
  if (role !== "user" && role !== "assistant") throw wrong(`\`${at}.role\` is neither "user" nor "assistant"`);
  if (typeof text !== "string") throw wrong(`\`${at}.text\` is not a text`);
  if (!Array.isArray(toolCalls)) throw wrong(`\`${at}.toolCalls\` is not a list`);
  return {
    role,
    text: stripInjected(text),
    id: optional(value, "id", at) ?? "",
    time: optional(value, "time", at),
    toolCalls: toolCalls.flatMap((call: unknown): ToolCall[] =>
      isRecord(call) && typeof call["name"] === "string"
        ? [{ id: String(call["id"] ?? ""), name: call["name"], input: call["input"] }]
        : [],
    ),
  };
}

function optional(value: Readonly<Record<string, unknown>>, name: string, of?: string): string | undefined {
  const found = value[name] ?? undefined;
  if (found === undefined || typeof found === "string") return found === "" ? undefined : found;
  throw wrong(`\`${of === undefined ? "" : `${of}.`}${name}\` is not a text`);
}

function missing(name: string): never {
  throw wrong(`\`${name}\` is missing`);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function wrong(what: string): MemoryError {
  return new MemoryError(
    "invalid-input",
    `this is no turn: ${what}; give {"session": "…", "turns": [{"role": "user", "text": "…"}]}`,
  );
}
