import { splitFrontmatter } from "./frontmatter.ts";

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

/**
 * The lines of a note that no version sent has, one a line; empty where there are none. A line that goes on from a sent one
 * loses what it quotes of that. Of the frontmatter only the description is words of a person.
 */
export function unsentLines(text: string, sent: readonly string[]): string {
  const known = new Set(sent.flatMap((one) => one.split("\n")));
  const passages = passagesOf(sent);
  const { block, body } = splitFrontmatter(text);
  const lines = body.split("\n").filter((line) => !known.has(line));
  const described = block.split("\n").find((line) => line.startsWith("description:") && !known.has(line)) ?? "";
  const description = unquoted(described.slice("description:".length));
  const isSaid = lines.some((line) => line.includes(description));
  const kept = (isSaid ? lines : [description, ...lines])
    .map((line) => withoutQuotations(line, passages))
    .filter((line) => line.replaceAll(FORGOTTEN, "").trim() !== "");
  return kept.length === 0 ? "" : `${kept.join("\n")}\n`;
}
