import fs from "node:fs";
import path from "node:path";
import { isRecord, parseJson } from "../../core/shared/json.ts";

/** What a client reports about the session that a fork was copied from. */
export interface ForkOrigin {
  readonly session?: string;
  readonly lastAnswer?: {
    readonly idleSeconds: number;
    /** Tokens in its context, the answer included. */ readonly tokens: number;
  };
}

export interface ForkedSession {
  readonly session: string;
  readonly transcript: string | undefined;
  readonly origin?: ForkOrigin;
}

/**
 * The session that a fork was copied from. `undefined` when that is not certain: its notes are then given again.
 * OpenCode's plugin names it; Codex writes it at the head of the fork's transcript. Claude Code does not name it, so
 * memdir looks for the one transcript in the same folder whose last answer has the same time and size.
 */
export function forkedFrom(
  client: string,
  { session, transcript, origin }: ForkedSession,
  now: number,
): string | undefined {
  if (origin?.session !== undefined) return origin.session;
  if (transcript === undefined) return undefined;
  if (client === "codex") return /"forked_from_id":"([^"]+)"/u.exec(endOf(transcript, "head"))?.[1];
  if (origin?.lastAnswer === undefined) return undefined;
  const { idleSeconds, tokens } = origin.lastAnswer;
  const answered = now - idleSeconds * 1000;
  const twins = transcriptsSince(path.dirname(transcript), answered - NEARLY_MS)
    .filter((file) => path.basename(file, ".jsonl") !== session)
    .filter((file) => {
      const answer = lastAnswerIn(endOf(file, "tail"));
      return answer?.tokens === tokens && Math.abs(answer.time - answered) <= NEARLY_MS;
    });
  const [parent, ...others] = twins;
  return parent === undefined || others.length > 0 ? undefined : path.basename(parent, ".jsonl");
}

/** The client reports whole seconds, and time passes between its clock reading and ours. */
const NEARLY_MS = 5000;
/** The most recent transcripts changed since then. */
const MOST_TRANSCRIPTS = 20;
const END_BYTES = 256 * 1024;

function transcriptsSince(directory: string, since: number): readonly string[] {
  return unreadable(() => fs.readdirSync(directory), [])
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => path.join(directory, name))
    .map((file) => ({ file, time: unreadable(() => fs.statSync(file).mtimeMs, 0) }))
    .filter(({ time }) => time >= since)
    .toSorted((a, b) => b.time - a.time)
    .slice(0, MOST_TRANSCRIPTS)
    .map(({ file }) => file);
}

function lastAnswerIn(tail: string): { readonly time: number; readonly tokens: number } | undefined {
  for (const line of tail.split("\n").toReversed()) {
    if (!line.includes('"type":"assistant"')) continue;
    const value = parseJson(line);
    if (!isRecord(value) || value["type"] !== "assistant") continue;
    const { timestamp, message } = value;
    const usage = isRecord(message) ? message["usage"] : undefined;
    if (typeof timestamp !== "string" || !isRecord(usage)) continue;
    const counts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
    const tokens = counts.reduce((sum, name) => sum + (typeof usage[name] === "number" ? usage[name] : 0), 0);
    return { time: Date.parse(timestamp), tokens };
  }
  return undefined;
}

/** memdir's text at a session's start, as it appears in a transcript of Gemini CLI. */
const START_MARK = /memdir-context source=\\"(?:session-start|after-compaction|unfinished-task|last-session)/u;
/** Marks where Gemini CLI writes everything its model sees from then on. */
const HISTORY = '{"$set":{"messages":[';
/** Longer transcripts are not read while a prompt waits. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Whether the model of a Gemini CLI session still sees memdir's start text: the transcript holds what the model sees,
 * also after compacting or resuming. `undefined` when that is unknown.
 */
export function showsStart(transcript: string | undefined): boolean | undefined {
  if (transcript === undefined) return undefined;
  const text = unreadable(
    () => (fs.statSync(transcript).size > MOST_BYTES ? undefined : fs.readFileSync(transcript, "utf8")),
    undefined,
  );
  if (text === undefined) return undefined;
  return START_MARK.test(text.slice(Math.max(0, text.lastIndexOf(HISTORY))));
}

function endOf(file: string, end: "head" | "tail"): string {
  return unreadable(() => {
    const fd = fs.openSync(file, "r");
    try {
      const { size } = fs.fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, END_BYTES));
      const read = fs.readSync(fd, bytes, 0, bytes.byteLength, end === "head" ? 0 : size - bytes.byteLength);
      return bytes.toString("utf8", 0, read);
    } finally {
      fs.closeSync(fd);
    }
  }, "");
}

/** An unreadable transcript counts as empty: the client's turn goes on. */
function unreadable<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
