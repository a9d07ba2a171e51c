import { isUtf8 } from "./parse-note.ts";

/** The text of a file that is UTF-8 only in parts: every byte that belongs to no character is read as Windows-1252. */
export function readMixed(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = lengthAfter(bytes[at] ?? 0);
    const one = bytes.subarray(at, at + length);
    const isCharacter = one.length === length && isUtf8(one);
    parts.push(isCharacter ? UTF8.decode(one) : windowsCharacter(bytes[at] ?? 0));
    at += isCharacter ? length : 1;
  }
  return parts.join("");
}

/** How many bytes a character has that begins with this one. */
function lengthAfter(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
/** What Windows-1252 has where Latin-1 has control characters, from 0x80 on; Node's own decoder reads it as Latin-1. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function windowsCharacter(byte: number): string {
  return WINDOWS[byte - 0x80] ?? String.fromCodePoint(byte);
}
