import { isConflictCopy } from "../notes/names.ts";
import { SCOPES, type Scope } from "../notes/note.ts";
import { redactTokens } from "../shared/redact.ts";
import { type Fate, FATES } from "./fate.ts";
import { KEPT_CHARACTERS, promptText } from "./prompt.ts";
import { isRecord, parseJson } from "../shared/json.ts";

/** A note as the log names it: never its text. */
export interface LoggedNote {
  readonly scope: Scope;
  readonly file: string;
  /** SHA-256 of the file as it was. */
  readonly hash: string;
  /** That it helps, as recall judged: 0 to 1. */
  readonly score: number;
}

export interface LoggedCandidate {
  readonly scope: Scope;
  readonly file: string;
  readonly score: number;
  readonly fate: Fate;
}

/** One recall, as far as explaining, replaying and not repeating it need it. */
export interface LoggedRecall {
  /** ISO. */
  readonly time: string;
  readonly session?: string;
  readonly project: string;
  /** What was asked, tokens redacted, the middle of a long one left out; absent when only its hash is kept. */
  readonly prompt?: string;
  readonly promptHash?: string;
  readonly ms: number;
  /** Notes that were shown whole, best first. */
  readonly selected: readonly LoggedNote[];
  /** Notes that were shown as one line. */
  readonly pointed: readonly LoggedNote[];
  /** The ten best. */
  readonly candidates: readonly LoggedCandidate[];
  /** How likely a note had to be to help: to be shown whole, and to be pointed at; 0 to 1. */
  readonly floors: { readonly whole: number; readonly pointer: number };
  /** Characters of shown notes that were left out. */
  readonly cut: readonly { readonly scope: Scope; readonly file: string; readonly characters: number }[];
  /** Length of the text that the agent received. */
  readonly characters: number;
  /** Who chose. */
  readonly by: "rules" | "model";
  /** Live notes that were looked through, by scope. */
  readonly notes: ByScope;
}

type ByScope = Readonly<Partial<Record<Scope, number>>>;

/** Room for a token that begins before the cut, so that no half of it is kept. */
const MARGIN = 600;

/** A prompt as the log keeps it: recall reads the same of it as of the whole. */
export function loggedPrompt(prompt: string): string {
  if (prompt.length <= 2 * (KEPT_CHARACTERS + MARGIN)) return promptText(redactTokens(prompt));
  const head = redactTokens(prompt.slice(0, KEPT_CHARACTERS + MARGIN)).slice(0, KEPT_CHARACTERS);
  const tail = redactTokens(prompt.slice(-KEPT_CHARACTERS - MARGIN)).slice(-KEPT_CHARACTERS);
  return `${head}\n${tail}`;
}

export function writeLogLine(recall: LoggedRecall): string {
  return JSON.stringify(recall, (_, value: unknown) => (typeof value === "number" ? Math.round(value * 10_000) / 10_000 : value));
}

/** Marks that a session was compacted: what it had received before is gone from it. */
export function writeCompactionLine(session: string, time: string): string {
  return JSON.stringify({ time, session, [COMPACTED]: true });
}

const COMPACTED = "compacted";

export function isCompactionLine(line: string, session?: string): boolean {
  const value = line.includes(`"${COMPACTED}":true`) ? parseJson(line) : undefined;
  return isRecord(value) && value[COMPACTED] === true && (session === undefined || value["session"] === session);
}

/** `undefined` for a line that was torn, damaged or written by something else. */
export function readLogLine(line: string): LoggedRecall | undefined {
  const value = parseWhole(line);
  if (!isRecord(value) || value[COMPACTED] === true) return undefined;
  const { time, session, project, prompt, promptHash, ms, characters, by } = value;
  if (typeof time !== "string" || !Number.isFinite(Date.parse(time))) return undefined;
  return {
    time,
    ...(typeof session === "string" && { session }),
    project: typeof project === "string" ? project : "",
    ...(typeof prompt === "string" && { prompt }),
    ...(typeof promptHash === "string" && { promptHash }),
    ms: numberOf(ms),
    selected: listOf(value["selected"]).flatMap(readNote),
    pointed: listOf(value["pointed"]).flatMap(readNote),
    candidates: listOf(value["candidates"]).flatMap(readCandidate),
    floors: readFloors(value["floors"]),
    cut: listOf(value["cut"]).flatMap(readCut),
    characters: numberOf(characters),
    by: by === "model" ? "model" : "rules",
    notes: readByScope(value["notes"]),
  };
}

/** Shorter names are words that any prompt may have. */
const TELLING_CHARACTERS = 8;

/** Whether a line names a note or one of its conflict copies, in whatever place; the prompt's words count. */
export function mentions(line: string, file: string): boolean {
  if (isCompactionLine(line)) return false;
  const recall = readLogLine(line);
  if (recall === undefined) return true; // what cannot be read cannot be cleared
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.md$/iu, "");
  const named = [...recall.selected, ...recall.pointed, ...recall.candidates].map((note) => note.file);
  return named.some((one) => one === file || isConflictCopy(one, file)) || recall.prompt?.includes(name.length < TELLING_CHARACTERS ? file : name) === true;
}

/** A line that was torn by a kill or a full disk: one recall is lost, nothing else. */
function parseWhole(line: string): unknown {
  return line.endsWith("}") ? parseJson(line) : undefined;
}

function readNote(value: unknown): LoggedNote[] {
  if (!isRecord(value)) return [];
  const scope = SCOPES.find((one) => one === value["scope"]);
  const { file, hash } = value;
  return scope === undefined || typeof file !== "string" || typeof hash !== "string" ? [] : [{ scope, file, hash, score: numberOf(value["score"]) }];
}

function readCandidate(value: unknown): LoggedCandidate[] {
  if (!isRecord(value)) return [];
  const scope = SCOPES.find((one) => one === value["scope"]);
  const fate = FATES.find((one) => one === value["fate"]);
  const { file } = value;
  return scope === undefined || fate === undefined || typeof file !== "string" ? [] : [{ scope, file, score: numberOf(value["score"]), fate }];
}

function readCut(value: unknown): LoggedRecall["cut"] {
  if (!isRecord(value)) return [];
  const scope = SCOPES.find((one) => one === value["scope"]);
  const { file } = value;
  return scope === undefined || typeof file !== "string" ? [] : [{ scope, file, characters: numberOf(value["characters"]) }];
}

function readFloors(value: unknown): LoggedRecall["floors"] {
  return isRecord(value) ? { whole: numberOf(value["whole"]), pointer: numberOf(value["pointer"]) } : { whole: 0, pointer: 0 };
}

function readByScope(value: unknown): ByScope {
  if (!isRecord(value)) return {};
  return Object.fromEntries(SCOPES.flatMap((scope) => (typeof value[scope] === "number" ? [[scope, value[scope]]] : [])));
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
