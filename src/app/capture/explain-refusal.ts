import type { DoubtReason, RefusalReason } from "../../core/capture/plan.ts";

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  secret: "it holds something that looks like a key or a password; those are never stored",
  "hidden-characters": "it holds characters that cannot be seen; nobody can check what they say",
  "not-the-users-words": "it was quoted, pasted, or said by the agent or a tool; only what you say yourself is noted",
  "recalled-text": "a note says it in the same words",
  duplicate: "a note says it already",
  derivable: "the repository or an instruction file says it already; what surprised you about it can be noted",
  ephemeral: "it holds for the moment only",
  "other-project": "it is about another project; say it there",
  "too-long": "it is too long for one wish; say it in a sentence or two",
  "no-evidence": "the model named no words of yours for it, or words that you did not say",
  unsupported: "the model added an address, a number or a name that nobody mentioned",
  "unknown-note": "the model meant a note that does not exist",
  "protected-note": "the note is pinned, so it is changed by you alone",
  "changed-meanwhile": "the note changed while the model was working",
  "mode-forbids": "the mode of its scope lets nothing be captured (`memdir mode`)",
  "never-like-this": "you said never to note such things (`memdir review --rules` lists that)",
  "rejected-before": "you rejected it before",
  "too-many": "the model wanted more notes than one conversation can hold",
};

const DOUBTS: Readonly<Record<DoubtReason, string>> = {
  "contradiction-in-doubt": "it seems to say the opposite of what you said, but may be about something else",
  "other-scope": "other projects or other people rely on it",
  "protected-note": "it is pinned",
  "may-be-known": "a note may say it already, among other things",
};

/** Why something was not noted, as one half of a sentence. */
export function explainRefusal(reason: RefusalReason): string {
  return REFUSALS[reason];
}

/** Why something waits for a person. */
export function explainDoubt(reason: DoubtReason): string {
  return DOUBTS[reason];
}
