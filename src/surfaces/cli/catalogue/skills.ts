import type { CommandSpec } from "../command.ts";
import { SKILL_ACTIONS, SKILL_SCOPES, SKILL_STAGES, YES } from "./options.ts";

/** Commands for procedures learnt from finished tasks. */
export const SKILL_COMMANDS: readonly CommandSpec[] = [
  {
    name: "skill",
    aliases: ["skills"],
    triedAs: ["procedure", "playbook", "recipe"],
    group: "agents",
    usage:
      "list | candidates | show NAME | draft [--from ID] [-] | try NAME | promote|demote|retire|pin|unpin NAME | diff NAME [A B] | rollback NAME [--to N] | publish NAME --to claude,agents|repo | unpublish NAME | stats [NAME] | off",
    positionals: 4,
    actions: SKILL_ACTIONS,
    standard: "list",
    summary: "procedures learnt from finished tasks, trusted only on evidence",
    details:
      "By default memdir only observes: it notes candidates and keeps drafts, and offers nothing. `memdir mode --skills confirm` offers what you agreed to, `auto` what its own check allows. A draft is tried, then promoted when its own check passed three times without a fail (or five times with one) in two sessions and on two days, and demoted when it fails. try runs the check in isolation, without home or network, after you allowed that command. draft reads JSON from standard input; with --from alone it prints the record of that candidate and the form of the answer. Skills of your own and installed ones are never changed. See docs/skills.md.",
    options: {
      state: {
        type: "string",
        value: "STAGE",
        values: SKILL_STAGES,
        only: ["list"],
        summary: "list: only these",
      },
      scope: {
        type: "string",
        value: "SCOPE",
        values: SKILL_SCOPES,
        only: ["list", "draft"],
        summary: "list, draft: project or user",
      },
      revision: { type: "string", value: "N", only: ["show"], summary: "show: an earlier revision" },
      from: {
        type: "string",
        value: "ID",
        only: ["draft"],
        summary: "draft: the candidate that it is written from; without `-`, what its writer needs",
      },
      approve: { type: "boolean", only: ["try"], summary: "try: let memdir run this check command, now and later" },
      to: {
        type: "string",
        value: "WHERE",
        only: ["publish", "rollback"],
        summary: "publish: claude,agents or repo; rollback: a revision",
      },
      yes: YES,
    },
    examples: [
      ["memdir skill list", "what there is, in which stage, and why"],
      ["memdir skill try release-cli", "run its check in isolation"],
      ["memdir skill show release-cli", "its text, where it comes from, its evidence"],
      ["memdir skill publish release-cli --to claude,agents", "copies in the clients' folders"],
      ["memdir skill off", "stop learning and offering"],
    ],
    load: () => import("../commands/skill.ts"),
  },
];
