/** One shape of secret that no beginning gives away: where it stands does. The first capture group, where there is one, is the secret itself. */
export interface SecretShape {
  readonly name: string;
  /** In small letters; a text in which none of them stands is not searched. None: every text is. */
  readonly hints: readonly string[];
  /** Every repetition has an upper bound, so that time stays linear; a secret that goes on is followed by `more`. */
  readonly pattern: RegExp;
  /** Sticky: what else belongs to the secret, after what `pattern` found. */
  readonly more?: RegExp;
  /** Whether the captured value is one; without it every match is. `before` is the text before the match, at most 300 characters. */
  readonly accepts?: (value: string, before: string) => boolean;
}
