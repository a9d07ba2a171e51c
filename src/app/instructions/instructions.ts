import { tomlValues } from "../../adapters/settings/toml-settings.ts";
import path from "node:path";
import { instructionFiles } from "../../adapters/files/instruction-files.ts";
import { globMatcher } from "../../adapters/globs/matcher.ts";
import { listProjectFiles } from "../../adapters/git/list-files.ts";
import { checkInstructions } from "../../core/instructions/check.ts";
import type { ClientView, Place } from "../../core/instructions/clients/client.ts";
import { directoriesDownTo, isInside, join, findProjectIndex } from "../../core/instructions/paths.ts";
import { PROFILES, type AgentChoice, openView } from "../../core/instructions/view.ts";
import { type Agent, AGENTS, type InstructionFinding, type InstructionSet } from "../../core/instructions/section.ts";
import type { ContextSection } from "../recall/context.ts";
import { modeIn, refusedByMode } from "../workspace/modes.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { openApprovals, type Approvals } from "../workspace/approvals.ts";
import { isClaudeHere, type Locations } from "../workspace/locations.ts";

/** The agents whose instruction files can be requested. */
export const AGENT_CHOICES = [...AGENTS, "all"] as const;

export function titleOf(agent: Agent): string {
  return PROFILES[agent].title;
}

/** Variables that clients read to find their instruction files. */
const VARIABLES = [
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "XDG_CONFIG_HOME",
  "GEMINI_CLI_HOME",
  "OPENCODE_CONFIG_DIR",
  "OPENCODE_DISABLE_CLAUDE_CODE",
  "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT",
  "OPENCODE_DISABLE_PROJECT_CONFIG",
] as const;

/** The instruction files of the user's working directory, and what was approved there. */
export interface Instructions {
  readonly place: Place;
  readonly agent: AgentChoice;
  readonly approvals: Approvals;
  /** Opens a separate view: what one session has loaded does not count for another. */
  open(): ClientView;
}

/** `agent` defaults to Claude Code if its directory exists, else to all clients at once. */
export function locateInstructions(locations: Locations, agent?: AgentChoice): Instructions {
  const { environment } = locations;
  const cwd = unix(locations.cwd);
  const approvals =
    locations.mode === "off"
      ? closedApprovals(locations)
      : openApprovals(locations.memdirHome, locations.project?.root ?? cwd);
  const place: Place = {
    cwd,
    home: unix(locations.home),
    gitRoot: directoriesDownTo(cwd)
      .toReversed()
      .find((directory) => instructionFiles.kind(join(directory, ".git")) !== undefined),
    mainRoot: locations.project?.gitDirectory === undefined ? undefined : locations.project.root,
    files: instructionFiles,
    globs: globMatcher,
    toml: tomlValues,
    variables: Object.fromEntries(
      VARIABLES.map((name) => [name, environment[name] === undefined ? undefined : unix(environment[name])]),
    ),
    managedDirectory: unix(environment["MEMDIR_MANAGED_DIR"] ?? managedDirectory()),
    approved: (file) => approvals.isApproved(file),
  };
  const chosen = agent ?? (isClaudeHere(environment, locations.configDirectory) ? "claude-code" : "all");
  return { place, agent: chosen, approvals, open: () => openView(place, chosen) };
}

/** When memory is off, memdir reads nothing of its own, so approvals are unknown. */
function closedApprovals({ mode, modeReason }: Locations): Approvals {
  const refuse = (): never => {
    throw refusedByMode("memory", { mode, reason: modeReason });
  };
  return { list: () => [], isApproved: () => false, approve: refuse, revoke: refuse };
}

/** An absolute path with `/`. One that reaches the working directory through other links is rewritten to match it. */
export function touchedPath(place: Place, given: string): string {
  const absolute = unix(path.resolve(place.cwd, given));
  return isInside(absolute, place.cwd) ? absolute : (place.files.realPath(absolute) ?? absolute);
}

/** The real path that an approval is for. @throws MemoryError `not-found` if there is no such file. */
export function approvedPath(place: Place, given: string): string {
  const absolute = unix(path.resolve(place.cwd, given.startsWith("~/") ? join(place.home, given.slice(2)) : given));
  const real = place.files.realPath(absolute);
  if (real === undefined)
    throw new MemoryError(
      "not-found",
      `there is no file ${absolute}; \`memdir instructions list\` shows what waits for approval`,
    );
  return real;
}

/** One session's instruction files, as a program sees them. */
export interface SessionInstructions extends InstructionSet {
  readonly agent: AgentChoice;
  /**
   * Call when these files were touched (absolute paths or relative to the working directory, existing or not). Gives
   * what now loads and was not loaded before. Costs a look at the directories on the way, and nothing when nothing is
   * new.
   */
  touched(paths: readonly string[]): InstructionSet;
}

/** Loads what a session starts with. `loaded`: paths that an earlier process has already shown; they are left out. */
export function openSession(instructions: Instructions, loaded: readonly string[] = []): SessionInstructions {
  const view = instructions.open();
  const shown = new Set(loaded);
  const fresh = (set: InstructionSet): InstructionSet =>
    shown.size === 0 ? set : { ...set, sections: set.sections.filter(({ path: file }) => !shown.has(file)) };
  return {
    agent: instructions.agent,
    ...fresh(view.start()),
    touched: (paths) => fresh(view.touched(paths.map((file) => touchedPath(instructions.place, file)))),
  };
}

/** The project's hand-kept index, which comes before the notes. Empty when memory of the project is off. */
export function handKeptIn({ modes }: Pick<Locations, "modes">, place: Place): ContextSection[] {
  if (modeIn(modes, "project").mode === "off") return [];
  const index = findProjectIndex(place);
  return index === undefined
    ? []
    : [
        {
          scope: "project",
          kind: "index",
          label: "index of the project's notes, kept by hand",
          path: index.path,
          text: index.text,
          cut: index.cut,
        },
      ];
}

/** Problems of the instruction files here. Lists the project's files once, with git. */
export function checkPlace(
  instructions: Instructions,
  environment: Locations["environment"],
): readonly InstructionFinding[] {
  const { place } = instructions;
  const root = place.gitRoot ?? place.cwd;
  const files = listProjectFiles(root, environment)?.map((file) => join(root, file));
  return checkInstructions(instructions.open().start(), place.globs, files);
}

function managedDirectory(): string {
  if (process.platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return process.platform === "win32" ? "C:/Program Files/ClaudeCode" : "/etc/claude-code";
}

function unix(target: string): string {
  return path.sep === "\\" ? target.replaceAll("\\", "/") : target;
}
