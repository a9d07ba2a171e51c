import { CLIENTS, OTHER_CLIENTS } from "../../core/install/clients.ts";
import type { Installable, InstallScope } from "./targets.ts";
import { chooseJudge, requireJudge } from "../models/models.ts";
import type { Locations } from "../workspace/locations.ts";
import { changeSettings, readModelSettings } from "../workspace/settings.ts";
import { canBeCalled } from "./install-places.ts";

/** Agents that can be run headless, with their names as models and the amount of text they add. */
const JUDGES = [
  { agent: "claude-code", title: "Claude Code", model: "claude-cli", adds: "" },
  { agent: "codex", title: "Codex", model: "codex-cli", adds: " Codex adds some 35,000 characters of its own." },
  {
    agent: "gemini",
    title: "Gemini CLI",
    model: "gemini-cli",
    adds: " Gemini CLI adds some 35,000 characters of its own.",
  },
] as const;

interface JudgeQuestion {
  readonly text: string;
  /** Keeps the answer, so that the question is not asked again. */
  readonly answer: (yes: boolean) => void;
}

/** Asks if an agent may read finished sessions; `undefined` if that was answered, or no agent can do it. */
export function judgeQuestion(
  locations: Pick<Locations, "environment" | "memdirHome" | "mode">,
  agents: readonly string[],
): JudgeQuestion | undefined {
  const settings = readModelSettings(locations.memdirHome);
  const found = JUDGES.find(({ agent }) => agents.includes(agent) && canBeCalled(agent, locations));
  const isSettled = settings.judge !== undefined || settings.model !== undefined;
  if (found === undefined || isSettled || chooseJudge(locations, settings).kind !== "none") return undefined;
  return {
    text: `Let ${found.title} look through each finished session for things to remember?
Once a session it gets what you typed (at most 500 words, without pastes and secrets), what your instruction files say and one line a note, under your own login: some 3,000 tokens, more with many notes.${found.adds} Without it, the next session's agent is asked.`,
    answer: (yes) => changeSettings(locations.memdirHome, { judge: yes ? requireJudge(found.model) : "off" }),
  };
}

/** What the client itself asks the user before it runs what was installed. memdir never answers for the user. */
export function reviewSteps(agent: Installable, scope: InstallScope): readonly string[] {
  const other = OTHER_CLIENTS.find((one) => one === agent);
  const isShared = scope === "project" ? ["The paths are this machine's: think before you commit these files."] : [];
  if (other !== undefined) {
    const { review, seen } = CLIENTS[other];
    const untried = "This was written from the client's documentation and not tried with the client itself.";
    return [...review, ...(seen === "run" ? [] : [untried]), ...isShared];
  }
  switch (agent) {
    case "claude-code":
      return scope === "user"
        ? ["Nothing to approve: Claude Code runs what your own settings name, from its next start on."]
        : [
            "Claude Code asks at its next start whether you trust this folder (hooks run only then), and once for the MCP server: choose to use it.",
            ...isShared,
          ];
    case "codex":
      return [
        "Codex runs a new hook only after you have looked at it: start codex, type /hooks, and trust memdir's.",
        'It asks before it calls a tool of the MCP server. `codex exec` cannot ask: for it, add default_tools_approval_mode = "approve" to [mcp_servers.memdir] yourself.',
        ...(scope === "project" ? ["Codex reads a project's .codex folder only where you trust the project."] : []),
        ...isShared,
      ];
    case "gemini":
      return [
        "Gemini CLI does nothing in a folder it does not trust: answer its question there, or type /permissions. It asks before it calls a tool of the MCP server.",
        ...isShared,
      ];
    case "opencode":
      return [
        "Nothing to approve. At its next start OpenCode fetches its own plugin package once, which can take a minute.",
        ...isShared,
      ];
    default:
      return ["The client asks whether to use the server; say yes there.", ...isShared];
  }
}

/** What remains in a client's settings that memdir does not write. */
export function leavingSteps(agents: readonly Installable[]): readonly string[] {
  const codex = agents.includes("codex")
    ? ["Codex keeps the hashes of hooks that you trusted in its config.toml; they have no effect."]
    : [];
  return [...codex, ...OTHER_CLIENTS.flatMap((one) => (agents.includes(one) ? (CLIENTS[one].leave ?? []) : []))];
}

/** Shown when a hook's command has changed. */
export const CODEX_AGAIN =
  "The command of memdir's hooks has changed, so Codex has to be shown them once more: type /hooks in codex.";

/** A warning if the client would read a `$` in the path as a variable, which no quoting prevents. */
export function pathWarning(agent: Installable, paths: readonly string[]): string | undefined {
  const pattern =
    agent === "gemini"
      ? /\$(?:\w|\{)/u
      : agent === "claude-code" || agent === "mcp"
        ? /\$\{/u
        : agent === "opencode"
          ? /\{(?:env|file):/u
          : undefined;
  const bad = pattern === undefined ? undefined : paths.find((file) => pattern.test(file));
  return bad === undefined
    ? undefined
    : `${bad} holds what this client replaces by variables of its own; its MCP server may not start from there: move memdir`;
}
