import { isCompactionLine, readLogLine } from "./log-line.ts";
import type { RecallLog } from "./recall-log.ts";

/** What a session has received so far. */
export interface SessionLedger {
  /** Hash of each note that was shown whole, by `scope:file`: a note that changed since may be shown again. */
  readonly surfaced: ReadonlyMap<string, string>;
  /** The same of notes that were shown in one line. */
  readonly pointedAt: ReadonlyMap<string, string>;
  /** Characters of recalled text in all. */
  readonly characters: number;
}

/**
 * Reads a session's ledger from the log. Lines of other sessions are passed over without being parsed. What came before
 * a compaction is no longer in front of the model, so it does not count.
 */
export function surfacedIn(log: Pick<RecallLog, "tail"> | undefined, session: string): SessionLedger {
  const mark = `"session":${JSON.stringify(session)}`;
  const surfaced = new Map<string, string>();
  const pointedAt = new Map<string, string>();
  let characters = 0;
  for (const line of log?.tail() ?? []) {
    if (!line.includes(mark)) continue;
    if (isCompactionLine(line, session)) {
      surfaced.clear();
      pointedAt.clear();
      characters = 0;
      continue;
    }
    const recall = readLogLine(line);
    // Whether a model's late choice was delivered is not known: better shown twice than never.
    if (recall?.session !== session || recall.by === "model") continue;
    for (const note of recall.selected) surfaced.set(noteKey(note), note.hash);
    for (const note of recall.pointed) pointedAt.set(noteKey(note), note.hash);
    characters += recall.characters;
  }
  return { surfaced, pointedAt, characters };
}

/** How a note is named across scopes: `user:role.md`. */
export function noteKey({ scope, file }: { readonly scope: string; readonly file: string }): string {
  return `${scope}:${file}`;
}
