import type { DreamTables } from "./dreams.ts";
import type { Tables } from "./tables.ts";

/** The server's database. */
export interface ServerDatabase {
  readonly tables: Tables & DreamTables;
  /** For queries about the database itself: plans, sizes. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Maintenance of the embedded database; a PostgreSQL server does this itself. */
  readonly embedded: EmbeddedCare | undefined;
  close(): Promise<void>;
}

export interface EmbeddedCare {
  /** Writes everything to disk. */
  checkpoint(): Promise<void>;
  /** Afterwards no database file contains forgotten text. */
  purge(): Promise<void>;
  /**
   * Writes the whole database as one archive into `directory` and keeps the newest `keep`. An existing archive of this
   * name stays, unless `again` is set. @returns whether one was written.
   */
  dump(directory: string, name: string, how: { readonly keep: number; readonly again: boolean }): Promise<boolean>;
}
