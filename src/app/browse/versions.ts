import { parseNote } from "../../core/notes/parse-note.ts";
import { shownText } from "../../core/notes/shown-note.ts";
import type { Version } from "../../core/notes/history.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import { nameAt, pastNames } from "../notes/past-names.ts";
import { versionsOf } from "../notes/versions.ts";
import type { NoteRef, ScopedStore } from "../workspace/workspace.ts";
import { idOf, type Reading, storeOf } from "./reading.ts";
import type { RemovedNote, VersionItem, VersionView } from "./shapes.ts";

/** Files of a version whose texts are given. */
const MOST_FILES = 50;
/** Files that a version names where it is one of a list. */
const MOST_NAMED = 20;

/** Who writes on behalf of a session, and leaves that session in the note. */
const CAPTURES: ReadonlySet<string> = new Set(["rules", "model"]);

function versionItem({ scope }: Pick<ScopedStore, "scope">, version: Version, session?: string): VersionItem {
  const { seq, time, actor, reason } = version;
  const files = version.files.filter(({ file }) => file !== INDEX_FILE);
  return {
    scope,
    seq,
    time,
    actor,
    reason,
    ...(session !== undefined && session !== "" && { session }),
    files: files.slice(0, MOST_NAMED),
    ...(files.length > MOST_NAMED && { more: files.length - MOST_NAMED }),
  };
}

/**
 * Versions, newest first, with the session of those that capture wrote. History does not record it; the note does,
 * so only the last capture of a note that is still there is known.
 */
export function versionItems(
  { workspace }: Pick<Reading, "workspace">,
  scoped: ScopedStore,
  versions: readonly Version[],
): readonly VersionItem[] {
  const asked = new Set<string>();
  return versions.map((version) => {
    if (!CAPTURES.has(version.actor)) return versionItem(scoped, version);
    let session: string | undefined;
    for (const { file } of version.files.slice(0, MOST_NAMED)) {
      if (file === INDEX_FILE || asked.has(file)) continue;
      asked.add(file);
      const bytes = scoped.store.read(file);
      session ??= bytes === undefined ? undefined : parseNote(file, bytes, workspace.codec).evidence?.session;
    }
    return versionItem(scoped, version, session);
  });
}

/** What a version changed: one note's texts before and after, or those of all its files; `undefined` where there is none. */
export function versionView(reading: Reading, scope: string, seq: number, file?: string): VersionView | undefined {
  const scoped = storeOf(reading.workspace.stores, scope);
  const version = scoped === undefined ? undefined : versionsOf(scoped).find((one) => one.seq === seq);
  if (scoped === undefined || version === undefined) return undefined;
  const history = scoped.store.history();
  const only = file === undefined ? undefined : nameAt(pastNames(history, file), seq);
  const changes = version.files.filter((change) =>
    only === undefined ? change.file !== INDEX_FILE : change.file === only,
  );
  const files = changes.slice(0, MOST_FILES).map((change) => {
    const before = seq <= 1 ? undefined : history.contentAt(seq - 1, change.file);
    const after = history.contentAt(seq, change.file);
    return {
      ...change,
      ...(before !== undefined && { before: shownText(before) }),
      ...(after !== undefined && { after: shownText(after) }),
      session:
        after === undefined ? undefined : parseNote(change.file, after, reading.workspace.codec).evidence?.session,
    };
  });
  const session = CAPTURES.has(version.actor) ? files.find((one) => one.session !== undefined)?.session : undefined;
  return {
    version: versionItem(scoped, version, session),
    files: files.map(({ session: _, ...rest }) => rest),
    more: changes.length - files.length,
  };
}

/** A note that is gone, with its last text; `undefined` when it is there or never was. */
export function removedView(_: Pick<Reading, "workspace">, { scoped, file }: NoteRef): RemovedNote | undefined {
  if (file === INDEX_FILE || scoped.store.index.entry(file) !== undefined) return undefined;
  const history = scoped.store.history();
  const gone = history
    .versions(file)
    .find(({ files }) => files.some((change) => change.file === file && change.kind === "deleted"));
  if (gone === undefined) return undefined;
  const text = history.contentAt(gone.seq - 1, file);
  return {
    id: idOf(scoped, file),
    version: versionItem(scoped, gone),
    ...(text !== undefined && { text: shownText(text) }),
  };
}
