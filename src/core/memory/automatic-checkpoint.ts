import type { AutomaticKind, Checkpoint, SectionName } from "../checkpoints/checkpoint.ts";
import { type Digest, digestOf, type Todo } from "../session-notes/digest.ts";
import { notesByRules, type Words } from "../session-notes/rules.ts";
import { oneLine, truncate } from "../shared/text.ts";
import type { Transcript } from "../transcripts/turn.ts";

/** What a session did, as far as rules can tell. */
export interface SessionState {
  readonly sections: Readonly<Partial<Record<SectionName, string>>>;
  /** ISO time of its first message. */
  readonly began: string | undefined;
  /** Files were edited, or a list of to-dos was kept. */
  readonly isWork: boolean;
  readonly hasRunCommands: boolean;
  /** It saved or restored a checkpoint itself. */
  readonly usesCheckpoints: boolean;
}

const SHOWN = { goal: 600, todo: 200, command: 160, words: 500 } as const;
const MOST_TODOS = 30;
const RULED = ["worklog", "next-steps", "decisions"] as const;

/** Goal, plan, done, next, decisions and open questions of a session, by rules: what the transcript shows, nothing concluded. */
export async function sessionState(transcript: Transcript, kind: AutomaticKind, words: Words): Promise<SessionState> {
  const digest = digestOf(transcript);
  const shown = async (text: string, characters: number): Promise<string> => truncate(await words.clean(text), characters);
  const ruled = await notesByRules(transcript, RULED.map((id) => ({ id, title: id, guidance: "" })), words);
  const text = (id: (typeof RULED)[number]): string => ruled.find((section) => section.id === id)?.text ?? "";
  const asks = await Promise.all(digest.steps.map(({ ask }) => shown(words.gist(ask), SHOWN.goal)));
  const sections = {
    goal: asks.find((ask) => ask !== "") ?? "",
    plan: (await Promise.all(digest.todos.slice(0, MOST_TODOS).map(async (todo) => `- ${MARKS[todo.state]} ${await shown(todo.text, SHOWN.todo)}`))).join("\n"),
    done: lines(text("worklog"), await saidLast(digest, shown)),
    next: text("next-steps") === "" && kind === "before-compaction" ? `- Go on with: ${asks.findLast((ask) => ask !== "") ?? ""}` : text("next-steps"),
    decisions: text("decisions"),
    questions: await questions(digest, shown),
  };
  const calls = transcript.turns.flatMap(({ toolCalls }) => toolCalls);
  return {
    sections,
    began: transcript.turns.find(({ time }) => time !== undefined)?.time,
    isWork: digest.edited.size + digest.todos.length > 0,
    hasRunCommands: digest.steps.some(({ commands }) => commands > 0),
    usesCheckpoints: calls.some(({ input }) => input !== undefined && USES.test(JSON.stringify(input))),
  };
}

const MARKS: Readonly<Record<Todo["state"], string>> = { open: "[ ]", doing: "[in progress]", done: "[x]" };
/** In a command line, or as what the MCP server's `read` is asked for. */
const USES = /\bcheckpoint (?:save|restore)\b|"checkpoint:/u;

type Shown = (text: string, characters: number) => Promise<string>;

async function saidLast({ lastWords, isAnswered }: Digest, shown: Shown): Promise<string> {
  const words = await shown(lastWords, SHOWN.words);
  return words === "" ? "" : `- ${isAnswered ? "The agent last said" : "Before the last request the agent said"}: ${words}`;
}

async function questions({ failures, lastWords, isAnswered }: Digest, shown: Shown): Promise<string> {
  const open = failures.filter(({ passedLater }) => !passedLater).slice(-MOST_FAILURES);
  const failed = await Promise.all(open.map(async ({ command }) => `- \`${await shown(command, SHOWN.command)}\` failed when last run`));
  const asked = isAnswered ? (/[^.!?\n]+\?\s*$/u.exec(lastWords)?.[0] ?? "").trim() : "";
  const question = await shown(asked, SHOWN.words);
  return lines(...failed, question === "" ? "" : `- The agent asked: ${question}`);
}

const MOST_FAILURES = 5;

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

/** A task that is handed on from session to session keeps so much of what was done, the newest (characters). */
const DONE_CHARACTERS = 6_000;

/** The state of a task that went on in this session: what was said of it before holds, and what was done is added. */
export function goneOn({ sections: before }: Pick<Checkpoint, "sections">, { sections }: Pick<SessionState, "sections">): SessionState["sections"] {
  return {
    ...before,
    plan: nonEmpty(before.plan, sections.plan),
    done: newest(joined(before.done, sections.done), DONE_CHARACTERS),
    next: nonEmpty(sections.next, before.next),
    decisions: joined(before.decisions, sections.decisions),
    questions: joined(before.questions, sections.questions),
  };
}

/** Each line once. */
function joined(...texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.flatMap((text) => (text ?? "").trim().split("\n")))].filter((line) => line.trim() !== "").join("\n");
}

function newest(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(text.indexOf("\n", text.length - characters) + 1);
}

function nonEmpty(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== "") ?? "";
}

/** Whether there is something to keep: work, or commands in a tree with uncommitted changes. */
export function isWorthKeeping({ isWork, hasRunCommands }: SessionState, hasUncommittedChanges: boolean, base: Checkpoint | undefined): boolean {
  return isWork || base !== undefined || (hasRunCommands && hasUncommittedChanges);
}

/** A task without a name is called by its goal's first words. */
export function taskName(sections: SessionState["sections"]): string {
  return truncate(oneLine(sections.goal ?? "") || oneLine(sections.next ?? "") || "task", 50, "");
}
