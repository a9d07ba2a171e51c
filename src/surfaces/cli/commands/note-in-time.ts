import type { NoteRef, ScopedStore, Workspace } from "../../../app/workspace/workspace.ts";
import { splitScope } from "../../../app/notes/gate.ts";
import type { Scope } from "../../../core/notes/note.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";

export interface NoteOrVersion {
  readonly reference: string | undefined;
  readonly id: string | undefined;
  /** The scope that a version was named with; `undefined` for the project's. */
  readonly scope: Scope | undefined;
}

/** `diff 3` is `diff --version 3`, `diff user:3` the third of the user's: as history prints them. */
export function noteOrVersion(invocation: Invocation): NoteOrVersion {
  const [first] = invocation.positionals;
  const given = invocation.option("version");
  const { scope, rest } = splitScope(given ?? first ?? "");
  if (!/^\d+$/u.test(rest)) return { reference: first, id: given, scope: undefined };
  return { reference: given === undefined ? undefined : first, id: rest, scope };
}

/** The store that a version is to be looked for in. @throws MemoryError `not-found` for a scope without notes. */
export function storeOfVersion(
  workspace: Workspace,
  ref: NoteRef | undefined,
  { scope, id }: NoteOrVersion,
): ScopedStore | undefined {
  if (scope === undefined) return ref?.scoped ?? workspace.stores[0];
  if (ref !== undefined && ref.scoped.scope !== scope)
    throw new MemoryError(
      "invalid-input",
      `version ${scope}:${id ?? ""} is not one of ${ref.scoped.scope}:${ref.file}`,
    );
  const scoped = workspace.stores.find((one) => one.scope === scope);
  if (scoped === undefined)
    throw new MemoryError("not-found", `there are no ${scope} notes here, so there is no version ${scope}:${id ?? ""}`);
  return scoped;
}
