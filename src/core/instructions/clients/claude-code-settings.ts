import { isInside, join, resolvePath, readRule } from "../paths.ts";
import { record } from "../../shared/json.ts";
import { readSettings, type Settings, strings } from "../ports.ts";
import type { Place } from "./client.ts";
import { stripBlockComments } from "../markdown-inline.ts";
import type { ShownText } from "../loader.ts";

interface ClaudeCodeText extends ShownText {
  /** The text to search for imports: untrimmed, with line endings as `\n`. */
  readonly body: string;
}

/**
 * What Claude Code shows of a file: no frontmatter, no block comments; trimmed at the start of a session, untrimmed on
 * demand.
 */
export function claudeCodeText(text: string, at: "start" | "demand"): ClaudeCodeText {
  const { body, hadFrontmatter, paths } = readRule(text);
  const { text: visible, stripped } = stripBlockComments(body);
  return {
    body: visible.replace(/\r\n?/gu, "\n"),
    text: at === "start" ? visible.trim() : visible,
    paths,
    flags: [
      ...(hadFrontmatter ? (["frontmatter-stripped"] as const) : []),
      ...(stripped ? (["comments-stripped"] as const) : []),
    ],
  };
}

const TEXT_TYPES = new Set(
  (
    "md txt text rst adoc asciidoc org tex log csv json yaml yml toml ini cfg conf config env properties xml html htm css scss sass less graphql gql proto sql lock diff patch " +
    "js jsx mjs cjs ts tsx mts cts vue svelte astro py pyi rb erb rs go java kt kts scala gradle c h cc cpp cxx hpp hxx cs swift dart php pl pm lua r ex exs erl hrl hs elm clj cljs " +
    "sh bash zsh fish ps1 bat cmd cmake make"
  ).split(" "),
);

/** Claude Code imports files of known text types, and files without an extension. */
export function isImportable(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 || TEXT_TYPES.has(name.slice(dot + 1).toLowerCase());
}

/** Claude Code's own plugin that reads AGENTS.md. */
const AGENTS_PLUGIN = "agents-md@builtin";

/** What Claude Code's settings say about instruction files. */
export interface ClaudeCodeSettings {
  /** Directory of the user's own files. */
  readonly directory: string;
  /** Whether `claudeMdExcludes` of any settings file matches. */
  readonly isExcluded: (path: string) => boolean;
  /** In the client itself, the user allowed this project's files to import from outside. */
  readonly importsApproved: boolean;
  /** Whether AGENTS.md is read when there is no CLAUDE.md; a setting can turn that off. */
  readonly readsAgents: boolean;
  /** Instructions in the administrator's settings, with the file's path. */
  readonly managed: { readonly path: string; readonly text: string } | undefined;
}

export function readClaudeCodeSettings(place: Place): ClaudeCodeSettings {
  const directory = claudeDirectory(place);
  const managedPath = join(place.managedDirectory, "managed-settings.json");
  const managed = readSettings(place.files, managedPath);
  const user = readSettings(place.files, join(directory, "settings.json"));
  const project = ["settings.json", "settings.local.json"].map((name) =>
    readSettings(place.files, join(place.cwd, `.claude/${name}`)),
  );
  const excludes = [user, ...project, managed].flatMap((settings) => strings(settings["claudeMdExcludes"]));
  const text = managed["claudeMd"];
  return {
    directory,
    isExcluded: excludes.length === 0 ? () => false : place.globs.globs(excludes),
    importsApproved: hasClientApproval(place, directory),
    readsAgents: ![user, managed].some(
      (settings) => choiceOf(settings) === "claude-md" || record(settings["enabledPlugins"])[AGENTS_PLUGIN] === false,
    ),
    managed: typeof text === "string" && text.trim() !== "" ? { path: managedPath, text } : undefined,
  };
}

/** `CLAUDE_CONFIG_DIR` or `~/.claude`. */
function claudeDirectory(place: Place): string {
  const given = place.variables["CLAUDE_CONFIG_DIR"];
  return given === undefined || given === "" ? join(place.home, ".claude") : resolvePath(place.cwd, given);
}

function choiceOf(settings: Settings): unknown {
  return record(record(record(settings["pluginConfigs"])[AGENTS_PLUGIN])["options"])["instructionFiles"];
}

/** `hasClaudeMdExternalIncludesApproved` of this project in `.claude.json`. */
function hasClientApproval(place: Place, directory: string): boolean {
  const given = place.variables["CLAUDE_CONFIG_DIR"];
  const file = given === undefined || given === "" ? join(place.home, ".claude.json") : join(directory, ".claude.json");
  const projects = record(readSettings(place.files, file)["projects"]);
  const keys = new Set([place.cwd, place.gitRoot, place.mainRoot]);
  return [...keys].some(
    (key) => key !== undefined && record(projects[key])["hasClaudeMdExternalIncludesApproved"] === true,
  );
}

/** Whether a directory belongs to a main checkout around the current worktree: its project files are not loaded. */
export function isOuterCheckout({ gitRoot, mainRoot }: Place, directory: string): boolean {
  if (gitRoot === undefined || mainRoot === undefined || gitRoot === mainRoot || !isInside(gitRoot, mainRoot))
    return false;
  return isInside(directory, mainRoot) && !isInside(directory, gitRoot);
}
