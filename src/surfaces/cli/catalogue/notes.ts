import type { CommandSpec } from "../command.ts";
import { AS_OF, DRY_RUN, scopeOption, typeOption, YES } from "./options.ts";

const ASKED = {
  type: "string",
  value: "WORDS",
  summary: "other words by which you would look for it, commas between: searched, not shown",
} as const;

/** Commands for single notes. */
export const NOTE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "remember",
    aliases: ["add"],
    triedAs: ["save", "new", "create", "note", "write", "store", "memorize", "memorise", "insert"],
    group: "notes",
    isEveryday: true,
    usage:
      "[TEXT] [--type TYPE] [--name NAME] [--description LINE] [--asked WORDS] [--scope SCOPE] [--replaces NOTE] [--beside] [--force]",
    positionals: Number.POSITIVE_INFINITY,
    summary: "save a note; the text is the argument or standard input (`-`)",
    details:
      'Types: user (who you are), feedback (corrections and confirmed ways), project (goals, decisions, deadlines), reference (where things live outside). Without --type the text decides, and the answer says which was taken. memdir refuses secrets and hidden characters. It also refuses what a note is not for (exit code 4): code structure, git history, debugging recipes, what an instruction file says already, the task at hand. --force saves such a text, and the note records it. It does not save the same text twice, whatever its type and name. If a note says nearly the same, memdir names that note and saves nothing (exit code 5), unless --name gives another name. A text that clearly changes what an older note says (another port, "switched from X to Y", "no longer") supersedes that note, and memdir names it. If it only may change it, both stay, recall shows the newer first, and `memdir review` asks. --replaces and --beside decide it at once.',
    options: {
      type: typeOption("user, feedback, project or reference; default: what the text seems to be"),
      name: { type: "string", value: "NAME", summary: "short and stable; the file is named after it" },
      description: { type: "string", value: "LINE", summary: "the line that recall and the index show" },
      asked: ASKED,
      scope: scopeOption("user, group, project, team, agent or local"),
      replaces: { type: "string", value: "NOTE", summary: "the older note that it replaces" },
      beside: { type: "boolean", summary: "keep it and the notes it seems to contradict: all of them hold" },
      force: { type: "boolean", summary: "save it even if a note says the same, or it is not for a note" },
    },
    examples: [
      ["memdir remember 'Merge freeze starts Thursday' --type project", "adds the date of Thursday"],
      ["git log -1 --format=%b | memdir remember --type feedback --name no-mocks", "from standard input"],
    ],
    load: () => import("../commands/remember.ts"),
  },
  {
    name: "list",
    aliases: ["ls"],
    triedAs: ["notes", "dir", "all", "index"],
    group: "notes",
    isEveryday: true,
    usage: "[WORD…] [--type TYPE] [--scope SCOPE] [--since DATE] [--as-of DATE] [--all]",
    positionals: Number.POSITIVE_INFINITY,
    summary: "list notes of every scope, or those that hold a word",
    details:
      "Words are looked for in file, name and description; upper and lower case are the same. Several words must all be there.",
    options: {
      type: typeOption("only this type: user, feedback, project or reference"),
      scope: scopeOption("only this scope: user, group, project, team, agent or local"),
      since: { type: "string", value: "DATE", summary: "only those written or changed since that day or ISO time" },
      "as-of": AS_OF,
      all: { type: "boolean", summary: "include superseded notes" },
    },
    examples: [
      ["memdir list", "every note"],
      ["memdir list docker --type feedback", "feedback about Docker"],
      ["memdir list --as-of 2026-03-01", "what was known then"],
    ],
    load: () => import("../commands/list.ts"),
  },
  {
    name: "show",
    triedAs: ["cat", "get", "view", "read", "print", "open", "display"],
    group: "notes",
    isEveryday: true,
    usage: "NOTE [--version ID | --as-of DATE]",
    positionals: 1,
    summary: "print a note",
    options: {
      version: { type: "string", value: "ID", summary: "a version from `memdir history`" },
      "as-of": AS_OF,
    },
    examples: [
      ["memdir show no-mocks", "by name"],
      ["memdir show feedback_no_mocks.md --version 3", "an older text"],
    ],
    load: () => import("../commands/show.ts"),
  },
  {
    name: "edit",
    isEveryday: true,
    triedAs: ["change", "update", "modify", "rewrite", "revise"],
    group: "notes",
    usage:
      "NOTE [--name NAME] [--description LINE] [--asked WORDS] [--type TYPE] [--body TEXT | --body -] [--force] | NOTE --convert",
    positionals: 1,
    summary: "change a note, in your editor or by options",
    details:
      "Without options it opens $VISUAL or $EDITOR. Text that does not belong in a note is refused, as in `memdir remember` (exit code 4); --force keeps it, also with the editor. The file keeps its name, because links, index lines and history refer to it. If someone else saved the note meanwhile, both changes are merged or kept side by side; nothing is overwritten.",
    options: {
      name: { type: "string", value: "NAME", summary: "new name" },
      description: { type: "string", value: "LINE", summary: "new description" },
      asked: ASKED,
      type: typeOption("new type"),
      body: { type: "string", value: "TEXT", summary: "new text; `-` reads standard input" },
      force: { type: "boolean", summary: "keep text that does not belong in a note" },
      convert: {
        type: "boolean",
        summary: "convert the file to UTF-8: reads other bytes as Windows-1252, drops NUL bytes",
      },
    },
    examples: [["memdir edit no-mocks --description 'Use the test container'", "change one field only"]],
    load: () => import("../commands/edit.ts"),
  },
  {
    name: "remove",
    aliases: ["rm"],
    triedAs: ["delete", "del", "unset", "drop", "erase", "destroy", "discard"],
    group: "notes",
    usage: "NOTE",
    positionals: 1,
    summary: "remove a note; `memdir undo` brings it back for 30 days",
    options: {},
    examples: [["memdir remove old-plan", ""]],
    load: () => import("../commands/remove.ts"),
  },
  {
    name: "forget",
    isEveryday: true,
    triedAs: ["purge", "wipe", "shred"],
    group: "notes",
    usage: "NOTE [--yes]",
    positionals: 1,
    summary: "purge a note and its history everywhere; cannot be undone",
    options: { yes: YES },
    examples: [["memdir forget private-thing --yes", "leaves a receipt without content"]],
    load: () => import("../commands/forget.ts"),
  },
  {
    name: "pin",
    triedAs: ["star", "unpin"],
    group: "notes",
    usage: "NOTE [--off]",
    positionals: 1,
    summary: "show a note whole at the start of every session",
    options: { off: { type: "boolean", summary: "unpin" } },
    examples: [["memdir pin no-mocks", ""]],
    load: () => import("../commands/pin.ts"),
  },
  {
    name: "log",
    triedAs: ["journal", "diary"],
    group: "notes",
    usage: "[TEXT | -] [--no-project] | [--date DAY] [--days N]",
    positionals: Number.POSITIVE_INFINITY,
    summary: "add an entry to today's log, or show it",
    details:
      "With a text (as words, through a pipe, or `-` for standard input) it adds one entry to the log of the day, YYYY/MM/YYYY-MM-DD.md below the notes of the user scope, with the time and the project. Entries are only ever added. Without a text it shows today's entries of all projects. memdir refuses secrets and hidden characters. Recall finds entries of this project and entries without a project; a dream turns what they ask to remember into notes. With `memdir mode --capture-to log`, capture writes here.",
    options: {
      "no-project": { type: "boolean", summary: "not about one project: recalled in all of them" },
      date: { type: "string", value: "DAY", summary: "show this day (YYYY-MM-DD) instead of today" },
      days: { type: "string", value: "N", summary: "show N days, up to today or to --date" },
    },
    examples: [
      ["memdir log 'The vendor moves the API on Friday'", "one entry"],
      ["git log -1 --format=%s | memdir log -", "from standard input"],
      ["memdir log", "today"],
      ["memdir log --days 7", "this week"],
      ["memdir show 'user:2026/11/2026-11-22.md#093939-1f2e3d4c'", "one entry, by the name that recall gives it"],
    ],
    load: () => import("../commands/log.ts"),
  },
  {
    name: "import",
    triedAs: ["load", "migrate"],
    group: "notes",
    usage: "KIND [PATH] | ARCHIVE [--dry-run | --yes]",
    positionals: 2,
    actions: ["claude-code", "codex", "gemini", "server-memory", "basic-memory", "openclaw", "hermes", "db0"],
    summary: "import notes from another tool or an exported archive",
    details:
      "KIND is claude-code (another memory directory), codex, gemini or hermes (all three found automatically), server-memory (its JSONL file), basic-memory or openclaw (directories), or db0 (its SQLite file, its export or the address of its PostgreSQL). memdir shows the plan and asks. It refuses duplicates, secrets, hidden characters and what the repository already says, each with the reason. An archive is what `memdir export` wrote: memdir checks the hash of each file; a note with the same name and another text is kept beside yours. Each imported note says where it comes from (metadata.imported_from); importing again adds nothing. The source never changes.",
    options: { "dry-run": DRY_RUN, yes: YES },
    examples: [
      ["memdir import codex --dry-run", "look first"],
      ["memdir import server-memory ~/memory.jsonl --yes", ""],
    ],
    load: () => import("../commands/import.ts"),
  },
];
