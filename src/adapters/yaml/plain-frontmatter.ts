/**
 * Frontmatter as almost every note has it, without the YAML parser, which is a sixth of a full index: lines `key: value`,
 * one level of them under an empty `metadata:`, each value a text that no YAML reader takes for anything else.
 * `undefined` for whatever is the least bit more: the parser reads that.
 */
export function readPlain(block: string): Readonly<Record<string, unknown>> | undefined {
  const data = new Map<string, unknown>();
  let inner: Map<string, unknown> | undefined;
  const lines = block.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const [, indent, key, raw] = LINE.exec(line) ?? [];
    if (key === undefined || OTHER_VALUE.test(key)) return undefined;
    if (indent === undefined && key === "metadata" && raw === undefined) {
      if (data.has(key)) return undefined;
      inner = new Map();
      data.set(key, inner);
      continue;
    }
    const target = indent === undefined ? data : inner;
    const value = raw === undefined ? undefined : textOf(raw);
    if (target === undefined || target.has(key) || value === undefined) return undefined;
    if (indent === undefined) inner = undefined;
    target.set(key, value);
  }
  // An empty map is nothing to YAML.
  if (data.size === 0 || [...data.values()].some((value) => value instanceof Map && value.size === 0)) return undefined;
  return Object.fromEntries(
    [...data].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]),
  );
}

/** One space after the colon, none at the end, two before an inner key; printable characters alone. */
const LINE =
  /^( {2})?([A-Za-z][A-Za-z0-9_]*):(?: ([\x21-\x7e](?:[\x20-\x7e\u00a1-\u2027\u2030-\ud7ff]*[\x21-\x7e\u00a1-\u2027\u2030-\ud7ff])?))?$/;
/** Begins with a letter and has nothing that YAML could read as a comment or a mapping. */
const PLAIN = /^[A-Za-z](?:[^:#]|:(?=[^ :]))*$/;
const OTHER_VALUE = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const QUOTED = /^"([^"\\]*)"$|^'([^']*)'$/;

function textOf(raw: string): string | undefined {
  if ((PLAIN.test(raw) && !OTHER_VALUE.test(raw) && !raw.endsWith(":")) || MOMENT.test(raw) || UUID.test(raw))
    return raw;
  const quoted = QUOTED.exec(raw);
  return quoted?.[1] ?? quoted?.[2];
}
