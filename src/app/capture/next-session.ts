import { askingBlock, reminder, type SaidOnce, type UnjudgedSession } from "../../core/capture/asking.ts";
import { nameNote } from "../../core/capture/note-name.ts";
import type { CaptureOperation } from "../../core/capture/plan.ts";
import { inferType } from "../../core/notes/types/learned-type.ts";
import { isWorthAsking, knownFrom, lastRule, ranked, saidInParts } from "../../core/capture/unjudged.ts";
import { headline } from "../../core/notes/title.ts";
import { zoneName } from "../../core/shared/clock.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import type { CaptureJob } from "../../core/transcripts/capture-job.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { captureFate, modeIn } from "../workspace/modes.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { existingNotes } from "./capture-session.ts";
import { propose } from "./review.ts";
import {
  IDLE_MS,
  isOver,
  keepRest,
  keepUnjudged,
  openPart,
  pruneClaims,
  settleWaiting,
  type WaitingSession,
  waitingSessions,
} from "./unjudged-sessions.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** The most sentences of one session that wait for the user. */
const MOST_QUEUED = 5;
const DAY_MS = 86_400_000;
/** Sessions that waited this long without a question go to the review, as do those behind this many newer sessions. */
const OLDEST_MS = 14 * DAY_MS;
const MOST_WAITING = 20;
const DESCRIPTION_CHARACTERS = 100;

/**
 * Leaves what the user typed in a session for the next session's agent to judge, except what a note already says.
 * `transcript` contains only exchanges in which the agent itself saved nothing.
 */
export async function leaveForNextSession(
  workspace: OpenWorkspace,
  transcript: Transcript,
  job: Pick<CaptureJob, "agent" | "session" | "checkpoint" | "time" | "transcript">,
): Promise<void> {
  if (captureFate(modeIn(workspace.modes, "project").mode, "itself") === "nothing") return;
  const [agent, session] = [job.agent, safeId(job.session)];
  const part = openPart(workspace.locations, { agent, session });
  const turns = part && turnsAfter(transcript, part.after);
  if (part === undefined || turns === undefined) return;
  keepUnjudged(workspace.locations, part, {
    agent,
    session,
    time: job.time,
    ended: job.checkpoint === "session-end",
    ...(await unjudgedIn(workspace, { ...transcript, turns })),
    after: part.after,
    last: idOf(turns.findLast(({ role }) => role === "user")),
    transcript: job.transcript,
  });
}

/** What was said after a message; `undefined` if the transcript no longer has it. */
export function turnsAfter({ turns }: Transcript, after: string | undefined): Transcript["turns"] | undefined {
  if (after === undefined) return turns;
  const at = turns.findIndex((turn) => idOf(turn) === after);
  return at < 0 ? undefined : turns.slice(at + 1);
}

function idOf(turn: Transcript["turns"][number] | undefined): string | undefined {
  return turn === undefined ? undefined : safeId(turn.id);
}

/** The block that asks the next agent about a session, or `undefined` if there is nothing to ask. Keeps nothing. */
export async function questionAbout(workspace: Workspace, transcript: Transcript): Promise<string | undefined> {
  const { said } = await unjudgedIn(workspace, transcript);
  return said.length === 0 ? undefined : askingBlock(said);
}

/**
 * One line for the session's own agent if the last exchange had a correction or rule that was not saved. `last` is that
 * exchange, empty if the agent saved something in it.
 */
export async function reminderOf(workspace: Workspace, last: Transcript): Promise<string | undefined> {
  if (captureFate(modeIn(workspace.modes, "project").mode, "itself") !== "write") return undefined;
  const { said } = await unsavedIn(workspace, last);
  const rule = lastRule(said);
  return rule === undefined ? undefined : reminder(rule);
}

type Said = Pick<UnjudgedSession, "said" | "rest">;

/** What the user said that is not in a note; empty if it is not worth a question. */
async function unjudgedIn(workspace: Workspace, transcript: Transcript): Promise<Said> {
  const unsaved = await unsavedIn(workspace, transcript);
  return isWorthAsking(unsaved.said) ? unsaved : { said: [], rest: [] };
}

/** What the user said that is not in a note: as far as it fits the question, and the rest. */
async function unsavedIn(workspace: Workspace, transcript: Transcript): Promise<Said> {
  const { said, rest } = await saidInParts(transcript, {
    secrets: workspace.secrets,
    timeZone: zoneName(workspace.clock),
    isKnown: await knownHere(workspace),
  });
  const safe = (one: SaidOnce): SaidOnce => ({ ...one, message: safeId(one.message) });
  return { said: said.map(safe), rest: rest.map(safe) };
}

/** Whether a note says a sentence already, or one that waits for the user. */
async function knownHere(workspace: Workspace): Promise<(sentence: string) => boolean> {
  const waits = workspace.review
    .entries()
    .flatMap(({ operation }) => (operation.kind === "retire" ? [] : [operation.draft]));
  return knownFrom([...(await existingNotes(workspace)), ...waits]);
}

/**
 * Sends to the review what the asked agent did not save. Also sends sessions that were never asked about, if the mode
 * requires confirming every note or too many wait.
 */
export async function settleUnjudged(workspace: OpenWorkspace, session: string, now: number): Promise<void> {
  const confirms = modeIn(workspace.modes, "project").mode === "confirm";
  const waiting = waitingSessions(workspace.locations);
  const due = waiting.filter((one, at) =>
    one.asked === undefined
      ? now - one.unjudged.time > OLDEST_MS || at >= MOST_WAITING || (confirms && isOver(one, now))
      : one.asked.by === safeId(session) || now - one.asked.time > IDLE_MS,
  );
  if (due.length > 0) {
    const isKnown = await knownHere(workspace);
    for (const one of due) {
      const unknown = (said: readonly SaidOnce[]): readonly SaidOnce[] =>
        said.filter(({ sentence }) => !isKnown(sentence));
      const [unsaid, rest] = [unknown(one.unjudged.said), unknown(one.unjudged.rest)];
      const isRestAsked = one.asked !== undefined && isWorthAsking(rest);
      await queueForReview(workspace, one, ranked(isRestAsked ? unsaid : [...unsaid, ...rest]).slice(0, MOST_QUEUED));
      if (isRestAsked) keepRest(one, rest);
      settleWaiting(one);
    }
  }
  pruneClaims(workspace.locations, now - 2 * OLDEST_MS);
}

async function queueForReview(
  workspace: Workspace,
  { unjudged: { agent, session } }: WaitingSession,
  said: readonly SaidOnce[],
): Promise<void> {
  const turns = said.map(({ message, sentence }) => ({
    role: "user" as const,
    id: message,
    text: sentence,
    time: undefined,
    toolCalls: [],
  }));
  const proposed = said.map((one) => ({
    operation: creating(one, session),
    reason: "nobody judged it: no model looked at the session, and the next session's agent did not save it",
    doubtful: true,
  }));
  const transcript = { agent, session, cwd: undefined, turns, toolTexts: [], problems: [] };
  await propose(workspace, transcript, proposed, { by: "rules", dryRun: false });
}

/** A note of one sentence, in the user's words, with the question it answers. */
function creating({ message, day, question, sentence }: SaidOnce, session: string): CaptureOperation {
  const { type } = inferType(sentence);
  const answered = question === undefined ? sentence : `Asked "${question}": ${sentence}`;
  return {
    kind: "create",
    draft: {
      type,
      name: nameNote(sentence, type),
      description: headline(sentence, DESCRIPTION_CHARACTERS),
      body: answered,
      evidence: { session, message },
      source: "rules",
      ...(day !== undefined && { said: `${day}T12:00:00.000Z` }),
    },
  };
}
