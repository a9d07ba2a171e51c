import type { NoteDraft } from "../notes/note.ts";
import { changes, overlapOf } from "../notes/duplicates.ts";
import { sharedTerms, subjectTerms } from "../notes/wording/words.ts";
import type { CapturePlan, ExistingNote, RuleOperation } from "./plan.ts";

export type Placed = Omit<CapturePlan<RuleOperation>, "refused">;

/**
 * Places a draft among the existing notes and those this session already made; `undefined` for a duplicate. What it
 * changes is decided when it is written.
 */
export function place(
  draft: NoteDraft,
  existing: readonly ExistingNote[],
  { operations, proposed }: Placed,
): Placed | undefined {
  // A fuller wording of the same thing takes the place of the first.
  const others = operations.filter((operation) => !saysMore(draft, operation.draft));
  const overlaps = [...others.map((operation) => operation.draft), ...existing].map((note) => overlapOf(draft, note));
  if (overlaps.includes("duplicate")) return undefined;
  const operation = { kind: "create", draft } as const;
  // Written only when a person approves: a wish is never dropped because it resembles a note.
  return overlaps.includes("may-be-known") || existing.some((note) => hasEveryWord(note, draft))
    ? { operations, proposed: [...proposed, { operation, reason: "may-be-known" }] }
    : { operations: [...others, operation], proposed };
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
