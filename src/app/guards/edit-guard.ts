import { type Guard, guardHash, parseGuard } from "../../core/guards/guard.ts";
import { setFields } from "../../core/notes/write-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { requireClean } from "../notes/gate.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { StoreLocation } from "../workspace/locations.ts";
import { liveEntries, type NoteRef, shownRef } from "../workspace/workspace.ts";
import { approveGuard, guardOfNote } from "./guard-approval.ts";
import { readRegistry } from "./guard-registry.ts";

export interface ListedGuard {
  readonly note: string;
  readonly state: "on" | "off" | "changed" | "invalid";
  readonly guard: Guard | undefined;
  readonly reason?: string;
}

/** Every live note with a guard, and whether the person put it in force as it is now. */
export function listGuards(workspace: OpenWorkspace): readonly ListedGuard[] {
  for (const { store } of workspace.stores) store.reconcile("full");
  const approved = new Map(
    workspace.locations.stores.flatMap(readRegistry).map((guard) => [`${guard.scope}:${guard.file}`, guard.hash]),
  );
  return liveEntries(workspace).flatMap(({ scoped, entry: { file } }): ListedGuard[] => {
    const read = guardOfNote(scoped.store.directory, file)?.read;
    if (read === undefined || read.kind === "none") return [];
    const note = shownRef(workspace, { scoped, file });
    if (read.kind === "invalid") return [{ note, state: "invalid", guard: undefined, reason: read.reason }];
    const hash = approved.get(`${scoped.scope}:${file}`);
    const state = hash === undefined ? "off" : hash === guardHash(read.guard) ? "on" : "changed";
    return [{ note, state, guard: read.guard }];
  });
}

/** As a person gives it; `invalid` says why it is not a guard. */
export interface WantedGuard {
  readonly tool: string | undefined;
  readonly pattern: string | undefined;
  readonly action: string;
  readonly message: string | undefined;
}

export type WrittenGuard =
  | { readonly kind: "written"; readonly guard: Guard }
  | { readonly kind: "invalid"; readonly reason: string };

/** Writes a guard into a note's frontmatter; it is not in force before it is enabled. @throws MemoryError */
export async function writeGuard(workspace: OpenWorkspace, ref: NoteRef, wanted: WantedGuard): Promise<WrittenGuard> {
  if (workspace.mode !== "auto") throw new MemoryError("refused", `memory is ${workspace.mode}; nothing was written`);
  const read = parseGuard({ ...wanted });
  if (read.kind !== "guard")
    return { kind: "invalid", reason: read.kind === "invalid" ? read.reason : "a guard needs --tool and --pattern" };
  const { guard } = read;
  const { store } = ref.scoped;
  const shown = shownRef(workspace, ref);
  if (store.index.entry(ref.file)?.type !== "feedback")
    throw new MemoryError("refused", `${shown} is not a feedback note, and only those may carry a guard`);
  const base = store.read(ref.file);
  if (base === undefined) throw new MemoryError("not-found", `${shown} was removed meanwhile`);
  await requireClean(workspace, guard);
  const fields = (["tool", "pattern", "action", "message"] as const).map(
    (name) => [["metadata", "guard", name], guard[name]] as const,
  );
  const content = setFields(new TextDecoder("utf-8", { ignoreBOM: true }).decode(base), fields, workspace.codec);
  const result = store.commit([{ kind: "write", file: ref.file, base, content }], {
    actor: "user",
    reason: "guard set",
  });
  if (!result.ok) throw new MemoryError("conflict", `${shown} was changed meanwhile; try again`);
  return { kind: "written", guard };
}

/** Puts the guard that a person looked at in force. @throws MemoryError `conflict` where the note says another one by now. */
export function enableGuard(workspace: OpenWorkspace, place: StoreLocation, ref: NoteRef, seen: Guard): void {
  const now = guardOfNote(place.directory, ref.file);
  if (now?.read.kind !== "guard" || guardHash(now.read.guard) !== guardHash(seen))
    throw new MemoryError(
      "conflict",
      `the guard of ${shownRef(workspace, ref)} was changed meanwhile; look at it again`,
    );
  approveGuard(place, ref.file, seen, now, new Date(workspace.clock.now()).toISOString());
}
