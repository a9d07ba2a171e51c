/** So much at once, and so much again each minute. */
export interface Rate {
  readonly perMinute: number;
}

export interface Buckets {
  /** Takes one. @returns 0, or how many milliseconds to wait for the next. */
  take(name: string, rate: Rate, nowMs: number): number;
  readonly size: number;
}

const MINUTE_MS = 60_000;
/** A bucket that is full again need not be kept. */
const SWEEP_ABOVE = 10_000;

/** Token buckets in this process's memory, each as large as a minute's worth. */
export function buckets(): Buckets {
  const fullAt = new Map<string, number>();
  return {
    take(name, { perMinute }, nowMs) {
      const stepMs = MINUTE_MS / perMinute;
      // When the bucket will be full again, if nothing more is taken.
      const full = Math.max(fullAt.get(name) ?? nowMs, nowMs) + stepMs;
      if (full - nowMs > MINUTE_MS) return Math.ceil(full - nowMs - MINUTE_MS);
      fullAt.set(name, full);
      if (fullAt.size > SWEEP_ABOVE) for (const [other, at] of fullAt) if (at <= nowMs) fullAt.delete(other);
      return 0;
    },
    get size() {
      return fullAt.size;
    },
  };
}
