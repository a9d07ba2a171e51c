import {
  changeOfNote,
  decide,
  type InForce,
  NEAREST,
  perhapsAbout,
  type Rival,
} from "../../core/notes/changes/decide.ts";
import { doubtsIn } from "../../core/notes/doubts.ts";
import { noteKey } from "../../core/notes/names.ts";
import { saysNothingNew } from "../../core/notes/changes/change.ts";
import type { ChangeKind } from "../../core/notes/changes/value.ts";
import type { Note, NoteDraft } from "../../core/notes/note.ts";
import { filesIn, parseNote, shownNote } from "../../core/notes/parse-note.ts";
import { analyse } from "../../core/notes/terms.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";
import { findNote, type NoteRef, type ScopedStore, shownRef, type Workspace } from "../workspace/workspace.ts";
import { splitFrontmatter, setFields } from "../../core/notes/frontmatter.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { record } from "../../core/shared/json.ts";
import { commitOrThrow, supersede } from "./supersede.ts";
import { overlapOf } from "../../core/notes/duplicates.ts";

/** A live note that says exactly or nearly what a draft says. */
interface KnownNote {
  readonly kind: "same" | "near";
  readonly ref: NoteRef;
  readonly name: string;
  readonly description: string;
}

/** Finds one of any type and name: the first that is the same, else the first that capture considers near. */
export function findKnown(
  stores: readonly ScopedStore[],
  nearIn: (scoped: ScopedStore) => readonly NearNote[],
  draft: NoteDraft,
): KnownNote | undefined {
  const wanted = oneLine(draft.body);
  let near: KnownNote | undefined;
  for (const scoped of stores) {
    for (const [at, one] of nearIn(scoped).entries()) {
      const known = { ref: { scoped, file: one.file }, name: one.note.name, description: one.description };
      if (oneLine(one.body) === wanted) return { kind: "same", ...known };
      if (near !== undefined || at >= NEAREST) continue;
      const isNear = overlapOf(draft, one) !== "new" || saysNothingNew(changeOfNote(draft, one));
      if (isNear && !isContested(scoped, one.file)) near = { kind: "near", ...known };
    }
  }
  return near;
}

/** A newer note contradicts it: who says it again says that it holds after all. */
function isContested(scoped: ScopedStore, file: string): boolean {
  const doubts = doubtsIn([scoped]).get(noteKey({ scope: scoped.scope, file }));
  return doubts !== undefined && doubts.contradictedBy.length > 0;
}

/** What the caller wants for the existing notes. */
interface Wish {
  readonly replaces?: readonly string[];
  readonly beside?: boolean;
}

/** The caller's decision; `undefined` leaves it to the rules. @throws MemoryError `not-found`, `invalid-input`. */
export function wantedRivals(
  workspace: Workspace,
  scoped: ScopedStore,
  { replaces = [], beside }: Wish,
): Rivals | undefined {
  if (replaces.length === 0) return undefined;
  if (beside === true) throw new MemoryError("invalid-input", "give `replaces` or `beside`, not both");
  const superseded = replaces.map((reference): RivalNote => {
    const found = findNote(workspace, reference);
    if (!found.found)
      throw new MemoryError(
        "not-found",
        `there is no note "${reference}" to replace${found.near.length > 0 ? `; near: ${found.near.join(", ")}` : ""}`,
      );
    const { ref } = found;
    const entry = ref.scoped.store.index.entry(ref.file);
    if (ref.scoped.scope !== scoped.scope)
      throw new MemoryError(
        "invalid-input",
        `${shownRef(workspace, ref)} is of another scope than the new note; move it first: \`memdir mv ${ref.file} ${scoped.scope}\``,
      );
    if (entry?.supersededBy !== undefined || entry?.pinned === true)
      throw new MemoryError(
        "refused",
        entry.pinned
          ? `${ref.file} is pinned, so it is never retired; unpin it first`
          : `${ref.file} is superseded by ${entry.supersededBy ?? ""} already`,
      );
    return { file: ref.file, says: entry?.description ?? "" };
  });
  return { superseded, contradicts: [] };
}

/** Carries out on an existing note what was requested of a new one. */
export function settled(workspace: Workspace, ref: NoteRef, { beside }: Wish, wanted: Rivals | undefined): NoteRef {
  for (const { file } of wanted?.superseded ?? [])
    if (file !== ref.file) supersede(workspace, { scoped: ref.scoped, file }, ref);
  const doubted = beside === true ? doubtsOf(workspace, ref) : [];
  if (doubted.length > 0) letBothHold(workspace, ref, doubted);
  return ref;
}

function doubtsOf({ codec }: Workspace, { scoped, file }: NoteRef): readonly string[] {
  const bytes = scoped.store.read(file);
  return bytes === undefined ? [] : parseNote(file, bytes, codec).contradicts;
}

/** Recorded in the notes, so that it is never asked again, on any machine. @throws MemoryError `not-found`. */
export function letBothHold(workspace: Workspace, ref: NoteRef, others: readonly string[]): void {
  const { scoped, file } = ref;
  const doubting = others
    .map((other) => ({ scoped, file: other }))
    .filter((one) => doubtsOf(workspace, one).includes(file));
  commitOrThrow(
    scoped,
    [agreeing(workspace, ref, others), ...doubting.map((one) => agreeing(workspace, one, [file]))],
    `settled a conflict: ${[file, ...others].join(" and ")} both hold`,
  );
  for (const one of [file, ...others]) workspace.review.dropAbout(`${scoped.scope}:${one}`);
}

/** The change by which a note says that it holds beside others. */
function agreeing({ codec }: Workspace, { scoped, file }: NoteRef, others: readonly string[]) {
  const base = scoped.store.read(file);
  if (base === undefined) throw new MemoryError("not-found", `${file} is gone`);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const metadata = record(codec.read(splitFrontmatter(text).block).data["metadata"]);
  const agreed = new Set([...filesIn(metadata["agreesWith"]), ...others]);
  const doubted = filesIn(metadata["contradicts"]).filter((one) => !agreed.has(one));
  const fields = [
    [["metadata", "agreesWith"], [...agreed].toSorted().join(", ")],
    ...(metadata["contradicts"] === undefined
      ? []
      : [[["metadata", "contradicts"], doubted.length === 0 ? undefined : doubted.join(", ")] as const]),
  ] as const;
  return { kind: "write", file, base, content: setFields(text, fields, codec) } as const;
}

/** A live note with its content. */
export interface NearNote extends InForce {
  readonly note: Note;
}

/** A note that a new one supersedes or contradicts, as shown to the user. */
export interface RivalNote {
  readonly file: string;
  readonly says: string;
}

export interface Rivals {
  /** Clear cases: retired in the commit that adds the new note. */
  readonly superseded: readonly RivalNote[];
  /** Cases in doubt: both stay until the user settles it. */
  readonly contradicts: readonly RivalNote[];
  /** The new note says everything these say, and more; both stay. */
  readonly refines?: readonly RivalNote[];
  /** The new note says that something changed, but the rules cannot tell if it is this; these stay as they are. */
  readonly perhaps?: readonly RivalNote[];
}

export const NO_RIVALS: Rivals = { superseded: [], contradicts: [] };

/** What a new note does to the existing ones, in one word: the strongest effect. */
export function relationOf({ superseded, contradicts, refines = [] }: Rivals): ChangeKind {
  if (superseded.length > 0) return "replaces";
  if (contradicts.length > 0) return "contradicts";
  return refines.length > 0 ? "refines" : "beside";
}

/** Notes read for one statement; those of other types and those just retired are skipped. */
const SEARCHED = 2 * NEAREST;

/** The live notes of a store that share most with a text, nearest first. */
export function nearNotes(
  { codec }: Pick<Workspace, "codec">,
  { store }: ScopedStore,
  text: string,
): readonly NearNote[] {
  store.reconcile("glance");
  const { candidates } = store.index.search(analyse(text), SEARCHED);
  return candidates.flatMap(({ entry: { file } }): NearNote[] => {
    const bytes = store.read(file);
    if (bytes === undefined) return [];
    const near = readNear(codec, file, bytes);
    return near.note.supersededBy === undefined ? [near] : [];
  });
}

/** The most notes kept parsed. */
const MOST_PARSED = 256;

const parsed = new WeakMap<Workspace["codec"], Map<string, NearNote>>();

/** Cached by file and bytes: notes near one statement are often near the next one too. */
function readNear(codec: Workspace["codec"], file: string, bytes: Uint8Array): NearNote {
  const kept = parsed.get(codec) ?? new Map<string, NearNote>();
  parsed.set(codec, kept);
  const key = `${sha256(bytes)} ${file}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  // Redacted, because what it says is shown and queued for review.
  const note = shownNote(parseNote(file, bytes, codec));
  const { type, description, body, pinned, problems } = note;
  const near = { file, type, description, body, isProtected: pinned || problems.some(isUnwritable), note };
  const [oldest] = kept.keys();
  if (kept.size >= MOST_PARSED && oldest !== undefined) kept.delete(oldest);
  kept.set(key, near);
  return near;
}

function isUnwritable({ code }: Note["problems"][number]): boolean {
  return code === "malformed-frontmatter" || code === "unclosed-frontmatter" || code === "invalid-utf8";
}

/**
 * What a draft does to the nearest notes of its store. `onlyTold`: it is unknown which is newer unless the draft says
 * so. A draft written earlier than a note never supersedes it.
 */
export function rivalsOf(
  near: readonly NearNote[],
  draft: Pick<NoteDraft, "type" | "description" | "body" | "created">,
  { onlyTold = false } = {},
): Rivals {
  const isUser = draft.type === "user";
  const compared = near.filter(({ type }) => (type === "user") === isUser).slice(0, NEAREST);
  const rivals = decide(draft, compared);
  const newer = new Set(near.filter(({ note }) => isNewer(note, draft.created)).map(({ file }) => file));
  const isClear = ({ kind, change, note }: Rival): boolean =>
    kind === "replaces" && (!onlyTold || change.isTold === true) && !newer.has(note.file);
  const undecided = rivals.length > 0 ? [] : perhapsAbout(draft, compared);
  return {
    superseded: rivals.filter(isClear).map(rivalNote),
    contradicts: rivals
      .filter((rival) => (rival.kind === "replaces" || rival.kind === "contradicts") && !isClear(rival))
      .map(rivalNote),
    refines: rivals.filter(({ kind }) => kind === "refines").map(rivalNote),
    perhaps: undecided.filter(({ file }) => !newer.has(file)).map((note) => rivalNote({ note })),
  };
}

/** The notes near one text, and what a draft with it does to them; each store is searched once. */
export interface Comparing {
  readonly nearIn: (scoped: ScopedStore) => readonly NearNote[];
  readonly rivalsIn: (scoped: ScopedStore, draft: NoteDraft) => Rivals;
}

export function comparing(workspace: Workspace, text: string): Comparing {
  const near = new Map<ScopedStore, readonly NearNote[]>();
  const nearIn = (scoped: ScopedStore): readonly NearNote[] => {
    const found = near.get(scoped) ?? nearNotes(workspace, scoped, text);
    near.set(scoped, found);
    return found;
  };
  const compared = new Map<string, Rivals>();
  const rivalsIn = (scoped: ScopedStore, draft: NoteDraft): Rivals => {
    const key = `${scoped.scope} ${draft.type}`;
    const found = compared.get(key) ?? rivalsOf(nearIn(scoped), draft);
    compared.set(key, found);
    return found;
  };
  return { nearIn, rivalsIn };
}

function isNewer({ modified }: Note, created: string | undefined): boolean {
  return created !== undefined && modified !== undefined && Date.parse(modified) > Date.parse(created);
}

function rivalNote({ note: { file, description } }: Pick<Rival, "note">): RivalNote {
  return { file, says: description };
}

const QUOTE_CHARACTERS = 400;

/** Asks the user if the new note replaces the older ones. */
export function askAbout(
  { review, clock }: Pick<Workspace, "review" | "clock">,
  { scope, store }: ScopedStore,
  by: string,
  draft: Pick<NoteDraft, "body" | "evidence">,
  rivals: readonly RivalNote[],
): void {
  for (const { file, says } of rivals) {
    const bytes = store.read(file);
    if (bytes === undefined) continue;
    const target = `${scope}:${file}`;
    const evidence = draft.evidence ?? { session: "", message: "" };
    review.add({
      id: sha256(["retire", scope, target, target].join("\n")).slice(0, 8),
      time: new Date(clock.now()).toISOString(),
      scope,
      operation: { kind: "retire", file: target, by, evidence },
      reason: `${by} contradicts it: "${truncate(oneLine(says), 120)}"`,
      doubtful: true,
      by: "rules",
      evidence,
      quote: truncate(oneLine(draft.body), QUOTE_CHARACTERS),
      saidAs: "other",
      seen: sha256(bytes),
    });
  }
}
