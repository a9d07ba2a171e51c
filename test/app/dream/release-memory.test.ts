import { constants, PerformanceObserver } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { releaseMemory } from "../../../src/app/dream/dream-schedule.ts";

/** How many collections were asked for while this ran. */
async function collectionsIn(work: () => void): Promise<number> {
  let count = 0;
  const isForced = (entry: object): boolean => {
    const detail: unknown = Reflect.get(entry, "detail");
    return (
      typeof detail === "object" &&
      detail !== null &&
      Reflect.get(detail, "flags") === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED
    );
  };
  const observer = new PerformanceObserver((list) => (count += list.getEntries().filter(isForced).length));
  observer.observe({ entryTypes: ["gc"] });
  work();
  await setTimeout(20);
  observer.disconnect();
  return count;
}

function megabytes(count: number): readonly number[][] {
  return Array.from({ length: count }, (_, index) => Array<number>(131_072).fill(index + 0.5));
}

it("a heap that was large before a dream is walked through once, not at every phase", async () => {
  globalThis.gc?.();
  releaseMemory();
  const held = megabytes(96);
  const phases = (): void => {
    for (let phase = 0; phase < 5; phase++) releaseMemory();
  };
  expect(await collectionsIn(phases)).toBe(1);
  expect(await collectionsIn(phases)).toBe(0);
  const more = megabytes(48);
  expect(await collectionsIn(phases)).toBe(1);
  expect(held.length + more.length).toBe(144);
});
