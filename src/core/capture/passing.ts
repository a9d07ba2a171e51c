import { keyWords } from "../notes/wording/words.ts";

/** "… because it breaks the build" → "it breaks the build", in the person's own words. */
export function reasonIn(text: string): string | undefined {
  const match = REASON_CLAUSE.exec(text);
  const clause = match?.[1] ?? match?.[2];
  if (match === null || clause === undefined) return undefined;
  if (match.index === 0 && /^that/i.test(text)) return undefined;
  // "so that" and "otherwise" carry meaning and stay with the reason.
  if (/^[\s,;]*(?:so that|otherwise|or else|that['’]s)/i.test(match[0])) return match[0].replace(/^[\s,;]+/u, "");
  // "since X, do Y": the reason is the part before the comma.
  return match.index === 0 ? clause.split(/,\s/u)[0] : clause;
}

const REASON_CLAUSE = new RegExp(
  [
    String.raw`(?:[,;]?\s|^)(?:because|since(?! (?:v?\d|last|yesterday|then|the (?:last|beginning|start)|we (?:started|last)))|so that|otherwise|or else|as (?=(?:it|this|that|they|we)\b)|that['’]s (?=what|why|just|not))\s*,?\s*(.{8,})$`,
    String.raw`\s[–—-]+\s(?=(?:we|it|this|that|they|last|there)(?:['’]\w+)?\s)(.{12,})$`,
  ].join("|"),
  "i",
);

/** The rule without its trailing reason, which goes under **Why:**; unchanged when too little would remain. */
export function withoutReason(text: string): string {
  const reason = reasonIn(text);
  if (reason === undefined || !text.endsWith(reason)) return text;
  const rule = text.slice(0, text.length - reason.length).replace(/[\s,;–—-]*(?:because|since|as)?[\s,;–—-]*$/i, "");
  return keyWords(rule).length >= 2 ? rule : text;
}
