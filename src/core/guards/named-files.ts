import { codeAndProse } from "../notes/claims/extract.ts";
import { hasFileEnding, isPath, pathsInProse, pathsInSpan } from "../notes/claims/names.ts";

/** More braces or stars in one glob are not read. */
const MOST_GLOBS = 6;
const MOST_STARS = 4;

/** Names common to many projects do not identify a file. */
const COMMON_NAME =
  /^(?:index|main|readme|changelog|package|tsconfig|config|types|utils?|test|setup|app|mod|lib|__init__)\./iu;

/** Folders in which many projects keep nearly everything. */
const COMMON_FOLDER = /^(?:src|source|libs?|apps?|packages|pkg|internal|cmd|tests?|specs?|docs?|scripts|examples)$/iu;

/** A shorter name is not distinctive enough where the project's files are unknown. */
const DISTINCTIVE_CHARACTERS = 8;

/** A name that more files have identifies none of them. */
const MOST_ALIKE = 3;

/** A folder with more of all files does not stand out. */
const MOST_SHARE = 0.5;

/** What tells whether a name alone identifies a file of a project. */
export interface ProjectFiles {
  readonly count: number;
  /** Number of files with this name. */
  readonly named: (name: string) => number;
  /** Number of files in folders of this name. */
  readonly within: (folder: string) => number;
}

/** Counts a project's files, given with `/` between segments. */
export function projectFiles(paths: readonly string[]): ProjectFiles {
  const names = new Map<string, number>();
  const folders = new Map<string, number>();
  for (const path of paths) {
    const segments = path.split("/");
    const name = segments.pop() ?? "";
    names.set(name, (names.get(name) ?? 0) + 1);
    for (const folder of new Set(segments)) folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  return {
    count: paths.length,
    named: (name) => names.get(name) ?? 0,
    within: (folder) => folders.get(folder) ?? 0,
  };
}

/**
 * The files that a text names, in its order: paths, folders (`src/gen/`), globs (`*.proto`) and distinctive file names.
 * `files` is `undefined` where the project's files are unknown. Unlike a claim, a name counts whatever is said about
 * it: "never edit it" is worth most to whoever edits it.
 */
export function namedFiles(text: string, files: ProjectFiles | undefined): readonly string[] {
  const { spans, prose } = codeAndProse(text);
  const found = [
    ...spans.flatMap(({ start, text: span }) => inSpan(span).map((name) => ({ at: start, name }))),
    ...pathsInProse(prose).map(({ index, path }) => ({ at: index, name: path })),
    ...tokensIn(prose).flatMap(({ index, token }) => asNamed(token).map((name) => ({ at: index, name }))),
  ];
  const names = found.toSorted((a, b) => a.at - b.at).map(({ name }) => name.replace(/^\.\//u, ""));
  return [...new Set(names)].filter((name) => isDistinctive(name, files));
}

function inSpan(span: string): readonly string[] {
  const isGlobs = /[*{]/u.test(span) && !/\s/u.test(span.trim());
  return isGlobs ? asNamed(span.trim()) : pathsInSpan(span).map(({ path }) => path);
}

/** What a path can consist of in prose; a path with other letters needs backticks or a known ending. */
const TOKEN = /[\w@.+\-*{,}/[\]]{3,200}/gu;

/** Scripts without spaces between words, in which a name may touch a letter. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Hang}]/u;

function tokensIn(prose: string): { readonly index: number; readonly token: string }[] {
  return [...prose.matchAll(TOKEN)].flatMap(({ 0: whole, index }) => {
    const [before, after] = [prose.slice(0, index).at(-1) ?? "", prose.charAt(index + whole.length)];
    const isPart = [before, after].some(
      (one) => /[~$\\%<>=|&]/u.test(one) || (/\p{L}/u.test(one) && !UNSPACED.test(one)),
    );
    return isPart ? [] : [{ index, token: withoutMarks(whole) }];
  });
}

/** Without the end of the sentence around it and without Markdown's stars for emphasis on both sides. */
function withoutMarks(token: string): string {
  const plain = token.replace(/^[,[\]{}]+/u, "").replace(/[.,[]+$/u, "");
  const stressed = /^(\*{1,3}|_{1,2})(?!\/)([^*]+)\1$/u.exec(plain);
  return stressed?.[2]?.replace(/[.,]+$/u, "") ?? plain;
}

/** What a word names, if it can only be meant as a file, a folder or a glob. */
function asNamed(word: string): readonly string[] {
  if (/[*{]/u.test(word)) return unfolded(word).filter(isGlob);
  return isPath(word) ? [word] : [];
}

/** `*.{ts,tsx}` is `*.ts` and `*.tsx`. */
function unfolded(glob: string): readonly string[] {
  const [whole, before = "", inner = "", after = ""] = /^([^{}]*)\{([^{}]+)\}([^{}]*)$/u.exec(glob) ?? [];
  const all = whole === undefined ? [glob] : inner.split(",").map((one) => `${before}${one}${after}`);
  return all.length > MOST_GLOBS ? [] : all;
}

/** Not `feat*`, `@scope/*`, `/api/*` or `*.example.com`: its file has a known ending, or its folder has a name. */
function isGlob(text: string): boolean {
  const glob = text.replace(/^\.\//u, "");
  const segments = glob.split("/");
  const stars = segments.filter((segment) => segment.includes("*"));
  if (!/^[\w@.+\-*/]+$/u.test(glob) || segments.includes("") || segments.includes("..")) return false;
  if (stars.length > MOST_STARS || segments.some((one) => one.split("*").length > MOST_STARS)) return false;
  if (stars.some((one) => one.includes("**") && one !== "**")) return false;
  if (hasFileEnding(glob.replaceAll("*", "x"))) return !/^[*.]+$/u.test(segments.at(-1) ?? "");
  const folders = segments.slice(0, -1).filter((segment) => !segment.includes("*"));
  return folders.length > 0 && isPath(`${folders.join("/")}/`) && /^\*{1,2}$/u.test(segments.at(-1) ?? "");
}

function isDistinctive(named: string, files: ProjectFiles | undefined): boolean {
  const segments = named.split("/").filter((segment) => !/^\**$/u.test(segment));
  const [only = ""] = segments;
  if (segments.length !== 1) return segments.length > 1;
  if (only.includes("*")) return true;
  if (named.includes("/")) return !COMMON_FOLDER.test(only) && !holdsMost(only, files);
  if (COMMON_NAME.test(only)) return false;
  return files === undefined
    ? only.length >= DISTINCTIVE_CHARACTERS && only.includes(".")
    : files.named(only) <= MOST_ALIKE;
}

function holdsMost(folder: string, files: ProjectFiles | undefined): boolean {
  const within = files?.within(folder) ?? 0;
  return within > MOST_ALIKE && within > MOST_SHARE * (files?.count ?? 0);
}
