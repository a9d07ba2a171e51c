import { median } from "../../core/shared/median.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { recordWords, withinCeilings } from "../../core/skills/offer.ts";
import type { RevisionState } from "../../core/skills/state.ts";
import type { StoredSkill } from "../../core/skills/store.ts";
import type { SkillsMode, SkillScope, SkillStage } from "../../core/skills/types.ts";
import { changeSkillSettings } from "../workspace/skills-mode.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { listCandidates } from "./candidates.ts";
import { follow } from "./follow.ts";
import { openSkills } from "./open-skills.ts";
import { openShelf, type OpenShelf } from "./shelf.ts";

export interface SkillRow {
  readonly name: string;
  readonly scope: SkillScope;
  readonly stage: SkillStage;
  readonly revision: number;
  readonly evidence: string;
  readonly sessions: number;
  readonly lastUse: number | undefined;
  /** Where it is offered: in clients' folders, by recall only, or nowhere. */
  readonly where: string;
  readonly why: string;
  readonly pinned: boolean;
  readonly stale: string | undefined;
  readonly path: string;
  /** A newer revision that is being tried. */
  readonly next: { readonly revision: number; readonly stage: SkillStage; readonly evidence: string } | undefined;
}

export function listSkills(shelf: OpenShelf): readonly SkillRow[] {
  const all = shelf.list();
  const waiting = new Set(
    (["user", "project"] as const).flatMap((scope) => withinCeilings(all.filter((one) => one.scope === scope)).waiting),
  );
  return all.map((one) => rowOf(shelf, one, waiting.has(one)));
}

function rowOf(shelf: OpenShelf, stored: StoredSkill, waits: boolean): SkillRow {
  const { current, next } = stored.standing;
  const { state } = current;
  const clients = shelf.skills.folders
    .published()
    .filter((copy) => copy.skill === stored.skill.id)
    .map(({ client }) => client);
  const { mode } = shelf.skills.settings();
  const isOffered = (mode === "auto" || mode === "confirm") && !waits && ["trial", "promoted"].includes(state.stage);
  return {
    name: stored.name,
    scope: stored.scope,
    stage: state.stage,
    revision: state.revision,
    evidence: evidenceOf(current),
    sessions: state.sessions,
    lastUse: state.lastFollow,
    where: [...(isOffered ? ["recall"] : []), ...clients].join(", ") || "nowhere",
    why: waits ? `${state.why}; it waits: others of this scope are of more use` : state.why,
    pinned: state.pinned,
    stale: current.stale,
    path: stored.path,
    next:
      next === undefined
        ? undefined
        : { revision: next.state.revision, stage: next.state.stage, evidence: evidenceOf(next) },
  };
}

function evidenceOf({ state }: RevisionState): string {
  return recordWords(state);
}

/** The number of skills in each stage, what waits for the user, and what is wrong, for `status` and `doctor`. */
export interface SkillCounts {
  readonly mode: SkillsMode;
  readonly stages: Readonly<Partial<Record<SkillStage, number>>>;
  readonly waiting: number;
  /** Copies in clients' folders that the user changed. */
  readonly changedCopies: readonly string[];
  readonly damaged: readonly string[];
}

export function countSkills(workspace: OpenWorkspace): SkillCounts {
  const shelf = openShelf(workspace);
  const { skills } = shelf;
  const stages: Partial<Record<SkillStage, number>> = {};
  for (const { standing } of shelf.list())
    stages[standing.current.state.stage] = (stages[standing.current.state.stage] ?? 0) + 1;
  return {
    mode: skills.settings().mode,
    stages,
    waiting: shelf.waiting().length,
    changedCopies: skills.folders
      .published()
      .filter(({ path }) => skills.folders.stateOf(path) === "changed")
      .map(({ path }) => path),
    damaged: skills.store
      .foreign()
      .flatMap(({ path, problem }) => (problem === undefined ? [] : [`${path}: ${problem}`])),
  };
}

/** One line for `status`; `undefined` when there is nothing to report. */
export function skillsLine({ mode, stages, waiting }: SkillCounts): string | undefined {
  const counts = Object.entries(stages).map(([stage, count]) => `${count} ${stage === "trial" ? "on trial" : stage}`);
  if (mode === "observe" && counts.length === 0 && waiting === 0) return undefined;
  const waits = waiting === 0 ? [] : [`${waiting} for you to look at: \`memdir review\``];
  const offers = mode === "observe" ? ["nothing is offered"] : [];
  return [mode, ...offers, ...counts, ...waits].join("; ");
}

/** Sets what memdir does with skills, in every project; offers and copies are updated at once. */
export function changeSkillsMode(workspace: OpenWorkspace, mode: SkillsMode): void {
  const { locations, clock } = workspace;
  const skills = openSkills(locations, { clock });
  const change = (): void => changeSkillSettings(locations.memdirHome, { mode });
  // The user's switch is not a memory. It works in every mode of memory, so that `off` always stops skills.
  if (skills.listFiles(skills.place.root).length === 0) change();
  else skills.store.change(change, () => follow(skills));
}

/** A revision's text; without a number, the one in force. @throws MemoryError `not-found` */
export function revisionText(shelf: OpenShelf, stored: StoredSkill, revision: number | undefined): string {
  if (revision === undefined || revision === stored.skill.revision) return stored.text;
  const known = stored.standing.revisions.find(({ state }) => state.revision === revision);
  const found = shelf.skills.store
    .revisions(stored.scope, stored.name)
    .find((one) => one.revision === revision && sha256(one.text) === known?.sha256);
  if (found === undefined) throw new MemoryError("not-found", `${stored.name} has no revision ${revision}`);
  return found.text;
}

/** The revision to go back to: the newest promoted one, otherwise the previous one. */
function formerRevision({ standing }: StoredSkill): number | undefined {
  const now = standing.current.state.revision;
  const before = standing.revisions.filter(({ state }) => state.revision < now);
  return (before.findLast(({ state }) => state.stage === "promoted") ?? before.at(-1))?.state.revision;
}

/** Writes a new revision with an old one's text and evidence. @throws MemoryError */
export function rollBack(shelf: OpenShelf, stored: StoredSkill, to: number | undefined): number {
  const { skills } = shelf;
  if (stored.standing.current.state.stage === "human")
    throw new MemoryError("refused", `you edited ${stored.name}; memdir does not change it any more`);
  const wanted = to ?? formerRevision(stored);
  const old = stored.standing.revisions.find(({ state }) => state.revision === wanted);
  if (wanted === undefined || old === undefined)
    throw new MemoryError(
      "not-found",
      `${stored.name} has no ${to === undefined ? "earlier revision" : `revision ${to}`}`,
    );
  const revision = Math.max(...stored.standing.revisions.map(({ state }) => state.revision)) + 1;
  const given = revisionText(shelf, stored, wanted);
  const text = given.replace(/^( *memdir-revision: )"?\d+"?$/mu, `$1"${revision}"`);
  const time = skills.clock.now();
  const id = sha256(["rollback", stored.skill.id, revision, wanted].join(":")).slice(0, 15);
  shelf.change((writer) => {
    writer.append(stored.scope, stored.name, [
      {
        kind: "person",
        id: `${id}p`,
        time,
        revision: stored.standing.current.state.revision,
        action: "rollback",
        to: wanted,
      },
    ]);
    writer.write(stored.scope, stored.name, text, {
      kind: "written",
      id: `${id}w`,
      time,
      revision,
      author: old.author,
      sha256: sha256(text),
      check: old.check,
      keeps: wanted,
    });
  });
  return revision;
}

/** Figures for `skill stats`: how often a skill was offered, loaded and followed, and the results. */
export function statsOf({ name, standing, events }: StoredSkill) {
  const { state } = standing.current;
  const follows = events.flatMap((event) => (event.kind === "followed" ? [event] : []));
  const calls = follows.map((event) => event.calls);
  return {
    name,
    stage: state.stage,
    offers: new Set(events.flatMap((event) => (event.kind === "offered" ? [event.id] : []))).size,
    loads: new Set(events.flatMap((event) => (event.kind === "loaded" ? [event.id] : []))).size,
    follows: follows.length,
    passes: state.passes,
    fails: state.fails,
    harm: events.filter(({ kind }) => kind === "harm").length,
    callsWhenFollowed: calls.length < 3 ? undefined : median(calls),
    /** For information only: P(p > 0.5) under Beta(1 + passes, 1 + fails). It decides nothing. */
    posterior: posteriorAboveHalf(state.passes, state.fails),
  };
}

/** P(p > 0.5) under Beta(1 + passes, 1 + fails), as a sum of binomials. */
function posteriorAboveHalf(passes: number, fails: number): number {
  const n = passes + fails + 1;
  let term = 1;
  let sum = 0;
  for (let k = 0; k <= passes; k++) {
    sum += term;
    term = (term * (n - k)) / (k + 1);
  }
  return Math.round((sum / 2 ** n) * 1000) / 1000;
}

/** A line of candidates.jsonl, as shown to the user. */
export interface ShownCandidate {
  readonly id: string;
  readonly time: number;
  readonly description: string;
  readonly wants: readonly string[];
  readonly refused: readonly string[];
  readonly draft: string | undefined;
}

/** Newest first. */
export function shownCandidates(shelf: OpenShelf): readonly ShownCandidate[] {
  return listCandidates(shelf.skills.locations)
    .map(({ id, time, recipe: { description }, wants, refused, draft }) => ({
      id,
      time,
      description,
      wants,
      refused,
      draft,
    }))
    .toSorted((a, b) => b.time - a.time);
}
