/**
 * Serves the built page with an invented memory and the headers of the real server, to test what the page shows for
 * particular answers.
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import * as data from "./page-data.mjs";
import { demoDevices, demoSkills, demoSync } from "./page-tend-data.mjs";

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const KINDS = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml" };

const failed = (status, code, message, more = {}) => ({ status, body: { error: { code, message }, ...more } });
const ready = (result) => ({ state: "ready", time: new Date().toISOString(), ms: 840, stale: false, result });

/** An invented memory; `answers` replaces the API's answer for a path: `{ status?, body }`. */
export function pageMemory({ notes = data.demoNotes(), bodies = {}, state = {} } = {}) {
  const noteOf = (id) => {
    const item = notes.find((one) => one.id === id);
    if (item === undefined) return undefined;
    const note = data.demoNote(item, notes);
    const body = bodies[id] ?? note.body;
    return { ...note, body, text: bodies[id] === undefined ? note.text : `---\nname: x\n---\n\n${body}` };
  };
  const now = {
    version: "0.1.0",
    name: "shop",
    project: "/home/you/shop",
    mode: "auto",
    scopes: ["project", "user", "team"].map((scope) => ({
      scope,
      directory: `/home/you/${scope}`,
      mode: "auto",
      notes: notes.filter((one) => one.scope === scope).length,
      exists: true,
    })),
    stamp: "1",
    activity: "1",
    waiting: 3,
    recallLog: { keeps: "text", path: "/home/you/.memdir/recalls.jsonl" },
    now: new Date().toISOString(),
    ...state,
  };
  const written = (says) => ({ status: 200, body: { outcome: "written", says, version: "cc" } });
  const reads = {
    state: () => now,
    notes: () => ({ notes, stamp: now.stamp }),
    note: ({ id }) => noteOf(id),
    version: ({ id, seq }) => data.demoVersion(noteOf(id) ?? noteOf(notes[0].id), Number(seq)),
    timeline: ({ kind }) => ({ events: data.demoTimeline(notes).filter((event) => !kind || event.kind === kind) }),
    graph: () => data.demoGraph(notes.slice(0, 60)),
    review: () => data.demoReview(notes),
    dreams: () => data.demoDreams(notes),
    sessions: () => ({ sessions: data.demoSessions() }),
    session: ({ id }) => data.demoSession(id, notes),
    cost: () => data.demoCost(notes),
    skills: () => demoSkills(),
    sync: () => demoSync(),
    devices: () => demoDevices(),
    conflicts: () => ready(data.demoConflicts(notes)),
    health: () => ready(data.demoHealth(notes)),
  };
  return {
    state: now,
    /** Requests for changes, in order. */
    sent: [],
    /** @type {Record<string, unknown>} */
    answers: {},
    answer(method, path, query, body) {
      const own = this.answers[`${method} ${path}`];
      if (method === "POST" && path !== "ask" && path !== "session") this.sent.push({ path, body });
      if (own !== undefined) return typeof own === "function" ? own(body) : own;
      if (method === "POST" && path === "session") return { status: 200, body: { token: "t" } };
      if (method === "POST" && path === "ask")
        return { status: 200, body: data.demoAsk(body.prompt, notes, body.note) };
      if (method === "POST") return written("Saved.");
      const found = reads[path]?.(query);
      return found === undefined ? failed(404, "not-found", "There is no such note.") : { status: 200, body: found };
    },
  };
}

function bodyOf(request) {
  return new Promise((resolve) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => resolve(text === "" ? {} : JSON.parse(text)));
  });
}

/** @returns {Promise<{ url: string, origin: string, requests: string[], stop: () => Promise<void> }>} */
export async function servePage(directory, memory) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    requests.push(`${request.method} ${url.pathname}`);
    const send = (status, type, body) =>
      response
        .writeHead(status, {
          "Content-Type": type,
          "Content-Security-Policy": POLICY,
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
        })
        .end(body);
    if (url.pathname.startsWith("/api/")) {
      const answer = memory.answer(
        request.method,
        url.pathname.slice(5),
        Object.fromEntries(url.searchParams),
        await bodyOf(request),
      );
      send(answer.status ?? 200, "application/json", JSON.stringify(answer.body));
      return;
    }
    const file = join(directory, url.pathname === "/" ? "index.html" : url.pathname.slice(1));
    if (existsSync(file)) send(200, KINDS[extname(file)] ?? "text/plain", readFileSync(file));
    else send(404, "text/plain", "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    url: `${origin}/#code=abc`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
