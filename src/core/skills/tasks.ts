import type { Transcript, Turn } from "../transcripts/turn.ts";
import { GO_ON } from "./outcome.ts";
import type { Task } from "./types.ts";

/** Splits a session into tasks: a user's prompt, and everything up to the next one that is more than "go on". */
export function tasksOf({ agent, session, cwd, turns }: Transcript): readonly Task[] {
  const groups = groupsOf(turns);
  return groups.map((group, at): Task => {
    const typed = group.filter(isPrompt);
    const first = group[0];
    const answered = group.filter(({ role }) => role === "assistant");
    const last = answered.at(-1);
    const calls = answered.flatMap(({ toolCalls }) => toolCalls);
    return {
      agent,
      session,
      id: first?.id ?? "",
      cwd,
      prompt: promptOf(group),
      time: first?.time,
      end: group.findLast(({ time }) => time !== undefined)?.time,
      calls,
      answer: answered.findLast(({ text }) => text !== "")?.text ?? "",
      next: groups[at + 1] === undefined ? undefined : promptOf(groups[at + 1] ?? []),
      // Work that was interrupted and then resumed by "go on" does not count as interrupted.
      interrupted:
        (last?.interrupted === true && group.lastIndexOf(last) > group.lastIndexOf(typed.at(-1) ?? last)) ||
        calls.at(-1)?.result?.status === "rejected",
    };
  });
}

function groupsOf(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const groups: Turn[][] = [];
  let previous: Turn["role"] | undefined;
  for (const turn of turns) {
    const current = groups.at(-1);
    // Consecutive prompts are one: the agent answers them together.
    if (current === undefined) {
      if (isPrompt(turn)) groups.push([turn]); // anything before the first prompt is the end of another session
      else continue;
    } else if (isPrompt(turn) && previous === "assistant" && !isGoOn(turn.text)) groups.push([turn]);
    else current.push(turn);
    previous = turn.role;
  }
  return groups;
}

/** The words that began the task; "go on" adds nothing. */
function promptOf(group: readonly Turn[]): string {
  const answered = group.findIndex(({ role }) => role === "assistant");
  return (answered < 0 ? group : group.slice(0, answered))
    .filter(isPrompt)
    .map(({ text }) => text)
    .join("\n\n");
}

function isPrompt({ role, text }: Turn): boolean {
  return role === "user" && text !== "";
}

export function isGoOn(prompt: string): boolean {
  const text = prompt.trim();
  return text.length <= 80 && GO_ON.some((pattern) => pattern.test(text));
}
