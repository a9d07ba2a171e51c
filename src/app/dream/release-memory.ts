import v8 from "node:v8";
import vm from "node:vm";

/** Smaller heaps are not worth the pause (bytes). */
const WORTH_BYTES = 64 * 1024 * 1024;
let collect: (() => void) | undefined;

/**
 * Gives back what a finished piece of work left behind. The engine would let the heap of a process that works through
 * a large store grow to several times what is in use; between two phases a collection costs some 100 ms.
 */
export function releaseMemory(): void {
  if (v8.getHeapStatistics().total_heap_size < WORTH_BYTES) return;
  collect ??= exposedCollector();
  collect();
}

function exposedCollector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const gc: unknown = vm.runInNewContext("gc");
  return typeof gc === "function" ? () => void Reflect.apply(gc, undefined, []) : () => undefined;
}
