import type { NoteType } from "../../notes/note.ts";
import type { DreamNote } from "../note.ts";
import { statementOf } from "../../notes/statement.ts";

/** Notes that may speak of one thing; what a model is shown together. */
export interface NoteGroup {
  readonly type: NoteType;
  readonly notes: readonly DreamNote[];
}

export interface GroupLimits {
  readonly groups: number;
  /** Notes in one group. */
  readonly size: number;
  /** Characters of a note: a longer one is a document, and not shown. */
  readonly noteCharacters: number;
}

const GROUP_LIMITS: GroupLimits = { groups: 8, size: 12, noteCharacters: 1_500 };

/** Words that stand in more notes than this say nothing of what a note is about. */
const COMMON = 40;
/** Share of rarer words that two notes have in common (of the shorter one's) before they are shown together. */
const ALIKE = 0.34;
const LEAST_SHARED = 2;

/**
 * Groups of notes of one type with similar words, the closest first; each note in one group at most. `isNews`: a group
 * is worth a question only when one of its notes is. Time grows with the notes, not their pairs: only rarer words are
 * followed.
 */
export function relatedGroups(
  notes: readonly DreamNote[],
  isNews: (note: DreamNote) => boolean,
  limits: GroupLimits = GROUP_LIMITS,
): readonly NoteGroup[] {
  const groups: (NoteGroup & { readonly closeness: number })[] = [];
  const types = new Set(notes.map(({ type }) => type).filter((type) => type !== undefined));
  for (const type of types) {
    const own = notes.filter(
      (note) => note.type === type && note.body.length <= limits.noteCharacters && note.body.trim() !== "",
    );
    groups.push(...groupsOf(own, limits).map(({ members, closeness }) => ({ type, notes: members, closeness })));
  }
  return groups
    .filter((group) => group.notes.some(isNews))
    .toSorted((a, b) => b.closeness - a.closeness)
    .slice(0, limits.groups)
    .map(({ type, notes: members }) => ({ type, notes: members }));
}

interface Grouped {
  readonly members: readonly DreamNote[];
  /** Likeness of the two closest, 0 to 1. */
  readonly closeness: number;
}

function groupsOf(notes: readonly DreamNote[], { size }: GroupLimits): Grouped[] {
  const terms = new Map(notes.map((note) => [note, statementOf(`${note.description}\n\n${note.body}`).terms]));
  const holders = new Map<string, DreamNote[]>();
  for (const [note, own] of terms)
    for (const term of own) holders.set(term, [...(holders.get(term) ?? []), note].slice(0, COMMON + 1));
  const rare = (note: DreamNote): string[] =>
    [...(terms.get(note) ?? [])].filter((term) => (holders.get(term)?.length ?? 0) <= COMMON);
  const taken = new Set<DreamNote>();
  const groups: Grouped[] = [];
  for (const note of notes) {
    if (taken.has(note)) continue;
    const own = rare(note);
    const shared = new Map<DreamNote, number>();
    for (const term of own)
      for (const other of holders.get(term) ?? [])
        if (other !== note && !taken.has(other)) shared.set(other, (shared.get(other) ?? 0) + 1);
    const near = [...shared]
      .filter(([, count]) => count >= LEAST_SHARED)
      .map(([other, count]) => ({ other, likeness: count / Math.max(1, Math.min(own.length, rare(other).length)) }))
      .filter(({ likeness }) => likeness >= ALIKE)
      .toSorted((a, b) => b.likeness - a.likeness)
      .slice(0, size - 1);
    const [closest] = near;
    if (closest === undefined) continue;
    const members = [note, ...near.map(({ other }) => other)];
    for (const member of members) taken.add(member);
    groups.push({ members, closeness: closest.likeness });
  }
  return groups;
}
