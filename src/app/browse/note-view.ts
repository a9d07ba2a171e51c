import { shownNote, shownText, isUtf8, parseNote } from "../../core/notes/parse-note.ts";
import { guardHash } from "../../core/guards/guard.ts";
import { linkKey, noteKey } from "../../core/notes/names.ts";
import type { LoggedRecall } from "../../core/recall/log-line.ts";
import { contentVersion } from "../../core/shared/hash.ts";
import { shellWord } from "../../core/shared/shell-word.ts";
import { guardOfNote } from "../guards/guard-approval.ts";
import { approvedGuards } from "../guards/guard-registry.ts";
import { chainOf } from "../notes/supersede.ts";
import { isInReach, undoingOf, versionsOf, versionToUndo } from "../notes/versions.ts";
import { speaksOfProject } from "../../core/notes/note.ts";
import { checkLine, verifyNotes } from "../recall/verify-notes.ts";
import { mayWrite, modeIn, overriddenBy } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { type NoteRef, type ScopedStore, shownRef } from "../workspace/workspace.ts";
import { listFacts, noteItem, idOf, type Reading, refOf } from "./note-list.ts";
import type { CheckedClaim, GuardView, LinkedNote, NoteId, NoteRecall, NoteView } from "./shapes.ts";
import { versionItems } from "./versions.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import { shownType } from "../notes/gate.ts";
import type { GraphView } from "./activity-shapes.ts";

/** Dead links listed in a graph. */
const MOST_DEAD = 500;

interface Named {
  readonly scoped: ScopedStore;
  readonly entry: IndexEntry;
}

/** Finds the note that a link means: of its own scope first, then of any other. `wanted` limits the names. */
function namesIn(
  stores: readonly ScopedStore[],
  wanted?: ReadonlySet<string>,
): (from: ScopedStore, key: string) => Named | undefined {
  const byScope = new Map(
    stores.map((scoped) => {
      const names = new Map<string, Named>();
      const entries = scoped.store.index.entries();
      const isWanted = (key: string): boolean => wanted === undefined || wanted.has(key);
      // A file name takes precedence over another note's `name`.
      for (const entry of entries) {
        const key = linkKey(entry.name);
        if (isWanted(key) && !names.has(key)) names.set(key, { scoped, entry });
      }
      for (const entry of entries) {
        const key = linkKey(entry.file);
        if (isWanted(key)) names.set(key, { scoped, entry });
      }
      return [scoped.scope, names] as const;
    }),
  );
  return (from, key) =>
    byScope.get(from.scope)?.get(key) ?? [...byScope.values()].find((names) => names.has(key))?.get(key);
}

/** The links of a note, in order; a dead link has no id. */
function linksFrom({ workspace, kept }: Reading, { scoped, file }: NoteRef): readonly LinkedNote[] {
  const entry = scoped.store.index.entry(file);
  const links = entry === undefined ? [] : kept.linksOf(scoped.store, entry);
  if (links.length === 0) return [];
  const named = namesIn(workspace.stores, new Set(links.map(({ key }) => key)));
  return links.map(({ target, key }) => linked(target, named(scoped, key)));
}

function linked(target: string, to: Named | undefined): LinkedNote {
  if (to === undefined) return { target };
  const { name, description } = to.entry;
  return { target, id: idOf(to.scoped, to.entry.file), name, description };
}

/** The notes that link to a note, each once. */
export function backlinksOf({ workspace, kept }: Reading, { scoped, file }: NoteRef): readonly LinkedNote[] {
  const own = scoped.store.index.entry(file);
  if (own === undefined) return [];
  const keys = new Set([linkKey(own.file), linkKey(own.name)]);
  const named = namesIn(workspace.stores, keys);
  return workspace.stores.flatMap((from) =>
    from.store.index.entries().flatMap((entry): LinkedNote[] => {
      if (from.scope === scoped.scope && entry.file === file) return [];
      const link = kept.linksOf(from.store, entry).find(({ key }) => {
        const to = keys.has(key) ? named(from, key) : undefined;
        return to?.scoped.scope === scoped.scope && to.entry.file === file;
      });
      return link === undefined ? [] : [linked(link.target, { scoped: from, entry })];
    }),
  );
}

/** Live notes with links, and the links between them. */
export function graphView({ workspace, kept }: Reading): GraphView {
  for (const { store } of workspace.stores) store.reconcile("full");
  const named = namesIn(workspace.stores);
  const live = workspace.stores.flatMap((scoped) =>
    scoped.store.index
      .entries()
      .filter(({ supersededBy }) => supersededBy === undefined)
      .map((entry) => ({ scoped, entry, id: idOf(scoped, entry.file) })),
  );
  const dead: { id: string; target: string }[] = [];
  const pairs = new Map<string, readonly [string, string]>();
  for (const { scoped, entry, id } of live)
    for (const { target, key } of kept.linksOf(scoped.store, entry)) {
      const to = named(scoped, key);
      const toId = to === undefined ? undefined : idOf(to.scoped, to.entry.file);
      if (toId === undefined) dead.push({ id, target });
      else if (toId !== id && to?.entry.supersededBy === undefined) pairs.set(`${id}\n${toId}`, [id, toId]);
    }
  const counts = countEnds([...pairs.values()]);
  const nodes = live
    .filter(({ id }) => counts.out.has(id) || counts.in.has(id))
    .map(({ scoped, entry, id }) => ({
      id,
      name: entry.name,
      type: shownType(entry),
      scope: scoped.scope,
      out: counts.out.get(id) ?? 0,
      in: counts.in.get(id) ?? 0,
    }));
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const edges = [...pairs.values()].map(([from, to]) => [places.get(from) ?? 0, places.get(to) ?? 0] as const);
  return { nodes, edges, dead: dead.slice(0, MOST_DEAD), orphans: live.length - nodes.length };
}

function countEnds(pairs: readonly (readonly [string, string])[]): Readonly<Record<"out" | "in", Map<string, number>>> {
  const ends = { out: new Map<string, number>(), in: new Map<string, number>() };
  for (const [from, to] of pairs) {
    ends.out.set(from, (ends.out.get(from) ?? 0) + 1);
    ends.in.set(to, (ends.in.get(to) ?? 0) + 1);
  }
  return ends;
}

const MOST_RECALLS = 100;

const MOST_VERSIONS = 100;

/** A note with everything known about it; `undefined` when it is not in the index. */
export function noteView(reading: Reading, id: NoteId): NoteView | undefined {
  const { workspace, kept } = reading;
  for (const { store } of workspace.stores) store.reconcile("full");
  const ref = refOf(workspace, id);
  const bytes = ref?.scoped.store.read(ref.file);
  if (ref === undefined || bytes === undefined) return undefined;
  const { scoped, file, entry } = ref;
  const note = shownNote(parseNote(file, bytes, workspace.codec));
  const { validFrom, validTo, evidence } = note;
  const winner = overriddenBy(workspace.stores, scoped.scope, note);
  const guardRule = guardView(workspace, ref);
  const claims = claimsOf(workspace, ref);
  return {
    ...noteItem(scoped, entry, listFacts(reading)),
    version: contentVersion(bytes),
    path: `${scoped.store.directory}/${file}`,
    text: shownText(bytes),
    body: note.body,
    editable: isUtf8(bytes),
    ...(validFrom !== undefined && { validFrom }),
    ...(validTo !== undefined && { validTo }),
    ...(evidence !== undefined && { evidence }),
    links: linksFrom(reading, ref),
    backlinks: backlinksOf(reading, ref),
    ...(claims !== undefined && { claims }),
    recalls: recallsOf(kept.recalls(workspace.recallLog), id),
    ...undoOf(workspace, ref),
    versions: versionItems(reading, scoped, versionsOf(scoped, file).slice(0, MOST_VERSIONS)),
    chain: chainOf(workspace, ref).map((link) => ({
      id: idOf(scoped, link.file),
      description: link.description,
      ...(link.validFrom !== undefined && { validFrom: link.validFrom }),
      ...(link.validTo !== undefined && { validTo: link.validTo }),
    })),
    contradicts: note.contradicts.map((other) => idOf(scoped, other)),
    ...(guardRule !== undefined && { guardRule }),
    ...(winner !== undefined && { overriddenBy: winner }),
    movesTo: workspace.scopes.filter((to) => to !== scoped.scope && mayWrite(modeIn(workspace.modes, to).mode)),
    forgetCommand: `memdir forget ${shellWord(shownRef(workspace, ref))}`,
  };
}

/** What an undo of the note would revert, if anything. */
function undoOf(workspace: OpenWorkspace, { scoped, file }: NoteRef): Pick<NoteView, "undo"> {
  const version = versionToUndo(scoped, file);
  if (version === undefined || !isInReach(workspace, version)) return {};
  return { undo: undoingOf(versionsOf(scoped), version) };
}

function claimsOf(workspace: OpenWorkspace, ref: NoteRef): readonly CheckedClaim[] | undefined {
  if (!speaksOfProject(ref.scoped.scope)) return undefined;
  const verified = verifyNotes(workspace, ref);
  return verified?.notes
    .flatMap(({ checks }) => checks)
    .map((check) => ({
      claim: check.claim,
      kind: check.kind,
      verdict: check.verdict,
      line: checkLine(check),
    }));
}

/** Logged recalls that considered a note, newest first. */
function recallsOf(recalls: readonly LoggedRecall[], id: NoteId): readonly NoteRecall[] {
  const found: NoteRecall[] = [];
  for (const recall of recalls.toReversed()) {
    const considered = consideredIn(recall, id);
    if (considered === undefined) continue;
    const { time, session, prompt, by } = recall;
    found.push({
      time,
      ...(session !== undefined && { session }),
      ...(prompt !== undefined && { prompt }),
      ...considered,
      by,
    });
    if (found.length === MOST_RECALLS) break;
  }
  return found;
}

/** The log keeps ten candidates per recall; a note that was given may not be among them. */
function consideredIn(recall: LoggedRecall, id: NoteId): { readonly score: number; readonly fate: string } | undefined {
  const is = (note: LoggedRecall["candidates"][number] | LoggedRecall["selected"][number]): boolean =>
    noteKey(note) === id;
  const candidate = recall.candidates.find(is);
  if (candidate !== undefined) return { score: candidate.score, fate: candidate.fate };
  const shown = recall.selected.find(is);
  if (shown !== undefined) return { score: shown.score, fate: "shown" };
  const pointed = recall.pointed.find(is);
  return pointed === undefined ? undefined : { score: pointed.score, fate: "pointed" };
}

function guardView(workspace: OpenWorkspace, ref: NoteRef): GuardView | undefined {
  const { scoped, file } = ref;
  const read = guardOfNote(scoped.store.directory, file)?.read;
  if (read === undefined || read.kind === "none") return undefined;
  if (read.kind === "invalid") return { state: "invalid", reason: read.reason };
  const { tool, pattern, action, message } = read.guard;
  const approved = approvedGuards(workspace.locations).find((one) => one.scope === scoped.scope && one.file === file);
  const isApproved = approved?.hash === guardHash(read.guard);
  return {
    state: isApproved ? "approved" : "waiting",
    tool,
    pattern,
    action,
    ...(message !== undefined && { message }),
    ...(!isApproved && { command: `memdir guard enable ${shellWord(shownRef(workspace, ref))}` }),
  };
}
