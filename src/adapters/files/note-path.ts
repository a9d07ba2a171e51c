import { isExcluded } from "../../core/notes/daily-log.ts";
import { checkNotePath, INDEX_FILE } from "../../core/notes/names.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { pathOf, type StoreContext } from "./store-context.ts";

/** Whether a name stays inside the store, outside the stores within it, and is not its index. */
export function isInside(context: StoreContext, file: string): boolean {
  const parts = file.split("/");
  const isPlain =
    !file.includes("\0") && !file.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..");
  const isNested = parts.some((_, depth) => depth > 0 && isExcluded(context.excluded, parts.slice(0, depth).join("/")));
  return isPlain && !isNested && file.toUpperCase() !== INDEX_FILE.toUpperCase();
}

/**
 * New names are checked strictly; an existing file may have any name that stays inside the store.
 * @throws MemoryError `invalid-input`, also for names that lead through a symbolic link.
 */
export function guardPath(context: StoreContext, file: string): void {
  const check = checkNotePath(file);
  const inside = isInside(context, file);
  const exists = inside && context.files.stat(pathOf(context, file)) !== undefined;
  if (!check.ok && !exists) throw new MemoryError("invalid-input", check.reason);
  if (!inside)
    throw new MemoryError(
      "invalid-input",
      `"${file}" belongs to another store or is the index itself; memdir does not write it as a note`,
    );
  const parts = file.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const kind = context.files.stat(pathOf(context, part))?.kind;
    if (kind === "link")
      throw new MemoryError(
        "invalid-input",
        `${part} is a symbolic link; memdir does not write through links, edit its target instead`,
      );
    if (kind !== undefined && kind !== (depth === parts.length ? "file" : "directory")) {
      throw new MemoryError(
        "invalid-input",
        `${part} is ${kind === "directory" ? "a directory" : "not a directory"}; choose another name`,
      );
    }
  }
}
