import { isRecord } from "../../shared/json.ts";
import { dayIn } from "../../shared/clock.ts";

/**
 * When all of a note's words were said (ms), from its frontmatter; `undefined` where they may be of several days, or of
 * one that it does not name: when a file was changed is not when its words were said.
 */
export function saidAt(data: Readonly<Record<string, unknown>>, timeZone: string | undefined): number | undefined {
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  const created = timeOf(metadata["created"] ?? data["created"]);
  const modified = timeOf(metadata["modified"] ?? data["modified"]);
  const said = timeOf(metadata["said"]) ?? created;
  const isOfOneDay =
    modified === undefined || (created !== undefined && dayIn(timeZone, modified) === dayIn(timeZone, created));
  return isOfOneDay ? said : undefined;
}

function timeOf(value: unknown): number | undefined {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}
