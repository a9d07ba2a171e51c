import type { Evidence } from "../notes/note.ts";
import type { Transcript } from "../transcripts/turn.ts";
import { listenTo, refusalOf, shownRefusal } from "./gates.ts";
import { maskSecrets } from "../shared/secrets/mask.ts";
import { saidAlready } from "../notes/exclusions/instructions-know.ts";
import type { CaptureDeps } from "./plan-capture.ts";
import type { ExistingNote, Refusal } from "./plan.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { keyWords } from "../notes/wording/words.ts";

/** What a person said in one message, as the log stores it. */
export interface LoggedTurn {
  readonly text: string;
  /** ISO time, if the transcript has one. */
  readonly time: string | undefined;
  readonly evidence: Evidence;
}

export interface LogPlan {
  readonly turns: readonly LoggedTurn[];
  readonly refused: readonly Refusal[];
}

/** A message with fewer subject words is left out: "Yes, go on" says nothing on a later day. */
const FEWEST_WORDS = 2;

/**
 * What the user said in a session, by message. Each sentence passes the gates of capture: secrets, hidden characters,
 * words of tools, pages or the agent, planted orders, recalled text, what an instruction file says already, and pasted
 * text. Unlike a note, an entry need not ask to be remembered.
 */
export async function planLog(
  transcript: Transcript,
  existing: readonly ExistingNote[],
  { secrets, instructions = "", pause }: Omit<CaptureDeps, "dates" | "timeZone">,
): Promise<LogPlan> {
  const voices = listenTo(transcript, existing);
  const turns: LoggedTurn[] = [];
  const refused: Refusal[] = [];
  for (const turn of transcript.turns.filter(({ role }) => role === "user")) {
    const evidence = { session: transcript.session, message: turn.id };
    const kept: Sentence[] = [];
    const sentences = splitSentences(turn.text);
    for (const sentence of sentences) {
      await pause?.();
      const isTold = (): boolean => saidAlready(sentence.text, instructions) !== undefined;
      const reason = (await refusalOf(sentence, turn.id, voices, secrets)) ?? (isTold() ? "derivable" : undefined);
      if (reason === undefined) kept.push(sentence);
      else refused.push({ reason, text: await shownRefusal(sentence.text, secrets), evidence });
    }
    const text = paragraphs(kept);
    if (keyWords(text).length >= FEWEST_WORDS) turns.push({ text, time: turn.time, evidence });
    // A message of only code has no sentences, but the user should know of a secret in it.
    else if (sentences.length === 0 && (await maskSecrets(turn.text, secrets)).found)
      refused.push({ reason: "secret", text: await shownRefusal(turn.text, secrets), evidence });
  }
  return { turns, refused };
}

/** The sentences by paragraph, one paragraph per line. */
function paragraphs(sentences: readonly Sentence[]): string {
  const lines = new Map<number, string[]>();
  for (const { paragraph, text } of sentences) lines.set(paragraph, [...(lines.get(paragraph) ?? []), text]);
  return [...lines.values()].map((line) => line.join(" ")).join("\n");
}
