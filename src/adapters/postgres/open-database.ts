import { CompiledQuery, Kysely, PostgresDialect, type Dialect } from "kysely";
import pg from "pg";
import type { ServerDatabase } from "../../core/server/database.ts";
import { accessTables } from "./access-tables.ts";
import { dreamTables } from "./dream-tables.ts";
import { openEmbedded } from "./embedded.ts";
import { identityTables } from "./identity-tables.ts";
import { memoryTables } from "./memory-tables.ts";
import { migrate } from "./migrate.ts";
import { noteTables } from "./note-tables.ts";
import type { Schema } from "./schema.ts";

/** Where the database is: a connection string of PostgreSQL, or a directory of one's own. */
export type DatabasePlace = { readonly url: string; readonly connections?: number } | { readonly directory: string };

/** Opens the database and brings its schema up to date. */
export async function openDatabase(place: DatabasePlace): Promise<ServerDatabase> {
  const embedded = "directory" in place ? await openEmbedded(place.directory) : undefined;
  const dialect = embedded?.dialect ?? ("url" in place ? serverDialect(place.url, place.connections ?? 10) : undefined);
  if (dialect === undefined) throw new TypeError("a place is a URL or a directory");
  const db = new Kysely<Schema>({ dialect });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    tables: {
      ...noteTables(db),
      ...accessTables(db),
      ...identityTables(db),
      ...memoryTables(db),
      ...dreamTables(db),
    },
    query: async (text, values = []) =>
      (await db.executeQuery<Readonly<Record<string, unknown>>>(CompiledQuery.raw(text, [...values]))).rows,
    embedded,
    close: () => db.destroy(),
  };
}

const INT8 = 20;

function serverDialect(connectionString: string, max: number): Dialect {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 10_000,
    // A statement that takes longer has lost its client.
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // The pool replaces a connection that breaks while it is idle; the next statement tells when there is no other.
  pool.on("error", () => undefined);
  return new PostgresDialect({ pool });
}
