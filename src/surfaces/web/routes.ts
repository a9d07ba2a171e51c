import { askView, costView, sessionsView, sessionView } from "../../app/browse/sessions.ts";
import {
  type Changed,
  findRemoved,
  moveSeen,
  pinSeen,
  redoSeen,
  removeSeen,
  restoreSeen,
  reviseSeen,
  settleSeen,
  supersedeSeen,
  undoDreamAt,
  undoSeen,
} from "../../app/browse/changes.ts";
import { dreamsView, removedView, timelineView, versionView } from "../../app/browse/versions.ts";
import { graphView, noteView } from "../../app/browse/note-view.ts";
import { notesView, type Reading } from "../../app/browse/note-list.ts";
import { acceptSeen, dropRule, editSeen, rejectSeen, reviewView } from "../../app/browse/review.ts";
import { skillsView } from "../../app/browse/skills-view.ts";
import { devicesView, syncView } from "../../app/browse/sync-view.ts";
import { stateView } from "../../app/browse/state.ts";
import { refusedByMode } from "../../app/workspace/modes.ts";
import type { ConflictAnswer, ErrorAnswer, RemovedAnswer, Written } from "./api.ts";
import {
  countIn,
  type Fields,
  fieldsIn,
  flagIn,
  optionalText,
  perhapsSeenIn,
  RequestError,
  seenIn,
  textIn,
} from "./body.ts";
import { isWritable } from "./source.ts";
import { wantSync } from "../../app/background/want-sync.ts";
import type { OpenWorkspace } from "../../app/workspace/open-workspace.ts";
import type { Jobs } from "./jobs.ts";

/** What is needed to answer an API request. */
export interface Asked {
  readonly reading: Reading;
  readonly jobs: Jobs;
  readonly query: URLSearchParams;
  /** Empty for GET. */
  readonly fields: Fields;
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

export type Route = (asked: Asked) => Answer | Promise<Answer>;

const ok = (body: object): Answer => ({ status: 200, body });

type Write = (workspace: OpenWorkspace, fields: Fields) => Changed | Promise<Changed>;

const CHANGES: Readonly<Record<string, Write>> = {
  pin: (workspace, fields) => pinSeen(workspace, seenIn(fields), flagIn(fields, "pinned")),
  revise: (workspace, fields) => reviseSeen(workspace, seenIn(fields), textIn(fields, "text")),
  remove: (workspace, fields) => removeSeen(workspace, seenIn(fields)),
  restore: (workspace, fields) => restoreSeen(workspace, perhapsSeenIn(fields)),
  undo: (workspace, fields) => undoSeen(workspace, perhapsSeenIn(fields), countIn(fields, "seq")),
  redo: (workspace, fields) => redoSeen(workspace, perhapsSeenIn(fields)),
  supersede: (workspace, fields) => supersedeSeen(workspace, seenIn(fields), seenIn(fieldsIn(fields["by"], "by"))),
  move: (workspace, fields) => moveSeen(workspace, seenIn(fields), textIn(fields, "to")),
  conflicts: settle,
  "review/accept": (workspace, fields) => acceptSeen(workspace, seenIn(fields), flagIn(fields, "always")),
  "review/reject": (workspace, fields) => rejectSeen(workspace, seenIn(fields), flagIn(fields, "never")),
  "review/edit": (workspace, fields) => editSeen(workspace, seenIn(fields), textIn(fields, "text")),
  "review/drop-rule": (workspace, fields) => dropRule(workspace, textIn(fields, "rule")),
  "dreams/undo": (workspace, fields) => {
    const seq = countIn(fields, "seq");
    if (seq === undefined) throw new RequestError(400, "invalid-input", "give seq");
    return undoDreamAt(workspace, optionalText(fields, "scope") ?? "project", seq);
  },
};

function settle(workspace: OpenWorkspace, fields: Fields): Changed {
  const how = textIn(fields, "settle");
  const others = fields["others"];
  if (how !== "keep" && how !== "both") throw new RequestError(400, "invalid-input", "settle is keep or both");
  if (!Array.isArray(others)) throw new RequestError(400, "invalid-input", "others is to be a list");
  const seen = others.map((one: unknown) => seenIn(fieldsIn(one, "others")));
  return settleSeen(workspace, seenIn(fields), how, seen);
}

/** Every change, by its address. */
const WRITES: Readonly<Record<string, Route>> = Object.fromEntries(
  Object.entries(CHANGES).map(([name, write]): [string, Route] => [
    name,
    async ({ reading, fields }) => {
      const changed = await write(reading.workspace, fields);
      wantSync(reading.workspace.locations, "change");
      return answerOfChange(changed);
    },
  ]),
);

function answerOfChange(changed: Changed): Answer {
  switch (changed.kind) {
    case "done": {
      const { outcome, says, id, version, undo } = changed;
      const written: Written = {
        outcome,
        says,
        ...(id !== undefined && { id }),
        ...(version !== undefined && { version }),
        ...(undo !== undefined && { undo }),
      };
      return { status: 200, body: written };
    }
    case "conflict": {
      const body: ConflictAnswer = {
        error: { code: "conflict", message: changed.says },
        conflict: changed.conflict,
      };
      return { status: 409, body };
    }
    case "refused":
      return { status: changed.code === "stale" ? 409 : 422, body: problem(changed.code, changed.says) };
    case "not-found":
      return { status: 404, body: problem("not-found", changed.says) };
  }
}

function problem(code: string, message: string): ErrorAnswer {
  return { error: { code, message } };
}

/** Refuses a route that shows notes if memory is off. @throws MemoryError `refused`. */
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
  skills: ({ reading }) => ok(skillsView(reading)),
  sync: ({ reading }) => ok(syncView(reading)),
  devices: async ({ reading }) => ok(await devicesView(reading)),
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

/** Every address below `/api`, by method; `state` reports itself that memory is off. */
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
