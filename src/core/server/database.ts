import type { DreamTables } from "./dreams.ts";
import type { Tables } from "./tables.ts";

/** The server's database. */
export interface ServerDatabase {
  readonly tables: Tables & DreamTables;
  /** For questions about the database itself: plans, sizes. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Care that the embedded database needs, and a PostgreSQL server sees to without us. */
  readonly embedded: EmbeddedCare | undefined;
  close(): Promise<void>;
}

export interface EmbeddedCare {
  /** Puts everything on the disk. */
  checkpoint(): Promise<void>;
  /** Afterwards no file of the database holds what was forgotten. */
  purge(): Promise<void>;
  /**
   * Writes the whole database as one archive into `directory` and keeps the newest `keep`. An archive of this name that
   * is there already stays, unless it is to be written `again`. @returns whether one was written.
   */
  dump(directory: string, name: string, how: { readonly keep: number; readonly again: boolean }): Promise<boolean>;
}
