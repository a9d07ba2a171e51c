import { saidAlready } from "./exclusions/instructions-know.ts";

/** Every subject of a wording stands in one sentence or paragraph of the instruction files, with the same sign and values. */
export function saidByInstructions(wording: string, instructions: string): boolean {
  return saidAlready(wording, instructions) !== undefined;
}

/**
 * "Put that into CLAUDE.md": the person has chosen where it is kept, and every session loads it from there. Not "never
 * edit CLAUDE.md", which is a wish about the file.
 */
export function goesIntoInstructions(text: string): boolean {
  return WRITES_INSTRUCTIONS.test(text) && !LEAVES_INSTRUCTIONS.test(text);
}

const INSTRUCTION_FILE = String.raw`(?:(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md|\.cursorrules|copilot-instructions(?:\.md)?)`;
const WRITE =
  "add|put|update|write|append|include|document|note|record|save|extend|schreib|trag|ergänz|füg|nimm|aktualisier|ajoute|mets|écri|note|añad|agreg|pon|escrib|actualiz|adicion|coloqu|escrev|atualiz|добав|запиши|допиши|обнови|впиши|写|加|更新|添加|记|追加|書";
const WRITES_INSTRUCTIONS = new RegExp(
  String.raw`(?<!\p{L})(?:${WRITE})[^.!?]{0,80}${INSTRUCTION_FILE}|${INSTRUCTION_FILE}[^.!?。]{0,20}(?:追加|書|更新|추가|적어|써|업데이트|添加|写)`,
  "iu",
);
const LEAVES_INSTRUCTIONS = new RegExp(
  String.raw`(?:\b(?:never|don['’]?t|do not)\b|不要|别|(?<!\p{L})(?:nicht|jamais|nunca|não|не)(?!\p{L}))[^.!?]{0,80}${INSTRUCTION_FILE}`,
  "iu",
);
