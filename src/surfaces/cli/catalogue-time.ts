import type { CommandSpec } from "./command.ts";

/** Commands on facts that change. */
export const TIME_COMMANDS: readonly CommandSpec[] = [
  {
    name: "supersede", group: "versions", usage: "OLD NEW", positionals: 2,
    summary: "a new note takes the place of an old one, which keeps its text and the time in which it held",
    options: {},
    examples: [["memdir supersede port-8080 port-9090", "`memdir history port-9090` shows both"]],
    load: () => import("./commands/supersede.ts"),
  },
  {
    name: "conflicts", group: "versions", usage: "[keep NOTE | both NOTE]", positionals: 2,
    summary: "list notes that contradict one another, and settle which one holds",
    details: "Only notes of one scope about one subject are compared, and nothing is retired without your word. `both` is written into the note, so that it is not asked again.",
    options: {},
    examples: [["memdir conflicts", "what is unsettled"], ["memdir conflicts keep port-9090", "the other is superseded"], ["memdir conflicts both port-9090", "both hold"]],
    load: () => import("./commands/conflicts.ts"),
  },
  {
    name: "restore", group: "versions", usage: "NOTE", positionals: 1,
    summary: "bring back a note that was superseded, retired or, within 30 days, removed",
    options: {},
    examples: [["memdir restore port-8080", "`memdir list --all` shows what was superseded"]],
    load: () => import("./commands/restore.ts"),
  },
];
