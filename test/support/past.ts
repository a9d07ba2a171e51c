import fs from "node:fs";
import { openDatabase } from "../../src/adapters/sqlite/driver.ts";

export interface OpenCodeFixture {
  readonly id: string;
  readonly directory?: string;
  readonly said: readonly string[];
}

/** A database as OpenCode lays it out, with prompts alone; later sessions are newer. Answers its path. */
export function writeOpenCode(directory: string, sessions: readonly OpenCodeFixture[]): string {
  fs.mkdirSync(directory, { recursive: true });
  const file = `${directory}/opencode.db`;
  const database = openDatabase(file, { busyTimeoutMs: 0, journal: "delete" });
  database.exec("CREATE TABLE session (id TEXT, directory TEXT, time_updated INTEGER, parent_id TEXT); CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT); CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);");
  for (const [at, { id, directory: cwd = "/home/dev/shop", said }] of sessions.entries()) {
    const time = 1773136800000 + at * 60_000;
    database.prepare("INSERT INTO session VALUES (?, ?, ?, NULL)").run([id, cwd, time]);
    for (const [n, text] of said.entries()) {
      database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run([`${id}-m${n}`, id, time + n, JSON.stringify({ role: "user", time: { created: time + n } })]);
      database.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?)").run([`${id}-p${n}`, `${id}-m${n}`, id, time + n, JSON.stringify({ type: "text", text })]);
    }
  }
  database.close();
  return file;
}
