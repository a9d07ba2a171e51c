import type { KeptPrompt } from "../../core/prompts/history-line.ts";
import { isObject, objectOf, stringOf } from "../../core/transcripts/record.ts";
import { parseJson } from "../../core/shared/json.ts";

/** Prompts that Claude Code keeps itself (`history.jsonl`; interactive sessions only), its own commands left out. */
export function claudeCodeHistory(text: string): readonly KeptPrompt[] {
  return text.split("\n").flatMap((line) => {
    const record = parseJson(line);
    if (!isObject(record)) return [];
    const { display, project, timestamp } = record;
    if (
      typeof display !== "string" ||
      typeof project !== "string" ||
      typeof timestamp !== "number" ||
      Math.abs(timestamp) > 8e15
    )
      return [];
    if (display.trim() === "" || /^\/[\w:-]+(?:\s|$)/u.test(display)) return [];
    return [
      {
        time: new Date(timestamp).toISOString(),
        project,
        session: stringOf(record["sessionId"]),
        agent: "claude-code",
        prompt: withPastes(display, objectOf(record["pastedContents"])),
        pastes: [],
      },
    ];
  });
}

/** Short pastes stand in the line itself and are put back; the rest stays as its mark. */
function withPastes(display: string, contents: Readonly<Record<string, unknown>>): string {
  return display.replace(/\[Pasted text #(\d+)(?: \+\d+ lines)?\]/gu, (mark, number: string) => {
    const content = objectOf(contents[number])["content"];
    return typeof content === "string" && content.length <= 1_024 ? content : mark;
  });
}
