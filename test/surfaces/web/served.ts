import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { conflictsView, healthView } from "../../../src/app/browse/state.ts";
import { parseJson } from "../../../src/core/shared/json.ts";
import { openAssets } from "../../../src/surfaces/web/assets.ts";
import { createJobs, type StartWork } from "../../../src/surfaces/web/jobs.ts";
import { type PageServer, servePage } from "../../../src/surfaces/web/server.ts";
import { createPageSessions, type PageSessions } from "../../../src/surfaces/web/session.ts";
import { openSource } from "../../../src/surfaces/web/source.ts";
import { afterEveryTest } from "../../support/after-every-test.ts";
import { emptyHome } from "../../support/cli.ts";
import { noteText } from "../../support/store.ts";

export interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

export interface Served {
  readonly server: PageServer;
  readonly sessions: PageSessions;
  readonly notes: string;
  /** The clock of codes and tokens (ms). */
  readonly clock: { now: number };
  readonly token: string;
  readonly used: () => number;
  /** Asks with the token, and with any headers. */
  ask(
    method: string,
    path: string,
    body?: string | object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<Answered>;
}

const open: PageServer[] = [];
afterEveryTest(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The page's server over notes in `root`/notes, and a token for it. */
export async function serve(
  root: string,
  options: { readonly environment?: Readonly<Record<string, string>>; readonly startWork?: StartWork } = {},
): Promise<Served> {
  const notes = path.join(root, "notes");
  fs.mkdirSync(notes, { recursive: true });
  const clock = { now: 0 };
  const source = openSource({ dir: notes, cwd: root, environment: { ...emptyHome(root), ...options.environment } });
  const sessions = createPageSessions(() => clock.now);
  const startWork: StartWork =
    options.startWork ??
    ((name, progress) => {
      const { workspace } = source.reading();
      const result =
        name === "health"
          ? healthView(workspace, progress)
          : Promise.resolve().then(() => conflictsView(workspace, progress));
      return { result, stop: () => undefined };
    });
  const jobs = createJobs(startWork, () => Date.now());
  let uses = 0;
  const server = await servePage({
    source,
    sessions,
    jobs,
    assets: openAssets(new URL(`file://${root}/web/`)),
    port: 0,
    used: () => uses++,
  });
  open.push(server);
  const token = sessions.exchange(sessions.newCode()) ?? "";
  const ask: Served["ask"] = (method, target, body, headers = {}) =>
    request(server.port, method, target, body, { authorization: `Bearer ${token}`, ...headers });
  return {
    server,
    sessions,
    notes,
    clock,
    token,
    used: () => uses,
    ask,
    get: async (target) => (await ask("GET", `/api/${target}`)).json,
    post: (target, body) => ask("POST", `/api/${target}`, body),
  };
}

/** A request with any headers, Host and Origin too; an empty header is left out. */
export function request(
  port: number,
  method: string,
  target: string,
  body?: string | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const sent = typeof body === "object" ? JSON.stringify(body) : body;
  const all = {
    ...(sent !== undefined && { "content-type": "application/json", "content-length": `${Buffer.byteLength(sent)}` }),
    ...headers,
  };
  return new Promise((done, fail) => {
    const asked = http.request(
      {
        host: "127.0.0.1",
        port,
        method,
        path: target,
        headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")),
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.once("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          done({ status: response.statusCode ?? 0, headers: response.headers, text, json: parseJson(text) });
        });
        response.once("error", fail);
      },
    );
    asked.once("error", fail);
    asked.end(sent);
  });
}

export function writeNote(directory: string, file: string, description: string, body: string, type = "project"): void {
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(path.join(directory, file), noteText(file.replace(/\.md$/u, ""), description, body, type));
}
