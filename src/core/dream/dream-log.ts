import type { DreamOperation, RefusedOperation } from "./operation.ts";
import { parseJson } from "../shared/json.ts";

/** A dream as logged. Reasons may quote notes, so forgetting a note drops its lines. */
export interface DreamRecord {
  /** ISO time of its end. */
  readonly time: string;
  readonly scope: string;
  /** Number of live notes read. */
  readonly notes: number;
  readonly ms: number;
  /** The store version that contains its changes. */
  readonly version: number | undefined;
  readonly applied: readonly DreamLine[];
  readonly refused: readonly (DreamLine & { readonly why: string })[];
  readonly told: readonly DreamLine[];
  /** Number of lines that a later dream repeated: each line is kept only in the latest dream that has it. */
  readonly saidAgain?: { readonly refused: number; readonly told: number };
  /** Why it ended early, without changing anything. */
  readonly failure?: string;
  /** The model that made proposals in addition to the rules, and its usage. */
  readonly model?: {
    readonly id: string;
    readonly notes: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly failure?: string | undefined;
  };
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

/** The log with one more dream, newest last. Lines that it repeats are removed from earlier dreams. */
export function withDream(before: readonly DreamRecord[], record: DreamRecord): readonly DreamRecord[] {
  const said = (lines: readonly DreamLine[]): ReadonlySet<string> => new Set(lines.map(lineKey));
  const [told, refused] = [said(record.told), said(record.refused)];
  const older = before.map((one): DreamRecord => {
    const kept = {
      told: one.told.filter((line) => !told.has(lineKey(line))),
      refused: one.refused.filter((line) => !refused.has(lineKey(line))),
    };
    const again = {
      refused: (one.saidAgain?.refused ?? 0) + one.refused.length - kept.refused.length,
      told: (one.saidAgain?.told ?? 0) + one.told.length - kept.told.length,
    };
    return again.refused + again.told === 0 ? one : { ...one, ...kept, saidAgain: again };
  });
  return [...older, record];
}

/** Reasons that differ only in numbers, such as a count or an age, have the same key. */
function lineKey({ kind, files, reason }: DreamLine): string {
  return JSON.stringify([kind, files, reason.replace(/\d+/gu, "#")]);
}

/** Newest last; a line half written by a killed process is skipped. */
export function readDreamLog(text: string): readonly DreamRecord[] {
  return text.split("\n").flatMap((line) => {
    const value = parseJson(line);
    return isDreamRecord(value) ? [value] : [];
  });
}

function isDreamRecord(value: unknown): value is DreamRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "time" in value &&
    typeof value.time === "string" &&
    "applied" in value &&
    Array.isArray(value.applied) &&
    "refused" in value &&
    Array.isArray(value.refused) &&
    "told" in value &&
    Array.isArray(value.told)
  );
}
