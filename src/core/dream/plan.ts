import { findDuplicates } from "./duplicates.ts";
import { type DreamNote, readNotes, type Statements } from "./note.ts";
import { type DreamOperation, isForPerson, madeFiles, type RefusedOperation, touchedFiles } from "./operation.ts";
import { mendReferences } from "./references.ts";
import type { DateResolver } from "../notes/dates/date-resolver.ts";
import { proposeRetiring } from "./unused.ts";
import { flagLong, mendDates, mendLinks } from "./upkeep.ts";

export interface DreamInput {
  readonly notes: readonly DreamNote[];
  readonly dates: DateResolver;
  /** The note that a link leads to now; `missing` where there is none, `undefined` where the link is sound. */
  readonly successorOf: (link: string) => string | "missing" | undefined;
  readonly timeZone: string | undefined;
  /** Kept between plans of the same notes. */
  readonly statements?: Statements;
}

/** What the rules of a dream propose, without a model: duplicates and contradictions first, then what the repository and the calendar say. */
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
  /** For a person: conflicts, flags, and what touches notes that nobody signed. */
  readonly told: readonly DreamOperation[];
  readonly refused: readonly RefusedOperation[];
}

/** Takes operations in order until a quarter of the notes would change; what is protected or unknown is refused. */
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
