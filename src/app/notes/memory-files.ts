import { checkNotePath } from "../../core/notes/names.ts";
import type { StoreChange } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { asTyped, requireClean } from "./gate.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";

/** The project's notes as files, for programs that only know files. */
export interface MemoryFiles {
  /** Every note: its path in the store and its size in bytes. */
  list(): readonly { readonly path: string; readonly bytes: number }[];
  /** The whole file, frontmatter included. */
  read(path: string): string | undefined;
  /**
   * @throws MemoryError `refused` for text that must not be written, `invalid-input` for a name that no note can have,
   * `conflict` if it exists.
   */
  create(path: string, text: string): Promise<void>;
  /** Writes `after` if the file still contains `before`. @throws MemoryError `refused`, `conflict`. */
  replace(path: string, before: string, after: string): Promise<void>;
  /** Removes all or none; they stay in history. @throws MemoryError `conflict`. */
  remove(paths: readonly string[]): void;
  /** All or none; each stays the same note. @throws MemoryError `refused`, `invalid-input`, `conflict`, `not-found`. */
  rename(moves: readonly { readonly from: string; readonly to: string }[]): Promise<void>;
}

const ACTOR = "agent";

export function memoryFiles(workspace: Workspace): MemoryFiles {
  const present = (): ScopedStore | undefined => {
    const scoped = workspace.stores.find(({ scope }) => scope === "project");
    scoped?.store.reconcile("quick");
    return scoped;
  };
  const bytesOf = (path: string): Uint8Array | undefined => {
    const store = present()?.store;
    return store?.index.hasFile(path) === true ? store.read(path) : undefined;
  };
  return {
    list: () => {
      const store = present()?.store;
      const files = store?.index.entries().map(({ file }) => file) ?? [];
      return files.map((path) => ({ path, bytes: store?.read(path)?.length ?? 0 }));
    },
    read(path) {
      const bytes = bytesOf(path);
      return bytes === undefined ? undefined : textOf(bytes);
    },
    async create(path, text) {
      const file = noteFile(path);
      const content = asTyped(text);
      await requireClean(workspace, path, content);
      commit(workspace, [{ kind: "create", file, content }], "created");
    },
    async replace(path, before, after) {
      const content = asTyped(after);
      await requireClean(workspace, content);
      const base = new TextEncoder().encode(before);
      commit(workspace, [{ kind: "write", file: path, content, base, exact: true }], "edited");
    },
    remove(paths) {
      commit(
        workspace,
        paths.map((file) => ({ kind: "delete", file, base: bytesOf(file) ?? new Uint8Array() })),
        "removed",
      );
    },
    async rename(moves) {
      await requireClean(
        workspace,
        moves.map(({ to }) => to),
      );
      const lives = present()?.store.lives().present;
      const changes = moves.flatMap(({ from, to }): StoreChange[] => {
        const base = bytesOf(from);
        if (base === undefined) throw new MemoryError("not-found", `${from} is not there any more`);
        const lineage = lives?.get(from)?.lineage;
        const life = lineage === undefined ? {} : { lineage };
        return [
          { kind: "delete", file: from, base, ...life },
          { kind: "create", file: noteFile(to), content: base, ...life },
        ];
      });
      commit(workspace, changes, "renamed");
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** @throws MemoryError `invalid-input` */
function noteFile(path: string): string {
  const check = checkNotePath(path);
  if (!check.ok) throw new MemoryError("invalid-input", check.reason);
  return check.file;
}

/** @throws MemoryError `conflict` if a name is taken or another writer was faster. */
function commit(workspace: Workspace, changes: readonly StoreChange[], reason: string): void {
  const scoped = workspace.open("project");
  if (scoped === undefined) throw new MemoryError("invalid-input", "there is no project scope here");
  const result = scoped.store.commit(changes, { actor: ACTOR, reason });
  if (result.ok) return;
  const refused = result.outcomes.find(
    ({ outcome }) => outcome === "exists" || outcome === "changed" || outcome === "gone",
  );
  if (refused?.outcome === "exists") throw new MemoryError("conflict", `${refused.file} exists already`);
  throw new MemoryError(
    "conflict",
    `${refused?.file ?? "a file"} was changed by another program in the meantime: view it again`,
  );
}
