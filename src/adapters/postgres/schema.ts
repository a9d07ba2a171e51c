import type { JSONColumnType } from "kysely";

interface UserColumns {
  user_id: string;
  login: string;
  owner: boolean;
  created_at: Date;
  disabled_at: Date | null;
}

interface DeviceColumns {
  device_id: string;
  user_id: string;
  name: string;
  created_at: Date;
}

interface TokenColumns {
  token_hash: string;
  token_id: string;
  user_id: string;
  device_id: string;
  scope_role: string;
  scope_space: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface SpaceColumns {
  space_id: string;
  kind: string;
  name: string;
  identity: string;
  sealed: boolean;
  head: number;
  mark: string;
  floor: number;
  live_entries: number;
  live_bytes: number;
  max_entries: number;
  max_bytes: number;
  description: string;
  /** JSON. */
  metadata: string;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
}

interface MemberColumns {
  space_id: string;
  user_id: string;
  role: string;
  source: string;
  checked_at: Date;
}

export interface EntryColumns {
  space_id: string;
  key: string;
  fold: string;
  seq: number;
  state: string;
  hash: string | null;
  lineage: string;
  size: number;
}

export interface VersionColumns {
  space_id: string;
  seq: number;
  key: string;
  state: string;
  hash: string | null;
  body: Uint8Array | null;
  lineage: string;
  base: number;
  device_id: string;
  push_id: string;
  actor: string;
  reason: string;
  at: Date;
  mark: string;
  redacted_at: Date | null;
  redacted_by: string | null;
}

interface ForgottenColumns {
  space_id: string;
  lineage: string;
  seq: number;
  at: Date;
  device_id: string;
}

interface ReplicaColumns {
  space_id: string;
  device_id: string;
  cursor: number;
  seen_at: Date;
}

interface AuditColumns {
  space_id: string;
  at: Date;
  id: string;
  user_id: string;
  device_id: string;
  action: string;
  detail: JSONColumnType<Record<string, unknown>>;
}

interface IdentityColumns {
  provider: string;
  provider_id: string;
  user_id: string;
  /** Gives the server access to the provider; sealed with a key that is not in the database. */
  sealed_token: string | null;
  at: Date;
}

interface SessionColumns {
  session_id: string;
  user_id: string;
  created_at: Date;
  body: string;
}

export interface DreamColumns {
  dream_id: string;
  user_id: string;
  login: string;
  device_id: string;
  space_id: string;
  /** JSON, as are `error` and `usage`. */
  session_ids: string;
  updates: boolean;
  model: string;
  instructions: string | null;
  status: string;
  created_at: Date;
  ended_at: Date | null;
  archived_at: Date | null;
  output_id: string | null;
  error: string | null;
  usage: string;
  holder: string | null;
  held_until: Date | null;
}

/** The tables of the migrations. 64-bit numbers are read as numbers: a space has far fewer than 2^53 changes. */
export interface Schema {
  users: UserColumns;
  devices: DeviceColumns;
  tokens: TokenColumns;
  spaces: SpaceColumns;
  members: MemberColumns;
  entries: EntryColumns;
  versions: VersionColumns;
  forgotten: ForgottenColumns;
  replicas: ReplicaColumns;
  audit: AuditColumns;
  identities: IdentityColumns;
  dreams: DreamColumns;
  dream_sessions: SessionColumns;
  probes: { id: number; at: Date };
}
