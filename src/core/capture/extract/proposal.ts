import type { JsonSchema } from "../../models/model.ts";
import { NOTE_TYPES, type NoteType } from "../../notes/note.ts";
import { record } from "../../shared/json.ts";
import { OPERATION_KINDS } from "../plan.ts";

/** What the model may ask to see before it answers. All are read-only. */
export const LOOKS = ["note", "file", "list", "glob", "grep", "shell"] as const;

export interface Look {
  readonly tool: (typeof LOOKS)[number];
  /** A note's id, a path in the project, a pattern, or a command line. */
  readonly argument: string;
}

/** The user's words that support an operation. */
export interface Quotation {
  /** Label of a message in the brief: `u3`. */
  readonly message: string;
  readonly quote: string;
}

export interface Wording {
  readonly type: NoteType;
  readonly name: string;
  readonly description: string;
  readonly rule: string;
  readonly why: string;
  readonly how: string;
}

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
  /** Number of entries in the wrong shape. */
  readonly malformed: number;
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

/** Parses a model's answer; malformed entries are counted and skipped. `undefined` when it is not an answer at all. */
export function parseStep(value: unknown): Step | undefined {
  const { look, operations } = record(value);
  if (!Array.isArray(look) && !Array.isArray(operations)) return undefined;
  const asked: readonly unknown[] = Array.isArray(look) ? look : [];
  const proposed: readonly unknown[] = Array.isArray(operations) ? operations : [];
  const looks = asked.map(readLook).filter((one) => one !== undefined);
  const proposals = proposed.map(readProposal).filter((one) => one !== undefined);
  return {
    looks: looks.slice(0, MOST_LOOKS),
    proposals,
    malformed: asked.length - looks.length + proposed.length - proposals.length,
  };
}

function readLook(value: unknown): Look | undefined {
  const fields = record(value);
  const tool = LOOKS.find((known) => known === fields["tool"]);
  const argument = text(fields["argument"]);
  return tool === undefined || argument === "" ? undefined : { tool, argument };
}

function readProposal(value: unknown): Proposal | undefined {
  const fields = record(value);
  const action = OPERATION_KINDS.find((known) => known === fields["action"]);
  const evidence = { message: text(fields["message"]), quote: text(fields["quote"]) };
  const note = text(fields["note"]);
  if (action === undefined || (action !== "create" && note === "")) return undefined;
  if (action === "retire") return { action, note, evidence };
  const type = NOTE_TYPES.find((known) => known === fields["type"]);
  const rule = text(fields["rule"]);
  if (type === undefined || rule === "") return undefined;
  const wording = {
    type,
    name: text(fields["name"]),
    description: text(fields["description"]),
    rule,
    why: text(fields["why"]),
    how: text(fields["how"]),
  };
  return action === "create" ? { action, wording, evidence } : { action, note, wording, evidence };
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
