import { sha256 } from "../../core/shared/hash.ts";
import { record, parseJson } from "../../core/shared/json.ts";
import { withoutSecrets } from "../../core/shared/sanitize.ts";
import { askedWords, openVocabulary } from "../../core/recall/prompt.ts";
import { chooseOffers } from "../../core/skills/offer.ts";
import type { StoredSkill } from "../../core/skills/store.ts";
import type { EvidenceEvent, SkillText } from "../../core/skills/types.ts";
import { triggerTerms } from "./follow.ts";
import type { Skills } from "./open-skills.ts";
import type { OpenShelf } from "./shelf.ts";
import { needsOf } from "../../core/skills/writing.ts";
import { commandsOf } from "../../core/skills/skill.ts";

export type Tried = Extract<EvidenceEvent, { kind: "tried" }>;

export type CheckOutcome =
  | { readonly kind: "no-check" }
  /** Nothing was run, because this command is not approved yet. */
  | { readonly kind: "not-approved"; readonly command: string }
  | { readonly kind: "tried"; readonly result: Tried["result"]; readonly note: string; readonly ms: number };

/** The revision to try: the newer one, if there is one in addition to a promoted one. */
function triedText({ next, skill }: StoredSkill): SkillText {
  return next?.skill ?? skill;
}

/**
 * Runs a skill's check without access to home or network, and records the result. A check that also passes on an empty
 * tree proves nothing. If isolation is impossible or settings forbid checks, nothing is run, and that is recorded.
 */
export function tryCheck(shelf: OpenShelf, stored: StoredSkill): CheckOutcome {
  const { skills } = shelf;
  const text = triedText(stored);
  const command = text.check;
  if (command === undefined) return { kind: "no-check" };
  const obstacle = obstacleTo(skills);
  if (obstacle === undefined && !isApproved(skills, command)) return { kind: "not-approved", command };
  const outcome =
    obstacle === undefined ? runCheck(skills, command) : { result: "not-isolated" as const, note: obstacle, ms: 0 };
  const note = withoutSecrets(outcome.note);
  const time = skills.clock.now();
  const id = sha256(["tried", text.id, text.revision, time, outcome.result].join(":")).slice(0, 16);
  shelf.change((writer) =>
    writer.append(stored.scope, stored.name, [
      {
        kind: "tried",
        id,
        time,
        revision: text.revision,
        result: outcome.result,
        note: note.slice(-500),
        mode: skills.settings().mode,
      },
    ]),
  );
  return { kind: "tried", result: outcome.result, note, ms: outcome.ms };
}

/** Why memdir runs no check here; `undefined` if it may. */
export function obstacleTo(skills: Skills): string | undefined {
  if (skills.settings().check === "never") return '"skills.check" is never in settings.json';
  if (skills.locations.project === undefined) return "there is no checkout here";
  return skills.checks.obstacle();
}

function runCheck(
  skills: Skills,
  command: string,
): { readonly result: Tried["result"]; readonly note: string; readonly ms: number } {
  const { project } = skills.locations;
  const place = { command, directory: project?.checkout ?? "", gitDirectory: project?.gitDirectory };
  const ran = skills.checks.run(place);
  if (ran.kind === "not-isolated") return { result: "not-isolated", note: ran.why, ms: 0 };
  if (ran.kind === "timed-out")
    return { result: "failed", note: `it took more than a minute\n${ran.output}`, ms: ran.ms };
  if (ran.status !== 0) return { result: "failed", note: `exit code ${ran.status}\n${ran.output}`, ms: ran.ms };
  const empty = skills.checks.run({ ...place, emptyTree: true });
  const isVacuous = empty.kind === "ran" && empty.status === 0;
  return { result: isVacuous ? "vacuous" : "passed", note: ran.output, ms: ran.ms };
}

function approvalsFile({ place }: Skills): string {
  return `${place.root}/approvals.json`;
}

function approvals(skills: Skills): Readonly<Record<string, unknown>> {
  return record(parseJson(skills.readText(approvalsFile(skills)) ?? ""));
}

/** Approved by hash, like guards: a changed command needs a new approval. */
function isApproved(skills: Skills, command: string): boolean {
  return typeof approvals(skills)[sha256(command)] === "string";
}

/** Records that the user approves exactly this command. */
export function approveCheck(skills: Skills, command: string): void {
  const next = { ...approvals(skills), [sha256(command)]: new Date(skills.clock.now()).toISOString() };
  skills.putText(approvalsFile(skills), `${JSON.stringify(next, undefined, 1)}\n`);
}

/** How often a skill would have been offered in the past. */
export interface Replay {
  readonly prompts: number;
  readonly met: number;
  /** Up to ten of the prompts. */
  readonly examples: readonly string[];
  /** It would be offered at more than a tenth of all prompts: its description is too unspecific. */
  readonly isTooBroad: boolean;
}

const LEAST_PROMPTS = 20;

export function replay(stored: StoredSkill, prompts: readonly string[]): Replay {
  const text = triedText(stored);
  const entry = {
    place: "",
    scope: stored.scope,
    id: text.id,
    name: text.name,
    revision: text.revision,
    stage: "trial" as const,
    record: "",
    description: text.description,
    path: "",
    terms: triggerTerms(text),
    until: undefined,
  };
  const met = prompts.filter((prompt) => {
    const words = askedWords(prompt, openVocabulary()).map(({ forms }) => forms);
    return chooseOffers([entry], words, 0).offered.length > 0;
  });
  return {
    prompts: prompts.length,
    met: met.length,
    examples: met.slice(0, 10),
    isTooBroad: prompts.length >= LEAST_PROMPTS && met.length * 10 > prompts.length,
  };
}

/** Most checks at a time (each takes a minute at most). */
const MOST_CHECKS = 3;

/** Regular upkeep: demotes stale skills, tries drafts with an approved check, and renews offers. */
export function upkeepSkills(shelf: OpenShelf): void {
  const { mode } = shelf.skills.settings();
  if (mode === "off") return;
  const all = shelf.list();
  for (const stored of all) noteStale(shelf, stored);
  let left = MOST_CHECKS;
  for (const stored of all) {
    const draft = stored.standing.next ?? stored.standing.current;
    const { check, from } = stored.next?.skill ?? stored.skill;
    const isUntried = draft.state.stage === "draft" && !draft.failed && draft.tried === undefined;
    // A draft that no task supports is tried only by the user, no matter who handed it in.
    if (!isUntried || draft.author === "recipe" || from.length === 0 || check === undefined || left === 0) continue;
    if (obstacleTo(shelf.skills) === undefined && !isApproved(shelf.skills, check)) continue;
    tryCheck(shelf, stored);
    left--;
  }
  if (all.length > 0) shelf.change(() => undefined);
}

function noteStale(shelf: OpenShelf, { scope, name, skill, standing }: StoredSkill): void {
  const { state, stale } = standing.current;
  const { skills } = shelf;
  const checkout = skills.locations.project?.checkout;
  if (scope !== "project" || checkout === undefined || stale !== undefined || state.stage !== "promoted") return;
  const needs = needsOf([...commandsOf(skill.body), ...(skill.check === undefined ? [] : [skill.check])]);
  const scripts = record(record(parseJson(skills.readText(`${checkout}/package.json`) ?? ""))["scripts"]);
  const what =
    needs.files.find((file) => skills.readText(`${checkout}/${file}`) === undefined) ??
    needs.scripts.find((script) => typeof scripts[script] !== "string");
  if (what === undefined) return;
  const time = skills.clock.now();
  const id = sha256(["stale", skill.id, state.revision, what].join(":")).slice(0, 16);
  shelf.change((writer) =>
    writer.append(scope, name, [{ kind: "stale", id, time, revision: state.revision, what: `${what} is gone` }]),
  );
}

/** Check commands that wait for the user's approval before memdir runs them. */
export function checksToApprove(shelf: OpenShelf): readonly { readonly name: string; readonly command: string }[] {
  if (obstacleTo(shelf.skills) !== undefined) return [];
  return shelf.list().flatMap(({ name, skill, next, standing }) => {
    const draft = standing.next ?? standing.current;
    const { check: command, from } = next?.skill ?? skill;
    const waits = draft.state.stage === "draft" && !draft.failed && draft.author !== "recipe" && from.length > 0;
    return waits && command !== undefined && !isApproved(shelf.skills, command) ? [{ name, command }] : [];
  });
}
