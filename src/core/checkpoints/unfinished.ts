import { parseJson, record } from "../shared/json.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** What the start of a session says of a task that was left unfinished: enough for one line, without reading the checkpoint. */
export interface Unfinished {
  readonly id: string;
  readonly name: string;
  /** ISO time. */
  readonly saved: string;
  readonly branch: string | undefined;
  readonly isAutomatic: boolean;
  /** The checkpoint's file; where it is gone there is nothing to say. */
  readonly path: string;
}

/** The newest task with something left to do whose last checkpoint was neither restored nor dismissed. `checkpoints`: newest first. */
export function unfinishedTask(
  checkpoints: readonly (Checkpoint & { readonly path: string })[],
  isSettled: (id: string) => boolean,
): Unfinished | undefined {
  const seen = new Set<string>();
  for (const { id, name, saved, git, automatic, path, sections } of checkpoints) {
    const isLast = !seen.has(name);
    seen.add(name);
    if (isLast && !isSettled(id) && (sections.next ?? "").trim() !== "")
      return { id, name, saved, branch: git?.branch, isAutomatic: automatic !== undefined, path };
  }
  return undefined;
}

/** `undefined` for what memdir did not write. */
export function parseUnfinished(text: string): Unfinished | undefined {
  const value = record(parseJson(text));
  const textOf = (name: string): string | undefined =>
    typeof value[name] === "string" && value[name] !== "" ? value[name] : undefined;
  const [id, name, saved, path] = ["id", "name", "saved", "path"].map(textOf);
  if (
    id === undefined ||
    !/^[0-9a-f]{10}$/u.test(id) ||
    name === undefined ||
    path === undefined ||
    !Number.isFinite(Date.parse(saved ?? ""))
  )
    return undefined;
  return {
    id,
    name,
    path,
    saved: new Date(saved ?? "").toISOString(),
    branch: textOf("branch"),
    isAutomatic: value["isAutomatic"] === true,
  };
}
