/** Processor time (ms) for one text and for one four times as long; it hardly depends on the machine's load. */
export interface Growth {
  readonly shortMs: number;
  readonly longMs: number;
}

const CHARACTERS = 500_000;

/** How the time of `run` grows on `unit` repeated to a quarter of `characters` and to all of them. */
export function growthOf(run: (text: string) => unknown, unit: string, characters = CHARACTERS): Growth {
  const repeated = (length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  // Quadratic code would take minutes at full length; it already shows here.
  const probeMs = processorMs(() => run(repeated(characters / 32)));
  if (probeMs > PROBE_LIMIT_MS) return { shortMs: probeMs, longMs: Number.POSITIVE_INFINITY };
  const shortMs = processorMs(() => run(repeated(characters / 4)));
  if (shortMs > SHORT_LIMIT_MS) return { shortMs, longMs: Number.POSITIVE_INFINITY };
  return { shortMs, longMs: processorMs(() => run(repeated(characters))) };
}

const PROBE_LIMIT_MS = 100;
const SHORT_LIMIT_MS = 1500;
/** Below this, a ratio says more about the machine than about the code. */
const NOISE_MS = 500;
/** For four times the text the ratio is 4 in linear time and 16 in quadratic time. */
const LARGEST_RATIO = 10;
const LIMIT_MS = 3000;

export function isLinear({ shortMs, longMs }: Growth): boolean {
  return longMs < NOISE_MS || (longMs < LIMIT_MS && longMs / Math.max(shortMs, 1) < LARGEST_RATIO);
}

/** Whether the time grows linearly. Other processes can disturb it, so it is measured up to three times. */
export function growsLinearly(run: (text: string) => unknown, unit: string, characters = CHARACTERS): boolean {
  return [1, 2, 3].some(() => isLinear(growthOf(run, unit, characters)));
}

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}
