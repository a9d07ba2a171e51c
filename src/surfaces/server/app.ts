import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { routePath } from "hono/route";
import { denied, isDenial, type Denial } from "../../app/server/denial.ts";
import { spaceIdOf } from "../../app/server/stores.ts";
import { accountRoutes, loginRoutes } from "./account-routes.ts";
import { answer } from "./answers.ts";
import { dreamRoutes } from "./dream-routes.ts";
import { isMemoryApi, memoryAnswer, memoryError } from "./memory-answers.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { metrics } from "./metrics.ts";
import type { AppOptions, Env, Serving } from "./serving.ts";
import { spaceRoutes } from "./space-routes.ts";

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
    // The pattern of the route: an address may hold the name of a note.
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
  app.notFound((context) => answerIn(context, denied("not-found", "There is nothing at this address.")));
  app.onError((error, context) => {
    // Its message may quote a row: only the kind of it is written down.
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

/** In the words of whichever of the two protocols is spoken at this address. */
function answerIn(context: Context, value: Denial): Response {
  return isMemoryApi(context) ? memoryAnswer(context, value) : answer(context, value);
}

/** The space of a request; a store is one under another name. */
function spaceIn(path: string): string | undefined {
  const [, store] = STORE_OF.exec(path) ?? [];
  return store === undefined ? SPACE_OF.exec(path)?.[1] : spaceIdOf(store);
}

/** Whoever logs in has no token yet. */
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

/** Who asks, and whether not too often. */
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
