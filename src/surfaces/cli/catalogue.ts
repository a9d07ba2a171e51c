import { AGENT_COMMANDS } from "./catalogue/agents.ts";
import { CARE_COMMANDS } from "./catalogue/care.ts";
import { NOTE_COMMANDS } from "./catalogue/notes.ts";
import { RECALL_COMMANDS } from "./catalogue/recall.ts";
import { SCOPE_COMMANDS } from "./catalogue/scopes.ts";
import { SESSION_COMMANDS } from "./catalogue/sessions.ts";
import { SKILL_COMMANDS } from "./catalogue/skills.ts";
import { SYNC_COMMANDS } from "./catalogue/sync.ts";
import { VERSION_COMMANDS } from "./catalogue/versions.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";

/** The options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  dir: { type: "string", value: "DIR", summary: "use this directory of notes instead of the project's" },
  "agent-type": { type: "string", value: "TYPE", summary: "add the notes of this type of sub-agent (or MEMDIR_AGENT)" },
  json: { type: "boolean", summary: "print JSON for programs" },
  help: { type: "boolean", summary: "show this help" },
};

/** All options that a command takes. */
export function optionsOf({ options, without = [] }: CommandSpec): Readonly<Record<string, OptionSpec>> {
  const common = Object.entries(COMMON_OPTIONS).filter(([name]) => !without.includes(name));
  return { ...options, ...Object.fromEntries(common) };
}

/** Not listed with its group, because it concerns all commands. */
const COMPLETION: CommandSpec = {
  name: "completion",
  triedAs: ["completions", "complete", "autocomplete"],
  group: "care",
  usage: "bash | zsh | fish | powershell",
  positionals: 1,
  actions: ["bash", "zsh", "fish", "powershell"],
  summary: "print a completion script for your shell",
  options: {},
  examples: [
    ['eval "$(memdir completion bash)"', "in ~/.bashrc"],
    ['eval "$(memdir completion zsh)"', "in ~/.zshrc, after compinit"],
    ["memdir completion fish > ~/.config/fish/completions/memdir.fish", ""],
    ["memdir completion powershell | Out-String | Invoke-Expression", "in $PROFILE"],
  ],
  load: async () => {
    const { runCompletion } = await import("./commands/completion.ts");
    return { run: (invocation) => runCompletion(invocation, COMMANDS, optionsOf) };
  },
};

export const COMMANDS: readonly CommandSpec[] = [
  ...NOTE_COMMANDS,
  ...RECALL_COMMANDS,
  ...VERSION_COMMANDS,
  ...SESSION_COMMANDS,
  ...SCOPE_COMMANDS,
  ...SYNC_COMMANDS,
  ...SKILL_COMMANDS,
  ...AGENT_COMMANDS,
  ...CARE_COMMANDS,
  COMPLETION,
];

/** The command of this name or alias. */
export function commandNamed(name: string | undefined): CommandSpec | undefined {
  return COMMANDS.find((one) => one.name === name || one.aliases?.includes(name ?? "") === true);
}
