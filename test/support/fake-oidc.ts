import http from "node:http";
import { closed, portOf } from "./fake-github.ts";

/** A fake OpenID Connect provider on loopback with the device grant. */
export interface FakeOidc {
  readonly issuer: string;
  answer(how: "pending" | "denied" | Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startFakeOidc(clientId: string): Promise<FakeOidc> {
  let mood: Parameters<FakeOidc["answer"]>[0] = "pending";
  let issuer = "";
  const routed = (path: string): readonly [number, unknown] => {
    if (path === "/.well-known/openid-configuration")
      return [
        200,
        {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          device_authorization_endpoint: `${issuer}/device`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
        },
      ];
    if (path === "/device")
      return [
        200,
        {
          device_code: "d",
          user_code: "WXYZ",
          verification_uri: `${issuer}/activate`,
          expires_in: 600,
          interval: 0.02,
        },
      ];
    if (mood === "pending") return [400, { error: "authorization_pending" }];
    if (mood === "denied") return [400, { error: "access_denied" }];
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: clientId, iat: now, exp: now + 300, ...mood };
    const idToken = `${part({ alg: "RS256" })}.${part(claims)}.${part("signature")}`;
    return [200, { access_token: "a", token_type: "bearer", id_token: idToken }];
  };
  const server = http.createServer((request, response) => {
    request.resume();
    const [status, body] = routed(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${portOf(server.address())}`;
  return { issuer, answer: (how) => void (mood = how), close: () => closed(server) };
}
