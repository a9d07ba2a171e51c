import type { CaptureOperation } from "./plan.ts";
import { NOTE_TYPES, type NoteDraft, SCOPES } from "../notes/note.ts";
import type { ReviewEntry, ReviewRule, SaidAs } from "./review-queue.ts";
import { parseJson, record } from "../shared/json.ts";

type Fields = Readonly<Record<string, unknown>>;

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
] as const satisfies readonly SaidAs[];
const KINDS = ["create", "revise", "supersede", "retire"] as const satisfies readonly CaptureOperation["kind"][];

/** A file of the queue; `undefined` when it is not an entry. */
export function parseEntry(text: string): ReviewEntry | undefined {
  const value = fieldsOf(text);
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
  const value = fieldsOf(text);
  const kind = KINDS.find((one) => one === value["kind"]);
  const saidAs = SAID_AS.find((one) => one === value["saidAs"]);
  const { id, time, verdict } = value;
  if (
    kind === undefined ||
    saidAs === undefined ||
    typeof id !== "string" ||
    typeof time !== "string" ||
    (verdict !== "always" && verdict !== "never")
  )
    return undefined;
  return { id, verdict, kind, type: NOTE_TYPES.find((one) => one === value["type"]), saidAs, time };
}

/** The first JSON object of a text, whatever it holds; empty when there is none. */
export function fieldsOf(text: string): Fields {
  return record(parseJson(text)); // torn or edited: whoever asked says what that means
}

function parseOperation(value: unknown): CaptureOperation | undefined {
  const fields = record(value);
  const kind = KINDS.find((one) => one === fields["kind"]);
  const { file } = fields;
  if (kind === "retire") {
    const evidence = parseEvidence(fields["evidence"]);
    const { by } = fields;
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
  const { name, description, body, source, said } = fields;
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
  };
}

function parseEvidence(value: unknown): { readonly session: string; readonly message: string } | undefined {
  const { session, message } = record(value);
  return typeof session === "string" && typeof message === "string" ? { session, message } : undefined;
}
