import type { DateResolver, ResolvedDate, WhenSaid } from "./date-resolver.ts";

/**
 * "by Friday" gets its date beside it, `by Friday (2026-11-20)`, so that the text is still true next month; the words
 * stay, for whoever reads it.
 */
export function withDates(text: string, said: WhenSaid, dates: DateResolver): string {
  return Number.isFinite(said.ms) ? written(text, dates.resolve(text, said)) : text;
}

/** The same for a text that somebody changed: words that stood there before were said at another time. */
export function withNewDates(before: string, after: string, said: WhenSaid, dates: DateResolver): string {
  const known = before.toLowerCase();
  const found = dates.resolve(after, said);
  return written(
    after,
    found.filter(({ start, end }) => !known.includes(after.slice(start, end).toLowerCase())),
  );
}

function written(text: string, found: readonly ResolvedDate[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, shown } of found) {
    const words = text.slice(start, end);
    result += text.slice(from, end) + (UNSPACED.test(words) ? `（${shown}）` : ` (${shown})`);
    from = end;
  }
  return result + text.slice(from);
}

const UNSPACED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
