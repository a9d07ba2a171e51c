import { MemoryError } from "../../core/shared/errors.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { StoreView } from "./directories.ts";
import { isNoteName } from "./scan.ts";
import { appendUse } from "./usage.ts";

/** A note is missing for some microseconds while it is being replaced. One that is a link by now is none: it may lead anywhere. */
export function readPatiently({ directory, files, index }: StoreView, file: string): Uint8Array | undefined {
  if (isNoteName(file) && files.stat(`${directory}/${file}`)?.kind === "link") return undefined;
  for (let attempt = 0; attempt < 3; attempt++) {
    const bytes = files.read(`${directory}/${file}`);
    if (bytes !== undefined) return bytes;
    if (index.entry(file) === undefined) return undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  }
  return undefined;
}

/** Recall works where nothing can be written, whatever the reason; the use is not counted then. That it was shown moves no note. */
export function recordUse(
  view: StoreView & { readonly state: string; readonly clock: Clock },
  used: readonly string[],
): void {
  if (used.length === 0) return;
  try {
    appendUse(view, used);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
