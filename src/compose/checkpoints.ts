import path from "node:path";
import { openCheckpointFiles, type StoredCheckpoint } from "../adapters/files/checkpoint-files.ts";
import { openRepositoryState } from "../adapters/tree/repository-state.ts";
import { changeLines, type RepositoryState } from "../core/checkpoints/changes.ts";
import { type Checkpoint, type CheckpointFile, checkpointId, readCheckpoint, readSections, type SectionName, SECTIONS, writeCheckpoint } from "../core/checkpoints/checkpoint.ts";
import { checkpointText } from "../core/memory/checkpoint-text.ts";
import { refuseText } from "../core/memory/remember.ts";
import { findNote, shownRef } from "../core/memory/workspace.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { oneLine, truncate } from "../core/shared/text.ts";
import { stateName } from "./locations.ts";
import { readTextFile } from "./text-file.ts";
import type { OpenWorkspace } from "./workspace.ts";

export interface CheckpointInput {
  /** The task; default: that of the last checkpoint, else the goal's first words. */
  readonly name?: string;
  readonly sections: Readonly<Partial<Record<SectionName, string>>>;
  readonly session?: string;
  readonly by?: string;
  /** Begin anew: nothing is taken over from the task's last checkpoint. */
  readonly fresh?: boolean;
}

export interface SavedCheckpoint extends Checkpoint {
  readonly path: string;
}

export type SaveResult =
  | { readonly kind: "saved"; readonly checkpoint: SavedCheckpoint }
  | { readonly kind: "refused"; readonly reason: "secret" | "hidden-characters"; readonly message: string };

/** A restored task, and what became of the repository since. */
export interface RestoredCheckpoint {
  readonly checkpoint: SavedCheckpoint;
  /** What to give the agent. */
  readonly text: string;
  readonly changes: readonly string[];
  /** Notes that the checkpoint names and that are not there. */
  readonly missingNotes: readonly string[];
}

export interface Checkpoints {
  /** Saves where a task stands; sections that are not given are taken over from the task's last checkpoint. */
  save(input: CheckpointInput): Promise<SaveResult>;
  /** Newest first. */
  list(): readonly SavedCheckpoint[];
  /** By id, by its beginning, by the name of a task (its last one), or by the path of a checkpoint file. @throws MemoryError `not-found`. */
  find(reference: string | undefined): SavedCheckpoint;
  restore(reference: string | undefined): RestoredCheckpoint;
  /** A new task that goes on from a checkpoint of another. */
  branch(reference: string | undefined, name: string): Promise<SaveResult>;
  remove(reference: string): SavedCheckpoint;
}

/** Checkpoints kept a project; the oldest go. */
const MOST_KEPT = 500;

/** The checkpoints of the project that the workspace is in. */
export function openCheckpoints(workspace: OpenWorkspace): Checkpoints {
  const { locations, clock, codec } = workspace;
  const files = openCheckpointFiles(path.join(locations.memdirHome, "checkpoints", projectName(workspace)));
  const state = (): RepositoryState => openRepositoryState({ cwd: locations.cwd, emptyRepository: path.join(locations.memdirHome, "trees", "empty"), environment: locations.environment });
  const parsed = ({ id, text, path: file }: StoredCheckpoint): SavedCheckpoint[] => {
    const checkpoint = readCheckpoint(id, text, codec);
    return checkpoint === undefined ? [] : [{ ...checkpoint, path: file }];
  };
  const list = (): SavedCheckpoint[] => files.all().flatMap(parsed).toSorted((a, b) => (a.saved < b.saved ? 1 : a.saved > b.saved ? -1 : 0));
  const find = (reference: string | undefined): SavedCheckpoint => findOne(list(), reference, workspace);
  const write = async (file: CheckpointFile): Promise<SaveResult> => {
    requireWritable(workspace);
    const text = writeCheckpoint(file, codec);
    const refusal = await refuseText(workspace, text);
    if (refusal !== undefined) return { kind: "refused", reason: refusal.reason, message: refusal.message.replace("nothing was written", "no checkpoint was saved") };
    const stored = files.add(`${file.saved.replace(/[-:]/gu, "").slice(0, 15)}-${fileName(file.name)}`, checkpointId(text), text);
    for (const old of files.all().slice(0, -MOST_KEPT)) files.remove(old);
    const [checkpoint] = parsed(stored);
    if (checkpoint === undefined) throw new MemoryError("corrupt", `${stored.path} was written and cannot be read back; look at the file`);
    return { kind: "saved", checkpoint };
  };
  const base = (): Pick<CheckpointFile, "saved" | "git"> => ({ saved: new Date(clock.now()).toISOString(), git: state().now() });
  return {
    list,
    find,
    save(input) {
      const last = input.fresh === true ? undefined : list().find(({ name }) => input.name === undefined || name === oneLine(input.name));
      const sections = { ...last?.sections, ...input.sections };
      if (SECTIONS.every((section) => (sections[section] ?? "").trim() === "")) throw new MemoryError("invalid-input", "there is nothing to save: give --goal, --next or other sections, or Markdown with such headings on standard input (`-`)");
      const name = oneLine(input.name ?? last?.name ?? "") || truncate(oneLine(sections.goal ?? sections.next ?? "task"), 50, "");
      return write({ ...base(), name, parent: last?.id, session: input.session, by: input.by ?? "user", sections });
    },
    restore(reference) {
      const checkpoint = find(reference);
      const repository = state();
      const changes = checkpoint.git === undefined ? [] : changeLines(checkpoint.git, repository.now(), repository);
      const { notes, missing } = namedNotes(workspace, checkpoint);
      return { checkpoint, changes, missingNotes: missing, text: checkpointText(checkpoint, changes, notes) };
    },
    branch(reference, name) {
      const from = find(reference);
      if (oneLine(name) === "" || oneLine(name) === from.name) throw new MemoryError("invalid-input", "a branch needs a name of its own: `memdir checkpoint branch ID NAME`");
      return write({ ...base(), name: oneLine(name), parent: from.id, session: undefined, by: "user", sections: from.sections });
    },
    remove(reference) {
      requireWritable(workspace);
      const found = find(reference);
      const stored = files.all().find(({ id }) => id === found.id);
      if (stored !== undefined) files.remove(stored);
      return found;
    },
  };
}

/** One of these, or a file that came from another device. */
function findOne(all: readonly SavedCheckpoint[], reference: string | undefined, { locations, codec }: OpenWorkspace): SavedCheckpoint {
  const [first] = all;
  if (reference === undefined) {
    if (first === undefined) throw new MemoryError("not-found", "there is no checkpoint here yet; `memdir checkpoint save --goal TEXT --next TEXT` saves one");
    return first;
  }
  const byId = all.filter(({ id }) => id.startsWith(reference.toLowerCase()));
  const found = all.find(({ id }) => id === reference) ?? all.find(({ name }) => name === oneLine(reference)) ?? (reference.length >= 3 && byId.length === 1 ? byId[0] : undefined);
  if (found !== undefined) return found;
  if (reference.endsWith(".md")) return fromFile(path.resolve(locations.cwd, reference), codec);
  throw new MemoryError("not-found", byId.length > 1 ? `several checkpoints begin with ${reference}: ${byId.map(({ id }) => id).join(", ")}` : `there is no checkpoint or task "${reference}"; \`memdir checkpoint list\` shows all`);
}

function fromFile(file: string, codec: OpenWorkspace["codec"]): SavedCheckpoint {
  const text = readTextFile(file, "a checkpoint");
  const checkpoint = readCheckpoint(checkpointId(text), text, codec);
  if (checkpoint === undefined) throw new MemoryError("invalid-input", `${file} is no checkpoint: its frontmatter has no name and time`);
  return { ...checkpoint, path: file };
}

function namedNotes(workspace: OpenWorkspace, { sections }: Checkpoint): { readonly notes: readonly { readonly file: string; readonly description: string }[]; readonly missing: readonly string[] } {
  const names = (sections.notes ?? "").split("\n").map((line) => line.replace(/^[-*]\s*/u, "").replace(/^\[\[|\]\]$/gu, "").trim()).filter((line) => line !== "");
  const found = names.map((name) => ({ name, hit: findNote(workspace, name) }));
  return {
    notes: found.flatMap(({ hit }) => (hit.found ? [{ file: shownRef(workspace, hit.ref), description: hit.ref.scoped.store.index.entry(hit.ref.file)?.description ?? "" }] : [])),
    missing: found.filter(({ hit }) => !hit.found).map(({ name }) => name),
  };
}

function requireWritable({ mode, locations }: OpenWorkspace): void {
  if (mode === "off" || mode === "recall-only") throw new MemoryError("refused", `memory is ${mode} (${locations.modeReason ?? ""}); no checkpoint was written`);
}

/** All worktrees of a project share its checkpoints. */
function projectName({ locations }: OpenWorkspace): string {
  return locations.project?.slug ?? stateName(locations.stores[0]?.directory ?? locations.cwd);
}

function fileName(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/gu, "").slice(0, 40) || "task";
}

/** The sections of a Markdown text with headings. */
export function sectionsOf(text: string): Readonly<Partial<Record<SectionName, string>>> {
  return readSections(text).sections;
}
