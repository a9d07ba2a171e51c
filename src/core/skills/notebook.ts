import { isRecord, parseJson } from "../shared/json.ts";
import type { SessionPlace } from "../transcripts/windows.ts";
import { CANDIDATE_LIMITS, parseCandidate, withCandidates } from "./candidate.ts";
import type { SeenHeads } from "./recipe.ts";
import type { Candidate } from "./types.ts";

/** What is remembered of a finished task: the programs it ran, so that everyday ones are known. */
export interface SeenTask {
  readonly id: string;
  readonly time: number;
  readonly heads: readonly string[];
}

/** A session that was read. */
export interface ReadSession {
  readonly session: string;
  readonly transcript: string;
  /** When it was last read (ms). */
  readonly time: number;
  /** Its last task may not be finished. */
  readonly open: boolean;
  readonly place?: SessionPlace;
}

/** What a project's finished tasks left; it can be rebuilt by reading the transcripts again. */
export interface Notebook {
  readonly candidates: readonly Candidate[];
  readonly seen: readonly SeenTask[];
  readonly sessions: readonly ReadSession[];
}

/** The name of its file in a project's folder of skills. */
export const CANDIDATES_FILE = "candidates.jsonl";

/** The notebook on disk: two files of lines. */
export interface NotebookFile {
  read(): Notebook;
  /** Runs under a lock; after a crash each file holds either its old or its new lines. */
  change(work: (before: Notebook) => Notebook): Notebook;
}

const MOST_SESSIONS = 100;
const MOST_HEADS = 30;

/** The notebook with a session's findings added: each task once, nothing older than 30 days. */
export function withFinding(before: Notebook, { candidates, seen, sessions }: Notebook, now: number): Notebook {
  const tasks = new Map(
    [...before.seen, ...seen].map((one) => [one.id, { ...one, heads: one.heads.slice(0, MOST_HEADS) }]),
  );
  const all = new Map([...before.sessions, ...sessions].map((one) => [one.session, one]));
  return {
    candidates: withCandidates(before.candidates, candidates, now),
    seen: recent([...tasks.values()], now).slice(-CANDIDATE_LIMITS.lines),
    sessions: recent([...all.values()], now).slice(-MOST_SESSIONS),
  };
}

function recent<T extends { readonly time: number }>(all: readonly T[], now: number): readonly T[] {
  return all.filter(({ time }) => time > now - CANDIDATE_LIMITS.days * 86_400_000).toSorted((a, b) => a.time - b.time);
}

export function headsIn({ seen }: Notebook): SeenHeads {
  return seen.map(({ heads }) => heads);
}

/** Parses candidates.jsonl and tasks.jsonl; incomplete lines and those of a newer memdir are skipped. */
export function readNotebook(candidates: string, tasks: string): Notebook {
  const told = linesOf(tasks).map((line) => parseJson(line));
  return {
    candidates: linesOf(candidates).flatMap((line) => parseCandidate(line) ?? []),
    seen: told.filter(isSeenTask),
    sessions: told.filter(isReadSession),
  };
}

export function writeNotebook({ candidates, seen, sessions }: Notebook): readonly [string, string] {
  const lines = (all: readonly unknown[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join("");
  return [lines(candidates), lines([...seen, ...sessions])];
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function isSeenTask(value: unknown): value is SeenTask {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    typeof value["time"] === "number" &&
    Array.isArray(value["heads"]) &&
    value["heads"].every((head) => typeof head === "string")
  );
}

function isReadSession(value: unknown): value is ReadSession {
  return (
    isRecord(value) &&
    typeof value["session"] === "string" &&
    typeof value["transcript"] === "string" &&
    typeof value["time"] === "number" &&
    typeof value["open"] === "boolean" &&
    (value["place"] === undefined || isPlace(value["place"]))
  );
}

function isPlace(value: unknown): value is SessionPlace {
  return (
    isRecord(value) &&
    typeof value["offset"] === "number" &&
    typeof value["line"] === "number" &&
    typeof value["fingerprint"] === "string"
  );
}
