import type { DreamEdit, DreamOperation } from "../../core/dream/operation.ts";
import { replaceBody, splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { setFields } from "../../core/notes/write-note.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";

/** New contents of files, with what each was made from. */
export type DreamTexts = ReadonlyMap<string, { readonly base: Uint8Array; readonly content: string }>;

/** The texts that operations lead to, one after the other; files that have gone are passed over. */
export function dreamTexts(
  workspace: Workspace,
  scoped: ScopedStore,
  operations: readonly DreamOperation[],
  now: string,
): DreamTexts {
  const texts = new Map<string, { readonly base: Uint8Array; readonly content: string }>();
  for (const edit of operations.flatMap(({ edits }) => edits)) {
    if (edit.kind === "create") {
      texts.set(edit.file, { base: new Uint8Array(), content: edit.content });
      continue;
    }
    const base = texts.get(edit.file)?.base ?? scoped.store.read(edit.file);
    if (base === undefined) continue;
    const before = texts.get(edit.file)?.content ?? decode(base);
    texts.set(edit.file, { base, content: edited(workspace, before, edit, now) });
  }
  return texts;
}

function edited(workspace: Workspace, text: string, edit: Exclude<DreamEdit, { kind: "create" }>, now: string): string {
  switch (edit.kind) {
    case "retire":
      return setFields(
        text,
        [
          [["metadata", "supersededBy"], edit.by],
          [["metadata", "validTo"], now],
        ],
        workspace.codec,
      );
    case "append":
      return replaceBody(touched(workspace, text, now), `${bodyOf(text)}\n\n${edit.text}`);
    case "body":
      return replaceBody(touched(workspace, text, now), edit.text);
    case "replace":
      return replaced(workspace, text, edit, now);
  }
}

function touched(workspace: Workspace, text: string, now: string): string {
  return setFields(text, [[["metadata", "modified"], now]], workspace.codec);
}

/** A new name in an old sentence makes the sentence no younger: the note keeps the time that it has. */
function replaced(
  workspace: Workspace,
  before: string,
  { file, from, to }: Extract<DreamEdit, { kind: "replace" }>,
  now: string,
): string {
  const note = parseNote(file, new TextEncoder().encode(before), workspace.codec);
  const text = note.modified === undefined ? touched(workspace, before, now) : before;
  const description = replaceWhole(note.description, from, to);
  const { data } = workspace.codec.read(splitFrontmatter(text).block);
  const described =
    description === note.description || typeof data["description"] !== "string"
      ? text
      : setFields(text, [[["description"], description]], workspace.codec);
  const parts = splitFrontmatter(described);
  return described.slice(0, described.length - parts.body.length) + replaceWhole(parts.body, from, to);
}

/** Not inside a longer name, nor where the new name stands already. */
function replaceWhole(text: string, from: string, to: string): string {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_/.-])${from.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)}(?![\\p{L}\\p{N}_/-]|\\.\\p{L})`,
    "gu",
  );
  return text.replace(pattern, (found: string, at: number) =>
    to.startsWith(from) && text.startsWith(to, at) ? found : to,
  );
}

function bodyOf(text: string): string {
  return splitFrontmatter(text).body.replace(/\r\n?/gu, "\n").trim();
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
