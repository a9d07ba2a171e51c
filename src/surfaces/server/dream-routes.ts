import type { Hono } from "hono";
import { isDenial } from "../../app/server/denial.ts";
import { parseDreamFilter, parseNewDream } from "../../app/server/dream-requests.ts";
import { parsePage, type Query } from "../../app/server/memory-requests.ts";
import { jsonOf } from "./answers.ts";
import { DREAM_SESSIONS_API, DREAMS_API, memoryAnswer } from "./memory-answers.ts";
import type { Env, Serving } from "./serving.ts";

const DREAM = `${DREAMS_API}/:dream` as const;

/** Dreams as clients of the hosted service ask for them, and the sessions that they read, which are uploaded here. */
export function dreamRoutes(app: Hono<Env>, { server: { dreams } }: Serving): void {
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
