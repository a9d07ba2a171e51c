import { existsSync } from "node:fs";
import { openDatabase, type SqlRow, memoryErrorOf, sqliteFailure } from "./driver.ts";

/** The tables of db0 (schema 6) that hold its memory; embeddings are not read. */
export const DB0_TABLES = {
  db0_memory:
    "SELECT id, content, summary, scope, tags, created_at, supersedes_id, status, source_type, confidence FROM db0_memory ORDER BY created_at, id",
  db0_state: "SELECT id, session_id, label, metadata, created_at FROM db0_state ORDER BY created_at, id",
  db0_log: "SELECT id, event, data, created_at FROM db0_log ORDER BY created_at, id",
} as const;

/** Each table as JSON lines. @throws MemoryError if the file is not a db0 database. */
export function readDb0Database(file: string): Readonly<Record<string, string>> {
  try {
    const database = openDatabase(file, { busyTimeoutMs: 2_000, journal: "delete", readOnly: true });
    try {
      return Object.fromEntries(
        Object.entries(DB0_TABLES).map(([table, sql]) => [
          table,
          database
            .prepare(sql)
            .all([])
            .map((row) => JSON.stringify(row))
            .join("\n"),
        ]),
      );
    } finally {
      database.close();
    }
  } catch (error) {
    throw sqliteFailure(error) === "not-sqlite" ? error : memoryErrorOf(error, file, "reading db0's memory");
  }
}

export interface OpenCodeSession {
  readonly id: string;
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly updatedMs: number;
  /** Set if an agent started the session for another session. */
  readonly parent: string | undefined;
}

/** OpenCode's database, opened read-only and closed after each query. */
export interface OpenCodeDatabase {
  sessions(): readonly OpenCodeSession[];
  /** The session as lines for its transcript reader, optionally only messages from `from` on; empty if unknown. */
  lines(session: string, from?: string): readonly string[];
  /** One line per part of the sessions that contains `text` (`ignoreCase`: ASCII only); every part without a text. */
  linesWith(
    sessions: readonly string[],
    text: string | undefined,
    ignoreCase: boolean,
  ): readonly { readonly session: string; readonly line: string }[];
}

/** `undefined` if the file does not exist. @throws MemoryError if it is not OpenCode's or cannot be opened. */
export function openOpenCode(file: string): OpenCodeDatabase | undefined {
  if (!existsSync(file)) return undefined;
  const ask = (sql: string, values: readonly (string | number)[]): readonly SqlRow[] => query(file, sql, values);
  return {
    sessions: () =>
      ask("SELECT id, directory, time_updated, parent_id FROM session", []).map((row) => ({
        id: text(row, "id"),
        directory: text(row, "directory"),
        updatedMs: Number(row["time_updated"]),
        parent: text(row, "parent_id") || undefined,
      })),
    lines(session, from) {
      const heads = ask(
        "SELECT json_object('id', id, 'directory', directory, 'parent_id', parent_id) AS head FROM session WHERE id = ?",
        [session],
      );
      if (heads.length === 0) return [];
      const [later, values] = from === undefined ? ["", [session]] : [LATER, [session, from]];
      const wanted = `FROM message WHERE session_id = ?${later}`;
      const messages = ask(`SELECT id, data ${wanted} ORDER BY time_created, id`, values);
      const ofThem = from === undefined ? "session_id = ?" : `message_id IN (SELECT id ${wanted})`;
      const parts = grouped(ask(`SELECT message_id, data FROM part WHERE ${ofThem} ORDER BY time_created, id`, values));
      const body = messages.map((row) =>
        messageLine(text(row, "id"), text(row, "data"), parts.get(text(row, "id")) ?? []),
      );
      return [...heads.map((row) => `{"session":${text(row, "head")}}`), ...body];
    },
    linesWith(sessions, wanted, ignoreCase) {
      const data = ignoreCase ? "lower(p.data)" : "p.data";
      const found = `SELECT p.session_id AS session, m.id AS id, m.data AS message, p.data AS part FROM part p JOIN message m ON m.id = p.message_id
        WHERE p.session_id IN (SELECT value FROM json_each(?)) AND (? = '' OR instr(${data}, ?) > 0) ORDER BY p.time_created, p.id`;
      const needle = wanted ?? "";
      return ask(found, [JSON.stringify(sessions), needle, needle]).map((row) => ({
        session: text(row, "session"),
        line: messageLine(text(row, "id"), text(row, "message"), [text(row, "part")]),
      }));
    },
  };
}

/** Messages from a given one on. */
const LATER = " AND (time_created, id) >= (SELECT time_created, id FROM message WHERE id = ?)";

function query(file: string, sql: string, values: readonly (string | number)[]): readonly SqlRow[] {
  try {
    const database = openDatabase(file, { busyTimeoutMs: 2_000, journal: "delete", readOnly: true });
    try {
      return database.prepare(sql).all(values);
    } finally {
      database.close();
    }
  } catch (error) {
    throw sqliteFailure(error) === "not-sqlite" ? error : memoryErrorOf(error, file, "reading OpenCode's sessions");
  }
}

/** Rows hold JSON; the reader's own checks skip a row that does not, as an empty object. */
function messageLine(id: string, message: string, parts: readonly string[]): string {
  const info =
    message.startsWith("{") && message !== "{}"
      ? `{"id":${JSON.stringify(id)},${message.slice(1)}`
      : `{"id":${JSON.stringify(id)}}`;
  return `{"info":${info},"parts":[${parts.join(",")}]}`;
}

function text(row: SqlRow, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

function grouped(rows: readonly SqlRow[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const row of rows)
    groups.set(text(row, "message_id"), [...(groups.get(text(row, "message_id")) ?? []), text(row, "data")]);
  return groups;
}
