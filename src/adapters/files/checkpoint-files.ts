import { putFile } from "./node-files.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
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
  /** Marks a checkpoint as needing no more attention. One small file each, so that processes do not conflict. */
  settle(id: string, settled: Settled): void;
  settled(id: string): Settled | undefined;
}

export interface Settled {
  readonly kind: "restored" | "dismissed";
  /** Time (ms). */
  readonly time: number;
}

const NAME = /-([0-9a-f]{10})\.md$/u;

export function openCheckpointFiles(directory: string, files: FilePort): CheckpointFiles {
  const settledFile = (id: string): string => `${directory}/settled/${id}`;
  const textOf = (file: string): string | undefined => {
    const bytes = files.read(file);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  };
  return {
    all: () =>
      (files.list(directory) ?? [])
        .map(({ name }) => name)
        .toSorted()
        .flatMap((name) => {
          const id = NAME.exec(name)?.[1];
          const file = `${directory}/${name}`;
          const text = id === undefined ? undefined : textOf(file);
          return id === undefined || text === undefined ? [] : [{ id, text, path: file }];
        }),
    add(stem, id, text) {
      const file = `${directory}/${stem}-${id}.md`;
      named(directory, () => {
        files.makeDirectory(directory);
        putFile(file, text, { files, aside: `${file}.${process.pid}.tmp`, named: true });
      });
      return { id, text, path: file };
    },
    remove({ id, path: file }) {
      files.remove(file);
      files.remove(settledFile(id));
    },
    settle(id, { kind, time }) {
      named(directory, () => {
        files.makeDirectory(`${directory}/settled`);
        files.note(settledFile(id), new TextEncoder().encode(kind === "restored" ? String(time) : `${time} ${kind}`));
      });
    },
    settled(id) {
      const [time, kind] = textOf(settledFile(id))?.trim().split(" ") ?? [];
      return Number(time) > 0 ? { time: Number(time), kind: kind === "dismissed" ? kind : "restored" } : undefined;
    },
  };
}

function named(directory: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    throw new MemoryError(
      error.code,
      `the checkpoint could not be written to ${directory} (${error.message}); nothing was saved`,
      { cause: error },
    );
  }
}
