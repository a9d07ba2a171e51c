import type { CommandSpec } from "../command.ts";
import { scopeOption, YES } from "./options.ts";

/** Scopes that may leave this machine. */
const SYNCED = ["user", "project", "group", "team"] as const;

/** Commands that keep the same notes on several devices. */
export const SYNC_COMMANDS: readonly CommandSpec[] = [
  {
    name: "sync",
    triedAs: ["push", "pull", "remote", "share-devices"],
    group: "scopes",
    usage:
      "setup [--remote] URL | now | status | log | approve | revoke DEVICE | devices | receipts | pause | resume | off",
    positionals: 2,
    actions: {
      setup: 1,
      now: 0,
      status: 0,
      log: 0,
      approve: 0,
      revoke: 1,
      devices: 0,
      receipts: 0,
      pause: 0,
      resume: 0,
      off: 0,
    },
    standard: "status",
    summary: "keep the same notes on all your devices, and in the team",
    details:
      "`setup` connects one scope with a git repository that you already have, shows what will go there, and syncs once. After that notes sync by themselves, in the background: after a change, and when a session begins or ends; `now` does it at once. An edit made on two devices is merged; where both changed the same lines, both texts stay. A forgotten note is purged on every device. Notes of the local scope, MEMORY.md, and texts that hold a secret never leave this machine; `status` names what was refused. A sync that would remove more than half of the notes stops; `approve` names them and asks. With --encrypt the remote cannot read the notes: another device asks for the key and shows six words, and `approve --device WORDS` on this one gives it; `revoke` makes a new key without a device that is lost. `devices` asks a server which devices use a space and how far each is, `receipts` which of them have purged what was forgotten. Exit codes of `now`: 0 also with conflicts, 4 when something was refused or a removal needs your approval, 6 when a remote could not be reached.",
    options: {
      remote: {
        only: ["setup"],
        type: "string",
        value: "URL",
        summary:
          "a repository (git@host:me/notes.git, a path, https://….git), a server (https://…) or a store (anthropic:memstore_…)",
      },
      scope: scopeOption("user, project, group or team (setup: your project's by default; else: all)", SYNCED),
      "token-file": {
        only: ["setup"],
        type: "string",
        value: "FILE",
        summary: "setup: the file with the token for a server; without it you log in there",
      },
      space: {
        only: ["setup"],
        type: "string",
        value: "NAME",
        summary: "setup: what the notes are called there (the branch memdir/NAME), if not named after the scope",
      },
      direct: {
        only: ["setup"],
        type: "boolean",
        summary: "setup: write to the team's branch; without it your changes wait on a branch for a pull request",
      },
      login: {
        only: ["setup"],
        type: "string",
        value: "NAME",
        summary: "setup: the end of your branch for pull requests, if not your login name on this machine",
      },
      encrypt: {
        only: ["setup"],
        type: "boolean",
        summary: "setup: the remote gets the notes encrypted; other devices read them once you approve them",
      },
      recovery: {
        only: ["setup"],
        type: "string",
        value: "FILE",
        summary: "setup: the recovery phrase or file of an encrypted space, in place of an approval",
      },
      device: {
        only: ["approve"],
        type: "string",
        value: "WORDS",
        summary: "approve: give the key of an encrypted space to the device that shows these words",
      },
      manual: {
        only: ["setup"],
        type: "boolean",
        summary: "setup: nothing runs automatically, only `memdir sync now` syncs",
      },
      pending: {
        only: ["now"],
        type: "boolean",
        summary: "now: what the background run does: the places where something changed",
      },
      "accept-removals": {
        only: ["now"],
        type: "boolean",
        summary: "now: allow a sync that removes more than half of the notes",
      },
      yes: YES,
    },
    examples: [
      ["memdir sync setup git@github.com:me/notes.git --scope user", "your own notes, through a private repository"],
      [
        "memdir sync setup git@github.com:me/notes.git --scope user --encrypt",
        "the same, and nobody there can read them",
      ],
      ["memdir sync now", "send and fetch"],
      ["memdir sync status", "what waits, what was refused, and why; asks no network"],
      ["memdir sync off --scope user", "end it; the notes stay here and there"],
    ],
    load: () => import("../commands/sync.ts"),
  },
];
