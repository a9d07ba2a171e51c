import { openDatabase, memoryErrorOf, sqliteFailure } from "./driver.ts";

/** The tables of db0 (schema 6) that hold what it remembers; embeddings stay where they are. */
export const DB0_TABLES = {
  db0_memory:
    "SELECT id, content, summary, scope, tags, created_at, supersedes_id, status, source_type, confidence FROM db0_memory ORDER BY created_at, id",
  db0_state: "SELECT id, session_id, label, metadata, created_at FROM db0_state ORDER BY created_at, id",
  db0_log: "SELECT id, event, data, created_at FROM db0_log ORDER BY created_at, id",
} as const;

/** Each table as JSON lines. @throws MemoryError for a file that is not a database of db0's. */
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
