import fs from "node:fs";
import path from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";

export interface StoredCheckpoint {
  readonly id: string;
  readonly text: string;
  readonly path: string;
}

/** Checkpoints as files of one directory, named by time, task and id. */
export interface CheckpointFiles {
  /** Oldest first. */
  all(): readonly StoredCheckpoint[];
  /** Durable when it returns. @throws MemoryError `permission`, `disk-full` or `io`. */
  add(stem: string, id: string, text: string): StoredCheckpoint;
  remove(checkpoint: Pick<StoredCheckpoint, "id" | "path">): void;
  /** Nobody need be told of it any more. One small file each, so that processes do not meet. */
  settle(id: string, settled: Settled): void;
  settled(id: string): Settled | undefined;
}

export interface Settled {
  readonly kind: "restored" | "dismissed";
  /** When (ms). */
  readonly time: number;
}

const NAME = /-([0-9a-f]{10})\.md$/u;

export function openCheckpointFiles(directory: string): CheckpointFiles {
  return {
    all: () => namesIn(directory).flatMap((name) => {
      const id = NAME.exec(name)?.[1];
      const file = path.join(directory, name);
      return id === undefined ? [] : [{ id, text: fs.readFileSync(file, "utf8"), path: file }];
    }),
    add(stem, id, text) {
      const file = path.join(directory, `${stem}-${id}.md`);
      try {
        fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
        writeDurably(file, text);
      } catch (error) {
        throw failure(directory, error);
      }
      return { id, text, path: file };
    },
    remove({ id, path: file }) {
      fs.rmSync(file, { force: true });
      fs.rmSync(settledFile(directory, id), { force: true });
    },
    settle(id, { kind, time }) {
      try {
        fs.mkdirSync(path.dirname(settledFile(directory, id)), { recursive: true, mode: 0o700 });
        fs.writeFileSync(settledFile(directory, id), kind === "restored" ? String(time) : `${time} ${kind}`, { mode: 0o600 });
      } catch (error) {
        throw failure(directory, error);
      }
    },
    settled(id) {
      const file = settledFile(directory, id);
      const [time, kind] = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split(" ") : [];
      return Number(time) > 0 ? { time: Number(time), kind: kind === "dismissed" ? kind : "restored" } : undefined;
    },
  };
}

function settledFile(directory: string, id: string): string {
  return path.join(directory, "settled", id);
}

function namesIn(directory: string): string[] {
  return fs.existsSync(directory) ? fs.readdirSync(directory).filter((name) => NAME.test(name)).toSorted() : [];
}

function writeDurably(file: string, text: string): void {
  const aside = `${file}.${process.pid}.tmp`;
  const handle = fs.openSync(aside, "w", 0o600);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(aside, file);
}

function failure(directory: string, cause: unknown): MemoryError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const kind = code === "EACCES" || code === "EPERM" || code === "EROFS" ? "permission" : code === "ENOSPC" ? "disk-full" : "io";
  return new MemoryError(kind, `the checkpoint could not be written to ${directory} (${cause instanceof Error ? cause.message : String(cause)}); nothing was saved`, { cause });
}
