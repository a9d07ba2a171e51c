import { compareStatements } from "../../core/notes/compare.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import type { Scope } from "../../core/notes/note.ts";
import { statementOf } from "../../core/notes/statement.ts";
import type { ReadableStore } from "../../core/notes/store.ts";
import type { NoticedRivals } from "../../core/recall/rivals.ts";

interface Chosen {
  readonly scope: Scope;
  readonly entry: IndexEntry;
}

/**
 * Which of the notes that a prompt is given contradict one another, by their descriptions. Only what memdir wrote names
 * its contradictions; a note that a person or a client wrote is compared with others here first.
 */
export function noticeRivals(
  stores: readonly { readonly scope: Scope; readonly store: ReadableStore }[],
  chosen: readonly Chosen[],
): readonly NoticedRivals[] {
  return stores.flatMap(({ scope, store }) => {
    const notes = chosen
      .filter((one) => one.scope === scope)
      .map(({ entry }) => ({ entry, statement: statementOf(entry.description) }))
      .toSorted((a, b) => b.entry.time - a.entry.time);
    return notes.flatMap(({ entry: newer, statement }, at) =>
      notes
        .slice(at + 1)
        .filter(({ entry: { time } }) => time < newer.time)
        .filter((older) => compareStatements(statement, older.statement).kind === "contradicts")
        .filter(({ entry: older }) => !areRelated(store, newer.file, older.file))
        .map(({ entry: older }): NoticedRivals => ({ scope, newer: newer.file, older: older.file })),
    );
  });
}

/** Whether the frontmatter of one names the other: what they are to one another is written down already. */
function areRelated(store: Pick<ReadableStore, "read">, one: string, other: string): boolean {
  const names = (file: string, wanted: string): boolean =>
    splitFrontmatter(new TextDecoder().decode(store.read(file))).block.includes(wanted);
  return names(one, other) || names(other, one);
}
