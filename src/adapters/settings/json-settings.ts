import { findNodeAtLocation, getNodeValue, type JSONPath, type Node } from "jsonc-parser";
import { type JsonTree, ownHookWords, ownServerWords, SERVER_NAME } from "../../core/install/agents.ts";
import { CLIENTS, OTHER_CLIENTS } from "../../core/install/clients.ts";
import {
  type Edited,
  orRefusal,
  type OwnEntry,
  Refused,
  type SettingsEditor,
} from "../../core/install/settings-editor.ts";
import {
  beyondJson,
  innerText,
  insertLast,
  laidOut,
  lineAt,
  parseJson,
  removeChild,
  replaceInner,
  styleOf,
} from "./json-edit.ts";

const BOM = "\u{FEFF}";

/** The keys under which clients list MCP servers. */
const SERVER_LISTS = ["mcpServers", "mcp", "servers"];

/**
 * A JSON settings file, edited so that comments, trailing commas and formatting are kept. `tree` is what memdir adds:
 * lists under `hooks` get one more element; any other key must not already belong to someone else.
 */
export function jsonSettings(agent: string, tree: JsonTree): SettingsEditor {
  const find = (text: string): Found[] => findOwn(parseJson(text), agent);
  const created = `${laidOut(tree, "  ", "\n")}\n`;
  return {
    wanted: find(created).map(({ entry }) => entry),
    find: (text) =>
      orRefusal(() => ({ ok: true, entries: isBlank(text) ? [] : find(bare(text)).map(({ entry }) => entry) })),
    add: (text) =>
      orRefusal(() =>
        text === undefined || isBlank(text)
          ? { ok: true, text: created }
          : { ok: true, text: withBom(text, (body) => addTree(body, [], tree)), ...cautionOf(agent, text) },
      ),
    remove: (text, before) => orRefusal(() => removeOwn(text, before, find)),
  };
}

/** How each client handles a settings file that is not plain JSON, tested with the client itself. */
const READS: Readonly<Record<string, Reads>> = {
  "claude-code": { comments: false, trailingCommas: false, bom: true },
  codex: { comments: false, trailingCommas: false, bom: false },
  gemini: { comments: true, trailingCommas: false, bom: false },
  opencode: { comments: true, trailingCommas: true, bom: true },
};
const PLAIN: Reads = { comments: false, trailingCommas: false, bom: false };

interface Reads {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  readonly bom: boolean;
}

function cautionOf(agent: string, text: string): { readonly caution?: string } {
  const { comments, trailingCommas } = beyondJson(bare(text));
  const other = OTHER_CLIENTS.find((one) => one === agent);
  const reads = READS[agent] ?? (other === undefined ? undefined : CLIENTS[other].reads) ?? PLAIN;
  const bad = [
    comments && !reads.comments ? "comments" : "",
    trailingCommas && !reads.trailingCommas ? "trailing commas" : "",
    text.startsWith(BOM) && !reads.bom ? "a byte order mark" : "",
  ].filter((one) => one !== "");
  return bad.length === 0
    ? {}
    : {
        caution: `the client does not read this file as it is, because of ${bad.join(" and ")} in it; take them out, or nothing in it takes effect`,
      };
}

interface Found {
  readonly entry: OwnEntry;
  readonly path: JSONPath;
}

function findOwn(root: Node, agent: string): Found[] {
  const hooks =
    agent === "mcp"
      ? []
      : childrenAt(root, ["hooks"]).flatMap((event) =>
          childrenAt(root, ["hooks", event]).flatMap((group) => ownHandlers(root, agent, String(event), group)),
        );
  const servers = SERVER_LISTS.flatMap((list): Found[] => {
    const value = valueAt(root, [list, SERVER_NAME]);
    const paths = ownServerWords(value);
    return paths === undefined
      ? []
      : [
          {
            path: [list, SERVER_NAME],
            entry: { place: `${list}.${SERVER_NAME}`, paths, content: JSON.stringify(value) },
          },
        ];
  });
  return [...hooks, ...servers, ...(agent === "openclaw" ? ownInOpenClaw(root) : [])];
}

/** OpenClaw's memory slot, the plugin's load path and its entry. */
function ownInOpenClaw(root: Node): Found[] {
  const entry = (path: JSONPath, paths: readonly string[]): Found => ({
    path,
    entry: {
      place: path.filter((part) => typeof part === "string").join("."),
      paths,
      content: JSON.stringify(valueAt(root, path)),
    },
  });
  const list = ["plugins", "load", "paths"];
  const places = childrenAt(root, list).flatMap((at) => {
    const value = valueAt(root, [...list, at]);
    const isOurs = typeof value === "string" && /[\\/]dist[\\/]plugins[\\/]openclaw$/u.test(value);
    return isOurs ? [entry([...list, at], [value])] : [];
  });
  const slot = ["plugins", "slots", "memory"];
  const own = ["plugins", "entries", SERVER_NAME];
  return [
    ...(valueAt(root, slot) === SERVER_NAME ? [entry(slot, [])] : []),
    ...places,
    ...(valueAt(root, own) === undefined ? [] : [entry(own, [])]),
  ];
}

/**
 * A group that holds only memdir's commands is removed as a whole; from any other group only the command is removed.
 * Cursor has no groups: each element of its lists is a command.
 */
function ownHandlers(root: Node, agent: string, event: string, group: string | number): Found[] {
  const path = ["hooks", event, group];
  const alone = valueAt(root, [...path, "command"]);
  const words = typeof alone === "string" ? ownHookWords(alone, agent) : undefined;
  if (words !== undefined)
    return [{ path, entry: { place: `hooks.${event}`, paths: words, content: JSON.stringify(valueAt(root, path)) } }];
  const handlers = childrenAt(root, [...path, "hooks"]);
  const own = handlers.flatMap((at) => {
    const command = valueAt(root, [...path, "hooks", at, "command"]);
    const paths = typeof command === "string" ? ownHookWords(command, agent) : undefined;
    return paths === undefined ? [] : [{ at, paths }];
  });
  const whole = own.length > 0 && own.length === handlers.length;
  return own.slice(0, whole ? 1 : own.length).map(({ at, paths }) => {
    const place = whole ? path : [...path, "hooks", at];
    return { path: place, entry: { place: `hooks.${event}`, paths, content: JSON.stringify(valueAt(root, place)) } };
  });
}

function childrenAt(root: Node, path: JSONPath): (string | number)[] {
  const node = findNodeAtLocation(root, path);
  if (node?.type === "array") return (node.children ?? []).map((_, index) => index);
  if (node?.type === "object") return (node.children ?? []).map((child) => String(child.children?.[0]?.value));
  return [];
}

function valueAt(root: Node, path: JSONPath): unknown {
  const node = findNodeAtLocation(root, path);
  return node === undefined ? undefined : getNodeValue(node);
}

/** Containers and lists are shared with others; the key with memdir's name and everything below it are memdir's. */
function addTree(text: string, path: readonly string[], tree: JsonTree): string {
  let edited = text;
  for (const [key, value] of Object.entries(tree)) {
    const root = parseJson(edited);
    const node = requireKind(edited, root, path, "object");
    const there = findNodeAtLocation(root, [...path, key]);
    const place = [...path, key].join(".");
    if (there === undefined) edited = insertLast(edited, node, key, value, styleOf(edited, root));
    else if (isList(value)) for (const element of value) edited = addElement(edited, [...path, key], element);
    else if (key !== SERVER_NAME && isTree(value)) edited = addTree(edited, [...path, key], value);
    else if (path.length === 0 && valueAt(root, [key]) === value) continue;
    else
      throw new Refused(
        `"${place}" already exists and is not memdir's; rename or remove it`,
        lineAt(edited, there.offset),
      );
  }
  return edited;
}

function addElement(text: string, path: readonly string[], element: unknown): string {
  const root = parseJson(text);
  return insertLast(text, requireKind(text, root, path, "array"), undefined, element, styleOf(text, root));
}

function requireKind(text: string, root: Node, path: readonly string[], kind: "object" | "array"): Node {
  const node = path.length === 0 ? root : findNodeAtLocation(root, [...path]);
  if (node?.type === kind) return node;
  throw new Refused(
    `${path.length === 0 ? "it" : `"${path.join(".")}"`} is not ${kind === "object" ? "an object ({…})" : "a list ([…])"} as the client wants it; fix it`,
    lineAt(text, node?.offset ?? 0),
  );
}

function removeOwn(text: string, before: string | undefined, find: (text: string) => Found[]): Edited {
  const earlier = before === undefined || isBlank(before) ? undefined : before;
  const edited = withBom(text, (body) => {
    let rest = body;
    for (let own = find(rest).at(-1); own !== undefined; own = find(rest).at(-1))
      rest = tidy(takeOut(rest, own.path), own.path.slice(0, -1), earlier);
    return rest;
  });
  return { ok: true, text: isBlankObject(edited) && earlier === undefined && edited !== text ? before : edited };
}

function takeOut(text: string, path: JSONPath): string {
  const root = parseJson(text);
  const node = findNodeAtLocation(root, path);
  const child = node?.parent?.type === "property" ? node.parent : node;
  return child?.parent === undefined ? text : removeChild(text, child.parent, child);
}

/** Containers that are now empty return to their earlier state: absent, or empty with their original contents. */
function tidy(text: string, path: JSONPath, before: string | undefined): string {
  const node = findNodeAtLocation(parseJson(text), path);
  if (node === undefined || (node.children ?? []).length > 0) return text;
  const rest = innerText(text, node).trim();
  const was = before === undefined ? undefined : findNodeAtLocation(parseJson(bare(before)), path);
  const inner = was === undefined || before === undefined ? undefined : innerText(bare(before), was);
  if (inner?.trim() === rest) return replaceInner(text, node, inner);
  if (rest !== "") return text;
  return inner === undefined && path.length > 0
    ? tidy(takeOut(text, path), path.slice(0, -1), before)
    : replaceInner(text, node, "");
}

function isBlankObject(text: string): boolean {
  return /^\s*\{\s*\}\s*$/u.test(bare(text));
}

function withBom(text: string, edit: (body: string) => string): string {
  return text.startsWith(BOM) ? BOM + edit(text.slice(1)) : edit(text);
}

function bare(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function isBlank(text: string): boolean {
  return bare(text).trim() === "";
}

function isTree(value: unknown): value is JsonTree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
