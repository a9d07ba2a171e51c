/** One thing that was said in an earlier session. */
export interface PastHit {
  readonly agent: string;
  readonly session: string;
  /** `tool`: what a tool returned. */
  readonly role: "user" | "assistant" | "tool";
  /** ISO time, where the transcript has one. */
  readonly time: string | undefined;
  /** The words around those that were looked for. */
  readonly text: string;
}

export interface PastResult {
  /** The best first, at most as many as asked for. */
  readonly hits: readonly PastHit[];
  /** Found in all. */
  readonly total: number;
}

/** What a client tells with a call, by which its own session is known. */
export interface RunningCall {
  /** The client's name as sessions have it (`claude-code`, `codex`, `gemini`, `opencode`); `undefined` where it has none. */
  readonly agent: string | undefined;
  /** `_meta` of the call. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface PastOptions {
  readonly most: number;
  readonly running: RunningCall;
  readonly signal: AbortSignal;
  /** Told now and then: sessions looked at, of how many. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Looks for words in the sessions that agents keep of a project. */
export type SearchPast = (query: string, options: PastOptions) => Promise<PastResult>;
