import { newNoteFile } from "../notes/names.ts";
import type { NoteDraft, Scope } from "../notes/note.ts";
import { parseNote } from "../notes/parse-note.ts";
import type { Headroom, StoreChange } from "../notes/store.ts";
import { serialiseDraft, setFields } from "../notes/write-note.ts";
import { dayIn, zoneName } from "../shared/clock.ts";
import { MemoryError } from "../shared/errors.ts";
import { findHidden } from "../shared/hidden.ts";
import { oneLine, truncate } from "../shared/text.ts";
import { findKnown } from "./known-note.ts";
import type { NoteRef, ScopedStore, Workspace } from "./workspace.ts";

export interface RememberInput {
  readonly body: string;
  /** Default `project`. */
  readonly type?: NoteDraft["type"];
  /** Default: the first words of the body. */
  readonly name?: string;
  /** Default: the first sentence of the body. */
  readonly description?: string;
  /** Default: the project's store, for `user` notes the user's where there is one. */
  readonly scope?: Scope;
  readonly evidence?: NoteDraft["evidence"];
  readonly source?: string;
  /**
   * Whether a note that says the same is no reason not to write this one. Default: where one says nearly the same and
   * `name` is another than its; never where one says the very same. `true`: in both cases; `false`: in neither.
   */
  readonly insist?: boolean;
}

export type RememberResult =
  | { readonly outcome: "created"; readonly ref: NoteRef; readonly headroom: Headroom }
  /** The same text is remembered already, under whatever type and name; nothing was written. */
  | { readonly outcome: "known"; readonly ref: NoteRef }
  /** A note says nearly the same; nothing was written. Revise it, or `insist`. `says` is its description. */
  | { readonly outcome: "similar"; readonly ref: NoteRef; readonly says: string }
  | { readonly outcome: "refused"; readonly reason: "secret" | "hidden-characters"; readonly message: string };

const MAX_BODY_CHARACTERS = 200_000;

/** Saves a note. Durable when it returns. @throws MemoryError `invalid-input` for an empty or huge body or an unknown scope. */
export async function remember(workspace: Workspace, input: RememberInput): Promise<RememberResult> {
  const draft = await toDraft(workspace, input);
  const refusal = await refuse(workspace, draft);
  if (refusal !== undefined) return refusal;
  const scoped = targetStore(workspace, draft, input.scope);
  const file = input.insist === true ? undefined : findSame(workspace, scoped, draft);
  if (file !== undefined) return { outcome: "known", ref: { scoped, file } };
  // A note that was asked for in one scope is compared with those of that scope: the others may be read by others.
  const known = input.insist === true ? undefined : findKnown(workspace, input.scope === undefined ? workspace.stores : [scoped], draft);
  if (known?.kind === "same") return { outcome: "known", ref: known.ref };
  const isOtherName = input.name !== undefined && slug(input.name) !== slug(known?.name ?? "");
  if (known !== undefined && !(input.insist ?? isOtherName)) return { outcome: "similar", ref: known.ref, says: known.description };
  return createNote(workspace, scoped, draft);
}

function slug(name: string): string {
  return oneLine(name).normalize("NFKC").toLowerCase().replace(/[\s_-]+/gu, "-");
}

/** Writes a draft under a free name, retrying when another process takes the name first. */
export function createNote(workspace: Workspace, scoped: ScopedStore, draft: NoteDraft, actor = "user", supersedes?: string): { outcome: "created"; ref: NoteRef; headroom: Headroom } {
  const now = new Date(workspace.clock.now()).toISOString();
  const taken = new Set<string>();
  const isTaken = (file: string): boolean => taken.has(file) || scoped.store.index.hasFile(file);
  const plain = newNoteFile(draft.type, draft.name, () => false);
  for (let attempt = 0; attempt < 50; attempt++) {
    const file = newNoteFile(draft.type, draft.name, isTaken);
    // A second note of the same name gets a number in both, so that each can still be named.
    const name = file === plain ? draft.name : `${draft.name} ${/_(\d+)\.md$/u.exec(file)?.[1] ?? ""}`;
    const content = serialiseDraft({ ...draft, name }, now, workspace.codec);
    const retired = supersedes === undefined ? [] : retireChange(workspace, scoped, supersedes, file, now);
    const result = scoped.store.commit([{ kind: "create", file, content }, ...retired], { actor, reason: retired.length > 0 ? "superseded a note" : "remembered" });
    if (result.ok) return { outcome: "created", ref: { scoped, file }, headroom: result.headroom };
    taken.add(file);
  }
  throw new MemoryError("conflict", `no free file name for "${truncate(draft.name, 60)}"; give another name`);
}

/** The old note stays as a file with its validity interval; it leaves recall and the index. Empty where it is never rewritten. */
export function retireChange(workspace: Workspace, scoped: ScopedStore, file: string, by: string, now: string): StoreChange[] {
  const base = scoped.store.read(file);
  if (base === undefined) return [];
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const note = parseNote(file, base, workspace.codec);
  if (note.pinned || note.problems.some(({ code }) => code === "malformed-frontmatter" || code === "unclosed-frontmatter" || code === "invalid-utf8")) return [];
  const content = setFields(text, [[["metadata", "supersededBy"], by], [["metadata", "validTo"], now]], workspace.codec);
  return [{ kind: "write", file, base, content }];
}

async function toDraft(workspace: Workspace, input: RememberInput): Promise<NoteDraft> {
  const body = input.body.replace(/\r\n?/gu, "\n").trim();
  if (body === "") throw new MemoryError("invalid-input", "there is nothing to remember: give the note's text as an argument or on standard input");
  if (body.length > MAX_BODY_CHARACTERS) throw new MemoryError("invalid-input", `the note has ${body.length} characters; at most ${MAX_BODY_CHARACTERS} are kept in one note, split it or keep the document in the repository and remember where it is`);
  const prose = await absoluteDates(workspace, body);
  return {
    type: input.type ?? "project",
    name: oneLine(input.name ?? "") || truncate(firstLineOf(prose), 60, ""),
    description: truncate(oneLine(input.description ?? "") || describe(prose), 300),
    body: prose,
    source: input.source ?? "user",
    ...(input.evidence === undefined ? {} : { evidence: input.evidence }),
  };
}

function firstLineOf(prose: string): string {
  return prose.split("\n").map((line) => line.replace(/^[#>*\s-]+/u, "").trim()).find((line) => line !== "") ?? prose;
}

/** The one line that a text gets where nobody wrote one: its first sentence. */
export function describe(prose: string): string {
  const firstLine = firstLineOf(prose);
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(firstLine)?.[0] ?? firstLine;
  return truncate(oneLine(sentence.replace(/[.。]$/u, "")), 300);
}

/** "by Friday" gets its date beside it, so that the note is still true next month. */
async function absoluteDates(workspace: Workspace, text: string): Promise<string> {
  const now = workspace.clock.now();
  let out = text;
  const dates = await workspace.dates();
  for (const { start, end, day } of dates.resolve(text, { ms: now, timeZone: zoneName(workspace.clock) }).toSorted((a, b) => b.start - a.start)) {
    if (day !== dayIn(workspace.clock.timeZone, now) || /today/iu.test(text.slice(start, end))) out = `${out.slice(0, end)} (${day})${out.slice(end)}`;
  }
  return out;
}

/** Secrets and text that a person cannot see are never written, even when asked. */
async function refuse(workspace: Workspace, draft: Pick<NoteDraft, "name" | "description" | "body">): Promise<Extract<RememberResult, { outcome: "refused" }> | undefined> {
  return refuseText(workspace, [draft.name, draft.description, draft.body].join("\n"));
}

export async function refuseText(workspace: Workspace, text: string): Promise<Extract<RememberResult, { outcome: "refused" }> | undefined> {
  // A byte order mark at the start is how some editors save, not something hidden.
  if (findHidden(text.replace(/^\uFEFF/u, "")).length > 0) return { outcome: "refused", reason: "hidden-characters", message: "the text contains hidden or bidirectional control characters that a reader cannot see; remove them and try again" };
  const secrets = await workspace.secrets.scan(text);
  const first = secrets[0];
  if (first !== undefined) return { outcome: "refused", reason: "secret", message: `the text contains what looks like a secret (${first.rule}); nothing was written. Remember where the secret is kept instead of the secret` };
  return undefined;
}

function targetStore(workspace: Workspace, draft: NoteDraft, scope: Scope | undefined): ScopedStore {
  const wanted = scope ?? (draft.type === "user" && workspace.scopes.includes("user") ? "user" : "project");
  const scoped = workspace.open(wanted);
  if (draft.type === "user" && (wanted === "team" || wanted === "group")) throw new MemoryError("refused", `notes about a person (type user) stay with that person; nothing went to ${wanted}`);
  if (scoped === undefined) throw new MemoryError("invalid-input", `there is no ${wanted} scope here; scopes: ${workspace.scopes.join(", ")}`);
  return scoped;
}

/** A live note of this name with the very same text; only files that the name leads to are looked at. */
export function findSame(workspace: Workspace, { store }: ScopedStore, draft: Pick<NoteDraft, "type" | "name" | "body">): string | undefined {
  const wanted = oneLine(draft.body);
  let same: string | undefined;
  newNoteFile(draft.type, draft.name, (file) => {
    const bytes = same === undefined ? store.read(file) : undefined;
    if (bytes === undefined) return false;
    const note = parseNote(file, bytes, workspace.codec);
    if (note.supersededBy === undefined && oneLine(note.body) === wanted) same = file;
    return same === undefined;
  });
  return same;
}
