/** Blocks inside user text that no person typed: reminders, hook output, recalled memory, editor state. */
const INJECTED = [
  "system-reminder",
  "hook_context",
  "memdir-context",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "local-command-stdout",
  "local-command-stderr",
  "task-notification",
  "environment_context",
  "user_instructions",
  "turn_aborted",
  "hook_prompt",
  "session_context",
  "loaded_context",
  "subagent_notification",
  "permissions instructions",
  "skills_instructions",
];
// An unclosed block runs to the end of the text: better to lose words than to take a machine's for a person's.
const INJECTED_BLOCK = new RegExp(`<(${INJECTED.join("|")})(?:\\s[^>]*)?>[\\s\\S]*?(?:</\\1\\s*>|$)`, "giu");
// Clients that escape what hooks say leave memdir's own block like this.
const ESCAPED_BLOCK =
  /&lt;memdir-context(?:\s(?:(?!&gt;)[^>])*)?(?:&gt;|>)[\s\S]*?(?:&lt;\/memdir-context\s*(?:&gt;|>)|$)/giu;
// Blocks of other memory and context tools, by their names; stripped only when closed.
const CONTEXT_BLOCK =
  /<([\w-]*(?:memory|memories|recalled|recall|reminder|context)[\w-]*)(?:\s[^>]*)?>[\s\S]*?<\/\1\s*>/giu;
// Codex's project instructions, with its heading; in capitals only, because people write `<instructions>` themselves.
const AGENTS_FILE =
  /(?:^[ \t]*# AGENTS\.md instructions[^\n]*\n\s*)?<INSTRUCTIONS>[\s\S]*?(?:<\/INSTRUCTIONS>|$(?![\s\S]))/gmu;
// What Gemini CLI puts in the place of `@file`.
const REFERENCED_FILES = /^--- Content from referenced files ---[\s\S]*?(?:^--- End of content ---|$(?![\s\S]))/gmu;
const INTERRUPTED = /^[ \t]*\[Request interrupted by user[^\]\n]*\][ \t]*$/gmu;

/** The text without what memory, hooks, editors and clients put into it. */
export function stripInjected(text: string): string {
  let stripped = text;
  // Blocks may be nested in one another; each round removes one level, and text only gets shorter.
  for (let previous = ""; previous !== stripped;) {
    previous = stripped;
    stripped = stripped
      .replace(AGENTS_FILE, "\n")
      .replace(REFERENCED_FILES, "\n")
      .replace(INJECTED_BLOCK, "\n")
      .replace(ESCAPED_BLOCK, "\n")
      .replace(CONTEXT_BLOCK, "\n");
  }
  return stripped.replace(INTERRUPTED, "").trim();
}
