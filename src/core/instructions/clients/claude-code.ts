import { stripBlockComments } from "../comments.ts";
import { findImports } from "../imports.ts";
import { type Candidate, type LoadedFile, Loader } from "../loader.ts";
import { directoriesBetween, directoriesDownTo, isInside, join, parentOf, relativeTo, resolvePath } from "../paths.ts";
import { readRule } from "../rule-paths.ts";
import type { InstructionScope, InstructionSet, LoadReason } from "../section.ts";
import { readSettings, record, type Settings, strings } from "../settings.ts";
import { expandBraces } from "../braces.ts";
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

/** `CLAUDE_CONFIG_DIR` or `~/.claude`. */
export function claudeDirectory(place: Pick<Place, "variables" | "home" | "cwd">): string {
  const given = place.variables["CLAUDE_CONFIG_DIR"];
  return given === undefined || given === "" ? join(place.home, ".claude") : resolvePath(place.cwd, given);
}

interface WaitingRule {
  readonly candidate: Candidate;
  readonly base: string;
  readonly paths: readonly string[];
  readonly matches: (relativePath: string) => boolean;
}

class ClaudeCodeView implements ClientView {
  private readonly loader: Loader;
  private readonly isExcluded: (path: string) => boolean;
  private readonly everythingApproved: boolean;
  private readonly visited = new Set<string>();
  private rules: WaitingRule[] = [];
  private readonly place: Place;
  private readonly config: string;
  private readonly managedSettings: Settings;

  constructor(place: Place) {
    this.place = place;
    this.loader = new Loader(place, { text: "clean", once: true });
    this.config = claudeDirectory(place);
    this.managedSettings = readSettings(place.files, join(place.managedDirectory, "managed-settings.json"));
    const own = [join(this.config, "settings.json"), join(place.cwd, ".claude/settings.json"), join(place.cwd, ".claude/settings.local.json")];
    const excludes = [...own.map((path) => readSettings(place.files, path)), this.managedSettings].flatMap((settings) => strings(settings["claudeMdExcludes"]));
    this.isExcluded = excludes.length === 0 ? () => false : place.globs.globs(excludes);
    this.everythingApproved = hasClientApproval(place, this.config);
  }

  start(): InstructionSet {
    const { managedDirectory, cwd } = this.place;
    const from = (scope: InstructionScope): Pick<Candidate, "scope" | "label" | "reason"> => ({ scope, label: LABELS[scope], reason: "session-start" });
    this.inlineManaged();
    this.file({ ...from("managed"), path: join(managedDirectory, "CLAUDE.md") });
    this.ruleDirectory(join(managedDirectory, ".claude/rules"), cwd, from("managed"));
    this.file({ ...from("user"), path: join(this.config, "CLAUDE.md") });
    this.ruleDirectory(join(this.config, "rules"), cwd, from("user"));
    const directories = directoriesDownTo(cwd);
    for (const directory of directories) this.directory(directory, "session-start", undefined);
    if (!directories.some((directory) => this.hasOwnFile(directory))) for (const directory of directories) this.file({ ...from("project"), path: join(directory, "AGENTS.md") });
    return this.loader.take();
  }

  touched(paths: readonly string[]): InstructionSet {
    for (const path of paths) {
      for (const directory of directoriesBetween(this.place.cwd, parentOf(path))) this.directory(directory, "nested-traversal", path);
      this.matchRules(path);
    }
    return this.loader.take();
  }

  /** Everything of one directory: project file, rules, local file. */
  private directory(directory: string, reason: LoadReason, touched: string | undefined): void {
    if (this.visited.has(directory)) return;
    this.visited.add(directory);
    const project = { scope: "project", label: LABELS.project, reason, ...(touched !== undefined && { touched }) } as const;
    this.file({ ...project, path: join(directory, "CLAUDE.md") });
    this.file({ ...project, path: join(directory, ".claude/CLAUDE.md") });
    this.ruleDirectory(join(directory, ".claude/rules"), directory, project);
    this.file({ ...project, scope: "local", label: LABELS.local, path: join(directory, "CLAUDE.local.md") });
  }

  /** A file of Claude Code's own kind; with one, AGENTS.md is not read. */
  private hasOwnFile(directory: string): boolean {
    return ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"].some((name) => this.place.files.realPath(join(directory, name)) !== undefined);
  }

  private inlineManaged(): void {
    const text = this.managedSettings["claudeMd"];
    if (typeof text !== "string" || text.trim() === "") return;
    const path = join(this.place.managedDirectory, "managed-settings.json");
    this.loader.show({ candidate: { path, scope: "managed", label: LABELS.managed, reason: "session-start" }, realPath: path, bytes: new Uint8Array(), text, flags: [] }, { text });
  }

  private file(candidate: Candidate): void {
    const file = this.admit(candidate);
    if (file !== undefined) this.showWithImports(file, [file.realPath]);
  }

  private admit(candidate: Candidate): LoadedFile | undefined {
    const { path, scope, importedBy } = candidate;
    if (scope !== "managed" && this.isExcluded(path)) {
      if (this.place.files.realPath(path) !== undefined) this.loader.exclude({ path, why: "claudeMdExcludes in the settings matches it", ...(importedBy !== undefined && { importedBy }) });
      return undefined;
    }
    return this.loader.read(candidate);
  }

  private showWithImports(file: LoadedFile, chain: readonly string[]): void {
    const { body, hadFrontmatter } = readRule(file.text);
    const { text, stripped } = stripBlockComments(hadFrontmatter ? body : file.text);
    const flags = [...(hadFrontmatter ? (["frontmatter-stripped"] as const) : []), ...(stripped ? (["comments-stripped"] as const) : [])];
    this.loader.show(file, { text, flags });
    this.followImports(file, chain);
  }

  private followImports(file: LoadedFile, chain: readonly string[]): void {
    const { path, scope } = file.candidate;
    for (const { target } of findImports(file.text)) {
      const imported = target.startsWith("~/") ? resolvePath(this.place.home, target.slice(2)) : resolvePath(parentOf(path), target);
      const realPath = this.place.files.realPath(imported);
      if (realPath === undefined) {
        this.loader.miss({ path: imported, why: `there is no such file (\`@${target}\`)`, importedBy: path });
        continue;
      }
      if (this.loader.isLoaded(realPath) || this.place.files.kind(realPath) !== "file") continue;
      if (chain.length > IMPORT_HOPS) {
        this.loader.exclude({ path: imported, why: `imported over more than ${IMPORT_HOPS} hops; the client follows no more`, importedBy: path });
        continue;
      }
      const outside = (scope === "project" || scope === "local") && !isInside(realPath, this.place.cwd);
      const approvedHere = outside && this.place.approved(realPath);
      if (outside && !approvedHere && !this.everythingApproved) {
        this.loader.defer({ path: imported, why: "a project file imports it from outside the project; approve it with `memdir instructions approve`", importedBy: path });
        continue;
      }
      const next = this.admit({ ...file.candidate, path: imported, importedBy: path, reason: "include", ...(approvedHere && !this.everythingApproved ? { flags: ["approved-in-memdir"] as const } : { flags: [] }) });
      if (next !== undefined) this.showWithImports(next, [...chain, realPath]);
    }
  }

  /** Rules of a directory, sub-directories included; those with `paths:` wait for a matching file. */
  private ruleDirectory(directory: string, base: string, from: Omit<Candidate, "path">, above: readonly string[] = []): void {
    const real = this.place.files.realPath(directory);
    if (real === undefined || above.includes(real)) return;
    const entries = this.place.files.list(directory);
    for (const { name, kind } of entries) {
      if (kind === "directory") this.ruleDirectory(join(directory, name), base, from, [...above, real]);
      else if (name.endsWith(".md")) this.rule({ ...from, path: join(directory, name) }, base);
    }
  }

  private rule(candidate: Candidate, base: string): void {
    const file = this.admit(candidate);
    if (file === undefined) return;
    const { paths } = readRule(file.text);
    if (paths.length === 0) return this.showWithImports(file, [file.realPath]);
    this.loader.release(file.realPath);
    const rule = { candidate, base, paths, matches: this.place.globs.gitignore(paths.flatMap(expandBraces)) };
    this.rules.push(rule);
    if (candidate.touched === undefined || !this.showMatching(rule, candidate.touched)) this.loader.wait({ path: candidate.path, scope: candidate.scope, paths, base });
  }

  private matchRules(path: string): void {
    this.rules = this.rules.filter((rule) => !this.showMatching(rule, path));
  }

  private showMatching({ candidate, base, paths, matches }: WaitingRule, touched: string): boolean {
    const relative = relativeTo(touched, base);
    if (relative === undefined || !matches(relative)) return false;
    const file = this.admit({ ...candidate, reason: "path-glob-match", touched });
    if (file === undefined) return true;
    const { body } = readRule(file.text);
    const { text, stripped } = stripBlockComments(body);
    this.loader.show(file, { text, paths, flags: ["frontmatter-stripped", ...(stripped ? (["comments-stripped"] as const) : [])] });
    this.followImports(file, [file.realPath]);
    return true;
  }
}

/** Claude Code's own answer for this project: `hasClaudeMdExternalIncludesApproved` in `.claude.json`. */
function hasClientApproval(place: Place, config: string): boolean {
  const given = place.variables["CLAUDE_CONFIG_DIR"];
  const file = given === undefined || given === "" ? join(place.home, ".claude.json") : join(config, ".claude.json");
  const projects = record(readSettings(place.files, file)["projects"]);
  const keys = [place.cwd, ...(place.gitRoot === undefined ? [] : [place.gitRoot])];
  return keys.some((key) => record(projects[key])["hasClaudeMdExternalIncludesApproved"] === true);
}

