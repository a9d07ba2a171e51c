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

/** About 300 bytes each. A session whose cursor is gone is read again from the start, which adds nothing. */
const MOST_CURSORS = 2_000;

interface CursorFiles {
  /** Absolute; created when first needed. */
  readonly directory: string;
  readonly files: Pick<
    FilePort,
    "read" | "stat" | "list" | "create" | "rename" | "remove" | "makeDirectory" | "syncDirectory"
  >;
  /** Makes names unique to this process. */
  readonly newId: () => string;
}

/** One small file per session and store, replaced as a whole. */
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
      // Files left by a process that was killed between two steps of a write.
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
  /** Absolute; created when first needed. */
  readonly directory: string;
  readonly files: Pick<FilePort, "read" | "list" | "stat" | "note" | "rename" | "remove" | "makeDirectory">;
  /** Makes names unique to this process. */
  readonly newId: () => string;
}

export interface TakenJob {
  readonly job: CaptureJob;
  /** The work is done, or abandoned. */
  done(): void;
  /** The work went on without finishing, or failed for reasons outside the job: this attempt does not count. */
  excuse(): void;
}

/** The fields that identify a record's session and the place for its notes. */
export type MissedJob = Pick<CaptureJob, "agent" | "session" | "place">;

export interface CaptureJobs {
  /** Replaces the session's waiting record, adding what that was for. @throws MemoryError when it cannot be written. */
  keep(job: CaptureJob): void;
  /** Marks a record that could not be kept with an empty file; `false` if not even that fits on the disk. */
  miss(job: MissedJob): boolean;
  /** When such a mark was left (ms); `undefined` if there is none or a record was kept since. */
  missedAt(job: MissedJob): number | undefined;
  /** When the last such mark was left, for any session (ms). */
  lastMissed(): number | undefined;
  /** Removes files left by killed processes, and marks older than `before` (ms). */
  prune(before: number): void;
  /** Waiting and started records, oldest first. */
  waiting(): readonly CaptureJob[];
  /** Takes the oldest record that `wanted` accepts and counts an attempt. The caller must hold the worker's lock. */
  take(wanted: (job: CaptureJob) => boolean): TakenJob | undefined;
}

/**
 * One small file per session, named after a hash of it. Taking a record renames it, so that a turn that ends in the
 * meantime leaves its own record. A record taken by a killed worker remains for the next worker.
 */
export function openCaptureJobs({ directory, files, newId }: CaptureJobFiles): CaptureJobs {
  const write = (name: string, job: CaptureJob): void => {
    // A `.tmp` file is not a record, so a kill between the two steps leaves no invalid record.
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

/** Marks of sessions whose record could not be kept. */
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

/** The name alone identifies the session and the place for its notes. */
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
