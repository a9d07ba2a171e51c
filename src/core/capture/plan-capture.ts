import type { Evidence } from "../notes/note.ts";
import type { Transcript } from "../transcripts/turn.ts";
import { type Candidate, findCandidates } from "./candidates.ts";
import { type DraftDeps, draftNote } from "./draft.ts";
import { excludedBy, refusalFor } from "../notes/exclusions/exclusion.ts";
import { place, type Placed } from "./placement.ts";
import {
  hasHidden,
  isRecalledText,
  isTooLong,
  isToolText,
  listenTo,
  refusalOf,
  shownRefusal,
  type OtherVoices,
} from "./gates.ts";
import { hasPhrase } from "./phrases.ts";
import { maskSecrets, SECRET_MARK, type SecretScanner } from "../shared/secrets/mask.ts";
import type { CapturePlan, ExistingNote, Refusal, RefusalReason, RuleOperation } from "./plan.ts";
import { splitSentences } from "./sentences.ts";

export interface CaptureDeps extends DraftDeps {
  readonly secrets: SecretScanner;
  /** Contents of the instruction files; what they say is not saved again. */
  readonly instructions?: string;
  /** Awaited before each sentence that is compared with all notes, so that other work in the process can run. */
  readonly pause?: () => Promise<void>;
}

/**
 * What the user's own words in a session ask to remember, without a model. Every candidate that a gate stopped is in
 * `refused` with the reason; ordinary orders and questions are in neither list.
 */
export async function planCapture(
  transcript: Transcript,
  existing: readonly ExistingNote[],
  deps: CaptureDeps,
): Promise<CapturePlan<RuleOperation>> {
  const voices = listenTo(transcript, existing);
  const refused: Refusal[] = [];
  const refuse = async (reason: RefusalReason, text: string, evidence: Evidence): Promise<void> => {
    refused.push({ reason, text: await shownRefusal(text, deps.secrets), evidence });
  };
  // Sentences with characters that the user cannot have seen are reported even when they ask for nothing.
  for (const turn of transcript.turns.filter(({ role, text }) => role === "user" && hasHidden(text)))
    for (const { text } of splitSentences(turn.text).filter((sentence) => hasHidden(sentence.text)))
      await refuse("hidden-characters", text, { session: transcript.session, message: turn.id });
  let placed: Placed = { operations: [], proposed: [] };
  for (const candidate of findCandidates(transcript)) {
    if (hasHidden(candidate.text)) continue;
    await deps.pause?.();
    const reason = await firstRefusal(candidate, voices, deps);
    if (reason !== undefined) {
      await refuse(reason, candidate.text, candidate.evidence);
      continue;
    }
    const draft = draftNote(dropForeign(candidate, voices), deps);
    const outcome = place(draft, existing, placed);
    if (outcome === undefined) await refuse("duplicate", candidate.text, candidate.evidence);
    else placed = outcome;
  }
  return { ...placed, refused: [...refused, ...(await pastedSecrets(transcript, refused, deps.secrets))] };
}

/** Most secrets reported; a session with more contains a pasted file. */
const PASTED_SECRETS = 5;

/** Sentences with a secret that ask for nothing: they would not be stored, but the user should know. */
async function pastedSecrets(
  transcript: Transcript,
  known: readonly Refusal[],
  secrets: SecretScanner,
): Promise<readonly Refusal[]> {
  const typed = transcript.turns.filter((turn) => turn.role === "user" && turn.text !== "");
  // Nearly every session ends here, after one scan.
  if (!(await maskSecrets(typed.map((turn) => turn.text).join("\n\n"), secrets)).found) return [];
  const seen = known.filter((refusal) => refusal.reason === "secret").map((refusal) => refusal.text);
  const found: Refusal[] = [];
  for (const turn of typed) {
    const { found: hasSecret, masked } = await maskSecrets(turn.text, secrets);
    if (!hasSecret) continue;
    // Code and pasted lines are not sentences, but a secret in them was sent all the same.
    const pieces = [...splitSentences(masked).map((sentence) => sentence.text), ...masked.split("\n")];
    for (const piece of pieces.filter((text) => text.includes(SECRET_MARK))) {
      const text = await shownRefusal(piece, secrets);
      // A line may repeat a sentence, or a part of it.
      if (seen.some((other) => other.includes(text) || text.includes(other))) continue;
      seen.push(text);
      found.push({ reason: "secret", text, evidence: { session: transcript.session, message: turn.id } });
      if (found.length === PASTED_SECRETS) return found;
    }
  }
  return found;
}

async function firstRefusal(
  candidate: Candidate,
  voices: OtherVoices,
  { secrets, instructions }: CaptureDeps,
): Promise<RefusalReason | undefined> {
  const { text, origin, kind } = candidate;
  const whole = [text, ...candidate.following].join(" ");
  const reason = await refusalOf(candidate, candidate.evidence.message, voices, secrets, whole);
  if (reason !== undefined) return reason;
  if (origin === "doubtful") return "not-the-users-words";
  if (hasPhrase("otherProject", text)) return "other-project";
  if (kind === "passing") return "ephemeral";
  // A reason or a detail can justify keeping what notes are not meant for.
  const excluded = excludedBy(text, instructions) && excludedBy(whole, instructions);
  return excluded && refusalFor(excluded.reason);
}

/** Reasons and details pass the same gates as the rule; one that fails is dropped, not the whole note. */
function dropForeign(candidate: Candidate, voices: OtherVoices): Candidate {
  const own = (text: string): boolean =>
    !hasHidden(text) && !isToolText(text, voices) && !isRecalledText(text, voices) && !isTooLong(text);
  return { ...candidate, following: candidate.following.filter(own) };
}
