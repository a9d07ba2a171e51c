import { isRecord } from "../../shared/json.ts";
import { dayIn } from "../../shared/clock.ts";

/**
 * When all of a note's words were said (ms), from its frontmatter; `undefined` if they may be from several days or an
 * unknown one. The time of a file change is not the time its words were said.
 */
export function saidAt(data: Readonly<Record<string, unknown>>, timeZone: string | undefined): number | undefined {
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  const created = timeOf(metadata["created"] ?? data["created"]);
  const modified = timeOf(metadata["modified"] ?? data["modified"]);
  const said = timeOf(metadata["said"]) ?? created;
  const isOfOneDay =
    modified === undefined || (created !== undefined && dayIn(timeZone, modified) === dayIn(timeZone, created));
  return isOfOneDay ? said : undefined;
}

function timeOf(value: unknown): number | undefined {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}

/**
 * Adds the date to "by Friday": `by Friday (2026-11-20)`, so that the text is still true next month. The words stay,
 * for the reader.
 */
export function withDates(text: string, said: WhenSaid, dates: DateResolver): string {
  return Number.isFinite(said.ms) ? written(text, dates.resolve(text, said)) : text;
}

/** The words of a text that `withDates` gives a date, each with it. */
export function datedIn(text: string, said: WhenSaid, dates: DateResolver): readonly string[] {
  if (!Number.isFinite(said.ms)) return [];
  return dates.resolve(text, said).map(({ start, end, shown }) => `${text.slice(start, end)} (${shown})`);
}

/** Like `withDates`, for an edited text: leaves earlier words alone, because they were said at another time. */
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

/** What words such as "last Tuesday" mean on the day they were said. */
export interface ResolvedDate {
  /** UTF-16 offsets of the words. */
  readonly start: number;
  readonly end: number;
  /** The day, or the last one of a span (`YYYY-MM-DD`). */
  readonly day: string;
  /** As it is written after the words: `2026-11-17`, `2026-10`, `week of 2026-11-09`. */
  readonly shown: string;
}

/** The moment (ms) and the zone in which a text was said; `undefined` is the machine's own zone. */
export interface WhenSaid {
  readonly ms: number;
  readonly timeZone: string | undefined;
}

/** Turns "next Thursday" or "in two weeks" into a date; omits doubtful cases. */
export interface DateResolver {
  resolve(text: string, said: WhenSaid): readonly ResolvedDate[];
  /** Whether the text names a future weekday without saying which one: "the demo is on Friday". */
  leavesOpen(text: string): boolean;
}
