import type { CommandSpec } from "../command.ts";
import { DRY_RUN, scopeOption, YES } from "./options.ts";

const TO = scopeOption("user, group, team, project, agent-user, agent, agent-local or local");

/** Commands that decide who reads a note, and commands for projects. */
export const SCOPE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "promote",
    triedAs: ["share", "publish"],
    group: "scopes",
    usage: "NOTE [--to SCOPE]",
    positionals: 1,
    summary: "let more people or projects see a note: local to project, project to team",
    details:
      "memdir writes the new note, then removes the old one; if it is killed between the two, the next command finishes the move and says so. Secrets, notes of type user and personal facts never go to team or group. `memdir undo` takes the move back in both stores.",
    options: { to: TO },
    examples: [
      ["memdir promote no-mocks", "from your private notes of this project to the team's"],
      ["memdir promote no-mocks --to user", "into every project of yours"],
    ],
    load: () => import("../commands/promote.ts"),
  },
  {
    name: "demote",
    triedAs: ["unshare"],
    group: "scopes",
    usage: "NOTE [--to SCOPE]",
    positionals: 1,
    summary: "let fewer see a note: team to project, project to local",
    options: { to: TO },
    examples: [["memdir demote team:no-mocks", "back to your private notes of this project"]],
    load: () => import("../commands/demote.ts"),
  },
  {
    name: "mv",
    triedAs: ["move", "rename"],
    group: "scopes",
    usage: "NOTE SCOPE[:NAME]",
    positionals: 2,
    summary: "move a note to another scope, under a new name if you give one",
    options: {},
    examples: [
      ["memdir mv no-mocks user", ""],
      ["memdir mv no-mocks team:test-containers", "renamed on the way"],
    ],
    load: () => import("../commands/mv.ts"),
  },
  {
    name: "project",
    triedAs: ["projects", "repo"],
    group: "scopes",
    usage: "list | doctor | link DIR | mv OLD-DIR [NEW-DIR] | merge DIR [INTO-DIR] | split WORDS DIR | undo [ID]",
    positionals: 3,
    actions: { list: 0, doctor: 0, link: 1, mv: 2, merge: 2, split: 2, undo: 1 },
    standard: "list",
    summary: "keep notes when checkouts are renamed, moved, merged or split",
    details:
      "mv: after you renamed or moved a directory, its notes and their history follow. merge: joins two stores; the same text is kept once, two texts of one name are both kept. split: the notes that hold these words go to another project. doctor finds notes left behind. memdir shows everything and asks first; you can undo for 30 days.",
    options: {
      yes: YES,
      "dry-run": { ...DRY_RUN, only: ["mv", "merge", "split"] },
    },
    examples: [
      ["memdir project list", "which projects have notes on this machine"],
      ["memdir project mv ~/code/old-name", "into this project"],
      ["memdir project merge ~/code/second-clone --dry-run", "look first"],
      ["memdir project split till ~/code/till", "the notes that mention the till"],
      ["memdir project undo", "the last move between projects"],
    ],
    load: () => import("../commands/project.ts"),
  },
  {
    name: "link",
    group: "scopes",
    usage: "DIR [--yes]",
    positionals: 1,
    summary: "use the notes of a renamed or moved checkout for this project",
    options: { yes: YES },
    examples: [["memdir link ~/.claude/projects/-home-me-old-name/memory", ""]],
    load: () => import("../commands/link.ts"),
  },
  {
    name: "group",
    triedAs: ["groups"],
    group: "scopes",
    usage: "add NAME [DIR…] | remove NAME [DIR…] | list",
    positionals: Number.POSITIVE_INFINITY,
    actions: { add: Number.POSITIVE_INFINITY, remove: Number.POSITIVE_INFINITY, list: 0 },
    standard: "list",
    summary: "share a directory of notes between projects",
    details:
      "A project belongs to at most one group. Recall in each of its projects finds the group's notes, after the project's own and before yours. Only you write them: `remember --scope group`, `mv NOTE group`. Removing a project or the whole group leaves the notes where they are.",
    options: { yes: YES },
    examples: [
      ["memdir group add shop", "this project"],
      ["memdir group add shop ~/code/cart ~/code/till", "other projects too"],
      ["memdir group list", ""],
      ["memdir group remove shop ~/code/till", ""],
    ],
    load: () => import("../commands/group.ts"),
  },
  {
    name: "team",
    triedAs: ["trust"],
    group: "scopes",
    usage: "[use DIR | use private | trust | revoke]",
    positionals: 2,
    actions: { use: 1, trust: 0, revoke: 0 },
    summary: "keep the team's notes in the repository; trust those that came with it",
    details:
      "`use .memdir/team` keeps the notes as files of the repository, one file per note, so that a pull request shows each change. MEMORY.md lists them by file name, and nothing in the files changes by itself. memdir neither reads nor writes notes that came with a repository until you have looked at them and run `team trust`, once for each directory and machine.",
    options: { yes: YES },
    examples: [
      ["memdir team use .memdir/team", "in this project"],
      ["memdir team", "where they are, and whether they are trusted"],
      ["memdir team trust", "after you have read them"],
    ],
    load: () => import("../commands/team.ts"),
  },
];
