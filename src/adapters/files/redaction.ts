import type { FileChange, Redaction } from "../../core/notes/history.ts";
import { entryTarget } from "../../core/notes/index-file.ts";
import type { Lives } from "../../core/notes/lineage.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import type { Order } from "./forget-order.ts";

/**
 * Leaves the forgotten notes out of a past: their versions, their lines in old versions of MEMORY.md, reasons that name
 * them. What stays records its lineage from here on, since nothing may be left to derive it from.
 */
export function redactionOf({ lineages, names }: Order, lives: Lives): Redaction {
  const isForgotten = (seq: number, file: string): boolean => {
    const lineage = lives.at(seq, file);
    return lineage === undefined ? names.has(file) : lineages.has(lineage);
  };
  return ({ changes, ...transaction }) => {
    const kept = changes
      .filter(({ file }) => file === INDEX_FILE || !isForgotten(transaction.seq, file))
      .map((change) =>
        change.file === INDEX_FILE ? withoutLines(change, names) : recorded(change, transaction.seq, lives),
      );
    // What is said of several notes says nothing of the one, unless it names it.
    const isOfOthers = kept.some(({ file }) => file !== INDEX_FILE);
    const isTouched = kept.length < changes.length;
    const isNamed = (name: string): boolean =>
      mentionsName(transaction.reason, name) || (isTouched && mentionsName(transaction.reason, stemOf(name)));
    const isTold = (isTouched && !isOfOthers) || [...names].some(isNamed);
    return { ...transaction, reason: isTold ? "forgotten" : transaction.reason, changes: kept };
  };
}

/** A reason may name a note without its ending. */
function stemOf(name: string): string {
  return name.replace(/\.md$/iu, "");
}

function recorded(change: FileChange, seq: number, lives: Lives): FileChange {
  const lineage = lives.at(seq, change.file);
  return lineage === undefined ? change : { ...change, lineage };
}

function withoutLines(change: FileChange, names: ReadonlySet<string>): FileChange {
  const edit = (content: Uint8Array | undefined): Uint8Array | undefined => content && withoutLinesOf(content, names);
  return { ...change, before: edit(change.before), after: edit(change.after) };
}

function withoutLinesOf(content: Uint8Array, names: ReadonlySet<string>): Uint8Array {
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content).split("\n");
  const kept = lines.filter(
    (line) => !names.has(entryTarget(line) ?? "") && ![...names].some((name) => mentionsName(line, name)),
  );
  return kept.length === lines.length ? content : new TextEncoder().encode(kept.join("\n"));
}

/** Whether a text has this name in it, and not as the end or beginning of a longer one. */
export function mentionsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + name.length, at + name.length + 1);
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}
