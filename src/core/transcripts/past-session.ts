/** A session that some client keeps on this machine, as far as can be told without reading it. */
export interface PastSession {
  readonly agent: string;
  readonly session: string;
  /** Where it was started; `undefined` where the client does not say. */
  readonly cwd: string | undefined;
  /** Of the last change (ms since the epoch). */
  readonly timeMs: number;
  /** The transcript, or the database that it is in. */
  readonly path: string;
  /** Of the transcript; 0 in a database. */
  readonly bytes: number;
}
