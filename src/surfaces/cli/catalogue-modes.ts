import type { CommandSpec } from "./command.ts";

/** Commands on what memdir may do by itself, and on what it keeps of a session. */
export const MODE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "mode", group: "care", usage: "[MODE] [--scope SCOPE] [--project | --everywhere]", positionals: 1,
    summary: "show or choose what memdir may do by itself: auto, confirm, manual, recall-only, off",
    details: "auto: recalls, and captures by itself. confirm: what capture would write waits for `memdir review`. manual: writes only what you ask for. recall-only: writes nothing. off: reads nothing, writes nothing, asks no model. Without --scope a mode is for all scopes; it is set for this project unless --everywhere is given. `default` takes a setting away. MEMDIR_MODE and Claude Code's own switches are stronger.",
    options: {
      scope: { type: "string", value: "SCOPE", summary: "user, project, team, agent or local; the others keep theirs" },
      project: { type: "boolean", summary: "in this project only (the default)" },
      everywhere: { type: "boolean", summary: "in every project that has no mode of its own" },
    },
    examples: [["memdir mode", "each scope's mode, and why"], ["memdir mode confirm", "look at notes before they are written"], ["memdir mode off --scope user", "this project neither sees nor writes notes about you"], ["memdir mode default", "back to what is set for everywhere"]],
    load: () => import("./commands/mode.ts"),
  },
];
