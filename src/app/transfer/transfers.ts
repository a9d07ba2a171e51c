import { randomBytes } from "node:crypto";
import { planMove } from "./move.ts";
import { type Transfer, type TransferEnd, transferNotes, transferOf } from "../workspace/transfer.ts";
import { lineageBefore, pageBefore } from "../notes/versions.ts";
import type { NoteRef, ScopedStore } from "../workspace/workspace.ts";
import type { Version } from "../../core/notes/history.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { Locations } from "../workspace/locations.ts";
import { withStores } from "../workspace/settle-transfers.ts";
import { recordsIn, sweepTransfers } from "../workspace/transfer-records.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** Moves one note to another scope, as `planMove` allows. */
export async function moveNote(
  workspace: OpenWorkspace,
  ref: NoteRef,
  scope: Scope,
  name?: string,
): Promise<{ readonly transfer: Transfer; readonly ref: NoteRef }> {
  const target = targetOf(workspace, scope);
  const planned = await planMove(workspace, ref, target, name);
  const transfer = runTransfer(workspace, { source: ref.scoped, target, files: [planned], verb: "moved" });
  return { transfer, ref: { scoped: target, file: planned.to } };
}

function targetOf(workspace: OpenWorkspace, scope: Scope): ScopedStore {
  const target = workspace.open(scope);
  if (target !== undefined) return target;
  const { untrustedTeam, agentType } = workspace.locations;
  if (scope === "team" && untrustedTeam !== undefined)
    throw new MemoryError(
      "refused",
      `the team's notes in ${untrustedTeam} are not trusted on this machine; look at them with \`memdir team\`, then \`memdir team trust\``,
    );
  if (scope === "group")
    throw new MemoryError("invalid-input", "this project is in no group; `memdir group add NAME` puts it into one");
  if (scope.startsWith("agent") && agentType === undefined)
    throw new MemoryError("invalid-input", `${scope} notes belong to a type of sub-agent: add --agent-type TYPE`);
  throw new MemoryError("invalid-input", `there is no ${scope} scope here; scopes: ${workspace.scopes.join(", ")}`);
}

export interface TransferRun {
  readonly source: ScopedStore;
  readonly target: ScopedStore;
  readonly files: Parameters<typeof transferNotes>[1]["files"];
  readonly verb: string;
}

export function runTransfer(
  { locations, clock }: Pick<OpenWorkspace, "locations" | "clock">,
  { source, target, files, verb }: TransferRun,
): Transfer {
  sweepTransfers(locations.memdirHome, clock.now());
  const order = {
    id: randomBytes(4).toString("hex"),
    time: new Date(clock.now()).toISOString(),
    pid: process.pid,
    from: endOf(locations, source),
    to: endOf(locations, target),
    files,
    verb,
  };
  return transferNotes({ source: source.store, target: target.store }, order, recordsIn(locations.memdirHome));
}

function endOf({ stores }: Locations, { scope, store: { directory, state } }: ScopedStore): TransferEnd {
  const place = stores.find((one) => one.directory === directory);
  return {
    scope,
    directory,
    state,
    excluded: place?.excluded ?? ["team"],
    ...(place?.inRepository === true && { inRepository: true }),
  };
}

/** Takes a transfer back: every note returns with the bytes it had, or with the words it was given since. */
export function undoTransfer(workspace: Pick<OpenWorkspace, "locations" | "clock">, transfer: Transfer): Transfer {
  return withStores(workspace.locations, workspace.clock, transfer, ({ source, target }) => {
    const history = source.history();
    const files = transfer.files.map((file) => {
      const { from, to, made } = file;
      const current = target.read(to);
      if (current === undefined)
        throw new MemoryError("conflict", `${to} is no longer in ${transfer.to.directory}; nothing was moved back`);
      return {
        from: to,
        to: from,
        base: current,
        content: originalOf(history, source, transfer, file, current),
        lineage: lineageWhenLeft(history, transfer, from),
        made,
      };
    });
    const left = leftIn(history, transfer, transfer.files[0]?.from ?? "");
    const indexBefore = left === undefined ? undefined : pageBefore(history, left.seq);
    const stay = files.filter(({ made }) => !made);
    if (stay.length > 0)
      source.commit(
        stay.map(({ to, content, lineage }) => ({ kind: "create", file: to, content, ...lineage })),
        { actor: "undo", reason: `brought back (transfer ${transfer.id} undone)`, indexBefore },
      );
    const back = files.filter(({ made }) => made).map(({ made: _made, lineage: _lineage, ...file }) => file);
    if (back.length === 0) return transfer;
    const order = {
      id: randomBytes(4).toString("hex"),
      time: new Date(workspace.clock.now()).toISOString(),
      pid: process.pid,
      from: transfer.to,
      to: transfer.from,
      files: back,
      verb: `moved back (${transfer.id})`,
      indexBefore,
    };
    return transferNotes({ source: target, target: source }, order, recordsIn(workspace.locations.memdirHome));
  });
}

/** Where the other store had the very text already, the note that comes back is again the one that it was. */
function lineageWhenLeft(
  history: ReturnType<NoteStore["history"]>,
  transfer: Transfer,
  from: string,
): ReturnType<typeof lineageBefore> {
  const left = leftIn(history, transfer, from);
  return left === undefined ? {} : lineageBefore(history, left.seq, from);
}

function leftIn(history: ReturnType<NoteStore["history"]>, { id }: Transfer, from: string): Version | undefined {
  return history.versions(from).find(({ reason }) => transferOf(reason) === id);
}

/** The bytes it had before it moved, when nobody changed it since; else its present ones. */
function originalOf(
  history: ReturnType<NoteStore["history"]>,
  source: NoteStore,
  transfer: Transfer,
  { from, after }: Transfer["files"][number],
  current: Uint8Array,
): Uint8Array {
  if (source.read(from) !== undefined)
    throw new MemoryError("conflict", `there is a ${from} in ${transfer.from.directory} again; nothing was moved back`);
  const left = leftIn(history, transfer, from);
  const before = left === undefined ? undefined : history.contentAt(left.seq - 1, from);
  return before !== undefined && after === sha256(current) ? before : current;
}
