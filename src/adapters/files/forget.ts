import {
  type FileChange,
  type History,
  type Redaction,
  type Lineage,
  lineageOf,
  type Lives,
  withJoined,
} from "../../core/notes/history.ts";
import { entryTarget } from "../../core/notes/index-file.ts";
import { anonymousId, INDEX_FILE } from "../../core/notes/names.ts";
import type { ForgetReceipt } from "../../core/notes/store.ts";
import { ranksOf } from "../../core/notes/note-index.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { archiveJournal, journalHistory } from "./journal.ts";
import { dropOrder, forgetPath, type Order, readOrder, writeOrder, recordForgotten } from "./forgotten.ts";
import { putFile } from "./node-files.ts";
import { keepingPageState, writeIndexFile } from "./index-page.ts";
import { sweepLateEditsOf, adoptChanges } from "./reconcile.ts";
import { scanNotes } from "./scan.ts";
import { pathOf, type StoreContext, syncParents } from "./store-context.ts";
import { readUsage, rewriteUses } from "./usage.ts";
import { GUARDS_FILE, PAST_INDEXES, VECTORS } from "./layout.ts";

/**
 * Removes the forgotten notes from a history: their versions, their lines in old versions of MEMORY.md, and reasons
 * that name them. The remaining changes record their lineage from now on, since it may no longer be derivable.
 */
function redactionOf({ lineages, names }: Order, lives: Lives): Redaction {
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
    // A reason about several notes reveals nothing about one of them, unless it names it.
    const isOfOthers = kept.some(({ file }) => file !== INDEX_FILE);
    const isTouched = kept.length < changes.length;
    const isNamed = (name: string): boolean =>
      mentionsName(transaction.reason, name) || (isTouched && mentionsName(transaction.reason, stemOf(name)));
    const isTold = (isTouched && !isOfOthers) || [...names].some(isNamed);
    return { ...transaction, reason: isTold ? "forgotten" : transaction.reason, changes: kept };
  };
}

/** A reason may name a note without its extension. */
function stemOf(name: string): string {
  return name.slice(0, -".md".length);
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
  const kept = lines.filter((line) => {
    const target = entryTarget(line);
    return ![...names].some((name) => name === target || mentionsName(line, name));
  });
  return kept.length === lines.length ? content : new TextEncoder().encode(kept.join("\n"));
}

/** Whether a text contains this name, not as part of a longer name or a path such as `sub/NAME`. Full paths count. */
export function mentionsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - LONGEST_PATH), at);
    const after = text.slice(at + name.length, at + name.length + 1);
    if (!beginsLonger(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}

/** How far back a longer name or path may have begun (characters). */
const LONGEST_PATH = 400;

/** Whether the text before a name belongs to it: part of the same word, or a relative path. */
function beginsLonger(before: string): boolean {
  const joined = before.split(/[^\p{L}\p{N}_./~-]/u).at(-1) ?? "";
  return /^[\p{L}\p{N}_-]|[\p{L}\p{N}_-]$/u.test(joined);
}

/**
 * Removes a note and its whole history from everything that a store keeps: files, MEMORY.md, index, journal, displaced
 * copies, history and usage log, under every name it ever had. The order is written to disk first. Failed parts are
 * named in the error and retried whenever the lock is taken; until then the note is not reported as forgotten.
 */
export function forgetNote(context: StoreContext, file: string): ForgetReceipt | undefined {
  requireWholePast(context);
  const order = orderFor(context, file);
  if (order === undefined) return undefined;
  const time = new Date(context.clock.now()).toISOString();
  return { id: anonymousId(file), time, purged: begin(context, order) };
}

/** The same for notes identified by lineage. */
export function forgetLineages(
  context: StoreContext,
  lineages: ReadonlySet<Lineage>,
): ForgetReceipt["purged"] | undefined {
  requireWholePast(context);
  const lives = presentLives(context);
  const names = [...lineages].flatMap((lineage) => [...lives.namesOf(lineage)]);
  return names.length === 0 ? undefined : begin(context, { lineages, names: new Set(names) });
}

export function isForgetPending(context: StoreContext): boolean {
  return context.files.stat(forgetPath(context)) !== undefined;
}

/** Completes an interrupted or failed forget, if there is one. */
export function finishForget(context: StoreContext): void {
  if (!isForgetPending(context)) return;
  requireWholePast(context);
  const pending = readOrder(context);
  const order = pending.kind === "file" ? orderFor(context, pending.file) : pending.order;
  if (order === undefined) dropOrder(context); // torn: the forget had not begun
  else purge(context, order);
}

/** The notes that have this name now, had it last, or ended under it and are nowhere else in the store. */
function orderFor(context: StoreContext, file: string): Order | undefined {
  const lives = presentLives(context);
  const lineage = lineageOf(lives, file);
  const isHere = context.files.read(pathOf(context, file)) !== undefined;
  if (lineage === undefined && !isHere) return undefined;
  const lineages = withJoined(lineage === undefined ? [] : [lineage], [lives]);
  const names = new Set([file, ...[...lineages].flatMap((one) => [...lives.namesOf(one)])]);
  return { lineages, names };
}

/** Which note each version belongs to. While the directory of notes is missing, no note counts as removed. */
export function presentLives(context: StoreContext): Lives {
  if (context.files.stat(context.directory) !== undefined) adoptChanges(context);
  archiveJournal(context);
  return historyOf(context).lives();
}

/** @throws MemoryError `unavailable` if git keeps part of the history and cannot be found: nothing can be removed. */
function requireWholePast(context: StoreContext): void {
  if (context.archive === undefined && context.files.stat(`${context.state}/history.git`) !== undefined)
    throw new MemoryError(
      "unavailable",
      `not forgotten: the history in ${context.state} is kept by git, which cannot be found; install git and forget again`,
    );
}

function historyOf(context: StoreContext): History {
  return context.archive ?? journalHistory(context);
}

function begin(context: StoreContext, order: Order): ForgetReceipt["purged"] {
  const waiting = isForgetPending(context) ? readOrder(context) : undefined;
  const earlier = waiting?.kind === "order" ? waiting.order : undefined;
  const whole: Order = {
    lineages: new Set([...order.lineages, ...(earlier?.lineages ?? [])]),
    names: new Set([...order.names, ...(earlier?.names ?? [])]),
  };
  writeOrder(context, whole);
  return purge(context, whole);
}

interface Failure {
  readonly what: string;
  readonly error: MemoryError;
}

/** Tries every part, even after others fail, so that as little as possible remains. */
function purge(context: StoreContext, order: Order): ForgetReceipt["purged"] {
  const failures: Failure[] = [];
  const attempt = (what: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      failures.push({ what, error });
    }
  };
  archiveJournal(context);
  const lives = historyOf(context).lives();
  const gone = [...order.names].filter((name) => isGone(order, lives, name));
  const purged = { versions: countVersions(context, order, lives), indexLines: countLines(context, gone) };
  attempt("the record of what was forgotten", () =>
    recordForgotten(context, gone, new Date(context.clock.now()).toISOString()),
  );
  if (context.files.stat(context.directory) !== undefined) purgeFiles(context, order, gone, attempt);
  for (const name of order.names)
    attempt("displaced copies", () =>
      gone.includes(name) ? context.replacer.purge(name) : sweepLateEditsOf(context, name),
    );
  purgeRecords(context, order, attempt); // first, since the index is filled from the log of uses
  attempt("the index", () => {
    keepingPageState(context, () => {
      context.index.clear();
      adoptChanges(context);
    });
    context.index.setUses(ranksOf(readUsage(context)));
  });
  for (const cache of [PAST_INDEXES, VECTORS])
    attempt("derived files", () => context.files.removeTree(`${context.state}/${cache}`));
  attempt("the history", () => purgeHistory(context, order));
  attempt("the directory of the store's state", () => context.files.syncDirectory(context.state));
  if (failures.length > 0) throw unfinished(context, failures);
  dropOrder(context);
  return purged;
}

function unfinished({ state }: StoreContext, failures: readonly Failure[]): MemoryError {
  const parts = [...new Map(failures.map(({ what, error }) => [what, `${what} (${error.message})`])).values()];
  return new MemoryError(
    failures[0]?.error.code ?? "io",
    `not forgotten yet: in ${state} these may still hold the note: ${parts.join("; ")}. The next command that writes there tries again`,
    { cause: failures[0]?.error },
  );
}

/** Whether the file of this name is to be removed; not if another note has the name now. */
function isGone({ lineages }: Order, { present }: Lives, name: string): boolean {
  const life = present.get(name);
  return life === undefined || lineages.has(life.lineage);
}

type Attempt = (what: string, work: () => void) => void;

function purgeFiles(context: StoreContext, { names }: Order, gone: readonly string[], attempt: Attempt): void {
  attempt("the note's file", () => {
    for (const name of gone) context.files.remove(pathOf(context, name));
    syncParents(context, [...names]);
    context.files.syncDirectory(context.directory);
  });
  attempt("temporary files", () => {
    const { leftovers } = scanNotes(context.directory, context.files, context.excluded, Number.POSITIVE_INFINITY);
    for (const file of leftovers) context.files.remove(pathOf(context, file));
  });
  attempt("the index", () => context.index.apply({ remove: gone }));
  attempt(INDEX_FILE, () => {
    sweepLateEditsOf(context, INDEX_FILE);
    writeIndexFile(context, new Set(gone));
    context.replacer.purge(INDEX_FILE);
  });
}

/** Removes the notes from memdir's own records. */
function purgeRecords(context: StoreContext, { names }: Order, attempt: Attempt): void {
  attempt("the log of recalls' uses", () => rewriteUses(context, (used) => !names.has(used)));
  // The registry of approved guards quotes notes; guards that remain can be approved again with one command.
  attempt("the registry of guards", () => {
    for (const file of namesIn(context, GUARDS_FILE))
      if (isAbout(context, file, names)) context.files.remove(`${context.state}/${file}`);
  });
  attempt("the log of dreams", () => dropDreams(context, names));
}

/** The file, and leftovers of an interrupted write of it. */
function namesIn(context: StoreContext, file: string): readonly string[] {
  return (context.files.list(context.state) ?? []).map(({ name }) => name).filter((name) => name.startsWith(file));
}

function isAbout(context: StoreContext, file: string, names: ReadonlySet<string>): boolean {
  const text = decode(context.files.read(`${context.state}/${file}`));
  return [...names].some((name) => mentionsName(text, JSON.stringify(name).slice(1, -1)));
}

/** The log of dreams quotes notes in its reasons; lines about these notes are removed. */
function dropDreams(context: StoreContext, names: ReadonlySet<string>): void {
  const path = `${context.state}/dreams.jsonl`;
  context.files.remove(`${path}.new`);
  const lines = decode(context.files.read(path)).split("\n");
  const kept = lines.filter(
    (line) => ![...names].some((name) => mentionsName(line, JSON.stringify(name).slice(1, -1))),
  );
  if (kept.length < lines.length) putFile(path, kept.join("\n"), { files: context.files, aside: `${path}.new` });
}

function purgeHistory(context: StoreContext, order: Order): void {
  archiveJournal(context);
  const redaction = redactionOf(order, historyOf(context).lives());
  context.archive?.rewrite(redaction);
  context.journal.rewrite(redaction);
}

function countVersions(context: StoreContext, { lineages }: Order, lives: Lives): number {
  return historyOf(context)
    .versions()
    .filter(({ seq, files }) => files.some(({ file }) => lineages.has(lives.at(seq, file) ?? ""))).length;
}

function countLines(context: StoreContext, names: readonly string[]): number {
  if (context.files.stat(pathOf(context, INDEX_FILE))?.kind !== "file") return 0;
  const text = decode(context.files.read(pathOf(context, INDEX_FILE)));
  const targets = text.split("\n").map(entryTarget);
  return targets.filter((target) => target !== undefined && names.includes(target)).length;
}

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
