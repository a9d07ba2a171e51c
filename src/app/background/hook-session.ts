import fs from "node:fs";
import path from "node:path";
import { isRecord, parseJson } from "../../core/shared/json.ts";

/** What a client tells of the session that a fork was copied from. */
export interface ForkOrigin {
  readonly session?: string;
  readonly lastAnswer?: {
    readonly idleSeconds: number;
    /** In its context, the answer included. */ readonly tokens: number;
  };
}

export interface ForkedSession {
  readonly session: string;
  readonly transcript: string | undefined;
  readonly origin?: ForkOrigin;
}

/**
 * The session that a fork was copied from; `undefined` where that is not certain: then its notes are given again.
 * OpenCode's plugin names it, Codex writes it at the head of the fork's transcript. Claude Code names none, so the
 * transcript beside the fork's is looked for whose last answer came at the same second with the same size.
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

/** Seconds are whole, and a moment passes between the client's look at its clock and ours. */
const NEARLY_MS = 5000;
/** Of transcripts changed since then, the latest. */
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

/** What memdir says at a session's start, as it stands in a transcript of Gemini CLI. */
const START_MARK = /memdir-context source=\\"(?:session-start|after-compaction|unfinished-task|last-session)/u;
/** Where Gemini CLI writes all that its model is shown from then on. */
const HISTORY = '{"$set":{"messages":[';
/** A longer transcript is not read while a prompt waits. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Whether memdir's start is in what the model of a Gemini CLI session is shown: it keeps that in its transcript,
 * compacted or resumed. `undefined` where that cannot be told.
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

/** A transcript that cannot be read, or not yet, tells nothing: the client's turn goes on. */
function unreadable<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
