import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { filesIn, parseNote } from "../../core/notes/parse-note.ts";
import { setFields } from "../../core/notes/write-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { record } from "../../core/shared/json.ts";
import type { RivalNote, Rivals } from "./rivals.ts";
import { commitOrThrow, supersede } from "./supersede.ts";
import { findNote, type NoteRef, type ScopedStore, shownRef, type Workspace } from "../workspace/workspace.ts";

/** What the caller says of the notes that a new one meets. */
interface Wish {
  readonly replaces?: readonly string[];
  readonly beside?: boolean;
}

/** What the caller decided; `undefined` leaves it to the rules. @throws MemoryError `not-found`, `invalid-input`. */
export function wantedRivals(
  workspace: Workspace,
  scoped: ScopedStore,
  { replaces = [], beside }: Wish,
): Rivals | undefined {
  if (replaces.length === 0) return undefined;
  if (beside === true)
    throw new MemoryError(
      "invalid-input",
      "a note holds in place of others (`replaces`) or beside them (`beside`), not both",
    );
  const superseded = replaces.map((reference): RivalNote => {
    const found = findNote(workspace, reference);
    if (!found.found)
      throw new MemoryError(
        "not-found",
        `there is no note "${reference}" to replace${found.near.length > 0 ? `; near: ${found.near.join(", ")}` : ""}`,
      );
    const { ref } = found;
    const entry = ref.scoped.store.index.entry(ref.file);
    if (ref.scoped.scope !== scoped.scope)
      throw new MemoryError(
        "invalid-input",
        `${shownRef(workspace, ref)} is of another scope than the new note; move it first: \`memdir mv ${ref.file} ${scoped.scope}\``,
      );
    if (entry?.supersededBy !== undefined || entry?.pinned === true)
      throw new MemoryError(
        "refused",
        entry.pinned
          ? `${ref.file} is pinned, so it is never retired; unpin it first`
          : `${ref.file} is superseded by ${entry.supersededBy ?? ""} already`,
      );
    return { file: ref.file, says: entry?.description ?? "" };
  });
  return { superseded, contradicts: [] };
}

/** A note that was there already does what was asked of a new one. */
export function settled(workspace: Workspace, ref: NoteRef, { beside }: Wish, wanted: Rivals | undefined): NoteRef {
  for (const { file } of wanted?.superseded ?? [])
    if (file !== ref.file) supersede(workspace, { scoped: ref.scoped, file }, ref);
  const doubted = beside === true ? doubtsOf(workspace, ref) : [];
  if (doubted.length > 0) letBothHold(workspace, ref, doubted);
  return ref;
}

function doubtsOf({ codec }: Workspace, { scoped, file }: NoteRef): readonly string[] {
  const bytes = scoped.store.read(file);
  return bytes === undefined ? [] : parseNote(file, bytes, codec).contradicts;
}

/** Written into the note, so that it is never asked again, on any machine. @throws MemoryError `not-found`. */
export function letBothHold(workspace: Workspace, ref: NoteRef, others: readonly string[]): void {
  const base = ref.scoped.store.read(ref.file);
  if (base === undefined) throw new MemoryError("not-found", `${ref.file} is gone`);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const metadata = record(workspace.codec.read(splitFrontmatter(text).block).data["metadata"]);
  const agreed = new Set([...filesIn(metadata["agreesWith"]), ...others]);
  const doubted = filesIn(metadata["contradicts"]).filter((file) => !agreed.has(file));
  const content = setFields(
    text,
    [
      [["metadata", "agreesWith"], [...agreed].toSorted().join(", ")],
      ...(metadata["contradicts"] === undefined
        ? []
        : [[["metadata", "contradicts"], doubted.length === 0 ? undefined : doubted.join(", ")] as const]),
    ],
    workspace.codec,
  );
  commitOrThrow(
    ref.scoped,
    [{ kind: "write", file: ref.file, base, content }],
    `settled a conflict: ${[ref.file, ...others].join(" and ")} both hold`,
  );
  for (const file of others) workspace.review.dropAbout(`${ref.scoped.scope}:${file}`);
}
