import type { FoundSecret } from "./found-secret.ts";
import { VENDOR_FORMATS } from "./vendor-formats.ts";

interface Beginning {
  readonly vendor: string;
  readonly text: string;
  readonly rest: string;
}

/** Beginnings by their first two characters. */
let beginnings: ReadonlyMap<string, readonly Beginning[]> | undefined;

/** Compiled when a beginning was met: a process that has just started pays for those alone. */
const patterns = new Map<string, RegExp>();

/** Tokens in the published format of a vendor. Time is linear in the length of `text`. */
export function findVendorTokens(text: string): readonly FoundSecret[] {
  beginnings ??= groupBeginnings();
  const found: FoundSecret[] = [];
  for (let at = 0; at < text.length - 1; at++) {
    if (!isWordStart(text, at)) continue;
    const one = tokenAt(text, at, beginnings.get(text.slice(at, at + 2)) ?? []);
    if (one === undefined) continue;
    found.push(one);
    at = one.end - 1;
  }
  return found;
}

function tokenAt(text: string, at: number, candidates: readonly Beginning[]): FoundSecret | undefined {
  let best: FoundSecret | undefined;
  for (const { vendor, text: beginning, rest } of candidates) {
    if (!text.startsWith(beginning, at)) continue;
    const pattern = patternOf(rest);
    pattern.lastIndex = at + beginning.length;
    if (pattern.test(text) && pattern.lastIndex > (best?.end ?? 0))
      best = { start: at, end: pattern.lastIndex, rule: vendor };
  }
  return best;
}

function groupBeginnings(): ReadonlyMap<string, readonly Beginning[]> {
  const groups = new Map<string, Beginning[]>();
  for (const [vendor, all, rest] of VENDOR_FORMATS) {
    // A beginning may end with a blank ("FlyV1 "): only one between two beginnings separates them.
    for (const text of all.endsWith(" ") ? [all] : all.split(" ")) {
      const key = text.slice(0, 2);
      groups.set(key, [...(groups.get(key) ?? []), { vendor, text, rest }]);
    }
  }
  return groups;
}

function patternOf(rest: string): RegExp {
  const known = patterns.get(rest);
  if (known !== undefined) return known;
  const pattern = new RegExp(rest, "uy");
  patterns.set(rest, pattern);
  return pattern;
}

function isWordStart(text: string, at: number): boolean {
  return isLetterOrDigit(text.charCodeAt(at)) && (at === 0 || !isLetterOrDigit(text.charCodeAt(at - 1)));
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
