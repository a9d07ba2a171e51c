import type { SearchCandidate } from "../../../src/core/notes/note-index.ts";
import { analyse } from "../../../src/core/notes/terms.ts";

/** A candidate as a search gives it, its words counted in the body alone. */
export function candidateOf(
  file: string,
  { body = "", links = [] }: { readonly body?: string; readonly links?: readonly string[] } = {},
): SearchCandidate {
  const counts = new Map<string, number>();
  const terms = analyse(body);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const entry = {
    file,
    hash: "",
    size: 0,
    mtimeMs: Number(/\.md#(\d+)$/u.exec(file)?.[1] ?? 0),
    name: file,
    description: "",
    type: undefined,
    writtenType: undefined,
    pinned: false,
    time: 0,
    supersededBy: undefined,
    validTo: undefined,
    problems: [],
    uses: 0,
  };
  return {
    entry,
    counts: { name: new Map(), description: new Map(), body: counts },
    lengths: { name: 1, description: 0, body: terms.length },
    links,
  };
}
