import { findDuplicates } from "./duplicates.ts";
import {
  type DreamCause,
  type DreamEdit,
  type DreamNote,
  type DreamOperation,
  isForPerson,
  isOpen,
  isProtected,
  madeFiles,
  readNotes,
  type RefusedOperation,
  type Statements,
  touchedFiles,
} from "./operation.ts";
import { type DateResolver, withDates } from "../notes/dates/date-resolver.ts";
import { dayIn } from "../shared/clock.ts";
import { renamedTo } from "../notes/claims/check.ts";
import type { Check } from "../notes/claims/claim.ts";
import { truncate } from "../shared/text.ts";
import { SHOWN_IN_VAIN } from "../notes/note-index.ts";

/** Proposes to retire a note that agents saw often and never used; a person decides. */
export function proposeRetiring(note: DreamNote): DreamOperation[] {
  const shown = note.shownInVain ?? 0;
  if (shown < SHOWN_IN_VAIN || isProtected(note)) return [];
  return [
    {
      kind: "retire",
      cause: "unused",
      files: [note.file],
      reason: `was shown ${shown} times, and nobody opened, cited, edited or pinned it since`,
      edits: [{ kind: "retire", file: note.file, by: "nothing" }],
      ask: true,
    },
  ];
}

/** A note that names more things is about more than the missing ones. */
const MOST_NAMED = 6;

/**
 * What the repository contradicts. Renamed things are corrected. A project or reference note is retired when all that
 * it names is gone. Other missing names are reported.
 */
function mendReferences(note: DreamNote): DreamOperation[] {
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

/** The claim occurs literally in the note. */
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

/** How someone wants to work, and who they are, outlives the files that were mentioned. */
function canDie(note: DreamNote): boolean {
  return !isProtected(note) && (note.type === "project" || note.type === "reference");
}

function flag(note: Pick<DreamNote, "file">, cause: DreamCause, reason: string): DreamOperation {
  return { kind: "flag", cause, files: [note.file], reason, edits: [], ask: true };
}

/** Most bytes that recall shows of one note; a longer note is a document. */
const LONG_CHARACTERS = 4_096;

/** Replaces "next Thursday" by its date, counted from the day it was said; unchanged when that day is unknown. */
function mendDates(note: DreamNote, dates: DateResolver, timeZone: string | undefined): DreamOperation[] {
  const said = { ms: note.said ?? note.time, timeZone };
  const texts = [note.body, note.description];
  const found = texts.flatMap((text) =>
    dates.resolve(text, said).map(({ start, end, shown }) => ({ words: text.slice(start, end), shown })),
  );
  const [first] = found;
  if (first === undefined || isProtected(note)) return [];
  if (note.said === undefined)
    return [flag(note, "date", `says "${first.words}", and when that was written is not known`)];
  const told = [...new Set(found.map(({ words, shown }) => `"${words}" is ${shown}`))].join("; ");
  return [
    {
      kind: "correct",
      cause: "date",
      files: [note.file],
      reason: `written on ${dayIn(timeZone, note.said)}: ${told}`,
      edits: texts.flatMap((text) => changedLines(note, text, withDates(text, said, dates))),
      ask: !isOpen(note),
    },
  ];
}

/** Edits whole lines, so that the same words in another sentence, a quotation or code stay as they are. */
function changedLines({ file }: DreamNote, before: string, after: string): DreamEdit[] {
  const lines = after.split("\n");
  return before.split("\n").flatMap((line, at): DreamEdit[] => {
    const from = line.trim();
    const to = lines[at]?.trim() ?? from;
    return from === to ? [] : [{ kind: "replace", file, from, to }];
  });
}

/** A link to a retired note is redirected to its successor; a link to nothing is reported. */
function mendLinks(note: DreamNote, successorOf: (link: string) => string | "missing" | undefined): DreamOperation[] {
  const edits: DreamEdit[] = [];
  const missing: string[] = [];
  for (const link of note.links) {
    const successor = successorOf(link);
    if (successor === "missing") missing.push(link);
    else if (successor !== undefined && successor !== link)
      edits.push({ kind: "replace", file: note.file, from: `[[${link}]]`, to: `[[${successor}]]` });
  }
  const told =
    missing.length === 0
      ? []
      : [flag(note, "link", `links to ${missing.join(", ")}, which ${missing.length === 1 ? "does" : "do"} not exist`)];
  const mended = edits.filter((edit) => edit.kind === "replace" && note.body.includes(edit.from));
  if (mended.length === 0 || isProtected(note)) return told;
  return [
    ...told,
    {
      kind: "correct",
      cause: "link",
      files: [note.file],
      reason: "links to notes that were retired now point at the notes that replaced them",
      edits: mended,
      ask: !isOpen(note),
    },
  ];
}

function flagLong(note: DreamNote): DreamOperation[] {
  return note.body.length <= LONG_CHARACTERS
    ? []
    : [
        flag(
          note,
          "length",
          `has ${note.body.length} characters; recall shows the first ${LONG_CHARACTERS}: split it, or keep the document elsewhere and remember where`,
        ),
      ];
}

export interface DreamInput {
  readonly notes: readonly DreamNote[];
  readonly dates: DateResolver;
  /** The note that a link should lead to; `missing` when there is none, `undefined` when the link is correct. */
  readonly successorOf: (link: string) => string | "missing" | undefined;
  readonly timeZone: string | undefined;
  /** Kept between plans of the same notes. */
  readonly statements?: Statements;
}

/** What the rules of a dream propose without a model: duplicates, contradictions, then repository and dates. */
export function planDream(input: DreamInput): readonly DreamOperation[] {
  const duplicates = findDuplicates(readNotes(input.notes, input.statements), input.timeZone);
  const retired = new Set(
    duplicates.flatMap(({ edits }) => edits.filter(({ kind }) => kind === "retire").map(({ file }) => file)),
  );
  const rest = input.notes.filter(({ file }) => !retired.has(file));
  return [
    ...duplicates,
    ...rest.flatMap((note) => [
      ...mendReferences(note),
      ...mendDates(note, input.dates, input.timeZone),
      ...mendLinks(note, input.successorOf),
      ...flagLong(note),
      ...proposeRetiring(note),
    ]),
  ];
}

export interface DreamLimits {
  /** Share of the live notes that one run may change. */
  readonly share: number;
}

const DREAM_LIMITS: DreamLimits = { share: 0.25 };

export interface BoundedPlan {
  /** To be applied, in order. */
  readonly operations: readonly DreamOperation[];
  /** For a person: conflicts, flags, and changes of unsigned notes. */
  readonly told: readonly DreamOperation[];
  readonly refused: readonly RefusedOperation[];
}

/** Accepts operations in order until a quarter of the notes would change; refuses protected and unknown notes. */
export function boundPlan(
  plan: readonly DreamOperation[],
  notes: readonly DreamNote[],
  options: { readonly unsigned: boolean; readonly limits?: DreamLimits },
): BoundedPlan {
  const known = new Map(notes.map((note) => [note.file, note]));
  const most = Math.max(1, Math.floor(notes.length * (options.limits ?? DREAM_LIMITS).share));
  const touched = new Set<string>();
  const operations: DreamOperation[] = [];
  const told: DreamOperation[] = [];
  const refused: RefusedOperation[] = [];
  for (const operation of plan) {
    const files = touchedFiles(operation);
    const refusal = refusalOf(operation, files, known);
    if (refusal !== undefined) refused.push(refusal);
    else if (isForPerson(operation)) told.push(operation);
    else if (operation.ask && !options.unsigned) {
      told.push(operation);
      refused.push({
        operation,
        reason: "unsigned",
        message:
          operation.cause === "unused"
            ? "only you know whether it is still wanted: `memdir dream --review` asks"
            : "nobody signed one of these notes, so it may be yours: `memdir dream --review` asks",
      });
    } else if (new Set([...touched, ...files]).size > most)
      refused.push({
        operation,
        reason: "limit",
        message: `a run changes at most ${most} of ${notes.length} notes; the next one goes on`,
      });
    else {
      for (const file of files) touched.add(file);
      operations.push(operation);
    }
  }
  return { operations, told, refused };
}

function refusalOf(
  operation: DreamOperation,
  files: readonly string[],
  known: ReadonlyMap<string, DreamNote>,
): RefusedOperation | undefined {
  const made = madeFiles(operation.edits);
  const unknown = [...files, ...operation.files].find((file) => !known.has(file) && !made.has(file));
  if (unknown !== undefined) return { operation, reason: "unknown-note", message: `there is no live note ${unknown}` };
  const kept = files.find((file) => {
    const note = known.get(file);
    return note?.pinned === true || note?.author === "person";
  });
  return kept === undefined
    ? undefined
    : {
        operation,
        reason: "protected",
        message: `${kept} is ${known.get(kept)?.pinned === true ? "pinned" : "a person's own"}; it is never changed`,
      };
}
