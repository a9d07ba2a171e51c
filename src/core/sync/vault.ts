/** Symmetric encryption and keyed hashes. Keys are 32 random bytes in base64. */
export interface Vault {
  /** Returns base64. The same key, context and text give the same bytes; sizes are rounded up. */
  seal(key: string, context: string, text: string): string;
  /** `undefined` if the key or context differs, or a byte has changed. */
  open(key: string, context: string, sealed: string): string | undefined;
  /** HMAC-SHA-256, lower-case hex. */
  tag(key: string, text: string): string;
  /** Derives a key from words that the user types; slow on purpose. */
  stretch(words: string, salt: string): string;
  newKey(): string;
  /** 32 random bits, hex. */
  newId(): string;
}
