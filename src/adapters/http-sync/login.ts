import { isRecord } from "../../core/shared/json.ts";
import type { NoAnswer } from "../../core/sync/transport.ts";
import { ask, type HttpServer, refusalOf } from "./answer.ts";

/** The providers that a server accepts for logins, by host name. */
export type LoginWays = { readonly outcome: "ways"; readonly hosts: readonly string[] } | NoAnswer;

/** Empty if the server only issues tokens itself. */
export async function askLoginWays(server: HttpServer): Promise<LoginWays> {
  const answer = await ask(server, { method: "GET", path: "/v1/login" });
  if (answer.outcome === "offline") return answer;
  const ways = answer.status === 200 && isRecord(answer.body) ? answer.body["ways"] : undefined;
  const known = Array.isArray(ways) ? ways.filter(isRecord) : [];
  return { outcome: "ways", hosts: known.flatMap(({ host }) => (typeof host === "string" ? [host] : [])) };
}

/** The person opens the page and types the code. `id` is used to request the token. */
export interface StartedLogin {
  readonly id: string;
  readonly page: string;
  readonly code: string;
  readonly expiresInMs: number;
}

export async function startLogin(
  server: HttpServer,
  body: { readonly host: string; readonly device: string },
): Promise<({ readonly outcome: "started" } & StartedLogin) | NoAnswer> {
  const answer = await ask(server, { method: "POST", path: "/v1/login/device", body });
  if (answer.outcome === "offline") return answer;
  const { id, verificationUri: page, userCode: code, expiresInMs } = isRecord(answer.body) ? answer.body : {};
  if (answer.status !== 201) return refusalOf(server, answer);
  if (typeof id !== "string" || typeof page !== "string" || typeof code !== "string" || typeof expiresInMs !== "number")
    return { outcome: "offline", message: `${server.url} gave an answer that this memdir does not understand` };
  return { outcome: "started", id, page, code, expiresInMs };
}

/** The token is returned once and nowhere else. */
export async function finishLogin(
  server: HttpServer,
  id: string,
): Promise<{ readonly outcome: "waiting" } | { readonly outcome: "token"; readonly token: string } | NoAnswer> {
  const answer = await ask(server, { method: "POST", path: "/v1/login/token", body: { id } });
  if (answer.outcome === "offline") return answer;
  if (answer.status === 404) return { outcome: "not-found", message: answer.message };
  const { state, token } = isRecord(answer.body) ? answer.body : {};
  if (answer.status !== 200) return refusalOf(server, answer);
  return state === "done" && typeof token === "string" ? { outcome: "token", token } : { outcome: "waiting" };
}

/** Whether the server accepts the token. */
export async function knowsToken(server: HttpServer): Promise<boolean> {
  const answer = await ask(server, { method: "GET", path: "/v1/me" });
  return answer.outcome === "answered" && answer.status === 200;
}
