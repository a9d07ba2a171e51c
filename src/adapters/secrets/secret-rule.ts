/** One shape of secret. The first capture group, where there is one, is the secret itself. */
export interface SecretRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether the captured value is one; without it every match is. */
  readonly accepts?: (value: string) => boolean;
}
