/** Times, counts and other words of the page. */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** `5 min`, `3 h`, `12 days`, `4 months`, `2 years`: how long ago, short. */
export function age(time: string, now = Date.now()): string {
  const ms = now - Date.parse(time);
  if (Number.isNaN(ms)) return "";
  if (ms < MINUTE) return "now";
  if (ms < 60 * MINUTE) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / (60 * MINUTE))} h`;
  const days = Math.floor(ms / DAY);
  if (days < 60) return plural(days, "day");
  if (days < 730) return plural(Math.floor(days / 30.4), "month");
  return plural(Math.floor(days / 365.25), "year");
}

const two = (value: number): string => String(value).padStart(2, "0");

/** `2026-11-22`, as the reader's clock has it. */
export function day(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? time
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function hour(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `2026-11-22 14:05` */
export function minute(time: string): string {
  return `${day(time)} ${hour(time)}`;
}

/** `Sunday, 22 November 2026` */
export function longDay(time: string): string {
  const date = new Date(time);
  const format = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  return Number.isNaN(date.getTime()) ? time : date.toLocaleDateString("en-GB", format);
}

/** Never rounded up over a floor that was missed; small shares with a digit more, as the sentences of the server have them. */
export function percent(share: number): string {
  const tenths = Math.floor(share * 1000 + 1e-6);
  return tenths > 0 && tenths < 100 ? `${tenths / 10}%` : `${Math.floor(tenths / 10)}%`;
}

const FATES: Readonly<Record<string, string>> = {
  shown: "whole",
  pointed: "one line",
  surfaced: "already there",
  "no-room": "no room",
  unlikely: "unlikely",
  "too-many": "too many",
};
/** What became of a note in a recall, in two words. */
export function fateWord(fate: string): string {
  return FATES[fate] ?? fate;
}

const ACTORS: Readonly<Record<string, string>> = {
  user: "you",
  rules: "capture",
  model: "a model",
  dream: "a dream",
  external: "another program",
  undo: "undo",
};
export function actorWord(actor: string): string {
  return ACTORS[actor] ?? actor;
}
