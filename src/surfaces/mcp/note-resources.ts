import { openCheckpoints, type SavedCheckpoint } from "../../app/checkpoints/checkpoints.ts";
import { type ListedNote, listNotes, showNote } from "../../app/notes/list.ts";
import { findNote, type ScopedStore } from "../../app/workspace/workspace.ts";
import { SCOPES } from "../../app/notes/gate.ts";
import { sanitize, label } from "../../core/shared/sanitize.ts";
import { truncate } from "../../core/shared/text.ts";
import type { JsonObject } from "./json-rpc.ts";
import type { Resources } from "./offer.ts";
import type { ProjectMemory } from "./project-memory.ts";

/** The prompt that restores a checkpoint. */
export const RESTORE_PROMPT = "restore-checkpoint";

const PAGE = 100;
/** A resource is read as a whole, so a huge note is truncated (characters). */
const MOST_CHARACTERS = 100_000;
const TEMPLATE = "memdir://{scope}/{+file}";

export function noteResources(memory: ProjectMemory): Resources {
  return {
    list(cursor) {
      if (memory.locations.mode === "off") return { items: [], next: undefined };
      const offset = Number(cursor ?? 0);
      const workspace = memory.workspace();
      const notes = listNotes(workspace);
      const from = Number.isInteger(offset) && offset >= 0 ? offset : 0;
      const all = [
        ...notes.map((note) => (): JsonObject => noteResource(note)),
        ...openCheckpoints(workspace)
          .list()
          .map((one) => (): JsonObject => checkpointResource(one)),
      ];
      const items = all.slice(from, from + PAGE).map((item) => item());
      return { items, next: from + PAGE < all.length ? String(from + PAGE) : undefined };
    },
    templates: [
      {
        uriTemplate: TEMPLATE,
        name: "note",
        title: "A note",
        description: "One note of a scope (project, user, team, local), by its file",
        mimeType: "text/markdown",
      },
    ],
    read: (uri) => (uri.startsWith(CHECKPOINTS) ? readSavedTask(memory, uri) : readNote(memory, uri)),
  };
}

function noteResource({ scoped, entry }: ListedNote): JsonObject {
  return {
    uri: uriOf(scoped, entry.file),
    name: label(entry.file),
    title: label(entry.name),
    description: label(entry.description),
    mimeType: "text/markdown",
  };
}

const CHECKPOINTS = "memdir://checkpoints/";

function checkpointResource({ id, name, saved, sections }: SavedCheckpoint): JsonObject {
  const next = label(sections.next ?? sections.goal ?? "");
  return {
    uri: `${CHECKPOINTS}${id}`,
    name: `checkpoint ${id}`,
    title: `${label(name)} (${saved.slice(0, 16).replace("T", " ")} UTC)`,
    description: next,
    mimeType: "text/markdown",
  };
}

/** The same text as restoring gives; but reading does not restore, so the task stays unfinished. */
function readSavedTask(memory: ProjectMemory, uri: string): readonly JsonObject[] | undefined {
  const id = uri.slice(CHECKPOINTS.length);
  if (memory.locations.mode === "off" || !/^[0-9a-f]{10}$/u.test(id)) return undefined;
  const checkpoints = openCheckpoints(memory.workspace());
  if (!checkpoints.list().some((one) => one.id === id)) return undefined;
  return [{ uri, mimeType: "text/markdown", text: checkpoints.preview(id).text }];
}

function uriOf({ scope }: ScopedStore, file: string): string {
  return `memdir://${scope}/${file.split("/").map(encodeURIComponent).join("/")}`;
}

function readNote(memory: ProjectMemory, uri: string): readonly JsonObject[] | undefined {
  const place = placeOf(uri);
  if (place === undefined || memory.locations.mode === "off") return undefined;
  const workspace = memory.workspace();
  for (const { store } of workspace.stores) store.reconcile("full");
  const found = findNote(workspace, `${place.scope}:${place.file}`);
  // Only the exact file: an address is not a search.
  if (!found.found || found.ref.file !== place.file) return undefined;
  const shown = showNote(workspace, found.ref);
  if (shown !== undefined && sanitize(shown.text).length <= MOST_CHARACTERS) memory.seen.saw(found.ref, shown.version);
  return shown === undefined
    ? undefined
    : [
        {
          uri,
          mimeType: "text/markdown",
          text: truncate(
            sanitize(shown.text),
            MOST_CHARACTERS,
            `\n[cut: the note has ${shown.text.length} characters; the read tool goes on]\n`,
          ),
        },
      ];
}

function placeOf(uri: string): { readonly scope: string; readonly file: string } | undefined {
  const [, scope, path] = /^memdir:\/\/(user|project|team|agent|local)\/(.+)$/u.exec(uri) ?? [];
  if (scope === undefined || path === undefined) return undefined;
  try {
    return { scope, file: decodeURIComponent(path) };
  } catch {
    // A stray percent sign: not one of our addresses.
    return undefined;
  }
}

/** Completes scope and file of the template, and the checkpoint to restore. */
export function completeNote(
  memory: ProjectMemory,
  reference: JsonObject,
  { name, value }: { readonly name: string; readonly value: string },
): readonly string[] {
  if (reference["name"] === RESTORE_PROMPT && name === "checkpoint" && memory.locations.mode !== "off")
    return openCheckpoints(memory.workspace())
      .list()
      .map(({ id }) => id)
      .filter((id) => id.startsWith(value));
  if (reference["uri"] !== TEMPLATE) return [];
  if (name === "scope") return SCOPES.filter((scope) => scope.startsWith(value));
  if (name !== "file" || memory.locations.mode === "off") return [];
  return listNotes(memory.workspace())
    .map(({ entry }) => entry.file)
    .filter((file) => file.startsWith(value));
}
