import { excludedBy, type ExclusionReason, explainExclusion } from "../../core/notes/exclusions/exclusion.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { findHidden, stripTyped } from "../../core/shared/hidden.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { withoutLine } from "../../core/notes/index-file.ts";
import { NOTE_TYPES, type NoteType, type Scope, SCOPES, splitScope } from "../../core/notes/note.ts";
import { shownType } from "../../core/notes/parse-note.ts";

/** The words in which surfaces speak of notes. */
export { NOTE_TYPES, SCOPES, shownType, splitScope, withoutLine };

/** @throws MemoryError `invalid-input` for a word that is not a type. */
export function noteType(text: string | undefined): NoteType | undefined {
  const type = NOTE_TYPES.find((one) => one === text);
  if (text !== undefined && type === undefined)
    throw new MemoryError("invalid-input", `unknown type "${text}"; use one of ${NOTE_TYPES.join(", ")}`);
  return type;
}

/** @throws MemoryError `invalid-input` for a word that is not a scope. */
export function noteScope(text: string | undefined): Scope | undefined {
  const scope = SCOPES.find((one) => one === text);
  if (text !== undefined && scope === undefined)
    throw new MemoryError("invalid-input", `unknown scope "${text}"; use one of ${SCOPES.join(", ")}`);
  return scope;
}

/** Why a text was not written. */
export interface RefusedText {
  readonly outcome: "refused";
  readonly reason: "secret" | "hidden-characters";
  readonly message: string;
}

/** A text that is not a note: said elsewhere, or of the hour. Whoever insists keeps it. */
export interface RefusedNote {
  readonly outcome: "refused";
  readonly reason: ExclusionReason;
  readonly message: string;
}

/** Whether a refusal can be overruled: a secret cannot. */
export function isExclusion({ reason }: { readonly reason: RefusedText["reason"] | RefusedNote["reason"] }): boolean {
  return reason !== "secret" && reason !== "hidden-characters";
}

/** The rule of what a note is not for, with what the instruction files of the project say. */
export async function refuseExcluded(
  { instructions }: Pick<Workspace, "instructions">,
  text: string,
): Promise<RefusedNote | undefined> {
  const found = excludedBy(text, (await instructions?.()) ?? "");
  return found && { outcome: "refused", reason: found.reason, message: explainExclusion(found) };
}

/**
 * The gate that every string passes on its way to the disk: secrets and text that a person cannot see are never written,
 * even when asked. Takes texts, lists and whole objects; every string in them is looked at.
 */
export async function refuseText(
  { secrets }: Pick<Workspace, "secrets">,
  ...values: readonly unknown[]
): Promise<RefusedText | undefined> {
  const texts = stringsIn(values);
  // A byte order mark at the start is how some editors save, not something hidden.
  if (texts.some((text) => findHidden(text.replace(/^\uFEFF/u, "")).length > 0))
    return {
      outcome: "refused",
      reason: "hidden-characters",
      message:
        "the text contains hidden or bidirectional control characters that a reader cannot see; remove them and try again",
    };
  // One by one: the end of one text and the beginning of the next are not a name and value.
  for (const text of new Set(texts)) {
    const [first] = await secrets.scan(text);
    if (first !== undefined) return refusedSecret(first.rule);
  }
  return undefined;
}

function refusedSecret(rule: string): RefusedText {
  return {
    outcome: "refused",
    reason: "secret",
    message: `the text contains what looks like a secret (${rule}); nothing was written. Remember where the secret is kept instead of the secret`,
  };
}

/** The same for what is not a note: settings, guards. @throws MemoryError `refused`. */
export async function requireClean(
  workspace: Pick<Workspace, "secrets">,
  ...values: readonly unknown[]
): Promise<void> {
  const refusal = await refuseText(workspace, ...values);
  if (refusal !== undefined) throw new MemoryError("refused", refusal.message);
}

/** Every string in a value. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The same value; every string in it without control characters that a keyboard leaves. */
export function asTyped<Value>(value: Value): Value;

export function asTyped(value: unknown): unknown {
  if (typeof value === "string") return stripTyped(value);
  if (Array.isArray(value)) return value.map((one: unknown) => asTyped(one));
  return typeof value === "object" && value !== null && !(value instanceof Date)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTyped(one)]))
    : value;
}
