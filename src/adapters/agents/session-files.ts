import fs from "node:fs";
import path from "node:path";
import type { PastSession } from "../../core/transcripts/past.ts";
import type { KeptPrompt } from "../../core/prompts/history-line.ts";
import { isObject, type JsonObject, objectOf, objectsOf, stringOf, textsIn } from "../../core/transcripts/turn.ts";
import { parseJson } from "../../core/shared/json.ts";
import { stripInjected, type Said, type SaidInLine } from "../../core/transcripts/said.ts";

/** Reads a single line of a Claude Code session, for search. Whole sessions are read by `claudeCodeTranscripts`. */
export const claudeCodeSaid: SaidInLine = (record) => {
  const { type, message } = record;
  if (
    (type !== "user" && type !== "assistant") ||
    !isObject(message) ||
    record["isMeta"] === true ||
    record["isSidechain"] === true
  )
    return [];
  const isSummary = record["isCompactSummary"] === true || record["isVisibleInTranscriptOnly"] === true;
  const said = isSummary ? [] : partsOf(message["content"]).flatMap((part) => saidInPart(type, part));
  return said.length === 0 ? [] : [{ id: stringOf(record["uuid"]), time: stringOf(record["timestamp"]), said }];
};

function partsOf(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

function saidInPart(type: "user" | "assistant", part: JsonObject): readonly Said[] {
  if (part["type"] === "text") {
    const text = stringOf(part["text"]) ?? "";
    if (type === "assistant") return text === "" ? [] : [{ speaker: "agent", text }];
    const typed = CLIENT_LINE.test(text) ? "" : stripInjected(text);
    return typed === "" ? [] : [{ speaker: "you", text: typed }];
  }
  if (part["type"] === "tool_use")
    return [
      {
        speaker: "agent",
        text: "",
        call: { id: stringOf(part["id"]) ?? "", name: stringOf(part["name"]) ?? "", input: part["input"] },
      },
    ];
  if (part["type"] !== "tool_result") return [];
  const content = part["content"];
  const text =
    typeof content === "string"
      ? content
      : objectsOf(content)
          .flatMap((one) => textsIn(one["text"]))
          .join("\n");
  return text === "" ? [] : [{ speaker: "tool", text }];
}

/** Lines that the client wrote as user messages. The reader of whole sessions finds a few more by their neighbours. */
const CLIENT_LINE =
  /^\s*(?:<(?:local-command-|command-(?:name|message|args)\b|bash-(?:input|stdout|stderr)\b|task-notification\b)|Caveat: The messages below were generated|This session is being continued from a previous conversation|Stop hook feedback:)/u;

/** Prompts that Claude Code keeps itself (`history.jsonl`; interactive sessions only), without its own commands. */
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

/** Short pastes are stored in the line itself and are put back; longer ones stay as their mark. */
function withPastes(display: string, contents: Readonly<Record<string, unknown>>): string {
  return display.replace(/\[Pasted text #(\d+)(?: \+\d+ lines)?\]/gu, (mark, number: string) => {
    const content = objectOf(contents[number])["content"];
    return typeof content === "string" && content.length <= 1_024 ? content : mark;
  });
}

/** Claude Code's sessions: one directory for each starting directory, one file per session. */
export function claudeCodeSessions(configDirectory: string, sinceMs = 0): readonly PastSession[] {
  const projects = path.join(configDirectory, "projects");
  return names(projects).flatMap((slug) =>
    names(path.join(projects, slug))
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) =>
        sessionAt("claude-code", path.join(projects, slug, name), name.slice(0, -".jsonl".length), cwdInHead, sinceMs),
      ),
  );
}

/** Codex's sessions: sorted by day, and the archive without days. The file name ends with the id. */
export function codexSessions(codexHome: string, sinceMs = 0): readonly PastSession[] {
  return ["sessions", "archived_sessions"]
    .flatMap((directory) => filesBelow(path.join(codexHome, directory), 3))
    .flatMap((file) => {
      const [, id] = /rollout-.*?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/u.exec(file) ?? [];
      return id === undefined ? [] : sessionAt("codex", file, id, cwdInHead, sinceMs);
    });
}

/** Gemini CLI's chats: below the project's short name, next to a file that names the project's directory. */
export function geminiSessions(geminiHome: string, sinceMs = 0): readonly PastSession[] {
  const projects = path.join(geminiHome, "tmp");
  return names(projects).flatMap((project) => {
    const chats = path.join(projects, project, "chats");
    const root = textOf(path.join(projects, project, ".project_root"));
    return names(chats)
      .filter((name) => /^session-.*\.jsonl$/u.test(name))
      .flatMap((name) =>
        sessionAt("gemini", path.join(chats, name), name.slice(0, -".jsonl".length), () => root, sinceMs),
      );
  });
}

/** How much of a file is searched for the starting directory; the first size is nearly always enough (bytes). */
const HEAD_BYTES = [65_536, 1 << 22] as const;

/** Quotation marks inside a text are escaped, so this never matches message text. */
const CWD = /"cwd":("(?:[^"\\]|\\.)*")/u;

function cwdInHead(file: string): string | undefined {
  const quoted = CWD.exec(headOf(file, HEAD_BYTES[0]))?.[1] ?? CWD.exec(headOf(file, HEAD_BYTES[1]))?.[1];
  const value: unknown = quoted === undefined ? undefined : JSON.parse(quoted);
  return typeof value === "string" ? value : undefined;
}

function headOf(file: string, bytes: number): string {
  const fd = fs.openSync(file, "r");
  try {
    const head = Buffer.allocUnsafe(bytes);
    return head.toString("utf8", 0, fs.readSync(fd, head, 0, bytes, 0));
  } finally {
    fs.closeSync(fd);
  }
}

/** Empty for a file that cannot be read: it may have been removed since the listing, or belong to another user. */
function sessionAt(
  agent: string,
  file: string,
  session: string,
  cwdOf: (file: string) => string | undefined,
  sinceMs: number,
): readonly PastSession[] {
  try {
    const { mtimeMs, size } = fs.statSync(file);
    if (mtimeMs < sinceMs) return []; // older files are not opened
    return [{ agent, session, cwd: cwdOf(file), timeMs: mtimeMs, path: file, bytes: size }];
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

function names(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory).toSorted();
  } catch (error) {
    if (error instanceof Error && "code" in error) return []; // missing, a file, or not readable by this user
    throw error;
  }
}

function filesBelow(directory: string, levels: number): readonly string[] {
  return names(directory).flatMap((name) => {
    const full = path.join(directory, name);
    return name.endsWith(".jsonl") ? [full] : levels > 0 ? filesBelow(full, levels - 1) : [];
  });
}

function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // older versions have no such file
    throw error;
  }
}
