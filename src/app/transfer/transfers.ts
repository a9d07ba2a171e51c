import { randomBytes } from "node:crypto";
import { type Transfer, type TransferEnd, transferNotes, type PlannedFile } from "../workspace/transfer.ts";
import type { NoteRef, ScopedStore, Workspace } from "../workspace/workspace.ts";
import { type Version, lineageBefore, pageBefore, transferOf } from "../../core/notes/history.ts";
import type { Scope, NoteType } from "../../core/notes/note.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { Locations } from "../workspace/locations.ts";
import { withStores, recordsIn, sweepTransfers } from "../workspace/transfer-records.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { checkNotePath, isMarkdown, newNoteFile } from "../../core/notes/names.ts";
import { isUtf8, parseNote } from "../../core/notes/parse-note.ts";
import { setFields } from "../../core/notes/frontmatter.ts";
import { isShared, refusePersonal, refuseText } from "../notes/gate.ts";

/** One step up to a scope with more readers. */
const PROMOTES_TO: Readonly<Partial<Record<Scope, Scope>>> = {
  local: "project",
  "agent-local": "agent",
  agent: "project",
  "agent-user": "user",
  project: "team",
  group: "user",
};
const DEMOTES_TO: Readonly<Partial<Record<Scope, Scope>>> = {
  user: "project",
  group: "project",
  team: "project",
  project: "local",
  agent: "agent-local",
  "agent-user": "agent",
};

/** The default target scope of `promote` or `demote`. @throws MemoryError `invalid-input` at the end of the chain. */
export function nextScope(scope: Scope, direction: "promote" | "demote"): Scope {
  const next = (direction === "promote" ? PROMOTES_TO : DEMOTES_TO)[scope];
  if (next === undefined)
    throw new MemoryError(
      "invalid-input",
      `there is nothing to ${direction} ${scope} notes to; name a scope: \`memdir ${direction} NOTE --to SCOPE\``,
    );
  return next;
}

/**
 * What a move will write in the other scope, after all checks: secrets and personal facts never go to a team. `name`
 * renames the note.
 * @throws MemoryError `refused`, `conflict`, `invalid-input`, `not-found`.
 */
export async function planMove(
  workspace: Workspace,
  ref: NoteRef,
  target: ScopedStore,
  name?: string,
): Promise<PlannedFile> {
  const base = ref.scoped.store.read(ref.file);
  if (base === undefined)
    throw new MemoryError(
      "not-found",
      `${ref.file} is gone; \`memdir restore ${ref.file}\` brings a removed note back`,
    );
  if (target.scope === ref.scoped.scope)
    throw new MemoryError(
      "invalid-input",
      `${ref.file} is a ${target.scope} note already; \`memdir edit ${ref.file} --name NAME\` renames it`,
    );
  const note = parseNote(ref.file, base, workspace.codec);
  if (note.supersededBy !== undefined)
    throw new MemoryError(
      "refused",
      `${ref.file} was superseded by ${note.supersededBy}; \`memdir restore ${ref.file}\` first`,
    );
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  if (isShared(target.scope)) await refuseShared(workspace, target.scope, [text, name], note.type);
  const to = name === undefined ? ref.file : fileNamed(name, note.type);
  const content = name === undefined || isMarkdown(name) ? base : renamed(workspace, ref, base, name);
  target.store.reconcile("full");
  const there = target.store.read(to);
  if (there !== undefined && sha256(there) === sha256(content)) return { from: ref.file, to, content: undefined, base };
  if (there !== undefined || target.store.index.hasFile(to))
    throw new MemoryError(
      "conflict",
      `there is a ${target.scope} note ${to} with another text; give this one another name: \`memdir mv ${ref.file} ${target.scope}:NAME\``,
    );
  return { from: ref.file, to, content, base };
}

function renamed({ codec }: Workspace, { file }: NoteRef, base: Uint8Array, name: string): string {
  if (!isUtf8(base))
    throw new MemoryError(
      "invalid-input",
      `${file} is not UTF-8, so its name cannot be changed; \`memdir edit ${file} --convert\` first`,
    );
  return setFields(new TextDecoder("utf-8", { ignoreBOM: true }).decode(base), [[["name"], name]], codec);
}

function fileNamed(name: string, type: NoteType | undefined): string {
  if (!isMarkdown(name)) return newNoteFile(type ?? "project", name, () => false);
  const checked = checkNotePath(name);
  if (!checked.ok) throw new MemoryError("invalid-input", checked.reason);
  return checked.file;
}

/** @throws MemoryError `refused` for a secret, or for text that the readers of the scope must not see. */
async function refuseShared(
  workspace: Workspace,
  scope: Scope,
  texts: readonly unknown[],
  type: string | undefined,
): Promise<void> {
  const secret = await refuseText(workspace, texts);
  if (secret !== undefined)
    throw new MemoryError("refused", secret.message.replace("nothing was written", `nothing went to ${scope}`));
  const personal = refusePersonal(scope, type, texts);
  if (personal !== undefined)
    throw new MemoryError("refused", `${personal.message}; \`memdir edit NOTE\` changes the note`);
}

/** Moves one note to another scope, as `planMove` allows. */
export async function moveNote(
  workspace: OpenWorkspace,
  ref: NoteRef,
  scope: Scope,
  name?: string,
): Promise<{ readonly transfer: Transfer; readonly ref: NoteRef }> {
  const target = workspace.require(scope);
  const planned = await planMove(workspace, ref, target, name);
  const transfer = runTransfer(workspace, { source: ref.scoped, target, files: [planned], verb: "moved" });
  return { transfer, ref: { scoped: target, file: planned.to } };
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

/** Undoes a transfer: every note returns with its original bytes, or with its current text if it was changed since. */
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
    const [first] = transfer.files;
    const left = first && leftIn(history, transfer, first.from);
    const indexBefore = left && pageBefore(history, left.seq);
    const stay = files.filter(({ made }) => !made);
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

/** If the other store already had the same text, the returning note regains its former lineage. */
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

/** The bytes from before the move if the note is unchanged since; otherwise its current bytes. */
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
