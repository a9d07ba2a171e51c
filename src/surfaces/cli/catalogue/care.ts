import type { CommandSpec } from "../command.ts";
import { DRY_RUN, YES } from "./options.ts";

/** Commands that check memdir and its notes, and export everything. */
export const CARE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "status",
    triedAs: ["info", "stat", "stats", "where", "whoami", "state"],
    group: "care",
    isEveryday: true,
    usage: "",
    positionals: 0,
    summary: "show where notes live, how many there are, and what needs attention",
    options: {},
    examples: [["memdir status --json", ""]],
    load: () => import("../commands/status.ts"),
  },
  {
    name: "doctor",
    triedAs: ["check", "diagnose", "fix", "repair", "health", "test"],
    group: "care",
    usage: "",
    positionals: 0,
    summary: "check the installation and the notes, with a self-test",
    details: "The self-test saves, recalls and forgets a note in a scratch directory. Your notes stay as they are.",
    options: {},
    examples: [["memdir doctor", ""]],
    load: () => import("../commands/doctor.ts"),
  },
  {
    name: "audit",
    triedAs: ["lint", "problems"],
    group: "care",
    usage: "[--all]",
    positionals: 0,
    summary: "list problems in the notes, each with the command that fixes it",
    details:
      "Finds secrets, contradictions, stale claims, duplicates, recalled text that was saved again, conflict copies, unreadable files, dead links and index lines, relative dates, notes too long for recall, an index that differs from the files, and notes that no prompt found in three months. Exit code 1 if it found a problem. It changes nothing.",
    options: { all: { type: "boolean", summary: "every finding, not only the first ten of a kind (100 with --json)" } },
    examples: [["memdir audit", ""]],
    load: () => import("../commands/audit.ts"),
  },
  {
    name: "verify",
    triedAs: ["stale", "validate"],
    group: "care",
    usage: "[NOTE] [--all]",
    positionals: 1,
    summary: "check what notes claim against the working tree and git",
    details:
      "Prints what is gone or renamed. Something is gone only if memdir knows that it was there; what cannot be checked is unchecked. Nothing changes, and stale notes are not an error.",
    options: { all: { type: "boolean", summary: "also print what holds and what is unchecked" } },
    examples: [
      ["memdir verify", "every note of the project"],
      ["memdir verify no-mocks --all", "one note, every claim"],
    ],
    load: () => import("../commands/verify.ts"),
  },
  {
    name: "export",
    triedAs: ["backup", "dump", "archive"],
    group: "care",
    usage: "FILE.tar.gz | DIR [--all] | hermes [DIR] [--dry-run | --yes]",
    positionals: 2,
    summary: "write everything as plain files: notes, history, checkpoints, settings",
    details:
      "Writes the scopes in use here; with --all those of every project on this machine. Secrets in settings and approvals stay behind; notes are written as they are (`memdir audit` names those that hold a secret). The same state gives the same bytes. You can read the result without memdir: Markdown and JSON lines. `export hermes` adds the notes in force here to Hermes' own MEMORY.md and USER.md (in DIR, default ~/.hermes/memories), within its limits, and asks first. What stands there stays.",
    options: {
      all: { type: "boolean", summary: "every project on this machine" },
      "dry-run": DRY_RUN,
      yes: YES,
    },
    examples: [
      ["memdir export notes.tar.gz", "this project and the scopes it uses"],
      ["memdir export ~/backup --all", "everything, as a directory"],
      ["memdir export hermes --dry-run", "what Hermes' own files would get"],
    ],
    load: () => import("../commands/export.ts"),
  },
];
