import { type Candidate, Loader } from "../loader.ts";
import { directoriesDownTo, isAbsolute, isInside, join, nameOf, parentOf, relativeTo, resolvePath } from "../paths.ts";
import type { InstructionSet } from "../section.ts";
import { readSettings, strings } from "../ports.ts";
import { claudeDirectoryOfHome, type ClientProfile, type ClientView, type Place } from "./client.ts";

const NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"] as const;
/** Most entries that a glob in `instructions` visits. */
const MOST_ENTRIES = 20_000;

/** OpenCode, as observed with 1.18.33: no imports. */
export const openCode: ClientProfile = {
  agent: "opencode",
  title: "OpenCode",
  open: (place) => new OpenCodeView(place),
};

class OpenCodeView implements ClientView {
  private readonly place: Place;
  private readonly loader: Loader;
  private readonly config: string;
  private readonly root: string;
  private readonly names: readonly string[];
  private readonly readsProject: boolean;

  constructor(place: Place) {
    this.place = place;
    this.loader = new Loader(place, { byteOrderMark: "drop", once: "path" });
    this.config =
      place.variables["OPENCODE_CONFIG_DIR"] ||
      join(place.variables["XDG_CONFIG_HOME"] || join(place.home, ".config"), "opencode");
    this.root = place.gitRoot !== undefined && isRepository(place, place.gitRoot) ? place.gitRoot : "/";
    const withoutClaude =
      isOn(place, "OPENCODE_DISABLE_CLAUDE_CODE") || isOn(place, "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT");
    this.names = withoutClaude ? NAMES.filter((name) => name !== "CLAUDE.md") : NAMES;
    this.readsProject = !isOn(place, "OPENCODE_DISABLE_PROJECT_CONFIG");
  }

  start(): InstructionSet {
    const { files } = this.place;
    const ours = [
      join(this.config, "AGENTS.md"),
      ...(this.names.includes("CLAUDE.md") ? [join(claudeDirectoryOfHome(this.place), "CLAUDE.md")] : []),
    ];
    const user = ours.find((path) => files.realPath(path) !== undefined);
    if (user !== undefined) this.file(candidateOf(user, "user"));
    const upward = this.upward();
    if (this.readsProject) {
      const name = this.names.find((one) => this.isFound(upward.map((directory) => join(directory, one))));
      if (name !== undefined) for (const directory of upward) this.file(candidateOf(join(directory, name), "project"));
    }
    for (const instruction of this.instructions()) this.instruction(instruction);
    return this.loader.take();
  }

  touched(paths: readonly string[]): InstructionSet {
    const { cwd, files } = this.place;
    for (const touched of paths) {
      const directories = directoriesDownTo(parentOf(touched))
        .toReversed()
        .filter((directory) => directory !== cwd && isInside(directory, cwd));
      for (const directory of directories) {
        const path = this.names.map((name) => join(directory, name)).find((one) => files.realPath(one) !== undefined);
        if (path !== undefined && path !== touched)
          this.file({ ...candidateOf(path, "project"), reason: "nested-traversal", touched });
      }
    }
    return this.loader.take();
  }

  private file(candidate: Candidate): void {
    const file = this.loader.read(candidate);
    if (file === undefined) return;
    if (file.text === "") this.loader.skipEmpty(file);
    else this.loader.show(file, { text: file.text });
  }

  /** If one path is a link loop, the client finds no file of that name. */
  private isFound(paths: readonly string[]): boolean {
    const { files } = this.place;
    return paths.some((path) => files.realPath(path) !== undefined) && !paths.some((path) => files.isLoop(path));
  }

  /** From the working directory up to the worktree's root. */
  private upward(): string[] {
    return directoriesDownTo(this.place.cwd)
      .toReversed()
      .filter((directory) => isInside(directory, this.root));
  }

  /** `instructions` of every configuration file, the user's first. */
  private instructions(): string[] {
    const names = ["opencode.json", "opencode.jsonc"];
    const project = this.readsProject
      ? [
          ...this.upward().toReversed(),
          ...this.upward()
            .toReversed()
            .map((directory) => join(directory, ".opencode")),
        ]
      : [];
    const files = [this.config, ...project].flatMap((directory) => names.map((name) => join(directory, name)));
    return [...new Set(files.flatMap((path) => strings(readSettings(this.place.files, path)["instructions"])))];
  }

  private instruction(pattern: string): void {
    if (/^https?:\/\//u.test(pattern))
      return this.loader.exclude({ path: pattern, why: "fetched from the network by the client; memdir does not" });
    const expanded = pattern.startsWith("~/") ? resolvePath(this.place.home, pattern.slice(2)) : pattern;
    const scope = isAbsolute(expanded) && !isInside(expanded, this.root) ? "user" : "project";
    const matched = isAbsolute(expanded)
      ? this.globIn(parentOf(expanded), nameOf(expanded))
      : this.readsProject
        ? this.upward().flatMap((directory) => this.globIn(directory, expanded))
        : [];
    if (matched.length === 0)
      this.loader.miss({ path: pattern, why: "`instructions` of opencode.json names it and nothing matches" });
    for (const path of matched) this.file(candidateOf(path, scope));
  }

  private globIn(directory: string, pattern: string): string[] {
    if (!/[*?[{]/u.test(pattern)) {
      const path = resolvePath(directory, pattern);
      return this.place.files.realPath(path) === undefined ? [] : [path];
    }
    const fixed = pattern.slice(0, pattern.search(/[*?[{]/u));
    const start = resolvePath(directory, fixed.slice(0, fixed.lastIndexOf("/") + 1) || ".");
    const matches = this.place.globs.globs([pattern]);
    const below = filesBelow(
      this.place,
      start,
      pattern.slice(fixed.length).includes("**")
        ? Number.POSITIVE_INFINITY
        : pattern.slice(fixed.length).split("/").length,
    );
    return below.filter((path) => matches(relativeTo(path, directory) ?? path));
  }
}

/** The client asks git, which rejects a `.git` that is a dead pointer or an empty directory. */
function isRepository({ files }: Place, root: string): boolean {
  const entry = join(root, ".git");
  if (files.kind(entry) === "directory") return files.kind(join(entry, "HEAD")) !== undefined;
  const pointer = files.read(entry);
  const target =
    pointer.state === "read" ? /^gitdir: (.+)/u.exec(new TextDecoder().decode(pointer.bytes))?.[1] : undefined;
  return target !== undefined && files.realPath(resolvePath(root, target.trimEnd())) !== undefined;
}

/**
 * Files below a directory, at most `levels` deep and limited in entries. Links to directories are not followed. Goes
 * level by level, and within a directory in reverse directory order, like the client.
 */
function filesBelow(place: Place, start: string, levels: number): string[] {
  const out: string[] = [];
  let looked = 0;
  let directories = [start];
  for (let left = levels; left > 0 && directories.length > 0; left--) {
    const deeper: string[] = [];
    for (const directory of directories) {
      for (const { name, kind } of place.files.list(directory).toReversed()) {
        if (looked++ > MOST_ENTRIES) return out;
        const path = join(directory, name);
        if (kind === "file") out.push(path);
        else if (
          kind === "directory" &&
          name !== "node_modules" &&
          name !== ".git" &&
          place.files.kind(path) !== "link"
        )
          deeper.push(path);
      }
    }
    directories = deeper;
  }
  return out;
}

function candidateOf(path: string, scope: "user" | "project"): Candidate {
  return { path, label: `Instructions from: ${path}`, scope, reason: "session-start" };
}

function isOn(place: Place, name: string): boolean {
  const value = place.variables[name]?.toLowerCase();
  return value === "1" || value === "true";
}
