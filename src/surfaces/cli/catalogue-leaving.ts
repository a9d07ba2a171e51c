import type { CommandSpec } from "./command.ts";

/** Commands on taking everything along. */
export const LEAVING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "export", group: "care", usage: "FILE.tar.gz | DIR [--all]", positionals: 1,
    summary: "write everything as plain files: notes of all scopes, history, checkpoints, settings",
    details: "The scopes in force here; with --all those of every project on this machine. Secrets and approvals stay. The same state gives the same bytes. It can be read without memdir: Markdown and JSON lines.",
    options: { all: { type: "boolean", summary: "every project on this machine" } },
    examples: [["memdir export notes.tar.gz", "this project and what is in force in it"], ["memdir export ~/backup --all", "everything, as a directory"]],
    load: () => import("./commands/export.ts"),
  },
  {
    name: "import", group: "care", usage: "FILE.tar.gz | DIR [--yes] [--dry-run]", positionals: 1,
    summary: "take in what `memdir export` wrote",
    details: "Every file is compared with its hash first. What is here already stays; a note of another text under the same name is kept beside it. Where a store has no past yet, its history comes along. `memdir undo SCOPE:ID` takes an import back.",
    options: { yes: { type: "boolean", summary: "do not ask" }, "dry-run": { type: "boolean", summary: "show what would be imported" } },
    examples: [["memdir import notes.tar.gz --dry-run", "look first"]],
    load: () => import("./commands/import-archive.ts"),
  },
];
