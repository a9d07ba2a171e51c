/**
 * Where recalls are written down, one line each, on this machine only. Writing must never fail, slow or block a
 * recall: what goes wrong is left where `KeptRecallLog.health` finds it.
 */
export interface RecallLog {
  /** The project whose recalls these are: its root, or the directory of notes. */
  readonly project: string;
  /** Of a prompt: its words, or just a hash of them; with `nothing` no recall is logged at all. */
  readonly keeps: "text" | "hash" | "nothing";
  /** Adds a line, which contains no line break. Never throws. */
  append(line: string): void;
  /** The newest lines, oldest first, `bytes` of them at most; bounded, whatever the size of the log. Empty where nothing can be read. */
  tail(bytes?: number): readonly string[];
}

/** The log as people care for it. */
export interface KeptRecallLog extends RecallLog {
  /** Drops the lines that `isAbout` names; with `everywhere` from the logs of other projects too. @throws MemoryError when that cannot be done. */
  drop(isAbout: (line: string) => boolean, everywhere: boolean): void;
  health(): RecallLogHealth;
}

export interface RecallLogHealth {
  readonly path: string;
  /** Bytes on disk, older lines that were set aside included. */
  readonly bytes: number;
  /** Why the last recall could not be logged, and since when (ISO time). */
  readonly problem: { readonly time: string; readonly message: string } | undefined;
}
