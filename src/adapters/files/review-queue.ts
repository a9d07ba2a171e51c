import { putFile } from "./node-files.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import type { StoreLock } from "../../core/notes/store.ts";
import {
  parseEntry,
  parseRule,
  ENTRY_DAYS,
  type Lapsed,
  MOST_ENTRIES,
  type ReviewEntry,
  type ReviewQueue,
  type ReviewRule,
} from "../../core/capture/review-queue.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { parseJson, record } from "../../core/shared/json.ts";

export interface ReviewFiles {
  /** Absolute; created when the first entry waits. One file per entry, rule and refusal. */
  readonly directory: string;
  readonly files: Pick<
    FilePort,
    "read" | "list" | "stat" | "create" | "rename" | "remove" | "makeDirectory" | "syncDirectory"
  >;
  /** The queue's own lock; its file is next to the directory. */
  readonly lock: StoreLock;
  readonly clock: Clock;
}

const LOCK_MS = 10_000;
const DAY_MS = 86_400_000;
/** Refused proposals are remembered as empty files, up to this number. */
const MOST_REFUSALS = 1_000;
const LAPSED = "lapsed.json";

/**
 * A directory of small files. Each is written to a temporary file, synced and renamed into place, so that after a kill
 * it is either whole or missing. Changes happen under a lock that the kernel releases.
 */
export function openReviewQueue(place: ReviewFiles): ReviewQueue {
  const { directory, files, clock } = place;
  const locked = <T>(work: () => T): T => {
    files.makeDirectory(directory);
    return place.lock.run(LOCK_MS, work);
  };
  const drop = (name: string): void => {
    files.remove(`${directory}/${name}`);
    files.syncDirectory(directory);
  };
  return {
    entries: () => fresh(place, entriesIn(place)),
    add: (entry) =>
      locked(() => {
        prune(place);
        if (isThere(place, `${entry.id}.rejected`)) return "rejected";
        if (isThere(place, `${entry.id}.json`)) return "known";
        put(place, `${entry.id}.json`, entry);
        lapse(place, entriesIn(place).slice(0, -MOST_ENTRIES));
        return "added";
      }),
    settle: (id, work) =>
      locked(() => {
        const settled = work(entriesIn(place).find((entry) => entry.id === id));
        if (settled.next === "reject") put(place, `${id}.rejected`, { time: new Date(clock.now()).toISOString() });
        if (settled.next === "remove" || settled.next === "reject") drop(`${id}.json`);
        if (settled.next === "replace") put(place, `${id}.json`, settled.entry);
        return settled.result;
      }),
    rules: () =>
      namesIn(place, /^rule-[0-9a-f]+\.json$/u)
        .flatMap((name): ReviewRule[] => {
          const rule = parseRule(textOf(place, name));
          return rule === undefined ? [] : [rule];
        })
        .toSorted((a, b) => (a.time < b.time ? -1 : 1)),
    addRule: (rule) => locked(() => put(place, `rule-${rule.id}.json`, rule)),
    removeRule: (id) =>
      namesIn(place, /^rule-/u).includes(`rule-${id}.json`) &&
      locked(() => {
        drop(`rule-${id}.json`);
        return true;
      }),
    lapsed: () => readLapsed(place),
    forgetLapsed: () => {
      if (readLapsed(place) !== undefined) locked(() => drop(LAPSED));
    },
    damaged: () => namesIn(place, ENTRY).filter((name) => parseEntry(textOf(place, name)) === undefined),
    dropAbout: (note) => {
      const about = entriesIn(place).filter(({ operation }) => operation.kind !== "create" && operation.file === note);
      if (about.length > 0) locked(() => about.forEach(({ id }) => drop(`${id}.json`)));
    },
  };
}

const ENTRY = /^[0-9a-f]+\.json$/u;

function namesIn({ directory, files }: ReviewFiles, pattern: RegExp): string[] {
  return (files.list(directory) ?? [])
    .filter(({ name, kind }) => kind === "file" && pattern.test(name))
    .map(({ name }) => name);
}

function textOf({ directory, files }: ReviewFiles, name: string): string {
  return new TextDecoder().decode(files.read(`${directory}/${name}`) ?? new Uint8Array());
}

function isThere({ directory, files }: ReviewFiles, name: string): boolean {
  return files.stat(`${directory}/${name}`) !== undefined;
}

function entriesIn(place: ReviewFiles): ReviewEntry[] {
  return namesIn(place, ENTRY)
    .flatMap((name) => {
      const entry = parseEntry(textOf(place, name));
      return entry === undefined || `${entry.id}.json` !== name ? [] : [entry];
    })
    .toSorted((a, b) => (a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time < b.time ? -1 : 1));
}

function fresh({ clock }: ReviewFiles, entries: readonly ReviewEntry[]): ReviewEntry[] {
  return entries.filter(({ time }) => clock.now() - Date.parse(time) <= ENTRY_DAYS * DAY_MS);
}

/** Removes leftovers of a kill, expired entries, and old refusals; called under the lock. */
function prune(place: ReviewFiles): void {
  const { directory, files, clock } = place;
  for (const name of namesIn(place, /\.tmp$/u)) files.remove(`${directory}/${name}`);
  const all = entriesIn(place);
  const kept = new Set(fresh(place, all));
  lapse(
    place,
    all.filter((entry) => !kept.has(entry)),
  );
  const refusals = namesIn(place, /\.rejected$/u)
    .map((name) => ({ name, time: files.stat(`${directory}/${name}`)?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  for (const [index, { name, time }] of refusals.entries())
    if (index >= MOST_REFUSALS || clock.now() - time > 365 * DAY_MS) files.remove(`${directory}/${name}`);
}

/** Removes the entries, and keeps their number until the user is told. */
function lapse(place: ReviewFiles, gone: readonly ReviewEntry[]): void {
  const [first] = gone;
  if (first === undefined) return;
  const before = readLapsed(place);
  put(place, LAPSED, { count: (before?.count ?? 0) + gone.length, since: before?.since ?? first.time });
  for (const { id } of gone) place.files.remove(`${place.directory}/${id}.json`);
  place.files.syncDirectory(place.directory);
}

function readLapsed(place: ReviewFiles): Lapsed | undefined {
  const { count, since } = record(parseJson(textOf(place, LAPSED)));
  return typeof count === "number" && typeof since === "string" ? { count, since } : undefined;
}

function put({ directory, files }: ReviewFiles, name: string, value: object): void {
  const file = `${directory}/${name}`;
  putFile(file, `${JSON.stringify(value)}\n`, { files, aside: `${file}.tmp`, named: true });
}
