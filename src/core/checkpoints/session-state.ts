import { cutAtWord, oneLine } from "../shared/text.ts";
import type { Checkpoint, SectionName } from "./checkpoint.ts";

/** What a session did, as far as rules can tell. */
export interface SessionState {
  readonly sections: Readonly<Partial<Record<SectionName, string>>>;
  /** ISO time of its first message. */
  readonly began: string | undefined;
  /** Files were edited, or a list of to-dos was kept. */
  readonly isWork: boolean;
  /** Others than those about checkpoints. */
  readonly hasRunCommands: boolean;
  /** What the person asked last, where a compaction cuts in. */
  readonly under: string;
  /** The step or files that it was at, to call it by where nobody said what it is for. */
  readonly about: string;
  /** It saved or restored a checkpoint itself. */
  readonly usesCheckpoints: boolean;
}

/** What is saved of a session: of the task that it goes on with, where it goes on with one. */
export function sectionsToSave(
  state: SessionState,
  base: Pick<Checkpoint, "sections"> | undefined,
): SessionState["sections"] {
  const sections = base === undefined ? state.sections : goneOn(base, state);
  return { ...sections, next: nonEmpty(sections.next, state.under === "" ? "" : `- Go on with: ${state.under}`) };
}

/** A task that is handed on from session to session keeps so much of what was done, the newest (characters). */
const DONE_CHARACTERS = 6_000;

/** The state of a task that went on in this session: what was said of it before holds, and what was done is added. */
function goneOn(
  { sections: before }: Pick<Checkpoint, "sections">,
  { sections }: Pick<SessionState, "sections">,
): SessionState["sections"] {
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
  return [...new Set(texts.flatMap((text) => (text ?? "").trim().split("\n")))]
    .filter((line) => line.trim() !== "")
    .join("\n");
}

function newest(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(text.indexOf("\n", text.length - characters) + 1);
}

function nonEmpty(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== "") ?? "";
}

/** Whether there is something to keep: work, or commands in a tree with uncommitted changes. Looking at a saved task is none. */
export function isWorthKeeping({ isWork, hasRunCommands }: SessionState, hasUncommittedChanges: boolean): boolean {
  return isWork || (hasRunCommands && hasUncommittedChanges);
}

/** A task without a name is called by its goal's first words, else by what it is about. */
export function taskName(sections: SessionState["sections"], about = ""): string {
  return cutAtWord(oneLine(sections.goal ?? "") || oneLine(about) || oneLine(sections.next ?? "") || "task", 50, "");
}
