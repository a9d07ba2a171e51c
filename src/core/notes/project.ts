import type { FilePort } from "./file-port.ts";
import { slugOf } from "./names.ts";

/** How to compare paths on a machine. */
export interface PathRules {
  readonly flavour: "posix" | "windows" | "wsl";
  readonly ignoreCase: boolean;
}

export interface ProjectIdentity {
  /** The checkout that all worktrees and sub-directories share; without git, the given directory. */
  readonly root: string;
  /** The worktree that contains the given directory; equal to `root` if there is only one. */
  readonly checkout: string;
  /** Where git keeps what all worktrees share; `undefined` without git. */
  readonly gitDirectory: string | undefined;
  readonly slug: string;
  /** Other slugs the same place may have: different case, drive letter, WSL path or Unicode form. */
  readonly aliases: readonly string[];
}

/** Reduces all spellings of a path to one, for comparing paths; never for opening files. */
export function comparablePath(path: string, rules: PathRules): string {
  let out = path.normalize("NFC");
  if (rules.flavour !== "posix") out = out.replaceAll("\\", "/");
  if (rules.flavour === "windows") out = out.replace(/^\/\/\?\/UNC\//iu, "//").replace(/^\/\/[?.]\//u, "");
  if (rules.flavour === "wsl")
    out = out.replace(/^\/\/(?:wsl\.localhost|wsl\$)\/[^/]+/iu, "").replace(/^\/mnt\/([a-z])(?=\/|$)/iu, "$1:");
  out = out.replace(/^([a-z]):(?=\/|$)/iu, (_, drive: string) => `${drive.toUpperCase()}:`);
  out = out.replace(/(?<=.)\/+$/u, "").replace(/(?<=.)\/{2,}/gu, "/");
  if (/^[A-Z]:$/u.test(out)) out += "/";
  return rules.ignoreCase || /^[A-Z]:/u.test(out) ? out.toLowerCase() : out;
}

/** Other spellings of `path` under which a client may have stored its memory. */
export function otherSpellings(path: string, rules: PathRules): string[] {
  const spellings = new Set<string>([path.normalize("NFC"), path.normalize("NFD")]);
  const drive = /^(?:\/mnt\/([a-zA-Z])(?=\/|$)|([a-zA-Z]):)(.*)$/u.exec(path.replace(/^\\\\\?\\/u, ""));
  const letter = drive?.[1] ?? drive?.[2];
  if (letter !== undefined && rules.flavour !== "posix") {
    const rest = (drive?.[3] ?? "").replaceAll("\\", "/");
    const windows = rest.replaceAll("/", "\\");
    for (const d of [letter.toUpperCase(), letter.toLowerCase()]) spellings.add(`${d}:${windows}`);
    spellings.add(`/mnt/${letter.toLowerCase()}${rest}`);
  }
  if (rules.ignoreCase) spellings.add(path.toLowerCase());
  spellings.delete(path);
  return [...spellings];
}

/** Finds the project that a directory belongs to. Reads only git's own small files. */
export function identifyProject(
  cwd: string,
  files: Pick<FilePort, "stat" | "read">,
  rules: PathRules,
): ProjectIdentity {
  const found = findGit(cwd, files, rules);
  const root = found?.root ?? cwd;
  return {
    root,
    checkout: found?.checkout ?? cwd,
    gitDirectory: found?.gitDirectory,
    slug: slugOf(root),
    aliases: [...new Set(otherSpellings(root, rules).map(slugOf))].filter((slug) => slug !== slugOf(root)),
  };
}

interface Found {
  readonly root: string;
  readonly gitDirectory: string;
}

function findGit(
  cwd: string,
  files: Pick<FilePort, "stat" | "read">,
  rules: PathRules,
): (Found & { readonly checkout: string }) | undefined {
  const separator = rules.flavour === "windows" && !cwd.includes("/") ? "\\" : "/";
  for (let directory = cwd; ;) {
    const git = `${directory}${directory.endsWith(separator) ? "" : separator}.git`;
    const kind = files.stat(git)?.kind;
    if (kind === "directory") return { root: directory, checkout: directory, gitDirectory: git };
    if (kind === "file") return { ...followGitFile(directory, git, files), checkout: directory };
    const parent = parentOf(directory, separator);
    if (parent === directory) return undefined;
    directory = parent;
  }
}

/** The parent directory; a root (`/`, `C:\`, `\\server\share`) is its own parent. */
function parentOf(directory: string, separator: "/" | "\\"): string {
  const parent = directory.slice(0, Math.max(0, directory.lastIndexOf(separator)));
  if (separator === "/" && parent === "") return "/";
  if (/^(?:\\\\\?\\)?[a-z]:$/iu.test(parent))
    return directory.length > parent.length + 1 ? `${parent}${separator}` : directory;
  return parent === "" || /^[\\/]{2}[^\\/]*$/u.test(parent) ? directory : parent;
}

/** A worktree's `.git` file points to the main checkout; a submodule's points to a root of its own. */
function followGitFile(directory: string, git: string, files: Pick<FilePort, "read">): Found {
  const target = /^gitdir:\s*(.+?)\s*$/mu.exec(text(files.read(git)))?.[1];
  if (target === undefined) return { root: directory, gitDirectory: git };
  const own = resolve(directory, target);
  const common = text(files.read(`${own}/commondir`)).trim();
  if (common === "") return { root: directory, gitDirectory: own };
  const shared = resolve(own, common);
  // A bare repository has no checkout; the worktree is then its own root.
  return shared.endsWith("/.git")
    ? { root: shared.slice(0, -5) || "/", gitDirectory: shared }
    : { root: directory, gitDirectory: shared };
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

/** Joins paths and resolves `.` and `..`; an absolute target ignores `base`. */
function resolve(base: string, target: string): string {
  const unix = target.replaceAll("\\", "/");
  const absolute = unix.startsWith("/") || /^[a-z]:/iu.test(unix) ? unix : `${base}/${unix}`;
  const out: string[] = [];
  for (const part of absolute.split("/")) {
    if (part === "..") out.pop();
    else if (part !== "." && part !== "") out.push(part);
  }
  return (/^\/{0,2}/u.exec(absolute)?.[0] ?? "") + out.join("/");
}
