/** What lives for so many days, whenever it begins: "tokens expire in 7 days" names no day, in any language. */
export const LAPSING =
  "tokens?|jetons?|sessions?|sesi[oó]n(?:es)?|sitzung(?:en)?|session[ei]|sess(?:ão|ões)|sessies?|cookies?|caches?|passwords?|passwor[dt]e?r?|contraseñas?|mots? de passe|senhas?|wachtwoord(?:en)?|links?|invitations?|令牌|会话|會話|缓存|密码|链接|トークン|セッション|キャッシュ|パスワード";

/**
 * How one language speaks of days. All are sources of regular expressions, matched whatever the case; in those of
 * phrases `{d}` stands for a weekday, `{w}` for a short one, `{n}` for a number, `{u}` for a unit that is counted, `{s}` for a span (week,
 * month, quarter, year), `{m}` for a month and `{k}` for a day of it.
 */
export interface DateWords {
  readonly code: string;
  /** Written without spaces between words. */
  readonly isUnspaced?: true;
  /** Nouns begin with a capital: `past` and `future` tell them from verbs by it. */
  readonly hasCapitalNouns?: true;
  /** Frequent words by which a sentence is known to be of this language. */
  readonly known: string;
  /** Whether `the last week` begins on Sunday for many: then a week that is named on a Sunday is in doubt. */
  readonly weekBeginsOnSunday?: true;
  /** Monday first. */
  readonly weekdays: readonly string[];
  /** As `{w}` in phrases. */
  readonly shortWeekdays?: readonly string[];
  readonly months: readonly string[];
  readonly numbers: Readonly<Record<string, number>>;
  readonly units: Readonly<Record<Unit, string>>;
  /** As the unit is named in "last …"; default `units`. */
  readonly spans?: Readonly<Partial<Record<Unit, string>>>;
  /** Phrases by what they mean. */
  readonly days: readonly (readonly [offset: number, phrase: string])[];
  /** The most recent one. */
  readonly last: readonly string[];
  /** Of the coming week, or the coming one: in doubt where these differ. */
  readonly next: readonly string[];
  /** The first one to come. */
  readonly coming: readonly string[];
  readonly this: readonly string[];
  /** A weekday of the week before, of this week, of the week after. */
  readonly inWeek: readonly (readonly [offset: number, phrase: string])[];
  readonly ago: readonly string[];
  readonly ahead: readonly string[];
  /** A point in time or a duration: a point where something is announced with one of `events`. */
  readonly perhapsAhead: readonly string[];
  readonly events: string;
  readonly inSpan: readonly (readonly [offset: number, phrase: string])[];
  readonly endOf: readonly (readonly [offset: number, phrase: string])[];
  readonly dates: readonly string[];
  /** A weekday alone, with what may stand around it. */
  readonly bare: string;
  /** What stands right before a day that is a deadline, and right after it. */
  readonly until: string;
  readonly untilAfter?: string;
  readonly since: string;
  readonly sinceAfter?: string;
  /** Prepositions that name a day only where the sentence speaks of what is to come. */
  readonly aim: string;
  /** Right before a phrase: it names no day then ("a Friday", "older than two weeks ago"). */
  readonly notAfter: string;
  /** What joins two weekdays: neither names a day then. */
  readonly joins: string;
  /** Right after a phrase: as above ("Monday to Friday", "last Friday of each month"). */
  readonly notBefore: string;
  /** Right after a weekday that has no preposition; else it may belong to the word that follows. */
  readonly free?: string;
  readonly past: string;
  readonly future: string;
  /** The present of what is to come: "we are freezing". */
  readonly progressive?: string;
  /** Anywhere in a sentence: it states what holds always, and its words stay. */
  readonly standing: string;
  /** Where a sentence falls into parts with a tense of their own. */
  readonly cut: string;
  /** What is written for the week that begins on `{day}`. */
  readonly week: string;
}

export type Unit = "day" | "week" | "month" | "quarter" | "year";
