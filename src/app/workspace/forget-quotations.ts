import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { mentionsName } from "../../adapters/files/forget.ts";
import { withoutQuotations } from "../../core/notes/quotations.ts";
import { filesBelow } from "./text-file.ts";

/** Shorter names are words that any text may contain. */
const TELLING_CHARACTERS = 8;
/** Where memdir keeps text of sessions in its own directory; quotations of a forgotten note are removed from it. */
const KEPT = ["session-memory", "checkpoints", "captures", "history.jsonl", "history.jsonl.old", "hook-failures.jsonl"];
/** Removed as a whole if they quote the note: answers that wait for a session, pastes named by their content. */
const DROPPED = ["late", "pastes"];
/** The same in the state of each store. */
const DROPPED_IN_STORES = ["proposals", "triggers.json"];
const KEPT_IN_STORES = ["dreams.jsonl", "recalls.jsonl", "recalls.old.jsonl", "recalls.problem"];

/**
 * Removes the text of notes, and their names, from everything memdir wrote outside its notes. `kept` are names of files
 * that stay, such as lines that exist only here.
 * @throws MemoryError if a file cannot be rewritten.
 */
export function dropQuotations(
  memdirHome: string,
  texts: readonly string[],
  names: ReadonlySet<string>,
  kept: ReadonlySet<string> = new Set(),
): void {
  const passages = [...texts, ...[...names].filter(({ length }) => length >= TELLING_CHARACTERS)];
  const stores = (nodeFiles.list(`${memdirHome}/stores`) ?? []).map(({ name }) => `stores/${name}`);
  const below = (places: readonly string[]): readonly string[] =>
    places.flatMap((name) => pathsOf(path.join(memdirHome, name)));
  const inStores = (places: readonly string[]): readonly string[] =>
    stores.flatMap((store) => places.map((name) => `${store}/${name}`));
  for (const file of below([...KEPT, ...inStores(KEPT_IN_STORES)])) rewrite(file, passages);
  for (const file of below([...DROPPED, ...inStores(DROPPED_IN_STORES)]))
    if (!kept.has(path.basename(file)) && (redacted(file, passages) !== undefined || isAbout(file, names)))
      nodeFiles.remove(file);
}

function pathsOf(place: string): readonly string[] {
  const kind = nodeFiles.stat(place)?.kind;
  if (kind === "file") return [place];
  return kind === "directory" ? filesBelow(place).map((file) => path.join(place, file)) : [];
}

function isAbout(file: string, names: ReadonlySet<string>): boolean {
  const text = new TextDecoder().decode(nodeFiles.read(file));
  return [...names].some((name) => mentionsName(text, JSON.stringify(name).slice(1, -1)));
}

/** `undefined` if there is nothing to remove. */
function redacted(file: string, passages: readonly string[]): string | undefined {
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const kept = withoutQuotations(text, passages);
  return kept === text ? undefined : kept;
}

/** Repeats if another process appended meanwhile. */
function rewrite(file: string, passages: readonly string[], attempts = 5): void {
  const size = nodeFiles.stat(file)?.size;
  const kept = redacted(file, passages);
  if (kept === undefined) return;
  const aside = `${file}.forget`;
  nodeFiles.remove(aside);
  nodeFiles.create(aside, new TextEncoder().encode(kept));
  nodeFiles.copyMode(file, aside);
  if (nodeFiles.stat(file)?.size !== size && attempts > 0) return rewrite(file, passages, attempts - 1);
  nodeFiles.rename(aside, file);
}
