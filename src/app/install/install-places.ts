import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent, Program } from "../../core/install/agents.ts";
import { CLIENTS, OTHER_CLIENTS, type OtherClient } from "../../core/install/clients.ts";
import { type AgentDirectories, FOUND_CLIENTS } from "./targets.ts";
import type { Locations } from "../workspace/locations.ts";

/** Where the four clients keep their settings for this user and project; respects the clients' own variables. */
export function agentDirectories({ home, cwd, configDirectory, project, environment }: Locations): AgentDirectories {
  const moved = (name: string): string | undefined => environment[name] || undefined;
  return {
    claude: configDirectory,
    claudeState: path.join(moved("CLAUDE_CONFIG_DIR") === undefined ? home : configDirectory, ".claude.json"),
    codex: path.resolve(moved("CODEX_HOME") ?? path.join(home, ".codex")),
    gemini: path.join(path.resolve(moved("GEMINI_CLI_HOME") ?? home), ".gemini"),
    opencode: path.join(path.resolve(moved("XDG_CONFIG_HOME") ?? path.join(home, ".config")), "opencode"),
    project: project?.root ?? cwd,
    others: otherDirectories({ home, environment }),
  };
}

/** Where the other clients, those in the table, keep their settings. */
function otherDirectories({
  home,
  environment,
}: Pick<Locations, "home" | "environment">): Readonly<Record<OtherClient, string>> {
  const of = (client: OtherClient): string => {
    const { directory, variable } = CLIENTS[client];
    const set = variable === undefined ? undefined : environment[variable];
    if (set) return path.resolve(set);
    if (client === "vscode" && process.platform !== "linux") return codeDirectory(home, environment);
    return directory.replace(/^~/u, () => home);
  };
  return {
    qwen: of("qwen"),
    vscode: of("vscode"),
    cursor: of("cursor"),
    cline: of("cline"),
    pi: of("pi"),
    openclaw: of("openclaw"),
    hermes: of("hermes"),
  };
}

/** VS Code's settings on macOS and Windows. */
function codeDirectory(home: string, environment: Locations["environment"]): string {
  return process.platform === "darwin"
    ? path.join(home, "Library", "Application Support", "Code", "User")
    : path.join(environment["APPDATA"] || path.join(home, "AppData", "Roaming"), "Code", "User");
}

const COMMANDS: Readonly<Record<Agent, string>> = {
  "claude-code": "claude",
  codex: "codex",
  gemini: "gemini",
  opencode: "opencode",
};

/** Clients on this machine: their directory exists, or their command can be called. */
export function agentsHere({ environment }: Locations, at: AgentDirectories): readonly (Agent | OtherClient)[] {
  const homes: Readonly<Record<Agent | OtherClient, string>> = {
    "claude-code": at.claude,
    codex: at.codex,
    gemini: at.gemini,
    opencode: at.opencode,
    ...at.others,
  };
  const commands: Readonly<Record<string, string | undefined>> = {
    ...COMMANDS,
    ...Object.fromEntries(OTHER_CLIENTS.map((client) => [client, CLIENTS[client].command])),
  };
  const searched = environment["PATH"] ?? environment["Path"];
  return FOUND_CLIENTS.filter((client) => {
    const command = commands[client];
    return fs.existsSync(homes[client]) || (command !== undefined && commandOnPath(command, searched) !== undefined);
  });
}

/** Whether a client that memdir could detect is not on this machine: neither its directory nor its command. */
export function isAbsent(locations: Locations, at: AgentDirectories, agent: string): boolean {
  return FOUND_CLIENTS.some((client) => client === agent) && !agentsHere(locations, at).some((here) => here === agent);
}

/** Whether an agent's own command can be called. */
export function canBeCalled(agent: Agent, { environment }: Pick<Locations, "environment">): boolean {
  return commandOnPath(COMMANDS[agent], environment["PATH"] ?? environment["Path"]) !== undefined;
}

function commandOnPath(command: string, searched: string | undefined): string | undefined {
  const names = process.platform === "win32" ? [`${command}.exe`, `${command}.cmd`] : [command];
  const folders = (searched ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isFile);
}

/** A folder in PATH that cannot be read counts as empty. */
function isFile(file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** memdir as clients should start it: this Node, by its PATH name, which survives an update, and this `dist`. */
export function installedProgram(environment: Locations["environment"]): Program {
  const found = commandOnPath("node", environment["PATH"] ?? environment["Path"]);
  const node =
    found !== undefined && fs.realpathSync(found) === fs.realpathSync(process.execPath) ? found : process.execPath;
  const dist = fileURLToPath(new URL("../../../dist", import.meta.url));
  return { node, hook: path.join(dist, "hook.cjs"), command: path.join(dist, "memdir.cjs") };
}
