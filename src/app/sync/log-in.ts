import os from "node:os";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import {
  askLoginWays,
  finishLogin,
  knowsToken,
  startLogin,
  type StartedLogin,
} from "../../adapters/http-sync/login.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { NoAnswer } from "../../core/sync/transport.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { holdsLogin, kindOfRemote, readSpaces } from "./spaces.ts";

/** The user at a terminal, who can log in. */
export interface LoginPerson {
  /** Chooses one of several providers. */
  choose(hosts: readonly string[]): Promise<string | undefined>;
  /** Shows the page to open and the code to type there. */
  show(prompt: Pick<StartedLogin, "page" | "code">): void;
  pause(ms: number): Promise<void>;
}

const ASK_EVERY_MS = 2_000;
const LONGEST_MS = 30 * 60_000;

/**
 * The file with the token for a server: the one already in use, or a new one after a login. `undefined` if the remote
 * is not a server. @throws MemoryError `invalid-input` without a user, `unavailable`, `refused`.
 */
export async function tokenFileFor(
  { locations }: Pick<OpenWorkspace, "locations">,
  remote: string,
  person: LoginPerson | undefined,
): Promise<string | undefined> {
  const url = remote.trim();
  if (kindOfRemote(url) !== "server" || holdsLogin(url)) return undefined;
  const { memdirHome } = locations;
  const own = `${memdirHome}/sync/tokens/${sha256(url.replace(/\/+$/u, "")).slice(0, 16)}`;
  const used = readSpaces(memdirHome).flatMap((space) => (space.remote === url ? [space.tokenFile ?? own] : []));
  for (const file of new Set([...used, own])) {
    const token = textAt(file);
    if (token !== undefined && (await knowsToken({ url, token }))) return file;
  }
  const token = await logIn(url, person);
  nodeFiles.makeDirectory(`${memdirHome}/sync/tokens`);
  putFile(own, `${token}\n`, { named: true });
  return own;
}

function textAt(file: string): string | undefined {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes).trim();
}

async function logIn(url: string, person: LoginPerson | undefined): Promise<string> {
  const server = { url, token: undefined };
  const ways = await askLoginWays(server);
  if (ways.outcome !== "ways") throw failed(ways);
  const { hosts } = ways;
  const [only = ""] = hosts;
  if (hosts.length === 0)
    throw new MemoryError(
      "invalid-input",
      `${url} has no login; ask its owner for a token (\`memdir-server token add\`), save it in a file that only you can read, and name that with --token-file`,
    );
  if (person === undefined)
    throw new MemoryError(
      "invalid-input",
      `${url} asks who you are; run this on a terminal to log in with ${hosts.join(" or ")}, or name a file with a token by --token-file`,
    );
  const host = hosts.length === 1 ? only : await person.choose(hosts);
  if (host === undefined) throw new MemoryError("invalid-input", `name one of ${hosts.join(", ")}; nothing was set up`);
  const started = await startLogin(server, { host, device: os.hostname() });
  if (started.outcome !== "started") throw failed(started);
  person.show(started);
  const waits = Math.ceil(Math.min(started.expiresInMs, LONGEST_MS) / ASK_EVERY_MS);
  for (let asked = 0; asked < waits; asked++) {
    await person.pause(ASK_EVERY_MS);
    const answer = await finishLogin(server, started.id);
    if (answer.outcome === "token") return answer.token;
    // A short network failure or a busy server: the code is valid for some minutes.
    if (answer.outcome !== "waiting" && answer.outcome !== "offline") throw failed(answer);
  }
  throw new MemoryError("unavailable", "the code ran out; nothing was set up. Run the command again");
}

function failed({ outcome, message }: NoAnswer): MemoryError {
  const code = outcome === "denied" ? "refused" : "unavailable";
  return new MemoryError(code, `${message.replace(/\.$/u, "")}; nothing was set up`);
}
