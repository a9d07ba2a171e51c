import type { Hono } from "hono";
import { isDenial } from "../../app/server/denial.ts";
import { parseLogin, parseToken } from "../../app/server/requests.ts";
import { record } from "../../core/shared/json.ts";
import { answer, jsonOf } from "./answers.ts";
import type { Env, Serving } from "./serving.ts";

/** Logins come before any token: admitted by address alone. */
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

/** Who one is, and tokens. */
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
