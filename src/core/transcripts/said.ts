import {
  type JsonObject,
  type TranscriptFormat,
  type TranscriptReader,
  parseLine,
  textsIn,
  objectsOf,
  stringOf,
  type ToolCall,
  type ToolResult,
  type Transcript,
  type Turn,
} from "./turn.ts";

/** Blocks inside user text that the user did not type: reminders, hook output, recalled memory, editor state. */
const INJECTED = [
  "system-reminder",
  "hook_context",
  "memdir-context",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "local-command-stdout",
  "local-command-stderr",
  "task-notification",
  "environment_context",
  "user_instructions",
  "turn_aborted",
  "hook_prompt",
  "session_context",
  "loaded_context",
  "subagent_notification",
  "permissions instructions",
  "skills_instructions",
];
// An unclosed block runs to the end of the text: losing words is better than taking a machine's for the user's.
const INJECTED_BLOCK = new RegExp(`<(${INJECTED.join("|")})(?:\\s[^>]*)?>[\\s\\S]*?(?:</\\1\\s*>|$)`, "giu");
// The form of memdir's own block in clients that escape hook output.
const ESCAPED_BLOCK =
  /&lt;memdir-context(?:\s(?:(?!&gt;)[^>])*)?(?:&gt;|>)[\s\S]*?(?:&lt;\/memdir-context\s*(?:&gt;|>)|$)/giu;
// Blocks of other memory and context tools, matched by name; stripped only when closed.
const CONTEXT_BLOCK =
  /<([\w-]*(?:memory|memories|recalled|recall|reminder|context)[\w-]*)(?:\s[^>]*)?>[\s\S]*?<\/\1\s*>/giu;
// Codex's project instructions, with the heading; in capitals only, because people write `<instructions>` themselves.
const AGENTS_FILE =
  /(?:^[ \t]*# AGENTS\.md instructions[^\n]*\n\s*)?<INSTRUCTIONS>[\s\S]*?(?:<\/INSTRUCTIONS>|$(?![\s\S]))/gmu;
// Gemini CLI's replacement for `@file`.
const REFERENCED_FILES = /^--- Content from referenced files ---[\s\S]*?(?:^--- End of content ---|$(?![\s\S]))/gmu;
const INTERRUPTED = /^[ \t]*\[Request interrupted by user[^\]\n]*\][ \t]*$/gmu;

/** The text without insertions by memory, hooks, editors and clients. */
export function stripInjected(text: string): string {
  let stripped = text;
  // Blocks may be nested; each round removes one level, and the text only gets shorter.
  for (let previous = ""; previous !== stripped;) {
    previous = stripped;
    stripped = stripped
      .replace(AGENTS_FILE, "\n")
      .replace(REFERENCED_FILES, "\n")
      .replace(INJECTED_BLOCK, "\n")
      .replace(ESCAPED_BLOCK, "\n")
      .replace(CONTEXT_BLOCK, "\n");
  }
  return stripped.replace(INTERRUPTED, "").trim();
}

/** `you` is the user. */
export type Speaker = "you" | "agent" | "tool";

/** One utterance in a session. Text from hooks, memory, instructions or the client itself is never one. */
export interface Said {
  readonly speaker: Speaker;
  readonly text: string;
  /** Set if the agent called a tool; the text is then empty. */
  readonly call?: ToolCall;
  /** Set if a tool answered a call of another line. */
  readonly answers?: { readonly call: string; readonly result: ToolResult };
  /** The user interrupted: the agent's message in this line, or else the last one before it, is unfinished. */
  readonly interrupts?: true;
}

/** The content of one transcript line, under its message's id: a later line with the same id replaces it. */
export interface SaidLine {
  readonly id: string | undefined;
  /** ISO time. */
  readonly time: string | undefined;
  readonly said: readonly Said[];
}

/** Parses one line of a client's transcript; never throws. */
export type SaidInLine = (record: JsonObject) => readonly SaidLine[];

/** The text that `search` searches, including a tool's name and arguments. */
export function searchableText({ text, call }: Said): string {
  return call === undefined ? text : [call.name, ...textsIn(call.input)].join("\n");
}

export interface Header {
  /** Set if the format is shared by several clients. */
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly cwd?: string | undefined;
  /** The "user" of this session is another agent: none of its words are a person's. */
  readonly isSubagent?: boolean;
}

export interface LineFormat {
  readonly agent: string;
  readonly recognises: TranscriptFormat["recognises"];
  readonly said: SaidInLine;
  /** What a line says about the whole session. */
  readonly header: (record: JsonObject) => Header;
}

/** A format whose lines can be parsed one by one. */
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

/** Adds what only later lines revealed. */
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

/**
 * A conversation handed over by a program, as stored for capture: a header line, then one line per turn, then one per
 * tool text. memdir writes and reads this format.
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

/** The same conversation with `mask` applied to every text. */
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
