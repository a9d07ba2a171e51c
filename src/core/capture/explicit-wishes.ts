import list from "./explicit-wishes.json" with { type: "json" };

/*
 * The ways of saying outright that something is to hold from now on, or who someone is: what rules may write unseen.
 * Each stands on its own and is tried on a sentence whose code, addresses and quotations are masked and whose greeting is
 * cut. Short on purpose: whatever else a person means is read by whoever judges the session. `unless` has the same
 * words, but not in this sense.
 */
const EXPLICIT = list.map(({ kind, pattern, flags, unless, unlessFlags }) => ({
  kind: kind === "wish" ? ("wish" as const) : ("identity" as const),
  pattern: new RegExp(pattern, flags),
  ...(unless !== undefined && { unless: new RegExp(unless, unlessFlags ?? flags) }),
}));

/** The first that fits a sentence; a wish before who someone is. */
export function explicitIn(plain: string): "wish" | "identity" | undefined {
  const found = EXPLICIT.filter(({ pattern, unless }) => pattern.test(plain) && !(unless?.test(plain) ?? false));
  return found.find(({ kind }) => kind === "wish")?.kind ?? found[0]?.kind;
}
