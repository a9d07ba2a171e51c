import { renamedTo } from "../notes/claims/check.ts";
import type { Check } from "../notes/claims/claim.ts";
import { truncate } from "../shared/text.ts";
import { type DreamNote, isOpen, isProtected } from "./note.ts";
import type { DreamCause, DreamEdit, DreamOperation } from "./operation.ts";

/** A note that names more things is about more than what is gone. */
const MOST_NAMED = 6;

/**
 * What the repository contradicts: names that moved are corrected; a note about things that are all gone is
 * retired, if it told of the project and asked for nothing; the rest is told.
 */
export function mendReferences(note: DreamNote): DreamOperation[] {
  return [...moved(note), ...gone(note)];
}

function moved(note: DreamNote): DreamOperation[] {
  const edits = note.checks.flatMap((check): (DreamEdit & { readonly kind: "replace" })[] => {
    const to = renamedTo(check);
    return to === undefined || to === check.claim || !stands(note, check.claim)
      ? []
      : [{ kind: "replace", file: note.file, from: check.claim, to }];
  });
  if (edits.length === 0) return [];
  const said = edits.map(({ from, to }) => `${from} is now ${to}`).join("; ");
  if (isProtected(note)) return [flag(note, "reference", `${said}; the note is yours, so it stays as it is`)];
  return [
    { kind: "correct", cause: "reference", files: [note.file], reason: `git: ${said}`, edits, ask: !isOpen(note) },
  ];
}

/** A name that is part of a longer one is not the claim. */
function stands({ body, description }: DreamNote, claim: string): boolean {
  return body.includes(claim) || description.includes(claim);
}

function gone(note: DreamNote): DreamOperation[] {
  const lost = note.checks.filter(({ verdict }) => verdict === "gone");
  if (lost.length === 0) return [];
  const said = truncate(
    lost.map(({ claim, detail }) => `${claim}${detail === undefined ? "" : ` (${detail})`}`).join("; "),
    400,
  );
  const isDead =
    canDie(note) &&
    lost.some(({ kind }) => kind === "path" || kind === "symbol") &&
    note.checks.every(isLost) &&
    note.checks.length <= MOST_NAMED;
  if (!isDead) return [flag(note, "reference", `names what is gone: ${said}`)];
  return [
    {
      kind: "retire",
      cause: "reference",
      files: [note.file],
      reason: `all it is about is gone: ${said}`,
      edits: [{ kind: "retire", file: note.file, by: "nothing" }],
      ask: !isOpen(note),
    },
  ];
}

function isLost({ verdict, kind }: Check): boolean {
  return verdict === "gone" || kind === "host";
}

/** How somebody wants to work, and who they are, outlives the files it was said about. */
function canDie(note: DreamNote): boolean {
  return !isProtected(note) && (note.type === "project" || note.type === "reference");
}

export function flag(note: Pick<DreamNote, "file">, cause: DreamCause, reason: string): DreamOperation {
  return { kind: "flag", cause, files: [note.file], reason, edits: [], ask: true };
}
