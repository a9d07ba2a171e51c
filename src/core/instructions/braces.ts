/** More than this from one pattern is a mistake or an attack; the rest is left out. */
const MOST = 1_000;

/** `src/*.{ts,tsx}` → `src/*.ts`, `src/*.tsx`; nested braces too. A brace that never closes stays as written. */
export function expandBraces(pattern: string): string[] {
  let out = [pattern];
  for (;;) {
    let changed = false;
    const next: string[] = [];
    for (const one of out) {
      const found = innermost(one);
      if (found === undefined || next.length >= MOST) {
        next.push(one);
        continue;
      }
      changed = true;
      for (const choice of found.choices) next.push(one.slice(0, found.start) + choice + one.slice(found.end));
    }
    out = next.slice(0, MOST);
    if (!changed || out.length === MOST) return out;
  }
}

function innermost(
  pattern: string,
): { readonly start: number; readonly end: number; readonly choices: readonly string[] } | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/u.exec(pattern);
  return match === null
    ? undefined
    : { start: match.index, end: match.index + match[0].length, choices: (match[1] ?? "").split(",") };
}
