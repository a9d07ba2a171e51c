/** Quarters of a token: a guess that errs upwards. Plain ASCII has about four characters a token, other scripts one. */
function quarters(code: number): number {
  return code < 128 ? 1 : 4;
}

export function estimateTokens(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += quarters(text.charCodeAt(at));
  return Math.ceil(sum / 4);
}

const ELLIPSIS = "…";

/** At most `limit` tokens of a text, whole lines where that leaves most of it. */
export function cutToTokens(text: string, limit: number): string {
  if (estimateTokens(text) <= limit) return text;
  const room = Math.max(0, limit * 4 - 8); // for the ellipsis and a line break before it
  let sum = 0;
  let end = 0;
  while (end < text.length && sum + quarters(text.charCodeAt(end)) <= room) sum += quarters(text.charCodeAt(end++));
  if (/[\uD800-\uDBFF]/u.test(text.charAt(end - 1))) end--;
  const kept = text.slice(0, end);
  const line = kept.lastIndexOf("\n");
  const cut = line > kept.length * 0.6 ? `${kept.slice(0, line)}\n` : kept.trimEnd();
  return limit < 2 ? "" : cut + ELLIPSIS;
}
