import { diff3Merge } from "node-diff3";
import { sha256 } from "../../src/core/shared/hash.ts";
import type { LocalStep, Replica, UnsentText } from "../../src/core/sync/replica.ts";
import type { Cursor, Transport } from "../../src/core/sync/transport.ts";
import type { SyncSpace } from "./sync-space.ts";

/** Notes in memory with what a store knows about them: lineage and every earlier text. */
export interface NotesInMemory extends Replica {
  readonly files: Map<string, { readonly text: string; readonly lineage: string }>;
  readonly past: Map<string, Set<string>>;
  readonly review: UnsentText[];
  put(key: string, text: string, lineage: string): void;
}

export function notesInMemory(): NotesInMemory {
  const files: NotesInMemory["files"] = new Map();
  const past: NotesInMemory["past"] = new Map();
  const review: UnsentText[] = [];
  const named = new Map<string, Set<string>>();
  const lines = new Map<string, Map<string, "came" | "own">>();
  const save = (key: string, text: string, lineage: string, from: "came" | "own"): void => {
    files.set(key, { text, lineage });
    past.set(lineage, (past.get(lineage) ?? new Set()).add(text));
    named.set(lineage, (named.get(lineage) ?? new Set()).add(`${key}\0${text}`));
    const known = lines.get(lineage) ?? new Map<string, "came" | "own">();
    lines.set(lineage, known);
    for (const line of text.split("\n")) if (!known.has(line)) known.set(line, from);
  };
  const put: NotesInMemory["put"] = (key, text, lineage) => save(key, text, lineage, "own");
  return {
    files,
    past,
    review,
    put,
    look: () => ({
      hashes: new Map([...files].map(([key, { text }]) => [key, sha256(text)])),
      blocked: new Map(),
      text: (key) => files.get(key)?.text,
      lineage: (key) => files.get(key)?.lineage,
      keysOf: (lineage) => [...files].flatMap(([key, one]) => (one.lineage === lineage ? [key] : [])),
      knew: (key, lineage, text) => named.get(lineage)?.has(`${key}\0${text}`) ?? false,
      came: (lineage) => [...(lines.get(lineage) ?? [])].flatMap(([line, from]) => (from === "came" ? [line] : [])),
    }),
    apply(steps) {
      if (steps.some((step) => !isAsSeen(step, files.get(step.key)?.text))) return "changed";
      for (const step of steps) {
        if (step.kind === "delete") files.delete(step.key);
        else save(step.key, step.text, step.lineage, "came");
      }
      return "applied";
    },
    forget(lineages, unsent) {
      review.push(...unsent);
      for (const [key, { lineage }] of files) if (lineages.has(lineage)) files.delete(key);
      for (const lineage of lineages) for (const known of [past, named, lines]) known.delete(lineage);
    },
  };
}

function isAsSeen(step: LocalStep, now: string | undefined): boolean {
  return now === (step.kind === "create" ? undefined : step.seen);
}

/** Three-way merge of whole lines. */
export function mergeTextLines(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  const merged: string[] = [];
  for (const { ok } of diff3Merge(linesOf(ours), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true })) {
    if (ok === undefined) return undefined;
    merged.push(...ok);
  }
  return merged.join("");
}

export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/** A space as a transport, like the HTTP transport of a server. */
export function spaceTransport(space: SyncSpace): Transport {
  return {
    async pull({ cursor, tops, limit, since }) {
      const at = placeOf(cursor);
      const top = tops.map(placeOf).toSorted((a, b) => b.seq - a.seq)[0];
      const answer = space.pull(at.seq, at.mark, top, limit);
      if (answer.status === 409) return { outcome: "history-changed" };
      const { head, headMark, next, mark, changes } = answer.page;
      const old = since === undefined ? undefined : placeOf(since).seq;
      return {
        outcome: "page",
        next: cursorOf(next, mark),
        head: cursorOf(head, headMark),
        changes: changes.map((change) => {
          if (change.state === "forgotten") return { entry: change };
          return { entry: { ...change, revision: String(change.revision) } };
        }),
        ...(old !== undefined && { stoodAtSince: (_: string, revision: string) => Number(revision) <= old }),
      };
    },
    async push(pushId, changes) {
      const wire = changes.map((change) => ("forget" in change ? change : { ...change, base: Number(change.base) }));
      const { head, mark, prev, outcomes } = space.push(pushId, { changes: wire });
      return {
        outcome: "pushed",
        head: cursorOf(head, mark),
        prev: cursorOf(prev.head, prev.mark),
        outcomes: outcomes.map((one) =>
          "revision" in one ? { ...one, revision: one.revision === 0 ? "" : String(one.revision) } : one,
        ),
      };
    },
    async read(key) {
      const entry = space.read(key);
      if (entry === undefined || !("revision" in entry)) return { outcome: "entry", entry: undefined };
      return { outcome: "entry", entry: { ...entry, revision: String(entry.revision) } };
    },
    async common(marks) {
      const seq = space.common(marks.map(placeOf));
      return { outcome: "common", cursor: marks.find((mark) => placeOf(mark).seq === seq && seq > 0) ?? "" };
    },
  };
}

function cursorOf(seq: number, mark: string): Cursor {
  return seq === 0 ? "" : `${seq}.${mark}`;
}

function placeOf(cursor: Cursor): { seq: number; mark: string } {
  const dot = cursor.indexOf(".");
  return dot === -1 ? { seq: 0, mark: "" } : { seq: Number(cursor.slice(0, dot)), mark: cursor.slice(dot + 1) };
}
