import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { looksPacked, unpack } from "../../adapters/archive/tar.ts";
import { lifeStep } from "../../adapters/files/journal.ts";
import {
  type ExportedFile,
  exportedFile,
  type ExportedStore,
  MANIFEST,
  type Manifest,
  parseHistory,
  parseManifest,
} from "./exported.ts";
import { handLinesOf } from "../../core/notes/index-file.ts";
import { type Transaction, type Lives, traceLives } from "../../core/notes/history.ts";
import { codeOf, MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { shownName } from "../../core/shared/sanitize.ts";
import { counted } from "../../core/shared/text.ts";
import { type ArchivedFile, type Gate, openGate } from "./archive-gate.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** What is not imported from an export, and why; the reason never contains the secret. */
export interface LeftOut {
  readonly file: string;
  readonly why: string;
}

/** One store of an export as it may be imported: without what the gates refuse. */
export interface ArchivedStore {
  readonly exported: ExportedStore;
  readonly notes: readonly ArchivedFile[];
  /** Hand-written lines of its MEMORY.md. */
  readonly handLines: readonly string[];
  readonly past: readonly Transaction[];
  /** The identity of each file, from the whole history: a note keeps it even if a version is left out. */
  readonly lives: Lives;
  readonly logs: readonly ArchivedFile[];
  readonly leftOut: readonly LeftOut[];
}

/** An export that was read completely: nothing is read again during the import. */
export interface OpenedArchive {
  readonly here: string;
  readonly stores: readonly ArchivedStore[];
  /** Files of checkpoints, each as `PROJECT/FILE`. */
  readonly checkpoints: readonly ArchivedFile[];
  /** Checkpoints that are not imported; the stores list their own omissions. */
  readonly leftOut: readonly LeftOut[];
}

/** Whether a path is an export of memdir, packed or not. */
export function isArchive(target: string): boolean {
  const stat = fs.statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  return stat.isDirectory() ? fs.existsSync(path.join(target, MANIFEST)) : stat.isFile() && looksPacked(target);
}

/**
 * Reads an export and checks all of it before anything is used: the form of every part, every hash, every name, and
 * each text by the gates of a new note.
 * @throws MemoryError `corrupt` if memdir did not write it, `not-found`, `unavailable` if a newer memdir wrote it.
 */
export async function openArchive(
  workspace: Pick<OpenWorkspace, "secrets" | "codec">,
  target: string,
): Promise<OpenedArchive> {
  if (!fs.existsSync(target)) throw new MemoryError("not-found", `there is no ${target}`);
  const isPacked = fs.statSync(target).isFile();
  const root = isPacked ? fs.mkdtempSync(path.join(os.tmpdir(), "memdir-import-")) : fs.realpathSync(target);
  try {
    if (isPacked) unpack(target, root);
    return await judge(openGate(workspace), readFiles(root, target));
  } finally {
    if (isPacked) fs.rmSync(root, { recursive: true, force: true });
  }
}

interface ReadFiles {
  readonly manifest: Manifest;
  readonly files: readonly { readonly of: ExportedFile; readonly path: string; readonly bytes: Uint8Array }[];
}

function readFiles(root: string, target: string): ReadFiles {
  const present = new Map(plainFiles(root, target).map((file) => [file, readPlain(path.join(root, file))]));
  const head = present.get(MANIFEST);
  if (head === undefined)
    throw new MemoryError("corrupt", `${target} is not an export of memdir: it has no ${MANIFEST}`);
  present.delete(MANIFEST);
  const manifest = parseManifest(decode(head, MANIFEST));
  const { files } = manifest;
  const wrong = [
    ...Object.keys(files)
      .filter((file) => !present.has(file))
      .map((file) => `${shownName(file)} is missing`),
    ...[...present].flatMap(([file, bytes]) => {
      if (!Object.hasOwn(files, file)) return [`${shownName(file)} is not in the manifest`];
      return sha256(bytes) === files[file] ? [] : [`${shownName(file)} was changed`];
    }),
  ];
  if (wrong.length > 0)
    throw new MemoryError(
      "corrupt",
      `${target} is not as it was exported: ${wrong.slice(0, 5).join("; ")}${wrong.length > 5 ? ` and ${wrong.length - 5} more` : ""}; nothing was imported`,
    );
  return {
    manifest,
    files: [...present].flatMap(([file, bytes]) => {
      const of = exportedFile(manifest, file);
      return of === undefined ? [] : [{ of, path: file, bytes }];
    }),
  };
}

/** Every file below a directory. @throws MemoryError `corrupt` for a link: its target is not in the export. */
function plainFiles(root: string, target: string): readonly string[] {
  const visit = (below: string): string[] =>
    fs.readdirSync(path.join(root, below), { withFileTypes: true }).flatMap((entry) => {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return visit(name);
      if (entry.isFile()) return [name];
      throw new MemoryError(
        "corrupt",
        `${target} holds ${shownName(name)}, which is ${entry.isSymbolicLink() ? "a symbolic link" : "neither file nor directory"}; no link is followed, nothing was imported`,
      );
    });
  return visit("").toSorted();
}

/** Does not follow a link that replaced the file after listing. */
function readPlain(file: string): Uint8Array {
  try {
    // Windows lacks this flag; there it counts as 0.
    const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    try {
      return fs.readFileSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch (error) {
    if (codeOf(error) === "") throw error;
    throw new MemoryError("io", `${file} cannot be read (${codeOf(error)}); nothing was imported`, { cause: error });
  }
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new MemoryError("corrupt", `${what} of the export is not UTF-8; nothing was imported`, { cause: error });
  }
}

async function judge(gate: Gate, { manifest, files }: ReadFiles): Promise<OpenedArchive> {
  const stores: ArchivedStore[] = [];
  await requireNames(gate, [manifest.here, ...manifest.stores.map(({ name }) => name)]);
  for (const exported of manifest.stores) stores.push(await judgeStore(gate, exported, files));
  const checkpoints = files.flatMap(({ of, bytes }) =>
    of.kind === "checkpoint" ? [{ file: `${of.project}/${of.file}`, bytes }] : [],
  );
  const judged = await partition(checkpoints, (one) => gate.refusesCheckpoint(one));
  return { here: manifest.here, stores, checkpoints: judged.kept, leftOut: judged.leftOut };
}

/** The names become directories, so one refused name refuses the whole archive. */
async function requireNames(gate: Gate, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const why = await gate.refusesText(name);
    if (why !== undefined)
      throw new MemoryError("refused", `the name of a store in the export is refused: ${why}; nothing was imported`);
  }
}

async function judgeStore(gate: Gate, exported: ExportedStore, files: ReadFiles["files"]): Promise<ArchivedStore> {
  const filesOf = (kind: "note" | "log"): ArchivedFile[] =>
    files.flatMap(({ of, bytes }) => (of.kind === kind && of.store === exported ? [{ file: of.file, bytes }] : []));
  const textOf = (kind: "page" | "history"): string => {
    const found = files.find(({ of }) => of.kind === kind && of.store === exported);
    return found === undefined ? "" : decode(found.bytes, found.path);
  };
  const past = parseHistory(textOf("history"));
  const [notes, logs] = [filesOf("note"), filesOf("log")];
  const counts = [
    [notes.length, exported.notes, "notes"],
    [past.length, exported.versions, "versions"],
    [logs.length, exported.logs ?? 0, "days of logs"],
  ] as const;
  const wrong = counts.find(([found, told]) => found !== told);
  if (wrong !== undefined)
    throw new MemoryError(
      "corrupt",
      `${shownName(exported.path)} has ${wrong[0]} ${wrong[2]} where the export's manifest says ${wrong[1]}; nothing was imported`,
    );
  const judgedNotes = await partition(notes, (one) => gate.refusesNote(one));
  const judgedLogs = await partition(logs, (one) => gate.refusesNote(one));
  const lives = traceLives(past.map(lifeStep));
  const judgedPast = await judgePast(gate, past, lives);
  const lines = await judgeLines(gate, handLinesOf(textOf("page")));
  return {
    exported,
    notes: judgedNotes.kept,
    logs: judgedLogs.kept,
    past: judgedPast.kept,
    lives,
    handLines: lines.kept,
    leftOut: [judgedNotes, judgedLogs, judgedPast, lines].flatMap(({ leftOut }) => leftOut),
  };
}

interface Judged<T> {
  readonly kept: readonly T[];
  readonly leftOut: readonly LeftOut[];
}

async function partition(
  files: readonly ArchivedFile[],
  refusal: (one: ArchivedFile) => Promise<string | undefined>,
): Promise<Judged<ArchivedFile>> {
  const kept: ArchivedFile[] = [];
  const leftOut: LeftOut[] = [];
  for (const one of files) {
    const why = await refusal(one);
    if (why === undefined) kept.push(one);
    else leftOut.push({ file: shownName(one.file), why });
  }
  return { kept, leftOut };
}

/** Refused texts are left out of the history; the version stays and records the omission. */
async function judgePast(gate: Gate, past: readonly Transaction[], lives: Lives): Promise<Judged<Transaction>> {
  const judged: Judged<Transaction>[] = [];
  for (const one of past) judged.push(await judgeVersion(gate, one));
  const kept = judged.flatMap((one) => one.kept);
  const leftOut = judged.flatMap((one) => one.leftOut);
  return { kept: leftOut.length === 0 ? kept : withLineages(kept, lives), leftOut };
}

async function judgeVersion(gate: Gate, one: Transaction): Promise<{ kept: [Transaction]; leftOut: LeftOut[] }> {
  const changes = await partition(
    one.changes.map(({ file, after = new Uint8Array() }) => ({ file, bytes: after })),
    (change) => gate.refusesVersion(change),
  );
  const actor = await gate.refusesText(one.actor);
  const reason = await gate.refusesText(one.reason);
  const leftOut = [
    ...changes.leftOut.map(({ file, why }) => ({ file: `${file} at version ${one.seq}`, why })),
    ...(actor === undefined ? [] : [{ file: `the author of version ${one.seq}`, why: actor }]),
    ...(reason === undefined ? [] : [{ file: `the reason of version ${one.seq}`, why: reason }]),
  ];
  const names = new Set(changes.kept.map(({ file }) => file));
  const kept = {
    ...one,
    actor: actor === undefined ? one.actor : "unknown",
    reason: leftOut.length === 0 ? one.reason : "left out at import",
    changes: one.changes.filter(({ file }) => names.has(file)),
  };
  return { kept: [kept], leftOut };
}

/** Adds the lineage, according to the whole history, to each change: versions left out can no longer provide it. */
function withLineages(past: readonly Transaction[], lives: Lives): readonly Transaction[] {
  return past.map((one) => ({
    ...one,
    changes: one.changes.map((change) => {
      const lineage = lives.at(one.seq, change.file);
      return lineage === undefined ? change : { ...change, lineage };
    }),
  }));
}

async function judgeLines(gate: Gate, lines: readonly string[]): Promise<Judged<string>> {
  const whole = await gate.refusesText(lines.join("\n"));
  if (whole === undefined) return { kept: lines, leftOut: [] };
  const kept: string[] = [];
  const refused: string[] = [];
  for (const line of lines) {
    const why = await gate.refusesText(line);
    if (why === undefined) kept.push(line);
    else refused.push(why);
  }
  // A secret that spans two lines is in neither.
  const rest = await gate.refusesText(kept.join("\n"));
  const reasons = rest === undefined ? refused : [...refused, ...kept.map(() => rest)];
  return {
    kept: rest === undefined ? kept : [],
    leftOut: [...new Set(reasons)].map((why) => ({
      file: `${counted(reasons.filter((one) => one === why).length, "line")} of MEMORY.md`,
      why,
    })),
  };
}
