import { askedLine } from "../../core/notes/note.ts";
import { isUtf8, parseNote, readMixed, shownText } from "../../core/notes/parse-note.ts";
import { describe, describeBeside } from "../../core/notes/title.ts";
import type { ChangeOutcome, CommitResult, ForgetReceipt, Headroom, StoreContent } from "../../core/notes/store.ts";
import { setFields, replaceBody, splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { contentVersion } from "../../core/shared/hash.ts";
import { withNewDates } from "../../core/notes/dates/date-resolver.ts";
import { REDACTED } from "../../core/shared/sanitize.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { mentions } from "../../core/recall/log-line.ts";
import {
  asTyped,
  refuseExcluded,
  type RefusalReason,
  type RefusedNote,
  type RefusedPersonal,
  refusePersonal,
  refuseText,
  type RefusedText,
} from "./gate.ts";
import { nameAt, pastNames, versionsUnder } from "./versions.ts";
import type { NoteRef, Workspace } from "../workspace/workspace.ts";

export interface Revision {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly body?: string;
  /** Other words and phrases a user would search for it by; replaces the present ones. */
  readonly asked?: readonly string[];
  /** The whole file, including frontmatter; excludes the other fields. */
  readonly text?: string;
  /** Keeps text that does not belong in a note, and records in the note why it would have been refused. */
  readonly insist?: boolean;
  /** `version` from `show`: the text that the change is based on. Default: the present text. */
  readonly version?: string;
}

/** What a change is based on: the bytes of the file, or `unseen` if its version was not found. */
export type RevisionBase = Uint8Array | "unseen";

/** The outcome of a change, with the room left in MEMORY.md if something was written. */
export type WriteResult = ChangeOutcome & {
  readonly headroom?: Headroom;
  /** Version of the text that was written, as `show` gives it; absent if it was merged or saved next to the note. */
  readonly version?: string;
};

export type ReviseResult =
  | WriteResult
  | {
      readonly outcome: "refused";
      readonly file: string;
      readonly reason: RefusalReason;
      readonly message: string;
    };

/** Changes a note and nothing else in its file. Lines missing in `base` are merged, or both texts are kept. */
export async function revise(
  workspace: Workspace,
  ref: NoteRef,
  given: Revision,
  base: RevisionBase = baseOf(ref, given.version),
): Promise<ReviseResult> {
  const typed = asTyped(given);
  const from = base === "unseen" ? presentText(ref) : base;
  if (!isUtf8(from))
    throw new MemoryError(
      "invalid-input",
      `${ref.file} is not UTF-8, so it is left as it is; \`memdir edit ${ref.file} --convert\` makes it UTF-8`,
    );
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(from);
  const revision = await withItsDates(workspace, before, typed);
  const excluded = await refuseBody(workspace, ref, before, newBody(revision));
  if (excluded !== undefined && revision.insist !== true) return { ...excluded, file: ref.file };
  const applied = revision.text ?? applyFields(workspace, before, revision);
  const content =
    excluded === undefined ? applied : setFields(applied, [[["metadata", "forced"], excluded.reason]], workspace.codec);
  // Checks the values as well as the file: quoting in frontmatter may split them.
  const refusal =
    (await refuseText(workspace, content, revision)) ?? refuseRead(workspace, ref, before, [content, revision]);
  if (refusal !== undefined) return { ...refusal, file: ref.file };
  const blotted = refuseBlotted(from, content);
  if (blotted !== undefined) return { ...blotted, file: ref.file };
  // With an empty base, both texts are kept where the writer did not see a line.
  const isBlind = base === "unseen" && !keepsEveryLine(before, content);
  return commitText(ref, isBlind ? new Uint8Array() : from, content, "edited");
}

/** Refuses what the readers of a shared scope must not see, unless the note says it already. */
function refuseRead(
  { codec }: Pick<Workspace, "codec">,
  { scoped: { scope }, file }: NoteRef,
  before: string,
  [content, ...values]: readonly [string, ...unknown[]],
): RefusedPersonal | undefined {
  const typeOf = (text: string): string | undefined => parseNote(file, new TextEncoder().encode(text), codec).type;
  return refusePersonal(scope, typeOf(content), [content, values], { type: typeOf(before), text: before });
}

/** Refuses a text that would write redaction marks in place of secrets that were shown redacted. */
function refuseBlotted(before: Uint8Array, content: string): RefusedText | undefined {
  const [written, shown] = [new TextDecoder().decode(before), shownText(before)];
  const blots = (text: string): number => text.split(REDACTED).length;
  if (written === shown || blots(content) <= blots(written)) return undefined;
  return {
    outcome: "refused",
    reason: "secret",
    message: `the note's file holds what looks like a secret, which memdir shows as ${REDACTED}; a text with ${REDACTED} in its place was not written. Say where the secret is kept instead, or change the file itself`,
  };
}

/** The new body; of a whole file, the part without frontmatter. */
function newBody({ body, text }: Revision): string | undefined {
  return text === undefined ? body : splitFrontmatter(text).body;
}

/** A new body must belong in a note, unless the previous body would already have been refused for the same reason. */
async function refuseBody(
  workspace: Workspace,
  { scoped }: NoteRef,
  before: string,
  body: string | undefined,
): Promise<RefusedNote | undefined> {
  if (body === undefined) return undefined;
  const within = scoped.scope === "user" ? {} : workspace;
  const excluded = await refuseExcluded(within, body);
  if (excluded === undefined) return undefined;
  const had = await refuseExcluded(within, splitFrontmatter(before).body);
  return had?.reason === excluded.reason ? undefined : excluded;
}

/** Dates in new text are relative to now; a whole file is the user's own text and stays unchanged. */
async function withItsDates(workspace: Workspace, before: string, revision: Revision): Promise<Revision> {
  const { body, description } = revision;
  if (body === undefined && description === undefined) return revision;
  const dates = await workspace.dates();
  const said = { ms: workspace.clock.now(), timeZone: workspace.clock.timeZone };
  const dated = (text: string): string => withNewDates(before, text, said, dates);
  return {
    ...revision,
    ...(body !== undefined && { body: dated(body) }),
    ...(description !== undefined && { description: dated(description) }),
  };
}

/** The text of a note in the version that its reader saw; default the present one. */
export function baseOf(ref: NoteRef, version: string | undefined): RevisionBase {
  const present = presentText(ref);
  if (version === undefined || contentVersion(present) === version) return present;
  const history = ref.scoped.store.history();
  const names = pastNames(history, ref.file);
  for (const { seq } of versionsUnder(history, ref.file).slice(0, VERSIONS_SEARCHED)) {
    const content = history.contentAt(seq, nameAt(names, seq));
    if (content !== undefined && contentVersion(content) === version) return content;
  }
  return "unseen";
}

/** A change based on a text older than this (versions back) is kept next to the note. */
const VERSIONS_SEARCHED = 50;

/** Whether `after` contains all lines of `before` in order, so that it only adds. */
function keepsEveryLine(before: string, after: string): boolean {
  const lines = (text: string): string[] => text.split(/\r\n?|\n/u).map((line) => line.trimEnd());
  const wanted = lines(before).filter((line) => line !== "");
  let at = 0;
  for (const line of lines(after)) if (line === wanted[at]) at++;
  return at === wanted.length;
}

/** Converts a file that memdir otherwise never rewrites: bytes that are not UTF-8 are read as Windows-1252, NULs go. */
export function convert(ref: NoteRef): WriteResult {
  const base = presentText(ref);
  const text = readMixed(base).replaceAll("\0", "");
  return commitText(ref, base, new TextEncoder().encode(text), "converted to UTF-8");
}

/** Sets `metadata.pinned`. Pinned notes come first in MEMORY.md and are shown whole at session start. */
export function pin(workspace: Workspace, ref: NoteRef, pinned: boolean, base = presentText(ref)): WriteResult {
  if (parseNote(ref.file, presentText(ref), workspace.codec).pinned === pinned)
    return { outcome: "unchanged", file: ref.file };
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  return commitText(
    ref,
    base,
    setFields(before, [[["metadata", "pinned"], pinned ? true : undefined]], workspace.codec),
    pinned ? "pinned" : "unpinned",
  );
}

/** Removes a note but not its history: `undo` restores it. A note that is not `base`, as its reader saw it, stays. */
export function remove(ref: NoteRef, base = presentText(ref)): WriteResult {
  return resultOf(
    ref,
    ref.scoped.store.commit([{ kind: "delete", file: ref.file, base }], {
      actor: "user",
      reason: "removed",
    }),
  );
}

/** Purges a note everywhere, including the recall log. Cannot be undone. */
export function forget(
  { recallLog, review }: Pick<Workspace, "recallLog" | "review">,
  { scoped, file }: NoteRef,
): ForgetReceipt | undefined {
  const dropLines = (): void => recallLog.drop((line) => mentions(line, file), scoped.scope === "user");
  review.dropAbout(`${scoped.scope}:${file}`);
  dropLines(); // first, so that it is also done when the next process finishes an interrupted forget
  const receipt = scoped.store.forget(file);
  dropLines(); // a recall may have shown it in the meantime
  return receipt;
}

function applyFields(workspace: Workspace, before: string, revision: Revision): string {
  const fields: (readonly [readonly string[], string | undefined])[] = [];
  if (revision.name !== undefined) fields.push([["name"], revision.name]);
  const description = revision.description ?? renewedDescription(workspace, before, revision.body);
  if (description !== undefined) fields.push([["description"], description]);
  if (revision.asked !== undefined) fields.push([["metadata", "asked"], askedLine(revision.asked) || undefined]);
  if (revision.type !== undefined) fields.push([typePath(workspace, before), revision.type]);
  const edited = fields.length === 0 ? before : setFields(before, fields, workspace.codec);
  return revision.body === undefined ? edited : replaceBody(edited, revision.body);
}

/** A description derived from the text is derived again; one that the user wrote stays. */
function renewedDescription(workspace: Workspace, before: string, body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const note = parseNote("note.md", new TextEncoder().encode(before), workspace.codec);
  const made = [describeBeside, (_: string, prose: string) => describe(prose)].find(
    (make) => note.description === make(note.name, note.body.trim()),
  );
  return made?.(note.name, body.trim());
}

/** `type` stays where the file has it: at top level in older files, under `metadata` in newer ones. */
function typePath(workspace: Workspace, text: string): readonly string[] {
  const { data } = workspace.codec.read(splitFrontmatter(text).block);
  return data["type"] === undefined ? ["metadata", "type"] : ["type"];
}

function commitText(ref: NoteRef, base: Uint8Array, content: StoreContent, reason: string): WriteResult {
  const result = resultOf(
    ref,
    ref.scoped.store.commit([{ kind: "write", file: ref.file, base, content }], { actor: "user", reason }),
  );
  if (result.outcome !== "gone" && result.outcome !== "unchanged" && reason !== "unpinned")
    ref.scoped.store.recordHelp([ref.file]);
  return result.outcome === "written" ? { ...result, version: contentVersion(content) } : result;
}

function resultOf(ref: NoteRef, result: CommitResult): WriteResult {
  const outcome = result.outcomes[0] ?? { outcome: "gone", file: ref.file };
  return result.ok ? { ...outcome, headroom: result.headroom } : outcome;
}

function presentText(ref: NoteRef): Uint8Array {
  const bytes = ref.scoped.store.read(ref.file);
  if (bytes === undefined)
    throw new MemoryError("not-found", `${ref.file} is gone; \`memdir undo ${ref.file}\` brings a removed note back`);
  return bytes;
}
