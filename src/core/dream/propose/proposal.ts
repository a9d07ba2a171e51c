import type { JsonSchema } from "../../models/model.ts";
import { record } from "../../shared/json.ts";

const ACTIONS = ["merge", "supersede", "retire", "correct"] as const;

/** What a model proposes, before any check. */
export interface DreamProposal {
  readonly action: (typeof ACTIONS)[number];
  /** Ids of the brief. */
  readonly keep: string;
  readonly drop: readonly string[];
  /** The new body of the kept note; empty for no change. */
  readonly text: string;
  readonly quotes: readonly { readonly note: string; readonly quote: string }[];
  readonly reason: string;
}

const STRING: JsonSchema = { type: "string" };

export const DREAM_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    operations: {
      type: "array",
      items: {
        type: "object",
        properties: {
          action: { type: "string", enum: ACTIONS },
          keep: STRING,
          drop: { type: "array", items: STRING },
          text: STRING,
          quotes: {
            type: "array",
            items: {
              type: "object",
              properties: { note: STRING, quote: STRING },
              required: ["note", "quote"],
              additionalProperties: false,
            },
          },
          reason: STRING,
        },
        required: ["action", "keep", "drop", "text", "quotes", "reason"],
        additionalProperties: false,
      },
    },
  },
  required: ["operations"],
  additionalProperties: false,
};

/** More than this in one answer means that the model failed. */
const MOST_PROPOSALS = 24;
/** Most quotations that are read of one operation. */
const MOST_QUOTES = 24;

export type DreamAnswer =
  | {
      readonly kind: "proposals";
      readonly proposals: readonly DreamProposal[];
      /** Number of entries in the wrong shape. */ readonly malformed: number;
    }
  | { readonly kind: "unusable"; readonly reason: string };

/** Parses a model's answer; an answer without a list, or with too many operations, is rejected as a whole. */
export function parseDreamAnswer(value: unknown): DreamAnswer {
  const list = record(value)["operations"];
  if (!Array.isArray(list)) return { kind: "unusable", reason: "the answer has no list of operations" };
  if (list.length > MOST_PROPOSALS)
    return {
      kind: "unusable",
      reason: `the answer has ${list.length} operations, more than the ${MOST_PROPOSALS} that such notes could ask for`,
    };
  const proposals = list.flatMap((item: unknown): DreamProposal[] => readProposal(record(item)));
  return { kind: "proposals", proposals, malformed: list.length - proposals.length };
}

function readProposal(fields: Readonly<Record<string, unknown>>): DreamProposal[] {
  const action = ACTIONS.find((known) => known === fields["action"]);
  const { drop, quotes } = fields;
  if (action === undefined || !Array.isArray(drop) || !Array.isArray(quotes)) return [];
  return [
    {
      action,
      keep: text(fields["keep"]),
      text: text(fields["text"]),
      reason: text(fields["reason"]),
      drop: [...new Set(drop.map(text))],
      quotes: quotes
        .slice(0, MOST_QUOTES)
        .map((item: unknown) => ({ note: text(record(item)["note"]), quote: text(record(item)["quote"]) })),
    },
  ];
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
