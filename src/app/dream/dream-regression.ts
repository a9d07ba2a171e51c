import { type DreamNote, type DreamOperation, touchedFiles } from "../../core/dream/operation.ts";
import type { ReadableStore } from "../../core/notes/store.ts";
import { noteKey } from "../../core/notes/names.ts";
import { loggedRecalls } from "../recall/log-recall.ts";
import { recallNotes } from "../recall/recall-notes.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";

/** The store as it would be afterwards. The caller closes it. */
export type TrialStore = ReadableStore & { close(): void };

/** Each prompt is recalled twice, which takes about 10 ms in a large store. */
const MOST_PROMPTS = 400;

/**
 * Operations after which a prompt would no longer find (shown or as a line) what it finds now. The prompts are those of
 * the recall log and, for each affected note, its own description. A retired note counts as found if its successor is;
 * one retired without a successor is not expected to be found. `late`: time ran out before all prompts were tried, so
 * the result is unknown.
 */
export function recallRegressions(
  workspace: Workspace,
  scoped: ScopedStore,
  trial: ReadableStore,
  operations: readonly DreamOperation[],
  notes: readonly DreamNote[],
  isLate: () => boolean,
): ReadonlySet<DreamOperation> | "late" {
  const heirs = new Map(
    operations.flatMap(({ edits }) =>
      edits.flatMap((edit) => (edit.kind === "retire" ? [[edit.file, edit.by] as const] : [])),
    ),
  );
  // Log entries do not change, whatever happens to notes.
  const before = { ...workspace, logs: undefined };
  const after = {
    ...before,
    stores: workspace.stores.map((one) => (one.scope === scoped.scope ? { scope: one.scope, store: trial } : one)),
  };
  const lost = new Set<string>();
  for (const { prompt, wanted } of probes(workspace, operations, notes)) {
    if (isLate()) return "late";
    const found = recallNotes(before, prompt).selected.filter(
      ({ scope, file }) => scope === scoped.scope && (wanted === undefined || file === wanted),
    );
    if (found.length === 0) continue;
    const now = recallNotes(after, prompt);
    const still = new Set([...now.selected, ...now.pointed].map(noteKey));
    for (const { file } of found) {
      const heir = lastHeir(file, heirs);
      if (heir !== undefined && !still.has(noteKey({ scope: scoped.scope, file: heir }))) lost.add(file);
    }
  }
  return new Set(
    operations.filter(
      (operation) =>
        touchedFiles(operation).some((file) => lost.has(file)) || operation.files.some((file) => lost.has(file)),
    ),
  );
}

/** `undefined`: retired without a successor. */
function lastHeir(file: string, heirs: ReadonlyMap<string, string>): string | undefined {
  let now = file;
  for (const seen = new Set<string>(); !seen.has(now);) {
    seen.add(now);
    const by = heirs.get(now);
    if (by === undefined) return now;
    if (by === "nothing") return undefined;
    now = by;
  }
  return now;
}

interface Probe {
  readonly prompt: string;
  /** The note that the prompt is about; `undefined`: all that it finds. */
  readonly wanted: string | undefined;
}

function probes(
  workspace: Workspace,
  operations: readonly DreamOperation[],
  notes: readonly DreamNote[],
): readonly Probe[] {
  const touched = new Set(operations.flatMap(({ files }) => files));
  const described = notes
    .filter(({ file, description }) => touched.has(file) && description.trim() !== "")
    .map(({ file, description }): Probe => ({ prompt: description, wanted: file }));
  const logged = loggedRecalls(workspace.recallLog)
    .toReversed()
    .flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt]));
  const asked = [...new Set(logged)].slice(0, MOST_PROMPTS / 4).map((prompt): Probe => ({ prompt, wanted: undefined }));
  return [...asked, ...evenly(described, MOST_PROMPTS - asked.length)];
}

/** At most `most` items, spread evenly over the list. */
function evenly<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}
