import { isOfThisProject, type InferredType } from "../../core/notes/types/infer-type.ts";
import { inferType } from "../../core/notes/types/learned-type.ts";
import type { ExclusionReason } from "../../core/notes/exclusions/exclusion.ts";
import { contentVersion } from "../../core/shared/hash.ts";
import { askedPhrases, NOTE_TYPES, type NoteDraft, type Scope } from "../../core/notes/note.ts";
import { datedIn, type WhenSaid, withDates } from "../../core/notes/dates/date-resolver.ts";
import { newNoteFile } from "../../core/notes/names.ts";
import type { ChangeKind } from "../../core/notes/changes/value.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { describeBeside, titleOf } from "../../core/notes/title.ts";
import type { Headroom } from "../../core/notes/store.ts";
import { serialiseDraft } from "../../core/notes/frontmatter.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { cutAtWord, oneLine, truncate } from "../../core/shared/text.ts";
import {
  asTyped,
  isShared,
  type RefusedNote,
  type RefusedPersonal,
  type RefusedText,
  refuseExcluded,
  refusePersonal,
  refuseText,
} from "./gate.ts";
import {
  findKnown,
  askAbout,
  type Comparing,
  comparing,
  NO_RIVALS,
  relationOf,
  type RivalNote,
  type Rivals,
  settled,
  wantedRivals,
} from "./rivals.ts";
import { retireChange } from "./supersede.ts";
import type { NoteRef, ScopedStore, Workspace } from "../workspace/workspace.ts";

export interface RememberInput {
  readonly body: string;
  /** Default: inferred from the text; the result says which. */
  readonly type?: NoteDraft["type"];
  /** Default: the body's first line, sentence or clause, cut at a word to at most 60 characters. */
  readonly name?: string;
  /** Default: what the body says beyond the name, else its first sentence. */
  readonly description?: string;
  /** Other words and phrases a user would search for it by; searched but never shown. */
  readonly asked?: readonly string[];
  /** Default: the project's store; for `user` notes the user's, if there is one. */
  readonly scope?: Scope;
  readonly evidence?: NoteDraft["evidence"];
  readonly source?: string;
  /** When it was first written; default now. "Tomorrow" counts from there, and newer notes are not superseded. */
  readonly created?: Date;
  /**
   * Whether to write the note although another says the same. Default: yes if one says nearly the same and `name`
   * differs from its name; never if one says exactly the same. `true`: in both cases; `false`: in neither. `true` also
   * keeps text that does not belong in a note, and records why it would have been refused.
   */
  readonly insist?: boolean;
  /** Notes of its scope that it replaces, by file or name: they are superseded, whatever the rules say. */
  readonly replaces?: readonly string[];
  /** It is true alongside any notes it seems to contradict; nothing is superseded or asked. Not with `replaces`. */
  readonly beside?: boolean;
}

export type RememberResult =
  | {
      readonly outcome: "created";
      readonly ref: NoteRef;
      readonly headroom: Headroom;
      /** Version of the text that was written, as `show` gives it. */
      readonly version: string;
      readonly type: NoteDraft["type"];
      /** When no type was given: the type chosen, and the other one that is nearly as likely. */
      readonly inferred?: InferredType;
      /** Words of the text that got a date, each with it: "next Friday (2026-12-04)". */
      readonly dated?: readonly string[];
      /** Why it would have been refused without `insist`. */
      readonly forced?: ExclusionReason;
      /** Notes that it replaced; undoing this one restores them. */
      readonly superseded: readonly RivalNote[];
      /** Notes that it seems to contradict: both stay, and the review queue asks which one is true. */
      readonly contradicts: readonly RivalNote[];
      /** Notes that it may replace: it says that something changed, and the rules cannot tell what. */
      readonly perhaps: readonly RivalNote[];
      /** What it does to the existing notes. */
      readonly relation: ChangeKind;
      /** The file that already has the wanted name; this note's name and file got a number. */
      readonly nameTaken?: string;
    }
  /** The same text is already remembered under some type and name; only `replaces` and `beside` were carried out. */
  | { readonly outcome: "known"; readonly ref: NoteRef }
  /** A note says nearly the same; nothing was written. Revise it, or use `insist`. `says` is its description. */
  | { readonly outcome: "similar"; readonly ref: NoteRef; readonly says: string }
  | RefusedText
  | RefusedPersonal
  | RefusedNote;

const MAX_BODY_CHARACTERS = 200_000;

/** Saves a note durably. @throws MemoryError `invalid-input` for an empty or huge body or an unknown scope. */
export async function remember(workspace: Workspace, given: RememberInput): Promise<RememberResult> {
  const input = asTyped(given);
  const likely = input.type === undefined ? inferType(input.body) : undefined;
  const said = await toDraft(workspace, input, likely?.type);
  // The input as well: of a long description only the beginning is kept.
  const refusal = await refuseText(workspace, said, input);
  if (refusal !== undefined) return refusal;
  const compared = comparing(workspace, said.body);
  const { nearIn, rivalsIn } = compared;
  const draft = likely === undefined ? said : typedLikeRival(workspace, said, input.scope, compared);
  const inferred = likely && (draft.type === likely.type ? likely : { type: draft.type, other: likely.type });
  const scoped = workspace.require(scopeOf(workspace, draft, input.scope));
  const personal = refusePersonal(scoped.scope, draft.type, [draft, input]);
  if (personal !== undefined) return personal;
  const wanted = wantedRivals(workspace, scoped, input);
  const file = input.insist === true ? undefined : findSame(workspace, scoped, draft);
  if (file !== undefined) return { outcome: "known", ref: settled(workspace, { scoped, file }, input, wanted) };
  // A note for every project is not checked against the instruction files of one.
  const excluded = await refuseExcluded(input.scope === "user" ? {} : workspace, input.body);
  if (excluded !== undefined && input.insist !== true && !isNews(excluded, wanted ?? rivalsIn(scoped, draft)))
    return excluded;
  // A note with a requested scope is compared only within it: other scopes may have other readers.
  const known =
    input.insist === true
      ? undefined
      : findKnown(input.scope === undefined ? workspace.stores : [scoped], nearIn, draft);
  if (known?.kind === "same") return { outcome: "known", ref: settled(workspace, known.ref, input, wanted) };
  const rivals = wanted ?? rivalsIn(scoped, draft);
  const isChange = rivals.superseded.length > 0;
  const isOtherName = input.name !== undefined && slug(input.name) !== slug(known?.name ?? "");
  if (known !== undefined && !isChange && !(input.insist ?? isOtherName))
    return { outcome: "similar", ref: known.ref, says: known.description };
  const forced = excluded === undefined || input.insist !== true ? {} : { forced: excluded.reason };
  const dated = datedIn(input.body, whenSaid(workspace, input), await workspace.dates());
  const told = { ...forced, ...(inferred && { inferred }), ...(dated.length > 0 && { dated }) };
  if (input.beside !== true)
    return { ...createNote(workspace, scoped, { ...draft, ...forced }, "user", rivals), ...told };
  const agreesWith = [...rivals.superseded, ...rivals.contradicts].map((rival) => rival.file);
  return { ...createNote(workspace, scoped, { ...draft, ...forced, agreesWith }), ...told };
}

/** An inferred type gives way to that of a note the draft replaces, contradicts or adds to: a fact keeps its type. */
export function typedLikeRival(
  workspace: Workspace,
  draft: NoteDraft,
  scope: Scope | undefined,
  { nearIn, rivalsIn }: Comparing,
): NoteDraft {
  const storeOf = (one: NoteDraft): ScopedStore | undefined => {
    const wanted = scopeOf(workspace, one, scope);
    return workspace.stores.find((store) => store.scope === wanted);
  };
  const rivalsOfType = (one: NoteDraft): Rivals => {
    const scoped = storeOf(one);
    return scoped === undefined ? NO_RIVALS : rivalsIn(scoped, one);
  };
  const others = NOTE_TYPES.filter(
    (type) => type !== draft.type && (type !== "user" || scope === undefined || !isShared(scope)),
  );
  const drafts = [draft, ...others.map((type) => ({ ...draft, type }))];
  const replacing = drafts.find((one) => rivalsOfType(one).superseded.length > 0);
  if (replacing !== undefined || rivalsOfType(draft).contradicts.length > 0) return replacing ?? draft;
  const typeOf = (one: NoteDraft, rival: RivalNote | undefined): NoteDraft["type"] | undefined => {
    const scoped = rival && storeOf(one);
    return scoped && nearIn(scoped).find(({ file }) => file === rival.file)?.type;
  };
  const find = (rivalIn: (rivals: Rivals) => RivalNote | undefined): NoteDraft["type"] | undefined =>
    drafts.map((one) => typeOf(one, rivalIn(rivalsOfType(one)))).find((type) => type !== undefined);
  const type = find(({ contradicts }) => contradicts[0]) ?? find(({ refines }) => refines?.[0]);
  return type === undefined ? draft : { ...draft, type };
}

/** A changed fact must be saved even if the change can be read elsewhere, or the old note would stay. */
function isNews({ reason }: RefusedNote, { superseded, contradicts }: Rivals): boolean {
  return superseded.length + contradicts.length > 0 && reason !== "instructions";
}

function scopeOf(workspace: Workspace, draft: NoteDraft, scope: Scope | undefined): Scope {
  const isPersonal =
    draft.type === "user" && workspace.scopes.includes("user") && !isOfThisProject(draft.body, workspace.tree);
  return scope ?? (isPersonal ? "user" : "project");
}

function slug(name: string): string {
  return oneLine(name)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "-");
}

/** Writes a draft under a free name; tries again when another process takes the name first. */
export function createNote(
  workspace: Workspace,
  scoped: ScopedStore,
  draft: NoteDraft,
  actor = "user",
  rivals: Rivals = NO_RIVALS,
): Extract<RememberResult, { readonly outcome: "created" }> {
  const { superseded, contradicts } = rivals;
  const now = new Date(workspace.clock.now()).toISOString();
  const taken = new Set<string>();
  const isTaken = (file: string): boolean => taken.has(file) || scoped.store.index.hasFile(file);
  const plain = newNoteFile(draft.type, draft.name, () => false);
  for (let attempt = 0; attempt < 50; attempt++) {
    const file = newNoteFile(draft.type, draft.name, isTaken);
    // A second note of the same name gets a number in name and file, so that each can be named.
    const name = file === plain ? draft.name : `${draft.name} ${/_(\d+)\.md$/u.exec(file)?.[1] ?? ""}`;
    const doubts = contradicts.length === 0 ? {} : { contradicts: contradicts.map((rival) => rival.file) };
    const content = serialiseDraft({ ...draft, ...doubts, name }, now, workspace.codec);
    const retired = superseded.flatMap((old) => retireChange(workspace, scoped, old.file, file, draft.created ?? now));
    const result = scoped.store.commit([{ kind: "create", file, content }, ...retired], {
      actor,
      reason:
        retired.length > 0 ? `superseded ${retired.length === 1 ? "a note" : `${retired.length} notes`}` : "remembered",
    });
    if (result.ok) {
      askAbout(workspace, scoped, file, draft, contradicts);
      const gone = superseded.filter((old) => retired.some((change) => change.file === old.file));
      return {
        outcome: "created",
        ref: { scoped, file },
        headroom: result.headroom,
        version: contentVersion(content),
        type: draft.type,
        superseded: gone,
        contradicts,
        perhaps: rivals.perhaps ?? [],
        relation: relationOf({ ...rivals, superseded: gone }),
        ...(file !== plain && { nameTaken: plain }),
      };
    }
    taken.add(file);
  }
  throw new MemoryError("conflict", `no free file name for "${truncate(draft.name, 60)}"; give another name`);
}

async function toDraft(
  workspace: Workspace,
  input: RememberInput,
  inferred: NoteDraft["type"] = "project",
): Promise<NoteDraft> {
  const body = input.body.replace(/\r\n?/gu, "\n").trim();
  if (body === "")
    throw new MemoryError(
      "invalid-input",
      "there is nothing to remember: give the note's text as an argument or on standard input",
    );
  if (body.length > MAX_BODY_CHARACTERS)
    throw new MemoryError(
      "invalid-input",
      `the note has ${body.length} characters; at most ${MAX_BODY_CHARACTERS} are kept in one note, split it or keep the document in the repository and remember where it is`,
    );
  const dates = await workspace.dates();
  const created = input.created === undefined ? undefined : createdAt(input.created, workspace.clock.now());
  const said = whenSaid(workspace, input);
  const prose = withDates(body, said, dates);
  const name = oneLine(input.name ?? "") || titleOf(body);
  return {
    type: input.type ?? inferred,
    name,
    description: fitted(withDates(oneLine(input.description ?? ""), said, dates)) || describeBeside(name, prose),
    body: prose,
    source: input.source ?? "user",
    ...(created === undefined ? {} : { created }),
    ...(input.asked === undefined ? {} : { asked: askedPhrases(input.asked) }),
    ...(input.evidence === undefined ? {} : { evidence: input.evidence }),
  };
}

function whenSaid({ clock }: Workspace, { created }: RememberInput): WhenSaid {
  return { ms: created?.getTime() ?? clock.now(), timeZone: clock.timeZone };
}

/** @throws MemoryError `invalid-input` if it is not a time or is in the future. */
function createdAt(created: Date, now: number): string {
  const ms = created.getTime();
  if (!Number.isFinite(ms) || ms > now)
    throw new MemoryError(
      "invalid-input",
      `created is ${String(created)}; give the time in the past at which the note was written`,
    );
  return created.toISOString();
}

/** Cuts to the allowed length. A cut bracket is removed with its text: half a date is a different date. */
function fitted(line: string): string {
  return cutAtWord(line, 300).replace(/\s*[(（][^()（）]*…$/u, "…");
}

/** A live note with this name and exactly the same text; reads only the files that the name could have. */
export function findSame(
  workspace: Workspace,
  { store }: ScopedStore,
  draft: Pick<NoteDraft, "type" | "name" | "body">,
): string | undefined {
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
