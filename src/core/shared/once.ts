/** What is made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

/** Longer texts are not kept: they are documents, and few. */
const MOST_CHARACTERS = 2_000;

/**
 * The same reading of a text without reading it again, for the texts that were asked about last: the notes near one
 * statement are near the next one too. What is read must not be changed by who gets it.
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
