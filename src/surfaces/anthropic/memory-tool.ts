import type { Memory } from "../../app/memory.ts";

/** A file in a directory. */
interface Entry {
  readonly path: string;
  readonly bytes: number;
}

/** Files and directories two levels deep, each directory before its contents; hidden ones are left out. */
function entriesBelow(files: readonly Entry[]): readonly Entry[] {
  return level(
    files.filter(({ path }) => path.split("/").every((part) => !part.startsWith(".") && part !== "node_modules")),
    "",
    1,
  );
}

function level(files: readonly Entry[], prefix: string, depth: number): readonly Entry[] {
  const inside = files.filter(({ path }) => path.startsWith(prefix));
  const names = [...new Set(inside.map(({ path }) => path.slice(prefix.length).split("/")[0] ?? ""))].toSorted(byUnits);
  return names.flatMap((name): readonly Entry[] => {
    const path = `${prefix}${name}`;
    const file = inside.find((one) => one.path === path);
    if (file !== undefined) return [file];
    const directory = `${path}/`;
    const held = inside.filter((one) => one.path.startsWith(directory));
    const bytes = held.reduce((sum, one) => sum + one.bytes, 0);
    return [{ path: directory, bytes }, ...(depth < 2 ? level(held, directory, depth + 1) : [])];
  });
}

function byUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const UNITS = ["B", "K", "M", "G"];

function sizeOf(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** step;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[step]}`;
}

const NUMBER_WIDTH = 6;

/** Lines with their numbers, starting at `from`. */
function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, index) => `${String(index + from).padStart(NUMBER_WIDTH)}\t${line}`).join("\n");
}

/**
 * The memory tool of Anthropic's API (`memory_20250818`) on the notes of a project, which appear in `/memories`.
 *
 * ```ts
 * import Anthropic from "@anthropic-ai/sdk";
 * import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
 * import { openMemory } from "memdir";
 * import { memoryTool } from "memdir/anthropic";
 *
 * const memory = openMemory();
 * const tools = [betaMemoryTool(memoryTool({ memory }))];
 * await new Anthropic().beta.messages.toolRunner({ model, max_tokens: 2000, messages, tools });
 * ```
 *
 * Answers and errors use the wording that models expect; a refusal by memory is an error that says why.
 */
export interface MemoryToolOptions {
  /** The caller closes it. */
  readonly memory: Pick<Memory, "files">;
}

export interface MemoryTool {
  view(command: { readonly path: string; readonly view_range?: readonly number[] }): Promise<string>;
  create(command: { readonly path: string; readonly file_text: string }): Promise<string>;
  str_replace(command: { readonly path: string; readonly old_str: string; readonly new_str: string }): Promise<string>;
  insert(command: {
    readonly path: string;
    readonly insert_line: number;
    readonly insert_text: string;
  }): Promise<string>;
  delete(command: { readonly path: string }): Promise<string>;
  rename(command: { readonly old_path: string; readonly new_path: string }): Promise<string>;
}

type Files = Memory["files"];

const ROOT = "/memories";

/** Handlers for `betaMemoryTool`. Each throws an `Error` whose message is for the model. */
export function memoryTool({ memory: { files } }: MemoryToolOptions): MemoryTool {
  return {
    view: async ({ path, view_range }) => view(files, path, view_range),
    async create({ path, file_text }) {
      const file = fileOf(path);
      if (file === "" || kindOf(files, file) !== undefined) throw new Error(`File ${path} already exists`);
      await files.create(file, file_text);
      return `File created successfully at: ${path}`;
    },
    str_replace: ({ path, old_str, new_str }) => replace(files, path, old_str, new_str),
    async insert({ path, insert_line, insert_text }) {
      const { file, text } = existing(files, path);
      const lines = text.split("\n");
      if (insert_line < 0 || insert_line > lines.length)
        throw new Error(
          `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        );
      await files.replace(file, text, lines.toSpliced(insert_line, 0, insert_text.replace(/\n$/u, "")).join("\n"));
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      const file = fileOf(path);
      if (file === "") throw new Error("Cannot delete the /memories directory itself");
      const paths = below(files, file).map((one) => one.path);
      if (paths.length === 0) throw new Error(`The path ${path} does not exist`);
      files.remove(paths);
      return `Successfully deleted ${path}`;
    },
    rename: ({ old_path, new_path }) => rename(files, old_path, new_path),
  };
}

/** The path in the store; empty for the directory itself. `..` cannot lead outside. */
function fileOf(path: string): string {
  if (!path.startsWith(ROOT)) throw new Error(`Path must start with /memories, got: ${path}`);
  const parts: string[] = [];
  for (const part of path.slice(ROOT.length).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) throw new Error(`Path ${path} would escape /memories directory`);
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The file of this path, or the files of the directory. */
function below(files: Files, path: string): readonly Entry[] {
  return files.list().filter((one) => one.path === path || path === "" || one.path.startsWith(`${path}/`));
}

function kindOf(files: Files, path: string): "file" | "directory" | undefined {
  const found = below(files, path);
  if (found.some((one) => one.path === path)) return "file";
  return found.length > 0 || path === "" ? "directory" : undefined;
}

function view(files: Files, path: string, range: readonly number[] | undefined): string {
  const file = fileOf(path);
  const kind = kindOf(files, file);
  if (kind === undefined) throw new Error(`The path ${path} does not exist. Please provide a valid path.`);
  if (kind === "file") {
    const lines = (files.read(file) ?? "").split("\n");
    const [from = 1, to = -1] = range?.length === 2 ? range : [];
    const start = Math.max(1, from) - 1;
    const shown = lines.slice(start, to === -1 ? lines.length : to);
    return `Here's the content of ${path} with line numbers:\n${numbered(shown, start + 1)}`;
  }
  const entries = below(files, file).map((one) => ({
    ...one,
    path: one.path.slice(file === "" ? 0 : file.length + 1),
  }));
  const bytes = entries.reduce((sum, one) => sum + one.bytes, 0);
  const lines = entriesBelow(entries).map((one) => `${sizeOf(one.bytes)}\t${path}/${one.path}`);
  return [
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
    `${sizeOf(bytes)}\t${path}`,
    ...lines,
  ].join("\n");
}

function existing(files: Files, path: string): { readonly file: string; readonly text: string } {
  const file = fileOf(path);
  const kind = kindOf(files, file);
  if (kind === undefined) throw new Error(`The path ${path} does not exist. Please provide a valid path.`);
  if (kind === "directory") throw new Error(`The path ${path} is not a file.`);
  return { file, text: files.read(file) ?? "" };
}

async function replace(files: Files, path: string, before: string, after: string): Promise<string> {
  const { file, text } = existing(files, path);
  const matching = text.split("\n").flatMap((line, index) => (line.includes(before) ? [index + 1] : []));
  const [first] = matching;
  if (first === undefined)
    throw new Error(`No replacement was performed, old_str \`${before}\` did not appear verbatim in ${path}.`);
  if (matching.length > 1)
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${before}\` in lines: ${matching.join(", ")}. Please ensure it is unique`,
    );
  const changed = text.replace(before, () => after);
  await files.replace(file, text, changed);
  const start = Math.max(0, first - 3);
  const shown = changed.split("\n").slice(start, first + 2);
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(shown, start + 1)}`;
}

async function rename(files: Files, oldPath: string, newPath: string): Promise<string> {
  const from = fileOf(oldPath);
  const to = fileOf(newPath);
  if (from === "") throw new Error("Cannot rename the /memories directory itself");
  if (kindOf(files, to) !== undefined) throw new Error(`The destination ${newPath} already exists`);
  const moved = below(files, from);
  if (moved.length === 0) throw new Error(`The path ${oldPath} does not exist`);
  if (to.startsWith(`${from}/`)) throw new Error(`Cannot rename ${oldPath} to ${newPath}, which lies inside it`);
  await files.rename(moved.map(({ path }) => ({ from: path, to: `${to}${path.slice(from.length)}` })));
  return `Successfully renamed ${oldPath} to ${newPath}`;
}
