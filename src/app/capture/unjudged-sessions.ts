import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { askingBlock, parseUnjudged, type UnjudgedSession, writeUnjudged } from "../../core/capture/asking.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import type { Locations } from "../workspace/locations.ts";
import { modeIn } from "../workspace/modes.ts";
import { asksNextSession } from "../workspace/settings.ts";
import { UNJUDGED_FOLDER } from "./capture-places.ts";

/** A session whose client never said that it is over counts as over after this (ms). */
export const IDLE_MS = 10 * 60_000;

type Place = Pick<Locations, "memdirHome" | "stores">;

/** A session that waits for a judge, as its file has it. */
export interface WaitingSession {
  readonly file: string;
  readonly unjudged: UnjudgedSession;
  /** Who was asked about it, and when (ms). */
  readonly asked: Asked | undefined;
}

interface Asked {
  readonly by: string;
  readonly time: number;
}

/** Keeps what a session said until someone is asked. Once someone was, the session is not asked about again. */
export function keepUnjudged(place: Place, unjudged: UnjudgedSession): void {
  const file = fileOf(place, unjudged);
  if (nodeFiles.stat(claimOf(file)) !== undefined) return;
  if (unjudged.said.length === 0) return nodeFiles.remove(file);
  nodeFiles.makeDirectory(folderOf(place));
  putFile(file, writeUnjudged(unjudged));
}

/** All that wait for the project, the last session first. */
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

/** It needs no judge any more. The claim stays, so that the same session is never asked about again. */
export function settleWaiting({ file }: WaitingSession): void {
  if (askedOf(file) === undefined) claim(file, { by: "", time: Date.now() });
  nodeFiles.remove(file);
}

/** Whether nothing more is said in a session: its client said so, or nothing was for long. */
export function isOver({ unjudged }: WaitingSession, now: number): boolean {
  return unjudged.ended || now - unjudged.time > IDLE_MS;
}

/** Takes a session from all who could judge it; the answer gives it back. `undefined` where someone else was first. */
export function claimWaiting({ file }: WaitingSession, now: number): (() => void) | undefined {
  return claim(file, { by: "", time: now }) ? () => nodeFiles.remove(claimOf(file)) : undefined;
}

/** Claims older than `before` (ms) go: their sessions are long over. */
export function pruneClaims(place: Place, before: number): void {
  for (const { name } of nodeFiles.list(folderOf(place)) ?? []) {
    const file = `${folderOf(place)}/${name}`;
    const isOld = (nodeFiles.stat(file)?.mtimeMs ?? 0) < before;
    if (isOld && !name.endsWith(".json")) nodeFiles.remove(file);
  }
}

/** The question to a session that starts, and a way to undo it where the session never got it. */
export interface Asking {
  readonly text: string;
  readonly undelivered: () => void;
}

/**
 * Asks a session that starts about the last one of its project that nobody judged: once, whoever else starts at the
 * same moment. Reads some small files and leaves an empty hand where memory may not be written.
 */
export function askAboutLast(locations: Locations, session: string, now: number, most: number): Asking | undefined {
  if (modeIn(locations.modes, "project").mode !== "auto" || session === "") return undefined;
  const last = waitingSessions(locations).find(
    (one) => one.asked === undefined && one.unjudged.session !== session && isOver(one, now),
  );
  if (last === undefined || !asksNextSession(locations.memdirHome)) return undefined;
  const text = askingBlock(last.unjudged.said);
  if (text.length > most || !claim(last.file, { by: session, time: now })) return undefined;
  return { text, undelivered: () => nodeFiles.remove(claimOf(last.file)) };
}

/** Whether this process was the first: the file system lets one of all create the file. */
function claim(file: string, asked: Asked): boolean {
  try {
    nodeFiles.create(claimOf(file), new TextEncoder().encode(JSON.stringify(asked)));
    return true;
  } catch (error) {
    // Where nothing can be remembered nobody is asked, or every session would be.
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

function askedOf(file: string): Asked | undefined {
  const text = textOf(claimOf(file));
  if (text === undefined) return undefined;
  const value = parseJson(text);
  const { by, time } = isRecord(value) ? value : {};
  // A claim that was torn is one: whoever made it may have asked.
  return { by: typeof by === "string" ? by : "", time: typeof time === "number" ? time : 0 };
}

function claimOf(file: string): string {
  return file.replace(/\.json$/u, ".asked");
}

function fileOf(place: Place, { agent, session }: Pick<UnjudgedSession, "agent" | "session">): string {
  return `${folderOf(place)}/${sha256(`${agent}\n${session}`).slice(0, 32)}.json`;
}

/** Of the project's own store: what was said in one project is asked about in no other. */
function folderOf({ memdirHome, stores }: Place): string {
  return `${memdirHome}/${UNJUDGED_FOLDER}/${sha256(stores[0]?.directory ?? "").slice(0, 16)}`;
}

function textOf(file: string): string | undefined {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
