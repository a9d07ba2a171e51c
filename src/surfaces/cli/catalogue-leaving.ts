import type { CommandSpec } from "./command.ts";

/** Commands on taking everything along. */
export const LEAVING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "export", group: "care", usage: "FILE.tar.gz | DIR [--all]", positionals: 1,
    summary: "write everything as plain files: notes of all scopes, history, checkpoints, settings",
    details: "The scopes in force here; with --all those of every project on this machine. Secrets of settings and approvals stay behind; notes go as they are (`memdir audit` names those that hold a secret). The same state gives the same bytes. It can be read without memdir: Markdown and JSON lines.",
    options: { all: { type: "boolean", summary: "every project on this machine" } },
    examples: [["memdir export notes.tar.gz", "this project and what is in force in it"], ["memdir export ~/backup --all", "everything, as a directory"]],
    load: () => import("./commands/export.ts"),
  },
];
