import path from "node:path";
import { changeLines, type RepositoryState } from "../../core/checkpoints/changes.ts";
import {
  type AutomaticKind,
  type Checkpoint,
  type CheckpointFile,
  checkpointId,
  readCheckpoint,
  readSections,
  type SectionName,
  SECTIONS,
} from "../../core/checkpoints/checkpoint.ts";
import { isWorthKeeping, sectionsToSave, type SessionState, taskName } from "../../core/checkpoints/session-state.ts";
import { mayWrite } from "../workspace/modes.ts";
import { checkpointText } from "./checkpoint-text.ts";
import { findNote, shownRef } from "../workspace/workspace.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { oneLine } from "../../core/shared/text.ts";
import {
  type CheckpointShelf,
  openCheckpointShelf,
  requireWritable,
  type SavedCheckpoint,
  type SaveResult,
} from "./checkpoint-shelf.ts";
import { readTextFile } from "../workspace/text-file.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

export type { SavedCheckpoint, SaveResult } from "./checkpoint-shelf.ts";

export interface CheckpointInput {
  /** The task. Default: that of the last checkpoint, else the first words of the goal. */
  readonly name?: string;
  readonly sections: Readonly<Partial<Record<SectionName, string>>>;
  /** Lines appended to existing sections. */
  readonly added?: Readonly<Partial<Record<SectionName, string>>>;
  readonly session?: string;
  readonly by?: string;
  /** Starts over: takes nothing from the task's last checkpoint. */
  readonly fresh?: boolean;
}

/** What memdir itself saves of a session. */
export interface AutomaticInput {
  readonly kind: AutomaticKind;
  readonly session: string;
  readonly by: string;
  /** When it happened (ms). If long ago, the git state is left out, because it may have changed since. */
  readonly time: number;
  readonly state: SessionState;
}

/** A restored task, and what changed in the repository since. */
export interface RestoredCheckpoint {
  readonly checkpoint: SavedCheckpoint;
  /** The text for the agent. */
  readonly text: string;
  readonly changes: readonly string[];
  /** Notes that the checkpoint names and that do not exist. */
  readonly missingNotes: readonly string[];
}

export interface Checkpoints {
  /** Saves the state of a task. Missing sections are taken from the task's last checkpoint. */
  save(input: CheckpointInput): Promise<SaveResult>;
  /** Newest first. */
  list(): readonly SavedCheckpoint[];
  /** Saves the state of a session automatically. `undefined` if there is nothing to keep, or nothing new. */
  saveAutomatically(input: AutomaticInput): Promise<SaveResult | undefined>;
  /**
   * Finds by id or a prefix of it, by the name of a task (its last checkpoint), or by the path of a checkpoint file.
   * @throws MemoryError `not-found`.
   */
  find(reference: string | undefined): SavedCheckpoint;
  /** What an agent needs to continue. New sessions are no longer told about the task. */
  restore(reference: string | undefined): RestoredCheckpoint;
  /** The same without marking the task as restored. */
  preview(reference: string | undefined): RestoredCheckpoint;
  /**
   * Keeps a checkpoint file from another device among those here, so that the next save continues from it. `undefined`
   * if it is not such a file, or if nothing may be written.
   */
  adopt(reference: string | undefined): Promise<SaveResult | undefined>;
  /** How a checkpoint was settled; `undefined` if it still waits. */
  markOf(checkpoint: Pick<SavedCheckpoint, "id">): "restored" | "dismissed" | undefined;
  /**
   * New sessions are no longer told about the task. Without a reference: the task they are told about now.
   * @throws MemoryError `not-found` if there is none.
   */
  dismiss(reference: string | undefined): SavedCheckpoint;
  /** Starts a new task from a checkpoint of another. */
  branch(reference: string | undefined, name: string): Promise<SaveResult>;
  remove(reference: string): SavedCheckpoint;
}

/** For a session that ended longer ago than this, the git state is left out (ms). */
const GIT_FRESH_MS = 5 * 60_000;
/** A session that begins within this time after a restore continues what was restored (ms). */
const RESTORED_BEFORE_MS = 15_000;

/** Opens the checkpoints of the workspace's project. */
export function openCheckpoints(workspace: OpenWorkspace): Checkpoints {
  const { clock } = workspace;
  const shelf = openCheckpointShelf(workspace);
  const { list, write, settle, repository } = shelf;
  const find = (reference: string | undefined): SavedCheckpoint => findOne(list(), reference, workspace);
  const base = (): SavedAt => ({
    saved: new Date(clock.now()).toISOString(),
    git: repository().now(),
    automatic: undefined,
  });
  return {
    list,
    find,
    save: (input) => save(shelf, base(), input),
    saveAutomatically: (input) => saveAutomatically(workspace, shelf, input),
    restore(reference) {
      const restored = shown(workspace, find(reference), repository());
      settle(restored.checkpoint.id, "restored");
      return restored;
    },
    preview: (reference) => shown(workspace, find(reference), repository()),
    async adopt(reference) {
      if (reference?.endsWith(".md") !== true || !mayWrite(workspace.mode)) return undefined;
      const found = find(reference);
      return list().some(({ id, path: file }) => id === found.id && file === found.path)
        ? undefined
        : shelf.adopt(found, readTextFile(found.path, "a checkpoint"));
    },
    markOf: (checkpoint) => shelf.settled(checkpoint)?.kind,
    dismiss(reference) {
      requireWritable(workspace);
      const checkpoint = reference === undefined ? shelf.spokenOf() : find(reference);
      if (checkpoint === undefined) throw nothingToDismiss();
      settle(checkpoint.id, "dismissed");
      return checkpoint;
    },
    branch(reference, name) {
      const from = find(reference);
      if (oneLine(name) === "" || oneLine(name) === from.name)
        throw new MemoryError("invalid-input", "a branch needs a name of its own: `memdir checkpoint branch ID NAME`");
      return write({
        ...base(),
        name: oneLine(name),
        parent: from.id,
        session: undefined,
        by: "user",
        sections: from.sections,
      });
    },
    remove(reference) {
      requireWritable(workspace);
      const found = find(reference);
      shelf.remove(found);
      return found;
    },
  };
}

type SavedAt = Pick<CheckpointFile, "saved" | "git" | "automatic">;

function save(shelf: CheckpointShelf, at: SavedAt, input: CheckpointInput): Promise<SaveResult> {
  const all = shelf.list();
  const name = input.name === undefined ? presentTask(all, shelf) : oneLine(input.name);
  const last = input.fresh === true ? undefined : lastOf(all, name, shelf);
  const sections = withAdded({ ...last?.sections, ...input.sections }, input.added ?? {});
  if (SECTIONS.every((section) => (sections[section] ?? "").trim() === ""))
    throw new MemoryError(
      "invalid-input",
      "there is nothing to save: give --goal, --next or other sections, or Markdown with such headings on standard input (`-`)",
    );
  return shelf.write({
    ...at,
    name: oneLine(input.name ?? last?.name ?? "") || taskName(sections),
    parent: last?.id,
    session: input.session,
    by: input.by ?? "user",
    sections,
  });
}

function nothingToDismiss(): MemoryError {
  return new MemoryError(
    "not-found",
    "sessions hear of no unfinished task here, so there is nothing to dismiss; `memdir checkpoint list` shows all",
  );
}

async function saveAutomatically(
  { clock }: OpenWorkspace,
  shelf: CheckpointShelf,
  { kind, session, by, time, state }: AutomaticInput,
): Promise<SaveResult | undefined> {
  const { list, write, repository } = shelf;
  const all = list();
  const from = baseOf(all, state, shelf);
  const isFresh = clock.now() - time < GIT_FRESH_MS;
  const git = isFresh ? repository().now() : undefined;
  if (!isWorthKeeping(state, git?.dirty.some((file) => file.state !== "untracked") === true)) return undefined;
  const sections = sectionsToSave(state, from);
  const name = from?.name ?? taskName(sections, state.about);
  const last = all.find((one) => one.session === session && one.automatic !== undefined);
  if (last?.name === name && isSame(last.sections, sections) && last.git?.commit === git?.commit) return undefined;
  return write({
    saved: new Date(isFresh ? clock.now() : time).toISOString(),
    git,
    automatic: kind,
    name,
    parent: from?.id,
    session,
    by,
    sections,
  });
}

function withAdded(sections: Checkpoint["sections"], added: Checkpoint["sections"]): Checkpoint["sections"] {
  const grown = SECTIONS.flatMap((section): [SectionName, string][] =>
    added[section] === undefined ? [] : [[section, `${sections[section] ?? ""}\n${added[section]}`.trim()]],
  );
  return { ...sections, ...Object.fromEntries(grown) };
}

/** The task that the user last saved or restored. Automatic checkpoints do not count until they are restored. */
function presentTask(all: readonly SavedCheckpoint[], shelf: Pick<CheckpointShelf, "settled">): string | undefined {
  const asked = all.map((one) => ({
    name: one.name,
    time: Math.max(one.automatic === undefined ? Date.parse(one.saved) : 0, restoredAt(one, shelf)),
  }));
  return asked.filter(({ time }) => time > 0).toSorted((a, b) => b.time - a.time)[0]?.name;
}

/** The current state of a task: its newest checkpoint, or an older one that was restored since. */
function lastOf(
  all: readonly SavedCheckpoint[],
  name: string | undefined,
  shelf: Pick<CheckpointShelf, "settled">,
): SavedCheckpoint | undefined {
  const time = (one: SavedCheckpoint): number => Math.max(Date.parse(one.saved), restoredAt(one, shelf));
  return all.filter((one) => one.name === name).toSorted((a, b) => time(b) - time(a))[0];
}

/** When it was restored (ms); zero if it was not. */
function restoredAt(checkpoint: SavedCheckpoint, { settled }: Pick<CheckpointShelf, "settled">): number {
  const mark = settled(checkpoint);
  return mark?.kind === "restored" ? mark.time : 0;
}

/**
 * The checkpoint that a session last saved or restored: restored just before it began or, if its tool calls show it,
 * saved or restored during the session.
 */
function baseOf(
  all: readonly SavedCheckpoint[],
  { began, usesCheckpoints }: SessionState,
  shelf: Pick<CheckpointShelf, "settled">,
): SavedCheckpoint | undefined {
  const start = Date.parse(began ?? "");
  if (!Number.isFinite(start)) return undefined;
  const moments = all.flatMap((one) => [
    ...(one.automatic === undefined && usesCheckpoints ? [{ one, time: Date.parse(one.saved) }] : []),
    ...[restoredAt(one, shelf)].filter((time) => usesCheckpoints || time <= start).map((time) => ({ one, time })),
  ]);
  return moments.filter(({ time }) => time >= start - RESTORED_BEFORE_MS).toSorted((a, b) => b.time - a.time)[0]?.one;
}

function isSame(one: Checkpoint["sections"], other: Checkpoint["sections"]): boolean {
  return SECTIONS.every((section) => (one[section] ?? "").trim() === (other[section] ?? "").trim());
}

function shown(workspace: OpenWorkspace, checkpoint: SavedCheckpoint, repository: RepositoryState): RestoredCheckpoint {
  const changes = checkpoint.git === undefined ? [] : changeLines(checkpoint.git, repository.now(), repository);
  const { notes, missing } = namedNotes(workspace, checkpoint);
  return { checkpoint, changes, missingNotes: missing, text: checkpointText(checkpoint, changes, notes) };
}

/** Finds one of these checkpoints, or a file from another device. */
function findOne(
  all: readonly SavedCheckpoint[],
  reference: string | undefined,
  { locations, codec }: OpenWorkspace,
): SavedCheckpoint {
  const [first] = all;
  if (reference === undefined) {
    if (first === undefined)
      throw new MemoryError(
        "not-found",
        "there is no checkpoint here yet; `memdir checkpoint save --goal TEXT --next TEXT` saves one",
      );
    return first;
  }
  const byId = all.filter(({ id }) => id.startsWith(reference.toLowerCase()));
  const found =
    all.find(({ id }) => id === reference) ??
    all.find(({ name }) => name === oneLine(reference)) ??
    (reference.length >= 3 && byId.length === 1 ? byId[0] : undefined);
  if (found !== undefined) return found;
  if (reference.endsWith(".md")) return fromFile(path.resolve(locations.cwd, reference), codec);
  throw new MemoryError(
    "not-found",
    byId.length > 1
      ? `several checkpoints begin with ${reference}: ${byId.map(({ id }) => id).join(", ")}`
      : `there is no checkpoint or task "${reference}"; \`memdir checkpoint list\` shows all`,
  );
}

function fromFile(file: string, codec: OpenWorkspace["codec"]): SavedCheckpoint {
  const text = readTextFile(file, "a checkpoint");
  const checkpoint = readCheckpoint(checkpointId(text), text, codec);
  if (checkpoint === undefined)
    throw new MemoryError("invalid-input", `${file} is not a checkpoint: its frontmatter has no name and time`);
  return { ...checkpoint, path: file };
}

function namedNotes(
  workspace: OpenWorkspace,
  { sections }: Checkpoint,
): {
  readonly notes: readonly { readonly file: string; readonly description: string }[];
  readonly missing: readonly string[];
} {
  const names = (sections.notes ?? "")
    .split("\n")
    .map((line) =>
      line
        .replace(/^[-*]\s*/u, "")
        .replace(/^\[\[|\]\]$/gu, "")
        .trim(),
    )
    .filter((line) => line !== "");
  const found = names.map((name) => ({ name, hit: findNote(workspace, name) }));
  return {
    notes: found.flatMap(({ hit }) =>
      hit.found
        ? [
            {
              file: shownRef(workspace, hit.ref),
              description: hit.ref.scoped.store.index.entry(hit.ref.file)?.description ?? "",
            },
          ]
        : [],
    ),
    missing: found.filter(({ hit }) => !hit.found).map(({ name }) => name),
  };
}

/** The sections of a Markdown text, by its headings. */
export function sectionsOf(text: string): Readonly<Partial<Record<SectionName, string>>> {
  return readSections(text).sections;
}
