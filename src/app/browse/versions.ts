import { parseNote, shownText } from "../../core/notes/parse-note.ts";
import type { Version } from "../../core/notes/history.ts";
import { INDEX_FILE, noteKey } from "../../core/notes/names.ts";
import { nameAt, pastNames, takenBack, toldReason, undoneBy, versionsOf } from "../notes/versions.ts";
import type { NoteRef, ScopedStore } from "../workspace/workspace.ts";
import { idOf, type Reading, storeOf } from "./note-list.ts";
import type { RemovedNote, VersionItem, VersionView } from "./shapes.ts";
import type { DreamItem, DreamsView, TimelineEvent, TimelineView } from "./activity-shapes.ts";
import { sessionEvents, tokensOf } from "./sessions.ts";
import { dreamStatus } from "../dream/dream-schedule.ts";
import { dreamsOf } from "../dream/dream.ts";

/** The dreams of every scope, newest first, and when the next one comes. */
export function dreamsView({ workspace }: Reading): DreamsView {
  const status = dreamStatus(workspace);
  const dreams = workspace.stores.flatMap(dreamsIn).toSorted((a, b) => (a.time < b.time ? 1 : -1));
  return {
    ...(status?.last !== undefined && { last: status.last }),
    next: status?.next ?? "there are no notes of this project yet",
    dreams,
  };
}

function dreamsIn(scoped: ScopedStore): readonly DreamItem[] {
  const records = dreamsOf(scoped);
  const taken = records.length === 0 ? new Set<string>() : takenBack(scoped);
  return records.map(({ time, notes, ms, version, applied, refused, told, failure, model }) => ({
    scope: scoped.scope,
    time,
    notes,
    ms,
    ...(version !== undefined && { version }),
    undone: version !== undefined && taken.has(String(version)),
    applied,
    refused,
    told,
    ...(failure !== undefined && { failure }),
    ...(model !== undefined && {
      model: { id: model.id, inputTokens: model.inputTokens, outputTokens: model.outputTokens },
    }),
  }));
}

/** Files of a version whose texts are included. */
const MOST_FILES = 50;

/** Files named per version in a list. */
const MOST_NAMED = 20;

/** Actors that write on behalf of a session and record it in the note. */
const CAPTURES: ReadonlySet<string> = new Set(["rules", "model"]);

function versionItem(scoped: ScopedStore, version: Version, session?: string): VersionItem {
  const { scope } = scoped;
  const { seq, time, actor } = version;
  const files = version.files.filter(({ file }) => file !== INDEX_FILE);
  return {
    scope,
    seq,
    time,
    actor,
    reason: undoneBy(version) === undefined ? version.reason : toldReason(versionsOf(scoped), version),
    ...(session !== undefined && session !== "" && { session }),
    files: files.slice(0, MOST_NAMED),
    ...(files.length > MOST_NAMED && { more: files.length - MOST_NAMED }),
  };
}

/**
 * Versions, newest first, with the session of those that capture wrote. History does not record the session; the note
 * does. So it is known only for the last capture of a note that still exists.
 */
export function versionItems(
  { workspace }: Pick<Reading, "workspace">,
  scoped: ScopedStore,
  versions: readonly Version[],
): readonly VersionItem[] {
  const asked = new Set<string>();
  return versions.map((version) => {
    if (!CAPTURES.has(version.actor)) return versionItem(scoped, version);
    let session: string | undefined;
    for (const { file } of version.files.slice(0, MOST_NAMED)) {
      if (file === INDEX_FILE || asked.has(file)) continue;
      asked.add(file);
      const bytes = scoped.store.read(file);
      session ??= bytes === undefined ? undefined : parseNote(file, bytes, workspace.codec).evidence?.session;
    }
    return versionItem(scoped, version, session);
  });
}

/** A version's changes: one note's text before and after, or those of all its files. `undefined` if there is none. */
export function versionView(reading: Reading, scope: string, seq: number, file?: string): VersionView | undefined {
  const scoped = storeOf(reading.workspace.stores, scope);
  const version = scoped === undefined ? undefined : versionsOf(scoped).find((one) => one.seq === seq);
  if (scoped === undefined || version === undefined) return undefined;
  const history = scoped.store.history();
  const only = file === undefined ? undefined : nameAt(pastNames(history, file), seq);
  const changes = version.files.filter((change) =>
    only === undefined ? change.file !== INDEX_FILE : change.file === only,
  );
  const files = changes.slice(0, MOST_FILES).map((change) => {
    const before = seq <= 1 ? undefined : history.contentAt(seq - 1, change.file);
    const after = history.contentAt(seq, change.file);
    return {
      ...change,
      ...(before !== undefined && { before: shownText(before) }),
      ...(after !== undefined && { after: shownText(after) }),
      session:
        after === undefined ? undefined : parseNote(change.file, after, reading.workspace.codec).evidence?.session,
    };
  });
  const session = CAPTURES.has(version.actor) ? files.find((one) => one.session !== undefined)?.session : undefined;
  return {
    version: versionItem(scoped, version, session),
    files: files.map(({ session: _, ...rest }) => rest),
    more: changes.length - files.length,
  };
}

/** A removed note with its last text; `undefined` if it exists or never did. */
export function removedView(_: Pick<Reading, "workspace">, { scoped, file }: NoteRef): RemovedNote | undefined {
  if (file === INDEX_FILE || scoped.store.index.entry(file) !== undefined) return undefined;
  const history = scoped.store.history();
  const gone = history
    .versions(file)
    .find(({ files }) => files.some((change) => change.file === file && change.kind === "deleted"));
  if (gone === undefined) return undefined;
  const text = history.contentAt(gone.seq - 1, file);
  return {
    id: idOf(scoped, file),
    version: versionItem(scoped, gone),
    ...(text !== undefined && { text: shownText(text) }),
  };
}

/** Which part of the timeline is requested. */
interface TimelineWish {
  /** Only events before this (ISO time). */
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

/** The kind of a change, from its actor. */
function kindOf(actor: string): "capture" | "dream" | "edit" | "undo" {
  if (actor === "rules" || actor === "model") return "capture";
  return actor === "dream" || actor === "undo" ? actor : "edit";
}
