import { type JsonObject, type TranscriptFormat, type TranscriptReader, parseLine, textsIn } from "./format.ts";
import type { ToolCall, ToolResult, Transcript, Turn } from "./turn.ts";

/** `you` is the person. */
export type Speaker = "you" | "agent" | "tool";

/** One thing that was said in a session. What nobody said (hooks, memory, instructions, the client) is never one. */
export interface Said {
  readonly speaker: Speaker;
  readonly text: string;
  /** Set where the agent called a tool; the text is empty then. */
  readonly call?: ToolCall;
  /** Set where a tool answered a call of another line. */
  readonly answers?: { readonly call: string; readonly result: ToolResult };
  /** The person broke in: the agent's message in this line, or else the last one before it, is not finished. */
  readonly interrupts?: true;
}

/** What one line of a transcript says, under the id of its message: a later line with that id replaces it. */
export interface SaidLine {
  readonly id: string | undefined;
  /** ISO time. */
  readonly time: string | undefined;
  readonly said: readonly Said[];
}

/** How lines of one client are understood one by one; never throws. */
export type SaidInLine = (record: JsonObject) => readonly SaidLine[];

/** What `search` looks at: a tool's name and its arguments are text too. */
export function searchableText({ text, call }: Said): string {
  return call === undefined ? text : [call.name, ...textsIn(call.input)].join("\n");
}

export interface Header {
  /** Where a format is not one client's. */
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly cwd?: string | undefined;
  /** The "person" of this session is another agent: nothing that it was told is a person's word. */
  readonly isSubagent?: boolean;
}

export interface LineFormat {
  readonly agent: string;
  readonly recognises: TranscriptFormat["recognises"];
  readonly said: SaidInLine;
  /** What a line tells of the session as a whole. */
  readonly header: (record: JsonObject) => Header;
}

/** A reader over a format whose lines can be understood one by one. */
export function formatOf({ agent, recognises, said, header }: LineFormat): TranscriptFormat {
  return { agent, recognises, open: () => openReader(agent, said, header) };
}

function openReader(agent: string, said: SaidInLine, header: LineFormat["header"]): TranscriptReader {
  const messages = new Map<string, { readonly turns: readonly Turn[]; readonly toolTexts: readonly string[] }>();
  const problems: { readonly line: number; readonly reason: string }[] = [];
  const results = new Map<string, ToolResult>();
  const interrupted = new Set<string>();
  let lastOfAgent: string | undefined;
  let session: string | undefined;
  let cwd: string | undefined;
  let isSubagent = false;
  let told: string | undefined;
  return {
    read(line, number) {
      const parsed = parseLine(line);
      if (parsed.problem !== undefined) problems.push({ line: number, reason: parsed.problem });
      if (!parsed.ok) return;
      const tells = header(parsed.record);
      told ??= tells.agent;
      session ??= tells.session;
      cwd ??= tells.cwd;
      isSubagent ||= tells.isSubagent === true;
      for (const one of said(parsed.record)) {
        const id = one.id ?? `line-${number}`;
        const turns = turnsOf(one, id, isSubagent);
        if (turns.some(({ role }) => role === "assistant")) lastOfAgent = id;
        for (const { answers, interrupts } of one.said) {
          if (answers !== undefined) results.set(answers.call, answers.result);
          if (interrupts === true && lastOfAgent !== undefined) interrupted.add(lastOfAgent);
        }
        messages.set(id, {
          turns,
          toolTexts: one.said.filter(({ speaker, text }) => speaker === "tool" && text !== "").map(({ text }) => text),
        });
      }
    },
    transcript(): Transcript {
      const all = [...messages.values()];
      return {
        agent: told ?? agent,
        session: session ?? "unknown",
        cwd,
        turns: all.flatMap(({ turns }) => turns.map((turn) => withResults(turn, results, interrupted))),
        toolTexts: all.flatMap(({ toolTexts }) => toolTexts),
        problems,
      };
    },
  };
}

/** What became known only by later lines. */
function withResults(turn: Turn, results: ReadonlyMap<string, ToolResult>, interrupted: ReadonlySet<string>): Turn {
  if (turn.role === "user") return turn;
  const toolCalls =
    results.size === 0
      ? turn.toolCalls
      : turn.toolCalls.map((call) => {
          const result = results.get(call.id);
          return result === undefined ? call : { ...call, result };
        });
  return { ...turn, toolCalls, ...(interrupted.has(turn.id) && { interrupted: true as const }) };
}

function turnsOf({ said, time }: SaidLine, id: string, isSubagent: boolean): readonly Turn[] {
  const of = (speaker: Speaker): string =>
    said
      .filter((one) => one.speaker === speaker && one.text !== "")
      .map(({ text }) => text)
      .join("\n\n");
  const user = isSubagent ? "" : of("you");
  const answer = of("agent");
  const toolCalls = said.flatMap(({ call }) => (call === undefined ? [] : [call]));
  return [
    ...(user === "" ? [] : [{ role: "user", id, text: user, time, toolCalls: [] } as const]),
    ...(answer === "" && toolCalls.length === 0
      ? []
      : [{ role: "assistant", id, text: answer, time, toolCalls } as const]),
  ];
}
