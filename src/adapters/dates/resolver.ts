import * as chrono from "chrono-node/en";
import type { DateResolver } from "../../core/capture/plan.ts";

/**
 * English relative expressions to calendar days, over chrono-node. chrono reads more into a text than
 * a note may assert ("now", "5 days", "as of March", "at 3pm"), so that only whole expressions of the
 * shapes below are passed on. Weeks, months and longer spans resolve to one day inside them.
 */
export function createDateResolver(): DateResolver {
  return {
    resolve(text, reference) {
      if (!MAY_NAME_A_DAY.test(text)) return [];
      const instant = new Date(reference.ms);
      const timezone = offsetMinutes(reference.timeZone, instant);
      const parse = (part: string): readonly Parsed[] => chrono.parse(part, { instant, timezone }, { forwardDate: true });
      return parse(text).flatMap((result) => expressionsIn(text, result, parse));
    },
  };
}

type Parsed = Pick<ReturnType<typeof chrono.parse>[number], "index" | "text" | "start" | "end">;
type Expression = ReturnType<DateResolver["resolve"]>[number];

/** What of one chrono result a note may assert; a range ("from Monday until April 15") gives both ends. */
function expressionsIn(text: string, result: Parsed, parse: (part: string) => readonly Parsed[]): readonly Expression[] {
  // chrono may take the preposition in: "on Friday".
  const start = result.index + (/^(?:on|at|by|from|since|until)\s+/i.exec(result.text)?.[0].length ?? 0);
  const limit = result.index + result.text.length;
  const before = text.slice(0, start);
  const words = text.slice(start, limit);
  const shape = SHAPES.find((candidate) => candidate.pattern.test(words));
  const length = shape?.pattern.exec(words)?.[0].length;
  if (shape === undefined || length === undefined) return [];
  const end = start + length;
  const day = dayOf(result.start.get("year"), result.start.get("month"), result.start.get("day"));
  const asserted = day !== undefined && (shape.after?.test(before) ?? true) && !RECURRING.test(before) && !/^(?:s\b|['’]s\b)/u.test(text.slice(end));
  const rest = result.end === null || result.end === undefined ? [] : parse(text.slice(end, limit))
    .flatMap((tail) => expressionsIn(text, { index: tail.index + end, text: tail.text, start: tail.start }, parse));
  return asserted ? [{ start, end, day }, ...rest] : rest;
}

interface Shape {
  /** What the matched text must start with; the time of day after it is not part of the date. */
  readonly pattern: RegExp;
  /** What must stand before it, for words that also mean other things. */
  readonly after?: RegExp;
}

const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const SHORT_WEEKDAY = "(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)";
const MONTH = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const COUNT = "(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\\d{1,3}|(?:a )?couple(?: of)?|(?:a )?few)";
const DEADLINE_WORD = /(?:\b(?:by|before|until|till|on|due|from|since|starting|after|this|next|last|eod|cob|end of)|[-–:,(])\s*$/i;

const SHAPES: readonly Shape[] = [
  { pattern: new RegExp(`^(?:(?:this|next|last|past|coming|following|this coming) )?${WEEKDAY}\\b`, "i") },
  { pattern: new RegExp(`^(?:this|next|last) ${SHORT_WEEKDAY}\\b`, "i") },
  { pattern: new RegExp(`^${SHORT_WEEKDAY}\\b`, "i"), after: /\b(?:by|before|until|till|on|due|eod|cob)\s*$/i },
  { pattern: /^(?:the )?day (?:after tomorrow|before yesterday)\b/i },
  { pattern: /^(?:tomorrow|yesterday)\b/i },
  { pattern: /^(?:today|tonight)\b/i, after: /\b(?:by|before|until|till|due|end of|eod|cob)\s*$/i },
  { pattern: new RegExp(`^(?:in|within)(?: the next)? ${COUNT} (?:(?:work(?:ing)?|business) )?(?:day|week|month|year)s?\\b`, "i") },
  { pattern: new RegExp(`^${COUNT} (?:day|week|month|year)s? (?:ago|from (?:now|today)|later)\\b`, "i") },
  { pattern: /^(?:next|last|this coming) (?:week|month|year|weekend)\b/i },
  { pattern: /^(?:the )?end of (?:(?:the|this|next|last) )?(?:week|month|quarter|year)\b/i },
  { pattern: new RegExp(`^${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?\\b(?!,? \\d{4})`, "i"), after: DEADLINE_WORD },
  { pattern: new RegExp(`^(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\\b(?!,? \\d{4})`, "i"), after: DEADLINE_WORD },
];

// chrono takes a third of a second to warm up; most sentences name no day at all.
const MAY_NAME_A_DAY = new RegExp(`day\\b|\\b(?:${SHORT_WEEKDAY}|${MONTH}|tomorrow|tonight|weeks?|months?|quarter|years?|weekend|days)\\b`, "i");

/** "every Friday", "on Fridays": a habit, not a day. */
const RECURRING = /\b(?:every|each|any)(?: other| single)?\s*$/i;

function dayOf(year: number | null, month: number | null, day: number | null): string | undefined {
  if (year === null || month === null || day === null) return undefined;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Minutes east of UTC of an IANA zone at an instant; unknown zones count as UTC. */
function offsetMinutes(timeZone: string, instant: Date): number {
  try {
    const parts = new Intl.DateTimeFormat("en-US", {
      timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
    }).formatToParts(instant);
    const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? "0");
    const local = Date.UTC(value("year"), value("month") - 1, value("day"), value("hour"), value("minute"), value("second"));
    return Math.round((local - Math.floor(instant.getTime() / 1000) * 1000) / 60_000);
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}
