import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { parseUnfinished } from "../../core/checkpoints/session-state.ts";
import type { Transfer } from "../workspace/transfer.ts";
import { handLinesOf } from "../../core/notes/index-file.ts";
import { INDEX_FILE, slugOf } from "../../core/notes/names.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { keepNotice } from "../checkpoints/checkpoint-notice.ts";
import { knownCheckouts } from "../workspace/checkouts.ts";
import { addHandLines, removeHandLines } from "./hand-lines.ts";
import type { Locations, StoreLocation } from "../workspace/locations.ts";
import {
  type CarriedLines,
  dropOperation,
  type ProjectOperation,
  type ProjectSettings,
  someLines,
  writeOperation,
} from "../workspace/operation-records.ts";
import { findTransfer } from "../workspace/transfer-records.ts";
import { undoTransfer } from "./transfers.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { isRecord, record } from "../../core/shared/json.ts";
import { changeSettings, readAllSettings } from "../workspace/settings.ts";

function readProjectSettings(memdirHome: string): ProjectSettings {
  const all = readAllSettings(memdirHome);
  return { modes: all["modes"], team: all["team"], capture: all["capture"], groups: all["groups"] };
}

/**
 * Copies the settings of one root to another, which keeps its own. `isGone`: the first root no longer exists, so its
 * settings are removed. `undefined` if there is nothing to change.
 */
function carrySettings(
  memdirHome: string,
  { from, to, isGone }: { readonly from: string; readonly to: string; readonly isGone: boolean },
): { readonly before: ProjectSettings; readonly after: ProjectSettings } | undefined {
  const before = readProjectSettings(memdirHome);
  const inSection = (section: unknown): unknown => {
    const projects = record(record(section)["projects"]);
    if (!Object.hasOwn(projects, from)) return section;
    const { [from]: own, ...others } = projects;
    return { ...record(section), projects: { [to]: own, ...others, ...(!isGone && { [from]: own }) } };
  };
  const inGroup = (roots: unknown): unknown =>
    Array.isArray(roots) && roots.includes(from)
      ? [...new Set([...roots.filter((root) => !isGone || root !== from), to])]
      : roots;
  const after: ProjectSettings = {
    modes: inSection(before.modes),
    team: inSection(before.team),
    capture: inSection(before.capture),
    groups: isRecord(before.groups)
      ? Object.fromEntries(Object.entries(before.groups).map(([name, roots]) => [name, inGroup(roots)]))
      : before.groups,
  };
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  writeProjectSettings(memdirHome, after);
  return { before, after };
}

/** Restores earlier settings; `false` if they were changed since, in which case they stay. */
function restoreSettings(
  memdirHome: string,
  { before, after }: { readonly before: ProjectSettings; readonly after: ProjectSettings },
): boolean {
  if (JSON.stringify(readProjectSettings(memdirHome)) !== JSON.stringify(after)) return false;
  writeProjectSettings(memdirHome, before);
  return true;
}

function writeProjectSettings(memdirHome: string, { modes, team, capture, groups }: ProjectSettings): void {
  const section = (value: unknown): object | undefined => (isRecord(value) ? value : undefined);
  changeSettings(memdirHome, {
    modes: section(modes),
    team: section(team),
    capture: section(capture),
    groups: section(groups),
  });
}

/** Both ends of a move between projects, as far as known. */
export interface ProjectEnds {
  readonly from: { readonly root: string | undefined; readonly slug: string };
  readonly to: { readonly root: string | undefined; readonly slug: string };
  readonly pairs: readonly { readonly from: StoreLocation; readonly to: StoreLocation }[];
  /** The whole project is moved, not only some of its notes. */
  readonly whole: boolean;
}

/** The root and the slug of the project of a notes directory or a checkout. */
export function projectEnd(locations: Locations, given: string | undefined): ProjectEnds["from"] {
  const { project, cwd } = locations;
  if (given === undefined) return { root: project?.root, slug: project?.slug ?? slugOf(cwd) };
  const target = path.resolve(cwd, given);
  if (path.basename(target) !== "memory") return { root: target, slug: slugOf(target) };
  const root = knownCheckouts(locations).findLast(({ directory }) => directory === target)?.root;
  return { root, slug: path.basename(path.dirname(target)) };
}

/** Runs the transfers and moves the other parts of the project; the record is on disk when it returns. */
export function runOperation(
  { locations: { memdirHome }, clock }: OpenWorkspace,
  { from, to, pairs, whole }: ProjectEnds,
  transfer: () => readonly Transfer[],
): ProjectOperation & { readonly done: readonly Transfer[] } {
  const lines = whole ? pairs.flatMap((pair) => carryLines(pair.from.directory, pair.to.directory)) : [];
  const done = transfer();
  const isGone = from.root !== undefined && !fs.existsSync(from.root);
  const settings =
    whole && from.root !== undefined && to.root !== undefined && from.root !== to.root
      ? carrySettings(memdirHome, { from: from.root, to: to.root, isGone })
      : undefined;
  const checkpoints = whole ? carryCheckpoints(memdirHome, from.slug, to.slug) : [];
  const operation: ProjectOperation = {
    id: randomBytes(4).toString("hex"),
    time: new Date(clock.now()).toISOString(),
    transfers: done.map(({ id }) => id),
    lines,
    gone: [],
    checkpoints,
    settings,
    isUndo: false,
  };
  writeOperation(memdirHome, operation);
  return { ...operation, done };
}

function carryLines(from: string, to: string): CarriedLines {
  const bytes = nodeFiles.read(path.join(from, INDEX_FILE));
  if (bytes === undefined) return [];
  return someLines(to, addHandLines(to, handLinesOf(new TextDecoder().decode(bytes))));
}

/** A checkpoint whose name exists at the target stays: it is the same. */
function carryCheckpoints(memdirHome: string, from: string, to: string): ProjectOperation["checkpoints"] {
  const [source, target] = [from, to].map((slug) => path.join(memdirHome, "checkpoints", slug));
  if (source === undefined || target === undefined || source === target) return [];
  const moved = ["", "settled"].flatMap((folder) =>
    (nodeFiles.list(path.join(source, folder)) ?? []).flatMap(({ name, kind }) => {
      const one = { from: path.join(source, folder, name), to: path.join(target, folder, name) };
      return kind === "file" && nodeFiles.stat(one.to) === undefined ? [one] : [];
    }),
  );
  moveFiles(moved);
  return moved;
}

function moveFiles(files: ProjectOperation["checkpoints"]): void {
  for (const { from, to } of files) {
    nodeFiles.makeDirectory(path.dirname(to));
    nodeFiles.rename(from, to);
    nodeFiles.syncDirectory(path.dirname(to));
    if (path.basename(to) === "unfinished.json") readdress(to);
  }
}

/** The notice for the next session contains the path of the checkpoint's file next to it. */
function readdress(notice: string): void {
  const task = parseUnfinished(new TextDecoder().decode(nodeFiles.read(notice)));
  if (task === undefined) return;
  keepNotice(path.dirname(notice), { ...task, path: path.join(path.dirname(notice), path.basename(task.path)) });
}

/**
 * Restores everything except what was changed since, which stays. The undo is recorded as an operation too, so that it
 * can be undone. @throws MemoryError `conflict` when a note is in the way.
 */
export function undoOperation(workspace: OpenWorkspace, operation: ProjectOperation): readonly Transfer[] {
  const { memdirHome } = workspace.locations;
  const transfers = operation.transfers.map((id) => {
    const found = findTransfer(memdirHome, id);
    if (found === undefined)
      throw new MemoryError(
        "not-found",
        `the move ${id} is older than 30 days and is not known any more; nothing was moved back`,
      );
    return found;
  });
  const back = transfers.toReversed().map((transfer) => undoTransfer(workspace, transfer));
  const gone = operation.lines.flatMap(({ directory, lines }) =>
    someLines(directory, removeHandLines(directory, lines)),
  );
  const lines = operation.gone.flatMap((one) => someLines(one.directory, addHandLines(one.directory, one.lines)));
  const isFree = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
    nodeFiles.stat(to) === undefined && nodeFiles.stat(from) !== undefined;
  const checkpoints = operation.checkpoints.map(({ from, to }) => ({ from: to, to: from })).filter(isFree);
  moveFiles(checkpoints);
  const { settings } = operation;
  const isRestored = settings !== undefined && restoreSettings(memdirHome, settings);
  writeOperation(memdirHome, {
    id: randomBytes(4).toString("hex"),
    time: new Date(workspace.clock.now()).toISOString(),
    transfers: back.map(({ id }) => id).filter((id) => !operation.transfers.includes(id)),
    lines,
    gone,
    checkpoints,
    settings: isRestored ? { before: settings.after, after: settings.before } : undefined,
    isUndo: !operation.isUndo,
  });
  dropOperation(memdirHome, operation.id);
  return back;
}
