import { type CaptureOperation, OPERATION_KINDS } from "./plan.ts";
import { type Evidence, NOTE_TYPES, type NoteType, type Scope, SCOPES } from "../notes/note.ts";
import { parseJson } from "../shared/json.ts";
import { firstOf, flag, objectOf, oneOf, or, text } from "../shared/shape.ts";

const SAID_AS = [
  "wish",
  "prohibition",
  "correction",
  "confirmation",
  "preference",
  "identity",
  "decision",
  "deadline",
  "system",
  "other",
] as const;

/** How the user said what a note rests on; `other` when that is unclear. */
export type SaidAs = (typeof SAID_AS)[number];

const EVIDENCE = objectOf({ session: text, message: text });

const DRAFT = objectOf(
  { type: oneOf(...NOTE_TYPES), name: text, description: text, body: text },
  { evidence: EVIDENCE, source: text, said: text, forced: text },
);

const OPERATION = firstOf<CaptureOperation>(
  objectOf({ kind: oneOf("create"), draft: DRAFT }),
  objectOf({ kind: oneOf("supersede", "revise"), file: text, draft: DRAFT }),
  objectOf({ kind: oneOf("retire"), file: text, evidence: EVIDENCE }, { by: text }),
);

const ENTRY = objectOf(
  {
    id: text,
    time: text,
    scope: oneOf(...SCOPES),
    operation: OPERATION,
    reason: text,
    doubtful: flag,
    by: or(oneOf("model"), "rules" as const),
    evidence: EVIDENCE,
    quote: text,
    saidAs: oneOf(...SAID_AS),
  },
  { seen: text },
);

const RULE = objectOf(
  {
    id: text,
    verdict: oneOf("always", "never"),
    kind: oneOf(...OPERATION_KINDS),
    saidAs: oneOf(...SAID_AS),
    time: text,
  },
  { type: oneOf(...NOTE_TYPES) },
);

/** Parses a file of the queue; `undefined` when it is not an entry. */
export function parseEntry(file: string): ReviewEntry | undefined {
  return ENTRY(parseJson(file));
}

export function parseRule(file: string): ReviewRule | undefined {
  return RULE(parseJson(file));
}

/** An operation of capture that waits for a person. Its texts have passed the gates. */
export interface ReviewEntry {
  /** Short and derived from the content: the same proposal has the same id. */
  readonly id: string;
  /** ISO time at which it was proposed. */
  readonly time: string;
  readonly scope: Scope;
  readonly operation: CaptureOperation;
  /** Why it waits, in words for people. */
  readonly reason: string;
  /** Must never be applied automatically, whatever the mode or a rule says. */
  readonly doubtful: boolean;
  readonly by: "rules" | "model";
  readonly evidence: Evidence;
  /** The user's words, secrets masked. */
  readonly quote: string;
  readonly saidAs: SaidAs;
  /** Hash of the note to be changed, when this was proposed; `undefined` for a new note. */
  readonly seen?: string | undefined;
}

/** "Always like this" or "never like this": how later capture treats the same kind of proposal. */
export interface ReviewRule {
  readonly id: string;
  readonly verdict: "always" | "never";
  readonly kind: CaptureOperation["kind"];
  readonly type?: NoteType | undefined;
  readonly saidAs: SaidAs;
  readonly time: string;
}

/** Entries that expired without a review. */
export interface Lapsed {
  readonly count: number;
  /** ISO time of the earliest. */
  readonly since: string;
}

export const MOST_ENTRIES = 200;

export const ENTRY_DAYS = 30;

/** What happens to an entry after review. `reject` also stops the same proposal from coming back. */
export type Settlement<Result> =
  | { readonly result: Result; readonly next: "keep" | "remove" | "reject" }
  | { readonly result: Result; readonly next: "replace"; readonly entry: ReviewEntry };

/** The queue of a project's proposals. Every change is durable on return, and concurrent processes are serialised. */
export interface ReviewQueue {
  /** Oldest first, without expired entries. */
  entries(): readonly ReviewEntry[];
  /** `known`: it is already waiting. `rejected`: the same proposal was rejected before. */
  add(entry: ReviewEntry): "added" | "known" | "rejected";
  /** Works on an entry's current state, under the queue's lock; `work` gets `undefined` when the entry is gone. */
  settle<Result>(id: string, work: (entry: ReviewEntry | undefined) => Settlement<Result>): Result;
  rules(): readonly ReviewRule[];
  addRule(rule: ReviewRule): void;
  removeRule(id: string): boolean;
  /** What expired since the user was last told. */
  lapsed(): Lapsed | undefined;
  /** Called after the user was told. */
  forgetLapsed(): void;
  /** Files in the queue that cannot be read. */
  damaged(): readonly string[];
  /** Drops entries that would change this note (`scope:file`), texts included. */
  dropAbout(note: string): void;
}

/** For when memory is off: always empty, accepts nothing. */
export const CLOSED_QUEUE: ReviewQueue = {
  entries: () => [],
  add: () => "rejected",
  settle: (_, work) => work(undefined).result,
  rules: () => [],
  addRule: () => undefined,
  removeRule: () => false,
  lapsed: () => undefined,
  forgetLapsed: () => undefined,
  damaged: () => [],
  dropAbout: () => undefined,
};
