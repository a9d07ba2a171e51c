import type { EntryWithBody } from "../../core/server/tables.ts";
import { remoteEntry } from "../../core/server/pull.ts";
import type { Outcome, RemoteEntry } from "../../core/sync/protocol.ts";
import { spaceFor } from "./access.ts";
import type { Access } from "./audit.ts";
import type { Changes } from "./changes.ts";
import { denied, type Denial } from "./denial.ts";
import type { Ground } from "./ports.ts";

/** One note at a time, for people and scripts with nothing but an HTTP client. */
export interface Entries {
  read(access: Access, key: string): Promise<RemoteEntry<number> | Denial>;
  /** `base`: the revision that the caller saw, 0 for a note that must not be there yet. */
  write(access: Access, key: string, base: number, pushId: string, body: string): Promise<Written | Denial>;
  remove(access: Access, key: string, base: number, pushId: string): Promise<Written | Denial>;
  versions(access: Access, key: string): Promise<{ readonly versions: readonly VersionLine[] } | Denial>;
  version(access: Access, seq: number): Promise<(VersionLine & { readonly body: string | undefined }) | Denial>;
}

export interface Written {
  readonly key: string;
  readonly revision: number;
}

export interface VersionLine {
  readonly revision: number;
  readonly key: string;
  readonly state: string;
  readonly lineage: string;
  readonly by: string;
  readonly at: string;
}

const VERSIONS = 200;

export function entriesOf(ground: Ground, changes: Changes): Entries {
  const { tables } = ground.database;
  return {
    async read(access, key) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      const row = await tables.entry(spaceId, key);
      return row?.state === "live" ? remoteEntry(row) : denied("not-found", "There is no such note.");
    },
    write: (access, key, base, pushId, body) =>
      writeOne(ground, changes, access, { key, base, pushId, state: "live", body }),
    remove: (access, key, base, pushId) => writeOne(ground, changes, access, { key, base, pushId, state: "deleted" }),
    async versions(access, key) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      return { versions: (await tables.versions(spaceId, key, VERSIONS)).map(versionLine) };
    },
    async version(access, seq) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      const row = await tables.version(spaceId, seq);
      if (row === undefined || row.state === "forgotten" || row.reason === "forgotten")
        return denied("not-found", "There is no such version, or it was forgotten.");
      return {
        ...versionLine(row),
        body: row.body === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(row.body),
      };
    },
  };
}

function versionLine(row: Pick<EntryWithBody, "seq" | "key" | "state" | "lineage" | "actor" | "at">): VersionLine {
  const { seq, key, state, lineage, actor, at } = row;
  return { revision: seq, key, state, lineage, by: actor, at: new Date(at).toISOString() };
}

interface OneChange {
  readonly key: string;
  readonly base: number;
  readonly pushId: string;
  readonly state: "live" | "deleted";
  readonly body?: string;
}

async function writeOne(
  { database, random }: Ground,
  changes: Changes,
  access: Access,
  { key, base, pushId, state, body }: OneChange,
): Promise<Written | Denial> {
  const spaceId = spaceFor(access, "write");
  if (typeof spaceId !== "string") return spaceId;
  const before = await database.tables.entry(spaceId, key);
  // A note that comes back under its name is the note that went.
  const lineage = before?.lineage ?? random.lineage();
  const change = { key, lineage, base, state, ...(body === undefined ? {} : { body }) };
  const answer = await changes.push(access, pushId, [change]);
  if ("kind" in answer) return answer;
  const [outcome] = answer.outcomes;
  return outcome === undefined ? denied("invalid", "Nothing was asked.") : writtenOr(outcome, key);
}

function writtenOr(outcome: Outcome<number>, key: string): Written | Denial {
  switch (outcome.outcome) {
    case "done":
      return { key, revision: "revision" in outcome ? outcome.revision : 0 };
    case "stale":
      return denied("stale", "The note has changed since: read it again.", { revision: outcome.revision });
    case "refused": {
      const { reason, rule } = outcome;
      if (reason === "secret")
        return denied("secret", "The text holds what looks like a secret. Remove it.", { rule: rule ?? "" });
      if (reason === "size") return denied("too-large", "The text is larger than a note may be.");
      if (reason === "sealed") return denied("invalid", "This space is encrypted, and the text is not.");
      return denied("invalid", "A note's name is a relative path in Unicode form NFC.");
    }
    case "taken":
      return denied("conflict", "Another note has this name in other capitals or another Unicode form.");
    case "forgotten":
    case "group":
      return denied("conflict", "The note was forgotten.");
    // Only a repository takes proposals.
    case "proposed":
      return denied("invalid", "This server takes no proposals.");
  }
}
