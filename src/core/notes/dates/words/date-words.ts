/** Things that live for a number of days from any start: "tokens expire in 7 days" names no day, in any language. */
export const LAPSING =
  "refunds?|payouts?|(?:r(?:ück)?)?erstattung(?:en)?|remboursements?|reembolsos?|rimbors[oi]|terugbetaling(?:en)?|tokens?|jetons?|sessions?|sesi[oó]n(?:es)?|sitzung(?:en)?|session[ei]|sess(?:ão|ões)|sessies?|cookies?|caches?|passwords?|passwor[dt]e?r?|contraseñas?|mots? de passe|senhas?|wachtwoord(?:en)?|links?|invitations?|令牌|会话|會話|退款|到账|到賬|发货|發貨|缓存|密码|链接|トークン|セッション|キャッシュ|返金|入金|発送|パスワード";

/**
 * How one language expresses days. All are sources of regular expressions, matched in any case. In phrases, `{d}`
 * stands for a weekday, `{w}` for a short one, `{n}` for a number, `{u}` for a counted unit, `{s}` for a span (week,
 * month, quarter, year), `{m}` for a month and `{k}` for a day of it.
 */
export interface DateWords {
  readonly code: string;
  /** Written without spaces between words. */
  readonly isUnspaced?: true;
  /** A character after which a phrase is part of a longer word. */
  readonly inside?: string;
  /** Nouns begin with a capital, by which `past` and `future` distinguish them from verbs. */
  readonly hasCapitalNouns?: true;
  /** Frequent words by which this language is recognised. */
  readonly known: string;
  /** Whether weeks begin on Sunday for many speakers; a week named on a Sunday is then in doubt. */
  readonly weekBeginsOnSunday?: true;
  /** Monday first. */
  readonly weekdays: readonly string[];
  /** For `{w}` in phrases. */
  readonly shortWeekdays?: readonly string[];
  readonly months: readonly string[];
  readonly numbers: Readonly<Record<string, number>>;
  readonly units: Readonly<Record<Unit, string>>;
  /** The name of the unit in "last …"; default `units`. */
  readonly spans?: Readonly<Partial<Record<Unit, string>>>;
  /** Phrases with their meaning. */
  readonly days: readonly (readonly [offset: number, phrase: string])[];
  /** The most recent such weekday. */
  readonly last: readonly string[];
  /** The one of the coming week, or the next to come; in doubt if these differ. */
  readonly next: readonly string[];
  /** The next one to come. */
  readonly coming: readonly string[];
  readonly this: readonly string[];
  /** A weekday of the week before, of this week, of the week after. */
  readonly inWeek: readonly (readonly [offset: number, phrase: string])[];
  readonly ago: readonly string[];
  readonly ahead: readonly string[];
  /** A point in time or a duration; a point if one of `events` announces something. */
  readonly perhapsAhead: readonly string[];
  readonly events: string;
  readonly inSpan: readonly (readonly [offset: number, phrase: string])[];
  readonly endOf: readonly (readonly [offset: number, phrase: string])[];
  readonly dates: readonly string[];
  /** A weekday alone, with optional words around it. */
  readonly bare: string;
  /** Words right before a deadline, and right after it. */
  readonly until: string;
  readonly untilAfter?: string;
  readonly since: string;
  readonly sinceAfter?: string;
  /** Prepositions that mark a day only if the sentence is about the future. */
  readonly aim: string;
  /** Words right before a phrase that then names no day ("a Friday", "older than two weeks ago"). */
  readonly notAfter: string;
  /** Words that join two weekdays, so that neither names a day. */
  readonly joins: string;
  /** Around the first and before the second weekday of what moved: "from Monday morning to Thursday". */
  readonly moves: readonly [from: string, to: string];
  /** The same for words right after it ("Monday to Friday", "last Friday of each month"). */
  readonly notBefore: string;
  /** Must follow a weekday without a preposition; otherwise the weekday may belong to the next word. */
  readonly free?: string;
  readonly past: string;
  readonly future: string;
  /** Present tense for the future: "we are freezing". */
  readonly progressive?: string;
  /** Anywhere in a sentence: marks it as always true, or uses days in a saying, so its words stay. */
  readonly standing: string;
  /** Right before or right after a count: it is not exact ("roughly", "half", "or so"). */
  readonly unsure: string;
  readonly unsureAfter: string;
  /** Right before or right after a day: it describes a noun ("the price of yesterday"). */
  readonly of: string;
  readonly ofAfter?: string;
  /** Anywhere: obliges. */
  readonly duty: string;
  /** Forms of "to be" that make a participle no past: "sont affichés". */
  readonly be?: string;
  /** Around a day that says which ones are meant of many ("users who signed up last week …"). */
  readonly which: readonly (readonly [before: string, after: string])[];
  /** The same of one; it is any if the sentence begins with it or obliges ("tests need a user who signed up yesterday"). */
  readonly some: readonly [before: string, after: string];
  /** How a statement about any such thing begins, up to a count: "a refund will arrive in 5 days". */
  readonly anyOne: string;
  /** Anywhere: begins, ends or moves, which happens once whatever the subject. */
  readonly begins: string;
  /** Where a sentence splits into parts with separate tenses. */
  readonly cut: string;
  /** The text for the week that begins on `{day}`. */
  readonly week: string;
}

export type Unit = "day" | "week" | "month" | "quarter" | "year";
