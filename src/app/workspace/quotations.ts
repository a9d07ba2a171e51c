import { splitFrontmatter } from "../../core/notes/frontmatter.ts";

/** Shorter ones stand in texts that have nothing to do with the note (characters). */
const TELLING_CHARACTERS = 20;
const FORGOTTEN = "[forgotten]";

/** What others may have quoted of a note: its description, its lines and their sentences; the longest first. */
export function passagesOf(texts: readonly string[]): readonly string[] {
  const passages = new Set<string>();
  for (const text of texts) {
    const { block, body } = splitFrontmatter(text.replaceAll("\r\n", "\n"));
    const description = /^description:[ \t]*(.+)$/mu.exec(block)?.[1] ?? "";
    for (const line of [unquoted(description), ...body.split("\n")]) {
      const plain = line.replace(/^[\s>*+-]+|\*\*(?:Why|How to apply):?\*\*:?/gu, "").trim();
      for (const passage of [plain, ...plain.split(/(?<=[.!?;])\s+/u)])
        if (passage.length >= TELLING_CHARACTERS && !passage.startsWith("#")) passages.add(passage);
    }
  }
  return [...passages].toSorted((a, b) => b.length - a.length);
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/u, "$2");
}

/** The text without the passages; the very same where it has none. In JSON they stand escaped. */
export function withoutQuotations(text: string, passages: readonly string[]): string {
  let kept = text;
  for (const passage of passages)
    for (const form of [passage, JSON.stringify(passage).slice(1, -1)]) kept = kept.replaceAll(form, FORGOTTEN);
  return kept;
}
