import { type Lineage, isLineage } from "../../core/notes/history.ts";
import { originalName } from "../../core/notes/names.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { START, type Cursor } from "../../core/sync/transport.ts";
import type { Memory } from "./memory-store.ts";

/** What is known about a memory in the store; its text is not kept here. */
export type Known = Pick<Memory, "id" | "version" | "hash" | "at">;

/** Memories by the key of their note. */
export type Entries = ReadonlyMap<string, Known>;

/** Two files of this device. Data passed to `append` and `replace` is on disk when they return. */
export interface KeptFiles {
  read(name: string): string | undefined;
  replace(name: string, text: string): void;
  append(name: string, line: string): void;
}

/**
 * What this device remembers about a store: its state at the last cursors, and the lineage of each memory. A store has
 * no cursors of its own, so a cursor is a random name for a state, known only to this device.
 */
export interface Snapshots {
  /** The store's state at a cursor; `undefined` if that cursor is no longer remembered. */
  at(cursor: Cursor): Entries | undefined;
  /** A cursor for the store's current state; `START` for an empty store. */
  save(entries: Entries): Cursor;
  /** Removes the names of forgotten notes from every snapshot. */
  dropDead(): void;
  /** `entries`: the other memories in the store. A conflict copy has the lineage of the note that it was made from. */
  lineageOf(id: string, key: string, entries: Entries): Lineage;
  /** Assigns a memory to a note from now on; on disk on return. */
  bind(id: string, lineage: Lineage): void;
  idsOf(lineage: Lineage): readonly string[];
  isDead(lineage: Lineage): boolean;
  bury(lineage: Lineage): void;
}

const SNAPSHOTS = "memory-store.json";
/** One line per memory: `ID LINEAGE`, of which the last one counts; `dead LINEAGE` for a forgotten note. No names. */
const LINEAGES = "memory-lineages";
const DEAD = "dead";
/** A run may stop after receiving a page and before saving it; older snapshots help after a restore. */
const MOST_KEPT = 8;

export function openSnapshots(files: KeptFiles, newCursor: () => string): Snapshots {
  const kept = new Map(parseSnapshots(files.read(SNAPSHOTS) ?? ""));
  const lineages = new Map<string, Lineage>();
  const dead = new Set<Lineage>();
  for (const line of (files.read(LINEAGES) ?? "").split("\n")) {
    const [id = "", lineage] = line.split(" ");
    if (!isLineage(lineage)) continue;
    if (id === DEAD) dead.add(lineage);
    else lineages.set(id, lineage);
  }
  const write = (): void => files.replace(SNAPSHOTS, JSON.stringify([...kept].map(([at, all]) => [at, [...all]])));
  const bind = (id: string, lineage: Lineage): void => {
    if (lineages.get(id) === lineage) return;
    lineages.set(id, lineage);
    files.append(LINEAGES, `${id} ${lineage}\n`);
  };
  return {
    at: (cursor) => (cursor === START ? new Map() : kept.get(cursor)),
    save(entries) {
      if (entries.size === 0) return START;
      const cursor = newCursor();
      kept.set(cursor, entries);
      for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old);
      write();
      return cursor;
    },
    dropDead() {
      const isDead = ({ id }: Known): boolean => dead.has(lineages.get(id) ?? "");
      const found = [...kept].filter(([, entries]) => [...entries.values()].some(isDead));
      for (const [at, entries] of found) kept.set(at, new Map([...entries].filter(([, one]) => !isDead(one))));
      if (found.length > 0) write();
    },
    lineageOf(id, key, entries) {
      const known = lineages.get(id);
      if (known !== undefined) return known;
      const original = originalName(key);
      const note = original === undefined ? undefined : entries.get(original);
      const lineage = (note === undefined ? undefined : lineages.get(note.id)) ?? lineageFrom(note?.id ?? id);
      bind(id, lineage);
      return lineage;
    },
    bind,
    idsOf: (lineage) => [...lineages].flatMap(([id, one]) => (one === lineage ? [id] : [])),
    isDead: (lineage) => dead.has(lineage),
    bury(lineage) {
      if (dead.has(lineage)) return;
      dead.add(lineage);
      files.append(LINEAGES, `${DEAD} ${lineage}\n`);
    },
  };
}

/** The same on every device. A `memdir-server` names memories by their lineages. */
function lineageFrom(id: string): Lineage {
  const named = id.replace(/^mem_/u, "");
  return isLineage(named) ? named : sha256(id).slice(0, 24);
}

function parseSnapshots(text: string): readonly (readonly [Cursor, Entries])[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const [cursor, entries]: unknown[] = Array.isArray(one) ? one : [];
    if (typeof cursor !== "string" || !Array.isArray(entries)) return [];
    return [[cursor, new Map(entries.flatMap(parseEntry))] as const];
  });
}

function parseEntry(value: unknown): readonly (readonly [string, Known])[] {
  const [key, known]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof key !== "string" || !isRecord(known)) return [];
  const { id, version, hash, at } = known;
  return [[key, { id: String(id), version: String(version), hash: String(hash), at: String(at) }]];
}
