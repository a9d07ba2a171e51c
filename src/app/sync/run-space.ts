import { forgottenIds } from "../../adapters/files/forgotten.ts";
import { mergeNotes } from "../../adapters/files/merge.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openSyncBase } from "../../adapters/sqlite/sync-base.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { type Lineage, withJoined } from "../../core/notes/history.ts";
import { baseName } from "../../core/notes/parse-note.ts";
import { anonymousId } from "../../core/notes/names.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { SyncBase, SyncState } from "../../core/sync/base.ts";
import { type Judge, type Refused, shownKey } from "../../core/sync/gates.ts";
import type { UnsentText } from "../../core/sync/replica.ts";
import { runSync, type RunEnd, type RunOptions, type RunReport } from "../../core/sync/run.ts";
import { isShared, refusePersonal, refuseText } from "../notes/gate.ts";
import { syncStateIn, purgeFrom } from "../workspace/settle-forgets.ts";
import { location } from "../workspace/locations.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { openStoreAt } from "../workspace/open-store.ts";
import type { SpaceTransport } from "./open-transport.ts";
import type { SpaceRun, SpaceState } from "./reports.ts";
import { noteRun } from "./run-records.ts";
import { storeReplica } from "./store-replica.ts";
import { pushIdAt } from "./space-keys.ts";
import { wireTo } from "./space-wire.ts";
import { conflictCopies } from "./pending.ts";
import { settlingOf } from "./settling.ts";
import { changeSpace, readSpaces, type SyncedSpace } from "./spaces.ts";

export interface RunSpaceOptions {
  /** The user wants this device's texts to replace those that could not be opened. */
  readonly replaceSealed?: boolean;
  readonly acceptRemovals?: RunOptions["acceptRemovals"];
  /** How long to wait for another run of the same store (ms). Default 2,000. */
  readonly waitMs?: number;
}

const OTHER_RUN_MS = 2_000;

/** One sync of one store with its space. It never throws because of the other side; errors are in the result. */
export async function runSpace(
  workspace: OpenWorkspace,
  space: SyncedSpace,
  transport: SpaceTransport,
  { acceptRemovals = 0, waitMs = OTHER_RUN_MS, replaceSealed = false }: RunSpaceOptions = {},
): Promise<SpaceRun> {
  const { locations, clock } = workspace;
  const base = openSyncBase(syncStateIn(space.state), waitMs);
  const place = placeOf(workspace, space);
  const store = openStoreAt(place, locations, clock);
  try {
    const wire = wireTo(workspace, space, transport, base);
    if (replaceSealed) wire.replace();
    const gone = new Set<string>();
    const settling = settlingOf(space, place, () => clock.now());
    const replica = storeReplica({
      store,
      looking: settling.looking,
      looked: settling.looked,
      isForgotten: (file) => forgottenIds({ state: space.state, files: nodeFiles }).has(anonymousId(file)),
      keepForReview: (unsent) => keepForReview(workspace, space, unsent),
      forget: (lineages) => {
        for (const name of forgetInStore(workspace, place, store, lineages)) gone.add(name);
      },
    });
    const merge = (before: string, ours: string, theirs: string): string | undefined =>
      mergeNotes(before, ours, theirs, workspace.codec);
    const judge = judgeFor(workspace, space, base);
    const newPushId = (): string => pushIdAt(clock.now());
    const ports = { transport: wire.transport, base: wire.base, replica, merge, judge, newPushId };
    const report = await runSync(ports, { acceptRemovals });
    if (report.end.outcome === "done") await wire.settle();
    const told = withAside(report, wire.aside());
    // Notes that were refused first and then forgotten by another device in this run.
    const refused = told.refused.filter(({ key }) => !gone.has(key));
    const ran = reported(space, { ...told, refused }, wire.notices());
    settlePause(locations.memdirHome, space, ran, report.end);
    noteRun(space.state, ran, {
      now: clock.now(),
      head: base.state.cursor,
      conflicts: conflictCopies(store),
      requests: wire.requests(),
      ...(report.end.outcome === "offline" && { retryAfterMs: report.end.retryAfterMs ?? 0 }),
    });
    // Before another run may start, because it would see a branch that this run is about to change.
    const rest = (await transport.finish?.(report.end.outcome === "done")) ?? [];
    const run = { ...ran, notices: [...ran.notices, ...rest] };
    if (report.end.outcome === "done" && isAtRest(run, base.state)) settling.keep(base.state.cursor);
    return run;
  } finally {
    store.close();
    base.close();
  }
}

/** Whether nothing is left to do. */
function isAtRest({ refused, held, notices }: SpaceRun, { tops, outbox, resync, unsentForgets }: SyncState): boolean {
  const waiting = refused.length + held.length + notices.length + tops.length + unsentForgets.size;
  return waiting === 0 && outbox === undefined && resync === undefined;
}

function placeOf({ locations }: OpenWorkspace, { scope, directory }: SyncedSpace): ReturnType<typeof location> {
  const known = locations.stores.find((place) => place.directory === directory);
  if (known !== undefined) return known;
  const place = location(locations.memdirHome, scope, directory);
  return scope === "project" ? { ...place, excluded: ["team"] } : place;
}

/** Applies the gates of every write again before sending: a person may have written the file with an editor. */
function judgeFor(workspace: OpenWorkspace, { scope }: SyncedSpace, base: SyncBase): Judge {
  return async (text, { key, lineage }) => {
    const refusal = await refuseText(workspace, text);
    if (refusal?.reason === "hidden-characters") return { reason: "hidden" };
    if (refusal !== undefined) {
      const rule = (await workspace.secrets.scan(text))[0]?.rule;
      return { reason: "secret", ...(rule !== undefined && { rule }) };
    }
    if (!isShared(scope)) return undefined;
    const type = typeIn(workspace, text);
    if (type === "user") return { reason: "person" };
    // What the others have already.
    const { entries } = base.state;
    const agreed = entries.get(key) ?? [...entries.values()].find((entry) => entry.lineage === lineage);
    const personal = refusePersonal(scope, type, text, { text: agreed?.body ?? "" });
    return personal === undefined ? undefined : { reason: "personal" };
  };
}

function typeIn({ codec }: OpenWorkspace, text: string): string | undefined {
  const { data } = codec.read(splitFrontmatter(text).block);
  const metadata: unknown = data["metadata"];
  const nested = typeof metadata === "object" && metadata !== null && "type" in metadata ? metadata.type : undefined;
  const type = data["type"] ?? nested;
  return typeof type === "string" ? type : undefined;
}

/** Unsent local text of notes that others forgot: the user decides about it, and only on this machine. */
function keepForReview(workspace: OpenWorkspace, { scope }: SyncedSpace, unsent: readonly UnsentText[]): void {
  for (const { key, text } of unsent) {
    workspace.review.add({
      id: sha256(`unsent\0${scope}\0${key}\0${text}`).slice(0, 8),
      time: new Date(workspace.clock.now()).toISOString(),
      scope,
      operation: {
        kind: "create",
        draft: {
          type: "project",
          name: baseName(key),
          description: "lines of a note that was forgotten elsewhere, written here and never sent",
          body: text,
        },
      },
      reason: `${shownKey(key)} was forgotten on another device; these lines were only here`,
      doubtful: true,
      by: "rules",
      evidence: { session: "sync", message: key },
      quote: text,
      saidAs: "other",
      seen: undefined,
    });
  }
}

/** @returns the names it removed. Only the space's own store changes, never the user's own notes. */
function forgetInStore(
  workspace: OpenWorkspace,
  place: ReturnType<typeof location>,
  store: NoteStore,
  lineages: ReadonlySet<Lineage>,
): readonly string[] {
  const lives = store.lives();
  const all = withJoined(lineages, [lives]);
  const names = [...all].flatMap((one) => [...lives.namesOf(one)]);
  const survey = { homes: [{ place, store, lives }], failed: [], closed: [] };
  purgeFrom(workspace, survey, { lineages: [...all] }, unsentOf(workspace, names));
  return names;
}

/** Proposals with lines that were never sent. Another device's forget does not apply to them. */
function unsentOf({ review }: OpenWorkspace, names: readonly string[]): ReadonlySet<string> {
  const kept = review
    .entries()
    .filter(({ evidence }) => evidence.session === "sync" && names.includes(evidence.message));
  return new Set(kept.map(({ id }) => `${id}.json`));
}

/** Adds what earlier runs set aside, each note once. */
function withAside(report: RunReport, aside: readonly Refused[]): RunReport {
  const keys = new Set(aside.map(({ key }) => key));
  return { ...report, refused: [...aside, ...report.refused.filter(({ key }) => !keys.has(key))] };
}

function reported(space: SyncedSpace, report: RunReport, notices: readonly string[]): SpaceRun {
  const { end, ...counted } = report;
  const { scope, directory, remote } = space;
  const stopped = end.outcome === "too-many-removals" ? { where: end.where, keys: end.keys } : undefined;
  return {
    scope,
    directory,
    remote,
    ...stateAfter(end),
    ...counted,
    notices,
    ...(stopped !== undefined && { stopped }),
  };
}

function stateAfter(end: RunEnd): { readonly state: SpaceState; readonly message: string } {
  switch (end.outcome) {
    case "done":
      return { state: "idle", message: "" };
    case "busy":
      return { state: "offline", message: "others write all the time; the next run goes on" };
    case "offline":
      return { state: "offline", message: end.message };
    case "too-many-removals":
      return {
        state: "ask",
        message: `${end.keys.length} notes, more than half, would be removed ${end.where === "here" ? "on this device" : "from the remote"}; \`memdir sync approve\` names them and lets you decide`,
      };
    case "denied":
      return { state: end.reason === "key" ? "key" : "paused", message: end.message };
    case "not-found":
      return { state: "paused", message: end.message };
  }
}

/**
 * Pauses the space after an answer that only the user can resolve; `memdir sync now` still tries. What the user decided
 * during the run takes precedence.
 */
function settlePause(memdirHome: string, { directory, remote }: SyncedSpace, run: SpaceRun, end: RunEnd): void {
  // A device that waits for its key asks again in each run.
  const isDenied = (end.outcome === "denied" && end.reason !== "key") || end.outcome === "not-found";
  const now = readSpaces(memdirHome).find((one) => one.directory === directory && one.remote === remote);
  if (now === undefined || now.paused?.by === "user" || isDenied === (now.paused?.by === "remote")) return;
  changeSpace(memdirHome, directory, {
    ...now,
    paused: isDenied ? { by: "remote", reason: run.message } : undefined,
  });
}
