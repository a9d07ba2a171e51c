import type { CommandSpec } from "./command.ts";

/** The logs of a person's days. */
export const LOG_COMMANDS: readonly CommandSpec[] = [
  {
    name: "log", group: "notes", usage: "[TEXT | -] [--no-project] | [--date DAY] [--days N]", positionals: Number.POSITIVE_INFINITY,
    summary: "add an entry to the log of the day, or show it",
    details: "With a text (or `-` for standard input) it adds one entry to the log of your local day, YYYY/MM/YYYY-MM-DD.md below the notes of the user's scope: plain Markdown that is only ever added to, with the time and the project you are in. Without one it shows today's entries, of all projects. Secrets and hidden characters are refused. Recall finds entries of this project and of none; a dream makes notes of what they ask to be remembered. `memdir mode --capture-to log` makes capture write here.",
    options: {
      "no-project": { type: "boolean", summary: "about no project in particular, so that it is recalled in all of them" },
      date: { type: "string", value: "DAY", summary: "show this day (YYYY-MM-DD) instead of today" },
      days: { type: "string", value: "N", summary: "show so many days, ending with today or with --date" },
    },
    examples: [["memdir log 'The vendor moves the API on Friday'", "one entry"], ["git log -1 --format=%s | memdir log -", "from standard input"], ["memdir log", "today's"], ["memdir log --days 7", "the week's"], ["memdir show 'user:2026/11/2026-11-22.md#3'", "one entry, as recall names it"]],
    load: () => import("./commands/log.ts"),
  },
];
