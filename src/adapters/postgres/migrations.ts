import { DREAM_MIGRATION } from "./dream-tables.ts";

/**
 * The schema, as the steps that made it; a step is never changed after a release. Every key of a space's tables begins
 * with the space, and there is no sequence, trigger, advisory lock or foreign key: the same schema can be distributed.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
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
  // Stores of the memory API are spaces with a few words more; single versions can be redacted.
  [
    `alter table spaces
       add column description text not null default '', add column metadata text not null default '{}',
       add column created_at timestamptz not null default now(),
       add column updated_at timestamptz not null default now(), add column archived_at timestamptz`,
    `alter table versions add column redacted_at timestamptz, add column redacted_by uuid`,
  ],
  DREAM_MIGRATION,
];

/** Steps with a number of their own; each runs once, whatever its number. */
export const NUMBERED: Readonly<Record<number, readonly string[]>> = {
  // Users as GitHub or an OIDC provider knows them.
  10: [
    `create table identities (
       provider text not null, provider_id text not null, user_id uuid not null, sealed_token text,
       at timestamptz not null, primary key (provider, provider_id))`,
    `create index identities_by_user on identities (user_id)`,
    `create index audit_by_time on audit (at)`,
  ],
};
