import type { Lineage } from "../notes/history.ts";
import { sha256 } from "../shared/hash.ts";
import type { BaseEntry, BaseUpdate, SyncState } from "./base.ts";
import type { RemoteEntry } from "./protocol.ts";
import type { LocalNotes, LocalStep } from "./replica.ts";

interface Draft {
  readonly text: string;
  readonly lineage: Lineage;
}

/** The notes and the base as a page of changes would leave them; nothing is written until the whole page is planned. */
export interface Workplace {
  text(key: string): string | undefined;
  lineage(key: string): Lineage | undefined;
  keysOf(lineage: Lineage): readonly string[];
  put(key: string, text: string, lineage: Lineage): void;
  /** Removes the note here; its text stays in history. */
  remove(key: string): void;
  /** Removes the note here under every name, and from the base; not a step of the commit. */
  purge(lineage: Lineage): void;
  base(key: string): BaseEntry | undefined;
  agree(entry: Exclude<RemoteEntry, { state: "forgotten" }>): void;
  disagree(key: string): void;
  baseKeys(): readonly string[];
  steps(): readonly LocalStep[];
  update(): Pick<BaseUpdate, "set" | "remove">;
}

export function openWorkplace(local: LocalNotes, state: SyncState): Workplace {
  const drafts = new Map<string, Draft | undefined>();
  const bases = new Map<string, BaseEntry | undefined>();
  const purged = new Set<Lineage>();
  const hereBefore = (key: string): boolean => {
    const lineage = local.lineage(key);
    return local.hashes.has(key) && (lineage === undefined || !purged.has(lineage));
  };
  const draft = (key: string): Draft | undefined => {
    if (drafts.has(key)) return drafts.get(key);
    const text = hereBefore(key) ? local.text(key) : undefined;
    return text === undefined ? undefined : { text, lineage: local.lineage(key) ?? "" };
  };
  const base = (key: string): BaseEntry | undefined => (bases.has(key) ? bases.get(key) : state.entries.get(key));
  const baseKeys = (): readonly string[] => [
    ...[...state.entries.keys()].filter((key) => !bases.has(key)),
    ...[...bases].flatMap(([key, entry]) => (entry === undefined ? [] : [key])),
  ];
  const keysOf = (lineage: Lineage): readonly string[] => [
    ...local.keysOf(lineage).filter((key) => !drafts.has(key) && hereBefore(key)),
    ...[...drafts].flatMap(([key, one]) => (one?.lineage === lineage ? [key] : [])),
  ];
  return {
    text: (key) => draft(key)?.text,
    lineage: (key) => draft(key)?.lineage,
    keysOf,
    put: (key, text, lineage) => drafts.set(key, { text, lineage }),
    remove: (key) => drafts.set(key, undefined),
    purge(lineage) {
      const drafted = [...drafts].filter(([, one]) => one?.lineage === lineage);
      for (const [key] of drafted) drafts.set(key, undefined);
      purged.add(lineage);
      for (const key of baseKeys()) if (base(key)?.lineage === lineage) bases.set(key, undefined);
    },
    base,
    agree(entry) {
      const { key, lineage, revision, state: now } = entry;
      const body = entry.state === "live" ? entry.body : undefined;
      const hash = body === undefined ? undefined : sha256(body);
      bases.set(key, { key, lineage, revision, state: now, hash, body });
    },
    disagree: (key) => bases.set(key, undefined),
    baseKeys,
    steps: () =>
      [...drafts].flatMap(([key, one]) => {
        const text = hereBefore(key) ? local.text(key) : undefined;
        return stepOf(key, text === undefined ? undefined : { text, lineage: local.lineage(key) ?? "" }, one);
      }),
    update: () => ({
      set: [...bases.values()].filter((entry) => entry !== undefined),
      remove: [...bases].flatMap(([key, entry]) => (entry === undefined ? [key] : [])),
    }),
  };
}

function stepOf(key: string, before: Draft | undefined, after: Draft | undefined): readonly LocalStep[] {
  if (after === undefined) return before === undefined ? [] : [{ kind: "delete", key, seen: before.text }];
  if (before === undefined) return [{ kind: "create", key, text: after.text, lineage: after.lineage }];
  if (before.lineage !== after.lineage)
    return [{ kind: "replace", key, text: after.text, seen: before.text, lineage: after.lineage }];
  if (before.text === after.text) return [];
  return [{ kind: "write", key, text: after.text, seen: before.text, lineage: after.lineage }];
}
