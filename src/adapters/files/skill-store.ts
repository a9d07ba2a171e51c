import type { FilePort } from "../../core/notes/file-port.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { HistoryArchive } from "../../core/notes/history.ts";
import type { StoreLock } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { markOfChange } from "../../core/skills/offer.ts";
import { readSkill, SKILL_FILE } from "../../core/skills/skill.ts";
import { foldSkill, type FoldSettings, type SkillStanding } from "../../core/skills/state.ts";
import {
  eventLine,
  type ForeignSkill,
  parseEvents,
  type SkillStore,
  type SkillWriter,
  type StoredSkill,
} from "../../core/skills/store.ts";
import type { EvidenceEvent, SkillScope } from "../../core/skills/types.ts";
import { openJournal } from "./journal.ts";
import { putFile, nodeFiles } from "./node-files.ts";
import { CANDIDATES_FILE, type NotebookFile, readNotebook, writeNotebook } from "../../core/skills/notebook.ts";

const TASKS_FILE = "tasks.jsonl";
const LOCK_WAIT_MS = 5_000;

/** The notebook of one project, next to its skills. */
export function openNotebook(directory: string, lock: StoreLock, files: FilePort = nodeFiles): NotebookFile {
  const text = (name: string): string => {
    const bytes = files.read(`${directory}/${name}`);
    return bytes === undefined ? "" : new TextDecoder().decode(bytes);
  };
  const read = (): ReturnType<NotebookFile["read"]> => readNotebook(text(CANDIDATES_FILE), text(TASKS_FILE));
  return {
    read,
    change(work) {
      files.makeDirectory(directory);
      return lock.run(LOCK_WAIT_MS, () => {
        const next = work(read());
        const [candidates, tasks] = writeNotebook(next);
        // Candidates first: a task marked as seen without its candidate would not be checked again.
        if (candidates !== text(CANDIDATES_FILE)) putFile(`${directory}/${CANDIDATES_FILE}`, candidates, { files });
        if (tasks !== text(TASKS_FILE)) putFile(`${directory}/${TASKS_FILE}`, tasks, { files });
        return next;
      });
    },
  };
}

export interface SkillPlace {
  readonly scope: SkillScope;
  /** Absolute; created with the first skill. */
  readonly directory: string;
  /** Keeps revisions permanently; without it they stay in the journal. */
  readonly archive: HistoryArchive | undefined;
}

export interface SkillFiles {
  /** The common parent of all places. */
  readonly root: string;
  readonly places: readonly SkillPlace[];
  readonly files: FilePort;
  /** One lock for all skills; its file is in `root`. */
  readonly lock: StoreLock;
  readonly codec: FrontmatterCodec;
  readonly settings: () => FoldSettings;
}

const LOCK_MS = 10_000;
const EVIDENCE = "evidence.jsonl";

/**
 * `PLACE/NAME/SKILL.md`, `NAME/next/SKILL.md` for a revision on trial next to a promoted one, and
 * `NAME/evidence.jsonl`. One appended line decides: until it is on disk the old state holds, then the new one, and the
 * files follow.
 */
export function openSkillStore(at: SkillFiles): SkillStore {
  // One mark per place: a change in one project cannot complete an interrupted change of another project.
  const marks = at.places.map(({ directory }) => ({ directory, mark: markOfChange(directory) }));
  const isCutOff = (): boolean => marks.some(({ mark }) => at.files.stat(mark) !== undefined);
  return {
    list: () => at.places.flatMap((place) => namesIn(at, place).flatMap((name) => readStored(at, place, name) ?? [])),
    foreign: () => at.places.flatMap((place) => namesIn(at, place).flatMap((name) => readForeign(at, place, name))),
    isCutOff,
    change(work, letFollow) {
      at.files.makeDirectory(at.root);
      return at.lock.run(LOCK_MS, () => {
        const wasCutOff = isCutOff();
        for (const { directory, mark } of marks) {
          at.files.makeDirectory(directory);
          if (at.files.stat(mark) !== undefined) continue;
          at.files.create(mark, new Uint8Array());
          at.files.syncDirectory(directory);
        }
        if (wasCutOff) letFilesFollow(at);
        const result = work(writerOf(at));
        letFollow();
        for (const { mark } of marks) at.files.remove(mark);
        return result;
      });
    },
    revisions: (scope, name) => revisionsOf(at, placeOf(at, scope), name),
  };
}

function writerOf(at: SkillFiles): SkillWriter {
  return {
    append(scope, name, events) {
      const place = placeOf(at, scope);
      appendEvents(at, place, name, events);
      followState(at, place, name);
    },
    write(scope, name, text, event) {
      const place = placeOf(at, scope);
      at.files.makeDirectory(`${place.directory}/${name}`);
      keepText(at, place, name, text, event);
      appendEvents(at, place, name, [event]);
      followState(at, place, name);
    },
  };
}

function placeOf({ places }: SkillFiles, scope: SkillScope): SkillPlace {
  const place = places.find((one) => one.scope === scope);
  if (place === undefined) throw new MemoryError("invalid-input", `there are no skills of the ${scope} scope here`);
  return place;
}

function namesIn({ files }: SkillFiles, { directory }: SkillPlace): readonly string[] {
  return (files.list(directory) ?? [])
    .filter(({ name, kind }) => kind === "directory" && !name.endsWith(".git"))
    .map(({ name }) => name)
    .toSorted();
}

function textAt({ files }: SkillFiles, file: string): string | undefined {
  const bytes = files.stat(file)?.kind === "file" ? files.read(file) : undefined;
  return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function eventsAt(at: SkillFiles, { directory }: SkillPlace, name: string): readonly EvidenceEvent[] {
  const lines = (textAt(at, `${directory}/${name}/${EVIDENCE}`) ?? "").split("\n");
  return lines.flatMap((line) => (line === "" ? [] : parseEvents(line)));
}

/** `undefined` for a directory that is not one of memdir's skills. */
function readStored(at: SkillFiles, place: SkillPlace, name: string): StoredSkill | undefined {
  const events = eventsAt(at, place, name);
  const file = `${place.directory}/${name}/${SKILL_FILE}`;
  const onDisk = textAt(at, file);
  const plain = foldSkill(events, at.settings());
  if (plain === undefined) return undefined;
  const known = (sha: string): boolean => plain.revisions.some((one) => one.sha256 === sha);
  const isEdited = onDisk !== undefined && !known(sha256(onDisk));
  const standing = isEdited ? foldSkill(events, { ...at.settings(), edited: true }) : plain;
  // Between an event and its file, or after the file was deleted, the text in force is in history.
  const wanted = standing?.current.sha256;
  const text =
    isEdited || (onDisk !== undefined && sha256(onDisk) === wanted) ? onDisk : textOf(at, place, name, wanted);
  const read = text === undefined ? undefined : readSkill(name, text, at.codec);
  if (standing === undefined || text === undefined || read?.kind !== "skill") return undefined;
  return {
    scope: place.scope,
    name,
    path: file,
    text,
    skill: read.skill,
    events,
    standing,
    next: nextOf(at, place, name, standing),
  };
}

function nextOf(at: SkillFiles, place: SkillPlace, name: string, { next }: SkillStanding): StoredSkill["next"] {
  if (next === undefined) return undefined;
  const path = nextFile(place, name);
  const onDisk = textAt(at, path);
  const text = onDisk !== undefined && sha256(onDisk) === next.sha256 ? onDisk : textOf(at, place, name, next.sha256);
  const read = text === undefined ? undefined : readSkill(name, text, at.codec);
  return read?.kind === "skill" ? { path, skill: read.skill } : undefined;
}

function nextFile({ directory }: SkillPlace, name: string): string {
  return `${directory}/${name}/next/${SKILL_FILE}`;
}

function readForeign(at: SkillFiles, place: SkillPlace, name: string): ForeignSkill[] {
  if (readStored(at, place, name) !== undefined) return [];
  const path = `${place.directory}/${name}/${SKILL_FILE}`;
  const text = textAt(at, path);
  if (text === undefined) return [];
  const read = readSkill(name, text, at.codec);
  if (read.kind === "invalid") return [{ name, path, description: "", problem: read.problems[0] }];
  const description = read.kind === "skill" ? read.skill.description : read.description;
  return [{ name, path, description, problem: undefined }];
}

/** A line torn by a kill is left as it is; the next one starts on a new line. */
function appendEvents(at: SkillFiles, place: SkillPlace, name: string, events: readonly EvidenceEvent[]): void {
  const { files } = at;
  const file = `${place.directory}/${name}/${EVIDENCE}`;
  const known = new Set(eventsAt(at, place, name).map(({ id }) => id));
  const fresh = events.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return;
  const before = files.read(file);
  const isTorn = before !== undefined && before.byteLength > 0 && before.at(-1) !== 10;
  files.append(file, new TextEncoder().encode(`${isTorn ? "\n" : ""}${eventLine(fresh)}\n`));
  if (before === undefined) files.syncDirectory(`${place.directory}/${name}`);
}

/** History first, so that an event never names a missing text. */
function keepText(
  { files }: SkillFiles,
  { directory, archive }: SkillPlace,
  name: string,
  text: string,
  event: Extract<EvidenceEvent, { kind: "written" }>,
): void {
  const journal = openJournal(directory, files);
  const last = Math.max(journal.nextSeq() - 1, archive?.lastSeq() ?? 0);
  const after = new TextEncoder().encode(text);
  journal.commit({
    seq: last + 1,
    time: new Date(event.time).toISOString(),
    actor: event.author,
    reason: `revision ${event.revision}`,
    changes: [{ file: `${name}/${SKILL_FILE}`, before: undefined, after }],
  });
  journal.finish();
  if (archive === undefined) return;
  archive.append(journal.read());
  journal.dropThrough(archive.lastSeq());
}

function revisionsOf(
  { files }: SkillFiles,
  { directory, archive }: SkillPlace,
  name: string,
): readonly { readonly revision: number; readonly text: string }[] {
  const file = `${name}/${SKILL_FILE}`;
  const found: { revision: number; text: string }[] = [];
  const add = (reason: string, bytes: Uint8Array | undefined): void => {
    const revision = Number(/^revision (\d+)$/u.exec(reason)?.[1]);
    if (bytes !== undefined && Number.isInteger(revision))
      found.push({ revision, text: new TextDecoder().decode(bytes) });
  };
  for (const { reason, changes } of openJournal(directory, files).read().toReversed())
    for (const change of changes) if (change.file === file) add(reason, change.after);
  for (const { seq, reason } of archive?.versions(file) ?? []) add(reason, archive?.contentAt(seq, file));
  return found;
}

function textOf(at: SkillFiles, place: SkillPlace, name: string, sha: string | undefined): string | undefined {
  return revisionsOf(at, place, name).find(({ text }) => sha256(text) === sha)?.text;
}

/** Updates SKILL.md to the revision in force, and writes a newer one on trial in its place; a person's edits stay. */
function followState(at: SkillFiles, place: SkillPlace, name: string): void {
  const standing = foldSkill(eventsAt(at, place, name), at.settings());
  if (standing === undefined) return;
  const known = new Set(standing.revisions.map((one) => one.sha256));
  follow(at, place, name, `${place.directory}/${name}/${SKILL_FILE}`, standing.current.sha256, known);
  follow(at, place, name, nextFile(place, name), standing.next?.sha256, known);
}

function follow(
  at: SkillFiles,
  place: SkillPlace,
  name: string,
  file: string,
  wanted: string | undefined,
  known: ReadonlySet<string>,
): void {
  const onDisk = textAt(at, file);
  const now = onDisk === undefined ? undefined : sha256(onDisk);
  if (now === wanted || (now !== undefined && !known.has(now))) return;
  if (wanted === undefined) return at.files.remove(file);
  const text = textOf(at, place, name, wanted);
  if (text === undefined)
    throw new MemoryError("corrupt", `history lacks a revision of the skill ${name}; run \`memdir doctor\``);
  at.files.makeDirectory(file.slice(0, file.lastIndexOf("/")));
  putFile(file, text, { files: at.files, aside: `${file}.tmp`, named: true });
}

/** Completes the changes after an interruption. */
function letFilesFollow(at: SkillFiles): void {
  for (const place of at.places) for (const name of namesIn(at, place)) followState(at, place, name);
}
