import { askView } from "../../app/browse/ask.ts";
import { findRemoved } from "../../app/browse/changes.ts";
import { costView } from "../../app/browse/cost.ts";
import { dreamsView } from "../../app/browse/dreams.ts";
import { graphView } from "../../app/browse/links.ts";
import { notesView } from "../../app/browse/note-list.ts";
import { noteView } from "../../app/browse/note-view.ts";
import type { Reading } from "../../app/browse/reading.ts";
import { reviewView } from "../../app/browse/review.ts";
import { sessionsView, sessionView } from "../../app/browse/sessions.ts";
import { stateView } from "../../app/browse/state.ts";
import { timelineView } from "../../app/browse/timeline.ts";
import { removedView, versionView } from "../../app/browse/versions.ts";
import { refusedByMode } from "../../app/workspace/modes.ts";
import type { RemovedAnswer } from "./api.ts";
import { optionalText, textIn } from "./body.ts";
import { RequestError } from "./request-error.ts";
import { type Answer, type Asked, ok, type Route } from "./route.ts";
import { isWritable } from "./source.ts";
import { WRITES } from "./write-routes.ts";

/** Whatever shows notes is not answered where memory is off. @throws MemoryError `refused`. */
function whereOn(route: Route): Route {
  return (asked) => {
    const { mode, locations } = asked.reading.workspace;
    if (mode === "off") throw refusedByMode("memory", { mode, reason: locations.modeReason });
    return route(asked);
  };
}

const READS: Readonly<Record<string, Route>> = {
  notes: ({ reading }) => ok(notesView(reading)),
  note: ({ reading, query }) => noteAnswer(reading, wanted(query, "id")),
  version: ({ reading, query }) => versionAnswer(reading, query),
  timeline: ({ reading, query }) => timelineAnswer(reading, query),
  graph: ({ reading }) => ok(graphView(reading)),
  review: ({ reading }) => ok(reviewView(reading)),
  dreams: ({ reading }) => ok(dreamsView(reading)),
  sessions: ({ reading }) => ok(sessionsView(reading)),
  session: ({ reading, query }) => found(sessionView(reading, wanted(query, "id")), "nothing is known of this session"),
  cost: ({ reading }) => ok(costView(reading)),
  conflicts: ({ reading, jobs }) => ok(jobs.look("conflicts", reading)),
  health: ({ reading, jobs }) => ok(jobs.look("health", reading)),
};

const ASKS: Readonly<Record<string, Route>> = {
  ask: ({ reading, fields }) => {
    const [session, note] = [optionalText(fields, "session"), optionalText(fields, "note")];
    return ok(
      askView(reading, {
        prompt: textIn(fields, "prompt"),
        ...(session !== undefined && { session }),
        ...(note !== undefined && { note }),
      }),
    );
  },
  jobs: ({ reading, jobs, fields }) => {
    const job = textIn(fields, "job");
    const what = textIn(fields, "do");
    if (job !== "conflicts" && job !== "health")
      throw new RequestError(400, "invalid-input", "job is conflicts or health");
    if (what !== "start" && what !== "cancel") throw new RequestError(400, "invalid-input", "do is start or cancel");
    if (what === "start") jobs.start(job, reading);
    else jobs.cancel(job);
    return ok({ state: jobs.look(job, reading).state });
  },
};

/** Every address below `/api`, by method; `state` says itself that memory is off. */
export const ROUTES: Readonly<Record<"GET" | "POST", ReadonlyMap<string, Route>>> = {
  GET: new Map([
    ["state", ({ reading }: Asked) => ok(stateView(reading, isWritable))],
    ...Object.entries(READS).map(([name, route]) => [name, whereOn(route)] as const),
  ]),
  POST: new Map(Object.entries({ ...ASKS, ...WRITES }).map(([name, route]) => [name, whereOn(route)])),
};

function wanted(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === "") throw new RequestError(400, "invalid-input", `give ${name}`);
  return value;
}

function found(view: object | undefined, missing: string): Answer {
  if (view === undefined) throw new RequestError(404, "not-found", missing);
  return ok(view);
}

function noteAnswer(reading: Reading, id: string): Answer {
  const view = noteView(reading, id);
  if (view !== undefined) return ok(view);
  const ref = findRemoved(reading.workspace, id);
  const removed = ref === undefined ? undefined : removedView(reading, ref);
  if (removed === undefined) throw new RequestError(404, "not-found", "there is no such note");
  const body: RemovedAnswer = {
    error: { code: "removed", message: `${removed.id} was removed (${removed.version.reason})` },
    removed,
  };
  return { status: 410, body };
}

function versionAnswer(reading: Reading, query: URLSearchParams): Answer {
  const seq = Number(wanted(query, "seq"));
  if (!Number.isSafeInteger(seq) || seq < 1) throw new RequestError(400, "invalid-input", "seq is a whole number");
  const scope = wanted(query, "scope");
  const id = query.get("id");
  const file = id?.startsWith(`${scope}:`) === true ? id.slice(scope.length + 1) : undefined;
  return found(versionView(reading, scope, seq, file), `there is no version ${seq} in the ${scope} scope`);
}

const EVENTS = 100;

function timelineAnswer(reading: Reading, query: URLSearchParams): Answer {
  const limit = Number(query.get("limit") ?? EVENTS);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RequestError(400, "invalid-input", "limit is a whole number");
  const [before, kind] = [query.get("before"), query.get("kind")];
  return ok(timelineView(reading, { limit, ...(before !== null && { before }), ...(kind !== null && { kind }) }));
}
