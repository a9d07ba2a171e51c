/** Makes a recorded session fit to ship: no machine paths and none of the client's own prompt texts. */

/** Copies of whole requests, and settings of the account that ran the client. */
const DROPPED_TYPES = new Set(["api-request", "api-request-shape", "api-request-blob", "atis-latch", "cost-state"]);

/** Records for the client's own use contain its prompt texts; without them a session reads the same. */
function isDropped(record) {
  return DROPPED_TYPES.has(record.type) || record.type === "attachment";
}

/** Follows dropped records upwards to the nearest kept ancestor. */
function keptAncestor(uuid, dropped) {
  let current = uuid;
  while (typeof current === "string" && dropped.has(current)) current = dropped.get(current);
  return current;
}

function replaceAll(text, replacements) {
  return replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/**
 * @param {string} jsonl the client's transcript
 * @param {readonly (readonly [string, string])[]} replacements texts to replace, longest first
 * @returns {string} JSONL in the client's own record shapes, parents re-linked over what was dropped
 */
export function sanitise(jsonl, replacements) {
  const records = jsonl
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const dropped = new Map(records.filter(isDropped).map((record) => [record.uuid, record.parentUuid]));
  const kept = records.filter((record) => !isDropped(record));
  const linked = kept.map((record) => {
    const links = {};
    for (const key of ["parentUuid", "leafUuid"]) {
      if (key in record) links[key] = keptAncestor(record[key], dropped);
    }
    return { ...record, ...links };
  });
  return linked.map((record) => `${replaceAll(JSON.stringify(record), replacements)}\n`).join("");
}
