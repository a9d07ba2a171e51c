import type { SqlDatabase, SqlStatement } from "./driver.ts";
import { numberOf, packed, textOf, unpack } from "./index-rows.ts";

type Prepare = (sql: string) => SqlStatement;

interface Known {
  /** SQLite's count of commits by other connections. */
  readonly version: number;
  readonly documents: Map<string, number>;
}

/** Counting the notes that have a common word means walking its list: a third of a warm recall. */
const known = new WeakMap<SqlDatabase, Known>();
const MOST_WORDS = 5_000;
const COLUMNS = ["term", "notes"] as const;

/** How many notes have each term; terms that none has are left out. In the order of the query: sums of weights must not depend on the database. */
export function documentFrequencies(
  database: SqlDatabase,
  prepare: Prepare,
  terms: readonly string[],
): Map<string, number> {
  const { documents } = current(database, prepare);
  const unknown = terms.filter((term) => !documents.has(term));
  if (unknown.length > 0) {
    if (documents.size > MOST_WORDS) documents.clear();
    const read = prepare(
      `SELECT ${packed(COLUMNS)} AS rows FROM frequency WHERE term IN (SELECT value FROM json_each(?))`,
    ).get([JSON.stringify(unknown)]);
    const counted = new Map(
      unpack(read?.["rows"], COLUMNS).map((row) => [textOf(row, "term"), numberOf(row, "notes")]),
    );
    for (const term of unknown) documents.set(term, counted.get(term) ?? 0);
  }
  return new Map(
    terms.flatMap((term) => {
      const count = documents.get(term) ?? 0;
      return count > 0 ? [[term, count] as const] : [];
    }),
  );
}

/** After a change through this connection, which SQLite's count does not show. */
export function forgetFrequencies(database: SqlDatabase): void {
  known.delete(database);
}

function current(database: SqlDatabase, prepare: Prepare): Known {
  const version = numberOf(prepare("PRAGMA data_version").get([]), "data_version");
  const kept = known.get(database);
  if (kept?.version === version) return kept;
  const fresh: Known = { version, documents: new Map() };
  known.set(database, fresh);
  return fresh;
}
