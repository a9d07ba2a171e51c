import words from "./said-dates.json" with { type: "json" };

/** A date, as precise as the prompt has it: `in June`, `on 3 May 2023`, `2023-05-03`. */
interface SaidDate {
  readonly year: number | undefined;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number | undefined;
}

/** English months, each in full and then short. */
const MONTHS = words.months.map((names) => names.split(" "));

const IN_DIGITS = /\b(\d{4})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?\b/gu;

const DAY = String.raw`(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?`;

/** A month's name, with a day or a word that only dates have before it, and a day or a year after it. */
const NAMED = new RegExp(
  String.raw`(?:\b${DAY}(?: of)? |\b(${words.before}) )?\b(${MONTHS.flat().join("|")})\b\.?(?: ${DAY}\b)?(?:,? (\d{4})\b)?`,
  "gu",
);

/** Dates in a prompt, in digits or with an English month; `may`, `march` and short names alone are not dates. */
export function saidDates(prompt: string): readonly SaidDate[] {
  const text = prompt.toLowerCase();
  const number = (digits: string | undefined): number | undefined =>
    digits === undefined ? undefined : Number(digits);
  const inDigits = [...text.matchAll(IN_DIGITS)].map(([, year, month, day]) => ({
    year: number(year),
    month: Number(month),
    day: number(day),
  }));
  const named = [...text.matchAll(NAMED)].flatMap(([, before, word, name = "", after, year]) => {
    const month = MONTHS.findIndex((names) => names.includes(name));
    const isSure = (before ?? after ?? year) !== undefined || (word !== undefined && MONTHS[month]?.[0] === name);
    return isSure ? [{ year: number(year), month: month + 1, day: number(before ?? after) }] : [];
  });
  return [...inDigits, ...named];
}

/** Whether a log entry's file, `2026/11/2026-11-22.md#…`, is of one of these dates. */
export function isOfDate(file: string, dates: readonly SaidDate[]): boolean {
  const [, year, month, day] = /(\d{4})-(\d{2})-(\d{2})\.md#/u.exec(file) ?? [];
  return dates.some(
    (said) =>
      (said.year ?? Number(year)) === Number(year) &&
      said.month === Number(month) &&
      (said.day ?? Number(day)) === Number(day),
  );
}
