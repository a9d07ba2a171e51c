/** Makes a value on first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

/** Longer texts are not cached: they are documents, and few. */
const MOST_CHARACTERS = 2_000;

/**
 * Caches the readings of the most recent texts: the notes near one statement are also near the next one. Callers must
 * not change a reading.
 */
export function readOnce<Reading>(
  read: (text: string) => Reading,
  { most = 128, longest = MOST_CHARACTERS } = {},
): (text: string) => Reading {
  const kept = new Map<string, Reading>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const reading = read(text);
    if (text.length > longest) return reading;
    const [oldest] = kept.keys();
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
    kept.set(text, reading);
    return reading;
  };
}
