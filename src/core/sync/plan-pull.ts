import type { Lineage } from "../notes/history.ts";
import { unsentLines } from "../notes/quotations.ts";
import { checkNotePath, INDEX_FILE, originalName } from "../notes/names.ts";
import { outboxWithout, withMark, type BaseEntry, type BaseUpdate, type SyncState } from "./base.ts";
import { openWorkplace, type Workplace } from "./draft.ts";
import { mergeLineSets } from "./merge-lines.ts";
import { conflictKey, type LocalNotes, type LocalStep, type UnsentText } from "./replica.ts";
import { LINES_KEY, nameHash, type RemoteEntry, removedId } from "./protocol.ts";
import type { Page, PulledEntry } from "./transport.ts";

/** Three-way merge of two texts of one note; `undefined` if both changed the same place. */
export type MergeTexts = (base: string, ours: string, theirs: string) => string | undefined;

export interface PullPlan {
  readonly forget: ReadonlySet<Lineage>;
  /** Lines of forgotten notes that never left this device. */
  readonly unsent: readonly UnsentText[];
  readonly steps: readonly LocalStep[];
  /** Notes removed here, including forgotten ones. */
  readonly removals: readonly string[];
  /** The number of notes that differ from before: a rename counts once; marks and lines of MEMORY.md do not count. */
  readonly notes: number;
  readonly update: BaseUpdate;
  readonly merged: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** Entries whose name cannot be a note's here. */
  readonly held: readonly string[];
}

/** Both texts are kept: one under `key`, the other as `copy`. */
export interface Conflict {
  readonly key: string;
  readonly copy: string;
}

interface Seen {
  /** Copies of local text, which came from no other device. */
  readonly copiesOfOurs: Set<string>;
  readonly forget: Set<Lineage>;
  readonly dead: Set<Lineage>;
  readonly unsentForgets: Set<Lineage>;
  readonly freed: Set<string>;
  readonly resync: Set<string> | undefined;
  readonly unsent: UnsentText[];
  readonly purged: string[];
  readonly merged: string[];
  readonly conflicts: Conflict[];
  readonly held: string[];
}

interface Planning {
  readonly place: Workplace;
  readonly local: LocalNotes;
  readonly state: SyncState;
  readonly page: Page;
  readonly merge: MergeTexts;
  readonly seen: Seen;
}

type NoteEntry = Exclude<RemoteEntry, { state: "forgotten" }>;

/** Plans what a page of changes does to the local notes and the base: the merge matrix of docs/sync.md. */
export function planPull(page: Page, local: LocalNotes, state: SyncState, merge: MergeTexts): PullPlan {
  const seen: Seen = {
    forget: new Set(),
    dead: new Set(state.dead),
    unsentForgets: new Set(state.unsentForgets),
    freed: new Set(state.freed),
    resync: state.resync && new Set(state.resync.seen),
    unsent: [],
    purged: [],
    merged: [],
    conflicts: [],
    copiesOfOurs: new Set(),
    held: [],
  };
  const planning: Planning = { place: openWorkplace(local, state), local, state, page, merge, seen };
  for (const pulled of page.changes) take(planning, pulled);
  const isLast = page.next === page.head;
  if (isLast) {
    // Comes first, because names that a restored space lost are not free.
    if (seen.resync !== undefined) endResync(planning, seen.resync);
    freeNames(planning);
  }
  const steps = planning.place.steps();
  return {
    forget: seen.forget,
    unsent: seen.unsent,
    steps,
    removals: [...steps.flatMap(({ kind, key }) => (kind === "delete" ? [key] : [])), ...seen.purged],
    notes: notesIn(steps, planning) + new Set(seen.purged).size,
    update: { ...planning.place.update(), ...placesAfter(planning, isLast) },
    merged: seen.merged,
    conflicts: seen.conflicts,
    held: seen.held,
  };
}

function notesIn(steps: readonly LocalStep[], { local, seen }: Planning): number {
  const changed = steps.filter(({ key }) => key !== LINES_KEY && !seen.copiesOfOurs.has(key));
  return new Set(changed.map((step) => (step.kind === "delete" ? (local.lineage(step.key) ?? step.key) : step.lineage)))
    .size;
}

function placesAfter({ state, page, seen }: Planning, isLast: boolean): BaseUpdate {
  const { resync } = state;
  return {
    cursor: page.next,
    // A space that falls back between two pages has older states again, of entries that this pull has passed.
    tops: isLast ? [] : [...new Set([...state.tops, page.head])],
    ...((resync === undefined || isLast) && { marks: withMark(state.marks, page.next) }),
    dead: [...seen.dead].filter((lineage) => !state.dead.has(lineage)),
    unsent: [...seen.unsentForgets].filter((lineage) => !state.unsentForgets.has(lineage)),
    told: [...state.unsentForgets].filter((lineage) => !seen.unsentForgets.has(lineage)),
    freed: [...seen.freed],
    ...outboxWithout(state, seen.forget),
    ...(resync !== undefined && {
      resync: isLast ? ("over" as const) : { since: resync.since, seen: [...(seen.resync ?? [])] },
    }),
  };
}

function take(planning: Planning, pulled: PulledEntry): void {
  const { entry } = pulled;
  const { seen, place } = planning;
  seen.resync?.add(entry.state === "forgotten" ? `~${entry.lineage}` : entry.key);
  if (entry.state === "forgotten") {
    forgetHere(planning, entry.lineage);
    seen.unsentForgets.delete(entry.lineage);
    for (const name of entry.names) seen.freed.add(name);
    return;
  }
  seen.freed.delete(nameHash(entry.key));
  const agreed = place.base(entry.key);
  if (seen.dead.has(entry.lineage)) {
    // Our forget is not sent yet, or a restored space has the note again.
    seen.unsentForgets.add(entry.lineage);
    if (seen.resync !== undefined) place.disagree(entry.key);
    return;
  }
  if (!canBeHere(entry.key) || (entry.state === "live" && entry.body.includes("\0"))) {
    seen.held.push(entry.key);
    return;
  }
  if (seen.resync === undefined) {
    // Our own push, or a repeated page.
    if (agreed?.revision === entry.revision && agreed.lineage === entry.lineage) return;
  } else if (isSettledByResync(planning, entry)) return;
  takeEntry(planning, entry);
}

function canBeHere(key: string): boolean {
  return key === LINES_KEY || (key !== INDEX_FILE && checkNotePath(key).ok && key === key.normalize("NFC"));
}

/** Purges a note; keeps text that exists nowhere else. */
function forgetHere({ place, local, seen, state }: Planning, lineage: Lineage): void {
  const agreed = [...state.entries.values()].flatMap((entry) =>
    entry.lineage === lineage && entry.body !== undefined ? [entry.body] : [],
  );
  // What both sides agreed on is unknown after a restore, but not which lines were written elsewhere.
  const sent = [...agreed, ...local.came(lineage)];
  for (const key of place.keysOf(lineage)) {
    seen.purged.push(key);
    const text = unsentLines(place.text(key) ?? "", sent);
    if (text !== "" && !state.unsentForgets.has(lineage)) seen.unsent.push({ key, text });
  }
  seen.dead.add(lineage);
  seen.forget.add(lineage);
  place.purge(lineage);
}

/** In a restored space, numbers do not tell older from newer. Our own records decide; otherwise both texts stay. */
function isSettledByResync({ place, local, seen, page }: Planning, entry: NoteEntry): boolean {
  const { key, lineage, revision } = entry;
  const theirs = textOf(entry);
  const agreed = place.base(key);
  const isOld = page.stoodAtSince?.(key, revision) === true;
  const isKnown = (): boolean => theirs !== undefined && local.knew(key, lineage, theirs);
  const isRemovedHere = (): boolean => place.text(key) === undefined && isKnown();
  // Agreed before the backup, so what the space has now came later: the usual rules hold.
  const isCommon = agreed !== undefined && page.stoodAtSince?.(key, agreed.revision) === true;
  if (!isOld && isCommon && !isRemovedHere()) return false;
  // Seen before under this name: the local text is newer, and is sent again. Under another name it is a copy, which may be
  // all that is left of it.
  if (isOld || isKnown()) {
    place.agree(entry);
    return true;
  }
  const now = place.text(key);
  if (key === LINES_KEY) {
    place.put(key, mergeLineSets("", now ?? "", theirs ?? ""), lineage);
    place.agree(entry);
    return true;
  }
  if (agreed === undefined || now === undefined || now === theirs) return false;
  // Removed after the restore by someone who had all that stands here: nothing newer would be lost with it.
  if (entry.state === "deleted" && isRemovalOf(entry, agreed) && isAsAgreed(place, key)) return false;
  // Never merge: an older text would remove our newer words.
  if (theirs !== undefined) keepCopy(place, seen, { key, text: theirs, lineage });
  place.agree(entry);
  return true;
}

function isRemovalOf({ was, lineage }: NoteEntry & { readonly state: "deleted" }, agreed: BaseEntry): boolean {
  return was !== undefined && agreed.hash !== undefined && was === removedId(agreed.hash) && agreed.lineage === lineage;
}

/** Whether the note here is the one, and has the text, that both sides had last. */
function isAsAgreed(place: Workplace, key: string): boolean {
  const agreed = place.base(key);
  return agreed?.state === "live" && place.text(key) === agreed.body && place.lineage(key) === agreed.lineage;
}

function takeEntry(planning: Planning, entry: NoteEntry): void {
  const { place, seen } = planning;
  const { key, lineage } = entry;
  const theirs = textOf(entry);
  const now = place.text(key);
  const mine = place.lineage(key);
  if (planning.local.blocked.has(key)) return setAside(planning, entry);
  if (now === undefined) return comesBack(planning, entry);
  if (now === theirs || isAsAgreed(place, key)) return accept(place, entry);
  // An edit wins over a delete: our text is sent again, or goes to the note's new name there.
  if (theirs === undefined) return beatsDelete(planning, entry, now);
  const merged = mine === lineage ? mergedText(planning, key, now, theirs) : undefined;
  if (merged !== undefined) {
    place.put(key, merged, lineage);
    if (merged !== theirs) seen.merged.push(key);
    return place.agree(entry);
  }
  // Both sides changed the same lines, or two notes share a name: never mix those.
  seen.copiesOfOurs.add(keepCopy(place, seen, { key, text: now, lineage: mine ?? lineage }));
  accept(place, entry);
}

function mergedText({ place, merge }: Planning, key: string, now: string, theirs: string): string | undefined {
  const agreed = place.base(key);
  const before = agreed?.lineage === place.lineage(key) ? (agreed?.body ?? "") : "";
  return key === LINES_KEY ? mergeLineSets(before, now, theirs) : merge(before, now, theirs);
}

/** Absent here: their text is taken; if we renamed the note, it goes under our name. */
function comesBack({ place, local, merge, seen }: Planning, entry: NoteEntry): void {
  const theirs = textOf(entry);
  const agreed = place.base(entry.key);
  if (theirs === undefined || agreed?.state !== "live" || agreed.lineage !== entry.lineage) return accept(place, entry);
  const renamed = place.keysOf(entry.lineage).find((key) => place.base(key) === undefined && !isCopy(key));
  const ours = renamed === undefined ? undefined : place.text(renamed);
  // Sent again, not edited: the text stood here when the note was removed, and the removal is sent next.
  if (renamed === undefined && local.knew(entry.key, entry.lineage, theirs)) return place.agree(entry);
  if (seen.resync !== undefined && renamed !== undefined && ours !== theirs) {
    // Never merge with a restored space: an older text would remove our newer words.
    keepCopy(place, seen, { key: renamed, text: theirs, lineage: entry.lineage });
    return place.agree(entry);
  }
  const merged = ours === undefined ? undefined : merge(agreed.body ?? "", ours, theirs);
  if (renamed === undefined || merged === undefined) return accept(place, entry);
  place.put(renamed, merged, entry.lineage);
  seen.merged.push(renamed);
  place.agree(entry);
}

/** They deleted what we edited. If they renamed it, our edit goes to the new name. */
function beatsDelete(planning: Planning, entry: NoteEntry, now: string): void {
  const { place, page, merge, seen } = planning;
  const agreed = place.base(entry.key);
  place.agree(entry);
  if (agreed?.lineage !== entry.lineage || place.lineage(entry.key) !== entry.lineage) return;
  const renamed = page.changes
    .map((one) => one.entry)
    .find((one) => one.state === "live" && one.lineage === entry.lineage && one.key !== entry.key && !isCopy(one.key));
  if (renamed?.state !== "live" || seen.resync !== undefined || seen.dead.has(entry.lineage)) return;
  if (!canBeHere(renamed.key) || planning.local.blocked.has(renamed.key)) return;
  const there = place.text(renamed.key);
  if (there !== undefined && there !== renamed.body) return;
  const known = place.base(renamed.key);
  if (known !== undefined && known.revision !== renamed.revision) return;
  const merged = merge(agreed.body ?? "", now, renamed.body);
  if (merged === undefined) return;
  place.remove(entry.key);
  place.put(renamed.key, merged, entry.lineage);
  seen.merged.push(renamed.key);
  place.agree(renamed);
}

/** A conflict copy has its note's lineage and holds text that a merge could drop; it is not a renamed note. */
function isCopy(key: string): boolean {
  return originalName(key) !== undefined;
}

function accept(place: Workplace, entry: NoteEntry): void {
  const theirs = textOf(entry);
  if (theirs === undefined) place.remove(entry.key);
  else place.put(entry.key, theirs, entry.lineage);
  place.agree(entry);
}

/** The local file of this name cannot be read as text, so theirs is kept next to it. */
function setAside({ place, seen }: Planning, entry: NoteEntry): void {
  if (entry.state === "live") keepCopy(place, seen, { key: entry.key, text: entry.body, lineage: entry.lineage });
  place.agree(entry);
}

/** Keeps a copy and returns its name. */
function keepCopy(place: Workplace, seen: Seen, note: { key: string; text: string; lineage: Lineage }): string {
  const copy = conflictKey(note.key, note.text, (key) => place.text(key));
  if (place.text(copy) === undefined) place.put(copy, note.text, note.lineage);
  seen.conflicts.push({ key: note.key, copy });
  return copy;
}

/** Frees names that a forgotten note held and that no note holds now: earlier agreements about them no longer apply. */
function freeNames({ place, seen }: Planning): void {
  if (seen.freed.size === 0) return;
  for (const key of place.baseKeys()) {
    const agreed = place.base(key);
    if (agreed === undefined || !seen.freed.has(nameHash(key))) continue;
    if (place.text(key) === agreed.body && place.lineage(key) === agreed.lineage) place.remove(key);
    place.disagree(key);
  }
  seen.freed.clear();
}

/** What the restored space lost counts as new again, forgets first. */
function endResync({ place, seen }: Planning, came: ReadonlySet<string>): void {
  for (const key of place.baseKeys()) if (!came.has(key)) place.disagree(key);
  for (const lineage of seen.dead) if (!came.has(`~${lineage}`)) seen.unsentForgets.add(lineage);
}

function textOf(entry: NoteEntry): string | undefined {
  return entry.state === "live" ? entry.body : undefined;
}
