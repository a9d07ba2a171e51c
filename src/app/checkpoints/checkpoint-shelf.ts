import path from "node:path";
import { openCheckpointFiles, type Settled, type StoredCheckpoint } from "../../adapters/files/checkpoint-files.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openRepositoryState } from "../../adapters/tree/repository-state.ts";
import type { RepositoryState } from "../../core/checkpoints/changes.ts";
import {
  type Checkpoint,
  type CheckpointFile,
  checkpointId,
  readCheckpoint,
  writeCheckpoint,
} from "../../core/checkpoints/checkpoint.ts";
import { type Unfinished, unfinishedTask } from "../../core/checkpoints/session-state.ts";
import { mayWrite } from "../workspace/modes.ts";
import { asTyped, refuseText } from "../notes/gate.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { noteCheckout } from "../workspace/checkout-note.ts";
import { checkpointsDirectory, isSpokenOf, keepNotice } from "./checkpoint-notice.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

export interface SavedCheckpoint extends Checkpoint {
  readonly path: string;
}

export type SaveResult =
  | { readonly kind: "saved"; readonly checkpoint: SavedCheckpoint }
  | { readonly kind: "refused"; readonly reason: "secret" | "hidden-characters"; readonly message: string };

/** A project's checkpoints on disk, with marks for those restored or dismissed, and the line for the next session. */
export interface CheckpointShelf {
  /** Newest first. */
  list(): readonly SavedCheckpoint[];
  /** Passes the gates; the oldest automatic checkpoints are removed to make room. */
  write(file: CheckpointFile): Promise<SaveResult>;
  remove(checkpoint: SavedCheckpoint): void;
  /** Keeps a checkpoint from elsewhere unchanged, after the gates. One that is already here stays. */
  adopt(checkpoint: SavedCheckpoint, text: string): Promise<SaveResult>;
  /** Changes nothing for an unknown id, or in a mode that forbids writing. */
  settle(id: string, kind: Settled["kind"]): void;
  settled(checkpoint: Pick<SavedCheckpoint, "id">): Settled | undefined;
  /** The checkpoint that the next session is told about. */
  spokenOf(): SavedCheckpoint | undefined;
  /** The current state of the workspace's checkout. */
  repository(): RepositoryState;
}

/** Automatic checkpoints kept per project; the oldest are removed. Requested ones stay. */
const MOST_AUTOMATIC = 20;
export function openCheckpointShelf(workspace: OpenWorkspace): CheckpointShelf {
  const { locations, clock, codec } = workspace;
  const directory = checkpointsDirectory(locations);
  const files = openCheckpointFiles(directory, nodeFiles);
  const parsed = ({ id, text, path: file }: StoredCheckpoint): SavedCheckpoint[] => {
    const checkpoint = readCheckpoint(id, text, codec);
    return checkpoint === undefined ? [] : [{ ...checkpoint, path: file }];
  };
  const list = (): SavedCheckpoint[] =>
    files
      .all()
      .flatMap(parsed)
      .toSorted((a, b) => (a.saved < b.saved ? 1 : a.saved > b.saved ? -1 : 0));
  const unfinished = (): Unfinished | undefined => unfinishedTask(list(), (id) => files.settled(id) !== undefined);
  const changed = (): void => keepNotice(directory, unfinished());
  return {
    list,
    async write(given) {
      requireWritable(workspace);
      noteCheckout(locations);
      const file = asTyped(given);
      const text = writeCheckpoint(file, codec);
      const refusal = await refusalOf(workspace, text, file);
      if (refusal !== undefined) return refusal;
      const stored = files.add(stemOf(file), checkpointId(text), text);
      for (const old of list().filter(isAutomatic).slice(MOST_AUTOMATIC)) files.remove(old);
      changed();
      const [checkpoint] = parsed(stored);
      if (checkpoint === undefined)
        throw new MemoryError("corrupt", `${stored.path} was written and cannot be read back; look at the file`);
      return { kind: "saved", checkpoint };
    },
    async adopt(checkpoint, text) {
      const known = list().find(({ id }) => id === checkpoint.id);
      if (known !== undefined) return { kind: "saved", checkpoint: known };
      const refusal = await refusalOf(workspace, text);
      if (refusal !== undefined) return refusal;
      const stored = files.add(stemOf(checkpoint), checkpoint.id, text);
      changed();
      return { kind: "saved", checkpoint: { ...checkpoint, path: stored.path } };
    },
    remove(checkpoint) {
      // A checkpoint that was read from a file elsewhere is removed here; that file stays.
      const stored = files.all().find(({ id }) => id === checkpoint.id);
      if (stored !== undefined) files.remove(stored);
      changed();
    },
    settle(id, kind) {
      if (!mayWrite(workspace.mode) || !files.all().some((one) => one.id === id)) return;
      files.settle(id, { kind, time: clock.now() });
      changed();
    },
    settled: ({ id }) => files.settled(id),
    spokenOf() {
      const task = unfinished();
      return task === undefined || !isSpokenOf(task, clock.now()) ? undefined : list().find(({ id }) => id === task.id);
    },
    repository: () => repositoryOf(locations),
  };
}

async function refusalOf(
  workspace: OpenWorkspace,
  ...values: readonly unknown[]
): Promise<Extract<SaveResult, { kind: "refused" }> | undefined> {
  const refusal = await refuseText(workspace, ...values);
  return (
    refusal && {
      kind: "refused",
      reason: refusal.reason,
      message: refusal.message.replace("nothing was written", "no checkpoint was saved"),
    }
  );
}

/** The beginning of a checkpoint's file name: when it was saved, and its task. */
function stemOf({ saved, name }: CheckpointFile): string {
  return `${saved.replace(/[-:]/gu, "").slice(0, 15)}-${fileName(name)}`;
}

function isAutomatic({ automatic }: SavedCheckpoint): boolean {
  return automatic !== undefined;
}

function repositoryOf({ cwd, memdirHome, environment }: OpenWorkspace["locations"]): RepositoryState {
  return openRepositoryState({ cwd, emptyRepository: path.join(memdirHome, "trees", "empty"), environment });
}

export function requireWritable({ mode, locations }: OpenWorkspace): void {
  if (mode === "off" || mode === "recall-only")
    throw new MemoryError("refused", `memory is ${mode} (${locations.modeReason ?? ""}); no checkpoint was written`);
}

function fileName(name: string): string {
  return (
    name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/gu, "")
      .slice(0, 40) || "task"
  );
}
