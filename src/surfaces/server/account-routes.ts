import type { Hono } from "hono";
import { isDenial } from "../../app/server/denial.ts";
import { parseToken } from "../../app/server/requests.ts";
import { answer, jsonOf } from "./answers.ts";
import type { Env, Serving } from "./serving.ts";

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
