/** What kind of wish a sentence expresses. */
export type SignalKind =
  | "wish"
  | "prohibition"
  | "correction"
  | "confirmation"
  | "preference"
  | "identity"
  | "decision"
  | "deadline"
  | "system";

/**
 * One way of saying so. `firm` stands on its own; `tentative` also appears in orders for the task at
 * hand and needs support (a correction, a reason, the head of the message, generality, repetition);
 * `reaction` is an ordinary order anywhere else and counts only where the person rejects something.
 */
export interface Signal {
  readonly kind: SignalKind;
  readonly strength: "firm" | "tentative" | "reaction";
  /** Tried on a sentence whose code, URLs and quotations are masked and whose greeting is cut. */
  readonly pattern: RegExp;
  /** Same sentence, but not in this sense. */
  readonly unless?: RegExp;
}

function signalOf(strength: Signal["strength"]) {
  return (kind: SignalKind, pattern: RegExp, unless?: RegExp): Signal => ({
    kind,
    strength,
    pattern,
    ...(unless === undefined ? {} : { unless }),
  });
}

export const firm = signalOf("firm");
export const reaction = signalOf("reaction");
export const tentative = signalOf("tentative");
