import type { CommandSpec, OptionSpec } from "./command.ts";

const TO: OptionSpec = { type: "string", value: "SCOPE", summary: "user, group, team, project, agent-user, agent, agent-local or local" };
const YES: OptionSpec = { type: "boolean", summary: "do not ask" };

/** Commands on whose notes they are. */
export const SCOPE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "promote", group: "notes", usage: "NOTE [--to SCOPE]", positionals: 1,
    summary: "let more see a note: local to project, project to team",
    details: "One step across two stores: the new note is written, then the old one removed; what a kill leaves half done the next command finishes and says so. Secrets, notes of type user and personal facts never go to team or group. `memdir undo` takes it back in both.",
    options: { to: TO },
    examples: [["memdir promote no-mocks", "from this project's private notes to the team's"], ["memdir promote no-mocks --to user", "into every project of yours"]],
    load: () => import("./commands/promote.ts"),
  },
  {
    name: "demote", group: "notes", usage: "NOTE [--to SCOPE]", positionals: 1,
    summary: "let fewer see a note: team to project, project to local",
    options: { to: TO },
    examples: [["memdir demote team:no-mocks", "back to your private notes of this project"]],
    load: () => import("./commands/demote.ts"),
  },
  {
    name: "mv", group: "notes", usage: "NOTE SCOPE[:NAME]", positionals: 2,
    summary: "move a note to another scope, under another name if you like",
    options: {},
    examples: [["memdir mv no-mocks user", ""], ["memdir mv no-mocks team:test-containers", "renamed on the way"]],
    load: () => import("./commands/mv.ts"),
  },
  {
    name: "project", group: "care", usage: "list | doctor | link DIR | mv OLD-DIR [NEW-DIR] | merge DIR [INTO-DIR] | split WORDS DIR | undo [ID]", positionals: 3,
    summary: "keep notes with checkouts that were renamed, moved, merged or split",
    details: "mv: after a directory was renamed or moved, its notes and their history follow. merge: two stores into one; the same text once, two texts of one name both kept. split: the notes with these words in them go to another project. doctor finds what was left behind. Everything is shown and asked first, and can be undone for 30 days.",
    options: { yes: YES, "dry-run": { type: "boolean", summary: "show what would be moved" } },
    examples: [["memdir project list", "which projects have notes on this machine"], ["memdir project mv ~/code/old-name", "into the present project"], ["memdir project merge ~/code/second-clone --dry-run", "look first"], ["memdir project split till ~/code/till", "the notes that speak of the till"], ["memdir project undo", "the last move between projects"]],
    load: () => import("./commands/project.ts"),
  },
  {
    name: "group", group: "care", usage: "add NAME [DIR…] | remove NAME [DIR…] | list", positionals: Number.POSITIVE_INFINITY,
    summary: "share a directory of notes between projects",
    details: "A project is in one group at most. A group's notes are recalled in each of its projects, after the project's own and before yours; they are written only when you ask: `remember --scope group`, `mv NOTE group`. Removing a project, or the whole group, leaves the notes where they are.",
    options: { yes: YES },
    examples: [["memdir group add shop", "this project"], ["memdir group add shop ~/code/cart ~/code/till", "others too"], ["memdir group list", ""], ["memdir group remove shop ~/code/till", ""]],
    load: () => import("./commands/group.ts"),
  },
  {
    name: "team", group: "care", usage: "[use DIR | use private | trust | revoke]", positionals: 2,
    summary: "keep the team's notes as files in the repository; trust those that came with it",
    details: "`use .memdir/team` makes the notes files that a pull request shows: one a note, MEMORY.md in the order of names, nothing in them that changes by itself. Notes that came with a repository are neither read nor written before you have looked at them and said `team trust`, once a directory and machine.",
    options: { yes: YES },
    examples: [["memdir team use .memdir/team", "in this project"], ["memdir team", "where they are, and whether they are trusted"], ["memdir team trust", "after you have read them"]],
    load: () => import("./commands/team.ts"),
  },
];
