import type { Scope } from "../../core/notes/note.ts";
import { type Lineage, lineageOf } from "../../core/notes/history.ts";
import type { ChangeOutcome, NoteStore, StoreChange, StoreContent } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";

/** A store at one end of a transfer, with what is needed to find it again after a crash. */
export interface TransferEnd {
  readonly scope: Scope;
  readonly directory: string;
  readonly state: string;
  readonly excluded: readonly string[];
  readonly inRepository?: boolean;
}

/** One note moved from one store to another. Hashes are SHA-256 of the files. */
export interface TransferFile {
  readonly from: string;
  readonly to: string;
  readonly before: string;
  readonly after: string;
  /** `false`: the other store already had the same text, so only the first store's note is removed. */
  readonly made: boolean;
}

/** The record that is on disk before the first store changes, and stays for undo. */
export interface Transfer {
  readonly id: string;
  /** ISO time. */
  readonly time: string;
  /** The working process; a running one is not disturbed. */
  readonly pid: number;
  readonly from: TransferEnd;
  readonly to: TransferEnd;
  readonly files: readonly TransferFile[];
}

/** Stores transfers on disk durably. */
export interface TransferRecords {
  begin(transfer: Transfer): void;
  /** Ends a transfer; the record is kept for undo. */
  finish(id: string): void;
  /** Drops a transfer that moved nothing. */
  drop(id: string): void;
}

export interface PlannedFile {
  readonly from: string;
  readonly to: string;
  /** The note's text in the other store; `undefined` if that store already has the same text. */
  readonly content: StoreContent | undefined;
  readonly base: Uint8Array;
}

export interface TransferOrder {
  readonly id: string;
  readonly time: string;
  readonly pid: number;
  readonly from: TransferEnd;
  readonly to: TransferEnd;
  readonly files: readonly PlannedFile[];
  /** Precedes the other store's name in the reasons: `moved`, `moved back`. */
  readonly verb: string;
  /** MEMORY.md of the other store from when it had these notes: hand-written text about them is restored. */
  readonly indexBefore?: Uint8Array | undefined;
}

export interface Stores {
  readonly source: NoteStore;
  readonly target: NoteStore;
}

/**
 * Moves notes as one step across two stores: first the intention is written to disk, then the new notes, then the old
 * ones are removed. A kill in between leaves both and the intention, which `settleTransfer` completes; never neither.
 * @throws MemoryError `conflict` when a note is in the way or changed; then every note is where it was, or in both.
 */
export function transferNotes({ source, target }: Stores, order: TransferOrder, records: TransferRecords): Transfer {
  const { files, verb, indexBefore, ...rest } = order;
  const transfer: Transfer = {
    ...rest,
    files: files.map(({ from, to, content, base }) => ({
      from,
      to,
      before: sha256(base),
      after: sha256(content ?? base),
      made: content !== undefined,
    })),
  };
  const lineageFor = movedLineages({ source, target }, files);
  records.begin(transfer);
  const creates = files.flatMap(({ from, to, content }): StoreChange[] =>
    content === undefined ? [] : [{ kind: "create", file: to, content, ...lineageFor(from) }],
  );
  const written = target.commit(creates, {
    actor: "move",
    reason: `${verb} here from ${reasonOf(
      order.from,
      order.to,
      files.map(({ from }) => from),
    )} (transfer ${order.id})`,
    indexBefore,
  });
  if (!written.ok) {
    records.drop(order.id);
    throw inTheWay(order, written.outcomes);
  }
  const removed = source.commit(
    files.map(({ from, base }) => ({ kind: "delete", file: from, base, ...lineageFor(from) })),
    {
      actor: "move",
      reason: `${verb} to ${reasonOf(
        order.to,
        order.from,
        files.map(({ to }) => to),
      )} (transfer ${order.id})`,
    },
  );
  records.finish(order.id);
  if (!removed.ok)
    throw new MemoryError(
      "conflict",
      `a note was changed while it moved, so both stay: ${removed.outcomes
        .filter(({ outcome }) => outcome === "changed" || outcome === "gone")
        .map(({ file }) => file)
        .join(", ")} in ${order.from.directory}, the earlier text in ${order.to.directory}`,
    );
  return transfer;
}

function inTheWay({ to }: TransferOrder, outcomes: readonly ChangeOutcome[]): MemoryError {
  const files = outcomes.filter(({ outcome }) => outcome === "exists").map(({ file }) => file);
  return new MemoryError(
    "conflict",
    `${files.join(", ")} is in the way in ${to.directory}; nothing was moved. Give another name: \`memdir mv NOTE SCOPE:NAME\``,
  );
}

/** A note keeps its lineage in the other store. If that store already has the same text, the two become one note. */
function movedLineages(
  { source, target }: Stores,
  files: readonly Pick<PlannedFile, "from" | "to" | "content">[],
): (from: string) => { readonly lineage?: Lineage } {
  const [here, there] = [source.lives(), target.lives()];
  const lineages = new Map(
    files.map(({ from, to, content }) => [
      from,
      (content === undefined ? there.present.get(to)?.lineage : undefined) ?? lineageOf(here, from),
    ]),
  );
  return (from) => {
    const lineage = lineages.get(from);
    return lineage === undefined ? {} : { lineage };
  };
}

/** `team:x.md`; the directory if both ends have the same scope; or the number of notes. */
function reasonOf(end: TransferEnd, other: TransferEnd, files: readonly string[]): string {
  const [file = "", ...more] = files;
  const place = end.scope === other.scope ? `${end.directory}/` : `${end.scope}:`;
  return more.length === 0 ? `${place}${file}` : `${place.replace(/[:/]$/u, "")}, ${files.length} notes`;
}

export type Settled =
  /** The second half was completed now. */
  | { readonly kind: "finished"; readonly transfer: Transfer }
  /** Nothing had been moved yet. */
  | { readonly kind: "dropped"; readonly transfer: Transfer }
  /** A note changed in one of the two stores meanwhile: both stay. */
  | { readonly kind: "both-kept"; readonly transfer: Transfer; readonly files: readonly string[] };

/** Completes what a killed process left between the two stores. */
export function settleTransfer({ source, target }: Stores, transfer: Transfer, records: TransferRecords): Settled {
  // An empty commit takes the lock and completes an interrupted commit; only then does the disk show how far it got.
  for (const store of [source, target])
    store.commit([], { actor: "move", reason: "looked after a move that was cut off" });
  const made = transfer.files.filter((file) => file.made);
  if (made.length > 0 && made.every(({ to }) => target.read(to) === undefined)) {
    records.drop(transfer.id);
    return { kind: "dropped", transfer };
  }
  const left = transfer.files.filter(({ from }) => source.read(from) !== undefined);
  // Read once, so that the text compared is the text deleted: a second read could miss a write in between.
  const sure = left.flatMap(({ from, to, before, after }) => {
    const [base, moved] = [source.read(from), target.read(to)];
    const isSure = base !== undefined && sha256(base) === before && moved !== undefined && sha256(moved) === after;
    return isSure ? [{ from, to, base, content: undefined }] : [];
  });
  const lineageFor = movedLineages({ source, target }, sure);
  const deletes = sure.map(({ from, base }): StoreChange => ({
    kind: "delete",
    file: from,
    base,
    ...lineageFor(from),
  }));
  const result = source.commit(deletes, {
    actor: "move",
    reason: `moved to ${reasonOf(
      transfer.to,
      transfer.from,
      sure.map(({ to }) => to),
    )} (transfer ${transfer.id})`,
  });
  records.finish(transfer.id);
  const kept = result.ok ? left.filter(({ from }) => !sure.some((one) => one.from === from)) : left;
  return kept.length === 0
    ? { kind: "finished", transfer }
    : { kind: "both-kept", transfer, files: kept.map(({ from }) => from) };
}
