import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { parseArgs } from "node:util";
import type { Context } from "hono";
import type { ServerPlace } from "../../app/server/open-server.ts";
import { argumentProblem, codeOf, MemoryError } from "../../core/shared/errors.ts";
import type { Access } from "../../app/server/ports.ts";
import type { Rates } from "../../app/server/access.ts";
import type { SyncServer } from "../../app/server/server.ts";
import type { Metrics } from "./metrics.ts";

/** One line of the log: the request and its outcome; never a text, a name or a token. */
export interface LogLine {
  readonly level: "info" | "error";
  readonly event: string;
  readonly [field: string]: string | number | undefined;
}

export interface AppOptions {
  readonly server: SyncServer;
  readonly rates: Rates;
  readonly log: (line: LogLine) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The address a request comes from. */
  readonly addressOf: (context: Context) => string;
}

export type Env = { Variables: { access: Access; requestId: string } };

export interface Serving extends AppOptions {
  readonly counts: Metrics;
}

export const HELP = `memdir-server: the notes of a person or a team, on every device

Usage
  memdir-server [--data DIR] [--port N] [--database URL]     start the server
  memdir-server token add --user LOGIN [--space KIND:NAME] [--role reader|writer|admin] [--device NAME] [--days N]
  memdir-server token list
  memdir-server token revoke ID

Options
  --data DIR        where the embedded database and its archives are (default: ~/.memdir/server)
  --database URL    use this PostgreSQL server instead: postgres://USER:PASSWORD@HOST/NAME
  --port N          port to listen on (default: 8787; 0 takes a free one)
  --host ADDRESS    address to listen on (default: 127.0.0.1)
  --cert FILE --key FILE   serve HTTPS with this certificate
  --insecure        listen on a public address without HTTPS, behind a proxy that adds it
  --github CLIENT_ID --github-allow OWNER/NAME   log in with GitHub: whoever may read one of these repositories
  --github-url URL  of a GitHub Enterprise (default: https://github.com)
  --oidc ISSUER --oidc-client ID --oidc-allow WHO   log in with OpenID Connect; WHO is @DOMAIN, group:NAME or everyone
  --oidc-secret-file FILE   the client's secret, where the provider wants one
  --receipts FILE   where forgets are written down (default: DIR/forgets.jsonl)
  --writes-per-minute N, --reads-per-minute N   of one device (default: 60, 600)
  --max-entries N, --max-bytes N                of one new space (default: 20000, 100000000)
  --max-memories N, --max-memory-bytes N        of one new store of the memory API (default: 2000, 102400)
  --dream-model PROVIDER/MODEL                  asked by dreams beside the rules, with the key in the environment
  --quiet           log failures only
  --json            print results as JSON
  --help, --version

At the first start the server prints the owner's token, once. Later: memdir-server token add --user owner
`;

const OPTIONS = {
  data: { type: "string" },
  database: { type: "string" },
  port: { type: "string", default: "8787" },
  host: { type: "string", default: "127.0.0.1" },
  cert: { type: "string" },
  key: { type: "string" },
  insecure: { type: "boolean", default: false },
  github: { type: "string" },
  "github-url": { type: "string", default: "https://github.com" },
  "github-allow": { type: "string", multiple: true, default: [] as string[] },
  oidc: { type: "string" },
  "oidc-client": { type: "string" },
  "oidc-secret-file": { type: "string" },
  "oidc-allow": { type: "string", multiple: true, default: [] as string[] },
  receipts: { type: "string" },
  "writes-per-minute": { type: "string" },
  "reads-per-minute": { type: "string" },
  "max-entries": { type: "string" },
  "max-bytes": { type: "string" },
  "max-memories": { type: "string" },
  "max-memory-bytes": { type: "string" },
  "dream-model": { type: "string" },
  user: { type: "string" },
  space: { type: "string" },
  role: { type: "string" },
  days: { type: "string" },
  device: { type: "string" },
  quiet: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/** Parses the command line. @throws MemoryError `invalid-input` for an unknown option. */
export function readCommandLine(argv: readonly string[]) {
  try {
    const line = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
    const empty = Object.entries(line.values).find(([, value]) => [value].flat().includes(""));
    if (empty !== undefined) throw new MemoryError("invalid-input", `--${empty[0]} needs a value; see --help`);
    return line;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new MemoryError(
      "invalid-input",
      `${argumentProblem(error, (option) => `there is no option ${option}`)}; see --help`,
    );
  }
}

export type Options = ReturnType<typeof readCommandLine>["values"];

/** A number option within its bounds; `undefined` if it was not given. */
export function numberOf(name: keyof Options, options: Options, most: number): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const value = typeof text === "string" && /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= most) return value;
  throw new MemoryError("invalid-input", `--${name} is a whole number up to ${most}, and not ${JSON.stringify(text)}.`);
}

/** The configured logins. @throws MemoryError `invalid-input` if they would admit no one, or everyone by mistake. */
export function loginsIn(options: Options): NonNullable<ServerPlace["logins"]> {
  const { github: appId, "github-allow": repositories, oidc: issuer, "oidc-client": clientId } = options;
  const { "github-url": url, "oidc-allow": allow, "oidc-secret-file": secretFile } = options;
  const wrong = [url, ...(issuer === undefined ? [] : [issuer])].find((one) => !isSafeUrl(one));
  if (wrong !== undefined) throw new MemoryError("invalid-input", `${wrong} is not an https:// address.`);
  if (appId !== undefined && repositories.length === 0)
    throw new MemoryError("invalid-input", "Say who may log in: --github-allow OWNER/NAME.");
  if (issuer !== undefined && (clientId === undefined || allow.length === 0))
    throw new MemoryError(
      "invalid-input",
      "--oidc needs --oidc-client ID and --oidc-allow @DOMAIN, group:NAME or everyone.",
    );
  const unclear = [
    ...repositories.filter((one) => !/^[\w.-]+\/[\w.-]+$/u.test(one)),
    ...allow.filter((one) => !/^(?:@[\w-]+(?:\.[\w-]+)+|group:.+|everyone)$/u.test(one)),
  ];
  if (unclear.length > 0) throw new MemoryError("invalid-input", `Nobody is meant by ${JSON.stringify(unclear[0])}.`);
  const clientSecret = secretFile === undefined ? undefined : textOf("oidc-secret-file", secretFile).trim();
  return {
    ...(appId !== undefined && { gitHub: { url, clientId: appId, allow: repositories } }),
    ...(issuer !== undefined && clientId !== undefined && { oidc: { issuer, clientId, clientSecret, allow } }),
  };
}

/** Tokens are sent to it, so it needs HTTPS, except on this machine. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/u;

function textOf(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "") throw error;
    throw new MemoryError("invalid-input", `--${option} ${file} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}

/** The certificate and key for HTTPS, as PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** @throws MemoryError `invalid-input` if the files are not a certificate and its key. */
export function tlsIn({ cert: certFile, key: keyFile }: Pick<Options, "cert" | "key">): Tls | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined;
  const tls = { cert: textOf("cert", certFile), key: textOf("key", keyFile) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new MemoryError("invalid-input", `HTTPS cannot be served with --cert ${certFile} and --key ${keyFile}.`, {
      cause: error,
    });
  }
  return tls;
}

/** @throws MemoryError `refused` for a public address on which tokens would be sent unencrypted. */
export function checkAddress({ host, cert, key, insecure }: Pick<Options, "host" | "cert" | "key" | "insecure">): void {
  if ((cert === undefined) !== (key === undefined))
    throw new MemoryError("invalid-input", "--cert and --key go together: give both or neither.");
  if (LOOPBACK.test(host) || cert !== undefined || insecure) return;
  throw new MemoryError(
    "refused",
    `${host} can be reached by others, and without HTTPS tokens and notes travel in the open. Give --cert and --key, or keep 127.0.0.1 behind a proxy that adds HTTPS, or say --insecure.`,
  );
}
