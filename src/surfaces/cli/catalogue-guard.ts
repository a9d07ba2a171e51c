import type { CommandSpec } from "./command.ts";

export const GUARD_COMMANDS: readonly CommandSpec[] = [
  {
    name: "guard", group: "care", usage: "list | set NOTE | enable NOTE | disable NOTE | test NOTE TOOL INPUT | try NOTE", positionals: 4,
    summary: "let a feedback note warn, ask or stop before a tool call",
    details: "A guard is `metadata.guard` of a feedback note: tool (a name or glob), pattern (a regular expression over the command, else the path, else the whole input), action (warn, ask or deny) and a message. It does nothing until you enable it on this machine, and nothing again when anybody changes it. try shows which past tool calls it would have met.",
    options: {
      tool: { type: "string", value: "TOOL", summary: "set: Bash, Edit|Write, mcp__*, …" },
      pattern: { type: "string", value: "REGEX", summary: "set: what it looks for" },
      action: { type: "string", value: "ACTION", summary: "set: warn (default), ask or deny" },
      message: { type: "string", value: "LINE", summary: "set: what the agent is told" },
      transcripts: { type: "string", value: "PATH", summary: "try: a transcript or a directory of them (default: this project's sessions in Claude Code)" },
      yes: { type: "boolean", summary: "do not ask" },
    },
    examples: [
      ["memdir guard set no-force-push --tool Bash --pattern 'git push.*(--force|-f)\\b' --action deny", "written into the note, not in force yet"],
      ["memdir guard try no-force-push", "what it would have met"],
      ["memdir guard enable no-force-push", "in force, on this machine"],
    ],
    load: () => import("./commands/guard.ts"),
  },
];
