import {
  AGENTS,
  type Agent,
  hookCommand,
  hookSettings,
  type JsonTree,
  type Program,
  serverArguments,
  serverSettings,
} from "../../core/install/agents.ts";
import {
  CLIENTS,
  OTHER_CLIENTS,
  type OtherClient,
  PRINTED_CLIENTS,
  type PrintedClient,
} from "../../core/install/clients.ts";
import { OPENCODE_PLUGIN_FILE, openCodePlugin } from "../../core/install/opencode-plugin.ts";

import { pathsIn } from "../../core/install/settings-editor.ts";

/** `mcp` is any other client that reads a project's `.mcp.json`. */
export type Installable = Agent | OtherClient | PrintedClient | "mcp";
export const INSTALLABLE: readonly Installable[] = [...AGENTS, ...OTHER_CLIENTS, ...PRINTED_CLIENTS, "mcp"];
/** Clients whose settings memdir writes and detects. */
export const FOUND_CLIENTS: readonly (Agent | OtherClient)[] = [...AGENTS, ...OTHER_CLIENTS];
export type InstallScope = "user" | "project";

/** Where clients keep their settings, as absolute paths with `/`. */
export interface AgentDirectories {
  readonly claude: string;
  /** The file in which Claude Code keeps its own state and the user's MCP servers. */
  readonly claudeState: string;
  readonly codex: string;
  readonly gemini: string;
  readonly opencode: string;
  readonly project: string;
  /** The directories of the clients described in the table. */
  readonly others: Readonly<Record<OtherClient, string>>;
}

/** What goes into one settings file. The kind says how it is edited. */
export type Target = { readonly file: string; readonly what: string } & (
  | { readonly kind: "json"; readonly tree: JsonTree }
  | { readonly kind: "toml"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "block"; readonly text: string }
  | { readonly kind: "file"; readonly text: string; readonly paths: readonly string[] }
);

/** Every file that installing into one client changes. `isThere` tells which of two file names is in use. */
export function targetsOf(
  agent: Installable,
  scope: InstallScope,
  at: AgentDirectories,
  program: Program,
  isThere: (file: string) => boolean,
): readonly Target[] {
  const args = serverArguments(program);
  const json = (file: string, what: string, tree: JsonTree): Target => ({ kind: "json", file, what, tree });
  const other = OTHER_CLIENTS.find((one) => one === agent);
  if (other !== undefined) return otherTargets(other, scope, at, program);
  const known = AGENTS.find((one) => one === agent);
  const servers = serverSettings(known ?? "mcp", program.node, args);
  const hooks = known === undefined || known === "opencode" ? {} : hookSettings(known, hookCommand(program, known));
  switch (agent) {
    case "claude-code":
      if (scope === "user")
        return [json(`${at.claude}/settings.json`, "hooks", hooks), json(at.claudeState, "MCP server", servers)];
      return [
        json(`${at.project}/.claude/settings.json`, "hooks", hooks),
        json(`${at.project}/.mcp.json`, "MCP server", servers),
      ];
    case "codex": {
      const directory = scope === "user" ? at.codex : `${at.project}/.codex`;
      return [
        json(`${directory}/hooks.json`, "hooks", hooks),
        { kind: "toml", file: `${directory}/config.toml`, what: "MCP server", command: program.node, args },
      ];
    }
    case "gemini":
      return [
        json(
          scope === "user" ? `${at.gemini}/settings.json` : `${at.project}/.gemini/settings.json`,
          "hooks and MCP server",
          { ...hooks, ...servers },
        ),
      ];
    case "opencode": {
      const plugins = scope === "user" ? `${at.opencode}/plugins` : `${at.project}/.opencode/plugins`;
      const config = scope === "user" ? `${at.opencode}/opencode.json` : `${at.project}/opencode.json`;
      const command = [program.node, program.hook, agent];
      return [
        {
          kind: "file",
          file: `${plugins}/${OPENCODE_PLUGIN_FILE}`,
          what: "plugin",
          text: openCodePlugin(command),
          paths: command.slice(0, 2),
        },
        json(!isThere(config) && isThere(`${config}c`) ? `${config}c` : config, "MCP server", servers),
      ];
    }
    default:
      if (agent !== "mcp") return [];
      return scope === "user" ? [] : [json(`${at.project}/.mcp.json`, "MCP server", servers)];
  }
}

/** The files from the table of clients, at this user's paths. */
function otherTargets(
  client: OtherClient,
  scope: InstallScope,
  { others, project }: AgentDirectories,
  program: Program,
): readonly Target[] {
  return CLIENTS[client].files
    .filter((file) => file.scope === scope)
    .map(({ path, what, content }): Target => {
      const file = path.replace(/^%/u, () => others[client]).replace(/^\.(?=\/)/u, () => project);
      const made = content(program);
      if (typeof made !== "string") return { kind: "json", file, what, tree: made };
      return { kind: "file", file, what, text: made, paths: pathsIn(made) };
    });
}
