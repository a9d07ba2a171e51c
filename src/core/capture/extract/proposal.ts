import type { JsonSchema } from "../../models/model.ts";
import { NOTE_TYPES } from "../../notes/note.ts";
import { record } from "../../shared/json.ts";
import { listOf, objectOf, oneOf, or, type Read, type Reader, text } from "../../shared/shape.ts";
import { OPERATION_KINDS } from "../plan.ts";

/** What the model may ask to see before it answers. All are read-only. */
export const LOOKS = ["note", "file", "list", "glob", "grep", "shell"] as const;

const trimmed: Reader<string> = (value) => text(value)?.trim();
const filled: Reader<string> = (value) => trimmed(value) || undefined;
const said = or(trimmed, "");

/** `argument`: a note's id, a path in the project, a pattern, or a command line. */
const LOOK = objectOf({ tool: oneOf(...LOOKS), argument: filled });
export type Look = Read<typeof LOOK>;

/** The user's words that support an operation. `message`: the label of a message in the brief, such as `u3`. */
const QUOTATION = objectOf({ message: said, quote: said });
export type Quotation = Read<typeof QUOTATION>;

const WORDING = objectOf({
  type: oneOf(...NOTE_TYPES),
  name: said,
  description: said,
  rule: filled,
  why: said,
  how: said,
});
export type Wording = Read<typeof WORDING>;

const OPERATION = objectOf({ action: oneOf(...OPERATION_KINDS), note: said });

/** What a model proposes. Each proposal is judged against the current store before it is applied. */
export type Proposal = { readonly evidence: Quotation } & (
  | { readonly action: "create"; readonly wording: Wording }
  | { readonly action: "revise" | "supersede"; readonly note: string; readonly wording: Wording }
  | { readonly action: "retire"; readonly note: string }
);

/** One answer of the model: it asks to look, or it proposes operations. */
export interface Step {
  readonly looks: readonly Look[];
  readonly proposals: readonly Proposal[];
}

const TEXT: JsonSchema = { type: "string" };

/** Providers that enforce a schema want every field of an object named as required. */
function objectWith(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** The part of JSON Schema that every provider can enforce; `parseStep` checks the rest. */
export const STEP_SCHEMA = objectWith({
  look: { type: "array", items: objectWith({ tool: { type: "string", enum: LOOKS }, argument: TEXT }) },
  operations: {
    type: "array",
    items: objectWith({
      action: { type: "string", enum: OPERATION_KINDS },
      note: TEXT,
      type: { type: "string", enum: NOTE_TYPES },
      name: TEXT,
      description: TEXT,
      rule: TEXT,
      why: TEXT,
      how: TEXT,
      message: TEXT,
      quote: TEXT,
    }),
  },
});

/** Most looks accepted in one answer. */
const MOST_LOOKS = 8;

/** Parses a model's answer; malformed entries are skipped. `undefined` when it is not an answer at all. */
export function parseStep(value: unknown): Step | undefined {
  const { look, operations } = record(value);
  if (!Array.isArray(look) && !Array.isArray(operations)) return undefined;
  return { looks: listOf(LOOK)(look).slice(0, MOST_LOOKS), proposals: listOf(readProposal)(operations) };
}

function readProposal(value: unknown): Proposal | undefined {
  const [operation, evidence, wording] = [OPERATION(value), QUOTATION(value), WORDING(value)];
  if (operation === undefined || evidence === undefined) return undefined;
  const { action, note } = operation;
  if (action === "create") return wording && { action, wording, evidence };
  if (note === "") return undefined;
  return action === "retire" ? { action, note, evidence } : wording && { action, note, wording, evidence };
}
