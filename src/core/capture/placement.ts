import { changeOfTexts } from "../notes/changes/change.ts";
import type { NoteDraft } from "../notes/note.ts";
import { changes, overlapOf } from "../notes/duplicates.ts";
import { sharedTerms, subjectTerms } from "../notes/wording/words.ts";
import type { CapturePlan, ExistingNote, RuleOperation } from "./plan.ts";

export type Placed = Omit<CapturePlan<RuleOperation>, "refused">;

/** Places a draft among the existing notes and those this session already made; `undefined` for a duplicate. */
export function place(
  draft: NoteDraft,
  existing: readonly ExistingNote[],
  { operations, proposed }: Placed,
): Placed | undefined {
  for (const [index, operation] of operations.entries()) {
    const isReplaced = changeOfTexts(draft.body, operation.draft.body).kind === "replaces";
    // The same thing said more fully: the fuller wording replaces the first.
    if (isReplaced || saysMore(draft, operation.draft))
      return { operations: operations.with(index, { ...operation, draft }), proposed };
  }
  const notes = [...operations.map((operation) => operation.draft), ...existing];
  const overlaps = notes.map((note) => overlapOf(draft, note));
  if (overlaps.includes("duplicate")) return undefined;
  const operation = { kind: "create", draft: withFreeName(draft, operations) } as const;
  // Written only when a person approves: a wish is never dropped because it resembles a note.
  if (overlaps.includes("may-be-known") || existing.some((note) => hasEveryWord(note, draft)))
    return { operations, proposed: [...proposed, { operation, reason: "may-be-known" }] };
  return { operations: [...operations, operation], proposed };
}

/** A rule with fewer words than this may match a note by chance. */
const FEWEST_WORDS = 6;

function hasEveryWord(note: ExistingNote, draft: NoteDraft): boolean {
  const said = subjectTerms(draft.body);
  const isWithin =
    said.size >= FEWEST_WORDS && sharedTerms(said, subjectTerms(`${note.description}\n${note.body}`)) === said.size;
  return isWithin && !changes(draft, note);
}

/** The draft says all that the earlier wording says, and something new. */
function saysMore(draft: NoteDraft, earlier: NoteDraft): boolean {
  return overlapOf(earlier, draft) !== "new" && overlapOf(draft, earlier) !== "duplicate";
}

/** Two notes of one session with the same key words get different names. */
function withFreeName(draft: NoteDraft, operations: readonly RuleOperation[]): NoteDraft {
  const names = new Set(operations.map((operation) => operation.draft.name));
  let name = draft.name;
  for (let number = 2; names.has(name); number++) name = `${draft.name.slice(0, 56)}-${number}`;
  return { ...draft, name };
}
