import { createOAuthDeviceAuth } from "@octokit/auth-oauth-device";
import { request } from "@octokit/request";
import type { IdentityProvider, LoginEnd, LoginPrompt, RepositoryAnswer } from "../../core/server/identity.ts";
import type { Role } from "../../core/server/roles.ts";
import { isRecord, record } from "../../core/shared/json.ts";

export interface GitHub {
  /** `https://github.com`, or the address of a GitHub Enterprise server. */
  readonly url: string;
  /** Client id of the GitHub App, which needs no secret for the device flow. */
  readonly clientId: string;
  /** `OWNER/NAME`: anyone who can read one of these repositories may log in. */
  readonly allow: readonly string[];
}

type Request = typeof request;
const TIMEOUT_MS = 10_000;

/** Logs in with GitHub or GitHub Enterprise through the device flow. */
export function gitHub({ url, clientId, allow }: GitHub): IdentityProvider {
  const { host, origin, hostname } = new URL(url);
  const baseUrl = hostname === "github.com" ? "https://api.github.com" : `${origin}/api/v3`;
  const api = request.defaults({ baseUrl, request: { fetch: bounded } });
  const repository = (token: string, wanted: { readonly name: string } | { readonly id: string }) =>
    lookUp(api, token, "id" in wanted ? `/repositories/${wanted.id}` : `/repos/${wanted.name}`);
  const identify = async (token: string): Promise<LoginEnd> => {
    const { data } = await api("GET /user", { headers: { authorization: `token ${token}` } });
    for (const name of allow) {
      const answer = await repository(token, { name });
      if (answer.outcome === "unavailable") return { outcome: "unavailable", message: `${host} did not answer` };
      if (answer.outcome === "repository")
        return { outcome: "identity", identity: { provider: host, id: String(data.id), login: data.login, token } };
    }
    return { outcome: "refused", message: `${data.login} has no access to a repository of this server` };
  };
  return { host, kind: "github", repository, start: () => start(api, clientId, host, identify) };
}

const bounded: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });

function start(
  api: Request,
  clientId: string,
  host: string,
  identify: (token: string) => Promise<LoginEnd>,
): ReturnType<IdentityProvider["start"]> {
  return new Promise((resolve) => {
    const prompted = (prompt: LoginPrompt): void => {
      // The package waits for this callback to return before it asks for the token.
      setImmediate(() => resolve({ prompt, end }));
    };
    const auth = createOAuthDeviceAuth({
      clientType: "github-app",
      clientId,
      request: api,
      onVerification: ({ user_code: userCode, verification_uri: verificationUri, expires_in: seconds }) =>
        prompted({ userCode, verificationUri, expiresInMs: seconds * 1_000 }),
    });
    const end: Promise<LoginEnd> = auth({ type: "oauth" })
      .then(({ token }) => identify(token))
      .catch((error: unknown) => failed(host, error));
    // If there was no prompt by then, none will come.
    void end.then((ended) => resolve({ message: "message" in ended ? ended.message : `${host} gave no code` }));
  });
}

/** `response.data.error` holds GitHub's reason. */
function failed(host: string, error: unknown): LoginEnd {
  const data = isRecord(error) ? record(record(error["response"])["data"]) : {};
  switch (data["error"]) {
    case "access_denied":
      return { outcome: "refused", message: "the login was refused" };
    case "expired_token":
    case "incorrect_device_code":
      return { outcome: "refused", message: "the code ran out before it was typed" };
    case undefined:
      return { outcome: "unavailable", message: `${host} did not answer` };
    default:
      return { outcome: "unavailable", message: `${host} answered ${String(data["error"])}` };
  }
}

async function lookUp(api: Request, token: string, path: string): Promise<RepositoryAnswer> {
  try {
    const { data } = await api(`GET ${path}`, { headers: { authorization: `token ${token}` } });
    const { id, permissions } = record(data);
    const role = roleOf(record(permissions));
    return role === undefined ? { outcome: "none" } : { outcome: "repository", id: String(id), role };
  } catch (error) {
    const status = isRecord(error) ? error["status"] : undefined;
    // GitHub answers 404 for a repository that the person may not see; a withdrawn token opens no repository.
    const isNone = status === 404 || status === 401 || status === 451;
    return { outcome: isNone ? "none" : "unavailable" };
  }
}

function roleOf({ admin, maintain, push, pull, triage }: Readonly<Record<string, unknown>>): Role | undefined {
  if (admin === true) return "admin";
  if (maintain === true || push === true) return "writer";
  return pull === true || triage === true ? "reader" : undefined;
}
