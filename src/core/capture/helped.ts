import type { Turn } from "../transcripts/turn.ts";
import { textsOf } from "../transcripts/tool-calls.ts";

/** A store's notes, as far as a session can name them. */
export interface NamedNotes {
  /** Absolute. */
  readonly directory: string;
  readonly files: readonly string[];
}

const NAME = /[\p{L}\p{N}_.\-/\\:~]+\.md\b/gu;

/**
 * The notes of a store that an agent went by in a session: it opened the file, or named it in an answer. That a note was
 * put before it says nothing; neither does a person's message, which may quote what was put there.
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
