import type { CommandSpec, OptionSpec } from "./command.ts";

const SCOPE: Readonly<Record<string, OptionSpec>> = {
  user: { type: "boolean", summary: "your own settings, for every project" },
  project: { type: "boolean", summary: "this project's settings files" },
};
const CARE: Readonly<Record<string, OptionSpec>> = {
  "dry-run": { type: "boolean", summary: "show the changes and make none" },
  yes: { type: "boolean", summary: "do not ask" },
};

export const INSTALL_COMMANDS: readonly CommandSpec[] = [
  {
    name: "install", group: "main", usage: "[claude-code|codex|gemini|opencode|mcp]… [--user|--project] [--dry-run] [--yes]", positionals: 5,
    summary: "put memdir into your agents: hooks and MCP server",
    details: "Without names: into every client that is here. Shows each change to each file, asks, keeps what was there before in ~/.memdir/installs, and says what the client will ask of you. Formatting and comments stay; a file that cannot be parsed is not touched; doing it twice changes nothing. `mcp` is for other clients: it prints what they need, and with --project writes .mcp.json.",
    options: { ...SCOPE, ...CARE },
    examples: [["memdir install", "every client on this machine"], ["memdir install codex --dry-run", "look first"], ["memdir install claude-code --project", "for this project alone"]],
    load: () => import("./commands/install.ts"),
  },
  {
    name: "uninstall", group: "care", usage: "[claude-code|codex|gemini|opencode|mcp]… [--user|--project] [--dry-run] [--yes]", positionals: 5,
    summary: "take memdir out of your agents again; notes stay",
    details: "A file that nobody changed since gets its bytes back exactly; from another only memdir's entries are taken. Without names: everywhere memdir was installed, other projects too.",
    options: { ...SCOPE, ...CARE },
    examples: [["memdir uninstall", "everywhere"], ["memdir uninstall gemini", "one client"]],
    load: () => import("./commands/uninstall.ts"),
  },
];
