import { loadIndex } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import type { Scope } from "../../core/notes/note.ts";
import { parseNote, shownNote } from "../../core/notes/parse-note.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import { stripHidden } from "../../core/shared/hidden.ts";
import { truncate } from "../../core/shared/text.ts";
import { overriddenBy } from "../workspace/modes.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface ContextSection {
  readonly scope: Scope;
  readonly kind: "index" | "pinned";
  /** In the client's own words if it shows this file itself. */
  readonly label: string;
  /** Absolute path of the source file. */
  readonly path: string;
  readonly text: string;
  /** Index entries, or characters of the note, that were cut. */
  readonly cut: readonly string[];
}

/** Longest text of a pinned note (characters). */
const PINNED_CHARACTERS = 4_096;
const PINNED_NOTES = 5;
/** Claude Code's wording for the index of a project's notes. */
const CLIENT_LABEL = "user's auto-memory, persists across conversations";

/** The parts of a workspace that the start of a session needs. */
export interface ContextWorkspace extends Pick<Workspace, "mode" | "codec"> {
  readonly stores: readonly ContextStore[];
}

interface ContextStore {
  readonly scope: Scope;
  readonly store: Pick<NoteStore, "directory" | "index" | "read" | "reconcile">;
}

/** The part of a store's MEMORY.md that a client loads. */
export function loadedIndex(store: Pick<NoteStore, "read">): ReturnType<typeof loadIndex> {
  return loadIndex(new TextDecoder().decode(store.read(INDEX_FILE) ?? new Uint8Array()));
}

/** What the next session starts with: each scope's MEMORY.md as the client loads it, then pinned notes whole. */
export function sessionContext(workspace: ContextWorkspace): ContextSection[] {
  if (workspace.mode === "off") return [];
  const sections: ContextSection[] = [];
  for (const scoped of workspace.stores.toReversed()) {
    scoped.store.reconcile("full");
    const loaded = loadedIndex(scoped.store);
    if (loaded.text !== "")
      sections.push({
        scope: scoped.scope,
        kind: "index",
        label: scoped.scope === "project" ? CLIENT_LABEL : `memory index (${scoped.scope})`,
        path: `${scoped.store.directory}/${INDEX_FILE}`,
        text: `${stripHidden(loaded.text)}${overriddenLine(workspace, scoped, loaded.listed)}`,
        cut: loaded.cut,
      });
  }
  return [...sections, ...workspace.stores.flatMap((scoped) => pinnedSections(workspace, scoped))];
}

/** Names the listed notes that are overridden by a nearer scope. */
function overriddenLine(
  { stores }: ContextWorkspace,
  { scope, store }: ContextStore,
  listed: readonly string[],
): string {
  const lost = listed.flatMap((file) => {
    const entry = store.index.entry(file);
    const by = entry === undefined ? undefined : overriddenBy(stores, scope, entry);
    return by === undefined ? [] : [`${file} by ${by}`];
  });
  return lost.length === 0
    ? ""
    : `\n\n> Overridden here: ${truncate(lost.join(", "), 600)}. The nearer scope's note of that name counts.`;
}

function pinnedSections(workspace: ContextWorkspace, scoped: ContextStore): ContextSection[] {
  return scoped.store.index
    .top(PINNED_NOTES)
    .filter((entry) => entry.pinned && overriddenBy(workspace.stores, scoped.scope, entry) === undefined)
    .flatMap(({ file }) => {
      const bytes = scoped.store.read(file);
      if (bytes === undefined) return [];
      const { body } = shownNote(parseNote(file, bytes, workspace.codec));
      const text = truncate(stripHidden(body.trim()), PINNED_CHARACTERS);
      const cut =
        text.length < body.trim().length
          ? [`${body.trim().length - text.length} characters; \`memdir show ${file}\``]
          : [];
      return [
        {
          scope: scoped.scope,
          kind: "pinned",
          label: `pinned note (${scoped.scope})`,
          path: `${scoped.store.directory}/${file}`,
          text,
          cut,
        } satisfies ContextSection,
      ];
    });
}
