import { GUARDS_FILE } from "../../core/guards/registry-file.ts";
import type { Redaction } from "../../core/notes/history.ts";
import { entryTarget } from "../../core/notes/index-file.ts";
import { INDEX_FILE, isConflictCopy } from "../../core/notes/names.ts";
import type { ForgetReceipt } from "../../core/notes/store.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { archiveJournal, journalHistory } from "./archive.ts";
import { anonymousId, recordForgotten } from "./forgotten.ts";
import { keepingPageState, writeIndexFile } from "./index-page.ts";
import { sweepLateEditsOf } from "./late-edits.ts";
import { adoptChanges } from "./reconcile.ts";
import { pathOf, type StoreContext, syncParents } from "./store-context.ts";
import { readUses, rewriteUses } from "./usage.ts";
import { VECTORS } from "./vector-cache.ts";

/** Where indexes of earlier versions are kept, inside the store's state; a cache. */
export const PAST_INDEXES = "as-of";

/**
 * Takes a note and its conflict copies out of everything memdir keeps: files, MEMORY.md, index, journal,
 * displaced copies, history, usage log. What is to be purged is recorded first, so an interrupted forget is
 * finished by the next process; when it is done only hashes of the names and the time remain.
 */
export function forgetNote(context: StoreContext, file: string): ForgetReceipt | undefined {
  adoptChanges(context);
  archiveJournal(context);
  const history = context.archive ?? journalHistory(context);
  if (context.files.read(pathOf(context, file)) === undefined && history.versions(file).length === 0) return undefined;
  context.files.remove(pendingPath(context));
  context.files.create(pendingPath(context), encode(JSON.stringify({ file })));
  context.files.syncDirectory(context.state);
  return purge(context, file);
}

export function isForgetPending(context: StoreContext): boolean {
  return context.files.stat(pendingPath(context)) !== undefined;
}

/** Completes an interrupted forget, if there is one. */
export function finishForget(context: StoreContext): void {
  const pending = context.files.read(pendingPath(context));
  if (pending === undefined) return;
  const file = parsePending(pending);
  if (file === undefined) context.files.remove(pendingPath(context)); // torn: the forget had not begun
  else purge(context, file);
}

function purge(context: StoreContext, file: string): ForgetReceipt {
  const time = new Date(context.clock.now()).toISOString();
  const isOne = (name: string): boolean => name === file || isConflictCopy(name, file);
  const present = [...context.index.stamps().keys()].filter((name) => isConflictCopy(name, file));
  const names = [file, ...present];
  recordForgotten(context, names, time);
  archiveJournal(context);
  const history = context.archive ?? journalHistory(context);
  const versions = history.versions(file);
  const hashes = new Set(versions.map(({ seq }) => history.contentAt(seq, file)).filter((content) => content !== undefined).map(sha256));
  const current = context.files.read(pathOf(context, file));
  if (current !== undefined) hashes.add(sha256(current));
  const indexLines = countLines(context, file);
  removeFiles(context, names);
  sweepLateEditsOf(context, INDEX_FILE);
  writeIndexFile(context, new Set(names));
  context.replacer.purge(INDEX_FILE);
  keepingPageState(context, () => {
    context.index.clear();
    adoptChanges(context);
  });
  for (const cache of [PAST_INDEXES, VECTORS]) context.files.removeTree(`${context.state}/${cache}`);
  rewriteUses(context, (used) => !isOne(used));
  // The registry of approved guards quotes notes; those that stay are approved again with one command.
  if (mentionsOne(context, names)) context.files.remove(guardsPath(context));
  context.index.addUses(readUses(context));
  dropDreams(context, names);
  archiveJournal(context);
  const redaction = redactionOf(context, isOne, file, hashes);
  context.journal.rewrite(redaction);
  context.archive?.rewrite(redaction);
  context.files.syncDirectory(context.state);
  context.files.remove(pendingPath(context));
  return { id: anonymousId(file), time, purged: { versions: versions.length, indexLines } };
}

function mentionsOne(context: StoreContext, names: readonly string[]): boolean {
  const registry = context.files.read(guardsPath(context));
  const text = registry === undefined ? "" : decode(registry);
  return names.some((name) => text.includes(JSON.stringify(name)));
}

function guardsPath(context: StoreContext): string {
  return `${context.state}/${GUARDS_FILE}`;
}

/** The log of dreams quotes notes in its reasons: what tells of these goes. */
function dropDreams(context: StoreContext, names: readonly string[]): void {
  const path = `${context.state}/dreams.jsonl`;
  const bytes = context.files.read(path);
  if (bytes === undefined) return;
  const isAbout = (line: string): boolean => names.some((name) => line.includes(JSON.stringify(name).slice(1, -1)));
  const kept = decode(bytes).split("\n").filter((line) => !isAbout(line)).join("\n");
  if (kept === decode(bytes)) return;
  context.files.remove(`${path}.new`);
  context.files.create(`${path}.new`, encode(kept));
  context.files.rename(`${path}.new`, path);
}

function removeFiles(context: StoreContext, names: readonly string[]): void {
  for (const name of names) {
    context.files.remove(pathOf(context, name));
    context.replacer.purge(name);
  }
  syncParents(context, names);
  context.files.syncDirectory(context.directory);
  context.index.apply({ remove: names });
}

/** Drops the note under any name it ever had, and its lines from old versions of MEMORY.md. */
function redactionOf(context: StoreContext, isOne: (name: string) => boolean, file: string, hashes: ReadonlySet<string>): Redaction {
  const live = new Map<string, boolean>();
  const isLive = (name: string): boolean => {
    const known = live.get(name) ?? context.files.stat(pathOf(context, name)) !== undefined;
    live.set(name, known);
    return known;
  };
  return {
    drops: (name, content) => isOne(name) || (content !== undefined && name !== INDEX_FILE && hashes.has(sha256(content)) && !isLive(name)),
    edit: (name, content) => (name === INDEX_FILE ? withoutLines(content, file) : content),
  };
}

function withoutLines(content: Uint8Array, file: string): Uint8Array {
  const text = decode(content);
  const stem = file.replace(/\.md$/iu, "");
  const isAbout = (line: string): boolean => line.includes(file) || entryTarget(line) === file || isConflictCopy(entryTarget(line) ?? "", file);
  return text.includes(stem) || text.includes(encodeURI(stem)) ? encode(text.split("\n").filter((line) => !isAbout(line)).join("\n")) : content;
}

function countLines(context: StoreContext, file: string): number {
  if (context.files.stat(pathOf(context, INDEX_FILE))?.kind !== "file") return 0;
  const text = decode(context.files.read(pathOf(context, INDEX_FILE)) ?? new Uint8Array());
  return text.split("\n").filter((line) => entryTarget(line) === file).length;
}

function pendingPath(context: StoreContext): string {
  return `${context.state}/forget-pending.json`;
}

function parsePending(bytes: Uint8Array): string | undefined {
  try {
    const value: unknown = JSON.parse(decode(bytes));
    return typeof value === "object" && value !== null && "file" in value && typeof value.file === "string" ? value.file : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
