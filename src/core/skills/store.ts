import { isRecord, parseJson } from "../shared/json.ts";
import type { SkillStanding } from "./state.ts";
import type { EvidenceEvent, SkillScope, SkillText } from "./types.ts";

/** One of memdir's own skills as stored on disk, with the state that its events add up to. */
export interface StoredSkill {
  readonly scope: SkillScope;
  readonly name: string;
  /** Absolute path of SKILL.md. */
  readonly path: string;
  readonly text: string;
  readonly skill: SkillText;
  readonly events: readonly EvidenceEvent[];
  readonly standing: SkillStanding;
  /** The newer revision on trial next to the promoted one. */
  readonly next: { readonly path: string; readonly skill: SkillText } | undefined;
}

/** A SKILL.md in memdir's directory that memdir did not write: read, never changed. */
export interface ForeignSkill {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Why it cannot be used; `undefined` if it can. */
  readonly problem: string | undefined;
}

/** What may be done inside `SkillStore.change`. */
export interface SkillWriter {
  /** Appends evidence, on disk when this returns; events with known ids are skipped. */
  append(scope: SkillScope, name: string, events: readonly EvidenceEvent[]): void;
  /** Writes a revision's text into history, then its event, then the skill's file. */
  write(scope: SkillScope, name: string, text: string, event: Extract<EvidenceEvent, { kind: "written" }>): void;
}

/** The store of skills. A skill's state is a fold over its events; its files follow the state. */
export interface SkillStore {
  list(): readonly StoredSkill[];
  foreign(): readonly ForeignSkill[];
  /**
   * Changes skills, then calls `follow` to update everything derived from them (publications, offers). A process killed
   * in between leaves a mark, which makes the next one call `follow` again.
   */
  change<T>(work: (writer: SkillWriter) => T, follow: () => void): T;
  /** Whether a change was cut off, so that derived files may be out of date. */
  isCutOff(): boolean;
  /** The revisions in history, newest first. */
  revisions(scope: SkillScope, name: string): readonly { readonly revision: number; readonly text: string }[];
}

/** One line of evidence.jsonl. Events appended together share it, as a list, so that all or none are there. */
export function eventLine(events: readonly EvidenceEvent[]): string {
  return JSON.stringify(events.length === 1 ? events[0] : events);
}

/** Events of a line; none for an incomplete line, and none of kinds that only a newer memdir knows. */
export function parseEvents(line: string): readonly EvidenceEvent[] {
  const value = parseJson(line);
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => eventOf(one) ?? []);
}

function eventOf(value: unknown): EvidenceEvent | undefined {
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

/** The fields of each kind of event in addition to the common ones. */
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
