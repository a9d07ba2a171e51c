import { checkpointNotice } from "../../app/checkpoints/checkpoint-notice.ts";
import { askAboutLast, type Asking } from "../../app/capture/unjudged-sessions.ts";
import { takeSkillQuestion } from "../../app/skills/ask.ts";
import { likelierStore } from "../../app/workspace/other-stores.ts";
import { handKeptIndex, isClaudesOwn, takeKept, takeRefinedText } from "../../app/background/hook-memory.ts";
import { forkedFrom, showsStart } from "../../app/background/hook-session.ts";
import { sessionNotesForHooks } from "../../app/session-notes/hook-session-notes.ts";
import type { Locations } from "../../app/workspace/locations.ts";
import type { Verifier } from "../../app/recall/recall.ts";
import { recallWithSkills } from "../../app/skills/offer.ts";
import { notesShownInIndex, type RecallWorkspace } from "../../app/recall/recall-notes.ts";
import {
  forgetGiven,
  forgetSurfaced,
  inheritGiven,
  type SessionStart,
  NO_START,
  startIn,
  startOfSession,
} from "../../app/recall/session-start.ts";
import { readByFile } from "../../app/workspace/read-by-file.ts";
import { type HookAnswer, type HookClient, type HookEvent, MOST_CHARACTERS } from "./event.ts";

/** Everything needed to answer an event. */
export interface Answering {
  readonly workspace: RecallWorkspace;
  readonly locations: Locations;
  readonly client: Pick<HookClient, "name" | "showsIndex" | "startsAt">;
  readonly verify: Verifier;
  /** Delivers an answer; `false` if the client no longer accepts it. */
  readonly say: (answer: HookAnswer) => boolean;
}

/** Events that are answered from notes. */
export type NotesEvent = Extract<HookEvent, { readonly kind: "prompt" | "session-start" | "after-compaction" }>;

/** Answers a prompt or a session start; after a compaction, forgets what the session was shown. */
export function answerFromNotes(answering: Answering, event: NotesEvent): void {
  if (event.kind === "prompt") answerPrompt(answering, event);
  else if (event.kind === "session-start") answerStart(answering, event);
  else if (event.startFollows) forgetSurfaced(answering.workspace, event.session);
  else forgetGiven(answering.workspace, event.session);
}

/** A late answer to the previous prompt is shown as a whole or not at all, and leaves room for this prompt's own. */
const LATE_CHARACTERS = MOST_CHARACTERS / 2;

function answerPrompt(answering: Answering, event: Extract<HookEvent, { kind: "prompt" }>): void {
  const { workspace, locations, client, verify, say } = answering;
  const start = client.startsAt === "prompt" ? startWithPrompt(answering, event) : undefined;
  const room = MOST_CHARACTERS - (start === undefined || start.text === "" ? 0 : start.text.length + 1);
  const late = takeRefinedText(locations, event.session, undefined, workspace.clock.now()) ?? "";
  const before = late.length > Math.min(LATE_CHARACTERS, room) ? "" : late;
  const project = workspace.stores.filter(({ scope }) => scope === "project");
  const showsIndex = client.showsIndex && isClaudesOwn(locations);
  const shown = showsIndex ? notesShownInIndex(project) : new Set<string>();
  const shownInIndex = new Set([...shown, ...(start?.listed ?? [])]);
  const { rendered, delivered } = recallWithSkills(locations, workspace, {
    agent: client.name,
    prompt: event.prompt,
    session: event.session === "" ? undefined : event.session,
    given: start?.given,
    most: room - before.length - 1,
    verify,
    readWith: readByFile(locations.stores),
    shownInIndex: showsIndex || shownInIndex.size > 0 ? shownInIndex : undefined,
  });
  const context = [start?.text ?? "", rendered.text, before].filter((text) => text !== "").join("\n");
  if (!say({ context })) return start?.undelivered();
  start?.delivered();
  delivered();
}

/** The most that a session start may take of an answer that also contains a recall. */
const START_CHARACTERS = Math.floor((MOST_CHARACTERS * 2) / 3);

/** For a client that accepts it there: the whole start with the first prompt, and again after each compaction. */
function startWithPrompt(
  answering: Answering,
  { session, transcript }: Extract<HookEvent, { kind: "prompt" }>,
): AskingStart {
  const { workspace } = answering;
  const isThere = showsStart(transcript);
  const isKnown = startIn(workspace, session) !== undefined;
  if (isThere === true && !isKnown) return { ...NO_START, undelivered: () => undefined };
  const isCompacted = isThere === false && isKnown;
  if (isCompacted) forgetGiven(workspace, session);
  return startFor(answering, {
    session,
    isNew: isThere === false && !isCompacted,
    isCompacted,
    most: START_CHARACTERS,
  });
}

function answerStart(answering: Answering, event: Extract<HookEvent, { kind: "session-start" }>): void {
  const { workspace, client, say } = answering;
  const { source, session } = event;
  for (const { store } of workspace.stores) store.reconcile("quick");
  if (source === "compact" || source === "clear") forgetGiven(workspace, session);
  const parent = source === "fork" ? forkedFrom(client.name, event, workspace.clock.now()) : undefined;
  if (parent !== undefined) inheritGiven(workspace, session, parent);
  const kept = source === "compact" || event.inSubAgent ? undefined : takeKept(answering.locations, workspace);
  const told = kept === undefined ? {} : { notice: kept.notice };
  if (client.startsAt === "prompt") {
    if (kept !== undefined && !say(told)) kept.undelivered();
    return;
  }
  const start = startFor(answering, {
    session,
    isNew: source === "startup" || source === "clear",
    isCompacted: source === "compact",
    most: MOST_CHARACTERS,
  });
  if (say({ context: start.text, ...told })) return start.delivered();
  start.undelivered();
  kept?.undelivered();
}

/** A start that may ask about an earlier session; if it was not delivered, another start may ask. */
interface AskingStart extends SessionStart {
  readonly undelivered: () => void;
}

interface StartRequest {
  readonly session: string;
  /** The session has no messages yet. */
  readonly isNew: boolean;
  readonly isCompacted: boolean;
  readonly most: number;
}

function startFor(
  { workspace, locations, client }: Answering,
  { session, isNew, isCompacted, most }: StartRequest,
): AskingStart {
  const isFirst = isNew && startIn(workspace, session) === undefined;
  const candidate = isFirst ? takeSkillQuestion(locations) : undefined;
  const notices = isFirst
    ? [checkpointNotice(locations, workspace.clock.now()), likelierStore(locations), candidate?.text]
    : [];
  const notice = notices.filter((one) => one !== undefined).join("\n");
  let asking: Asking | undefined;
  const start = startOfSession(workspace, {
    session,
    goesOn: !isNew && !isCompacted,
    isCompacted,
    readWith: readByFile(locations.stores)("FILE"),
    showsProjectIndex: client.showsIndex && isClaudesOwn(locations),
    handKept: handKeptIndex(locations),
    sessionNotes: isCompacted ? (room) => sessionNotesForHooks(locations, session, room) : undefined,
    asked: isFirst
      ? (room) => (asking = askAboutLast(locations, session, workspace.clock.now(), room))?.text
      : undefined,
    most: most - (notice === "" ? 0 : notice.length + 1),
  });
  return {
    ...start,
    text: [start.text, notice].filter((text) => text !== "").join("\n"),
    undelivered() {
      asking?.undelivered();
      candidate?.undelivered();
    },
  };
}
