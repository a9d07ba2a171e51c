import type { Scope } from "../notes/note.ts";
import { LIMITS, LINES_KEY, type NoteChange } from "./protocol.ts";

/** Scopes that may leave the machine. All others stay: `local`, `agent-local`, and any added later. */
export const SYNCED_SCOPES = ["user", "group", "team", "project"] as const satisfies readonly Scope[];
export type SyncedScope = (typeof SYNCED_SCOPES)[number];

export function isSyncedScope(scope: string): scope is SyncedScope {
  return SYNCED_SCOPES.some((one) => one === scope);
}

/** `person`: a note about a person, kept from others on purpose; `personal`: a personal fact in another note. */
export const REFUSALS = ["secret", "hidden", "person", "personal", "size", "text", "key", "sealed"] as const;

export interface Refused {
  readonly key: string;
  readonly reason: (typeof REFUSALS)[number];
  /** The rule of the secret scan, or what is wrong with an encrypted entry. */
  readonly rule?: string;
  /** The limit in UTF-8 bytes, if the note exceeds it. */
  readonly limitBytes?: number;
}

export const TOO_LARGE = { reason: "size", limitBytes: LIMITS.entryBytes } as const;

/** Judges a text before it leaves the machine; `undefined` if it may. */
export type Judge = (text: string, change: NoteChange) => Promise<Omit<Refused, "key"> | undefined>;

export interface Judged {
  readonly changes: readonly NoteChange[];
  readonly refused: readonly Refused[];
}

/** The changes that may be sent. One refusal holds back its whole group: half of a rename would be a deletion. */
export async function judged(changes: readonly NoteChange[], judge: Judge): Promise<Judged> {
  const refused: Refused[] = [];
  for (const change of changes) {
    const { key, body } = change;
    if (body === undefined) continue;
    const verdict = Buffer.byteLength(body) > LIMITS.entryBytes ? TOO_LARGE : await judge(body, change);
    if (verdict !== undefined) refused.push({ key, ...verdict });
  }
  const keys = new Set(refused.map(({ key }) => key));
  const groups = new Set(changes.flatMap(({ key, group }) => (keys.has(key) && group !== undefined ? [group] : [])));
  const goes = (change: NoteChange): boolean =>
    !keys.has(change.key) && (change.group === undefined || !groups.has(change.group));
  return { changes: changes.filter(goes), refused };
}

/** The displayed name of an entry. */
export function shownKey(key: string): string {
  return key === LINES_KEY ? "lines of MEMORY.md" : key;
}
