import type { Turn } from "../transcripts/turn.ts";
import { textsOf } from "../transcripts/tool-calls.ts";

/** A store's notes as a session can name them. */
interface NamedNotes {
  /** Absolute path. */
  readonly directory: string;
  readonly files: readonly string[];
}

const NAME = /[\p{L}\p{N}_.\-/\\:~]+\.md\b/gu;

/**
 * The notes of a store that an agent used in a session: it opened the file, or named it in an answer. A note that was
 * only shown does not count, nor does a user's message, which may quote what was shown.
 */
export function notesThatHelped(turns: readonly Turn[], { directory, files }: NamedNotes): readonly string[] {
  const known = new Set(files);
  const place = directory.replaceAll("\\", "/");
  const helped = new Set<string>();
  for (const { role, text, toolCalls } of turns) {
    if (role !== "assistant") continue;
    for (const [name] of text.matchAll(NAME)) if (known.has(name)) helped.add(name);
    for (const path of toolCalls.flatMap(({ input }) => textsOf(input)).flatMap((value) => value.match(NAME) ?? [])) {
      const plain = path.replaceAll("\\", "/");
      if (plain.startsWith(`${place}/`) && known.has(plain.slice(place.length + 1)))
        helped.add(plain.slice(place.length + 1));
    }
  }
  return [...helped];
}

/**
 * "Put that into CLAUDE.md": the user has chosen where to keep it, and every session loads it from there. Does not
 * match "never edit CLAUDE.md", which is a wish about the file.
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
