import { sha256 } from "../../src/core/shared/hash.ts";
import {
  foldedKey,
  nameHash,
  removedId,
  type WirePage,
  type WirePush,
  type WirePushed,
} from "../../src/core/sync/protocol.ts";
import type { Change, Outcome, RemoteEntry } from "../../src/core/sync/protocol.ts";

interface Row {
  readonly seq: number;
  readonly state: "live" | "deleted" | "forgotten";
  readonly lineage: string;
  readonly body?: string;
  readonly names?: readonly string[];
  readonly was?: string;
}

interface SpaceData {
  head: number;
  readonly rows: Map<string, Row>;
  readonly marks: Map<number, string>;
  readonly forgotten: Set<string>;
  readonly answers: Map<string, Map<string, number>>;
}

/** Faults that a server could have. A test that passes with a fault proves nothing. */
export interface SpaceFaults {
  readonly ignoresBase?: boolean;
  readonly acceptsDead?: boolean;
  readonly ignoresTop?: boolean;
  readonly tellsNoNames?: boolean;
  readonly forgetsPushIds?: boolean;
}

export type SpacePull =
  | { readonly status: 200; readonly page: WirePage }
  | { readonly status: 409; readonly error: "history-changed" };

/** A space as the server keeps it, in memory, in the form of the protocol. */
export interface SyncSpace {
  pull(cursor: number, mark: string, top: { seq: number; mark: string } | undefined, limit: number): SpacePull;
  push(pushId: string, body: WirePush): WirePushed;
  /** One live entry. */
  read(key: string): RemoteEntry<number> | undefined;
  common(marks: readonly { seq: number; mark: string }[]): number;
  backup(): () => void;
  /** Texts of live notes by key. */
  texts(): ReadonlyMap<string, string>;
  /** Everything that is kept, as one text. */
  everything(): string;
}

export function openSpace(faults: SpaceFaults = {}): SyncSpace {
  let data: SpaceData = emptySpace();
  let random = 0;
  return {
    pull: (cursor, mark, top, limit) => pulled(data, faults, { cursor, mark, top, limit }),
    push: (pushId, body) => pushed(data, faults, pushId, { ...body, mark: `m${++random}` }),
    read(key) {
      const row = data.rows.get(key);
      return row?.state === "live" ? entry(key, row) : undefined;
    },
    common: (marks) =>
      Math.max(0, ...marks.filter(({ seq, mark }) => data.marks.get(seq) === mark).map(({ seq }) => seq)),
    backup() {
      const copy = structuredClone(data);
      return () => {
        data = structuredClone(copy);
      };
    },
    texts: () => new Map([...data.rows].flatMap(([key, row]) => (row.state === "live" ? [[key, row.body ?? ""]] : []))),
    everything: () => [...data.rows.values()].map(({ body }) => body ?? "").join(""),
  };
}

function emptySpace(): SpaceData {
  return { head: 0, rows: new Map(), marks: new Map([[0, ""]]), forgotten: new Set(), answers: new Map() };
}

interface PullRequest {
  readonly cursor: number;
  readonly mark: string;
  readonly top: { seq: number; mark: string } | undefined;
  readonly limit: number;
}

function pulled(data: SpaceData, faults: SpaceFaults, { cursor, mark, top, limit }: PullRequest): SpacePull {
  const isTopGone = top !== undefined && faults.ignoresTop !== true && data.marks.get(top.seq) !== top.mark;
  if (isTopGone || data.marks.get(cursor) !== mark) return { status: 409, error: "history-changed" };
  const news = [...data.rows].filter(([, { seq }]) => seq > cursor).toSorted(([, a], [, b]) => a.seq - b.seq);
  const page = news.slice(0, limit);
  const upTo = page.length < news.length ? (page.at(-1)?.[1].seq ?? 0) : data.head;
  return {
    status: 200,
    page: {
      head: data.head,
      headMark: data.marks.get(data.head) ?? "",
      next: upTo,
      mark: data.marks.get(upTo) ?? "",
      changes: page.map(([key, row]) => entry(key, row)),
    },
  };
}

function entry(key: string, { seq, state, lineage, body, names, was }: Row): RemoteEntry<number> {
  if (state === "forgotten") return { state, lineage, names: names ?? [] };
  if (state === "deleted") return { state, key, lineage, revision: seq, ...(was !== undefined && { was }) };
  return { state, key, lineage, revision: seq, body: body ?? "" };
}

function pushed(
  data: SpaceData,
  faults: SpaceFaults,
  pushId: string,
  { changes, mark }: WirePush & { mark: string },
): WirePushed {
  const before = (faults.forgetsPushIds === true ? undefined : data.answers.get(pushId)) ?? new Map<string, number>();
  const answers = new Map(before);
  const prev = { head: data.head, mark: data.marks.get(data.head) ?? "" };
  const freed = new Map<string, number>();
  const forgets = changes.flatMap((change) => ("forget" in change ? [change.forget] : []));
  for (const lineage of forgets) if (!data.forgotten.has(lineage)) forget(data, lineage, { mark, freed, faults });
  const judge = (change: Change<number>): "ok" | "again" | "stale" | "forgotten" | "taken" => {
    if ("forget" in change) return "ok";
    if (before.has(change.key)) return "again";
    if (data.forgotten.has(change.lineage) && faults.acceptsDead !== true) return "forgotten";
    const now = data.rows.get(change.key)?.seq ?? 0;
    const isAsSeen = now === change.base || (change.base > 0 && freed.get(change.key) === change.base);
    if (!isAsSeen && faults.ignoresBase !== true) return "stale";
    return change.state === "live" && isTaken(data, changes, change.key) ? "taken" : "ok";
  };
  const verdicts = changes.map(judge);
  const refused = new Set(
    changes.flatMap((change, n) =>
      !("forget" in change) && change.group !== undefined && verdicts[n] !== "ok" && verdicts[n] !== "again"
        ? [change.group]
        : [],
    ),
  );
  const outcomes = changes.map((change, n): Outcome<number> => {
    if ("forget" in change) return { outcome: "done", forget: change.forget };
    const { key, lineage, state, body, group } = change;
    const verdict = verdicts[n] ?? "stale";
    if (verdict === "again") return { outcome: "done", key, revision: before.get(key) ?? 0 };
    if (verdict === "stale") return { outcome: "stale", key, revision: data.rows.get(key)?.seq ?? 0 };
    if (verdict !== "ok") return { outcome: verdict, key };
    if (group !== undefined && refused.has(group)) return { outcome: "group", key };
    const seq = next(data, mark);
    const removed = state === "deleted" ? data.rows.get(key)?.body : undefined;
    const was = removed === undefined ? undefined : removedId(sha256(removed));
    data.rows.set(key, { seq, state, lineage, ...(body !== undefined && { body }), ...(was !== undefined && { was }) });
    answers.set(key, seq);
    return { outcome: "done", key, revision: seq };
  });
  data.answers.set(pushId, answers);
  return { head: data.head, mark: data.marks.get(data.head) ?? "", prev, outcomes };
}

function isTaken(data: SpaceData, changes: readonly Change<number>[], key: string): boolean {
  const fold = foldedKey(key);
  const goes = new Set(changes.flatMap((one) => ("forget" in one || one.state === "live" ? [] : [one.key])));
  return [...data.rows].some(
    ([other, { state }]) => other !== key && state === "live" && !goes.has(other) && foldedKey(other) === fold,
  );
}

function forget(
  data: SpaceData,
  lineage: string,
  { mark, freed, faults }: { mark: string; freed: Map<string, number>; faults: SpaceFaults },
): void {
  const names: string[] = [];
  for (const [key, row] of data.rows) {
    if (row.lineage !== lineage) continue;
    names.push(nameHash(key));
    freed.set(key, row.seq);
    data.rows.delete(key);
  }
  data.forgotten.add(lineage);
  const row: Row = {
    seq: next(data, mark),
    state: "forgotten",
    lineage,
    names: faults.tellsNoNames === true ? [] : names,
  };
  data.rows.set(`~${lineage}`, row);
}

function next(data: SpaceData, mark: string): number {
  data.head += 1;
  data.marks.set(data.head, mark);
  return data.head;
}
