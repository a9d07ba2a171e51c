import type { FilePort } from "../../core/notes/file-port.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { PUBLISH_TARGETS, type PublishClient } from "../../core/skills/offer.ts";
import { readSkill, SKILL_FILE } from "../../core/skills/skill.ts";
import { putFile } from "./node-files.ts";

/** A copy that memdir put into a client's folder. */
export interface PublishedCopy {
  /** Absolute path of SKILL.md. */
  readonly path: string;
  /** Hashes the file may have while it is memdir's: of the last text, and of the previous one while it is replaced. */
  readonly hashes: readonly string[];
  readonly skill: string;
  readonly revision: number;
  readonly client: PublishClient;
  /** The directory of skills that it was copied from. */
  readonly place: string;
}

/** A skill in a client's folder that memdir did not put there. */
export interface HumanSkill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

export type CopyState = "absent" | "ours" | "changed" | "foreign";

/** The folders in which clients look for skills, and the record of memdir's copies there. */
export interface SkillFolders {
  /** Skills of this user and project, without memdir's copies. */
  human(): readonly HumanSkill[];
  published(): readonly PublishedCopy[];
  /** Where a client looks for a skill of the user or the project; `undefined` if there is no project. */
  target(client: PublishClient, scope: "user" | "project", name: string): string | undefined;
  stateOf(path: string): CopyState;
  /** Writes a copy if the path is free or holds memdir's own copy. It is recorded before it is written. */
  publish(copy: Omit<PublishedCopy, "hashes">, text: string): CopyState;
  /** Removes memdir's own copy. A changed copy stays and belongs to the person from then on. */
  withdraw(path: string): "removed" | "kept" | "absent";
  /** Writes a skill into the work tree, never over another text. An existing copy is the person's from then on. */
  give(path: string, text: string): "written" | "same" | "taken";
}

export interface FolderPlaces {
  readonly home: string;
  readonly configDirectory: string;
  readonly project: string | undefined;
  /** published.json */
  readonly record: string;
  readonly files: FilePort;
  readonly codec: FrontmatterCodec;
}

export function openSkillFolders(at: FolderPlaces): SkillFolders {
  const { files } = at;
  const read = (): readonly PublishedCopy[] => parseRecord(textAt(files, at.record));
  const save = (copies: readonly PublishedCopy[]): void => saveRecord(at, copies);
  const forget = (path: string): void => {
    const others = read().filter((copy) => copy.path !== path);
    if (others.length < read().length) save(others);
  };
  const stateOf = (path: string): CopyState => {
    const text = textAt(files, path);
    const known = read().find((copy) => copy.path === path);
    if (text === undefined) return files.stat(path) === undefined ? "absent" : "foreign";
    if (known === undefined) return "foreign";
    return known.hashes.includes(sha256(text)) ? "ours" : "changed";
  };
  return {
    human() {
      const own = new Set(read().map(({ path }) => path));
      return foldersOf(at).flatMap((folder) => skillsIn(at, folder).filter(({ path }) => !own.has(path)));
    },
    published: read,
    target: (client, scope, name) => {
      const base = scope === "user" ? userFolder(at, client) : projectFolder(at, client);
      return base === undefined ? undefined : `${base}/${name}/${SKILL_FILE}`;
    },
    stateOf,
    publish(copy, text) {
      const state = stateOf(copy.path);
      if (state === "foreign" || state === "changed") return state;
      const now = textAt(files, copy.path);
      const next = sha256(text);
      const others = read().filter(({ path }) => path !== copy.path);
      const before = now === undefined || sha256(now) === next ? [] : [sha256(now)];
      save([...others, { ...copy, hashes: [next, ...before] }]);
      if (now !== text) {
        files.makeDirectory(parentOf(copy.path));
        putFile(copy.path, text, { files, aside: `${copy.path}.memdir.tmp`, named: true });
      }
      if (before.length > 0) save([...others, { ...copy, hashes: [next] }]);
      return "ours";
    },
    withdraw(path) {
      const state = stateOf(path);
      if (state === "ours") {
        files.remove(path);
        files.remove(`${path}.memdir.tmp`);
        removeIfEmpty(files, parentOf(path));
      }
      forget(path);
      return state === "ours" ? "removed" : state === "absent" ? "absent" : "kept";
    },
    give(path, text) {
      const given = give(files, path, text);
      if (given !== "taken") forget(path);
      return given;
    },
  };
}

function saveRecord({ files, record }: FolderPlaces, copies: readonly PublishedCopy[]): void {
  if (copies.length === 0) return files.remove(record);
  files.makeDirectory(parentOf(record));
  const text = `${JSON.stringify({ copies }, undefined, 1)}\n`;
  putFile(record, text, { files, aside: `${record}.tmp`, named: true });
}

function give(files: FilePort, path: string, text: string): "written" | "same" | "taken" {
  const now = textAt(files, path);
  if (now === text) return "same";
  if (now !== undefined || files.stat(path) !== undefined) return "taken";
  files.makeDirectory(parentOf(path));
  putFile(path, text, { files, aside: `${path}.memdir.tmp`, named: true });
  return "written";
}

function userFolder({ home, configDirectory }: FolderPlaces, client: PublishClient): string {
  return client === "claude" ? `${configDirectory}/skills` : `${home}/.agents/skills`;
}

function projectFolder({ project }: FolderPlaces, client: PublishClient): string | undefined {
  return project === undefined ? undefined : `${project}/.${client}/skills`;
}

/** Every folder in which one of the four clients looks. */
function foldersOf(at: FolderPlaces): readonly string[] {
  const below = (base: string): readonly string[] =>
    [".claude", ".agents", ".codex", ".gemini", ".opencode"].map((name) => `${base}/${name}/skills`);
  return [
    ...new Set([
      ...(at.project === undefined ? [] : below(at.project)),
      `${at.configDirectory}/skills`,
      ...below(at.home),
      `${at.home}/.config/opencode/skills`,
    ]),
  ];
}

function skillsIn({ files, codec }: FolderPlaces, folder: string): readonly HumanSkill[] {
  return (files.list(folder) ?? [])
    .filter(({ kind }) => kind === "directory" || kind === "link")
    .flatMap(({ name }): HumanSkill[] => {
      const path = `${folder}/${name}/${SKILL_FILE}`;
      const bytes = files.read(path);
      if (bytes === undefined) return [];
      const read = readSkill(name, new TextDecoder().decode(bytes), codec);
      if (read.kind === "invalid") return [{ name, description: "", path }];
      const { description } = read.kind === "skill" ? read.skill : read;
      return [{ name, description, path }];
    });
}

function textAt(files: FilePort, file: string): string | undefined {
  const bytes = files.stat(file)?.kind === "file" ? files.read(file) : undefined;
  return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function removeIfEmpty(files: FilePort, directory: string): void {
  if (files.list(directory)?.length === 0) files.removeTree(directory);
}

function parentOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/"));
}

function parseRecord(text: string | undefined): readonly PublishedCopy[] {
  const value = text === undefined ? undefined : parseJson(text);
  return isRecord(value) && Array.isArray(value["copies"]) ? value["copies"].filter(isCopy) : [];
}

function isCopy(value: unknown): value is PublishedCopy {
  if (!isRecord(value)) return false;
  const { path, hashes, skill, revision, client, place } = value;
  return (
    [path, skill, place].every((one) => typeof one === "string") &&
    typeof revision === "number" &&
    PUBLISH_TARGETS.some((one) => one === client) &&
    Array.isArray(hashes)
  );
}
