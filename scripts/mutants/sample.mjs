/** Which mutants are judged: chosen by a seed, spread over operators and files, at most one per line. */

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * All mutants in the order of judging. Operators take turns, so that the most frequent ones do not fill the sample; a
 * file that had many turns waits.
 */
export function inJudgingOrder(mutants, seed) {
  const random = seededRandom(seed);
  const byOperator = new Map();
  for (const mutant of shuffled(mutants, random)) {
    const list = byOperator.get(mutant.operator) ?? [];
    list.push(mutant);
    byOperator.set(mutant.operator, list);
  }
  const lines = new Set();
  const perFile = new Map();
  const out = [];
  const lists = [...byOperator.values()];
  for (let at = 0; lists.some((list) => list.length > 0); at++) {
    const list = lists[at % lists.length];
    const next = takeRarest(list, perFile, lines);
    if (next === undefined) continue;
    lines.add(`${next.path}:${next.line}`);
    perFile.set(next.path, (perFile.get(next.path) ?? 0) + 1);
    out.push(next);
  }
  return out;
}

/** Of the next few, the one whose file had the fewest turns. */
function takeRarest(list, perFile, lines) {
  while (list.length > 0 && lines.has(`${list[0].path}:${list[0].line}`)) list.shift();
  let best = 0;
  for (let at = 1; at < Math.min(8, list.length); at++)
    if ((perFile.get(list[at].path) ?? 0) < (perFile.get(list[best].path) ?? 0)) best = at;
  const [taken] = list.splice(best, 1);
  return taken !== undefined && lines.has(`${taken.path}:${taken.line}`) ? undefined : taken;
}

function shuffled(list, random) {
  const out = [...list];
  for (let at = out.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [out[at], out[other]] = [out[other], out[at]];
  }
  return out;
}
