import type { FilePort } from "../../core/notes/file-port.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/** How a store's state is laid out. It goes up when an older memdir would misread or damage what a newer one wrote. */
const LAYOUT = 1;

/** Vectors of descriptions; a cache. */
export const VECTORS = "vectors";
/** Indexes of earlier versions; a cache. */
export const PAST_INDEXES = "as-of";
/** The guards that were approved on this machine. */
export const GUARDS_FILE = "guards.json";

const layoutPath = (state: string): string => `${state}/layout`;

/** State without the file is of layout 1, which had none. @throws MemoryError `unavailable` for what a newer memdir wrote. */
export function requireLayout(state: string, files: Pick<FilePort, "read">): void {
  const found = Number(new TextDecoder().decode(files.read(layoutPath(state))).trim());
  if (found > LAYOUT)
    throw new MemoryError(
      "unavailable",
      `the state in ${state} has layout ${found}, and this memdir knows layouts up to ${LAYOUT}: a newer memdir wrote it; update memdir, nothing was read or written`,
    );
}

/** Not made durable: where it is lost, the state is still of layout 1, and the next write notes it again. */
export function noteLayout(state: string, files: FilePort): void {
  if (files.stat(layoutPath(state)) === undefined)
    files.note(layoutPath(state), new TextEncoder().encode(`${LAYOUT}\n`));
}
