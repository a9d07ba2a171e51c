import { isDenial, type Access } from "../../app/server/ports.ts";
import { hasServer, openServer, runningServer, type ServerPlace } from "../../app/server/open-server.ts";
import { parseToken } from "../../app/server/requests.ts";
import type { SyncServer } from "../../app/server/server.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord } from "../../core/shared/json.ts";
import { numberOf, type Options } from "./options.ts";

interface Order {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** `token add|list|revoke`: asks the server that runs on the directory, or opens the database if none does. */
export async function tokenCommand(place: ServerPlace, words: readonly string[], options: Options): Promise<string> {
  const order = orderOf(words, options);
  const running = runningServer(place.directory);
  const result = running === undefined ? await alone(place, order) : await ask(running, order);
  if (options.json) return `${JSON.stringify(result)}\n`;
  return shown(order, result);
}

function orderOf([verb, id, ...more]: readonly string[], options: Options): Order {
  if (verb === "list" && id === undefined) return { method: "GET", path: "/v1/tokens" };
  if (verb === "revoke" && id !== undefined && more.length === 0)
    return { method: "DELETE", path: `/v1/tokens/${encodeURIComponent(id)}` };
  if (verb !== "add" || id !== undefined)
    throw new MemoryError("invalid-input", "Use `token add --user LOGIN`, `token list` or `token revoke ID`.");
  if (options.user === undefined) throw new MemoryError("invalid-input", "Say whose token it is: --user LOGIN.");
  const days = numberOf("days", options, 3650);
  const { user, space, role, device } = options;
  const body = Object.entries({ user, space, role, days, device }).filter(([, value]) => value !== undefined);
  return { method: "POST", path: "/v1/tokens", body: Object.fromEntries(body) };
}

async function ask({ url, token }: { readonly url: string; readonly token: string }, order: Order): Promise<unknown> {
  const response = await fetch(`${url}${order.path}`, {
    method: order.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(order.body === undefined ? {} : { body: JSON.stringify(order.body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const result: unknown = await response.json();
  if (response.ok) return result;
  throw new MemoryError(
    "refused",
    isRecord(result) ? String(result["message"]) : `The server answered ${response.status}.`,
  );
}

/** Opening a directory without a server would create one, and no one would see the owner's token. */
async function alone(place: ServerPlace, order: Order): Promise<unknown> {
  if (!hasServer(place))
    throw new MemoryError(
      "not-found",
      `There is no server in ${place.directory}. Start one there first, or name its directory with --data DIR.`,
    );
  const open = await openServer(place);
  try {
    const access = await open.server.access(open.localToken, undefined);
    const result = isDenial(access) ? access : await perform(open.server, access, order);
    if (isDenial(result)) throw new MemoryError("refused", result.message);
    return result;
  } finally {
    await open.close();
  }
}

async function perform({ tokens }: SyncServer, access: Access, { method, path, body }: Order): Promise<object> {
  if (method === "GET") return tokens.list(access);
  if (method === "DELETE") return tokens.revoke(access, decodeURIComponent(path.slice("/v1/tokens/".length)));
  const wanted = parseToken(body);
  return isDenial(wanted) ? wanted : tokens.add(access, wanted);
}

function shown({ method }: Order, result: unknown): string {
  if (!isRecord(result)) return "";
  if (method === "DELETE") return `Revoked ${String(result["revoked"])}.\n`;
  if (method === "POST")
    return `The token of ${String(result["user"])}, shown this once (id ${String(result["id"])}, until ${String(result["expiresAt"])}):\n  ${String(result["token"])}\n`;
  const list: readonly unknown[] = Array.isArray(result["tokens"]) ? result["tokens"] : [];
  return list.map((token) => (isRecord(token) ? `${line(token)}\n` : "")).join("");
}

function line(token: Readonly<Record<string, unknown>>): string {
  const where = token["space"] === undefined ? "all spaces" : String(token["spaceName"] ?? token["space"]);
  const state = token["revoked"] === true ? "revoked" : `until ${String(token["expiresAt"]).slice(0, 10)}`;
  return [token["id"], token["user"], token["role"], where, state, token["device"], token["apiKeyId"]]
    .map(String)
    .join("  ");
}
