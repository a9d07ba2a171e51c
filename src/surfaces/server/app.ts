import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { routePath } from "hono/route";
import { type Denial, denied, isDenial } from "../../app/server/ports.ts";
import { spaceIdOf } from "../../app/server/stores.ts";
import { accountRoutes, loginRoutes, spaceRoutes } from "./account-routes.ts";
import {
  answer,
  DREAM_SESSIONS_API,
  DREAMS_API,
  isMemoryApi,
  jsonOf,
  MEMORY_API,
  memoryAnswer,
  memoryError,
} from "./answers.ts";
import { metrics } from "./metrics.ts";
import type { AppOptions, Env, Serving } from "./options.ts";
import { parseDreamFilter, parseNewDream } from "../../app/server/dream-requests.ts";
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

type Asked = Context<Env>;

const STORE = `${MEMORY_API}/:store` as const;

const MEMORIES = `${STORE}/memories` as const;

const VERSIONS = `${STORE}/memory_versions` as const;

/** Stores, memories and their versions, as clients of the hosted service request them. */
function memoryRoutes(app: Hono<Env>, serving: Serving): void {
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

const DREAM = `${DREAMS_API}/:dream` as const;

/** Dreams as clients of the hosted service request them, and the sessions they read, which are uploaded here. */
function dreamRoutes(app: Hono<Env>, { server: { dreams } }: Serving): void {
  app.post(DREAMS_API, async (c) => {
    const words = parseNewDream(await jsonOf(c));
    return memoryAnswer(c, isDenial(words) ? words : await dreams.create(c.get("access"), words));
  });
  app.get(DREAMS_API, async (c) => {
    const query: Query = (name) => c.req.query(name);
    const wanted = [...(c.req.queries("statuses") ?? []), ...(c.req.queries("statuses[]") ?? [])];
    const filter = parseDreamFilter(query, wanted);
    const page = parsePage(query, false);
    if (isDenial(filter)) return memoryAnswer(c, filter);
    return memoryAnswer(c, isDenial(page) ? page : await dreams.list(c.get("access"), filter, page));
  });
  app.get(DREAM, async (c) => memoryAnswer(c, await dreams.read(c.get("access"), c.req.param("dream"))));
  app.post(`${DREAM}/cancel`, async (c) => memoryAnswer(c, await dreams.cancel(c.get("access"), c.req.param("dream"))));
  app.post(`${DREAM}/archive`, async (c) =>
    memoryAnswer(c, await dreams.archive(c.get("access"), c.req.param("dream"))),
  );
  app.post(DREAM_SESSIONS_API, async (c) => memoryAnswer(c, await dreams.addSession(c.get("access"), await jsonOf(c))));
  app.delete(`${DREAM_SESSIONS_API}/:session`, async (c) =>
    memoryAnswer(c, await dreams.removeSession(c.get("access"), c.req.param("session"))),
  );
}

/** The HTTP interface over the operations of the server. */
export function createApp(options: AppOptions): Hono<Env> {
  const { server, log, now } = options;
  const counts = metrics(now());
  const serving: Serving = { ...options, counts };
  const app = new Hono<Env>();

  app.use(async (context, next) => {
    const id = `req_${crypto.randomUUID().replaceAll("-", "")}`;
    context.set("requestId", id);
    if (isMemoryApi(context)) context.header("request-id", id);
    const started = performance.now();
    await next();
    const ms = Math.round((performance.now() - started) * 10) / 10;
    // The route's pattern, because an address may contain the name of a note.
    const route = routePath(context, -1);
    counts.request(context.req.method, route, context.res.status, ms);
    log({ level: "info", event: "request", method: context.req.method, route, status: context.res.status, ms });
  });
  app.use(
    bodyLimit({
      maxSize: server.limits.httpBytes,
      onError: (context) =>
        answerIn(context, denied("too-large", `A request has at most ${server.limits.httpBytes} bytes.`)),
    }),
  );
  app.get("/healthz", async (context) => {
    await server.health();
    return context.json({ ok: true });
  });
  app.get("/metrics", (context) => context.text(counts.text(now()), 200, { "Content-Type": PROMETHEUS }));
  app.use("/v1/login/*", (context, next) => admitStranger(serving, context, next));
  loginRoutes(app, serving);
  app.use("/v1/*", (context, next) => admit(serving, context, next));
  spaceRoutes(app, serving);
  accountRoutes(app, serving);
  memoryRoutes(app, serving);
  dreamRoutes(app, serving);
  // Requests for unknown addresses come from clients of the platform: devices make none.
  app.notFound((context) => {
    context.header("request-id", context.get("requestId"));
    return memoryAnswer(context, denied("not-found", "There is nothing at this address: this server has memory only."));
  });
  app.onError((error, context) => {
    // Its message may quote a row, so only its kind is logged.
    const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
    log({ level: "error", event: "failure", route: routePath(context, -1), name: error.name, code });
    const message = "The server could not do this now. Try again later.";
    return isMemoryApi(context)
      ? memoryError(context, 503, { type: "api_error", message })
      : context.json({ error: "unavailable", message }, 503);
  });
  return app;
}

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

const SPACE_OF = /^\/v1\/spaces\/([^/]+)/u;

const STORE_OF = /^\/v1\/memory_stores\/([^/]+)/u;

/** Answers in the form of the protocol used at this address. */
function answerIn(context: Context, value: Denial): Response {
  return isMemoryApi(context) ? memoryAnswer(context, value) : answer(context, value);
}

/** The space of a request; a store is a space under another name. */
function spaceIn(path: string): string | undefined {
  const [, store] = STORE_OF.exec(path) ?? [];
  return store === undefined ? SPACE_OF.exec(path)?.[1] : spaceIdOf(store);
}

/** A user who logs in has no token yet. */
async function admitStranger(
  { rates, addressOf }: Serving,
  context: Context<Env>,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const wait = rates.stranger(addressOf(context));
  if (wait > 0) return slowDown(context, wait);
  await next();
  return undefined;
}

/** Checks the caller's access and request rate. */
async function admit(
  { server, rates, addressOf }: Serving,
  context: Context<Env>,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const [, token] = /^Bearer (\S+)$/u.exec(context.req.header("authorization") ?? "") ?? [];
  const access = await server.access(token ?? context.req.header("x-api-key"), spaceIn(context.req.path));
  if (isDenial(access)) {
    const wait = rates.stranger(addressOf(context));
    return wait > 0 ? slowDown(context, wait) : answerIn(context, access);
  }
  const reading = context.req.method === "GET" || context.req.path.endsWith("/common");
  const wait = reading ? rates.read(access) : rates.write(access);
  if (wait > 0) return slowDown(context, wait);
  context.set("access", access);
  await next();
  return undefined;
}

function slowDown(context: Context, waitMs: number): Response {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  context.header("Retry-After", String(seconds));
  const message = `Too many requests: wait ${seconds} s.`;
  return isMemoryApi(context)
    ? memoryError(context, 429, { type: "rate_limit_error", message })
    : context.json({ error: "slow-down", message }, 429);
}
