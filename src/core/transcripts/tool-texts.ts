/** How much tool output is kept (characters): enough to recognise a sentence that the user took from it. */
const MOST_CHARACTERS = 500_000;
/** The limit for one tool's output; the middle of a longer one is dropped. */
const ONE_TEXT = 100_000;

/** The recent tool outputs of a session; older ones are dropped. */
export interface ToolTexts {
  add(texts: readonly string[]): void;
  /** Oldest first. */
  recent(): readonly string[];
}

export function createToolTexts(): ToolTexts {
  let kept: string[] = [];
  let characters = 0;
  return {
    add(texts) {
      for (const text of texts) {
        const short = shortened(text);
        kept.push(short);
        characters += short.length;
      }
      // Trims in bulk and rarely: a session may have a hundred thousand small texts.
      if (characters <= MOST_CHARACTERS * 1.25) return;
      kept = [...newest(kept)];
      characters = kept.reduce((sum, text) => sum + text.length, 0);
    },
    recent: () => newest(kept),
  };
}

/** The newest texts, up to the limit. */
export function recentToolTexts(texts: readonly string[]): readonly string[] {
  return newest(texts.map(shortened));
}

function newest(texts: readonly string[]): readonly string[] {
  let room = MOST_CHARACTERS;
  let from = texts.length;
  while (from > 0 && room >= (texts[from - 1] ?? "").length) room -= (texts[--from] ?? "").length;
  return from === 0 ? texts : texts.slice(from);
}

function shortened(text: string): string {
  if (text.length <= ONE_TEXT) return text;
  const half = ONE_TEXT / 2;
  // A plain slice would keep the whole text in memory.
  const copy = (part: string): string => [...chunks(part)].join("");
  return `${copy(text.slice(0, half))}\n${copy(text.slice(-half))}`;
}

function* chunks(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 8) yield text.slice(at, at + 8);
}
