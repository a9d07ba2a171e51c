import { counted, oneLine, truncate } from "../shared/text.ts";
import type { Transcript } from "../transcripts/turn.ts";
import { type Digest, digestOf, type Failure, type Step } from "./digest.ts";
import type { NotesSection, Template } from "./notes.ts";

/** Text functions that the rules need. */
export interface Words {
  /** Visible text in one line, secrets masked; empty when it reads like an order planted for an agent. */
  clean(text: string): Promise<string>;
  /** The part of a message that the user typed, without pastes; the whole message if that is hardly anything. */
  gist(message: string): string;
  /** Corrections and decisions in the user's sentences of a message. */
  judge(message: string): { readonly corrections: readonly string[]; readonly decisions: readonly string[] };
}

const SHOWN = { ask: 400, asked: 160, words: 500, command: 160, todo: 200, sentence: 300 } as const;
const MOST = {
  asks: 4,
  files: 30,
  reads: 15,
  names: 6,
  failures: 12,
  corrections: 8,
  decisions: 12,
  steps: 40,
  todos: 20,
} as const;

/** Sections about the present. Rules renew them when a model wrote the others and is not available. */
export const PRESENT_SECTIONS: ReadonlySet<string> = new Set([
  "current-state",
  "files-and-functions",
  "worklog",
  "next-steps",
]);

/** Fills the sections that need no model; the others stay empty. */
export async function notesByRules(
  transcript: Transcript,
  template: Template,
  words: Words,
): Promise<readonly NotesSection[]> {
  const told = digestOf(transcript);
  const digest = { ...told, steps: told.steps.map((step) => ({ ...step, ask: words.gist(step.ask) })) };
  const shown = async (text: string, characters: number): Promise<string> =>
    truncate(await words.clean(text), characters);
  const writers: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    "current-state": () => currentState(digest, shown),
    "task-and-goal": () => task(digest, shown),
    "files-and-functions": () => files(digest, shown),
    "errors-and-corrections": () => errors(digest, words, shown),
    decisions: () => decisions(digest, words, shown),
    worklog: () => worklog(digest, shown),
    "next-steps": () => nextSteps(digest, shown),
  };
  return Promise.all(
    template.map(async ({ id, title }): Promise<NotesSection> => ({
      id,
      title,
      text: ((await writers[id]?.()) ?? []).map((line) => `- ${line}`).join("\n"),
    })),
  );
}

type Shown = (text: string, characters: number) => Promise<string>;

async function currentState(
  { steps, todos, failures, lastWords, isAnswered }: Digest,
  shown: Shown,
): Promise<string[]> {
  const lines: string[] = [];
  const last = steps.at(-1);
  const ask = last === undefined ? "" : await shown(last.ask, SHOWN.ask);
  if (ask !== "") lines.push(`Last asked${at(last)}: ${ask}`);
  for (const todo of todos.filter(({ state }) => state === "doing").slice(0, 3))
    lines.push(`In progress: ${await shown(todo.text, SHOWN.todo)}`);
  for (const { command } of failures.filter(({ passedLater }) => !passedLater).slice(-2))
    lines.push(`Failed when last run: \`${await shown(command, SHOWN.command)}\``);
  const answer = await shown(lastWords, SHOWN.words);
  if (answer !== "")
    lines.push(`${isAnswered ? "The agent last said" : "Not answered yet; before that the agent said"}: ${answer}`);
  return lines;
}

async function task({ steps }: Digest, shown: Shown): Promise<string[]> {
  const [first, ...later] = steps;
  if (first === undefined) return [];
  const asks = await Promise.all(
    later
      .slice(0, -1)
      .slice(-(MOST.asks - 1))
      .map(async (step) => `Then asked${at(step)}: ${await shown(step.ask, SHOWN.ask)}`),
  );
  return [`First asked${at(first)}: ${await shown(first.ask, SHOWN.ask)}`, ...asks].filter(
    (line) => !line.endsWith(": "),
  );
}

async function files({ edited, read }: Digest, shown: Shown): Promise<string[]> {
  const changed = [...edited].toReversed();
  const lines = await Promise.all(
    changed.slice(0, MOST.files).map(async ([file, { times, names }]) => {
      const known = names.size === 0 ? "" : `: ${[...names].slice(-MOST.names).join(", ")}`;
      return `${await shown(file, SHOWN.command)}, edited ${times === 1 ? "once" : `${times} times`}${known}`;
    }),
  );
  if (changed.length > MOST.files) lines.push(`and ${changed.length - MOST.files} more files edited before`);
  const only = [...read].filter((file) => !edited.has(file)).toReversed();
  if (only.length > 0)
    lines.push(
      `Read only: ${(await Promise.all(only.slice(0, MOST.reads).map((file) => shown(file, SHOWN.command)))).join(", ")}${only.length > MOST.reads ? ` and ${only.length - MOST.reads} more` : ""}`,
    );
  return lines;
}

async function errors({ failures, steps }: Digest, words: Words, shown: Shown): Promise<string[]> {
  const failed = await Promise.all(
    failures
      .slice(-MOST.failures)
      .map(
        async (failure) =>
          `\`${await shown(failure.command, SHOWN.command)}\` failed${failure.times > 1 ? ` ${failure.times} times` : ""}${fate(failure)}`,
      ),
  );
  const corrections = await said(steps, (ask) => words.judge(ask).corrections, MOST.corrections, shown);
  return [...failed, ...corrections.map((text) => `The person corrected: "${text}"`)];
}

function fate({ passedLater, editedSince }: Failure): string {
  const edited = [...editedSince].slice(-4).join(", ");
  if (passedLater)
    return edited === ""
      ? "; it passed later, no file was edited in between"
      : `; it passed after ${edited} had been edited`;
  return edited === ""
    ? " and was not run again with success"
    : ` and has not passed since; edited meanwhile: ${edited}`;
}

async function decisions({ steps }: Digest, words: Words, shown: Shown): Promise<string[]> {
  return (await said(steps, (ask) => words.judge(ask).decisions, MOST.decisions, shown)).map(
    (text) => `The person said: "${text}"`,
  );
}

/** The user's last sentences, each once. */
async function said(
  steps: readonly Step[],
  choose: (ask: string) => readonly string[],
  most: number,
  shown: Shown,
): Promise<string[]> {
  const sentences = [...new Set(steps.flatMap(({ ask }) => choose(ask)))].slice(-most);
  return (await Promise.all(sentences.map((sentence) => shown(sentence, SHOWN.sentence)))).filter(
    (text) => text !== "",
  );
}

async function worklog({ steps }: Digest, shown: Shown): Promise<string[]> {
  const lines = await Promise.all(
    steps.slice(-MOST.steps).map(async (step) => {
      const ask = await shown(step.ask, SHOWN.asked);
      const edited = [...step.edited];
      const done = [
        edited.length === 0
          ? ""
          : `edited ${edited.slice(0, 4).join(", ")}${edited.length > 4 ? ` and ${edited.length - 4} more` : ""}`,
        step.commands === 0
          ? ""
          : `${counted(step.commands, "command")}${step.failed === 0 ? "" : `, ${step.failed} failed`}`,
      ].filter((part) => part !== "");
      return ask === "" ? "" : `${clock(step)}"${ask}"${done.length === 0 ? "" : `: ${done.join("; ")}`}`;
    }),
  );
  return lines.filter((line) => line !== "");
}

async function nextSteps({ todos, steps, isAnswered }: Digest, shown: Shown): Promise<string[]> {
  const open = todos.filter(({ state }) => state !== "done");
  const done = todos.length - open.length;
  const lines = await Promise.all(
    open
      .slice(0, MOST.todos)
      .map(
        async ({ text, state }) => `${state === "doing" ? "[in progress]" : "[ ]"} ${await shown(text, SHOWN.todo)}`,
      ),
  );
  if (open.length > 0 && done > 0) lines.push(`${done} of the agent's ${todos.length} to-dos are done`);
  const last = steps.at(-1);
  return !isAnswered && last !== undefined ? [`Answer: ${await shown(last.ask, SHOWN.ask)}`, ...lines] : lines;
}

function at(step: Step | undefined): string {
  const time = step === undefined ? "" : clock(step).trim();
  return time === "" ? "" : ` (${time})`;
}

/** Hours and minutes in UTC, so that the bytes are the same everywhere. */
function clock({ time }: Step): string {
  return time === undefined || !/T\d\d:\d\d/u.test(time) ? "" : `${oneLine(time).slice(11, 16)} `;
}
