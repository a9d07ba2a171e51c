import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import {
  askingBlock,
  firstBlock,
  parseUnjudged,
  type SaidOnce,
  type UnjudgedSession,
  writeUnjudged,
} from "../../core/capture/asking.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import type { Locations } from "../workspace/locations.ts";
import { modeIn } from "../workspace/modes.ts";
import { asksNextSession } from "../workspace/settings.ts";
import { UNJUDGED_FOLDER } from "./capture-places.ts";

/** A session whose client never reported its end counts as over after this (ms). */
export const IDLE_MS = 10 * 60_000;

type Place = Pick<Locations, "memdirHome" | "stores">;

/** A session that waits for a judge, from its file. */
export interface WaitingSession {
  readonly file: string;
  readonly unjudged: UnjudgedSession;
  /** The session that was asked about it, and when (ms). */
  readonly asked: Asked | undefined;
}

interface Asked {
  readonly by: string;
  readonly time: number;
  /** Id of the last message of what was asked about. */
  readonly last?: string | undefined;
}

/** A session, or what follows the part of it that was judged. */
export interface OpenPart {
  readonly file: string;
  /** Id of the last message that was judged. */
  readonly after: string | undefined;
}

/** The part of a session that nobody was asked about; `undefined` if it is unknown where that begins. */
export function openPart(place: Place, of: Pick<UnjudgedSession, "agent" | "session">): OpenPart | undefined {
  let part: OpenPart = { file: fileOf(place, of, undefined), after: undefined };
  for (let asked = askedOf(part.file); asked !== undefined; asked = askedOf(part.file)) {
    if (asked.last === undefined || asked.last === part.after) return undefined;
    part = { file: fileOf(place, of, asked.last), after: asked.last };
  }
  return part;
}

/** Keeps what a session said until an agent is asked about it. */
export function keepUnjudged(place: Place, { file }: OpenPart, unjudged: UnjudgedSession): void {
  if (unjudged.said.length === 0) return nodeFiles.remove(file);
  nodeFiles.makeDirectory(folderOf(place));
  putFile(file, writeUnjudged(unjudged));
}

/** Keeps what did not fit into a session's block, for a later session to be asked about. */
export function keepRest(
  { file, unjudged: { agent, session, time } }: WaitingSession,
  rest: readonly SaidOnce[],
): void {
  const next: UnjudgedSession = { agent, session, time, ended: true, ...firstBlock(rest), transcript: undefined };
  putFile(file.replace(/\.json$/u, "-rest.json"), writeUnjudged(next));
}

/** All sessions that wait in the project, newest first. */
export function waitingSessions(place: Place): readonly WaitingSession[] {
  const folder = folderOf(place);
  return (nodeFiles.list(folder) ?? [])
    .filter(({ name, kind }) => kind === "file" && name.endsWith(".json"))
    .flatMap(({ name }): WaitingSession[] => {
      const file = `${folder}/${name}`;
      const unjudged = parseUnjudged(textOf(file) ?? "");
      return unjudged === undefined ? [] : [{ file, unjudged, asked: askedOf(file) }];
    })
    .toSorted((a, b) => b.unjudged.time - a.unjudged.time);
}

/** The session no longer needs a judge. The claim stays, so that it is never asked about again. */
export function settleWaiting({ file, unjudged: { last } }: WaitingSession): void {
  if (askedOf(file) === undefined) claim(file, { by: "", time: Date.now(), last });
  nodeFiles.remove(file);
}

/** Whether a session is over: its client said so, or it has been idle for long. */
export function isOver({ unjudged }: WaitingSession, now: number): boolean {
  return unjudged.ended || now - unjudged.time > IDLE_MS;
}

/** Claims a session so that no one else judges it. Returns the release; `undefined` if another process was first. */
export function claimWaiting({ file, unjudged: { last } }: WaitingSession, now: number): (() => void) | undefined {
  return claim(file, { by: "", time: now, last }) ? () => nodeFiles.remove(claimOf(file)) : undefined;
}

/** Removes claims older than `before` (ms): their sessions are long over. */
export function pruneClaims(place: Place, before: number): void {
  for (const { name } of nodeFiles.list(folderOf(place)) ?? []) {
    const file = `${folderOf(place)}/${name}`;
    const isOld = (nodeFiles.stat(file)?.mtimeMs ?? 0) < before;
    if (isOld && !name.endsWith(".json")) nodeFiles.remove(file);
  }
}

/** The question for a starting session, and a way to undo it if the session never got it. */
export interface Asking {
  readonly text: string;
  readonly undelivered: () => void;
}

/**
 * Asks a starting session about the project's most recent unjudged session, only once even if several start together.
 * Reads a few small files; returns `undefined` if memory may not be written.
 */
export function askAboutLast(locations: Locations, session: string, now: number, most: number): Asking | undefined {
  if (modeIn(locations.modes, "project").mode !== "auto" || session === "") return undefined;
  const last = waitingSessions(locations).find(
    (one) => one.asked === undefined && one.unjudged.session !== session && isOver(one, now),
  );
  if (last === undefined || !asksNextSession(locations.memdirHome)) return undefined;
  const text = askingBlock(last.unjudged.said);
  if (text.length > most || !claim(last.file, { by: session, time: now, last: last.unjudged.last })) return undefined;
  return { text, undelivered: () => nodeFiles.remove(claimOf(last.file)) };
}

/** Whether this process was first: the file system lets only one create the file. */
function claim(file: string, asked: Asked): boolean {
  try {
    nodeFiles.create(claimOf(file), new TextEncoder().encode(JSON.stringify(asked)));
    return true;
  } catch (error) {
    // If nothing can be remembered, do not ask: otherwise every session would be asked.
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

function askedOf(file: string): Asked | undefined {
  const text = textOf(claimOf(file));
  if (text === undefined) return undefined;
  const value = parseJson(text);
  const { by, time, last } = isRecord(value) ? value : {};
  // A torn claim counts: its writer may have asked.
  return {
    by: typeof by === "string" ? by : "",
    time: typeof time === "number" ? time : 0,
    last: typeof last === "string" ? last : undefined,
  };
}

function claimOf(file: string): string {
  return file.replace(/\.json$/u, ".asked");
}

function fileOf(
  place: Place,
  { agent, session }: Pick<UnjudgedSession, "agent" | "session">,
  after: string | undefined,
): string {
  const part = after === undefined ? "" : `\n${after}`;
  return `${folderOf(place)}/${sha256(`${agent}\n${session}${part}`).slice(0, 32)}.json`;
}

/** The folder of the project's own store: what was said in one project is not asked about in another. */
function folderOf({ memdirHome, stores }: Place): string {
  return `${memdirHome}/${UNJUDGED_FOLDER}/${sha256(stores[0]?.directory ?? "").slice(0, 16)}`;
}

function textOf(file: string): string | undefined {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
