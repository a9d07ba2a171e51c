import { keyWords } from "./words.ts";

/** "… because it breaks the build" → "it breaks the build", in the person's own words. */
export function reasonIn(text: string): string | undefined {
  const match = REASON_CLAUSE.exec(text);
  const clause = match?.[1] ?? match?.[2];
  if (match === null || clause === undefined) return undefined;
  if (match.index === 0 && /^that/i.test(text)) return undefined;
  // "so that" and "otherwise" carry the sense and stay with the reason.
  if (/^[\s,;]*(?:so that|otherwise|or else|that['’]s)/i.test(match[0])) return match[0].replace(/^[\s,;]+/u, "");
  // A leading "since X, do Y" has its reason before the comma.
  return match.index === 0 ? clause.split(/,\s/u)[0] : clause;
}

const REASON_CLAUSE = new RegExp(
  [
    String.raw`(?:[,;]?\s|^)(?:because|since(?! (?:v?\d|last|yesterday|then|the (?:last|beginning|start)|we (?:started|last)))|so that|otherwise|or else|as (?=(?:it|this|that|they|we)\b)|that['’]s (?=what|why|just|not))\s*,?\s*(.{8,})$`,
    String.raw`\s[–—-]+\s(?=(?:we|it|this|that|they|last|there)(?:['’]\w+)?\s)(.{12,})$`,
  ].join("|"),
  "i",
);

/** "The big refactoring was right, small steps would have taken weeks": an approval explains itself after the comma. */
export function approvalReasonIn(text: string): string | undefined {
  const given = reasonIn(text);
  if (given !== undefined) return given;
  const clause = /[,;]\s+|\s+[–—-]+\s+/u.exec(text);
  const rest = clause === null ? "" : text.slice(clause.index + clause[0].length);
  return STATEMENT.test(rest) && !NEXT_STEP.test(rest) ? rest : undefined;
}

/** A clause with a subject and a finite verb, as opposed to "that way", "thanks" or an order. */
const STATEMENT =
  /^\S+(?: \S+){0,6}? (?:is|are|was|were|will|would|has|have|had|makes?|keeps?|saves?|reads?|helps?|takes?|took|avoids?)\b.{4,}|^(?:it|that|this)['’]s \S.{6,}/iu;
const NEXT_STEP =
  /^(?:and|but|so|now|then|please|also|let['’]?s|next|can|could|commit|push|merge|go|do|don['’]t|keep|i (?:would|will|have))\b/iu;

/** The rule alone, where a trailing reason stands on its own under **Why:** and enough is left. */
export function withoutReason(text: string, reason = reasonIn(text)): string {
  if (reason === undefined || !text.endsWith(reason)) return text;
  const rule = text.slice(0, text.length - reason.length).replace(/[\s,;–—-]*(?:because|since|as)?[\s,;–—-]*$/i, "");
  return keyWords(rule).length >= 2 ? rule : text;
}
