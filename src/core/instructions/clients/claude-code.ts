import {
  expandBraces,
  directoriesBetween,
  directoriesDownTo,
  isInside,
  join,
  parentOf,
  relativeTo,
  resolvePath,
} from "../paths.ts";
import { decodeFile } from "../ports.ts";
import { findImports } from "../markdown-inline.ts";
import { type Candidate, type LoadedFile, Loader } from "../loader.ts";
import type { InstructionScope, InstructionSet } from "../section.ts";
import {
  type ClaudeCodeSettings,
  isOuterCheckout,
  readClaudeCodeSettings,
  claudeCodeText,
  isImportable,
} from "./claude-code-settings.ts";
import type { ClientProfile, ClientView, Place } from "./client.ts";

/** Claude Code follows four hops, as observed; a fifth file in a chain is not loaded. */
const IMPORT_HOPS = 4;

const LABELS: Readonly<Record<InstructionScope, string>> = {
  managed: "managed policy instructions",
  user: "user's private global instructions for all projects",
  project: "project instructions, checked into the codebase",
  local: "user's private project instructions, not checked in",
};

/** Claude Code, as observed with 2.1.330. */
export const claudeCode: ClientProfile = {
  agent: "claude-code",
  title: "Claude Code",
  open: (place) => new ClaudeCodeView(place),
};

interface Rule {
  readonly candidate: Candidate;
  readonly base: string;
  readonly paths: readonly string[];
  readonly patterns: readonly string[];
  readonly matches: (relativePath: string) => boolean;
}

/** Rules of one folder: the base of their globs, and the waiting rules. */
interface RuleFolder {
  readonly base: string;
  readonly waiting: Rule[];
}

class ClaudeCodeView implements ClientView {
  private readonly place: Place;
  private readonly loader: Loader;
  private readonly settings: ClaudeCodeSettings;
  /** Directories below the start whose files were already loaded on demand. */
  private readonly visited = new Set<string>();
  /** Waiting rules; `conditional` has the real paths of all rules that ever waited. */
  private userRules: Rule[] = [];
  private projectRules: Rule[] = [];
  private readonly nestedRules = new Map<string, readonly Rule[]>();
  private readonly conditional = new Set<string>();

  constructor(place: Place) {
    this.place = place;
    this.loader = new Loader(place, { byteOrderMark: "drop", once: "real-path" });
    this.settings = readClaudeCodeSettings(place);
  }

  start(): InstructionSet {
    const { managedDirectory, cwd } = this.place;
    this.managedText();
    this.file({ ...atStart("managed"), path: join(managedDirectory, "CLAUDE.md") });
    this.userRules.push(...this.rules(join(managedDirectory, ".claude/rules"), cwd, atStart("managed")));
    this.file({ ...atStart("user"), path: join(this.settings.directory, "CLAUDE.md") });
    this.userRules.push(...this.rules(join(this.settings.directory, "rules"), cwd, atStart("user")));
    const directories = directoriesDownTo(cwd);
    const readsAgents = this.settings.readsAgents && !directories.some((directory) => this.hasOwnFile(directory));
    for (const directory of directories) this.startDirectory(directory, readsAgents);
    for (const { candidate, paths, patterns, base } of [...this.userRules, ...this.projectRules])
      this.loader.wait({ path: candidate.path, scope: candidate.scope, paths, patterns, base });
    return this.loader.take();
  }

  touched(paths: readonly string[]): InstructionSet {
    for (const path of paths) {
      if (!isInside(path, this.place.cwd) || !this.isWithin(path)) continue;
      this.markRead(path);
      this.userRules = this.userRules.filter((rule) => !this.showMatching(rule, path));
      for (const directory of directoriesBetween(this.place.cwd, parentOf(path))) this.touchDirectory(directory, path);
      this.projectRules = this.projectRules.filter((rule) => !this.showMatching(rule, path));
    }
    return this.loader.take();
  }

  private startDirectory(directory: string, readsAgents: boolean): void {
    const isOuter = isOuterCheckout(this.place, directory);
    const project = atStart("project");
    if (!isOuter) {
      this.file({ ...project, path: join(directory, "CLAUDE.md") });
      this.file({ ...project, path: join(directory, ".claude/CLAUDE.md") });
      this.projectRules.push(...this.rules(join(directory, ".claude/rules"), directory, project));
    }
    this.file({ ...atStart("local"), path: join(directory, "CLAUDE.local.md") });
    if (isOuter || !readsAgents) return;
    this.file({ ...project, path: join(directory, "AGENTS.md") });
    this.file({ ...project, path: join(directory, ".claude/AGENTS.md") });
  }

  /** Whether the directory has a non-empty file that prevents loading AGENTS.md. */
  private hasOwnFile(directory: string): boolean {
    const names = isOuterCheckout(this.place, directory)
      ? ["CLAUDE.local.md"]
      : ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
    const own = names
      .map((name) => join(directory, name))
      .filter((path) => path !== join(this.settings.directory, "CLAUDE.md") && !this.settings.isExcluded(path));
    return own.some((path) => {
      const file = this.place.files.read(path);
      return file.state === "read" && claudeCodeText(decodeFile(file.bytes).text, "start").text !== "";
    });
  }

  /** Loads a directory below the start when a file in or below it is read. */
  private touchDirectory(directory: string, touched: string): void {
    const project = { scope: "project", label: undefined, reason: "nested-traversal", touched } as const;
    if (!this.visited.has(directory)) {
      this.visited.add(directory);
      this.file({ ...project, path: join(directory, "CLAUDE.md") });
      this.file({ ...project, path: join(directory, ".claude/CLAUDE.md") });
      this.file({ ...project, scope: "local", path: join(directory, "CLAUDE.local.md") });
      this.nestedRules.set(directory, this.rules(join(directory, ".claude/rules"), directory, project));
    }
    this.nestedRules.set(
      directory,
      (this.nestedRules.get(directory) ?? []).filter((rule) => !this.showMatching(rule, touched)),
    );
  }

  private managedText(): void {
    const { managed } = this.settings;
    if (managed === undefined) return;
    this.loader.show(
      {
        candidate: { ...atStart("managed"), path: managed.path },
        realPath: managed.path,
        bytes: new Uint8Array(),
        text: managed.text,
        flags: [],
      },
      { text: managed.text },
    );
  }

  private file(candidate: Candidate): void {
    const file = this.admit(candidate);
    if (file !== undefined) this.showWithImports(file, [file.realPath]);
  }

  private admit(candidate: Candidate): LoadedFile | undefined {
    const { path, scope, importedBy } = candidate;
    if (scope === "managed" || !this.settings.isExcluded(path)) return this.loader.read(candidate);
    if (this.place.files.realPath(path) !== undefined)
      this.loader.exclude({
        path,
        why: "claudeMdExcludes in the settings matches it",
        ...(importedBy !== undefined && { importedBy }),
      });
    return undefined;
  }

  /** A touched file counts as loaded, since the agent reads it itself. */
  private markRead(path: string): void {
    const real = this.place.files.realPath(path);
    if (real !== undefined) this.loader.markLoaded(real);
  }

  /** Whether a path, or its existing part, is really below the start; links may lead outside. */
  private isWithin(path: string): boolean {
    const real = this.place.files.realPath(path);
    if (real !== undefined) return isInside(real, this.place.cwd);
    return path === this.place.cwd || this.isWithin(parentOf(path));
  }

  /** Shows a non-empty file and its imports. Within a rules folder, a file with `paths:` waits. */
  private showWithImports(file: LoadedFile, chain: readonly string[], rules?: RuleFolder): void {
    const {
      body,
      text,
      paths = [],
      flags = [],
    } = claudeCodeText(file.text, file.candidate.touched === undefined ? "start" : "demand");
    if (rules !== undefined && paths.length > 0) this.wait(file, paths, rules);
    else if (text.trim() === "") this.loader.skipEmpty(file);
    else this.loader.show(file, { text, flags });
    for (const { target } of findImports(body)) this.follow(file, target, chain, rules);
  }

  private wait({ candidate, realPath }: LoadedFile, paths: readonly string[], { base, waiting }: RuleFolder): void {
    this.conditional.add(realPath);
    this.loader.release(realPath);
    const patterns = paths.flatMap(rulePatterns);
    waiting.push({ candidate, base, paths, patterns, matches: this.place.globs.gitignore(patterns) });
  }

  private follow(file: LoadedFile, target: string, chain: readonly string[], rules: RuleFolder | undefined): void {
    const { files, home } = this.place;
    const importedBy = file.candidate.path;
    const path = target.startsWith("~/")
      ? resolvePath(home, target.slice(2))
      : resolvePath(parentOf(file.realPath), target);
    const realPath = files.realPath(path);
    if (realPath === undefined)
      return this.loader.miss({ path, why: `there is no such file (\`@${target}\`)`, importedBy });
    if (
      this.loader.isLoaded(realPath) ||
      (rules !== undefined && this.conditional.has(realPath)) ||
      files.kind(realPath) !== "file"
    )
      return;
    if (!isImportable(path))
      return this.loader.exclude({ path, why: "the client imports no files of this type", importedBy });
    if (chain.length > IMPORT_HOPS)
      return this.loader.exclude({
        path,
        why: `imported over more than ${IMPORT_HOPS} hops; the client follows no more`,
        importedBy,
      });
    const access = this.accessTo(realPath, file.candidate.scope);
    if (access === "pending")
      return this.loader.defer({
        path,
        why: "imported from outside the project, which needs approval: `memdir instructions approve`",
        importedBy,
      });
    const next = this.admit({
      ...file.candidate,
      path,
      importedBy,
      reason: "include",
      flags: access === "approved-in-memdir" ? [access] : [],
    });
    if (next !== undefined) this.showWithImports(next, [...chain, realPath], rules);
  }

  /** A project's files may import from outside only with approval. */
  private accessTo(realPath: string, scope: InstructionScope): "free" | "approved-in-memdir" | "pending" {
    const isFree =
      scope === "managed" || scope === "user" || isInside(realPath, this.place.cwd) || this.settings.importsApproved;
    if (isFree) return "free";
    return this.place.approved(realPath) ? "approved-in-memdir" : "pending";
  }

  /** Shows the rules of a directory, in directory order; returns those that wait for a matching file. */
  private rules(directory: string, base: string, from: Omit<Candidate, "path">): Rule[] {
    const { files } = this.place;
    const real = files.realPath(directory);
    if (real === undefined) return [];
    const folder: RuleFolder = { base, waiting: [] };
    const visit = (at: string, above: readonly string[]): void => {
      for (const { name, kind } of files.list(at)) {
        const path = join(at, name);
        const below = kind === "directory" ? files.realPath(path) : undefined;
        if (below !== undefined && !above.includes(below)) visit(path, [...above, below]);
        else if (kind === "file" && name.endsWith(".md")) this.rule({ ...from, path }, folder);
      }
    };
    visit(directory, [real]);
    return folder.waiting;
  }

  /** A linked rule is shown by its real path, and needs approval when that is outside. */
  private rule(candidate: Candidate, folder: RuleFolder): void {
    const { path, scope } = candidate;
    const realPath = this.place.files.realPath(path);
    if (realPath === undefined || this.conditional.has(realPath)) return;
    const isLinked = realPath !== path && !isInside(realPath, folder.base);
    if (isLinked && this.accessTo(realPath, scope) === "pending") {
      this.loader.defer({
        path: realPath,
        why: "a rule links to it from the project, which needs approval: `memdir instructions approve`",
        importedBy: path,
      });
      return;
    }
    const file = this.admit({ ...candidate, path: realPath });
    if (file !== undefined) this.showWithImports(file, [file.realPath], folder);
  }

  /** Shows a rule on demand, without its imports. */
  private showMatching({ candidate, base, paths, matches }: Rule, touched: string): boolean {
    const relative = relativeTo(touched, base);
    if (relative === undefined || !matches(relative)) return false;
    const file = this.admit({ ...candidate, label: undefined, reason: "path-glob-match", touched });
    if (file === undefined) return true;
    const { text, flags = [] } = claudeCodeText(file.text, "demand");
    if (text.trim() === "") this.loader.skipEmpty(file);
    else this.loader.show(file, { text, flags, paths });
    return true;
  }
}

/** As the client does: ignores a trailing `/**`, and treats `[!a]` and `[^a]` as classes that contain the mark. */
function rulePatterns(path: string): string[] {
  return expandBraces(path.replace(/\/\*\*$/u, "")).map((pattern) => pattern.replace(/\[([!^])([^\]]+)\]/gu, "[$2$1]"));
}

function atStart(scope: InstructionScope): Pick<Candidate, "scope" | "label" | "reason"> {
  return { scope, label: LABELS[scope], reason: "session-start" };
}
