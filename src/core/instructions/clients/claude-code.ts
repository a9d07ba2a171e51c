import { expandBraces } from "../braces.ts";
import { findImports } from "../imports.ts";
import { type Candidate, type LoadedFile, Loader } from "../loader.ts";
import { directoriesBetween, directoriesDownTo, isInside, join, parentOf, relativeTo, resolvePath } from "../paths.ts";
import type { InstructionScope, InstructionSet } from "../section.ts";
import { type ClaudeCodeSettings, isOuterCheckout, readClaudeCodeSettings } from "./claude-code-settings.ts";
import { claudeCodeText, isImportable } from "./claude-code-text.ts";
import type { ClientProfile, ClientView, Place } from "./client.ts";

/** Claude Code was observed to follow four hops; a fifth file in a chain is not loaded. */
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
  readonly matches: (relativePath: string) => boolean;
}

class ClaudeCodeView implements ClientView {
  private readonly place: Place;
  private readonly loader: Loader;
  private readonly settings: ClaudeCodeSettings;
  /** Directories below the start whose files were loaded on demand. */
  private readonly visited = new Set<string>();
  /** Rules that wait, and real paths of all that ever did. */
  private userRules: Rule[] = [];
  private projectRules: Rule[] = [];
  private readonly nestedRules = new Map<string, readonly Rule[]>();
  private readonly conditional = new Set<string>();
  private hasOwnFile = false;

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
    for (const directory of directories) this.startDirectory(directory);
    if (!this.hasOwnFile && this.settings.readsAgents) for (const directory of directories) this.agentsFiles(directory);
    for (const rule of [...this.userRules, ...this.projectRules]) this.loader.wait({ path: rule.candidate.path, scope: rule.candidate.scope, paths: rule.paths, base: rule.base });
    return this.loader.take();
  }

  touched(paths: readonly string[]): InstructionSet {
    for (const path of paths.filter((one) => isInside(one, this.place.cwd))) {
      this.markRead(path);
      this.userRules = this.userRules.filter((rule) => !this.showMatching(rule, path));
      for (const directory of directoriesBetween(this.place.cwd, parentOf(path))) this.touchDirectory(directory, path);
      this.projectRules = this.projectRules.filter((rule) => !this.showMatching(rule, path));
    }
    return this.loader.take();
  }

  private startDirectory(directory: string): void {
    const outer = isOuterCheckout(this.place, directory);
    if (!outer) {
      this.ownFile({ ...atStart("project"), path: join(directory, "CLAUDE.md") });
      this.ownFile({ ...atStart("project"), path: join(directory, ".claude/CLAUDE.md") });
      this.projectRules.push(...this.rules(join(directory, ".claude/rules"), directory, atStart("project")));
    }
    this.ownFile({ ...atStart("local"), path: join(directory, "CLAUDE.local.md") });
  }

  private agentsFiles(directory: string): void {
    if (isOuterCheckout(this.place, directory)) return;
    for (const name of ["AGENTS.md", ".claude/AGENTS.md"]) {
      const path = join(directory, name);
      if (path !== join(this.settings.directory, "AGENTS.md")) this.file({ ...atStart("project"), path });
    }
  }

  /** A directory below the start, when a file in or below it is read. */
  private touchDirectory(directory: string, touched: string): void {
    const project = { scope: "project", label: undefined, reason: "nested-traversal", touched } as const;
    if (!this.visited.has(directory)) {
      this.visited.add(directory);
      this.file({ ...project, path: join(directory, "CLAUDE.md") });
      this.file({ ...project, path: join(directory, ".claude/CLAUDE.md") });
      this.file({ ...project, scope: "local", path: join(directory, "CLAUDE.local.md") });
      this.nestedRules.set(directory, this.rules(join(directory, ".claude/rules"), directory, project));
    }
    this.nestedRules.set(directory, (this.nestedRules.get(directory) ?? []).filter((rule) => !this.showMatching(rule, touched)));
  }

  private managedText(): void {
    const { managed } = this.settings;
    if (managed === undefined) return;
    this.loader.show({ candidate: { ...atStart("managed"), path: managed.path }, realPath: managed.path, bytes: new Uint8Array(), text: managed.text, flags: [] }, { text: managed.text });
  }

  /** One of the files that, when it says something, keeps AGENTS.md away. */
  private ownFile(candidate: Candidate): void {
    if (this.file(candidate)) this.hasOwnFile = true;
  }

  private file(candidate: Candidate): boolean {
    const file = this.admit(candidate);
    return file !== undefined && this.showWithImports(file, [file.realPath]);
  }

  private admit(candidate: Candidate): LoadedFile | undefined {
    const { path, scope, importedBy } = candidate;
    if (scope === "managed" || !this.settings.isExcluded(path)) return this.loader.read(candidate);
    if (this.place.files.realPath(path) !== undefined) this.loader.exclude({ path, why: "claudeMdExcludes in the settings matches it", ...(importedBy !== undefined && { importedBy }) });
    return undefined;
  }

  /** The file a session is at counts as loaded: whoever reads it has it. */
  private markRead(path: string): void {
    const real = this.place.files.realPath(path);
    if (real !== undefined) this.loader.markLoaded(real);
  }

  /** Shows a file that says something; what it imports follows either way. */
  private showWithImports(file: LoadedFile, chain: readonly string[]): boolean {
    const { body, text, flags = [] } = claudeCodeText(file.text, file.candidate.touched === undefined ? "start" : "demand");
    const isEmpty = text.trim() === "";
    if (isEmpty) this.loader.skipEmpty(file);
    else this.loader.show(file, { text, flags });
    for (const { target } of findImports(body)) this.follow(file, target, chain);
    return !isEmpty;
  }

  private follow(file: LoadedFile, target: string, chain: readonly string[]): void {
    const { files, home } = this.place;
    const importedBy = file.candidate.path;
    const path = target.startsWith("~/") ? resolvePath(home, target.slice(2)) : resolvePath(parentOf(file.realPath), target);
    const realPath = files.realPath(path);
    if (realPath === undefined) return this.loader.miss({ path, why: `there is no such file (\`@${target}\`)`, importedBy });
    if (this.loader.isLoaded(realPath) || files.kind(realPath) !== "file") return;
    if (!isImportable(path)) return this.loader.exclude({ path, why: "the client imports no files of this type", importedBy });
    if (chain.length > IMPORT_HOPS) return this.loader.exclude({ path, why: `imported over more than ${IMPORT_HOPS} hops; the client follows no more`, importedBy });
    const access = this.accessTo(realPath, file.candidate.scope);
    if (access === "pending") return this.loader.defer({ path, why: "imported from outside the project, which needs approval: `memdir instructions approve`", importedBy });
    const next = this.admit({ ...file.candidate, path, importedBy, reason: "include", flags: access === "approved-in-memdir" ? [access] : [] });
    if (next !== undefined) this.showWithImports(next, [...chain, realPath]);
  }

  /** A project's files may import from outside only what somebody approved. */
  private accessTo(realPath: string, scope: InstructionScope): "free" | "approved-in-memdir" | "pending" {
    const isFree = scope === "managed" || scope === "user" || isInside(realPath, this.place.cwd) || this.settings.importsApproved;
    if (isFree) return "free";
    return this.place.approved(realPath) ? "approved-in-memdir" : "pending";
  }

  /** Shows the rules of a directory, in the order of the disk; returns those that wait for a matching file. */
  private rules(directory: string, base: string, from: Omit<Candidate, "path">): Rule[] {
    const { files } = this.place;
    const real = files.realPath(directory);
    if (real === undefined) return [];
    const waiting: Rule[] = [];
    const visit = (at: string, above: readonly string[]): void => {
      for (const { name, kind } of files.list(at)) {
        const path = join(at, name);
        const below = kind === "directory" ? files.realPath(path) : undefined;
        if (below !== undefined && !above.includes(below)) visit(path, [...above, below]);
        else if (kind === "file" && name.endsWith(".md")) waiting.push(...this.rule({ ...from, path }, base));
      }
    };
    visit(directory, [real]);
    return waiting;
  }

  private rule(candidate: Candidate, base: string): Rule[] {
    const { path, scope } = candidate;
    const realPath = this.place.files.realPath(path);
    if (realPath === undefined || this.conditional.has(realPath)) return [];
    if (scope === "project" && !isInside(realPath, base) && this.accessTo(realPath, scope) === "pending") {
      this.loader.exclude({ path, why: "a link to a file outside the project; the client does not follow it" });
      return [];
    }
    const file = this.admit(candidate);
    if (file === undefined) return [];
    const { paths = [] } = claudeCodeText(file.text, "start");
    if (paths.length === 0) {
      this.showWithImports(file, [file.realPath]);
      return [];
    }
    this.conditional.add(realPath);
    this.loader.release(realPath);
    return [{ candidate, base, paths, matches: this.place.globs.gitignore(paths.flatMap(expandBraces)) }];
  }

  /** A rule on demand brings no imports with it. */
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

function atStart(scope: InstructionScope): Pick<Candidate, "scope" | "label" | "reason"> {
  return { scope, label: LABELS[scope], reason: "session-start" };
}
