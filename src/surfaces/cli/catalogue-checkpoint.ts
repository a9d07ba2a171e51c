import type { CommandSpec, OptionSpec } from "./command.ts";

const section = (summary: string): OptionSpec => ({ type: "string", value: "TEXT", multiple: true, summary });

export const CHECKPOINT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "checkpoint", group: "main", usage: "save [-] | list | show [ID] | restore [ID] | branch [ID] NAME | diff [ID [ID]] | dismiss [ID] | remove ID", positionals: 3,
    summary: "save where a long task stands; go on in another session, agent or on another machine",
    details: "save keeps goal, plan, what is done, what comes next, decisions, open questions, notes to read, and where git stood; what is not given is taken over from the task's last checkpoint, and --done, --decision and --note add to it. restore prints what an agent needs, with what changed in the repository since. Before a compaction and at a session's end a checkpoint is saved by itself; the next session is told in one line, until the task is restored or dismissed. An ID may be its beginning, the name of a task, or a checkpoint file from another machine.",
    options: {
      name: { type: "string", value: "NAME", summary: "the task; default: that of the last checkpoint" },
      goal: section("what is to be reached"), plan: section("the steps"), done: section("what is done (adds)"), next: section("what comes next"),
      decision: section("what was decided, and why (adds)"), question: section("what is open"), note: section("a note to read (adds)"),
      session: { type: "string", value: "ID", summary: "the conversation it was saved in" },
      fresh: { type: "boolean", summary: "take nothing over from the last checkpoint" },
    },
    examples: [
      ["memdir checkpoint save --goal 'Import orders in one pass' --next 'port the retry'", "begin"],
      ["memdir checkpoint save --done 'retry ported' --next 'measure'", "go on"],
      ["memdir checkpoint restore", "what another session needs"],
    ],
    load: () => import("./commands/checkpoint.ts"),
  },
];
