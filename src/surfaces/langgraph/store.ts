import type { Memory } from "../../app/memory.ts";

/**
 * The notes of a project as LangGraph's `BaseStore` (`@langchain/langgraph` 1.7): an item is a note, and `search` with
 * a query is recall. A value `{ text }` becomes a note with that text; a value with other fields is also stored as JSON
 * below the text. The namespace is part of the note's name; a note without one is in `["memories"]`.
 *
 * ```ts
 * import { openMemory } from "memdir";
 * import { memoryStore } from "memdir/langgraph";
 *
 * const graph = builder.compile({ store: memoryStore({ memory: openMemory() }) });
 * ```
 */
export interface MemoryStoreOptions {
  /** The caller closes it. */
  readonly memory: Pick<Memory, "recall" | "list" | "show" | "remember" | "revise" | "remove">;
}

export interface StoreItem {
  value: Record<string, unknown>;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface FoundItem extends StoreItem {
  score?: number;
}

interface SearchOptions {
  filter?: Record<string, unknown>;
  limit?: number;
  offset?: number;
  query?: string;
}

interface NamespaceOptions {
  prefix?: string[];
  suffix?: string[];
  maxDepth?: number;
  limit?: number;
  offset?: number;
}

/** The methods of a store that LangGraph calls; `batch` accepts operations in LangGraph's form. */
export interface MemoryStore {
  get(namespace: string[], key: string): Promise<StoreItem | null>;
  search(namespacePrefix: string[], options?: SearchOptions): Promise<FoundItem[]>;
  put(namespace: string[], key: string, value: Record<string, unknown>, index?: false | string[]): Promise<void>;
  delete(namespace: string[], key: string): Promise<void>;
  listNamespaces(options?: NamespaceOptions): Promise<string[][]>;
  /** The results are in the order of the operations, as in LangGraph's own types. */
  batch<Results>(operations: readonly object[]): Promise<Results>;
  start(): void;
  stop(): void;
}

const DEFAULT = ["memories"];
const TYPES = ["user", "feedback", "project", "reference"] as const;

export function memoryStore({ memory }: MemoryStoreOptions): MemoryStore {
  const files = (): readonly string[] => memory.list().map(({ entry }) => entry.file);
  const items = (): readonly Found[] => files().flatMap((file) => itemOf(memory, file));
  const find = (namespace: readonly string[], key: string): Found | undefined =>
    items().find(({ item }) => item.key === key && isSame(item.namespace, namespace));
  const put = async (namespace: readonly string[], key: string, value: Record<string, unknown>): Promise<void> => {
    const body = bodyOf(value);
    const there = find(namespace, key);
    if (there !== undefined) {
      await memory.revise(there.file, { body });
      return;
    }
    const type = TYPES.find((one) => one === value["type"]) ?? "project";
    const saved = await memory.remember({ type, name: nameOf(namespace, key), body, insist: true });
    if (saved.outcome === "refused") throw new Error(saved.message);
  };
  const search = async (prefix: readonly string[], options: SearchOptions = {}): Promise<FoundItem[]> => {
    const { query, filter = {}, limit = 10, offset = 0 } = options;
    const all: readonly FoundItem[] =
      query === undefined
        ? items().map(({ item }) => item)
        : memory
            .recall(query)
            .selected.flatMap(({ file, score }) =>
              itemOf(memory, file).map(({ item }) => ({ ...item, ...(score !== undefined && { score }) })),
            );
    return all
      .filter(({ namespace }) => isSame(namespace.slice(0, prefix.length), prefix))
      .filter(({ value }) => Object.entries(filter).every(([name, wanted]) => matches(value[name], wanted)))
      .slice(offset, offset + limit);
  };
  const remove = async (namespace: readonly string[], key: string): Promise<void> => {
    const there = find(namespace, key);
    if (there !== undefined) memory.remove(there.file);
  };
  const store: MemoryStore = {
    get: async (namespace, key) => find(namespace, key)?.item ?? null,
    search,
    put,
    delete: remove,
    listNamespaces: async (options = {}) => namespacesOf(items(), options),
    batch: async <Results>(operations: readonly object[]): Promise<Results> => {
      const results: unknown[] = [];
      for (const operation of operations) results.push(await perform(store, operation));
      return asResults<Results>(results);
    },
    start: () => undefined,
    stop: () => undefined,
  };
  return store;
}

/** The only place that trusts LangGraph's types. */
function asResults<Results>(results: unknown): Results {
  return results as Results;
}

interface Found {
  readonly file: string;
  readonly item: StoreItem;
}

/** Performs one of LangGraph's operations, recognised by its fields as in LangGraph. */
async function perform(store: MemoryStore, operation: object): Promise<unknown> {
  const { namespace, key, value, namespacePrefix, matchConditions, ...options } = {
    namespace: undefined,
    key: undefined,
    value: undefined,
    namespacePrefix: undefined,
    matchConditions: undefined,
    ...operation,
  };
  if (isPath(namespacePrefix)) return store.search([...namespacePrefix], options);
  if (isPath(namespace) && typeof key === "string") {
    if (!("value" in operation)) return store.get([...namespace], key);
    return isObject(value) ? store.put([...namespace], key, value) : store.delete([...namespace], key);
  }
  const conditions: readonly unknown[] = Array.isArray(matchConditions) ? matchConditions : [];
  const pathOf = (kind: string): string[] | undefined => {
    const found = conditions.find((one) => isObject(one) && one["matchType"] === kind);
    return isObject(found) && isPath(found["path"]) ? [...found["path"]] : undefined;
  };
  const [prefix, suffix] = [pathOf("prefix"), pathOf("suffix")];
  return store.listNamespaces({ ...options, ...(prefix && { prefix }), ...(suffix && { suffix }) });
}

/** A note's name is its namespace and key, joined by ` / `; a part that contains the separator would be read as two. */
const BETWEEN = " / ";

function nameOf(namespace: readonly string[], key: string): string {
  return isSame(namespace, DEFAULT) ? key : [...namespace, key].join(BETWEEN);
}

function itemOf(memory: MemoryStoreOptions["memory"], file: string): readonly Found[] {
  const shown = memory.show(file);
  if (shown === undefined) return [];
  const { note } = shown;
  const parts = note.name.split(BETWEEN);
  const written = new Date(note.modified ?? 0);
  const item: StoreItem = {
    key: parts.at(-1) ?? note.name,
    namespace: parts.length > 1 ? parts.slice(0, -1) : [...DEFAULT],
    value: valueOf(note.body),
    createdAt: written,
    updatedAt: written,
  };
  return [{ file, item }];
}

const JSON_BLOCK = /\n*```json\n([\s\S]*?)\n```\s*$/u;

function bodyOf(value: Record<string, unknown>): string {
  const { text, ...others } = value;
  if (typeof text === "string" && Object.keys(others).length === 0) return text;
  const said = typeof text === "string" ? text : textsIn(value).join("\n");
  return `${said}\n\n\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``.trim();
}

function valueOf(body: string): Record<string, unknown> {
  const block = JSON_BLOCK.exec(body)?.[1];
  if (block === undefined) return { text: body.trim() };
  try {
    const value: unknown = JSON.parse(block);
    return isObject(value) ? { ...value } : { text: body.trim() };
  } catch (error) {
    if (error instanceof SyntaxError) return { text: body.trim() }; // edited by hand: treated as plain text
    throw error;
  }
}

/** Every text in a value, by which a search finds it. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function namespacesOf(items: readonly Found[], options: NamespaceOptions): string[][] {
  const { prefix = [], suffix = [], maxDepth, limit = 100, offset = 0 } = options;
  const fits = (namespace: readonly string[]): boolean =>
    isMatch(namespace.slice(0, prefix.length), prefix) &&
    isMatch(suffix.length === 0 ? [] : namespace.slice(-suffix.length), suffix);
  const found = items.map(({ item }) => item.namespace).filter(fits);
  const cut = found.map((namespace) => namespace.slice(0, maxDepth));
  const unique = new Map(cut.map((namespace) => [JSON.stringify(namespace), namespace]));
  return [...unique.values()].slice(offset, offset + limit);
}

function isMatch(parts: readonly string[], wanted: readonly string[]): boolean {
  return parts.length === wanted.length && wanted.every((part, index) => part === "*" || part === parts[index]);
}

/** A value, or LangGraph's `{ $eq, $ne, $gt, $gte, $lt, $lte }`. */
function matches(value: unknown, wanted: unknown): boolean {
  if (!isObject(wanted) || !Object.keys(wanted).some((key) => key.startsWith("$")))
    return JSON.stringify(value) === JSON.stringify(wanted);
  return Object.entries(wanted).every(([operator, other]) => {
    if (operator === "$eq") return value === other;
    if (operator === "$ne") return value !== other;
    const [a, b] = [Number(value), Number(other)];
    if (operator === "$gt") return a > b;
    if (operator === "$gte") return a >= b;
    return operator === "$lt" ? a < b : operator === "$lte" && a <= b;
  });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

function isPath(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
