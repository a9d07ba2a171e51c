import { type JsonObject, objectsOf, stringOf } from "./format.ts";
import { formatOf, type Said, type SaidLine } from "./said.ts";
import type { ToolCall, Transcript, Turn } from "./turn.ts";

/**
 * A conversation that a program handed over, as it waits for capture: a line that says whose it is, then a line a turn,
 * then a line a text of a tool. memdir writes and reads it.
 */
export const handedOverTranscripts = formatOf({
  agent: "program",
  recognises: ([first]) => first?.["type"] === MARK,
  said: saidIn,
  header: (record) =>
    record["type"] === MARK
      ? {
          agent: stringOf(record["agent"]),
          session: stringOf(record["session"]),
          cwd: stringOf(record["cwd"]),
        }
      : {},
});

const MARK = "memdir-conversation";

export function handedOverText({ agent, session, cwd, turns, toolTexts }: Transcript): string {
  const lines = [
    { type: MARK, agent, session, cwd },
    ...turns.map(({ role, id, text, time, toolCalls }) => ({ type: role, id, text, time, toolCalls })),
    ...toolTexts.map((text, index) => ({ type: "tool", id: `tool-${index}`, text })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const SPEAKERS: Readonly<Record<string, Said["speaker"]>> = { user: "you", assistant: "agent", tool: "tool" };

function saidIn(record: JsonObject): readonly SaidLine[] {
  const speaker = SPEAKERS[stringOf(record["type"]) ?? ""];
  if (speaker === undefined) return [];
  const text = stringOf(record["text"]);
  const calls = objectsOf(record["toolCalls"]).map((call): Said => ({
    speaker: "agent",
    text: "",
    call: callOf(call),
  }));
  const said = [...(text === undefined ? [] : [{ speaker, text }]), ...calls];
  return [{ id: stringOf(record["id"]), time: stringOf(record["time"]), said }];
}

function callOf(call: JsonObject): ToolCall {
  return { id: stringOf(call["id"]) ?? "", name: stringOf(call["name"]) ?? "", input: call["input"] };
}

/** The same conversation with every text as `mask` gives it back. */
export async function withTexts(given: Transcript, mask: (text: string) => Promise<string>): Promise<Transcript> {
  const turns: Turn[] = [];
  for (const turn of given.turns) {
    const toolCalls: ToolCall[] = [];
    for (const { id, name, input } of turn.toolCalls) toolCalls.push({ id, name, input: await masked(input, mask) });
    turns.push({ ...turn, text: await mask(turn.text), toolCalls });
  }
  const toolTexts: string[] = [];
  for (const text of given.toolTexts) toolTexts.push(await mask(text));
  return { ...given, turns, toolTexts };
}

async function masked(value: unknown, mask: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return Promise.all(value.map((one: unknown) => masked(one, mask)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, one]) => [key, await masked(one, mask)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
