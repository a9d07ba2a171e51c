import { INDEX_FILE } from "../../core/notes/names.ts";
import { versionsOf } from "../notes/versions.ts";
import type { TimelineEvent, TimelineView } from "./activity-shapes.ts";
import type { Reading } from "./reading.ts";
import { sessionEvents, tokensOf } from "./sessions.ts";
import { versionItems } from "./versions.ts";
import { noteKey } from "../../core/recall/ledger.ts";

/** Which part of what happened is wanted. */
export interface TimelineWish {
  /** Only what came before (ISO time). */
  readonly before?: string;
  readonly limit: number;
  readonly kind?: string;
}

const MOST_EVENTS = 500;

/** What happened to the memory, newest first. */
export function timelineView(reading: Reading, { before, limit, kind }: TimelineWish): TimelineView {
  const { workspace } = reading;
  for (const { store } of workspace.stores) store.reconcile("full");
  const isWanted = (time: string): boolean => before === undefined || time < before;
  const most = Math.min(limit, MOST_EVENTS);
  const wants = (...kinds: readonly string[]): boolean => kind === undefined || kinds.includes(kind);
  const events = [
    ...(wants("recall") ? recallEvents(reading) : []),
    ...(wants("start") ? startEvents(reading) : []),
    ...(wants("capture", "dream", "edit", "undo") ? changeEvents(reading, isWanted, kind, most) : []),
  ]
    .filter(({ time }) => isWanted(time))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1));
  const shown = events.slice(0, most);
  const { keeps } = workspace.recallLog;
  return {
    events: shown,
    ...(events.length > most && { before: shown.at(-1)?.time ?? "" }),
    ...(keeps === "nothing" && {
      missing: "Recalls are not logged here: memory is off, or MEMDIR_RECALL_LOG=off",
    }),
  };
}

function recallEvents({ workspace, kept }: Reading): readonly TimelineEvent[] {
  return kept.recalls(workspace.recallLog).map(({ time, session, prompt, selected, pointed, characters, by }) => ({
    kind: "recall",
    time,
    ...(session !== undefined && { session }),
    ...(prompt !== undefined && { prompt }),
    shown: selected.map(noteKey),
    pointed: pointed.map(noteKey),
    tokens: tokensOf(characters),
    by,
  }));
}

function startEvents({ workspace }: Reading): readonly TimelineEvent[] {
  return sessionEvents(workspace).flatMap(({ session, time, event }): TimelineEvent[] =>
    event.kind === "start"
      ? [{ kind: "start", time, session, notes: [...event.pinned.map(({ id }) => id), ...event.listed] }]
      : [],
  );
}

function changeEvents(
  reading: Reading,
  isWanted: (time: string) => boolean,
  kind: string | undefined,
  most: number,
): readonly TimelineEvent[] {
  return reading.workspace.stores.flatMap((scoped) => {
    const versions = versionsOf(scoped)
      .filter(({ time, actor, files }) => {
        const isOfNotes = files.some(({ file }) => file !== INDEX_FILE);
        return isOfNotes && isWanted(time) && (kind === undefined || kindOf(actor) === kind);
      })
      .slice(0, most + 1);
    return versionItems(reading, scoped, versions).map((version): TimelineEvent => ({
      kind: kindOf(version.actor),
      time: version.time,
      ...(version.session !== undefined && { session: version.session }),
      version,
    }));
  });
}

/** What a change was, by who made it. */
function kindOf(actor: string): "capture" | "dream" | "edit" | "undo" {
  if (actor === "rules" || actor === "model") return "capture";
  return actor === "dream" || actor === "undo" ? actor : "edit";
}
