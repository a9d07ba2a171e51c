import type { JsonObject, TranscriptFormat, TranscriptReader } from "./format.ts";
import { parseLine, textsIn } from "./record.ts";
import type { ToolCall, Transcript, Turn } from "./turn.ts";

/** `you` is the person. */
export type Speaker = "you" | "agent" | "tool";

/** One thing that was said in a session. What nobody said (hooks, memory, instructions, the client) is never one. */
export interface Said {
  readonly speaker: Speaker;
  readonly text: string;
  /** Set where the agent called a tool; the text is empty then. */
  readonly call?: ToolCall;
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
        messages.set(id, {
          turns: turnsOf(one, id, isSubagent),
          toolTexts: one.said.filter(({ speaker }) => speaker === "tool").map(({ text }) => text),
        });
      }
    },
    transcript(): Transcript {
      const all = [...messages.values()];
      return {
        agent: told ?? agent,
        session: session ?? "unknown",
        cwd,
        turns: all.flatMap(({ turns }) => turns),
        toolTexts: all.flatMap(({ toolTexts }) => toolTexts),
        problems,
      };
    },
  };
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
