import type { Context, Hono } from "hono";
import { type Denial, denied, isDenial } from "../../app/server/ports.ts";
import {
  parseBase,
  parseLogin,
  parseMarks,
  parseMember,
  parseNumber,
  parsePush,
  parsePushId,
  parseSpace,
  parseToken,
} from "../../app/server/requests.ts";
import { record } from "../../core/shared/json.ts";
import { answer, jsonOf } from "./answers.ts";
import type { Env, Serving } from "./options.ts";

type Asked = Context<Env>;

/** Spaces, their entries, and who may use them. */
export function spaceRoutes(app: Hono<Env>, serving: Serving): void {
  const { server } = serving;
  app.get("/v1/spaces", async (c) => answer(c, await server.spaces.list(c.get("access"))));
  app.post("/v1/spaces", async (c) => {
    const space = parseSpace(await jsonOf(c));
    return isDenial(space) ? answer(c, space) : answer(c, await server.spaces.create(c.get("access"), space), 201);
  });
  app.get("/v1/spaces/:space/changes", (c) => pull(serving, c));
  app.post("/v1/spaces/:space/changes", (c) => push(serving, c));
  app.post("/v1/spaces/:space/common", async (c) => {
    const marks = parseMarks(await jsonOf(c));
    return answer(c, isDenial(marks) ? marks : await server.changes.common(c.get("access"), marks));
  });
  entryRoutes(app, serving);
  memberRoutes(app, serving);
}

async function pull({ server }: Serving, c: Asked): Promise<Response> {
  const cursor = parseNumber(c.req.query("cursor"), 0);
  const top = parseNumber(c.req.query("top"), 0);
  const limit = parseNumber(c.req.query("limit"), server.limits.pageEntries);
  const wrong = [cursor, top, limit].find((value) => typeof value !== "number");
  if (typeof cursor !== "number" || typeof top !== "number" || typeof limit !== "number")
    return answer(c, wrong ?? NOT_A_NUMBER);
  const marks = { mark: c.req.query("mark") ?? "", topMark: c.req.query("topMark") ?? "" };
  const page = await server.changes.pull(c.get("access"), { cursor, top, limit, ...marks });
  if (!isDenial(page)) c.header("ETag", `"${page.head}"`);
  return answer(c, page);
}

const NOT_A_NUMBER = denied("invalid", "cursor, top and limit are numbers.");

async function push({ server, counts }: Serving, c: Asked): Promise<Response> {
  const id = parsePushId(c.req.header("idempotency-key"));
  if (isRefusal(id)) return answer(c, id);
  const changes = parsePush(await jsonOf(c));
  if (isDenial(changes)) return answer(c, changes);
  const pushed = await server.changes.push(c.get("access"), id, changes);
  if (!isDenial(pushed)) for (const { outcome } of pushed.outcomes) counts.outcome(outcome, 1);
  return answer(c, pushed);
}

function isRefusal(value: string | Denial): value is Denial {
  return typeof value !== "string";
}

function entryRoutes(app: Hono<Env>, { server }: Serving): void {
  const path = "/v1/spaces/:space/entries/:key{.+}";
  app.get(path, async (c) => {
    const entry = await server.entries.read(c.get("access"), c.req.param("key"));
    if (!isDenial(entry) && entry.state !== "forgotten") c.header("ETag", `"${entry.revision}"`);
    return answer(c, entry);
  });
  app.put(path, async (c) => {
    const guarded = guardedBy(c);
    if (isDenial(guarded)) return refuseWrite(c, guarded);
    const key = c.req.param("key");
    const text = await c.req.text();
    const written = await server.entries.write(c.get("access"), key, guarded.base, guarded.pushId, text);
    if (!isDenial(written)) c.header("ETag", `"${written.revision}"`);
    return answer(c, written);
  });
  app.delete(path, async (c) => {
    const guarded = guardedBy(c);
    if (isDenial(guarded)) return refuseWrite(c, guarded);
    return answer(c, await server.entries.remove(c.get("access"), c.req.param("key"), guarded.base, guarded.pushId));
  });
  app.get("/v1/spaces/:space/versions", async (c) => {
    const key = c.req.query("key");
    if (key === undefined) return answer(c, denied("invalid", "Name the note: ?key=NAME.md"));
    return answer(c, await server.entries.versions(c.get("access"), key));
  });
  app.get("/v1/spaces/:space/versions/:seq", async (c) => {
    const seq = parseNumber(c.req.param("seq"), 0);
    return answer(c, typeof seq === "number" ? await server.entries.version(c.get("access"), seq) : seq);
  });
}

/** A write must name the version it replaces; otherwise it could overwrite another one unseen. */
function guardedBy(c: Asked): { readonly base: number; readonly pushId: string } | Denial {
  const base = parseBase(c.req.header("if-match"), c.req.header("if-none-match"));
  if (base === undefined)
    return denied("conflict", 'Say what is there: If-Match: "REVISION", or If-None-Match: * for a new note.');
  const pushId = parsePushId(c.req.header("idempotency-key") ?? crypto.randomUUID());
  return typeof pushId === "string" ? { base, pushId } : pushId;
}

function refuseWrite(c: Asked, wrong: Denial): Response {
  if (wrong.reason !== "conflict") return answer(c, wrong);
  return c.json({ error: "precondition-required", message: wrong.message }, 428);
}

function memberRoutes(app: Hono<Env>, { server }: Serving): void {
  app.get("/v1/spaces/:space/members", async (c) => answer(c, await server.spaces.members(c.get("access"))));
  app.post("/v1/spaces/:space/members", async (c) => {
    const member = parseMember(await jsonOf(c));
    if (isDenial(member)) return answer(c, member);
    return answer(c, await server.spaces.setMember(c.get("access"), member.user, member.role));
  });
  app.delete("/v1/spaces/:space/members/:user", async (c) =>
    answer(c, await server.spaces.removeMember(c.get("access"), c.req.param("user"))),
  );
  app.get("/v1/spaces/:space/audit", async (c) => {
    const limit = parseNumber(c.req.query("limit"), 100);
    return answer(c, typeof limit === "number" ? await server.spaces.audit(c.get("access"), limit) : limit);
  });
  app.get("/v1/spaces/:space/receipts", async (c) => {
    const limit = parseNumber(c.req.query("limit"), 100);
    return answer(c, typeof limit === "number" ? await server.spaces.devices(c.get("access"), limit) : limit);
  });
  app.get("/v1/spaces/:space/receipts/:lineage", async (c) =>
    answer(c, await server.spaces.receipts(c.get("access"), c.req.param("lineage"))),
  );
}

/** Logins happen before there is a token, so they are limited by address alone. */
export function loginRoutes(app: Hono<Env>, { server }: Serving): void {
  app.get("/v1/login", (c) => answer(c, server.logins.ways()));
  app.post("/v1/login/device", async (c) => {
    const wanted = parseLogin(await jsonOf(c));
    if (isDenial(wanted)) return answer(c, wanted);
    c.header("Cache-Control", "no-store");
    return answer(c, await server.logins.start(wanted), 201);
  });
  app.post("/v1/login/token", async (c) => {
    const { id } = record(await jsonOf(c));
    c.header("Cache-Control", "no-store");
    return answer(c, await server.logins.finish(typeof id === "string" ? id : ""));
  });
}

/** The caller's identity, and tokens. */
export function accountRoutes(app: Hono<Env>, { server }: Serving): void {
  app.get("/v1/me", (c) => answer(c, server.tokens.me(c.get("access"))));
  app.get("/v1/tokens", async (c) => answer(c, await server.tokens.list(c.get("access"))));
  app.post("/v1/tokens", async (c) => {
    const wanted = parseToken(await jsonOf(c));
    if (isDenial(wanted)) return answer(c, wanted);
    c.header("Cache-Control", "no-store");
    return answer(c, await server.tokens.add(c.get("access"), wanted), 201);
  });
  app.delete("/v1/tokens/:id", async (c) => answer(c, await server.tokens.revoke(c.get("access"), c.req.param("id"))));
}
