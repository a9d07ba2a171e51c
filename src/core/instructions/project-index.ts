import { loadIndex } from "../notes/index-file.ts";
import type { Place } from "./clients/client.ts";
import { decodeFile } from "./decode.ts";
import { directoriesDownTo, isInside, join } from "./paths.ts";

/** `.claude/MEMORY.md`: an index of notes that people keep by hand in a project. */
export interface ProjectIndex {
  readonly path: string;
  /** As an index loads: cut to its limits, which the last lines then say. */
  readonly text: string;
  readonly cut: readonly string[];
}

/** The nearest one from where the session starts up to the repository's root; no client reads it, memdir shows it first among the notes. */
export function findProjectIndex({ cwd, gitRoot, files }: Place): ProjectIndex | undefined {
  const top = gitRoot ?? cwd;
  for (const directory of directoriesDownTo(cwd)
    .toReversed()
    .filter((one) => isInside(one, top))) {
    const path = join(directory, ".claude/MEMORY.md");
    const file = files.read(path);
    if (file.state !== "read") continue;
    const { text, cut } = loadIndex(decodeFile(file.bytes).text);
    return text === "" ? undefined : { path, text, cut };
  }
  return undefined;
}
