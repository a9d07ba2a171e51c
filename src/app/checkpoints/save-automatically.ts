import { statSync } from "node:fs";
import { captureFate, modeIn } from "../workspace/modes.ts";
import type { CaptureJob } from "../../core/transcripts/capture-job.ts";
import { openCheckpoints, type SaveResult } from "./checkpoints.ts";
import { ruleWords } from "../session-notes/session-notes.ts";
import { savesCheckpointsItself } from "../workspace/settings.ts";
import { readTranscriptFile } from "../past/transcript.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { isGoAhead, type SessionState } from "../../core/checkpoints/session-state.ts";
import type { AutomaticKind } from "../../core/checkpoints/checkpoint.ts";
import { type Digest, digestOf, type Todo } from "../../core/session-notes/digest.ts";
import { notesByRules, type Words } from "../../core/session-notes/rules.ts";
import { counted, truncate } from "../../core/shared/text.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";

const SHOWN = { goal: 600, todo: 200, command: 160, words: 500 } as const;

const MOST_TODOS = 30;

const RULED = ["worklog", "next-steps", "decisions"] as const;

/** Goal, plan, done, next, decisions and open questions of a session, by rules: only what the transcript shows. */
async function sessionState(transcript: Transcript, kind: AutomaticKind, words: Words): Promise<SessionState> {
  const digest = digestOf(transcript);
  const shown = async (text: string, characters: number): Promise<string> =>
    truncate(await words.clean(text), characters);
  const ruled = await notesByRules(
    transcript,
    RULED.map((id) => ({ id, title: id, guidance: "" })),
    words,
  );
  const text = (id: (typeof RULED)[number]): string => ruled.find((section) => section.id === id)?.text ?? "";
  const said = await Promise.all(digest.steps.map(({ ask }) => shown(words.gist(ask), SHOWN.goal)));
  const asks = said.filter((ask) => !isGoAhead(ask));
  const sections = {
    goal: asks[0] ?? "",
    plan: (
      await Promise.all(
        digest.todos
          .slice(0, MOST_TODOS)
          .map(async (todo) => `- ${MARKS[todo.state]} ${await shown(todo.text, SHOWN.todo)}`),
      )
    ).join("\n"),
    done: lines(text("worklog"), await saidLast(digest, shown)),
    next: text("next-steps"),
    decisions: text("decisions"),
    questions: await questions(digest, shown),
  };
  const uses = transcript.turns
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ input }) => input !== undefined && USES.test(JSON.stringify(input))).length;
  return {
    sections,
    began: transcript.turns.find(({ time }) => time !== undefined)?.time,
    isWork: digest.edited.size + digest.todos.length > 0,
    hasRunCommands: digest.steps.reduce((sum, { commands }) => sum + commands, 0) > uses,
    under: kind === "before-compaction" ? (asks.at(-1) ?? "") : "",
    about: await shown(subjectOf(digest), SHOWN.todo),
    usesCheckpoints: uses > 0,
  };
}

/** The subject of the work if no request states it: the current step of the plan, else the edited files. */
function subjectOf({ todos, edited }: Digest): string {
  const step = todos.find(({ state }) => state === "doing") ?? todos.find(({ state }) => state === "open") ?? todos[0];
  const [file, ...others] = [...edited.keys()].toReversed();
  if (step !== undefined || file === undefined) return step?.text ?? "";
  return `${file.split("/").at(-1) ?? file}${others.length === 0 ? "" : ` and ${counted(others.length, "other file")}`}`;
}

const MARKS: Readonly<Record<Todo["state"], string>> = { open: "[ ]", doing: "[in progress]", done: "[x]" };

/** In a command line, or as an argument of the MCP server's `read`. */
const USES = /\bcheckpoint (?:save|restore)\b|"checkpoint:/u;

type Shown = (text: string, characters: number) => Promise<string>;

async function saidLast({ lastWords, isAnswered }: Digest, shown: Shown): Promise<string> {
  const words = await shown(lastWords, SHOWN.words);
  return words === ""
    ? ""
    : `- ${isAnswered ? "The agent last said" : "Before the last request the agent said"}: ${words}`;
}

async function questions({ failures, lastWords, isAnswered }: Digest, shown: Shown): Promise<string> {
  const open = failures.filter(({ passedLater }) => !passedLater).slice(-MOST_FAILURES);
  const failed = await Promise.all(
    open.map(async ({ command }) => `- \`${await shown(command, SHOWN.command)}\` failed when last run`),
  );
  const asked = isAnswered ? (/[^.!?\n]+\?\s*$/u.exec(lastWords)?.[0] ?? "").trim() : "";
  const question = await shown(asked, SHOWN.words);
  return lines(...failed, question === "" ? "" : `- The agent asked: ${question}`);
}

const MOST_FAILURES = 5;

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

/** Larger sessions are not read whole into memory for a checkpoint (bytes). */
const LARGEST_BYTES = 32 << 20;

/**
 * Saves the state of a session that is about to be compacted or has ended: by rules, with secrets masked. `undefined`
 * if there is nothing to keep, the mode leaves writing to the user, or the setting `automaticCheckpoints` is false.
 */
export async function saveCheckpointItself(
  workspace: OpenWorkspace,
  { agent, session, transcript, checkpoint: kind, time }: CaptureJob,
): Promise<SaveResult | undefined> {
  const { locations } = workspace;
  if (kind === undefined || !savesCheckpointsItself(locations.memdirHome)) return undefined;
  // Like session notes, this writes no note to the store, so confirm mode does not apply.
  if (captureFate(modeIn(locations.modes, "project").mode, "itself") === "nothing") return undefined;
  if ((statSync(transcript, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES) return undefined;
  const state = await sessionState({ ...readTranscriptFile(transcript), session }, kind, ruleWords(workspace));
  return openCheckpoints(workspace).saveAutomatically({ kind, session, by: agent, time, state });
}
