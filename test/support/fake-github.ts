import http from "node:http";
import type { AddressInfo } from "node:net";

/** A fake GitHub Enterprise on loopback: the device flow, `/user`, and repositories with each user's permission. */
export interface FakeGitHub {
  readonly url: string;
  /** The user at the browser, who types the code and accepts or declines. */
  answer(how: "pending" | "denied" | "expired" | { readonly id: number; readonly login: string }): void;
  /** Sets a user's permission in a repository, creating it if needed; without a permission the user cannot see it. */
  permit(repository: string, login: string, permission: "pull" | "push" | "admin" | undefined): void;
  rename(from: string, to: string): void;
  /** Whether the API answers with 500 from now on. */
  fail(isFailing: boolean): void;
  /** How often the API was asked about a repository. */
  lookUps(): number;
  close(): Promise<void>;
}

type Answer = readonly [status: number, body: unknown];

export async function startFakeGitHub(): Promise<FakeGitHub> {
  const repositories: { id: number; name: string; permissions: Map<string, string> }[] = [];
  const people = new Map<string, { id: number; login: string }>();
  let mood: Parameters<FakeGitHub["answer"]>[0] = "pending";
  let isFailing = false;
  let lookUps = 0;
  const token = (): Answer => {
    if (mood === "pending") return [200, { error: "authorization_pending" }];
    if (mood === "denied") return [200, { error: "access_denied" }];
    if (mood === "expired") return [200, { error: "expired_token" }];
    const given = `ghu_${people.size}`;
    people.set(given, mood);
    return [200, { access_token: given, token_type: "bearer", scope: "" }];
  };
  const api = (path: string, authorization: string): Answer => {
    if (isFailing) return [500, { message: "broken" }];
    const person = people.get(authorization.replace("token ", ""));
    if (person === undefined) return [401, { message: "Bad credentials" }];
    if (path === "/user") return [200, person];
    lookUps += 1;
    const found = repositories.find(({ id, name }) => path === `/repos/${name}` || path === `/repositories/${id}`);
    const permission = found?.permissions.get(person.login);
    if (found === undefined || permission === undefined) return [404, { message: "Not Found" }];
    const [push, admin] = [permission !== "pull", permission === "admin"];
    return [200, { id: found.id, permissions: { pull: true, push, admin } }];
  };
  const server = http.createServer((request, response) => {
    request.resume();
    const path = request.url ?? "";
    const code = { device_code: "d", user_code: "ABCD-1234", expires_in: 900, interval: 0.02 };
    const [status, body] =
      path === "/login/device/code"
        ? [200, { ...code, verification_uri: "https://github.example/login/device" }]
        : path === "/login/oauth/access_token"
          ? token()
          : api(path.replace("/api/v3", ""), request.headers.authorization ?? "");
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    answer: (how) => void (mood = how),
    permit(name, login, permission) {
      const known = repositories.find((one) => one.name === name);
      const { permissions } = known ?? { permissions: new Map<string, string>() };
      if (known === undefined) repositories.push({ id: 4_000 + repositories.length, name, permissions });
      if (permission === undefined) permissions.delete(login);
      else permissions.set(login, permission);
    },
    rename(from, to) {
      for (const one of repositories) if (one.name === from) one.name = to;
    },
    fail: (failing) => void (isFailing = failing),
    lookUps: () => lookUps,
    close: () => closed(server),
  };
}

export function closed(server: http.Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
