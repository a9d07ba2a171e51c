import type { Turn } from "./turn.ts";
import { textsOf } from "./tool-calls.ts";

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
