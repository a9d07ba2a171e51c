/** Quarters of a token, a high estimate. Plain ASCII has about four characters a token, other scripts one. */
function quarters(code: number): number {
  return code < 128 ? 1 : 4;
}

export function estimateTokens(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += quarters(text.charCodeAt(at));
  return Math.ceil(sum / 4);
}

const ELLIPSIS = "…";

/** At most `limit` tokens of a text, cut at a line end where that keeps most of it. */
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

/** Cuts to at most `limit` UTF-16 units without splitting a code point or a grapheme that fits. */
export function truncate(text: string, limit: number, ellipsis = "…"): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - ellipsis.length);
  // In plain ASCII every character stands alone, except CRLF.
  if (PLAIN.test(text.slice(0, room + 1))) return text.slice(0, room).trimEnd() + ellipsis;
  let end = 0;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { index, segment } of graphemes.segment(text.slice(0, room + 64))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd() + ellipsis;
}

/** Printable ASCII, tabs and line feeds. */
const PLAIN = /^[\t\n -~]*$/u;

/** Created on first use: it costs a cold process some 3 ms, and each use far more than the ASCII check. */
let graphemes: Intl.Segmenter | undefined;

/**
 * Cuts to at most `limit` UTF-16 units at the end of a word. A single longer word, such as an address, is cut after one
 * of its parts, and inside a part only if that is too long as well.
 */
export function cutAtWord(text: string, limit: number, ellipsis = "…"): string {
  if (text.length <= limit) return text;
  const cut = truncate(text, limit - ellipsis.length, "");
  const isEnd = !/^[\p{L}\p{M}\p{N}]/u.test(text.slice(cut.length));
  const space = /^\s/u.test(text.slice(cut.length)) ? cut.length : lastSpace(cut);
  const part = (): number => (isEnd ? cut.length : cut.search(/[^\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}]*$/u));
  const far = space > cut.length / 2 ? space : Math.max(space, part());
  const end = far > 0 ? far : cut.length;
  return cut.slice(0, end).replace(/[\s,;:(–—-]+$/u, "") + ellipsis;
}

/** From the end, since a search from the beginning would try every word. */
function lastSpace(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !/\s/u.test(text.charAt(at))) at--;
  return at;
}

/** The beginning and end of a long text, `each` UTF-16 units; its middle is mostly pasted. */
export function endsOf(text: string, each: number, between = "\n"): string {
  return text.length <= 2 * each ? text : `${text.slice(0, each)}${between}${text.slice(-each)}`;
}

/** The lines of the first items that fit into `room` characters, each with its line break. */
export function fittingLines<T>(items: readonly T[], room: number, lineOf: (item: T) => string): readonly string[] {
  const lines: string[] = [];
  let left = room;
  for (const item of items) {
    const line = lineOf(item);
    if (line.length + 1 > left) break;
    lines.push(line);
    left -= line.length + 1;
  }
  return lines;
}

/** One line: every run of white space becomes a single space. */
export function oneLine(text: string): string {
  return /[^\S ]| {2}/u.test(text) ? text.replace(/\s+/gu, " ").trim() : text.trim();
}

/** A forget's public name, here and on a server: the start of the note's identity, which reveals nothing about it. */
export function receiptId(lineage: string): string {
  return lineage.slice(0, 8);
}

/** `1 note`, `2 notes`; pass `plural` if it is irregular. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
