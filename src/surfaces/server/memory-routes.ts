import type { Context, Hono } from "hono";
import { isDenial } from "../../app/server/denial.ts";
import {
  parseExpected,
  parseListing,
  parseMemoryWords,
  parseNewMemory,
  parseNewStore,
  parsePage,
  parseStoreWords,
  parseTimes,
  parseVersionFilter,
  parseView,
  type Query,
} from "../../app/server/memory-requests.ts";
import { jsonOf } from "./answers.ts";
import { MEMORY_API, memoryAnswer } from "./memory-answers.ts";
import type { Env, Serving } from "./serving.ts";

type Asked = Context<Env>;

const STORE = `${MEMORY_API}/:store` as const;
const MEMORIES = `${STORE}/memories` as const;
const VERSIONS = `${STORE}/memory_versions` as const;

/** Stores, memories and their versions, as clients of the hosted service ask for them. */
export function memoryRoutes(app: Hono<Env>, serving: Serving): void {
  storeRoutes(app, serving);
  memoriesRoutes(app, serving);
  versionRoutes(app, serving);
}

function queryOf(c: Asked): Query {
  return (name) => c.req.query(name);
}

function storeRoutes(app: Hono<Env>, { server: { stores } }: Serving): void {
  app.post(MEMORY_API, async (c) => {
    const words = parseNewStore(await jsonOf(c));
    return memoryAnswer(c, isDenial(words) ? words : await stores.create(c.get("access"), words));
  });
  app.get(MEMORY_API, async (c) => {
    const query = queryOf(c);
    const times = parseTimes(query);
    const page = parsePage(query, false);
    if (isDenial(times)) return memoryAnswer(c, times);
    if (isDenial(page)) return memoryAnswer(c, page);
    const archived = query("include_archived") === "true";
    return memoryAnswer(c, await stores.list(c.get("access"), { ...times, archived }, page));
  });
  app.get(STORE, async (c) => memoryAnswer(c, await stores.read(c.get("access"))));
  app.post(STORE, async (c) => {
    const words = parseStoreWords(await jsonOf(c));
    return memoryAnswer(c, isDenial(words) ? words : await stores.update(c.get("access"), words));
  });
  app.delete(STORE, async (c) => memoryAnswer(c, await stores.remove(c.get("access"))));
  app.post(`${STORE}/archive`, async (c) => memoryAnswer(c, await stores.archive(c.get("access"))));
}

function memoriesRoutes(app: Hono<Env>, { server: { memories } }: Serving): void {
  app.post(MEMORIES, async (c) => {
    const view = parseView(queryOf(c), "basic");
    const words = parseNewMemory(await jsonOf(c));
    if (isDenial(view)) return memoryAnswer(c, view);
    return memoryAnswer(c, isDenial(words) ? words : await memories.create(c.get("access"), words, view));
  });
  app.get(MEMORIES, async (c) => {
    const query = queryOf(c);
    const view = parseView(query, "basic");
    const listing = parseListing(query);
    if (isDenial(view)) return memoryAnswer(c, view);
    if (isDenial(listing)) return memoryAnswer(c, listing);
    const page = parsePage(query, view.full);
    if (isDenial(page)) return memoryAnswer(c, page);
    return memoryAnswer(c, await memories.list(c.get("access"), { ...listing, ...view }, page));
  });
  app.get(`${MEMORIES}/:memory`, async (c) => {
    const view = parseView(queryOf(c), "full");
    if (isDenial(view)) return memoryAnswer(c, view);
    return memoryAnswer(c, await memories.read(c.get("access"), c.req.param("memory"), view));
  });
  app.post(`${MEMORIES}/:memory`, async (c) => {
    const view = parseView(queryOf(c), "basic");
    const words = parseMemoryWords(await jsonOf(c));
    if (isDenial(view)) return memoryAnswer(c, view);
    if (isDenial(words)) return memoryAnswer(c, words);
    return memoryAnswer(c, await memories.update(c.get("access"), c.req.param("memory"), words, view));
  });
  app.delete(`${MEMORIES}/:memory`, async (c) => {
    const guard = parseExpected(queryOf(c));
    if (isDenial(guard)) return memoryAnswer(c, guard);
    return memoryAnswer(c, await memories.remove(c.get("access"), c.req.param("memory"), guard.expected));
  });
}

function versionRoutes(app: Hono<Env>, { server: { memoryVersions } }: Serving): void {
  app.get(VERSIONS, async (c) => {
    const query = queryOf(c);
    const view = parseView(query, "basic");
    const filter = parseVersionFilter(query);
    if (isDenial(view)) return memoryAnswer(c, view);
    if (isDenial(filter)) return memoryAnswer(c, filter);
    const page = parsePage(query, view.full);
    if (isDenial(page)) return memoryAnswer(c, page);
    return memoryAnswer(c, await memoryVersions.list(c.get("access"), filter, page, view));
  });
  app.get(`${VERSIONS}/:version`, async (c) => {
    const view = parseView(queryOf(c), "full");
    if (isDenial(view)) return memoryAnswer(c, view);
    return memoryAnswer(c, await memoryVersions.read(c.get("access"), c.req.param("version"), view));
  });
  app.post(`${VERSIONS}/:version/redact`, async (c) =>
    memoryAnswer(c, await memoryVersions.redact(c.get("access"), c.req.param("version"))),
  );
}
