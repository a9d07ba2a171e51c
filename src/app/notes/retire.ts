import { parseNote } from "../../core/notes/parse-note.ts";
import type { StoreChange } from "../../core/notes/store.ts";
import { setFields } from "../../core/notes/write-note.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";

/** The old note stays as a file with its validity interval; it leaves recall and the index. Empty where it is never rewritten. */
export function retireChange(
  workspace: Workspace,
  scoped: ScopedStore,
  file: string,
  by: string,
  now: string,
): StoreChange[] {
  const base = scoped.store.read(file);
  if (base === undefined) return [];
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const note = parseNote(file, base, workspace.codec);
  if (
    note.pinned ||
    note.problems.some(
      ({ code }) => code === "malformed-frontmatter" || code === "unclosed-frontmatter" || code === "invalid-utf8",
    )
  )
    return [];
  const content = setFields(
    text,
    [
      [["metadata", "supersededBy"], by],
      [["metadata", "validTo"], now],
    ],
    workspace.codec,
  );
  return [{ kind: "write", file, base, content }];
}
