import { parseRecord } from "../../core/transcripts/capture-job.ts";
import { stringOf, type JsonObject } from "../../core/transcripts/format.ts";
import {
  candidate,
  type ImportCandidate,
  joined,
  type ReadCandidates,
  skippedPiece,
  type SourceFile,
} from "./candidate.ts";

/** What db0 is less sure of than this is not taken. */
const LEAST_CONFIDENCE = 0.5;

/** Rows of a table, or lines of `db0 export`, whose keys are written in camelCase. */
export function db0Rows({ text }: SourceFile): readonly { readonly row: JsonObject; readonly at: number }[] {
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

/** What is superseded is kept in the note that took its place; sessions and tasks that are over are not taken. */
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

/** What it took the place of, the latest first; a circle of them ends. */
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

/** Text, or JSON whose only value or whose fields are told. */
export function textOf(content: unknown): string {
  const value = parsed(content);
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return value === undefined || value === null ? "" : String(value);
  const [only, ...more] = Object.values(value);
  return more.length === 0 && only !== undefined ? said(only) : fieldsOf(value);
}

/** Each field, or each value of a list, on a line of its own. */
export function fieldsOf(value: object): string {
  return Object.entries(value)
    .map(([key, one]) => (Array.isArray(value) ? `- ${said(one)}` : `- ${key}: ${said(one)}`))
    .join("\n");
}

function said(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** SQLite has JSON as text, PostgreSQL as values. */
export function parsed(value: unknown): unknown {
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
