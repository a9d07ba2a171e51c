import { loadIndex } from "../notes/index-file.ts";
import type { Place } from "./clients/client.ts";
import { decodeFile } from "./ports.ts";

/** Paths as instructions know them: absolute, `/`-separated, on Windows with a drive (`C:/x`). Nothing here touches a disk. */

/** Joins and resolves `.` and `..`; an absolute target stands for itself. */
export function resolvePath(base: string, target: string): string {
  const whole = isAbsolute(target) ? target : `${base}/${target}`;
  const drive = /^[a-z]:/iu.exec(whole)?.[0] ?? "";
  const out: string[] = [];
  for (const part of whole.slice(drive.length).split("/")) {
    if (part === "..") out.pop();
    else if (part !== "." && part !== "") out.push(part);
  }
  return `${drive}/${out.join("/")}`;
}

export function isAbsolute(target: string): boolean {
  return target.startsWith("/") || /^[a-z]:[\\/]/iu.test(target);
}

/** The directory above; a root is above itself. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  const parent = path.slice(0, Math.max(0, at));
  if (parent === "" || /^[a-z]:$/iu.test(parent)) return `${parent}/`;
  return parent;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** From the filesystem root down to `directory`, both included. */
export function directoriesDownTo(directory: string): string[] {
  const out = [directory];
  for (let at = directory; parentOf(at) !== at;) {
    at = parentOf(at);
    out.push(at);
  }
  return out.toReversed();
}

/** Directories below `from` on the way to `to`, `to` included, `from` not; none when `to` is not below. */
export function directoriesBetween(from: string, to: string): string[] {
  return isInside(to, from)
    ? directoriesDownTo(to).filter((directory) => directory !== from && isInside(directory, from))
    : [];
}

/** Whether `path` is `directory` or below it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** `path` as seen from `directory`; `undefined` when it is not below. */
export function relativeTo(path: string, directory: string): string | undefined {
  if (path === directory || !isInside(path, directory)) return undefined;
  return path.slice(directory.endsWith("/") ? directory.length : directory.length + 1);
}

export function join(directory: string, name: string): string {
  return directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`;
}

/** `.claude/MEMORY.md`: an index of notes that people keep by hand in a project. */
interface ProjectIndex {
  readonly path: string;
  /** As an index loads: cut to its limits, which the last lines then say. */
  readonly text: string;
  readonly cut: readonly string[];
}

/** The nearest one from where the session starts up to the repository's root; no client reads it, memdir shows it first among the notes. */
export function findProjectIndex({ cwd, gitRoot, files }: Place): ProjectIndex | undefined {
  const top = gitRoot ?? cwd;
  for (const directory of directoriesDownTo(cwd)
    .toReversed()
    .filter((one) => isInside(one, top))) {
    const path = join(directory, ".claude/MEMORY.md");
    const file = files.read(path);
    if (file.state !== "read") continue;
    const { text, cut } = loadIndex(decodeFile(file.bytes).text);
    return text === "" ? undefined : { path, text, cut };
  }
  return undefined;
}
