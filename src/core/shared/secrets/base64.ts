/** What base64 stands for, as text; `undefined` where it is not base64, or of bytes that are not text. */
export function decodeText(encoded: string): string | undefined {
  const plain = encoded.replace(/=+$/u, "").replaceAll("-", "+").replaceAll("_", "/");
  if (plain.length % 4 === 1 || !/^[A-Za-z0-9+/]+$/u.test(plain)) return undefined;
  const text = atob(plain);
  return /^[\t\n\r\u0020-\u007E]+$/u.test(text) ? text : undefined;
}

/** A name and a password as HTTP wants them. */
export function isBasicCredential(encoded: string): boolean {
  return /^[^\s:]*:\S/u.test(decodeText(encoded) ?? "");
}
