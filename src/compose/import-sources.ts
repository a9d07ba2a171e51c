import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../adapters/files/node-files.ts";
import type { ImportKind, SourceFile } from "../core/imports/candidate.ts";
import { MemoryError } from "../core/shared/errors.ts";
import type { Locations } from "./locations.ts";
import { codexHome, geminiHome } from "./past-sessions.ts";

/** Larger files are no memories (bytes), and more of them no memory of one project. */
const LARGEST_BYTES = 1_000_000;
const MOST_FILES = 5_000;

export interface ImportSource {
  /** What was read, for people. */
  readonly place: string;
  readonly files: readonly SourceFile[];
}

/** Reads what another tool remembers; changes nothing there. @throws MemoryError `not-found` where there is nothing, `invalid-input` where a path is needed. */
export function readImportSource(locations: Locations, kind: ImportKind, given: string | undefined): ImportSource {
  const place = given === undefined ? usualPlace(locations, kind) : path.resolve(locations.cwd, given);
  if (place === undefined) throw new MemoryError("invalid-input", `give the ${kind === "server-memory" ? "file" : "directory"} to import from: \`memdir import ${kind} PATH\``);
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  const files = stat === undefined ? [] : stat.isDirectory() ? filesBelow(place, "").filter((file) => belongs(kind, file)) : [path.basename(place)];
  const root = stat?.isDirectory() === true ? place : path.dirname(place);
  const read = [...files.flatMap((file) => readFile(path.join(root, file), file)), ...(kind === "gemini" && given === undefined ? addedMemories(locations) : [])];
  if (read.length === 0) throw new MemoryError("not-found", `there is nothing of ${kind} to import in ${place}`);
  return { place, files: read };
}

function usualPlace(locations: Locations, kind: ImportKind): string | undefined {
  if (kind === "codex") return path.join(codexHome(locations), "memories");
  return kind === "gemini" ? geminiMemory(locations) : undefined;
}

/** Gemini CLI keeps projects under short names; a file beside the notes says which directory each stands for. */
function geminiMemory(locations: Locations): string {
  const projects = path.join(geminiHome(locations), "tmp");
  const root = locations.project?.root ?? locations.cwd;
  const names = (nodeFiles.list(projects) ?? []).map(({ name }) => name);
  const own = names.find((name) => new TextDecoder().decode(nodeFiles.read(path.join(projects, name, ".project_root"))).trim() === root);
  return path.join(projects, own ?? "none", "memory");
}

function addedMemories(locations: Locations): readonly SourceFile[] {
  return readFile(path.join(geminiHome(locations), "GEMINI.md"), "GEMINI.md");
}

/** Summaries of summaries are left out: what they say stands in the files that they were made of. */
function belongs(kind: ImportKind, file: string): boolean {
  if (kind === "server-memory") return /\.jsonl?$/iu.test(file);
  if (!/\.md$/iu.test(file)) return false;
  if (kind === "codex") return file === "MEMORY.md" || file.startsWith("rollout_summaries/");
  return kind !== "openclaw" || file === "MEMORY.md" || /^memory\/(?:.*\/)?\d{4}-\d{2}-\d{2}[^/]*\.md$/u.test(file);
}

/** In the order of their names; links are not followed, hidden directories not looked into. */
function filesBelow(root: string, below: string): readonly string[] {
  const entries = (nodeFiles.list(path.join(root, below)) ?? []).filter(({ name }) => !name.startsWith(".")).toSorted((a, b) => a.name.localeCompare(b.name));
  return entries.flatMap(({ name, kind }) => {
    const file = below === "" ? name : `${below}/${name}`;
    return kind === "directory" ? filesBelow(root, file) : kind === "file" ? [file] : [];
  }).slice(0, MOST_FILES);
}

function readFile(full: string, relative: string): readonly SourceFile[] {
  const stat = nodeFiles.stat(full);
  const bytes = stat?.kind === "file" && stat.size <= LARGEST_BYTES ? nodeFiles.read(full) : undefined;
  return bytes === undefined ? [] : [{ path: relative, text: new TextDecoder().decode(bytes) }];
}
