import type { Unit } from "./words/date-words.ts";

/** Days since 1970-01-01; Monday is weekday 0. */
export type Day = number;

const DAY_MS = 86_400_000;

export function dayNumber(iso: string): Day {
  return Math.round(Date.parse(`${iso}T00:00:00Z`) / DAY_MS);
}

export function isoDay(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

export function mondayOf(day: Day): Day {
  return day - weekdayOf(day);
}

/** First and last day of a week, month, quarter or year, so many after the one that holds `day`. */
export function spanOf(unit: Unit, day: Day, offset: number): { readonly first: Day; readonly last: Day } {
  if (unit === "day") return { first: day + offset, last: day + offset };
  if (unit === "week") return { first: mondayOf(day) + 7 * offset, last: mondayOf(day) + 7 * offset + 6 };
  const date = new Date(day * DAY_MS);
  const months = unit === "month" ? 1 : unit === "quarter" ? 3 : 12;
  const month = Math.floor(date.getUTCMonth() / months) * months;
  const begin = (steps: number): Day => Math.round(Date.UTC(date.getUTCFullYear(), month + steps * months, 1) / DAY_MS);
  return { first: begin(offset), last: begin(offset + 1) - 1 };
}

/** `2026-11`, `2026-Q4`, `2026`; a day and a week are named by their first day. */
export function spanName(unit: Unit, first: Day): string {
  const iso = isoDay(first);
  if (unit === "year") return iso.slice(0, 4);
  if (unit === "month") return iso.slice(0, 7);
  return unit === "quarter" ? `${iso.slice(0, 4)}-Q${Math.ceil(Number(iso.slice(5, 7)) / 3)}` : iso;
}

/** The day of a month nearest to `from` on one side of it; `undefined` where no month of that name has it. */
export function monthDay(month: number, dayOfMonth: number, from: Day, direction: "back" | "forward"): Day | undefined {
  const year = new Date(from * DAY_MS).getUTCFullYear();
  const days = [year - 1, year, year + 1].flatMap((one) => {
    const date = new Date(Date.UTC(one, month, dayOfMonth));
    return date.getUTCMonth() === month && dayOfMonth > 0 ? [Math.round(date.getTime() / DAY_MS)] : [];
  });
  return direction === "back" ? days.findLast((day) => day <= from) : days.find((day) => day >= from);
}
