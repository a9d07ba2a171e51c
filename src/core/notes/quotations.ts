import { splitFrontmatter } from "./frontmatter.ts";

/** Shorter passages also occur in unrelated texts (characters). */
const TELLING_CHARACTERS = 20;
const FORGOTTEN = "[forgotten]";

/** Passages that may have been quoted from a note: its description, its lines and their sentences; longest first. */
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

/** The text without the passages; unchanged if it has none. Also finds them escaped, as in JSON. */
export function withoutQuotations(text: string, passages: readonly string[]): string {
  let kept = text;
  for (const passage of passages)
    for (const form of [passage, JSON.stringify(passage).slice(1, -1)]) kept = kept.replaceAll(form, FORGOTTEN);
  return kept;
}

/**
 * The lines of a note that no sent version has, one per line; empty if there are none. A line that continues a sent one
 * loses what it quotes from it. Of the frontmatter, only the description counts as text written by a person.
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
