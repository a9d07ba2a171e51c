import { statSync } from "node:fs";
import path from "node:path";
import { pause } from "../workspace/pause.ts";
import { setFlagsFromString } from "node:v8";
import { openCursors } from "../../adapters/files/capture-jobs.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { clearFailure } from "../../adapters/files/worker-state.ts";
import { fingerprint, transcriptLines } from "../../adapters/files/transcript-lines.ts";
import { BRIEF_ROOM, briefCharacters } from "../../core/capture/extract/brief.ts";
import {
  type CaptureOutcome,
  captureSession,
  type Extractor,
  joinOutcomes,
  NOTHING_CAPTURED,
} from "./capture-session.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { Cursor, CursorKey, Cursors } from "../../core/transcripts/capture-job.ts";
import { withoutSaved } from "../../core/transcripts/exchanges.ts";
import type { TranscriptFormat, Transcript, Turn } from "../../core/transcripts/turn.ts";
import {
  BEGINNING,
  type Position,
  readWindows,
  type TranscriptWindow,
  type WindowOptions,
} from "../../core/transcripts/windows.ts";
import { CURSORS_FOLDER, STATE_FILE } from "./capture-places.ts";
import { instructionText } from "./extractor.ts";
import { realPath } from "../workspace/locations.ts";
import {
  formatNamed,
  formatOf,
  isDatabase,
  isUnknown,
  notATranscript,
  projectBeside,
  readTranscriptFile,
} from "../past/transcript.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

export interface CaptureFileOptions {
  readonly dryRun?: boolean;
  readonly extractor?: Extractor;
  /** From the beginning, even if captured before. */
  readonly again?: boolean;
  /** `itself`: automatic, so nothing happens in manual mode. Default `person`. */
  readonly askedBy?: "person" | "itself";
  /** The client's names for the session and its last turn, if it gave them. */
  readonly session?: string;
  readonly turn?: string | undefined;
  /** Called with new turns before they are captured. */
  readonly onTurns?: (turns: readonly Turn[]) => void;
  /** Asked between windows; earlier windows stay captured. */
  readonly stop?: () => boolean;
  /** Bytes of the file processed so far, and its size. */
  readonly onProgress?: (bytes: number, of: number) => void;
}

export interface FileCapture {
  /** For all windows together. */
  readonly outcome: CaptureOutcome;
  /** How many turns were new. */
  readonly turns: number;
  /** How many of these were left out because the agent itself saved notes there. */
  readonly saved: number;
  readonly windows: number;
  /** Whether the end was reached. */
  readonly finished: boolean;
  readonly problems: Transcript["problems"];
}

/**
 * Captures the new part of a session's file, window by window. The cursor moves past each window once its notes are on
 * disk: a kill at any moment loses nothing, and capturing something twice adds nothing.
 * @throws MemoryError `not-found`, or `invalid-input` when no line of it is a message.
 */
export async function captureFile(
  workspace: OpenWorkspace,
  file: string,
  options: CaptureFileOptions = {},
): Promise<FileCapture> {
  const { cursors, key, format } = sessionOf(workspace.locations, file, options.session);
  // Everything here is short-lived: letting the young generation grow would only waste memory.
  if (sizeOf(file) > LARGE_BYTES) setFlagsFromString("--semi-space-growth-factor=1");
  const cursor = options.again === true ? undefined : cursors.read(key);
  let extractor = options.extractor;
  let said: string | undefined;
  const instructions = (): string => (said ??= instructionText(workspace));
  let sum = NOTHING;
  for (const window of windowsFrom(file, { format, ...(extractor === undefined ? FOR_RULES : FOR_MODEL) }, cursor)) {
    if (options.stop?.() === true) return { ...sum, finished: false };
    if (cursor === undefined && sum.turns + window.turns === 0 && window.transcript.problems.length > 0)
      throw notATranscript(file, window.transcript.problems);
    options.onTurns?.(window.transcript.turns.slice(-window.turns));
    const { outcome, saved } = await captureWindow(workspace, file, window, {
      dryRun: options.dryRun === true,
      extractor,
      session: key.session,
      askedBy: options.askedBy ?? "person",
      instructions,
    });
    // A model that gave no answer is not asked again for later windows.
    if (outcome?.modelFailure !== undefined) extractor = undefined;
    if (options.dryRun !== true)
      cursors.write(key, {
        ...window.next,
        fingerprint: isDatabase(file) ? "" : (fingerprint(file, window.next.offset) ?? ""),
        turn: options.turn,
        time: workspace.clock.now(),
      });
    sum = added(sum, window, outcome, saved);
    options.onProgress?.(window.next.offset, sizeOf(file));
    // Lets Ctrl-C, timers and watchdog signals be handled.
    await pause();
  }
  if (cursor === undefined && sum.turns === 0 && isUnknown(file)) throw notATranscript(file, sum.problems);
  if (options.dryRun !== true) {
    const sessions = [key.session, ...(options.session === undefined ? [] : [options.session])];
    const names = sessions.map((session) => sessionName(key.agent, session));
    clearFailure(`${workspace.locations.memdirHome}/${STATE_FILE}`, names, nodeFiles);
  }
  return sum;
}

/** The session's name in the worker's state. */
export function sessionName(agent: string, session: string): string {
  return `${agent} ${session}`;
}

/** The new windows of a session's file, for estimates. Captures nothing. */
export function* newWindows(
  locations: OpenWorkspace["locations"],
  file: string,
  { again, model }: { readonly again: boolean; readonly model: boolean },
): Generator<TranscriptWindow> {
  const { cursors, key, format } = sessionOf(locations, file, undefined);
  yield* windowsFrom(file, { format, ...(model ? FOR_MODEL : FOR_RULES) }, again ? undefined : cursors.read(key));
}

/** The client's name of the session in this transcript. */
export function sessionNamed(locations: OpenWorkspace["locations"], file: string): string {
  return sessionOf(locations, file, undefined).key.session;
}

/** Whether a session's file was captured to its end; `undefined` if it never was. */
export function isCaptured(locations: OpenWorkspace["locations"], file: string): boolean | undefined {
  const { cursors, key } = sessionOf(locations, file, undefined);
  const cursor = cursors.read(key);
  if (cursor !== undefined && isDatabase(file)) return newInDatabase(file, cursor.after).next().done === true;
  return cursor === undefined || !isValid(file, cursor)
    ? undefined
    : cursor.after === undefined && cursor.offset === sizeOf(file);
}

const LARGE_BYTES = 16 << 20;

type Sizes = Pick<WindowOptions, "weigh" | "room">;
const FOR_MODEL: Sizes = { weigh: briefCharacters, room: BRIEF_ROOM };
/** Rules have no limit of their own: the window only limits memory use. */
const FOR_RULES: Sizes = {
  weigh: ({ text, toolCalls }: Turn) => text.length + 200 * (toolCalls.length + 1),
  room: 100_000,
};

const NOTHING: FileCapture = {
  outcome: NOTHING_CAPTURED,
  turns: 0,
  saved: 0,
  windows: 0,
  finished: true,
  problems: [],
};

interface WindowCapture {
  readonly dryRun: boolean;
  readonly extractor: Extractor | undefined;
  readonly session: string;
  readonly askedBy: "person" | "itself";
  readonly instructions: () => string;
}

interface CapturedWindow {
  /** `undefined` when there was nothing to capture. */
  readonly outcome: CaptureOutcome | undefined;
  readonly saved: number;
}

async function captureWindow(
  workspace: OpenWorkspace,
  file: string,
  { transcript, turns: count }: TranscriptWindow,
  { dryRun, extractor, session, askedBy, instructions }: WindowCapture,
): Promise<CapturedWindow> {
  const { turns, left } = withoutSaved(transcript.turns, memoryOf(workspace, file, transcript));
  if (count === 0 || !turns.some(({ role }) => role === "user")) return { outcome: undefined, saved: left };
  return {
    outcome: await captureSession(
      workspace,
      { ...transcript, session, turns },
      { dryRun, askedBy, instructions, ...(extractor === undefined ? {} : { extractor }) },
    ),
    saved: left,
  };
}

/** Tells which paths that a session's agent wrote to are notes of the project. */
export function memoryOf(
  workspace: OpenWorkspace,
  file: string,
  transcript: Pick<Transcript, "cwd" | "agent">,
): (written: string) => boolean {
  const directories = workspace.locations.stores.map(({ directory }) => realPath(directory));
  const cwd = transcript.cwd ?? projectBeside(file, transcript.agent) ?? workspace.locations.cwd;
  return (written) => {
    const real = realPath(path.resolve(cwd, written));
    return directories.some((directory) => real.startsWith(`${directory}${path.sep}`));
  };
}

function added(
  sum: FileCapture,
  window: TranscriptWindow,
  outcome: CaptureOutcome | undefined,
  saved: number,
): FileCapture {
  return {
    outcome: outcome === undefined ? sum.outcome : joinOutcomes(sum.outcome, outcome),
    turns: sum.turns + window.turns,
    saved: sum.saved + saved,
    windows: sum.windows + (window.turns > 0 ? 1 : 0),
    finished: true,
    problems: [...sum.problems, ...window.transcript.problems].slice(0, 50),
  };
}

/** A cursor that no longer fits the file is ignored. */
function* windowsFrom(
  file: string,
  sizes: Sizes & { readonly format: TranscriptFormat },
  cursor: Cursor | undefined,
): Generator<TranscriptWindow> {
  if (isDatabase(file)) {
    yield* newInDatabase(file, cursor?.after);
    return;
  }
  const from: Position = cursor !== undefined && isValid(file, cursor) ? cursor : BEGINNING;
  const found = yield* readWindows(transcriptLines(file, from), { ...sizes, from });
  if (!found) yield* readWindows(transcriptLines(file, BEGINNING), { ...sizes, from: BEGINNING });
}

/** A session in a database is read whole; the turns after the last captured one are new. */
function* newInDatabase(file: string, after: string | undefined): Generator<TranscriptWindow> {
  const transcript = readTranscriptFile(file);
  const turns = transcript.turns.slice(transcript.turns.findLastIndex(({ id }) => id === after) + 1);
  const last = turns.at(-1);
  if (last !== undefined)
    yield { transcript: { ...transcript, turns }, turns: turns.length, next: { ...BEGINNING, after: last.id } };
}

function isValid(file: string, cursor: Cursor): boolean {
  return fingerprint(file, cursor.offset) === cursor.fingerprint;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

interface SessionFile {
  readonly format: TranscriptFormat;
  readonly key: CursorKey;
  readonly cursors: Cursors;
}

/** Identifies the session: by the file's own id, else by the client's, else by the path. */
function sessionOf(
  { memdirHome, stores }: OpenWorkspace["locations"],
  file: string,
  given: string | undefined,
): SessionFile {
  const store = stores[0]?.directory ?? "";
  if (isDatabase(file)) {
    const { agent, session } = readTranscriptFile(file);
    return { format: formatNamed(agent), key: { agent, session, store }, cursors: openCaptureCursors(memdirHome) };
  }
  const format = formatOf(file);
  const reader = format.open();
  let session = UNKNOWN;
  for (const { text, number } of transcriptLines(file, BEGINNING)) {
    if (text !== undefined && text.trim() !== "") reader.read(text, number);
    session = reader.transcript().session;
    if (session !== UNKNOWN || number >= LINES_TO_NAME) break;
  }
  return {
    format,
    key: {
      agent: format.agent,
      session: session === UNKNOWN ? (given ?? sha256(realPath(path.resolve(file)))) : session,
      store,
    },
    cursors: openCaptureCursors(memdirHome),
  };
}

/** The session id that readers report before they have found the real one. */
const UNKNOWN = "unknown";
const LINES_TO_NAME = 50;

export function openCaptureCursors(memdirHome: string): Cursors {
  return openCursors({
    directory: `${memdirHome}/${CURSORS_FOLDER}`,
    files: nodeFiles,
    newId: () => String(process.pid),
  });
}
