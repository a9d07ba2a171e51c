import type { Lineage } from "../notes/history.ts";
import { unsentLines } from "../notes/quotations.ts";
import { checkNotePath, INDEX_FILE, originalName } from "../notes/names.ts";
import { outboxWithout, withMark, type BaseUpdate, type SyncState } from "./base.ts";
import { openWorkplace, type Workplace } from "./draft.ts";
import { mergeLineSets } from "./merge-lines.ts";
import { conflictKey, type LocalNotes, type LocalStep, type UnsentText } from "./replica.ts";
import { LINES_KEY, nameHash, type RemoteEntry } from "./protocol.ts";
import type { Page, PulledEntry } from "./transport.ts";

/** Three-way merge of two texts of one note; `undefined` where both changed the same place. */
export type MergeTexts = (base: string, ours: string, theirs: string) => string | undefined;

export interface PullPlan {
  readonly forget: ReadonlySet<Lineage>;
  /** Lines of forgotten notes that never left this device. */
  readonly unsent: readonly UnsentText[];
  readonly steps: readonly LocalStep[];
  /** Notes that go from here, forgotten ones included. */
  readonly removals: readonly string[];
  /** Notes that are other here than before: a rename is one, and neither marks nor lines of MEMORY.md are any. */
  readonly notes: number;
  readonly update: BaseUpdate;
  readonly merged: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** Entries whose name cannot be a note here. */
  readonly held: readonly string[];
}

/** Both texts stay: one under `key`, the other as `copy`. */
export interface Conflict {
  readonly key: string;
  readonly copy: string;
}

interface Seen {
  /** Copies of what was written here, which came from nowhere. */
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

/** What a page of changes does to the notes here and to the base: the merge matrix of docs/sync.md. */
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
    // What a restored space lost is not free, it is lost: that comes first.
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
    ...(isLast && { tops: [] }),
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
    // Our forget is on its way, or a restored space has the note again.
    seen.unsentForgets.add(entry.lineage);
    if (seen.resync !== undefined) place.disagree(entry.key);
    return;
  }
  if (!canBeHere(entry.key) || (entry.state === "live" && entry.body.includes("\0"))) {
    seen.held.push(entry.key);
    return;
  }
  if (seen.resync === undefined) {
    // Our own push, or a page that comes again.
    if (agreed?.revision === entry.revision && agreed.lineage === entry.lineage) return;
  } else if (isSettledByResync(planning, pulled, entry)) return;
  takeEntry(planning, entry);
}

function canBeHere(key: string): boolean {
  return key === LINES_KEY || (key !== INDEX_FILE && checkNotePath(key).ok && key === key.normalize("NFC"));
}

/** Purges a note and keeps what nobody else has of it. */
function forgetHere({ place, seen, state }: Planning, lineage: Lineage): void {
  const sent = [...state.entries.values()].flatMap((entry) =>
    entry.lineage === lineage && entry.body !== undefined ? [entry.body] : [],
  );
  for (const key of place.keysOf(lineage)) {
    seen.purged.push(key);
    const text = unsentLines(place.text(key) ?? "", sent);
    if (text !== "" && !state.unsentForgets.has(lineage)) seen.unsent.push({ key, text });
  }
  seen.dead.add(lineage);
  seen.forget.add(lineage);
  place.purge(lineage);
}

/** A restored space: nobody can tell older from newer by numbers, so what we know decides, and else both stay. */
function isSettledByResync({ place, local, seen }: Planning, { isOld }: PulledEntry, entry: NoteEntry): boolean {
  const { key, lineage } = entry;
  const theirs = textOf(entry);
  // Seen before: what is here now is newer, and goes up again.
  if (isOld === true || (theirs !== undefined && local.knew(lineage, theirs))) {
    place.agree(entry);
    return true;
  }
  const now = place.text(key);
  if (key === LINES_KEY) {
    place.put(key, mergeLineSets("", now ?? "", theirs ?? ""), lineage);
    place.agree(entry);
    return true;
  }
  if (place.base(key) === undefined || now === undefined || now === theirs) return false;
  // Never a merge: an older text would remove our newer words.
  if (theirs !== undefined) keepCopy(place, seen, { key, text: theirs, lineage });
  place.agree(entry);
  return true;
}

function takeEntry(planning: Planning, entry: NoteEntry): void {
  const { place, seen } = planning;
  const { key, lineage } = entry;
  const theirs = textOf(entry);
  const agreed = place.base(key);
  const now = place.text(key);
  const mine = place.lineage(key);
  if (planning.local.blocked.has(key)) return setAside(planning, entry);
  if (now === undefined) return comesBack(planning, entry);
  const isUnchanged = agreed?.state === "live" && now === agreed.body && mine === agreed.lineage;
  if (now === theirs || isUnchanged) return accept(place, entry);
  // An edit beats a delete: ours goes up again, or into the name that theirs has now.
  if (theirs === undefined) return beatsDelete(planning, entry, now);
  const merged = mine === lineage ? mergedText(planning, key, now, theirs) : undefined;
  if (merged !== undefined) {
    place.put(key, merged, lineage);
    if (merged !== theirs) seen.merged.push(key);
    return place.agree(entry);
  }
  // Both changed the same lines, or two notes have one name: those are never mixed.
  seen.copiesOfOurs.add(keepCopy(place, seen, { key, text: now, lineage: mine ?? lineage }));
  accept(place, entry);
}

function mergedText({ place, merge }: Planning, key: string, now: string, theirs: string): string | undefined {
  const agreed = place.base(key);
  const before = agreed?.lineage === place.lineage(key) ? (agreed?.body ?? "") : "";
  return key === LINES_KEY ? mergeLineSets(before, now, theirs) : merge(before, now, theirs);
}

/** Absent here: what they wrote comes, unless we renamed it; then it goes under our name. */
function comesBack({ place, merge, seen }: Planning, entry: NoteEntry): void {
  const theirs = textOf(entry);
  const agreed = place.base(entry.key);
  if (theirs === undefined || agreed?.state !== "live" || agreed.lineage !== entry.lineage) return accept(place, entry);
  const renamed = place.keysOf(entry.lineage).find((key) => place.base(key) === undefined && !isCopy(key));
  const ours = renamed === undefined ? undefined : place.text(renamed);
  if (seen.resync !== undefined && renamed !== undefined && ours !== theirs) {
    // Never a merge with a restored space: an older text would remove our newer words.
    keepCopy(place, seen, { key: renamed, text: theirs, lineage: entry.lineage });
    return place.agree(entry);
  }
  const merged = ours === undefined ? undefined : merge(agreed.body ?? "", ours, theirs);
  if (renamed === undefined || merged === undefined) return accept(place, entry);
  place.put(renamed, merged, entry.lineage);
  seen.merged.push(renamed);
  place.agree(entry);
}

/** They deleted what we edited. Where they renamed it, the edit goes under the new name. */
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

/** A conflict's copy has the lineage of its note, and holds what a merge into it could drop: no note was renamed to it. */
function isCopy(key: string): boolean {
  return originalName(key) !== undefined;
}

function accept(place: Workplace, entry: NoteEntry): void {
  const theirs = textOf(entry);
  if (theirs === undefined) place.remove(entry.key);
  else place.put(entry.key, theirs, entry.lineage);
  place.agree(entry);
}

/** What lies under this name here cannot be read as text: theirs goes beside it. */
function setAside({ place, seen }: Planning, entry: NoteEntry): void {
  if (entry.state === "live") keepCopy(place, seen, { key: entry.key, text: entry.body, lineage: entry.lineage });
  place.agree(entry);
}

/** Gives the name of the copy. */
function keepCopy(place: Workplace, seen: Seen, note: { key: string; text: string; lineage: Lineage }): string {
  const copy = conflictKey(note.key, note.text, (key) => place.text(key));
  if (place.text(copy) === undefined) place.put(copy, note.text, note.lineage);
  seen.conflicts.push({ key: note.key, copy });
  return copy;
}

/** Names that a forgotten note held and that nothing holds now: what was another note's before is nobody's any more. */
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

/** What the restored space lost is new again, forgets first of all. */
function endResync({ place, seen }: Planning, came: ReadonlySet<string>): void {
  for (const key of place.baseKeys()) if (!came.has(key)) place.disagree(key);
  for (const lineage of seen.dead) if (!came.has(`~${lineage}`)) seen.unsentForgets.add(lineage);
}

function textOf(entry: NoteEntry): string | undefined {
  return entry.state === "live" ? entry.body : undefined;
}
