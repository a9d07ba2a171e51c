import { isRecord, parseJson } from "../shared/json.ts";
import { label } from "../shared/sanitize.ts";
import { truncate } from "../shared/text.ts";
import type { SkillStanding } from "./state.ts";
import type { SkillScope } from "./types.ts";

/** A skill that may be offered at a prompt, as stored in the small file that a hook reads. */
export interface Offerable {
  /** Its directory of skills: a project's, or the user's. */
  readonly place: string;
  readonly scope: SkillScope;
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  /** A retired skill is not offered, but a prompt that wants it is recorded. */
  readonly stage: "trial" | "promoted" | "retired";
  /** `6 of 6 passed`. */
  readonly record: string;
  readonly description: string;
  /** Absolute. */
  readonly path: string;
  /** Words by which a prompt finds it, in recall's form. */
  readonly terms: readonly string[];
  /** When time alone ends its stage (ms). */
  readonly until: number | undefined;
}

/** Folders that clients read: Claude Code reads the first; Codex, Gemini CLI and OpenCode the second. */
export const PUBLISH_TARGETS = ["claude", "agents"] as const;
export type PublishClient = (typeof PUBLISH_TARGETS)[number];

const CEILINGS = {
  /** Per scope. */
  trials: 3,
  promoted: 24,
  /** Per prompt. */
  trialsOffered: 1,
  promotedOffered: 2,
  line: 160,
  /** In clients' folders. */
  published: 12,
  publishedDescriptions: 2_400,
} as const;

/** Most useful first: by passes of the last 90 days, then the longest in its stage. */
function byUse(a: Pick<SkillStanding, "current">, b: Pick<SkillStanding, "current">): number {
  return b.current.recentPasses - a.current.recentPasses || a.current.since - b.current.since;
}

/** The skills of one scope, most useful first, that fit the ceilings; the others wait. */
export function withinCeilings<T extends { readonly standing: SkillStanding }>(
  skills: readonly T[],
): { readonly trials: readonly T[]; readonly promoted: readonly T[]; readonly waiting: readonly T[] } {
  const sorted = skills.toSorted((a, b) => byUse(a.standing, b.standing));
  const promoted = sorted.filter(({ standing: { current } }) => current.state.stage === "promoted");
  const onTrial = sorted.filter(
    ({ standing: { current, next } }) => current.state.stage === "trial" || next?.state.stage === "trial",
  );
  const trials = onTrial.slice(0, CEILINGS.trials);
  const live = promoted.slice(0, CEILINGS.promoted);
  return {
    trials,
    promoted: live,
    waiting: [...promoted.slice(CEILINGS.promoted), ...onTrial.slice(CEILINGS.trials)],
  };
}

export interface Chosen {
  readonly offered: readonly Offerable[];
  /** Retired skills that the prompt would otherwise have been offered. */
  readonly wanted: readonly Offerable[];
}

/** Skills whose trigger matches a prompt; `words` are the prompt's words, each in all its forms. */
export function chooseOffers(
  entries: readonly Offerable[],
  words: readonly (readonly string[])[],
  now: number,
): Chosen {
  const met = entries
    .filter(({ until }) => until === undefined || now <= until)
    .map((entry) => ({ entry, hits: hitsOf(entry, words) }))
    .filter(({ hits }) => isTrigger(hits, words.length))
    .toSorted((a, b) => b.hits - a.hits || (a.entry.name < b.entry.name ? -1 : 1))
    .map(({ entry }) => entry);
  const of = (stage: Offerable["stage"], most: number): readonly Offerable[] =>
    met.filter((entry) => entry.stage === stage).slice(0, most);
  return {
    offered: [...of("promoted", CEILINGS.promotedOffered), ...of("trial", CEILINGS.trialsOffered)],
    wanted: of("retired", CEILINGS.promotedOffered),
  };
}

function hitsOf({ terms }: Offerable, words: readonly (readonly string[])[]): number {
  const known = new Set(terms);
  return words.filter((forms) => forms.some((form) => known.has(form))).length;
}

/** Three words of the trigger, or two if that is a third of what was asked. */
function isTrigger(hits: number, asked: number): boolean {
  return hits >= 3 || (hits === 2 && asked <= 6);
}

/** A longer path leaves no room for the description, so the command replaces it. */
const MOST_WAY = 70;
const LEAST_WORDS = 12;

/** `- [skill, 6 of 6 passed] NAME: what it does → read PATH`, at most 160 characters. */
export function offerLine({ name, stage, record, description }: Offerable, readWith: string): string {
  const read = readWith.length <= MOST_WAY ? readWith : `\`memdir skill show ${label(name)}\``;
  const head = `- [skill${stage === "trial" ? " on trial" : ""}, ${record}] ${label(name)}`;
  const tail = ` → ${read}`;
  const room = CEILINGS.line - head.length - tail.length - 2;
  return room < LEAST_WORDS
    ? truncate(`${head}${tail}`, CEILINGS.line)
    : `${head}: ${truncate(label(description, 300), room)}${tail}`;
}

/** A skill's evidence, in words. */
export function recordWords({ passes, fails }: { readonly passes: number; readonly fails: number }): string {
  return passes + fails === 0 ? "not used yet" : `${passes} of ${passes + fails} passed`;
}

/** Whether the session has been offered this revision; once is enough. */
export function wasOffered(lines: string, session: string, revision: number): boolean {
  return lines.split("\n").some((line) => {
    if (!line.includes('"offered"')) return false;
    const value = parseJson(line);
    if (!isRecord(value) || value["kind"] !== "offered" || value["revision"] !== revision) return false;
    return isRecord(value["place"]) && value["place"]["session"] === session;
  });
}

export const OFFERS_FILE = "offers.json";

/** Exists while skills in a directory change; a leftover mark means that the change was cut off. */
export function markOfChange(directory: string): string {
  return `${directory}/changing`;
}
const OFFERS_VERSION = 1;

export function renderOffers(offers: readonly Offerable[]): string {
  return JSON.stringify({ version: OFFERS_VERSION, offers });
}

/** Empty for a file of another version: the next change rewrites it. */
export function parseOffers(text: string): readonly Offerable[] {
  const value = parseJson(text);
  if (!isRecord(value) || value["version"] !== OFFERS_VERSION || !Array.isArray(value["offers"])) return [];
  return value["offers"].filter(isOfferable);
}

function isOfferable(value: unknown): value is Offerable {
  if (!isRecord(value)) return false;
  const { name, description, path, place, terms, stage, revision, id, record: words } = value;
  return (
    [name, description, path, place, id, words].every((one) => typeof one === "string") &&
    typeof revision === "number" &&
    Array.isArray(terms) &&
    (stage === "trial" || stage === "promoted" || stage === "retired")
  );
}

/** The skills to publish in clients' folders: the most useful promoted ones, as many as fit. */
export function choosePublished<
  T extends { readonly standing: SkillStanding; readonly skill: { readonly description: string } },
>(promoted: readonly T[]): readonly T[] {
  const chosen: T[] = [];
  let room: number = CEILINGS.publishedDescriptions;
  for (const one of promoted.toSorted((a, b) => byUse(a.standing, b.standing))) {
    const { length } = one.skill.description;
    if (chosen.length === CEILINGS.published) break;
    if (length > room) continue;
    chosen.push(one);
    room -= length;
  }
  return chosen;
}
