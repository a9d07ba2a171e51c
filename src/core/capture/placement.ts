import type { NoteDraft } from "../notes/note.ts";
import { relate } from "../notes/duplicates.ts";
import { sharedTerms, subjectTerms } from "../notes/wording/words.ts";
import type { DoubtReason, ExistingNote, ProposedOperation, RuleOperation } from "./plan.ts";

export interface Placed {
  readonly operations: readonly RuleOperation[];
  readonly proposed: readonly ProposedOperation[];
}

export type Placement = { readonly kind: "duplicate" } | ({ readonly kind: "placed" } & Placed);

/** Places a draft among the existing notes and those this session already made. */
export function place(
  draft: NoteDraft,
  existing: readonly ExistingNote[],
  { operations, proposed }: Placed,
): Placement {
  for (const [index, operation] of operations.entries()) {
    const relation = relate(draft, operation.draft);
    if (relation === "contradicts")
      return { kind: "placed", operations: operations.with(index, { ...operation, draft }), proposed };
    // The same thing said more fully: the fuller wording replaces the first.
    if (saysMore(draft, operation.draft))
      return { kind: "placed", operations: operations.with(index, { ...operation, draft }), proposed };
    if (relation === "duplicate") return { kind: "duplicate" };
    if (relation === "may-be-known") return inDoubt(draft, { operations, proposed });
  }
  const relations = existing.map((note) => ({ note, relation: relate(draft, note) }));
  const contradicted = relations.find(({ relation }) => relation === "contradicts");
  const doubt = contradicted === undefined ? undefined : doubtAbout(draft, contradicted.note);
  if (contradicted !== undefined && doubt === undefined)
    return {
      kind: "placed",
      operations: [...operations, { kind: "supersede", file: contradicted.note.file, draft }],
      proposed,
    };
  if (contradicted === undefined && relations.some(({ relation }) => relation === "duplicate"))
    return { kind: "duplicate" };
  const doubted = contradicted ?? relations.find(({ relation }) => relation === "may-contradict");
  const isPerhapsKnown = ({ note, relation }: (typeof relations)[number]): boolean =>
    relation === "may-be-known" || (doubted === undefined && hasEveryWord(note, draft));
  if (contradicted === undefined && relations.some(isPerhapsKnown)) return inDoubt(draft, { operations, proposed });
  return {
    kind: "placed",
    operations: [...operations, { kind: "create", draft: withFreeName(draft, operations) }],
    proposed: [
      ...proposed,
      ...(doubted === undefined ? [] : retirement(draft, doubted.note, doubt ?? "contradiction-in-doubt")),
    ],
  };
}

/** A rule with fewer words than this may match a note by chance. */
const FEWEST_WORDS = 6;

function hasEveryWord({ description, body }: ExistingNote, draft: NoteDraft): boolean {
  const said = subjectTerms(draft.body);
  return said.size >= FEWEST_WORDS && sharedTerms(said, subjectTerms(`${description}\n${body}`)) === said.size;
}

/** Written only when a person approves: a wish is never dropped because it resembles a note. */
function inDoubt(draft: NoteDraft, { operations, proposed }: Placed): Placement {
  const operation = { kind: "create", draft: withFreeName(draft, operations) } as const;
  return { kind: "placed", operations, proposed: [...proposed, { operation, reason: "may-be-known" }] };
}

/** The new note is written because the user said it; retiring the old one is for them to decide. */
function retirement(draft: NoteDraft, note: ExistingNote, reason: DoubtReason): readonly ProposedOperation[] {
  return draft.evidence === undefined
    ? []
    : [{ operation: { kind: "retire", file: note.file, evidence: draft.evidence }, reason }];
}

/** Why a draft may not replace a note without asking; `undefined` when it may. */
export function doubtAbout(draft: NoteDraft, note: ExistingNote): DoubtReason | undefined {
  if (note.protected === true) return "protected-note";
  const scope = /^([a-z]+):/u.exec(note.file)?.[1];
  // A file without a scope is in this store.
  if (scope === undefined || scope === "project" || scope === "local") return undefined;
  return scope === "user" && draft.type === "user" ? undefined : "other-scope";
}

/** The draft says all that the earlier wording says, and something new. */
function saysMore(draft: NoteDraft, earlier: NoteDraft): boolean {
  const relation = relate(earlier, draft);
  return (relation === "duplicate" || relation === "may-be-known") && relate(draft, earlier) !== "duplicate";
}

/** Two notes of one session with the same key words get different names. */
function withFreeName(draft: NoteDraft, operations: readonly RuleOperation[]): NoteDraft {
  const names = new Set(operations.map((operation) => operation.draft.name));
  let name = draft.name;
  for (let number = 2; names.has(name); number++) name = `${draft.name.slice(0, 56)}-${number}`;
  return { ...draft, name };
}
