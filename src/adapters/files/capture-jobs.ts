import {
  type CaptureJob,
  type CursorKey,
  type Cursors,
  parseCaptureJob,
  parseCursor,
  withWaiting,
} from "../../core/transcripts/capture-job.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { unlessImpossible, putFile } from "./node-files.ts";

/** Some 300 bytes each. A session whose cursor is gone is read anew, which adds nothing. */
const MOST_CURSORS = 2_000;

interface CursorFiles {
  /** Absolute; made when first needed. */
  readonly directory: string;
  readonly files: Pick<
    FilePort,
    "read" | "stat" | "list" | "create" | "rename" | "remove" | "makeDirectory" | "syncDirectory"
  >;
  /** For names that no other process uses. */
  readonly newId: () => string;
}

/** One small file a session and store, replaced as a whole. */
export function openCursors({ directory, files, newId }: CursorFiles): Cursors {
  return {
    read(key) {
      const bytes = files.read(fileOf(directory, key));
      return bytes === undefined ? undefined : parseCursor(new TextDecoder().decode(bytes));
    },
    write(key, cursor) {
      files.makeDirectory(directory);
      const file = fileOf(directory, key);
      putFile(file, JSON.stringify(cursor), { files, aside: `${file}.${newId()}.tmp`, named: true });
    },
    prune() {
      const names = (files.list(directory) ?? [])
        .filter(({ kind }) => kind === "file")
        .map(({ name }) => `${directory}/${name}`);
      // What a kill left between two steps of a write.
      for (const file of names) if (file.endsWith(".tmp")) files.remove(file);
      const kept = names.filter((file) => file.endsWith(".json"));
      const byAge = kept
        .map((file) => ({ file, time: files.stat(file)?.mtimeMs ?? 0 }))
        .toSorted((a, b) => b.time - a.time);
      for (const { file } of byAge.slice(MOST_CURSORS)) files.remove(file);
    },
  };
}

function fileOf(directory: string, { agent, session, store }: CursorKey): string {
  return `${directory}/${sha256(`${agent}\n${session}\n${store}`).slice(0, 32)}.json`;
}

export interface CaptureJobFiles {
  /** Absolute; made when first needed. */
  readonly directory: string;
  readonly files: Pick<FilePort, "read" | "list" | "stat" | "note" | "rename" | "remove" | "makeDirectory">;
  /** For names that no other process uses. */
  readonly newId: () => string;
}

export interface TakenJob {
  readonly job: CaptureJob;
  /** The work is done, or given up. */
  done(): void;
  /** It went on and is not done, or could not be done through no fault of its own: this attempt does not count. */
  excuse(): void;
}

/** What decides whose record it is, and where its notes go. */
export type MissedJob = Pick<CaptureJob, "agent" | "session" | "place">;

export interface CaptureJobs {
  /** Takes the place of what waits for the same session, with what that was for. @throws MemoryError when it cannot be written. */
  keep(job: CaptureJob): void;
  /** Leaves word that a record could not be kept: an empty file, for which a full disk nearly always has room. `false` where there is none. */
  miss(job: MissedJob): boolean;
  /** Whether such word was left and no record was kept since; when (ms). */
  missedAt(job: MissedJob): number | undefined;
  /** When the last word of that kind was left, of whatever session (ms). */
  lastMissed(): number | undefined;
  /** Removes what kills left, and word of sessions that nobody asked for since `before` (ms). */
  prune(before: number): void;
  /** Waiting and begun ones, oldest first. */
  waiting(): readonly CaptureJob[];
  /** The oldest that `wanted` accepts, marked as begun once more; whoever holds the worker's lock may ask. */
  take(wanted: (job: CaptureJob) => boolean): TakenJob | undefined;
}

/**
 * One small file a session, named after a hash of it. Taking renames it, so that a turn that ends meanwhile
 * leaves a record of its own; a worker that is killed leaves what it had taken, for the next.
 */
export function openCaptureJobs({ directory, files, newId }: CaptureJobFiles): CaptureJobs {
  const write = (name: string, job: CaptureJob): void => {
    // `.tmp` is not a record: a kill between the two steps leaves nothing that is taken for one.
    const temporary = `${directory}/${name}.${newId()}.tmp`;
    try {
      files.note(temporary, new TextEncoder().encode(JSON.stringify(job)));
      files.rename(temporary, `${directory}/${name}`);
    } catch (error) {
      files.remove(temporary);
      throw error;
    }
  };
  const records = (): { readonly name: string; readonly job: CaptureJob }[] =>
    (files.list(directory) ?? [])
      .filter(({ name, kind }) => kind === "file" && (name.endsWith(WAITING) || name.endsWith(BEGUN)))
      .flatMap(({ name }) => {
        const bytes = files.read(`${directory}/${name}`);
        const job = bytes === undefined ? undefined : parseCaptureJob(new TextDecoder().decode(bytes));
        return job === undefined ? [] : [{ name, job }];
      })
      .toSorted((a, b) => a.job.time - b.job.time);
  return {
    ...openMissed(directory, files),
    keep(job) {
      files.makeDirectory(directory);
      const name = `${keyOf(job)}${WAITING}`;
      const bytes = files.read(`${directory}/${name}`);
      write(name, withWaiting(job, bytes === undefined ? undefined : parseCaptureJob(new TextDecoder().decode(bytes))));
      if (job.capture) files.remove(missedFile(directory, job));
    },
    waiting: () => records().map(({ job }) => job),
    take(wanted) {
      const next = records().find(({ job }) => wanted(job));
      if (next === undefined) return undefined;
      const begun = `${keyOf(next.job)}${BEGUN}`;
      if (next.name !== begun && files.rename(`${directory}/${next.name}`, `${directory}/${begun}`) !== "renamed")
        return undefined;
      const job = { ...next.job, attempts: next.job.attempts + 1 };
      write(begun, job);
      return {
        job,
        done: () => files.remove(`${directory}/${begun}`),
        excuse: () => write(begun, { ...job, attempts: 0 }),
      };
    },
  };
}

/** Word of sessions whose record could not be kept. */
function openMissed(
  directory: string,
  files: CaptureJobFiles["files"],
): Pick<CaptureJobs, "miss" | "missedAt" | "lastMissed" | "prune"> {
  const missedFiles = (): readonly string[] => namesEnding(MISSED).map((name) => `${directory}/${name}`);
  const namesEnding = (end: string): readonly string[] =>
    (files.list(directory) ?? []).filter(({ name }) => name.endsWith(end)).map(({ name }) => name);
  const timeOf = (file: string): number | undefined => files.stat(file)?.mtimeMs;
  return {
    miss: (job) =>
      unlessImpossible(() => {
        files.note(missedFile(directory, job), new Uint8Array());
        return true;
      }) ?? false,
    missedAt: (job) => timeOf(missedFile(directory, job)),
    lastMissed() {
      const times = missedFiles().flatMap((file) => timeOf(file) ?? []);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    prune(before) {
      const left = namesEnding(".tmp").map((name) => `${directory}/${name}`);
      for (const file of [...left, ...missedFiles()]) if ((timeOf(file) ?? before) < before) files.remove(file);
    },
  };
}

/** Of its name alone: a session, and the place that its notes go to. */
function missedFile(directory: string, { agent, session, place }: MissedJob): string {
  const where = Object.entries(place).toSorted(([a], [b]) => a.localeCompare(b));
  return `${directory}/${sha256(JSON.stringify([agent, session, where])).slice(0, 32)}${MISSED}`;
}

const MISSED = ".missed";

const WAITING = ".json";

const BEGUN = ".begun";

function keyOf({ agent, session, transcript, handedOver }: CaptureJob): string {
  return sha256([agent, session, ...(handedOver ? [transcript] : [])].join("\n")).slice(0, 32);
}
