/** Characters; a shorter line can stand in instruction files by chance. */
const LEAST = 16;

/**
 * A text without the lines and sentences that instruction files have: those are read again from disk after a
 * compaction, and a copy here would outlive a change of them.
 */
export function withoutInstructions(text: string, instructions: string): string {
  const known = flat(instructions);
  if (known === "") return text;
  const lines = instructions.split("\n").map(flat).filter((line) => line.length >= LEAST);
  const isKnown = (part: string): boolean => {
    const own = flat(part);
    return (own.length >= LEAST && known.includes(own)) || lines.some((line) => own.includes(line));
  };
  return text.split("\n").flatMap((line) => {
    const sentences = line.split(/(?<=[.!?。！？])\s+/u);
    const own = sentences.filter((sentence) => !isKnown(sentence));
    if (own.length === sentences.length && !isKnown(line)) return [line];
    const rest = own.join(" ");
    return flat(rest).length < LEAST || isKnown(rest) ? [] : [rest];
  }).join("\n");
}

function flat(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}
