import fs from "node:fs";
import { openDatabase } from "../../src/adapters/sqlite/driver.ts";

export interface OpenCodeFixture {
  readonly id: string;
  readonly directory?: string;
  readonly said: readonly string[];
}

/** A database laid out like OpenCode's, with prompts only; later sessions are newer. Returns its path. */
export function writeOpenCode(directory: string, sessions: readonly OpenCodeFixture[]): string {
  fs.mkdirSync(directory, { recursive: true });
  const file = `${directory}/opencode.db`;
  const database = openDatabase(file, { busyTimeoutMs: 0, journal: "delete" });
  database.exec(
    "CREATE TABLE session (id TEXT, directory TEXT, time_updated INTEGER, parent_id TEXT); CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT); CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);",
  );
  for (const [at, { id, directory: cwd = "/home/dev/shop", said }] of sessions.entries()) {
    const time = 1773050400000 + at * 60_000;
    database.prepare("INSERT INTO session VALUES (?, ?, ?, NULL)").run([id, cwd, time]);
    for (const [n, text] of said.entries()) {
      database
        .prepare("INSERT INTO message VALUES (?, ?, ?, ?)")
        .run([`${id}-m${n}`, id, time + n, JSON.stringify({ role: "user", time: { created: time + n } })]);
      database
        .prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?)")
        .run([`${id}-p${n}`, `${id}-m${n}`, id, time + n, JSON.stringify({ type: "text", text })]);
    }
  }
  database.close();
  return file;
}

/** One line of a Claude Code transcript. */
export function claudeLine(
  role: "user" | "assistant",
  content: unknown,
  more: Readonly<Record<string, unknown>> = {},
): string {
  return `${JSON.stringify({ type: role, sessionId: "s", message: { role, content }, ...more })}\n`;
}

/** Writes a client's session to that client's place below `home`. Returns the file. */
export function writeSession(
  home: string,
  agent: "claude-code" | "codex" | "gemini",
  cwd: string,
  id: string,
  lines: readonly string[],
  time = "2026-03-10T10:00:00Z",
): string {
  const places = {
    "claude-code": `${home}/.claude/projects/${cwd.replace(/[^A-Za-z0-9]/gu, "-")}/${id}.jsonl`,
    codex: `${home}/.codex/sessions/2026/03/10/rollout-2026-03-10T10-00-00-${id}.jsonl`,
    gemini: `${home}/.gemini/tmp/shop/chats/session-${id}.jsonl`,
  };
  const file = places[agent];
  fs.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
  if (agent === "gemini") fs.writeFileSync(`${home}/.gemini/tmp/shop/.project_root`, cwd);
  fs.writeFileSync(file, lines.join(""));
  fs.utimesSync(file, new Date(time), new Date(time));
  return file;
}
