import { excludedBy, type ExclusionReason, explainExclusion } from "../../core/notes/exclusions/exclusion.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { findHidden, stripTyped } from "../../core/shared/hidden.ts";
import { personalIn } from "../../core/notes/personal.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { withoutLine } from "../../core/notes/index-file.ts";
import { NOTE_TYPES, type NoteType, type Scope, SCOPES, splitScope } from "../../core/notes/note.ts";
import { shownType } from "../../core/notes/parse-note.ts";

/** Names for notes that surfaces use. */
export { NOTE_TYPES, SCOPES, shownType, splitScope, withoutLine };

/** @throws MemoryError `invalid-input` if the text is not a type. */
export function noteType(text: string | undefined): NoteType | undefined {
  const type = NOTE_TYPES.find((one) => one === text);
  if (text !== undefined && type === undefined)
    throw new MemoryError("invalid-input", `unknown type "${text}"; use one of ${NOTE_TYPES.join(", ")}`);
  return type;
}

/** @throws MemoryError `invalid-input` if the text is not a scope. */
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

/** Why a text does not belong in a note: it is said elsewhere, or true only for the moment. `insist` keeps it. */
export interface RefusedNote {
  readonly outcome: "refused";
  readonly reason: ExclusionReason;
  readonly message: string;
}

/** Why a text stays with its writer. */
export interface RefusedPersonal {
  readonly outcome: "refused";
  readonly reason: "personal";
  readonly message: string;
}

export type RefusalReason = (RefusedText | RefusedNote | RefusedPersonal)["reason"];

/** Whether a refusal can be overruled: one for a secret, hidden characters or personal data cannot. */
export function isExclusion({ reason }: { readonly reason: RefusalReason }): boolean {
  return reason !== "secret" && reason !== "hidden-characters" && reason !== "personal";
}

/** Checks the rules on what does not belong in a note, including what the project's instruction files already say. */
export async function refuseExcluded(
  { instructions }: Pick<Workspace, "instructions">,
  text: string,
): Promise<RefusedNote | undefined> {
  const found = excludedBy(text, (await instructions?.()) ?? "");
  return found && { outcome: "refused", reason: found.reason, message: explainExclusion(found) };
}

/**
 * The gate for every string written to disk: secrets and hidden characters are never written, even on request. Takes
 * texts, lists and whole objects, and checks every string in them.
 */
export async function refuseText(
  { secrets }: Pick<Workspace, "secrets">,
  ...values: readonly unknown[]
): Promise<RefusedText | undefined> {
  const texts = stringsIn(values);
  // Some editors save a byte order mark at the start; it is not hidden text.
  if (texts.some((text) => findHidden(text.replace(/^\uFEFF/u, "")).length > 0))
    return {
      outcome: "refused",
      reason: "hidden-characters",
      message:
        "the text contains hidden or bidirectional control characters that a reader cannot see; remove them and try again",
    };
  // One by one: the end of one text and the start of the next are not a name and its value.
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

/** The same for text that is not a note, such as settings and guards. @throws MemoryError `refused`. */
export async function requireClean(
  workspace: Pick<Workspace, "secrets">,
  ...values: readonly unknown[]
): Promise<void> {
  const refusal = await refuseText(workspace, ...values);
  if (refusal !== undefined) throw new MemoryError("refused", refusal.message);
}

/** Whether other people read the notes of a scope. */
export function isShared(scope: Scope): boolean {
  return scope === "team" || scope === "group";
}

/**
 * The gate before scopes that others read, on every way into them: notes about a person and personal data stay with the
 * person. `before` is what the note there says already, which nobody has to take out to change something else.
 */
export function refusePersonal(
  scope: Scope,
  type: string | undefined,
  values: unknown,
  before: { readonly type?: string | undefined; readonly text: string } = { text: "" },
): RefusedPersonal | undefined {
  if (!isShared(scope)) return undefined;
  const refused = (message: string): RefusedPersonal => ({ outcome: "refused", reason: "personal", message });
  if (type === "user" && before.type !== "user")
    return refused(
      `notes about a person (type user) stay with that person; nothing went to ${scope}. If it is not about a person, give it another type: --type project`,
    );
  const found = stringsIn(values)
    .flatMap(personalIn)
    .find((one) => !before.text.includes(one));
  if (found === undefined) return undefined;
  return refused(
    `"${found}" looks like a personal fact, and others read the ${scope}'s notes; nothing went to ${scope}. Take it out first`,
  );
}

/** Every string in a value. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The same value, with the control characters that a keyboard leaves removed from every string in it. */
export function asTyped<Value>(value: Value): Value;

export function asTyped(value: unknown): unknown {
  if (typeof value === "string") return stripTyped(value);
  if (Array.isArray(value)) return value.map((one: unknown) => asTyped(one));
  return typeof value === "object" && value !== null && !(value instanceof Date)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTyped(one)]))
    : value;
}
