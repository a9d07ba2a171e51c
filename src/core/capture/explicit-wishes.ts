import list from "./explicit-wishes.json" with { type: "json" };

/*
 * Phrases that explicitly state a lasting rule or who someone is; only these may the rules write without a review.
 * Each is matched on its own against a sentence without its greeting and with code, addresses and quotations masked.
 * The list is short on purpose: other statements are left to the judge of the session. `unless` matches the same words
 * in another sense.
 */
const EXPLICIT = list.map(({ kind, pattern, flags, unless, unlessFlags }) => ({
  kind: kind === "wish" ? ("wish" as const) : ("identity" as const),
  pattern: new RegExp(pattern, flags),
  ...(unless !== undefined && { unless: new RegExp(unless, unlessFlags ?? flags) }),
}));

/** The kind of phrase in a sentence; a wish takes precedence over an identity. */
export function explicitIn(plain: string): "wish" | "identity" | undefined {
  const found = EXPLICIT.filter(({ pattern, unless }) => pattern.test(plain) && !(unless?.test(plain) ?? false));
  return found.find(({ kind }) => kind === "wish")?.kind ?? found[0]?.kind;
}
