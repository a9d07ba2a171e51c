import { type CaptureOperation, OPERATION_KINDS } from "./plan.ts";
import { type Evidence, NOTE_TYPES, type NoteDraft, type NoteType, type Scope, SCOPES } from "../notes/note.ts";
import { parseJson, record } from "../shared/json.ts";

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

/** Parses a file of the queue; `undefined` when it is not an entry. */
export function parseEntry(text: string): ReviewEntry | undefined {
  const value = record(parseJson(text));
  const operation = parseOperation(value["operation"]);
  const scope = SCOPES.find((one) => one === value["scope"]);
  const evidence = parseEvidence(value["evidence"]);
  const saidAs = SAID_AS.find((one) => one === value["saidAs"]);
  const { id, time, reason, quote, seen } = value;
  if (operation === undefined || scope === undefined || evidence === undefined || saidAs === undefined)
    return undefined;
  if (typeof id !== "string" || typeof time !== "string" || typeof reason !== "string" || typeof quote !== "string")
    return undefined;
  return {
    id,
    time,
    scope,
    operation,
    reason,
    doubtful: value["doubtful"] === true,
    by: value["by"] === "model" ? "model" : "rules",
    evidence,
    quote,
    saidAs,
    seen: typeof seen === "string" ? seen : undefined,
  };
}

export function parseRule(text: string): ReviewRule | undefined {
  const value = record(parseJson(text));
  const kind = OPERATION_KINDS.find((one) => one === value["kind"]);
  const saidAs = SAID_AS.find((one) => one === value["saidAs"]);
  const { id, time, verdict } = value;
  if (kind === undefined || saidAs === undefined || typeof id !== "string" || typeof time !== "string")
    return undefined;
  if (verdict !== "always" && verdict !== "never") return undefined;
  return { id, verdict, kind, type: NOTE_TYPES.find((one) => one === value["type"]), saidAs, time };
}

function parseOperation(value: unknown): CaptureOperation | undefined {
  const fields = record(value);
  const kind = OPERATION_KINDS.find((one) => one === fields["kind"]);
  const { file, by } = fields;
  if (kind === "retire") {
    const evidence = parseEvidence(fields["evidence"]);
    return typeof file === "string" && evidence !== undefined
      ? { kind, file, evidence, ...(typeof by === "string" && { by }) }
      : undefined;
  }
  const draft = parseDraft(fields["draft"]);
  if (kind === undefined || draft === undefined) return undefined;
  if (kind === "create") return { kind, draft };
  return typeof file === "string" ? { kind, file, draft } : undefined;
}

function parseDraft(value: unknown): NoteDraft | undefined {
  const fields = record(value);
  const type = NOTE_TYPES.find((one) => one === fields["type"]);
  const { name, description, body, source, said, forced } = fields;
  const evidence = parseEvidence(fields["evidence"]);
  if (type === undefined || typeof name !== "string" || typeof description !== "string" || typeof body !== "string")
    return undefined;
  return {
    type,
    name,
    description,
    body,
    ...(evidence === undefined ? {} : { evidence }),
    ...(typeof source === "string" ? { source } : {}),
    ...(typeof said === "string" ? { said } : {}),
    ...(typeof forced === "string" ? { forced } : {}),
  };
}

function parseEvidence(value: unknown): Evidence | undefined {
  const { session, message } = record(value);
  return typeof session === "string" && typeof message === "string" ? { session, message } : undefined;
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
  readonly seen: string | undefined;
}

/** "Always like this" or "never like this": how later capture treats the same kind of proposal. */
export interface ReviewRule {
  readonly id: string;
  readonly verdict: "always" | "never";
  readonly kind: CaptureOperation["kind"];
  readonly type: NoteType | undefined;
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
