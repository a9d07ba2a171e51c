import pg from "pg";
import { MemoryError } from "../../core/shared/errors.ts";

/** Longest wait for a connection (ms). */
const CONNECT_MS = 10_000;

/**
 * The results of read-only queries, each as JSON lines, from one snapshot of the database.
 * @throws MemoryError `unavailable`; the address, which may hold a password, is not in its message.
 */
export async function readPostgresTables(
  address: string,
  queries: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const tables: Record<string, string> = {};
    for (const [table, query] of Object.entries(queries)) {
      const { rows }: pg.QueryResult<object> = await client.query(query);
      tables[table] = rows.map((row) => JSON.stringify(row)).join("\n");
    }
    return tables;
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replaceAll(address, "the address");
    throw new MemoryError("unavailable", `db0's database could not be read: ${why}`);
  } finally {
    await client.end().catch(() => undefined); // it was never connected
  }
}
