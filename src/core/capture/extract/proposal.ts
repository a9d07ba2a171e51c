import { NOTE_TYPES, type NoteType } from "../../notes/note.ts";

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

interface Wording {
  readonly type: NoteType;
  readonly name: string;
  readonly description: string;
  readonly rule: string;
  readonly why: string;
  readonly how: string;
}

/** What a model proposes. Each proposal is judged against the current store before it is applied. */
export type Proposal =
  | { readonly action: "create"; readonly wording: Wording; readonly evidence: Quotation }
  | {
      readonly action: "revise" | "supersede";
      readonly note: string;
      readonly wording: Wording;
      readonly evidence: Quotation;
    }
  | { readonly action: "retire"; readonly note: string; readonly evidence: Quotation };

/** One answer of the model: it asks to look, or it proposes operations. */
export interface Step {
  readonly looks: readonly Look[];
  readonly proposals: readonly Proposal[];
  /** Number of entries in the wrong shape. */
  readonly malformed: number;
}

const ACTIONS = ["create", "revise", "supersede", "retire"] as const;

/** The part of JSON Schema that every provider can enforce; `parseStep` checks the rest. */
export const STEP_SCHEMA = {
  type: "object",
  properties: {
    look: {
      type: "array",
      items: {
        type: "object",
        properties: { tool: { type: "string", enum: LOOKS }, argument: { type: "string" } },
        required: ["tool", "argument"],
        additionalProperties: false,
      },
    },
    operations: {
      type: "array",
      items: {
        type: "object",
        properties: {
          action: { type: "string", enum: ACTIONS },
          note: { type: "string" },
          type: { type: "string", enum: NOTE_TYPES },
          name: { type: "string" },
          description: { type: "string" },
          rule: { type: "string" },
          why: { type: "string" },
          how: { type: "string" },
          message: { type: "string" },
          quote: { type: "string" },
        },
        required: ["action", "note", "type", "name", "description", "rule", "why", "how", "message", "quote"],
        additionalProperties: false,
      },
    },
  },
  required: ["look", "operations"],
  additionalProperties: false,
} as const;

/** Most looks accepted in one answer. */
const MOST_LOOKS = 8;

/** Parses a model's answer; malformed entries are counted and skipped. `undefined` when it is not an answer at all. */
export function parseStep(value: unknown): Step | undefined {
  const step = record(value);
  if (step === undefined) return undefined;
  const asked = list(step["look"]);
  const proposed = list(step["operations"]);
  if (asked === undefined && proposed === undefined) return undefined;
  const looks = (asked ?? []).map(readLook).filter((look) => look !== undefined);
  const proposals = (proposed ?? []).map(readProposal).filter((proposal) => proposal !== undefined);
  return {
    looks: looks.slice(0, MOST_LOOKS),
    proposals,
    malformed: (asked ?? []).length - looks.length + (proposed ?? []).length - proposals.length,
  };
}

function readLook(value: unknown): Look | undefined {
  const fields = record(value);
  const tool = LOOKS.find((known) => known === fields?.["tool"]);
  const argument = text(fields?.["argument"]);
  return tool === undefined || argument === "" ? undefined : { tool, argument };
}

function readProposal(value: unknown): Proposal | undefined {
  const fields = record(value);
  const action = ACTIONS.find((known) => known === fields?.["action"]);
  if (fields === undefined || action === undefined) return undefined;
  const evidence = { message: text(fields["message"]), quote: text(fields["quote"]) };
  const note = text(fields["note"]);
  if (action !== "create" && note === "") return undefined;
  if (action === "retire") return { action, note, evidence };
  const type = NOTE_TYPES.find((known) => known === fields["type"]);
  const wording = {
    name: text(fields["name"]),
    description: text(fields["description"]),
    rule: text(fields["rule"]),
    why: text(fields["why"]),
    how: text(fields["how"]),
  };
  if (type === undefined || wording.rule === "") return undefined;
  return action === "create"
    ? { action, wording: { type, ...wording }, evidence }
    : { action, note, wording: { type, ...wording }, evidence };
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
