import { sha256 } from "../shared/hash.ts";

/** Longer pieces are kept apart and shown by a mark (characters). */
const PASTE_LIMIT = 1_024;

export interface Paste {
  /** Lower-case hex; names the file that holds the text. */
  readonly sha256: string;
  readonly text: string;
}

export interface FoldedPrompt {
  /** As it is shown: `fix this [Pasted text #1 +40 lines]`. */
  readonly shown: string;
  /** By their numbers in the marks, from 1. */
  readonly pastes: readonly Paste[];
}

const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gmu;

/**
 * Long fenced blocks become marks; where what is left is still long, everything after its first line does, because
 * nobody types so much: clients hand over a paste and what was typed before it as one text.
 */
export function foldPastes(prompt: string): FoldedPrompt {
  const pastes: Paste[] = [];
  const fold = (text: string): string => {
    pastes.push({ sha256: sha256(text), text });
    return pasteMark(pastes.length, text);
  };
  const unfenced = prompt.replace(FENCED, (block) => (block.length > PASTE_LIMIT ? fold(block) : block));
  if (unfenced.length <= PASTE_LIMIT) return { shown: unfenced, pastes };
  const end = unfenced.indexOf("\n");
  // Marks inside what is folded again would have no meaning: the prompt is folded as it was given.
  pastes.length = 0;
  const typed = end < 0 || end > PASTE_LIMIT ? "" : prompt.slice(0, prompt.indexOf("\n"));
  const rest = typed === "" ? prompt : prompt.slice(typed.length + 1);
  return { shown: [typed, fold(rest)].filter((part) => part !== "").join("\n"), pastes };
}

function pasteMark(number: number, text: string): string {
  const lines = text.split("\n").length - 1;
  return lines === 0 ? `[Pasted text #${number}]` : `[Pasted text #${number} +${lines} lines]`;
}

/** The prompt with its marks replaced by their texts; a mark without one stays. */
export function expandPastes(shown: string, textOf: (number: number) => string | undefined): string {
  return shown.replace(
    /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/gu,
    (mark, number: string) => textOf(Number(number)) ?? mark,
  );
}
