/** A date as far as a prompt says it: `in June`, `on 3 May 2023`, `2023-05-03`. */
export interface SaidDate {
  readonly year: number | undefined;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number | undefined;
}

const MONTHS = "january february march april may june july august september october november december".split(" ");
const NAMES = MONTHS.map((month) => (month.length > 4 ? `${month.slice(0, 3)}(?:${month.slice(3)})?` : month)).join(
  "|",
);
const PLAIN = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/gu;
/** `of the 3rd of May`: a word that only a date has before a month's name. */
const NAMED = String.raw`(?:\b(?<before>\d{1,2})(?:st|nd|rd|th)?(?: of)? |\b(?<word>in|on|of|last|since|until|by|during|before|after) )?\b(?<month>${NAMES})\b\.?(?: (?<after>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,? (?<year>\d{4})\b)?`;

/** The dates a prompt names in digits or with an English month; `may` and `march` alone are other words. */
export function saidDates(prompt: string): readonly SaidDate[] {
  const text = prompt.toLowerCase();
  const plain = [...text.matchAll(PLAIN)].map(([, year, month, day]): SaidDate => ({
    year: Number(year),
    month: Number(month),
    day: day === undefined ? undefined : Number(day),
  }));
  const named = [...text.matchAll(new RegExp(NAMED, "gu"))].flatMap(({ groups }): SaidDate[] => {
    const { before, word, month = "", after, year }: Readonly<Record<string, string | undefined>> = groups ?? {};
    const day = before ?? after;
    if (day === undefined && year === undefined && (word === undefined || (month.length < 4 && month !== "may")))
      return [];
    return [
      {
        year: year === undefined ? undefined : Number(year),
        month: MONTHS.findIndex((name) => name.startsWith(month)) + 1,
        day: day === undefined ? undefined : Number(day),
      },
    ];
  });
  return [...plain, ...named].filter(
    ({ month, day }) => month >= 1 && month <= 12 && (day === undefined || (day >= 1 && day <= 31)),
  );
}

/** Whether a day's log, `2026/11/2026-11-22.md#…`, is of one of these dates. */
export function isOfDate(file: string, dates: readonly SaidDate[]): boolean {
  const [, year, month, day] = /(\d{4})-(\d{2})-(\d{2})\.md#/u.exec(file) ?? [];
  return dates.some(
    (said) =>
      (said.year === undefined || said.year === Number(year)) &&
      said.month === Number(month) &&
      (said.day === undefined || said.day === Number(day)),
  );
}
