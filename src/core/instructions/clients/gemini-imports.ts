import type { InstructionFiles } from "../ports.ts";
import { decodeRaw } from "../decode.ts";
import { directoriesDownTo, isInside, join, parentOf, resolvePath } from "../paths.ts";

/** A file this deep is still put in, its own imports stay as text. */
const DEEPEST = 5;

export interface Inlined {
  readonly text: string;
  /** Files whose text was put in, in order. */
  readonly imports: readonly { readonly path: string; readonly importedBy: string; readonly characters: number }[];
  readonly failed: readonly {
    readonly path: string;
    readonly importedBy: string;
    readonly why: string;
    readonly outside: boolean;
  }[];
}

interface Inlining {
  readonly files: InstructionFiles;
  readonly root: string;
  readonly imports: { path: string; importedBy: string; characters: number }[];
  readonly failed: { path: string; importedBy: string; why: string; outside: boolean }[];
}

/** Puts imported files, which may not leave the project's root, in the place of their `@path`, as Gemini CLI does. */
export function inlineImports(
  files: InstructionFiles,
  path: string,
  text: string,
  markers: readonly string[],
): Inlined {
  const root = rootAbove(files, parentOf(path), markers);
  const state: Inlining = { files, root: files.realPath(root) ?? root, imports: [], failed: [] };
  return { text: expand(state, path, text, []), imports: state.imports, failed: state.failed };
}

/** The nearest directory above that holds one of the markers, else the directory itself. */
export function rootAbove(files: InstructionFiles, directory: string, markers: readonly string[]): string {
  return (
    directoriesDownTo(directory)
      .toReversed()
      .find((one) => markers.some((marker) => files.kind(join(one, marker)) !== undefined)) ?? directory
  );
}

function expand(state: Inlining, path: string, text: string, chain: readonly string[]): string {
  if (chain.length >= DEEPEST) return text;
  let out = "";
  let from = 0;
  for (const { start, end, target } of mentions(text)) {
    out += text.slice(from, start) + replacement(state, path, target, chain);
    from = end;
  }
  return out + text.slice(from);
}

function replacement(state: Inlining, importedBy: string, target: string, chain: readonly string[]): string {
  const path = resolvePath(parentOf(importedBy), target);
  const fail = (why: string, outside: boolean): string => {
    state.failed.push({ path, importedBy, why, outside });
    return `<!-- Import failed: ${target} - ${why} -->`;
  };
  const real = state.files.realPath(path) ?? path;
  if (/^(?:file|https?):\/\//u.test(target) || !isInside(real, state.root)) return fail("Path traversal attempt", true);
  if (chain.includes(path)) return `<!-- File already processed: ${target} -->`;
  const file = state.files.read(path);
  if (file.state === "absent") return fail(`ENOENT: no such file or directory, access '${path}'`, false);
  if (file.state === "unreadable")
    return fail(
      state.files.kind(real) === "directory" ? "EISDIR: illegal operation on a directory, read" : file.why,
      false,
    );
  const { text } = decodeRaw(file.bytes);
  state.imports.push({ path, importedBy, characters: text.length });
  return `<!-- Imported from: ${target} -->\n${expand(state, path, text, [...chain, path])}\n<!-- End of import from: ${target} -->`;
}

/** `@path` after white space, up to the next; not between equal runs of backticks. */
function mentions(text: string): { readonly start: number; readonly end: number; readonly target: string }[] {
  if (!text.includes("@")) return [];
  const code = codeRegions(text);
  let at = 0;
  return [...text.matchAll(/(?<![^ \t\r\n])@([./A-Za-z][^ \t\r\n]*)/gu)].flatMap((match) => {
    const start = match.index;
    while ((code[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at++;
    const region = code[at];
    return region !== undefined && region.start <= start
      ? []
      : [{ start, end: start + match[0].length, target: match[1] ?? "" }];
  });
}

/** From a run of backticks to the next run that is as long, or to one of its own length within a longer one. */
function codeRegions(text: string): { readonly start: number; readonly end: number }[] {
  const regions: { start: number; end: number }[] = [];
  /** Lengths of runs that do not occur again further on. */
  const gone = new Set<string>();
  for (let at = text.indexOf("`"); at !== -1;) {
    let stop = at;
    while (text[stop] === "`") stop++;
    let end = -1;
    for (let length = stop - at; length > 0 && end === -1; length--) {
      const run = "`".repeat(length);
      if (gone.has(run)) continue;
      const close = text.indexOf(run, at + length);
      if (close === -1) gone.add(run);
      else end = close + length;
    }
    if (end !== -1) regions.push({ start: at, end });
    at = text.indexOf("`", end === -1 ? at + 1 : end);
  }
  return regions;
}
