import {
  type Change,
  type Outcome,
  type RemoteEntry,
  type Revision,
  type WireMarks,
  type WirePush,
  NO_REVISION,
} from "../../core/sync/protocol.ts";
import { START, type Cursor, type NoAnswer, type Transport } from "../../core/sync/transport.ts";
import {
  ask,
  refusalOf,
  type HttpAnswer,
  type HttpServer,
  parseCommon,
  parseEntry,
  parsePage,
  parsePushed,
} from "./answer.ts";
import { isRecord } from "../../core/shared/json.ts";

export interface HttpSpace extends HttpServer {
  /** The server's id of the space. */
  readonly space: string;
}

interface Place {
  readonly seq: number;
  readonly mark: string;
}

/** A space on a server. Cursors are `SEQ.MARK`, revisions the decimal sequence number. */
export function httpTransport(place: HttpSpace): Transport {
  const base = `/v1/spaces/${encodeURIComponent(place.space)}`;
  return {
    async pull({ cursor, tops, limit, since }) {
      const path = `${base}/changes?${queryOf(cursor, tops, limit)}`;
      const answer = await ask(place, { method: "GET", path });
      if (answer.outcome === "offline") return answer;
      if (answer.status === 409) return { outcome: "history-changed" };
      if (answer.status === 410) return { outcome: "compacted" };
      const page = answer.status === 200 ? parsePage(answer.body) : undefined;
      if (page === undefined) return notGood(place, answer);
      return {
        outcome: "page",
        next: cursorOf({ seq: page.next, mark: page.mark }),
        head: cursorOf({ seq: page.head, mark: page.headMark }),
        changes: page.changes.map((entry) => ({ entry: fromWireEntry(entry) })),
        ...(since !== undefined && {
          stoodAtSince: (_: string, revision: Revision) =>
            revision !== NO_REVISION && Number(revision) <= placeOf(since).seq,
        }),
      };
    },
    async push(pushId, changes) {
      const body: WirePush = { changes: changes.map(toWire) };
      const headers = { "idempotency-key": pushId };
      const answer = await ask(place, { method: "POST", path: `${base}/changes`, body, headers });
      if (answer.outcome === "offline") return answer;
      const pushed = answer.status === 200 ? parsePushed(answer.body) : undefined;
      if (pushed === undefined || pushed.outcomes.length !== changes.length) return notGood(place, answer);
      return {
        outcome: "pushed",
        prev: cursorOf({ seq: pushed.prev.head, mark: pushed.prev.mark }),
        head: cursorOf({ seq: pushed.head, mark: pushed.mark }),
        outcomes: pushed.outcomes.map(fromWire),
      };
    },
    async read(key) {
      const answer = await ask(place, { method: "GET", path: `${base}/entries/${encodeURIComponent(key)}` });
      if (answer.outcome === "offline") return answer;
      if (answer.status === 404) return { outcome: "entry", entry: undefined };
      const entry = answer.status === 200 ? parseEntry(answer.body) : undefined;
      if (entry === undefined) return notGood(place, answer);
      return { outcome: "entry", entry: fromWireEntry(entry) };
    },
    async common(marks) {
      const body: WireMarks = { marks: marks.map(placeOf) };
      const answer = await ask(place, { method: "POST", path: `${base}/common`, body });
      if (answer.outcome === "offline") return answer;
      const found = answer.status === 200 ? parseCommon(answer.body) : undefined;
      if (found === undefined) return notGood(place, answer);
      const { seq } = found;
      return { outcome: "common", cursor: marks.find((mark) => seq > 0 && placeOf(mark).seq === seq) ?? START };
    },
  };
}

/** The highest top is enough: a space that lacks it was reset to an earlier state. */
function queryOf(cursor: Cursor, tops: readonly Cursor[], limit: number): string {
  const at = placeOf(cursor);
  const query = new URLSearchParams({ cursor: String(at.seq), limit: String(limit) });
  if (at.seq > 0) query.set("mark", at.mark);
  const top = tops.map(placeOf).toSorted((a, b) => b.seq - a.seq)[0];
  if (top !== undefined) {
    query.set("top", String(top.seq));
    query.set("topMark", top.mark);
  }
  return query.toString();
}

function fromWireEntry(entry: RemoteEntry<number>): RemoteEntry {
  return entry.state === "forgotten" ? entry : { ...entry, revision: String(entry.revision) };
}

function toWire(change: Change): Change<number> {
  return "forget" in change ? change : { ...change, base: Number(change.base) };
}

function fromWire(outcome: Outcome<number>): Outcome {
  if (!("revision" in outcome)) return outcome;
  return { ...outcome, revision: outcome.revision === 0 ? NO_REVISION : String(outcome.revision) };
}

function notGood(place: HttpSpace, answer: Extract<HttpAnswer, { outcome: "answered" }>): NoAnswer {
  if (answer.status !== 200) return refusalOf(place, answer);
  return { outcome: "offline", message: `${place.url} gave an answer that this memdir does not understand` };
}

function cursorOf({ seq, mark }: Place): Cursor {
  return seq === 0 ? START : `${seq}.${mark}`;
}

function placeOf(cursor: Cursor): Place {
  const dot = cursor.indexOf(".");
  return dot === -1 ? { seq: 0, mark: "" } : { seq: Number(cursor.slice(0, dot)), mark: cursor.slice(dot + 1) };
}

/** A space's name on a server: its kind and, among one person's spaces, its name. */
export interface SpaceName {
  readonly kind: "user" | "project" | "group" | "team";
  readonly name: string;
  /** Whether the space is created with encryption. */
  readonly isEncrypted: boolean;
}

/** The server's id of the space with this name; the space is created if it does not exist. */
export async function findOrMakeSpace(
  server: HttpServer,
  wanted: SpaceName,
): Promise<{ readonly outcome: "space"; readonly id: string; readonly isSealed: boolean } | NoAnswer> {
  const listed = await ask(server, { method: "GET", path: "/v1/spaces" });
  if (listed.outcome === "offline") return listed;
  if (listed.status !== 200) return refusalOf(server, listed);
  const spaces = isRecord(listed.body) && Array.isArray(listed.body["spaces"]) ? listed.body["spaces"] : [];
  const known = spaces.filter(isRecord).find(({ kind, name }) => kind === wanted.kind && name === wanted.name);
  const id = known === undefined ? undefined : idOf(known);
  if (id !== undefined) return { outcome: "space", id, isSealed: known?.["sealed"] === true };
  const { kind, name, isEncrypted: sealed } = wanted;
  const made = await ask(server, { method: "POST", path: "/v1/spaces", body: { kind, name, sealed } });
  if (made.outcome === "offline") return made;
  const fresh = made.status === 200 || made.status === 201 ? idOf(made.body) : undefined;
  return fresh === undefined ? refusalOf(server, made) : { outcome: "space", id: fresh, isSealed: sealed };
}

function idOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { id, space } = value;
  if (typeof id === "string") return id;
  return isRecord(space) ? idOf(space) : undefined;
}

/** How far each device of a space has synced, and what was forgotten there. */
export interface SpaceReceipts {
  readonly head: number;
  readonly devices: readonly {
    readonly device: string;
    readonly user: string;
    /** The last revision up to which it has applied everything. */
    readonly revision: number;
    readonly seenAt: string;
  }[];
  /** Newest first. */
  readonly forgets: readonly { readonly lineage: string; readonly revision: number; readonly forgottenAt: string }[];
}

export async function askReceipts(
  place: HttpSpace,
): Promise<({ readonly outcome: "receipts" } & SpaceReceipts) | NoAnswer> {
  const path = `/v1/spaces/${encodeURIComponent(place.space)}/receipts`;
  const answer = await ask(place, { method: "GET", path });
  if (answer.outcome === "offline") return answer;
  if (answer.status !== 200) return refusalOf(place, answer);
  const { head, devices, forgets } = isRecord(answer.body) ? answer.body : {};
  if (typeof head !== "number" || !Array.isArray(devices) || !Array.isArray(forgets))
    return { outcome: "offline", message: `${place.url} gave an answer that this memdir does not understand` };
  return {
    outcome: "receipts",
    head,
    devices: devices.filter(isRecord).map(({ device, user, revision, seenAt }) => ({
      device: String(device),
      user: String(user),
      revision: Number(revision),
      seenAt: String(seenAt),
    })),
    forgets: forgets.filter(isRecord).map(({ lineage, revision, forgottenAt }) => ({
      lineage: String(lineage),
      revision: Number(revision),
      forgottenAt: String(forgottenAt),
    })),
  };
}
