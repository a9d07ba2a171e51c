import { withoutSecrets } from "../../core/shared/sanitize.ts";
import type { StoredSkill } from "../../core/skills/store.ts";
import type { Candidate, EvidenceEvent } from "../../core/skills/types.ts";
import { listCandidates } from "../skills/candidates.ts";
import { openShelf, type OpenShelf } from "../skills/shelf.ts";
import { countSkills, listSkills, type SkillRow, statsOf } from "../skills/skills.ts";
import { checksToApprove } from "../skills/check.ts";
import { isoOf, type Reading } from "./note-list.ts";
import WORDS from "./skill-words.json" with { type: "json" };
import type { SkillCandidate, SkillEvent, SkillItem, SkillQuestion, SkillsView } from "./tend-shapes.ts";

/** Display texts, by the code used in the files. */
const words: Readonly<Record<keyof typeof WORDS, Readonly<Record<string, string>>>> = WORDS;

const MOST_EVENTS = 30;
const MOST_CANDIDATES = 50;

/** What memdir learnt, on what evidence, and what waits for the user. */
export function skillsView({ workspace }: Reading): SkillsView {
  const shelf = openShelf(workspace);
  const rows = new Map(listSkills(shelf).map((row) => [row.path, row]));
  const candidates = listCandidates(shelf.skills.locations).toSorted((a, b) => b.time - a.time);
  return {
    mode: shelf.skills.settings().mode,
    skills: shelf.list().flatMap((stored) => {
      const row = rows.get(stored.path);
      return row === undefined ? [] : [skillItem(stored, row)];
    }),
    candidates: candidates.slice(0, MOST_CANDIDATES).map(candidateItem),
    moreCandidates: Math.max(0, candidates.length - MOST_CANDIDATES),
    waiting: questionsOf(shelf),
    people: shelf.human().length,
    damaged: countSkills(workspace).damaged,
  };
}

function skillItem(stored: StoredSkill, row: SkillRow): SkillItem {
  const { skill, standing, events } = stored;
  const { offers, loads, follows } = statsOf(stored);
  const { name, scope, stage, why, evidence, sessions, where, path, stale, next } = row;
  return {
    name,
    scope,
    description: skill.description,
    stage,
    why,
    evidence,
    sessions,
    where,
    path,
    text: withoutSecrets(stored.text),
    offers,
    loads,
    follows,
    ...(row.lastUse !== undefined && { lastUse: isoOf(row.lastUse) }),
    ...(row.pinned && { pinned: true }),
    ...(stale !== undefined && { stale }),
    ...(skill.check !== undefined && { check: skill.check }),
    ...(next !== undefined && { next }),
    revisions: standing.revisions
      .map(({ state, author }) => ({
        revision: state.revision,
        stage: state.stage,
        author,
        passes: state.passes,
        fails: state.fails,
      }))
      .toReversed(),
    events: events
      .toSorted((a, b) => b.time - a.time)
      .slice(0, MOST_EVENTS)
      .map(eventItem),
  };
}

function eventItem(event: EvidenceEvent): SkillEvent {
  return {
    time: isoOf(event.time),
    revision: event.revision,
    kind: event.kind,
    says: event.kind === "stale" ? event.what : (words.events[codeOf(event)] ?? event.kind),
    ...("place" in event && { session: event.place.session }),
  };
}

function codeOf(event: EvidenceEvent): string {
  switch (event.kind) {
    case "written":
      return event.author;
    case "followed":
    case "tried":
      return event.result;
    case "harm":
      return event.how;
    case "person":
      return event.action;
    default:
      return event.kind;
  }
}

function candidateItem({ id, time, recipe, wants, refused, draft }: Candidate): SkillCandidate {
  return {
    id,
    time: isoOf(time),
    description: withoutSecrets(recipe.description),
    wants: wants.map((want) => words.wants[want] ?? want),
    refused: refused.map((gate) => words.gates[gate] ?? gate),
    ...(draft !== undefined && { draft }),
    steps: recipe.steps.map(({ command }) => withoutSecrets(command)),
    ...(recipe.check !== undefined && { check: withoutSecrets(recipe.check) }),
  };
}

function questionsOf(shelf: OpenShelf): readonly SkillQuestion[] {
  const drafts = shelf.waiting().map(({ id, why, proposal }) => ({
    name: proposal.name,
    says: `A draft that is doubted: ${why.join("; ")}.`,
    commands: [`memdir review accept ${id}`, `memdir review reject ${id}`],
  }));
  const checks = checksToApprove(shelf).map(({ name, command }) => ({
    name,
    says: `memdir may try it once you allow its check: ${withoutSecrets(command)}`,
    commands: [`memdir skill try ${name} --approve`],
  }));
  return [...drafts, ...checks];
}
