import { checkpointNotice } from "../../compose/checkpoint-notice.ts";
import { handKeptIndex, isClaudesOwn, takeRefinedText } from "../../compose/hook-memory.ts";
import { sessionNotesForHooks } from "../../compose/hook-session-notes.ts";
import type { Locations } from "../../compose/locations.ts";
import { notesShownInIndex, type RecallOutcome, type RecallWorkspace } from "../../core/memory/recall-notes.ts";
import { forgetSurfaced, recallForSession } from "../../core/memory/session-recall.ts";
import { startContext } from "../../core/memory/start-context.ts";
import { readByFile } from "../../core/recall/read-by-file.ts";
import { type HookAnswer, type HookClient, type HookEvent, MOST_CHARACTERS } from "./event.ts";

/** Everything an event is answered from. */
export interface Answering {
  readonly workspace: RecallWorkspace;
  readonly locations: Locations;
  readonly client: Pick<HookClient, "showsIndex">;
  readonly verify: (outcome: RecallOutcome) => RecallOutcome;
  /** Delivers an answer; `false` when nobody takes it any more. */
  readonly say: (answer: HookAnswer) => boolean;
}

/** Events that are answered from notes. */
export type NotesEvent = Extract<HookEvent, { readonly kind: "prompt" | "session-start" | "after-compaction" }>;

export function answerFromNotes(answering: Answering, event: NotesEvent): void {
  if (event.kind === "prompt") answerPrompt(answering, event);
  else if (event.kind === "session-start") answerStart(answering, event);
  else forgetSurfaced(answering.workspace, event.session);
}

/** A late answer of the prompt before is shown in whole or not at all, and leaves room for this prompt's own. */
const LATE_CHARACTERS = MOST_CHARACTERS / 2;

function answerPrompt({ workspace, locations, client, verify, say }: Answering, event: Extract<HookEvent, { kind: "prompt" }>): void {
  const late = takeRefinedText(locations, event.session, undefined, workspace.clock.now()) ?? "";
  const before = late.length > LATE_CHARACTERS ? "" : late;
  const project = workspace.stores.filter(({ scope }) => scope === "project");
  const { rendered, delivered } = recallForSession(workspace, {
    prompt: event.prompt,
    session: event.session === "" ? undefined : event.session,
    most: MOST_CHARACTERS - before.length - 1,
    verify,
    readWith: readByFile(locations.stores),
    ...(client.showsIndex && isClaudesOwn(locations) && { shownInIndex: notesShownInIndex(project) }),
  });
  const context = [rendered.text, before].filter((text) => text !== "").join("\n");
  if (say({ context })) delivered();
}

/** A resumed session has what it started with in its transcript. */
function answerStart({ workspace, locations, client, say }: Answering, { source, session }: Extract<HookEvent, { kind: "session-start" }>): void {
  if (source === "resume") return;
  for (const { store } of workspace.stores) store.reconcile("quick");
  const isCompacted = source === "compact";
  if (source !== "startup") forgetSurfaced(workspace, session);
  const notice = source === "compact" ? undefined : checkpointNotice(locations, workspace.clock.now());
  const started = startContext(workspace, {
    source: isCompacted ? "after-compaction" : "session-start",
    readWith: readByFile(locations.stores)("FILE"),
    showsProjectIndex: client.showsIndex && isClaudesOwn(locations),
    handKept: handKeptIndex(locations),
    sessionNotes: isCompacted ? (most) => sessionNotesForHooks(locations, session, most) : undefined,
    most: MOST_CHARACTERS - (notice === undefined ? 0 : notice.length + 1),
  });
  const context = [started, notice ?? ""].filter((text) => text !== "").join("\n");
  say({ context });
}
