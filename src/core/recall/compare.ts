/** What a recall found, by `scope:file`. */
export interface RecallFindings {
  readonly shown: readonly string[];
  readonly pointed: readonly string[];
}

export interface RecallDifference {
  /** `lost` weighs most: a note that was shown whole is neither shown nor pointed at. */
  readonly outcome: "same" | "gained" | "moved" | "lost";
  /** Shown now, and neither shown nor pointed at before. */
  readonly gained: readonly string[];
  /** Shown before, not found now. */
  readonly lost: readonly string[];
  /** Shown before, pointed at now; and the other way round. */
  readonly lowered: readonly string[];
  readonly raised: readonly string[];
}

/**
 * Compares what a prompt found before and after a change of the notes or of recall. A note that was merged into
 * another counts as found when that one is: `successor` names it.
 */
export function compareRecalls(
  before: RecallFindings,
  after: RecallFindings,
  successor: (key: string) => string | undefined = () => undefined,
): RecallDifference {
  const shown = new Set(after.shown);
  const pointed = new Set(after.pointed);
  const findable = (key: string): string => {
    const chain = new Set([key]);
    let now = key;
    for (let next = successor(now); next !== undefined && !chain.has(next) && !shown.has(now); next = successor(now)) {
      chain.add(next);
      now = next;
    }
    return now;
  };
  const successors = new Map(before.shown.map((key) => [key, findable(key)]));
  const known = new Set([...before.shown, ...before.pointed, ...successors.values()]);
  const gained = after.shown.filter((key) => !known.has(key));
  const lost = before.shown.filter(
    (key) => !shown.has(successors.get(key) ?? key) && !pointed.has(successors.get(key) ?? key),
  );
  const lowered = before.shown.filter(
    (key) => !shown.has(successors.get(key) ?? key) && pointed.has(successors.get(key) ?? key),
  );
  const raised = before.pointed.filter((key) => shown.has(key) && !before.shown.includes(key));
  const outcome =
    lost.length > 0 ? "lost" : lowered.length + raised.length > 0 ? "moved" : gained.length > 0 ? "gained" : "same";
  return { outcome, gained, lost, lowered, raised };
}
