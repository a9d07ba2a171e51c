import { isRecord, parseJson } from "../shared/json.ts";
import type { SkillStanding } from "./state.ts";
import type { EvidenceEvent, SkillScope, SkillText } from "./types.ts";

/** A skill of memdir's own as it lies on disk, with what its events add up to. */
export interface StoredSkill {
  readonly scope: SkillScope;
  readonly name: string;
  /** Absolute; of SKILL.md. */
  readonly path: string;
  readonly text: string;
  readonly skill: SkillText;
  readonly events: readonly EvidenceEvent[];
  readonly standing: SkillStanding;
  /** The newer revision that is tried beside the promoted one. */
  readonly next: { readonly path: string; readonly skill: SkillText } | undefined;
}

/** A SKILL.md below memdir's directory that memdir did not write: read, never changed. */
export interface ForeignSkill {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Why it cannot be used, where it cannot. */
  readonly problem: string | undefined;
}

/** What may be done inside `SkillStore.change`. */
export interface SkillWriter {
  /** Evidence, on disk when it returns; an id that is there already is passed over. */
  append(scope: SkillScope, name: string, events: readonly EvidenceEvent[]): void;
  /** A revision's text into history, then its event, then into its place. */
  write(scope: SkillScope, name: string, text: string, event: Extract<EvidenceEvent, { kind: "written" }>): void;
}

/** Where skills are kept. The state of each is a fold over its events; its files follow the state. */
export interface SkillStore {
  list(): readonly StoredSkill[];
  foreign(): readonly ForeignSkill[];
  /**
   * Changes skills, then lets everything derived from them (`follow`: publications, offers) follow. A process that is killed
   * in between leaves a mark, by which the next one lets it follow again.
   */
  change<T>(work: (writer: SkillWriter) => T, follow: () => void): T;
  /** A change was cut off: what is derived may be behind. */
  isCutOff(): boolean;
  /** Numbers of the revisions that history has, newest first. */
  revisions(scope: SkillScope, name: string): readonly { readonly revision: number; readonly text: string }[];
}

/** One line of evidence.jsonl; `undefined` for a torn one, or one of a newer memdir. */
export function parseEvent(line: string): EvidenceEvent | undefined {
  const value = parseJson(line);
  if (!isRecord(value)) return undefined;
  const { id, time, revision, kind } = value;
  if (typeof id !== "string" || typeof time !== "number" || typeof revision !== "number" || typeof kind !== "string")
    return undefined;
  return isEvent(value) ? value : undefined;
}

const text = (value: unknown): boolean => typeof value === "string";
const place = (value: unknown): boolean =>
  isRecord(value) && text(value["agent"]) && text(value["session"]) && text(value["task"]);
const oneOf =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    words.some((word) => word === value);

/** What each kind of event needs beside what all have. */
const FIELDS: Readonly<Record<EvidenceEvent["kind"], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  written: { author: oneOf("recipe", "model", "host-agent", "person"), sha256: text },
  offered: { place },
  loaded: { place },
  followed: { place, result: oneOf("pass", "fail", "unknown") },
  corrected: { place },
  harm: { place, how: text },
  tried: { result: oneOf("passed", "failed", "vacuous", "not-isolated"), note: text },
  stale: { what: text },
  wanted: { place },
  person: { action: oneOf("try", "promote", "demote", "retire", "pin", "unpin", "rollback", "edited") },
};

function isEvent(value: object): value is EvidenceEvent {
  const kind = Reflect.get(value, "kind");
  const fields = Object.entries(FIELDS).find(([name]) => name === kind)?.[1];
  return fields !== undefined && Object.entries(fields).every(([name, fits]) => fits(Reflect.get(value, name)));
}
