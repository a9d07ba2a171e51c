import fs from "node:fs";
import path from "node:path";
import { type GitLook, type LookCommand, readLookCommand } from "./look-command.ts";
import { isSecretPath, SECRET_FILES } from "../../core/shared/secrets/secret-files.ts";
import { type Checkout, findCheckout } from "./checkout.ts";
import { type AskGit, plainGit, branchNames, gitArguments } from "./plain-git.ts";

export interface ProjectLookParts {
  /** The person's directory. Only the checkout that contains it can be read. */
  readonly cwd: string;
  /** Path prefix of an empty repository in which git is run. */
  readonly emptyRepository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Replaces the secrets in a text and keeps its line structure. */
  readonly mask: (text: string) => Promise<string>;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  /** Time limit of one look (ms). Default 3,000. */
  readonly budgetMs?: number;
}

/** The parts of a project that an agent may read. Every answer is text; a refusal begins with "refused:". */
export interface ProjectLooks {
  file(given: string, limit: number): Promise<string>;
  list(given: string, limit: number): Promise<string>;
  glob(pattern: string, limit: number): Promise<string>;
  grep(pattern: string, limit: number): Promise<string>;
  shell(command: string, limit: number): Promise<string>;
}

const BUDGET_MS = 3_000;
const MOST_BYTES = 1 << 20;
const MOST_LINES = 200;
const MOST_LINES_OF_A_FILE = 20;
const LINE_CHARACTERS = 300;
const PATTERN_CHARACTERS = 200;
/** The most files that are scanned as a whole for secrets before lines of them are shown. */
const MOST_FILES = 40;
const NOT_SECRET = SECRET_FILES.flatMap((glob) => [
  `:(top,exclude,icase,glob)**/${glob}`,
  `:(top,exclude,icase,glob)**/${glob}/**`,
]);

/** Read-only access to the checkout of `cwd`: no shell, no repository configuration, no links that lead out of it. */
export function openProjectLooks(parts: ProjectLookParts): ProjectLooks {
  const checkout = findCheckout(parts.cwd);
  const looks = new Looks(parts, checkout);
  return {
    file: (given, limit) => answered(() => looks.file(given), limit),
    list: (given, limit) => answered(() => looks.list(given), limit),
    glob: (pattern, limit) => answered(() => looks.glob(pattern), limit),
    grep: (pattern, limit) => answered(() => looks.grep(pattern), limit),
    shell: (command, limit) => answered(() => looks.shell(readLookCommand(command)), limit),
  };
}

async function answered(look: () => string | Promise<string>, limit: number): Promise<string> {
  try {
    return (await look()).slice(0, limit);
  } catch (error) {
    // Removed since it was resolved, or not readable by this person.
    if (error instanceof Error && "code" in error) return `cannot be read: ${String(error.code)}`;
    throw error;
  }
}

type Place =
  | { readonly kind: "inside"; readonly real: string; readonly shown: string }
  | { readonly kind: "no"; readonly why: string };

class Looks {
  readonly #parts: ProjectLookParts;
  readonly #checkout: Checkout;

  constructor(parts: ProjectLookParts, checkout: Checkout) {
    this.#parts = parts;
    this.#checkout = checkout;
  }

  async file(given: string): Promise<string> {
    const text = await this.#text(given);
    return text.kind === "no" ? text.why : text.value;
  }

  list(given: string): string {
    const place = this.#place(given === "" ? "." : given);
    if (place.kind === "no") return place.why;
    if (!fs.statSync(place.real).isDirectory()) return "refused: that is not a directory";
    const entries = fs
      .readdirSync(place.real, { withFileTypes: true })
      .filter(({ name }) => name !== ".git")
      .map((entry) =>
        entry.isDirectory() ? `${entry.name}/` : entry.isSymbolicLink() ? `${entry.name} (link)` : entry.name,
      )
      .toSorted();
    return entries.length === 0 ? "nothing is in it" : bounded(entries);
  }

  glob(pattern: string): string {
    const refusal =
      wrongPattern(pattern) ??
      (pattern.startsWith(":") || path.isAbsolute(pattern) || pattern.split("/").includes("..")
        ? "refused: a pattern of paths inside the project"
        : undefined);
    if (refusal !== undefined) return refusal;
    const answer = this.#git()?.([
      "ls-files",
      "--cached",
      "--others",
      "--exclude-standard",
      "--",
      `:(top,glob)${pattern}`,
      ...NOT_SECRET,
    ]);
    if (answer === undefined) return NO_GIT;
    const files = [...new Set(answer.text.split("\n").filter((line) => line !== ""))];
    return files.length === 0 ? "no file" : bounded(files);
  }

  async grep(pattern: string): Promise<string> {
    const refusal = wrongPattern(pattern);
    if (refusal !== undefined) return refusal;
    const answer = this.#git()?.([
      "grep",
      "-z",
      "-n",
      "-I",
      "-E",
      "--untracked",
      "--exclude-standard",
      "--no-color",
      "--no-textconv",
      "--max-depth=40",
      "-e",
      pattern,
      "--",
      ".",
      ...NOT_SECRET,
    ]);
    if (answer === undefined) return NO_GIT;
    if (answer.text === "") return answer.complete ? "nothing matches" : "refused: not a pattern, or it took too long";
    const hits = answer.text
      .split("\n")
      .slice(0, MOST_LINES)
      .flatMap((line) => {
        const [file = "", number = ""] = line.split("\0");
        return number === "" ? [] : [{ file, number: Number(number) }];
      });
    return (await this.#maskedLines(hits)).join("\n") || "nothing matches";
  }

  async shell(command: LookCommand): Promise<string> {
    switch (command.kind) {
      case "refused":
        return `refused: ${command.why}`;
      case "list":
        return this.list(command.path);
      case "lines":
        return this.#eachFile(command.paths, (text) =>
          (command.from === "start" ? linesOf(text).slice(0, command.count) : linesOf(text).slice(-command.count)).join(
            "\n",
          ),
        );
      case "count":
        return this.#eachFile(command.paths, (text) => `${linesOf(text).length} lines`);
      case "branches":
        return this.#checkout.git === undefined ? NO_GIT : bounded(branchNames(this.#checkout.git));
      case "status":
        return this.#status();
      case "git":
        return this.#parts.mask(this.#askedGit(command));
    }
  }

  #askedGit(command: GitLook): string {
    const { git: place } = this.#checkout;
    if (place === undefined) return NO_GIT;
    const built = gitArguments(
      command,
      place,
      (given) => {
        const found = this.#place(given, "may be gone");
        return found.kind === "no" ? undefined : found.shown;
      },
      NOT_SECRET,
    );
    if (built.kind === "refused") return `refused: ${built.why}`;
    const answer = this.#git()?.(built.args);
    return answer === undefined
      ? NO_GIT
      : answer.text === ""
        ? answer.complete
          ? "git says nothing"
          : "git could not answer that"
        : cutLines(answer.text);
  }

  #status(): string {
    const git = this.#git();
    const head = this.#checkout.git?.head;
    const changed =
      head === undefined
        ? undefined
        : git?.([
            "diff",
            "--name-status",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
            head,
            "--",
            ".",
            ...NOT_SECRET,
          ]);
    const others = git?.(["ls-files", "--others", "--exclude-standard", "--", ".", ...NOT_SECRET]);
    if (changed === undefined || others === undefined) return NO_GIT;
    const lines = [
      ...changed.text.split("\n"),
      ...others.text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => `??\t${line}`),
    ].filter((line) => line !== "");
    return lines.length === 0 ? "nothing has changed since the last commit" : bounded(lines);
  }

  async #eachFile(paths: readonly string[], show: (text: string) => string): Promise<string> {
    const shown: string[] = [];
    for (const given of paths.slice(0, 5)) {
      const text = await this.#text(given);
      shown.push(`${paths.length > 1 ? `==> ${given}\n` : ""}${text.kind === "no" ? text.why : show(text.value)}`);
    }
    return shown.join("\n");
  }

  /** A key may span lines: secrets are masked in the whole file before its lines are shown. */
  async #maskedLines(hits: readonly { readonly file: string; readonly number: number }[]): Promise<readonly string[]> {
    const shown: string[] = [];
    for (const file of [...new Set(hits.map((hit) => hit.file))].slice(0, MOST_FILES)) {
      const text = await this.#text(file);
      if (text.kind === "no") continue;
      const lines = linesOf(text.value);
      for (const { number } of hits.filter((hit) => hit.file === file).slice(0, MOST_LINES_OF_A_FILE))
        shown.push(`${file}:${number}: ${(lines[number - 1] ?? "").slice(0, LINE_CHARACTERS)}`);
    }
    return shown;
  }

  /** The text of a file in the project, without its secrets. */
  async #text(
    given: string,
  ): Promise<{ readonly kind: "text"; readonly value: string } | Extract<Place, { readonly kind: "no" }>> {
    const place = this.#place(given);
    if (place.kind === "no") return place;
    const stat = fs.statSync(place.real);
    if (!stat.isFile()) return { kind: "no", why: "refused: that is not an ordinary file" };
    if (stat.size > MOST_BYTES)
      return { kind: "no", why: `refused: it has ${stat.size} bytes; at most ${MOST_BYTES} are read` };
    const bytes = fs.readFileSync(place.real);
    if (bytes.includes(0)) return { kind: "no", why: "refused: it is not text" };
    return { kind: "text", value: await this.#parts.mask(bytes.toString("utf8")) };
  }

  /** The real location of a path, if it is inside the project and does not hold keys. */
  #place(given: string, missing: "must be there" | "may be gone" = "must be there"): Place {
    const { root } = this.#checkout;
    if (given.includes("\0")) return { kind: "no", why: "refused: that is not a path" };
    const resolved = path.resolve(root, given);
    const shown = path.relative(root, resolved);
    if (isSecretPath(shown)) return { kind: "no", why: "refused: files that hold keys are not shown" };
    const real = realPath(resolved);
    if (real === undefined)
      return missing === "may be gone" && isInside(root, resolved)
        ? { kind: "inside", real: resolved, shown: shown === "" ? "." : shown }
        : { kind: "no", why: isInside(root, resolved) ? "there is no such file" : OUTSIDE };
    if (!isInside(root, real)) return { kind: "no", why: OUTSIDE };
    const truly = path.relative(root, real);
    if (isSecretPath(truly)) return { kind: "no", why: "refused: files that hold keys are not shown" };
    if (truly.split(path.sep).includes(".git"))
      return { kind: "no", why: "refused: git's own files are not shown; ask git" };
    return { kind: "inside", real, shown: truly === "" ? "." : truly };
  }

  #git(): AskGit | undefined {
    const { git } = this.#checkout;
    if (git === undefined) return undefined;
    const end = this.#parts.elapsedMs() + (this.#parts.budgetMs ?? BUDGET_MS);
    return plainGit(
      { ...this.#checkout, git },
      this.#parts.emptyRepository,
      this.#parts.environment,
      () => end - this.#parts.elapsedMs(),
    );
  }
}

const NO_GIT = "there is no answer: no git here, or it took too long";
const OUTSIDE = "refused: only what is inside the project can be seen";

function isInside(root: string, target: string): boolean {
  return target === root || target.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function realPath(target: string): string | undefined {
  try {
    return fs.realpathSync(target);
  } catch (error) {
    // Missing, a dangling or circular link, or no permission: nothing to show.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function wrongPattern(pattern: string): string | undefined {
  if (pattern.length > PATTERN_CHARACTERS) return `refused: a pattern has at most ${PATTERN_CHARACTERS} characters`;
  return /[\0-\u001F]/u.test(pattern) || pattern.trim() === "" ? "refused: that is not a pattern" : undefined;
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\r?\n$/u, "").split(/\r?\n/u);
}

function bounded(lines: readonly string[]): string {
  return [
    ...lines.slice(0, MOST_LINES),
    ...(lines.length > MOST_LINES ? [`[${lines.length - MOST_LINES} more]`] : []),
  ].join("\n");
}

function cutLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.slice(0, LINE_CHARACTERS))
    .join("\n");
}
