import { parse, TomlError } from "smol-toml";
import { ownServerWords, SERVER_NAME } from "../../core/install/agents.ts";
import { orRefusal, type OwnEntry, Refused, type SettingsEditor } from "../../core/install/settings-editor.ts";

/** The values of a TOML file; none if it cannot be parsed. */
export function tomlValues(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return {};
    throw error;
  }
}

const TABLE = `mcp_servers.${SERVER_NAME}`;
const MARK = "# memdir's MCP server; `memdir uninstall` takes this table out";
const HEADER = /^[ \t]*\[/u;
const OWN_HEADER = new RegExp(
  `^[ \\t]*\\[[ \\t]*mcp_servers[ \\t]*\\.[ \\t]*(?:${SERVER_NAME}|"${SERVER_NAME}"|'${SERVER_NAME}')[ \\t]*[.\\]]`,
  "u",
);

/** Codex's configuration: one table at the end of the file, without an end mark, since the client rewrites it too. */
export function tomlSettings(command: string, args: readonly string[]): SettingsEditor {
  const server = { command, args: [...args] };
  const block = [
    MARK,
    `[${TABLE}]`,
    `command = ${basicString(command)}`,
    `args = [${args.map(basicString).join(", ")}]`,
    "",
  ];
  return {
    wanted: own(server),
    find: (text) => orRefusal(() => ({ ok: true, entries: own(serverIn(parseToml(text))) })),
    add: (text) => orRefusal(() => ({ ok: true, text: append(text ?? "", block) })),
    remove: (text, before) => orRefusal(() => ({ ok: true, text: takeOut(text, before) })),
  };
}

function own(server: unknown): readonly OwnEntry[] {
  const paths = ownServerWords(server);
  if (paths === undefined || typeof server !== "object" || server === null) return [];
  // Other keys that the person sets here (an approval mode, for example) are theirs and no reason to rewrite the table.
  const { command, args } = { command: undefined, args: undefined, ...server };
  return [{ place: TABLE, paths, content: JSON.stringify({ command, args }) }];
}

function append(text: string, block: readonly string[]): string {
  if (serverIn(parseToml(text)) !== undefined)
    throw new Refused(`[${TABLE}] already exists and is not memdir's; rename or remove it`, headerLine(text));
  const eol = /\r?\n/u.exec(text)?.[0] ?? "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  const edited = text + gap + block.join(eol);
  if (own(serverIn(tryToml(edited))).length === 0)
    throw new Refused(
      "mcp_servers is written inline, so no table can be added to it; write it as [mcp_servers.NAME] tables",
      undefined,
    );
  return edited;
}

/** The text without our table. A multi-line string may look like a table's line, so the result is parsed again. */
function takeOut(text: string, before: string | undefined): string | undefined {
  const parsed = parseToml(text);
  if (own(serverIn(parsed)).length === 0) return text;
  const lines = text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const mark = lines.findLastIndex((line) => line.trim() === MARK);
  const edited = [Math.max(mark, 0), 0]
    .map((from) => withoutTables(lines, from))
    .find((result) => isOnlyOursGone(parsed, result));
  if (edited === undefined)
    throw new Refused(`the table [${TABLE}] cannot be taken out alone; remove it by hand`, headerLine(text));
  if (edited === "" && (before === undefined || before === "")) return before;
  const lacksLineEnd =
    before !== undefined && before !== "" && !before.endsWith("\n") && edited.replace(/\r?\n$/u, "") === before;
  return lacksLineEnd ? before : edited;
}

/**
 * Removes our table from line `from` on, with any tables that the client put below it, such as approvals of single
 * tools: without a command the client would reject them.
 */
function withoutTables(lines: readonly string[], from: number): string {
  const kept = lines.slice(0, from);
  for (let at = from; at < lines.length;) {
    const line = lines[at] ?? "";
    if (!OWN_HEADER.test(line)) {
      kept.push(line);
      at++;
      continue;
    }
    if (kept.at(-1)?.trim() === MARK) kept.pop();
    if (kept.at(-1)?.trim() === "") kept.pop(); // the empty line added with the table
    at = endOfTable(lines, at);
  }
  return kept.join("");
}

/** Comments and empty lines before the next table belong to that table. */
function endOfTable(lines: readonly string[], header: number): number {
  const next = lines.findIndex((line, at) => at > header && HEADER.test(line));
  let end = next === -1 ? lines.length : next;
  while (end > header + 1 && /^\s*(?:#|$)/u.test(lines[end - 1] ?? "")) end--;
  return end;
}

function isOnlyOursGone(parsed: Readonly<Record<string, unknown>>, edited: string): boolean {
  const servers = Object.entries(tableOf(parsed["mcp_servers"])).filter(([name]) => name !== SERVER_NAME);
  const result = tryToml(edited);
  const plain = (value: Readonly<Record<string, unknown>>): string =>
    JSON.stringify({ ...value, mcp_servers: tableOf(value["mcp_servers"]) }, sortedKeys);
  return result !== undefined && plain(result) === plain({ ...parsed, mcp_servers: Object.fromEntries(servers) });
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function headerLine(text: string): number | undefined {
  const at = text.split("\n").findIndex((line) => OWN_HEADER.test(line));
  return at === -1 ? undefined : at + 1;
}

function serverIn(parsed: Readonly<Record<string, unknown>> | undefined): unknown {
  return tableOf(parsed?.["mcp_servers"])[SERVER_NAME];
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function parseToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text.replace(/^\u{FEFF}/u, ""));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new Refused(
      `it is not TOML (${(error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /u, "")}); fix it there and try again`,
      error.line,
    );
  }
}

function tryToml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseToml(text);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** A one-line TOML string. JSON's escapes are valid in TOML, except for two characters that JSON leaves unescaped. */
function basicString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", String.raw`\u007f`);
}
