import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { stripInjected } from "../../core/transcripts/said.ts";
import type { ToolCall, Transcript, Turn } from "../../core/transcripts/turn.ts";
import type { DoubtReason, RefusalReason } from "../../core/capture/plan.ts";

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  secret: "it holds something that looks like a key or a password; those are never stored",
  "hidden-characters": "it holds characters that cannot be seen; nobody can check what they say",
  "not-the-users-words": "it was quoted, pasted, or said by the agent or a tool; only what you say yourself is noted",
  "recalled-text": "a note says it in the same words",
  duplicate: "a note says it already",
  derivable: "the repository or an instruction file says it already; what surprised you about it can be noted",
  ephemeral: "it holds for the moment only",
  "other-project": "it is about another project; say it there",
  "too-long": "it is too long for one wish; say it in a sentence or two",
  "no-evidence": "the model named no words of yours for it, or words that you did not say",
  unsupported: "the model added an address, a number or a name that nobody mentioned",
  "unknown-note": "the model meant a note that does not exist",
  "protected-note": "the note is pinned, so it is changed by you alone",
  "changed-meanwhile": "the note changed while the model was working",
  "mode-forbids": "the mode of its scope lets nothing be captured (`memdir mode`)",
  "never-like-this": "you said never to note such things (`memdir review --rules` lists that)",
  "rejected-before": "you rejected it before",
  "too-many": "the model wanted more notes than one conversation can hold",
};

const DOUBTS: Readonly<Record<DoubtReason, string>> = {
  "other-scope": "other projects or other people rely on it",
  "may-be-known": "a note may say it already, among other things",
};

/** Why something was not noted, as a clause. */
export function explainRefusal(reason: RefusalReason): string {
  return REFUSALS[reason];
}

/** Why something waits for the user. */
export function explainDoubt(reason: DoubtReason): string {
  return DOUBTS[reason];
}

/**
 * Reads a conversation that a program hands over: the library's `Transcript` as one JSON document. `session` is
 * required, and `turns` with `role` and `text`; the rest has defaults. Text that memory put into a turn is not the
 * user's and is left out.
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

/** A conversation without the text that memory, hooks and clients put into its turns: no one said that. */
export function asSaid(given: Transcript): Transcript {
  const turns = given.turns.map((turn) => ({ ...turn, text: stripInjected(turn.text) }));
  return { ...given, turns: turns.filter(({ text, toolCalls }) => text !== "" || toolCalls.length > 0) };
}

/** A turn without an id gets one from everything said up to it: the same words later are a different turn. */
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
    `this is not a turn: ${what}; give {"session": "…", "turns": [{"role": "user", "text": "…"}]}`,
  );
}
