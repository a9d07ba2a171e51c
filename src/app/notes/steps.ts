import type { Version } from "../../core/notes/history.ts";
import { nameAt, pastNames } from "./past-names.ts";
import { isOwn, undoneBy, versionsOf } from "./versions.ts";
import type { ScopedStore } from "../workspace/workspace.ts";

/** What stands and what was taken back, as undo and redo count them. What others wrote is not a step. */
interface Steps {
  /** Changes that no undo has taken back, the oldest first. */
  readonly standing: readonly Version[];
  /** Undos after which nothing else was changed, the oldest first; each with what it took back. */
  readonly undone: readonly { readonly by: Version; readonly version: Version }[];
}

function stepsOf(scoped: ScopedStore, file: string | undefined): Steps {
  const standing: Version[] = [];
  const taken = new Map<string, Version>();
  let undone: { by: Version; version: Version }[] = [];
  const names = file === undefined ? undefined : pastNames(scoped.store.history(), file);
  for (const version of versionsOf(scoped, file).toReversed()) {
    const id = undoneBy(version);
    const transfer = /^moved back \(([0-9a-f]{8})\)/u.exec(version.reason)?.[1];
    const at = standing.findLastIndex(
      (one) =>
        (id !== undefined && one.id === id) ||
        (transfer !== undefined && one.reason.endsWith(`(transfer ${transfer})`)),
    );
    const [gone] = at === -1 ? [] : standing.splice(at, 1);
    const again = id === undefined ? undefined : taken.get(id);
    if (gone !== undefined) {
      taken.set(version.id, gone);
      undone.push({ by: version, version: gone });
    } else if (again !== undefined) {
      standing.push(again); // an undo that was undone
      undone = undone.filter(({ by }) => by.id !== id);
    } else if (isOwn(version, names && nameAt(names, version.seq))) {
      standing.push(version);
      undone = [];
    }
  }
  return { standing, undone };
}

/** The version to take back when several steps are: the last that no undo has taken back already. */
export function nextStep(scoped: ScopedStore, file: string | undefined): Version | undefined {
  return stepsOf(scoped, file).standing.at(-1);
}

/** The undo to take back in order to do its version again; `undefined` when something else was changed since. */
export function lastUndo(scoped: ScopedStore, file: string | undefined): Steps["undone"][number] | undefined {
  return stepsOf(scoped, file).undone.at(-1);
}
