import { dayOf, logFile, logHeading, type NewLogEntry, offsetIn, writeEntry } from "../../core/notes/daily-log.ts";
import { isRecord } from "../../core/shared/json.ts";
import { stringOf, type JsonObject } from "../../core/transcripts/turn.ts";
import { openCheckpoints } from "../checkpoints/checkpoints.ts";
import { refuseText } from "../notes/gate.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import {
  candidatesOfSections,
  type ImportKind,
  type SkippedPiece,
  type SourceFile,
  candidate,
  type ImportCandidate,
  joined,
  type ReadCandidates,
  skippedPiece,
} from "./candidate.ts";
import { importLogs } from "./import-sources.ts";
import { parseRecord } from "../../core/transcripts/capture-job.ts";

/** Memories with a lower confidence in db0 are skipped. */
const LEAST_CONFIDENCE = 0.5;

/** Rows of a table, or lines of `db0 export`, which have camelCase keys. */
function db0Rows({ text }: SourceFile): readonly { readonly row: JsonObject; readonly at: number }[] {
  return text.split("\n").flatMap((line, index) => {
    const record = line.trim() === "" ? undefined : parseRecord(line);
    if (record === undefined) return [];
    const entries = Object.entries(record).map(([key, value]) => [
      key.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]);
    return [{ row: Object.fromEntries(entries), at: index + 1 }];
  });
}

/** A superseded memory is kept in the note that replaced it; memories of single sessions and tasks are skipped. */
export function db0Candidates(file: SourceFile): ReadCandidates {
  const rows = db0Rows(file);
  const byId = new Map(rows.map(({ row }) => [String(row["id"]), row]));
  return joined(
    rows.map(({ row, at }): ReadCandidates => {
      const skip = (why: string): ReadCandidates => skippedPiece(file.path, why, at);
      const scope = stringOf(row["scope"]) ?? "agent";
      if (row["status"] === "superseded") return skip("superseded; its text stands in the note that took its place");
      if (scope !== "user" && scope !== "agent") return skip(`of one ${scope}`);
      const confidence = Number(row["confidence"] ?? 1);
      if (confidence < LEAST_CONFIDENCE) return skip(`db0 is not sure of it (${confidence})`);
      const found = candidateOf(row, scope, byId);
      return found.length === 0 ? skip("there are no words in it") : { candidates: found, skipped: [] };
    }),
  );
}

function candidateOf(
  row: JsonObject,
  scope: string,
  byId: ReadonlyMap<string, JsonObject>,
): readonly ImportCandidate[] {
  const tags = parsed(row["tags"]);
  const isFeedback = Array.isArray(tags) && tags.includes("feedback");
  const type =
    scope === "user"
      ? isFeedback
        ? "feedback"
        : "user"
      : ["file", "tool_result"].includes(stringOf(row["source_type"]) ?? "")
        ? "reference"
        : "project";
  const body = [textOf(row["content"]), ...earlier(row, byId)].join("\n\n");
  return candidate(`db0_memory#${String(row["id"])}`, "", body, {
    type,
    description: stringOf(row["summary"]) ?? "",
  });
}

/** The memories it replaced, latest first; stops at a cycle. */
function earlier(row: JsonObject, byId: ReadonlyMap<string, JsonObject>): readonly string[] {
  const texts: string[] = [];
  const seen = new Set([row]);
  for (let later = row; ;) {
    const before = byId.get(String(later["supersedes_id"]));
    if (before === undefined || seen.has(before)) return texts;
    seen.add(before);
    const until = dayIn(later["created_at"]);
    texts.push(`Until ${until ?? "then"}: ${textOf(before["content"]).trim()}`);
    later = before;
  }
}

/** The text, or JSON as text: its only value or its fields. */
function textOf(content: unknown): string {
  const value = parsed(content);
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return value === undefined || value === null ? "" : String(value);
  const [only, ...more] = Object.values(value);
  return more.length === 0 && only !== undefined ? said(only) : fieldsOf(value);
}

/** Each field, or each value of a list, on its own line. */
function fieldsOf(value: object): string {
  return Object.entries(value)
    .map(([key, one]) => (Array.isArray(value) ? `- ${said(one)}` : `- ${key}: ${said(one)}`))
    .join("\n");
}

function said(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** SQLite stores JSON as text, PostgreSQL as values. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{"]/u.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value; // a text that only begins like JSON
    throw error;
  }
}

function dayIn(time: unknown): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/u.exec(stringOf(time) ?? "")?.[0];
}

/** What is imported from another tool other than notes: entries of days, and states of tasks. */
export interface ImportedDays {
  /** Days with new entries. */
  readonly days: readonly string[];
  /** Names of checkpoints that are new here. */
  readonly checkpoints: readonly string[];
  readonly skipped: readonly SkippedPiece[];
}

/** Imports them, or with `write: false` reports what it would import. What already exists stays unchanged. */
export async function importDays(
  workspace: OpenWorkspace,
  kind: ImportKind,
  files: readonly SourceFile[],
  write: boolean,
): Promise<ImportedDays> {
  const { locations, clock } = workspace;
  const entries = files.flatMap((file) => entriesIn(kind, file, clock.timeZone));
  const skipped: SkippedPiece[] = [];
  const kept: NewLogEntry[] = [];
  for (const { entry, path } of entries) {
    const refusal = await refuseText(workspace, entry.text);
    if (refusal === undefined) kept.push(entry);
    else skipped.push({ path, why: refusal.message });
  }
  const place = locations.stores.find(({ scope }) => scope === "user");
  const days = place === undefined ? [] : importLogs(daysOf(kept), place, clock, write);
  const checkpoints = await importCheckpoints(workspace, kind === "db0" ? files : [], write);
  return { days, checkpoints, skipped };
}

interface SaidEntry {
  readonly entry: NewLogEntry;
  readonly path: string;
}

const DAY_FILE = /^memory\/(?:.*\/)?(\d{4}-\d{2}-\d{2})[^/]*\.md$/u;

/** Whether a file of OpenClaw is the log of a day. */
export function isDayFile(path: string): boolean {
  return DAY_FILE.test(path);
}

function entriesIn(kind: ImportKind, file: SourceFile, timeZone: string | undefined): readonly SaidEntry[] {
  if (kind === "openclaw") return openClawEntries(file, timeZone);
  return kind === "db0" && file.path === "db0_log" ? db0Entries(file, timeZone) : [];
}

/** One entry per section. The time comes from a heading that is a time, otherwise from the order in the file. */
function openClawEntries(file: SourceFile, timeZone: string | undefined): readonly SaidEntry[] {
  const day = DAY_FILE.exec(file.path)?.[1];
  const midnight = Date.parse(`${day ?? ""}T00:00:00Z`);
  if (day === undefined || Number.isNaN(midnight)) return [];
  let last = -1;
  return candidatesOfSections(file, "").map(({ name, body, origin }) => {
    const heading = origin.includes("#") ? name : "";
    const [, hour, minute] = /^(?:.*\s)?([01]?\d|2[0-3]):([0-5]\d)\b/u.exec(heading) ?? [];
    const seconds = hour === undefined ? last + 1 : Number(hour) * 3600 + Number(minute) * 60;
    last = seconds;
    const offset = offsetIn(timeZone, midnight);
    const text = heading === "" || hour !== undefined ? body : `${heading}: ${body}`;
    return { path: file.path, entry: entryAt(midnight + seconds * 1000 - offset * 60_000, offset, text) };
  });
}

function db0Entries(file: SourceFile, timeZone: string | undefined): readonly SaidEntry[] {
  return db0Rows(file).flatMap(({ row }) => {
    const time = Date.parse(String(row["created_at"]));
    const event = stringOf(row["event"]) ?? "";
    const text = [event, textOf(row["data"])].filter((part) => part !== "").join(": ");
    if (Number.isNaN(time) || text === "") return [];
    return [{ path: file.path, entry: entryAt(time, offsetIn(timeZone, time), text) }];
  });
}

function entryAt(time: number, offset: number, text: string): NewLogEntry {
  return { time, offset, text, project: undefined, session: undefined, message: undefined };
}

/** The entries in the form of an export: one file per day. */
function daysOf(entries: readonly NewLogEntry[]): Parameters<typeof importLogs>[0] {
  const days = new Map<string, NewLogEntry[]>();
  for (const entry of entries) days.set(dayOf(entry), [...(days.get(dayOf(entry)) ?? []), entry]);
  return [...days].map(([day, all]) => ({
    file: logFile(day),
    bytes: new TextEncoder().encode(
      `${logHeading(day)}${all
        .toSorted((a, b) => a.time - b.time)
        .map(writeEntry)
        .join("")}`,
    ),
  }));
}

/** Each has its origin as `by`, so that a second import recognizes it. */
async function importCheckpoints(
  workspace: OpenWorkspace,
  files: readonly SourceFile[],
  write: boolean,
): Promise<readonly string[]> {
  const rows = files.filter(({ path }) => path === "db0_state").flatMap((file) => db0Rows(file));
  if (rows.length === 0) return [];
  const shelf = openCheckpoints(workspace);
  const known = new Set(shelf.list().map(({ by }) => by));
  const taken: string[] = [];
  for (const { row } of rows) {
    const by = `db0:${String(row["id"])}`;
    const name = stringOf(row["label"]) ?? stringOf(row["session_id"]) ?? by;
    if (known.has(by)) continue;
    const data = parsed(row["metadata"]);
    const told = isRecord(data) ? data : {};
    const { goal, next, ...others } = told;
    const sections = { goal: textOf(goal ?? name), next: textOf(next), notes: fieldsOf(others) };
    if (!write) taken.push(name);
    else if ((await shelf.save({ name, by, fresh: true, sections })).kind === "saved") taken.push(name);
  }
  return taken;
}
