import { CompiledQuery, type Dialect, Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { ServerDatabase } from "../../core/server/database.ts";
import { accessTables, identityTables } from "./access-tables.ts";
import { DREAM_MIGRATION, dreamTables } from "./dream-tables.ts";
import { openEmbedded } from "./embedded.ts";
import { memoryTables } from "./memory-tables.ts";
import { noteTables } from "./note-tables.ts";
import type { Schema } from "./schema.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { retried } from "./rows.ts";

/**
 * The schema, as migration steps; a step is never changed after a release. Every key of a space's tables begins with
 * the space, and there is no sequence, trigger, advisory lock or foreign key, so the same schema can be distributed.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create table users (
       user_id uuid primary key, login text not null unique, owner boolean not null,
       created_at timestamptz not null, disabled_at timestamptz)`,
    `create table devices (
       device_id uuid primary key, user_id uuid not null, name text not null,
       created_at timestamptz not null)`,
    `create table tokens (
       token_hash text primary key, token_id text not null unique, user_id uuid not null, device_id uuid not null,
       scope_role text not null, scope_space uuid,
       created_at timestamptz not null, expires_at timestamptz, revoked_at timestamptz)`,
    `create table spaces (
       space_id uuid primary key, kind text not null, name text not null, identity text not null,
       sealed boolean not null, head bigint not null, mark text not null, floor bigint not null,
       live_entries integer not null, live_bytes bigint not null,
       max_entries integer not null, max_bytes bigint not null)`,
    `create table members (
       space_id uuid not null, user_id uuid not null, role text not null, source text not null,
       checked_at timestamptz not null, primary key (space_id, user_id))`,
    `create index members_by_user on members (user_id)`,
    `create table entries (
       space_id uuid not null, key text not null, fold text not null, seq bigint not null, state text not null,
       hash text, lineage text not null, size integer not null, primary key (space_id, key))`,
    `create unique index entries_by_seq on entries (space_id, seq)`,
    `create index entries_by_lineage on entries (space_id, lineage)`,
    `create index entries_by_fold on entries (space_id, fold)`,
    `create table versions (
       space_id uuid not null, seq bigint not null, key text not null, state text not null, hash text, body bytea,
       lineage text not null, base bigint not null, device_id uuid not null, push_id text not null,
       actor text not null, reason text not null, at timestamptz not null, mark text not null,
       primary key (space_id, seq))`,
    `create unique index versions_by_push on versions (space_id, push_id, key)`,
    `create index versions_by_lineage on versions (space_id, lineage)`,
    `create index versions_by_key on versions (space_id, key, seq)`,
    `create table forgotten (
       space_id uuid not null, lineage text not null, seq bigint not null, at timestamptz not null,
       device_id uuid not null, primary key (space_id, lineage))`,
    `create table replicas (
       space_id uuid not null, device_id uuid not null, cursor bigint not null, seen_at timestamptz not null,
       primary key (space_id, device_id))`,
    `create table audit (
       space_id uuid not null, at timestamptz not null, id uuid not null, user_id uuid not null,
       device_id uuid not null, action text not null, detail jsonb not null, primary key (space_id, at, id))`,
    `create table probes (id integer primary key, at timestamptz not null)`,
  ],
  // Stores of the memory API are spaces with a few more fields; single versions can be redacted.
  [
    `alter table spaces
       add column description text not null default '', add column metadata text not null default '{}',
       add column created_at timestamptz not null default now(),
       add column updated_at timestamptz not null default now(), add column archived_at timestamptz`,
    `alter table versions add column redacted_at timestamptz, add column redacted_by uuid`,
  ],
  DREAM_MIGRATION,
];

/** Steps with fixed numbers; each runs once, whatever its number. */
const NUMBERED: Readonly<Record<number, readonly string[]>> = {
  // Users as GitHub or an OIDC provider identifies them.
  10: [
    `create table identities (
       provider text not null, provider_id text not null, user_id uuid not null, sealed_token text,
       at timestamptz not null, primary key (provider, provider_id))`,
    `create index identities_by_user on identities (user_id)`,
    `create index audit_by_time on audit (at)`,
  ],
};

const STEPS: ReadonlyMap<number, readonly string[]> = new Map([
  ...MIGRATIONS.map((statements, place) => [place + 1, statements] as const),
  ...Object.entries(NUMBERED).map(([version, statements]) => [Number(version), statements] as const),
]);

/** The first statement reveals any problem with the address, the login or the permissions. */
async function reach(db: Kysely<Schema>, place: DatabasePlace): Promise<void> {
  try {
    await retried(async () => {
      await sql`create table if not exists schema_version (version integer primary key, at timestamptz not null)`.execute(
        db,
      );
    });
  } catch (error) {
    if (!("url" in place)) throw error;
    // If a host has several addresses, each has its own error.
    const reason: unknown = error instanceof AggregateError ? error.errors[0] : error;
    const words = reason instanceof Error ? reason.message : String(reason);
    throw new MemoryError("unavailable", `The database cannot be used: ${words}`, { cause: error });
  }
}

/**
 * Brings the schema to this version, in one transaction; processes that start at the same time wait for each other.
 * @throws MemoryError `unavailable` when a newer version made the schema.
 */
async function migrate(db: Kysely<Schema>): Promise<void> {
  await retried(() =>
    db.transaction().execute(async (tx) => {
      await sql`lock table schema_version in exclusive mode`.execute(tx);
      const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(tx);
      const present = new Set(rows.map(({ version }) => version));
      const unknown = [...present].find((version) => !STEPS.has(version));
      if (unknown !== undefined)
        throw new MemoryError(
          "unavailable",
          `The database has schema ${unknown}, which this memdir-server does not know: it knows ${[...STEPS.keys()].join(", ")}. Install the version that made it, or a later one.`,
        );
      for (const [version, statements] of STEPS) {
        if (present.has(version)) continue;
        for (const statement of statements) await sql.raw(statement).execute(tx);
        await sql`insert into schema_version values (${version}, now())`.execute(tx);
      }
    }),
  );
}

/** The database's location: a PostgreSQL connection string, or a directory for the embedded database. */
export type DatabasePlace = { readonly url: string; readonly connections?: number } | { readonly directory: string };

/** Opens the database and brings its schema up to date. */
export async function openDatabase(place: DatabasePlace): Promise<ServerDatabase> {
  const embedded = "directory" in place ? await openEmbedded(place.directory) : undefined;
  const dialect = embedded?.dialect ?? ("url" in place ? serverDialect(place.url, place.connections ?? 10) : undefined);
  if (dialect === undefined) throw new TypeError("a place is a URL or a directory");
  const db = new Kysely<Schema>({ dialect });
  try {
    await reach(db, place);
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
  // Text that is not an address would be used as the name of a host or a database.
  if (!/^postgres(?:ql)?:\/\//u.test(connectionString))
    throw new MemoryError("invalid-input", "The address of a database begins with postgres://.");
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 10_000,
    // The client of a slower statement has already given up.
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // The pool replaces a connection that breaks while idle; if that fails, the next statement reports it.
  pool.on("error", () => undefined);
  return new PostgresDialect({ pool });
}
