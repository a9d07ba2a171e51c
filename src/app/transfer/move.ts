import { checkNotePath, newNoteFile, isMarkdown } from "../../core/notes/names.ts";
import type { NoteType, Scope } from "../../core/notes/note.ts";
import { isUtf8, parseNote } from "../../core/notes/parse-note.ts";
import { setFields } from "../../core/notes/write-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { refuseText } from "../notes/gate.ts";
import type { PlannedFile } from "../workspace/transfer.ts";
import type { NoteRef, ScopedStore, Workspace } from "../workspace/workspace.ts";

/** One step up the chain: who sees a note more. */
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

/** Where `promote` or `demote` takes a note of this scope without being told. @throws MemoryError `invalid-input` at the end of the chain. */
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
 * What a move will write in the other scope, after everything that forbids it was looked at: secrets and personal facts
 * never go to a team. `name` renames the note on the way.
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
  if (target.scope === "team" || target.scope === "group") await refuseShared(workspace, target.scope, text, note.type);
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

/** What says who somebody is, and is nobody else's business. */
const PERSONAL =
  /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+\.[\p{L}]{2,}|(?<!\p{L})(?:I am|I['’]m|my (?:name|role|manager|salary|phone|address|birthday|home|health|family|wife|husband|partner))(?!\p{L})/iu;

/** @throws MemoryError `refused` for what must not be seen by others. */
async function refuseShared(workspace: Workspace, scope: Scope, text: string, type: string | undefined): Promise<void> {
  if (type === "user")
    throw new MemoryError(
      "refused",
      `notes about a person (type user) stay with that person; nothing goes to ${scope}. Is it not about you? \`memdir edit NOTE --type project\` first`,
    );
  const refusal = await refuseText(workspace, text);
  if (refusal !== undefined)
    throw new MemoryError("refused", `${refusal.message.replace("nothing was written", `nothing went to ${scope}`)}`);
  const personal = PERSONAL.exec(text)?.[0];
  if (personal !== undefined)
    throw new MemoryError(
      "refused",
      `"${personal}" looks like a personal fact; nothing went to ${scope}. Take it out with \`memdir edit NOTE\` first`,
    );
}
