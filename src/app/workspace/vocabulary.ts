import fs from "node:fs";
import path from "node:path";
import { openVocabulary, type Vocabulary } from "../../core/recall/prompt.ts";
import type { Locations } from "./locations.ts";

/** The words that the user relates to one another in `~/.memdir/vocabulary.txt`. */
export function readVocabulary({ memdirHome, mode }: Pick<Locations, "memdirHome" | "mode">): Vocabulary {
  return openVocabulary(mode === "off" ? "" : ownWords(path.join(memdirHome, "vocabulary.txt")));
}

function ownWords(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return ""; // most people have none; one that cannot be read must not keep recall from answering
  }
}
