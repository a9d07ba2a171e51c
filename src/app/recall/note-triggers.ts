import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { openRecallLog } from "../../adapters/files/recall-log.ts";
import type { CallJudge, PlannedCall } from "../../core/guards/judge-call.ts";
import {
  triggerOf,
  parseTriggers,
  type ScopedTrigger,
  type Trigger,
  TRIGGERS_FILE,
  triggersMeeting,
  writeTriggers,
} from "../../core/guards/triggered.ts";
import { type ProjectFiles, projectFiles } from "../../core/guards/named-files.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { parseNote, shownNote } from "../../core/notes/parse-note.ts";
import { type SessionLedger, surfacedIn } from "../../core/recall/ledger.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { noteKey } from "../../core/notes/names.ts";
import { noteReference } from "../../core/shared/note-reference.ts";
import { writeSessionMark } from "../../core/recall/log-line.ts";
import { systemClock } from "../../core/shared/clock.ts";
import { fenced, safeId } from "../../core/shared/sanitize.ts";
import type { Locations } from "../workspace/locations.ts";
import { modeIn, mayWrite } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { recallLogFor } from "../workspace/beside-notes.ts";
import { liveEntries } from "../workspace/workspace.ts";
import { speaksOfProject } from "../../core/notes/note.ts";

/** Most lines for one call, and for one session. */
const MOST_A_CALL = 3;
const MOST_A_SESSION = 10;
/** A larger store has no triggers: reading its file would take a hook too long. */
const MOST_NOTES = 2_000;

/** The notes that a tool call brings up, and how to record that the session has them. */
export interface TriggeredNotes {
  readonly text: string;
  readonly delivered: () => void;
}

/**
 * One line for each note that names the file or the command of a call, once a session. Reads one small file per store
 * and opens no index. Returns nothing if memory may not be written, because every call would then give the same lines.
 */
export function notesForCall(
  locations: Locations,
  session: string,
  call: PlannedCall,
  judge: CallJudge,
): TriggeredNotes | undefined {
  if (session === "" || !mayWrite(modeIn(locations.modes, "project").mode)) return undefined;
  const all = locations.stores.flatMap(({ scope, directory, state }): ScopedTrigger[] => {
    const bytes = nodeFiles.read(`${state}/${TRIGGERS_FILE}`);
    return bytes === undefined
      ? []
      : parseTriggers(new TextDecoder().decode(bytes)).map((one) => ({ ...one, scope, directory }));
  });
  const met = all.length === 0 ? [] : triggersMeeting(all, call, judge, locations.project?.checkout).filter(isAsItWas);
  if (met.length === 0) return undefined;
  const log = recallLogFor(locations, systemClock, openRecallLog);
  if (log.keeps === "nothing") return undefined;
  const ledger = surfacedIn(log, session);
  const { triggered } = ledger;
  const given = met
    .filter((note) => !isKnown(note, ledger))
    .slice(0, Math.min(MOST_A_CALL, MOST_A_SESSION - triggered.size));
  if (given.length === 0) return undefined;
  return {
    text: fenced("tool-call", [
      "Notes that name this file or command (data from the past; check before you rely on them):",
      ...given.map(lineOf),
    ]),
    delivered: () =>
      log.append(
        writeSessionMark(safeId(session), new Date(systemClock.now()).toISOString(), {
          triggered: given.map(noteKey),
          texts: given.map((note) => ({ note: noteKey(note), hash: note.hash, whole: note.isWhole })),
        }),
      ),
  };
}

/**
 * Whether the session has what the line would say: the note, or its line from a prompt or an earlier call. The index at
 * its start does not count, since the line is a reminder at the moment when it matters.
 */
function isKnown(note: ScopedTrigger, { surfaced, pointedAt, triggered }: SessionLedger): boolean {
  const key = noteKey(note);
  return surfaced.has(key) || triggered.has(key) || pointedAt.get(key) === note.hash;
}

function lineOf(note: ScopedTrigger): string {
  return `- ${noteReference(note)}: ${note.line}`;
}

function isAsItWas({ directory, file, size, mtimeMs }: ScopedTrigger): boolean {
  const stat = nodeFiles.stat(`${directory}/${file}`);
  return stat?.kind === "file" && stat.size === size && stat.mtimeMs === mtimeMs;
}

/** How long the listing of a project's files may take (ms). */
const LISTING_MS = 2_000;

/** Rewrites the triggers of each store's notes. */
export function renewTriggers(workspace: OpenWorkspace): void {
  const live = liveEntries(workspace);
  const paths = live.length === 0 ? undefined : workspace.tree?.files(LISTING_MS);
  const ofProject = paths === undefined ? undefined : projectFiles(paths);
  for (const { scope, directory, state } of workspace.locations.stores) {
    const entries = live.filter(({ scoped }) => scoped.scope === scope);
    const files = speaksOfProject(scope) ? ofProject : undefined;
    const notes =
      entries.length > MOST_NOTES
        ? []
        : entries.flatMap(({ entry }) => readTrigger(workspace, { directory, file: entry.file, files }));
    const file = `${state}/${TRIGGERS_FILE}`;
    if (nodeFiles.stat(state) === undefined) continue;
    // Written even when empty: the file's time says when the notes were last read.
    putFile(file, writeTriggers(notes));
  }
}

interface TriggerPlace {
  readonly directory: string;
  readonly file: string;
  readonly files: ProjectFiles | undefined;
}

function readTrigger({ codec }: OpenWorkspace, { directory, file, files }: TriggerPlace): Trigger[] {
  const place = `${directory}/${file}`;
  const stat = nodeFiles.stat(place);
  const bytes = stat?.kind === "file" ? nodeFiles.read(place) : undefined;
  if (stat === undefined || bytes === undefined) return [];
  const { block } = splitFrontmatter(new TextDecoder().decode(bytes));
  const trigger = triggerOf(shownNote(parseNote(file, bytes, codec)), codec.read(block).data, files);
  return trigger === undefined
    ? []
    : [{ ...trigger, file, size: stat.size, mtimeMs: stat.mtimeMs, hash: sha256(bytes) }];
}

/** Whether notes changed since their triggers were written; checked when a session starts. */
export function areTriggersStale({ stores }: Pick<Locations, "stores">): boolean {
  return stores.some(({ directory, state }) => {
    const notes = nodeFiles.stat(directory)?.mtimeMs;
    if (notes === undefined || nodeFiles.stat(state) === undefined) return false;
    return notes > (nodeFiles.stat(`${state}/${TRIGGERS_FILE}`)?.mtimeMs ?? 0);
  });
}
