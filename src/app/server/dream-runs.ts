import type { DreamEnd, DreamFinish, DreamRow } from "../../core/server/dreams.ts";
import { byteLength } from "../../core/server/judge-push.ts";
import { writeMemories, type MemoryWrite } from "../../core/server/memories.ts";
import { keyOf, pathOf, STORE_KIND } from "../../core/server/memory-names.ts";
import type { EntryWithBody, LockedSpace, SpaceRow } from "../../core/server/tables.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { LINES_KEY } from "../../core/sync/protocol.ts";
import type { DreamJob, DreamJobResult } from "./dream-job.ts";
import { parseTurns } from "./dream-requests.ts";
import { textOf } from "./memories.ts";
import type { Ground } from "./ports.ts";
import { newSpaceRow } from "./spaces.ts";
import { secretIn } from "./stores.ts";

/** Where and how jobs run. */
export interface DreamPlace {
  /** `PROVIDER/MODEL` that is asked in addition to the rules. */
  readonly model: string | undefined;
  /** Longest duration of one dream (ms). */
  readonly longestMs: number;
  /** Runs a job in a directory that is removed afterwards; returns the text that the job left. */
  readonly inDirectory: (name: string, job: string, signal: AbortSignal) => Promise<string>;
  /** Removes what jobs of a killed process left behind. */
  readonly clear: () => Promise<void>;
}

export interface DreamRuns {
  /** Starts the next waiting dream unless one is running here. To be called about every second. */
  tick(): Promise<void>;
  /** Ends a dream that is running here, at once. */
  cut(dreamId: string): void;
  /** Resolves when nothing waits and nothing runs. */
  settle(): Promise<void>;
  /** A running dream is released, so that another process can start it anew. */
  stop(): Promise<void>;
}

/** A process that has not renewed its hold for this long is considered dead. */
const HOLD_MS = 60_000;
const SAY_MS = 5_000;
/** How often a dream is retried when its input changed meanwhile. */
const ATTEMPTS = 3;
const LOST = { type: "internal_error", message: "The server ended while the dream ran. Start another one." };

export function dreamRuns(ground: Ground, place: DreamPlace): DreamRuns {
  const { database, clock, random } = ground;
  const { tables } = database;
  const holder = random.uuid();
  let running: { readonly id: string; readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  let isStopped = false;

  const runOne = async (dream: DreamRow, stop: AbortController): Promise<void> => {
    const hold = setInterval(() => {
      tables.holdDream(dream.dreamId, holder, clock.now() + HOLD_MS).then(
        (isHeld) => isHeld || stop.abort(),
        // The database is unreachable: the end of the dream will report it.
        () => undefined,
      );
    }, SAY_MS);
    const late = setTimeout(() => stop.abort(TOO_LATE), place.longestMs);
    try {
      const end = await dreamOnce(ground, place, dream, stop.signal);
      if (end !== "ended") await tables.endDream(dream.dreamId, { ...end, at: clock.now() });
    } catch (error) {
      if (isStopped) return tables.leaveDream(dream.dreamId, holder);
      const failure = stop.signal.reason === TOO_LATE ? TOO_LATE : failureOf(error);
      await tables.endDream(dream.dreamId, { status: "failed", at: clock.now(), error: failure });
    } finally {
      clearInterval(hold);
      clearTimeout(late);
    }
  };

  const tick = async (): Promise<void> => {
    if (running !== undefined || isStopped) return;
    await tables.failLost(clock.now(), LOST);
    const dream = await tables.takeDream(holder, clock.now() + HOLD_MS);
    if (dream === undefined) return;
    const stop = new AbortController();
    const done = runOne(dream, stop).finally(() => (running = undefined));
    running = { id: dream.dreamId, stop, done };
    // Its failure is stored with the dream. If that fails too, the next tick reports it.
    done.catch(() => undefined);
  };

  return {
    tick,
    cut: (dreamId) => (running?.id === dreamId ? running.stop.abort() : undefined),
    async settle() {
      for (;;) {
        await tick();
        const now = running;
        if (now === undefined) return;
        await now.done;
      }
    },
    async stop() {
      isStopped = true;
      running?.stop.abort();
      await running?.done.catch(() => undefined);
      await place.clear();
    },
  };
}

const TOO_LATE = { type: "timeout", message: "The dream took longer than one may take." };

function failureOf(error: unknown): { readonly type: string; readonly message: string } {
  const message = error instanceof MemoryError ? error.message : "The server could not do this now. Try again later.";
  return { type: "internal_error", message };
}

type Failed = Pick<DreamEnd, "status" | "error" | "usage">;

/** @returns how it failed, or `ended` when it was completed or canceled. */
async function dreamOnce(
  ground: Ground,
  place: DreamPlace,
  dream: DreamRow,
  signal: AbortSignal,
): Promise<Failed | "ended"> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const read = await readStore(ground, dream);
    if (read === undefined) return failed("memory_store_not_found", "The memory store is gone or archived.");
    const result = await runInDirectory(place, dream, await jobOf(ground, place, dream, read), signal);
    signal.throwIfAborted();
    const finished = await ground.database.tables.finishDream(dream, (finish) =>
      finishWith(ground, finish, dream, read, result),
    );
    if (finished === undefined || finished === "ended") {
      ground.activity.lastWrite = ground.clock.now();
      ground.activity.writes += 1;
      return "ended";
    }
    if (finished !== "stale") return { ...finished, usage: result.usage };
  }
  return failed("conflict", "The memories were changed again and again while the dream ran. Start another one.");
}

function failed(type: string, message: string): Failed {
  return { status: "failed", error: { type, message } };
}

interface ReadStore {
  readonly space: SpaceRow;
  readonly entries: ReadonlyMap<string, EntryWithBody>;
}

/** All current memories. */
async function readStore({ database }: Ground, { spaceId }: DreamRow): Promise<ReadStore | undefined> {
  const { tables } = database;
  const space = await tables.space(spaceId);
  if (space === undefined || space.sealed || space.archivedAt !== undefined) return undefined;
  const rows = await tables.changes(spaceId, 0, space.head, Number.MAX_SAFE_INTEGER);
  const live = rows.filter(({ state, key }) => state === "live" && key !== LINES_KEY);
  return { space, entries: new Map(live.map((row) => [row.key, row])) };
}

async function jobOf(
  { database, clock }: Ground,
  { model, longestMs }: DreamPlace,
  { userId, sessionIds, instructions }: DreamRow,
  { space, entries }: ReadStore,
): Promise<DreamJob> {
  const sessions = await database.tables.sessions(userId, sessionIds);
  return {
    notes: [...entries].map(([key, { body, at }]) => ({ key: noteKey(key, space), text: textOf(body), at })),
    sessions: sessions.map(({ sessionId, body }) => ({
      id: evidenceId(sessionId),
      turns: parseTurns(parseJson(body)),
    })),
    instructions,
    model,
    // Leaves time to write the result.
    until: clock.now() + longestMs * 0.9,
  };
}

/** A session's id as notes name it, with hyphens: a long run of digits would look like a secret. */
function evidenceId(sessionId: string): string {
  return sessionId.replace(/^sesn_(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
}

/** The name of a memory's note. */
function noteKey(key: string, space: SpaceRow): string {
  return pathOf(key, space).slice(1);
}

async function runInDirectory(
  { inDirectory }: DreamPlace,
  { dreamId }: DreamRow,
  job: DreamJob,
  signal: AbortSignal,
): Promise<DreamJobResult> {
  const text = await inDirectory(dreamId, JSON.stringify(job), signal);
  const result: unknown = parseJson(text);
  if (!isResult(result)) throw new MemoryError("corrupt", "The dream left no result.");
  return result;
}

function isResult(value: unknown): value is DreamJobResult {
  return isRecord(value) && Array.isArray(value["changed"]) && Array.isArray(value["involved"]);
}

/** Applies the result, all or nothing, if its input is still current. */
async function finishWith(
  ground: Ground,
  finish: DreamFinish,
  dream: DreamRow,
  read: ReadStore,
  result: DreamJobResult,
): Promise<"ended" | "stale" | Failed> {
  const { input } = finish;
  if (input.space.archivedAt !== undefined) return failed("memory_store_not_found", "The memory store is archived.");
  // Text redacted meanwhile must not return through a copy, or through a text derived from it.
  const seqs = [...read.entries.values()].map(({ seq }) => seq);
  if (!(await input.stillSay(seqs))) return "stale";
  if (result.changed.some(({ text }) => secretIn([text]) !== undefined))
    return failed("secret", "The result holds what looks like a secret, so it was not stored.");
  const done = dream.updates
    ? await updateStore(ground, input, dream, read, result)
    : await fillStore(ground, finish, dream, read, result);
  if (done === "stale") return done;
  if (done === "quota") return failed("quota", "The result has no room: the store or the memory would be too large.");
  await finish.end({ status: "completed", at: ground.clock.now(), outputId: done.outputId, usage: result.usage });
  return "ended";
}

type Taken = { readonly outputId: string } | "stale" | "quota";

function fromDream({ random, clock }: Ground, { deviceId, login, dreamId }: DreamRow) {
  return { pushId: `dream:${dreamId}:${random.uuid()}`, deviceId, actor: login, at: clock.now(), mark: random.mark() };
}

/** In a store of applications a replaced memory is deleted; its versions keep it. Devices keep it as retired. */
function textAfter(change: DreamJobResult["changed"][number], space: SpaceRow): string | undefined {
  return change.isRetired && space.kind === STORE_KIND ? undefined : change.text;
}

async function updateStore(
  ground: Ground,
  input: LockedSpace,
  dream: DreamRow,
  { space, entries }: ReadStore,
  { changed, involved }: DreamJobResult,
): Promise<Taken> {
  const keys = involved.map((key) => keyOf(`/${key}`, space));
  const now = keys.length === 0 ? [] : await input.entries({ keys, folds: [], lineages: [] });
  const live = new Map(now.filter(({ state }) => state === "live").map((row) => [row.key, row]));
  if (keys.some((key) => live.get(key)?.seq !== entries.get(key)?.seq)) return "stale";
  const writes: MemoryWrite[] = [];
  for (const change of changed) {
    const key = keyOf(`/${change.key}`, space);
    const before = live.get(key);
    const content = textAfter(change, space);
    if (content === undefined && before === undefined) continue;
    if (isTooLarge(ground, space, content)) return "quota";
    if (before === undefined && (await input.overlapping(key, undefined)) !== undefined) return "stale";
    writes.push({ key, lineage: before?.lineage ?? ground.random.lineage(), content, before });
  }
  const written = await writeMemories(input, writes, fromDream(ground, dream));
  return written === "quota" ? written : { outputId: space.spaceId };
}

async function fillStore(
  ground: Ground,
  { addStore }: DreamFinish,
  dream: DreamRow,
  { space, entries }: ReadStore,
  { changed }: DreamJobResult,
): Promise<Taken> {
  const changes = new Map(changed.map((change) => [change.key, change]));
  const texts = new Map([...entries].map(([key, { body }]) => [noteKey(key, space), textOf(body)]));
  for (const [key, { text, isRetired }] of changes) {
    if (isRetired) texts.delete(key);
    else texts.set(key, text);
  }
  const row: SpaceRow = {
    ...newSpaceRow(ground, { kind: STORE_KIND, name: dreamtName(space.name), identity: "", sealed: false }),
    maxEntries: Math.max(ground.limits.maxMemories, space.maxEntries),
    maxBytes: Math.max(ground.limits.maxBytes, space.maxBytes),
    description: space.description,
    metadata: space.metadata,
  };
  const writes = [...texts].map(([key, content]): MemoryWrite => ({
    key: `/${key}`,
    lineage: ground.random.lineage(),
    content,
    before: undefined,
  }));
  if (writes.some(({ key, content }) => changes.has(key.slice(1)) && isTooLarge(ground, row, content))) return "quota";
  const written = await writeMemories(await addStore(row, dream.userId), writes, fromDream(ground, dream));
  if (written === "quota") throw new MemoryError("unavailable", "The new store cannot hold the result.");
  return { outputId: row.spaceId };
}

const NAME_CHARACTERS = 255;

function dreamtName(name: string): string {
  const end = " (dreamt)";
  return `${[...name].slice(0, NAME_CHARACTERS - end.length).join("")}${end}`;
}

function isTooLarge({ limits }: Ground, { kind }: SpaceRow, content: string | undefined): boolean {
  return kind === STORE_KIND && byteLength(content ?? "") > limits.memoryBytes;
}
