import type { DreamOperation, RefusedOperation } from "./operation.ts";
import { parseJson } from "../shared/json.ts";

/** A dream as its log tells it; reasons may quote words of notes, so whoever forgets a note drops its lines. */
export interface DreamRecord {
  /** ISO time of its end. */
  readonly time: string;
  readonly scope: string;
  /** Live notes looked at. */
  readonly notes: number;
  readonly ms: number;
  /** The version of the store that holds its changes. */
  readonly version: number | undefined;
  readonly applied: readonly DreamLine[];
  readonly refused: readonly (DreamLine & { readonly why: string })[];
  readonly told: readonly DreamLine[];
  /** Why it ended early; nothing was changed then. */
  readonly failure?: string;
  /** Who proposed beside the rules, and what that took. */
  readonly model?: { readonly id: string; readonly notes: number; readonly inputTokens: number; readonly outputTokens: number; readonly failure?: string | undefined };
}

export interface DreamLine {
  readonly kind: DreamOperation["kind"];
  readonly files: readonly string[];
  readonly reason: string;
}

export function dreamLine({ kind, files, reason }: DreamOperation): DreamLine {
  return { kind, files, reason };
}

export function refusedLine({ operation, message }: RefusedOperation): DreamLine & { readonly why: string } {
  return { ...dreamLine(operation), why: message };
}

/** Newest last; a line that was half written by a process that died is passed over. */
export function readDreamLog(text: string): readonly DreamRecord[] {
  return text.split("\n").flatMap((line) => {
    const value = parseJson(line);
    return isRecord(value) ? [value] : [];
  });
}

function isRecord(value: unknown): value is DreamRecord {
  return typeof value === "object" && value !== null && "time" in value && typeof value.time === "string" && "applied" in value && Array.isArray(value.applied) && "refused" in value && Array.isArray(value.refused) && "told" in value && Array.isArray(value.told);
}
