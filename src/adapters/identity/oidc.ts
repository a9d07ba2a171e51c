import * as client from "openid-client";
import type { Identity, IdentityProvider, LoginEnd } from "../../core/server/identity.ts";

export interface Oidc {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** `@example.org`: a verified address there; `group:NAME`: a group named in the claim `groups`; `everyone`. */
  readonly allow: readonly string[];
}

const TIMEOUT_S = 10;
const USUAL_EXPIRY_S = 600;

/** An OpenID Connect provider with the device grant. It says who people are; roles are assigned by the server. */
export function oidc({ issuer, clientId, clientSecret, allow }: Oidc): IdentityProvider {
  const { host, hostname, protocol } = new URL(issuer);
  const isLoopback = protocol === "http:" && /^(?:127\.|localhost$|\[::1\]$)/u.test(hostname);
  let found: Promise<client.Configuration> | undefined;
  const configuration = (): Promise<client.Configuration> => {
    // If the issuer was unreachable, it is asked again at the next login.
    found ??= client
      .discovery(new URL(issuer), clientId, undefined, secretOrNone(clientSecret), {
        timeout: TIMEOUT_S,
        ...(isLoopback && { execute: [client.allowInsecureRequests] }),
      })
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return found;
  };
  return {
    host,
    kind: "oidc",
    async start() {
      try {
        const config = await configuration();
        if (config.serverMetadata().device_authorization_endpoint === undefined)
          return { message: `${host} has no device grant, which logins need` };
        const asked = await client.initiateDeviceAuthorization(config, { scope: "openid profile email" });
        const expiresInMs = (asked.expires_in ?? USUAL_EXPIRY_S) * 1_000;
        const end = polled(config, asked, { host, allow, expiresInMs });
        return { prompt: { userCode: asked.user_code, verificationUri: asked.verification_uri, expiresInMs }, end };
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        return { message: `${host} did not answer` };
      }
    },
  };
}

/** With `undefined` the library would use the client id as the secret. */
function secretOrNone(secret: string | undefined): client.ClientAuth {
  return secret === undefined ? client.None() : client.ClientSecretPost(secret);
}

async function polled(
  config: client.Configuration,
  asked: client.DeviceAuthorizationResponse,
  {
    host,
    allow,
    expiresInMs,
  }: { readonly host: string; readonly allow: readonly string[]; readonly expiresInMs: number },
): Promise<LoginEnd> {
  try {
    const signal = AbortSignal.timeout(expiresInMs);
    const tokens = await client.pollDeviceAuthorizationGrant(config, asked, undefined, { signal });
    const claims = tokens.claims();
    if (claims === undefined) return { outcome: "refused", message: `${host} did not say who this is` };
    const identity = identityOf(host, claims);
    if (isAllowed(claims, allow)) return { outcome: "identity", identity };
    return { outcome: "refused", message: `${identity.login} may not use this server` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof client.ResponseBodyError && error.error === "access_denied")
      return { outcome: "refused", message: "the login was refused" };
    const isLate =
      error.name === "TimeoutError" || (error instanceof client.ResponseBodyError && error.error === "expired_token");
    if (isLate) return { outcome: "refused", message: "the code ran out before it was typed" };
    return { outcome: "unavailable", message: `${host} did not answer as it should` };
  }
}

function identityOf(host: string, { sub, preferred_username: name, email }: client.IDToken): Identity {
  const login = [name, email, sub].find((one): one is string => typeof one === "string" && one !== "") ?? sub;
  return { provider: host, id: sub, login: login.split("@")[0] ?? sub, token: undefined };
}

function isAllowed(claims: client.IDToken, allow: readonly string[]): boolean {
  const { email, email_verified: isVerified, groups } = claims;
  return allow.some((rule) => {
    if (rule === "everyone") return true;
    if (rule.startsWith("group:")) return Array.isArray(groups) && groups.includes(rule.slice("group:".length));
    return isVerified === true && typeof email === "string" && email.toLowerCase().endsWith(rule.toLowerCase());
  });
}
