import { type Lineage, isLineage } from "../../core/notes/history.ts";
import { originalName } from "../../core/notes/names.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { START, type Cursor } from "../../core/sync/transport.ts";
import type { Memory } from "./memory-store.ts";

/** What is known of a memory of the store; its text is not kept here. */
export type Known = Pick<Memory, "id" | "version" | "hash" | "at">;

/** Memories by the key of their note. */
export type Entries = ReadonlyMap<string, Known>;

/** Two files of this device. What `append` and `replace` were given is on the disk when they return. */
export interface KeptFiles {
  read(name: string): string | undefined;
  replace(name: string, text: string): void;
  append(name: string, line: string): void;
}

/**
 * What this device remembers of a store: how it looked at its last cursors, and which lineage each memory is here. A
 * store has no cursors of its own, so a cursor is a random name for how it looked, and only this device knows it.
 */
export interface Snapshots {
  /** How the store looked; `undefined` for a cursor that is no longer remembered. */
  at(cursor: Cursor): Entries | undefined;
  /** A cursor for how the store looks now; `START` for an empty store. */
  save(entries: Entries): Cursor;
  /** Leaves the names of forgotten notes out of every snapshot. */
  dropDead(): void;
  /** `entries`: what the store holds beside it; a conflict copy is the note that it was made of. */
  lineageOf(id: string, key: string, entries: Entries): Lineage;
  /** Which memory is which note from here on; on the disk on return. */
  bind(id: string, lineage: Lineage): void;
  idsOf(lineage: Lineage): readonly string[];
  isDead(lineage: Lineage): boolean;
  bury(lineage: Lineage): void;
}

const SNAPSHOTS = "memory-store.json";
/** A line a memory: `ID LINEAGE`, the last one counts; `dead LINEAGE` for what was forgotten. No names. */
const LINEAGES = "memory-lineages";
const DEAD = "dead";
/** A run can be cut after it was given a page and before it took it in; the ones before help after a restore. */
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
