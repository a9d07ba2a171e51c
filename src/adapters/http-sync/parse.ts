import { isRecord, record } from "../../core/shared/json.ts";
import type { Outcome, RemoteEntry, WireCommon, WireError, WirePage, WirePushed } from "../../core/sync/protocol.ts";

/** Answers of a server are read field by field: `undefined` for one that is not what the protocol says. */
export function parsePage(value: unknown): WirePage | undefined {
  if (!isRecord(value) || !Array.isArray(value["changes"])) return undefined;
  const { head, next, mark } = value;
  const changes = value["changes"].map(parseEntry);
  if (!isSeq(head) || !isSeq(next) || typeof mark !== "string" || !changes.every(isThere)) return undefined;
  return { head, next, mark, changes };
}

export function parseEntry(value: unknown): RemoteEntry<number> | undefined {
  if (!isRecord(value) || typeof value["lineage"] !== "string") return undefined;
  const { state, key, lineage, revision, body, names, by, at } = value;
  if (state === "forgotten")
    return Array.isArray(names) ? { state, lineage, names: names.filter((one) => typeof one === "string") } : undefined;
  if (typeof key !== "string" || !isSeq(revision)) return undefined;
  const told = { ...(typeof by === "string" && { by }), ...(typeof at === "string" && { at }) };
  if (state === "deleted") return { state, key, lineage, revision, ...told };
  return state === "live" && typeof body === "string" ? { state, key, lineage, revision, body, ...told } : undefined;
}

export function parsePushed(value: unknown): WirePushed | undefined {
  if (!isRecord(value) || !Array.isArray(value["outcomes"]) || !isRecord(value["prev"])) return undefined;
  const { head, mark } = value;
  const before = value["prev"];
  const outcomes = value["outcomes"].map(parseOutcome);
  if (!isSeq(head) || typeof mark !== "string" || !outcomes.every(isThere)) return undefined;
  if (!isSeq(before["head"]) || typeof before["mark"] !== "string") return undefined;
  return { head, mark, prev: { head: before["head"], mark: before["mark"] }, outcomes };
}

function parseOutcome(value: unknown): Outcome<number> | undefined {
  if (!isRecord(value)) return undefined;
  const { outcome, key, revision, forget, reason, rule } = value;
  if (outcome === "done" && typeof forget === "string") return { outcome, forget };
  if (typeof key !== "string") return undefined;
  if (outcome === "done") return isSeq(revision) ? { outcome, key, revision } : undefined;
  if (outcome === "stale") return isSeq(revision) ? { outcome, key, revision } : undefined;
  if (outcome === "forgotten" || outcome === "taken" || outcome === "group") return { outcome, key };
  const known = (["secret", "size", "key", "sealed"] as const).find((one) => one === reason);
  if (outcome !== "refused" || known === undefined) return undefined;
  return { outcome, key, reason: known, ...(typeof rule === "string" && { rule }) };
}

export function parseCommon(value: unknown): WireCommon | undefined {
  return isRecord(value) && isSeq(value["seq"]) ? { seq: value["seq"] } : undefined;
}

/** What went wrong, in the server's words; empty where it did not say. */
export function parseError(value: unknown): WireError {
  const { error, message } = record(value);
  return {
    error: typeof error === "string" ? error : "",
    message: typeof message === "string" ? message : "",
  };
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
