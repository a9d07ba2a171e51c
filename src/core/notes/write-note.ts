import { MemoryError } from "../shared/errors.ts";
import { isRecord } from "../shared/json.ts";
import { oneLine } from "../shared/text.ts";
import { type FrontmatterCodec, joinFrontmatter, lineEnding, splitFrontmatter } from "./frontmatter.ts";
import { askedLine, type NoteDraft } from "./note.ts";

/** What a new note looks like on disk: Claude Code's own form, memdir's keys under `metadata`. */
export function serialiseDraft(draft: NoteDraft, now: string, codec: FrontmatterCodec): string {
  if (draft.original !== undefined) return takenOver(draft, draft.original, codec);
  const { session, message } = draft.evidence ?? {};
  const created = draft.created ?? now;
  const block = codec.create({
    name: oneLine(draft.name),
    description: oneLine(draft.description),
    metadata: {
      type: draft.type,
      created,
      said: isOfAnotherDay(draft.said, created) ? draft.said : undefined,
      source: draft.source,
      asked: draft.asked && (askedLine(draft.asked) || undefined),
      forced: draft.forced,
      imported_from: draft.importedFrom,
      evidence: draft.evidence && { session, message },
      agreesWith: inOneLine(draft.agreesWith),
      contradicts: inOneLine(draft.contradicts),
    },
  });
  return `---\n${block}---\n\n${draft.body.replace(/\r\n?/gu, "\n").trim()}\n`;
}

/** As `filesIn` reads them; no key where there is none. */
function inOneLine(files: readonly string[] | undefined): string | undefined {
  return files?.join(", ") || undefined;
}

/** Of what was said today, the time of writing tells enough. */
function isOfAnotherDay(said: string | undefined, now: string): boolean {
  return said !== undefined && said.slice(0, 10) !== now.slice(0, 10);
}

/** A note of another store with where it comes from; the rest stays byte for byte. */
function takenOver(
  draft: NoteDraft,
  { text, changed }: NonNullable<NoteDraft["original"]>,
  codec: FrontmatterCodec,
): string {
  const { data } = codec.read(splitFrontmatter(text).block);
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  const isTyped = metadata["type"] === draft.type || data["type"] === draft.type;
  return setFields(
    text,
    [
      ...(data["name"] === draft.name ? [] : [[["name"], oneLine(draft.name)] as const]),
      ...(isTyped ? [] : [[["metadata", "type"], draft.type] as const]),
      ...(changed === undefined ? [] : [[["metadata", "created"], changed] as const]),
      [["metadata", "imported_from"], draft.importedFrom],
      ...(draft.contradicts === undefined
        ? []
        : [[["metadata", "contradicts"], draft.contradicts.join(", ")] as const]),
    ],
    codec,
  );
}

/**
 * Sets frontmatter values of an existing file; unknown keys, comments, key order, line endings, BOM
 * and the body survive byte for byte. A file without frontmatter gets one.
 * @throws MemoryError `invalid-input` when its frontmatter is malformed or unclosed.
 */
export function setFields(
  text: string,
  fields: readonly (readonly [readonly string[], string | boolean | undefined])[],
  codec: FrontmatterCodec,
): string {
  const parts = splitFrontmatter(text);
  if (parts.state === "unclosed")
    throw new MemoryError(
      "invalid-input",
      "the frontmatter has no closing `---` line; close it by hand first (memdir edit FILE)",
    );
  if (/\r(?!\n)/u.test(parts.block))
    throw new MemoryError(
      "invalid-input",
      "the frontmatter has bare carriage returns as line endings; save the file with ordinary line endings first",
    );
  const eol = lineEnding(text);
  const isMixed = parts.block.includes("\r\n") && /(?<!\r)\n/u.test(parts.block);
  // Mixed endings are edited as they are, so that none of them changes.
  let block = isMixed ? parts.block : parts.block.replace(/\r\n/gu, "\n");
  for (const [path, value] of fields) block = codec.set(block, path, value);
  const restored = eol === "\r\n" && !isMixed ? block.replace(/\n/gu, "\r\n") : block;
  if (parts.state === "none") {
    return restored === "" ? text : `${parts.bom}---${eol}${restored}---${eol}${eol}${parts.body}`;
  }
  return joinFrontmatter({ ...parts, block: restored });
}
