import { isUtf8, parseNote } from "../notes/parse-note.ts";
import { readMixed } from "../notes/mixed-text.ts";
import type { ChangeOutcome, CommitResult, ForgetReceipt, Headroom, StoreContent } from "../notes/store.ts";
import { setFields } from "../notes/write-note.ts";
import { replaceBody, splitFrontmatter } from "../notes/frontmatter.ts";
import { MemoryError } from "../shared/errors.ts";
import { mentions } from "../recall/log-line.ts";
import { describe, refuseText } from "./remember.ts";
import type { NoteRef, Workspace } from "./workspace.ts";

export interface Revision {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly body?: string;
  /** The whole file, frontmatter included; excludes the others. */
  readonly text?: string;
}

/** What became of a change, with the room left in MEMORY.md when something was written. */
export type WriteResult = ChangeOutcome & { readonly headroom?: Headroom };

export type ReviseResult = WriteResult | { readonly outcome: "refused"; readonly file: string; readonly reason: "secret" | "hidden-characters"; readonly message: string };

/** Changes a note and nothing else in its file. `base` is what the change was made from; default the present text. */
export async function revise(workspace: Workspace, ref: NoteRef, revision: Revision, base = presentText(ref)): Promise<ReviseResult> {
  if (!isUtf8(base)) throw new MemoryError("invalid-input", `${ref.file} is not UTF-8, so it is left as it is; \`memdir edit ${ref.file} --convert\` makes it UTF-8`);
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const content = revision.text ?? applyFields(workspace, before, revision);
  const refusal = await refuseText(workspace, content);
  if (refusal !== undefined) return { ...refusal, file: ref.file };
  return commitText(ref, base, content, "edited");
}

/** Makes a file that memdir never rewrites plain UTF-8: other bytes are read as Windows-1252, NUL bytes go. */
export function convert(ref: NoteRef): WriteResult {
  const base = presentText(ref);
  const text = readMixed(base).replaceAll("\0", "");
  return commitText(ref, base, new TextEncoder().encode(text), "converted to UTF-8");
}

/** `metadata.pinned`; pinned notes come first in MEMORY.md and are shown whole at session start. */
export function pin(workspace: Workspace, ref: NoteRef, pinned: boolean): WriteResult {
  const base = presentText(ref);
  if (parseNote(ref.file, base, workspace.codec).pinned === pinned) return { outcome: "unchanged", file: ref.file };
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  return commitText(ref, base, setFields(before, [[["metadata", "pinned"], pinned ? true : undefined]], workspace.codec), pinned ? "pinned" : "unpinned");
}

/** Takes a note away but not out of history: `undo` brings it back. */
export function remove(ref: NoteRef): WriteResult {
  return resultOf(ref, ref.scoped.store.commit([{ kind: "delete", file: ref.file, base: presentText(ref) }], { actor: "user", reason: "removed" }));
}

/** Purges a note everywhere, the log of recalls included; cannot be undone. */
export function forget({ recallLog, review }: Pick<Workspace, "recallLog" | "review">, { scoped, file }: NoteRef): ForgetReceipt | undefined {
  const dropLines = (): void => recallLog.drop((line) => mentions(line, file), scoped.scope === "user");
  review.dropAbout(`${scoped.scope}:${file}`);
  dropLines(); // first, so that a forget that is broken off and finished by the next process has done it
  const receipt = scoped.store.forget(file);
  dropLines(); // a recall may have shown it meanwhile
  return receipt;
}

function applyFields(workspace: Workspace, before: string, revision: Revision): string {
  const fields: (readonly [readonly string[], string])[] = [];
  if (revision.name !== undefined) fields.push([["name"], revision.name]);
  const description = revision.description ?? renewedDescription(workspace, before, revision.body);
  if (description !== undefined) fields.push([["description"], description]);
  if (revision.type !== undefined) fields.push([typePath(workspace, before), revision.type]);
  const edited = fields.length === 0 ? before : setFields(before, fields, workspace.codec);
  return revision.body === undefined ? edited : replaceBody(edited, revision.body);
}

/** A description that was the text's first sentence follows the text; one that somebody wrote stays. */
function renewedDescription(workspace: Workspace, before: string, body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const note = parseNote("note.md", new TextEncoder().encode(before), workspace.codec);
  return note.description === describe(note.body.trim()) ? describe(body.trim()) : undefined;
}

/** `type` stays where the file has it: at top level in older files, under `metadata` in newer ones. */
function typePath(workspace: Workspace, text: string): readonly string[] {
  const { data } = workspace.codec.read(splitFrontmatter(text).block);
  return data["type"] === undefined ? ["metadata", "type"] : ["type"];
}

function commitText(ref: NoteRef, base: Uint8Array, content: StoreContent, reason: string): WriteResult {
  return resultOf(ref, ref.scoped.store.commit([{ kind: "write", file: ref.file, base, content }], { actor: "user", reason }));
}

function resultOf(ref: NoteRef, result: CommitResult): WriteResult {
  const outcome = result.outcomes[0] ?? { outcome: "gone", file: ref.file };
  return result.ok ? { ...outcome, headroom: result.headroom } : outcome;
}

function presentText(ref: NoteRef): Uint8Array {
  const bytes = ref.scoped.store.read(ref.file);
  if (bytes === undefined) throw new MemoryError("not-found", `${ref.file} is gone; \`memdir undo ${ref.file}\` brings a removed note back`);
  return bytes;
}
