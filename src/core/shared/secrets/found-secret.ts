/** Where in a text a secret stands, and what it looked like. Half-open UTF-16 range. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}
