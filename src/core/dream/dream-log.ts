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
  /** How many lines more it had that a later dream said again: each stands only where it was said last. */
  readonly saidAgain?: { readonly refused: number; readonly told: number };
  /** Why it ended early; nothing was changed then. */
  readonly failure?: string;
  /** Who proposed beside the rules, and what that took. */
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

/** The log, newest last, with one dream more: what that dream says again leaves those before it. */
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

/** A count or an age within the reason makes no other line of it. */
function lineKey({ kind, files, reason }: DreamLine): string {
  return JSON.stringify([kind, files, reason.replace(/\d+/gu, "#")]);
}

/** Newest last; a line that was half written by a process that died is passed over. */
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
