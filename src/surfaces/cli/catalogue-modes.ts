import type { CommandSpec } from "./command.ts";

/** Commands on what memdir may do by itself, and on what it keeps of a session. */
export const MODE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "mode", group: "care", usage: "[MODE] [--scope SCOPE] [--capture-to notes|log] [--project | --everywhere]", positionals: 1,
    summary: "show or choose what memdir may do by itself: auto, confirm, manual, recall-only, off",
    details: "auto: recalls, and captures by itself. confirm: what capture would write waits for `memdir review`. manual: writes only what you ask for. recall-only: writes nothing. off: reads nothing, writes nothing, asks no model. Without --scope a mode is for all scopes; it is set for this project unless --everywhere is given. `default` takes a setting away. MEMDIR_MODE and Claude Code's own switches are stronger.",
    options: {
      scope: { type: "string", value: "SCOPE", summary: "user, group, project, team, agent (agent-user, agent-local) or local; the others keep theirs" },
      project: { type: "boolean", summary: "in this project only (the default)" },
      everywhere: { type: "boolean", summary: "in every project that has no mode of its own" },
      "capture-to": { type: "string", value: "TARGET", summary: "notes, or log: what you say goes to the day's log, and dreams make notes of it; default takes the setting away" },
    },
    examples: [["memdir mode", "each scope's mode, and why"], ["memdir mode confirm", "look at notes before they are written"], ["memdir mode off --scope user", "this project neither sees nor writes notes about you"], ["memdir mode default", "back to what is set for everywhere"]],
    load: () => import("./commands/mode.ts"),
  },
  {
    name: "review", group: "notes", usage: "[accept ID… | reject ID… [--never] | edit ID | drop-rule ID…] [--all] [--always] [--list] [--rules]", positionals: Number.POSITIVE_INFINITY,
    summary: "look through what capture would write: accept, edit, reject, always or never like this",
    details: "On a terminal, without arguments, it goes through the queue one by one. In confirm mode everything that capture finds waits here; in every mode what is doubtful does. An entry is checked again when it is accepted: one whose note has changed since is stale and is not applied. Entries lapse after 30 days; at most 200 are kept.",
    options: {
      list: { type: "boolean", summary: "print the queue" },
      all: { type: "boolean", summary: "accept or reject everything that waits" },
      always: { type: "boolean", summary: "with accept: later ones like it are written without asking" },
      never: { type: "boolean", summary: "with reject: later ones like it are refused, in every mode" },
      rules: { type: "boolean", summary: "print what `always` and `never` have set" },
    },
    examples: [["memdir review", "one by one"], ["memdir review --list", "without a terminal"], ["memdir review accept 1f0c2a9b", "one of them"], ["memdir review reject 1f0c2a9b --never", "and none like it again"], ["memdir review --rules", "what was set; `drop-rule ID` takes one back"]],
    load: () => import("./commands/review.ts"),
  },
  {
    name: "session", group: "care", usage: "[list [--all] | show [SESSION] | update TRANSCRIPT [--model] | template | remove SESSION]", positionals: 2,
    summary: "show what is kept of a session, so that an agent can go on after its conversation was compacted",
    details: "Notes of a session are no memory: they are given back to the same session after a compaction, and go after 30 days. They begin at 10,000 tokens of conversation and are renewed after 5,000 more and three tool calls; update does it now. With --model the model of `memdir models` writes them, without one rules do. template writes the file in which you can change the sections.",
    options: { all: { type: "boolean", summary: "of every project" }, model: { type: "boolean", summary: "let the chosen model write: sends the conversation, secrets masked, within the daily budget" } },
    examples: [["memdir session", "of this project, newest first"], ["memdir session show", "what the agent of the newest would be given"], ["memdir session template", "the sections, to be edited"]],
    load: () => import("./commands/session.ts"),
  },
];
