import path from "node:path";
import { instructionFiles } from "../adapters/files/instruction-files.ts";
import { globMatcher } from "../adapters/globs/matcher.ts";
import type { ClientView, Place } from "../core/instructions/clients/client.ts";
import { directoriesDownTo, isInside, join } from "../core/instructions/paths.ts";
import { type AgentChoice, openView } from "../core/instructions/view.ts";
import { openApprovals, type Approvals } from "./approvals.ts";
import { isClaudeHere, type Locations } from "./locations.ts";

/** Variables that clients read to find their instruction files. */
const VARIABLES = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG_DIR", "OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT", "OPENCODE_DISABLE_PROJECT_CONFIG"] as const;

/** The instruction files of the place where somebody works, and what was approved there. */
export interface Instructions {
  readonly place: Place;
  readonly agent: AgentChoice;
  readonly approvals: Approvals;
  /** A view of its own: what one session has loaded another has not. */
  open(): ClientView;
}

/** `agent` defaults to Claude Code where its directory is, else to every client at once. */
export function locateInstructions(locations: Locations, agent?: AgentChoice): Instructions {
  const { environment } = locations;
  const cwd = unix(locations.cwd);
  const approvals = openApprovals(locations.memdirHome, locations.project?.root ?? cwd);
  const place: Place = {
    cwd,
    home: unix(locations.home),
    gitRoot: directoriesDownTo(cwd).toReversed().find((directory) => instructionFiles.kind(join(directory, ".git")) !== undefined),
    mainRoot: locations.project?.gitDirectory === undefined ? undefined : locations.project.root,
    files: instructionFiles,
    globs: globMatcher,
    variables: Object.fromEntries(VARIABLES.map((name) => [name, environment[name] === undefined ? undefined : unix(environment[name])])),
    managedDirectory: unix(environment["MEMDIR_MANAGED_DIR"] ?? managedDirectory()),
    approved: (file) => approvals.isApproved(file),
  };
  const chosen = agent ?? (isClaudeHere(environment, locations.configDirectory) ? "claude-code" : "all");
  return { place, agent: chosen, approvals, open: () => openView(place, chosen) };
}

/** An absolute path, `/`-separated; one that leads to the start by other links is written as the start is. */
export function touchedPath(place: Place, given: string): string {
  const absolute = unix(path.resolve(place.cwd, given));
  return isInside(absolute, place.cwd) ? absolute : (place.files.realPath(absolute) ?? absolute);
}

function managedDirectory(): string {
  if (process.platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return process.platform === "win32" ? "C:/Program Files/ClaudeCode" : "/etc/claude-code";
}

function unix(target: string): string {
  return path.sep === "\\" ? target.replaceAll("\\", "/") : target;
}
