import type { SecretScanner } from "../../core/shared/secrets/mask.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { dayIn } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { parseJson } from "../../core/shared/json.ts";
import { withoutSecrets } from "../../core/shared/sanitize.ts";
import { bodyOf, commandsOf, renderSkill } from "../../core/skills/skill.ts";
import type { SkillWriter, StoredSkill } from "../../core/skills/store.ts";
import { type GateFinding, textGates } from "../../core/skills/text-gates.ts";
import type {
  DraftProposal,
  DraftVerdict,
  EvidenceEvent,
  KnownSkill,
  SkillGate,
  SkillScope,
  SkillShelf,
  SkillText,
} from "../../core/skills/types.ts";
import { asTyped, refuseText } from "../notes/gate.ts";
import { mayWrite, refusedByMode } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { follow } from "./follow.ts";
import { openSkills, type Skills } from "./open-skills.ts";

/** A proposal that a gate doubts; it waits for the user. */
export interface WaitingDraft {
  readonly id: string;
  /** ISO time. */
  readonly time: string;
  readonly reasons: readonly SkillGate[];
  readonly why: readonly string[];
  readonly proposal: DraftProposal;
}

/** The shelf, with the user's operations on it. */
export interface OpenShelf extends SkillShelf {
  readonly skills: Skills;
  readonly secrets: SecretScanner;
  /** memdir's own skills, with their state. */
  list(): readonly StoredSkill[];
  /** Finds a skill by its name or a unique prefix of it. @throws MemoryError `not-found`. */
  find(name: string): StoredSkill;
  /** Drafts that wait because of doubts, oldest first. */
  waiting(): readonly WaitingDraft[];
  /** The user's answer to a doubt. */
  settleWaiting(id: string, accept: boolean): Promise<DraftVerdict>;
  /** Records the user's decision about a skill. */
  say(skill: StoredSkill, action: Extract<EvidenceEvent, { kind: "person" }>["action"], to?: number): void;
  /** Changes skills and updates what derives from them. @throws MemoryError `refused` if the mode forbids writing. */
  change<T>(work: (writer: SkillWriter) => T): T;
}

/** The skills of the scopes in force. Changes that a killed process left incomplete are completed first. */
export function openShelf(workspace: OpenWorkspace, options: { readonly files?: FilePort } = {}): OpenShelf {
  const { locations, clock, secrets } = workspace;
  const skills = openSkills(locations, { clock, ...options });
  const change = <T>(work: (writer: SkillWriter) => T): T => {
    if (!mayWrite(workspace.mode))
      throw refusedByMode("memory", { mode: workspace.mode, reason: locations.modeReason });
    return skills.store.change(work, () => follow(skills));
  };
  if (skills.store.isCutOff() && mayWrite(workspace.mode)) change(() => undefined);
  const list = (): readonly StoredSkill[] => skills.store.list();
  const propose = (proposal: DraftProposal, isAgreed: boolean): Promise<DraftVerdict> =>
    proposeDraft({ skills, secrets, change }, proposal, isAgreed);
  return {
    skills,
    secrets,
    list,
    change,
    find: (name) => findSkill(list(), name),
    known: () => list().flatMap(knownOf),
    human: () =>
      [...skills.folders.human(), ...skills.store.foreign()].map(({ name, description }) => ({ name, description })),
    propose: (proposal) => propose(proposal, false),
    record(skill, events) {
      const stored = list().find(({ skill: { id } }) => id === skill);
      if (stored === undefined) throw new MemoryError("not-found", `there is no skill with the id ${skill}`);
      change((writer) => writer.append(stored.scope, stored.name, events.map(masked)));
    },
    waiting: () => waitingIn(skills),
    async settleWaiting(id, accept) {
      const draft = waitingIn(skills).find((one) => one.id === id);
      if (draft === undefined) throw new MemoryError("not-found", `no skill with the id ${id} waits for you`);
      const verdict: DraftVerdict = accept
        ? await propose(draft.proposal, true)
        : { kind: "refused", reasons: draft.reasons, message: "you rejected it" };
      skills.removeFile(waitingFile(skills, id));
      return verdict;
    },
    say({ scope, name, standing, events }, action, to) {
      const { revision } =
        standing.next !== undefined && action === "try" ? standing.next.state : standing.current.state;
      const time = clock.now();
      const id = sha256(["person", action, name, time, events.length].join(":")).slice(0, 16);
      change((writer) =>
        writer.append(scope, name, [
          {
            kind: "person",
            id,
            time,
            revision: to !== undefined && action !== "rollback" ? to : revision,
            action,
            ...(to !== undefined && { to }),
          },
        ]),
      );
    },
  };
}

/** A skill by its name or a prefix of it. @throws MemoryError `not-found`. */
function findSkill(all: readonly StoredSkill[], name: string): StoredSkill {
  const exact = all.filter((one) => one.name === name || `${one.scope}:${one.name}` === name);
  const near = exact.length > 0 ? exact : all.filter((one) => name !== "" && one.name.startsWith(name));
  const [first, second] = near;
  if (first !== undefined && (second === undefined || exact.length > 0)) return first;
  const names = (near.length > 0 ? near : all).map((one) => one.name).slice(0, 5);
  const rest =
    names.length === 0 ? "; there are none yet" : `; there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`;
  throw new MemoryError("not-found", `no skill is named "${name}"${rest}`);
}

/** The revision in force, and a newer one that is being tried. */
function knownOf({ name, path, skill, standing, next }: StoredSkill): KnownSkill[] {
  const one = (text: SkillText, at: string, stage: KnownSkill["stage"]): KnownSkill => ({
    id: text.id,
    name,
    revision: text.revision,
    stage,
    path: at,
    commands: commandsOf(text.body),
    check: text.check,
  });
  const newer =
    next === undefined || standing.next === undefined ? [] : [one(next.skill, next.path, standing.next.state.stage)];
  return [one(skill, path, standing.current.state.stage), ...newer];
}

/** Removes secrets from the free text of an event, so that none gets into the evidence. */
function masked(event: EvidenceEvent): EvidenceEvent {
  if (event.kind === "tried") return { ...event, note: withoutSecrets(event.note) };
  return event.kind === "stale" ? { ...event, what: withoutSecrets(event.what) } : event;
}

interface Proposing {
  readonly skills: Skills;
  readonly secrets: SecretScanner;
  readonly change: OpenShelf["change"];
}

/** Runs the gates; then keeps the draft on disk, lets it wait, or refuses it with reasons. */
async function proposeDraft(at: Proposing, given: DraftProposal, isAgreed: boolean): Promise<DraftVerdict> {
  const { skills } = at;
  const proposal = asTyped(given);
  const own = skills.store.list();
  const revised = own.find(({ skill: { id } }) => id === proposal.revises);
  const text = textOf(skills, proposal, revised);
  const refusal = await refuseText({ secrets: at.secrets }, proposal, text);
  if (refusal !== undefined)
    return {
      kind: "refused",
      reasons: [refusal.reason === "secret" ? "secret" : "hidden-characters"],
      message: refusal.message,
    };
  const human = [...skills.folders.human(), ...skills.store.foreign()];
  const findings = [
    ...revisionProblems(proposal, revised),
    ...textGates(proposal, text, { own: own.map(({ skill }) => skill), human }),
  ];
  const refused = findings.filter(({ isDoubt }) => !isDoubt);
  if (refused.length > 0)
    return {
      kind: "refused",
      reasons: refused.map(({ gate }) => gate),
      message: refused.map(({ message }) => message).join("; "),
    };
  if (findings.length > 0 && !isAgreed) return wait(skills, proposal, findings);
  return keep(at, proposal, text, revised);
}

function revisionProblems({ revises, name }: DraftProposal, revised: StoredSkill | undefined): readonly GateFinding[] {
  if (revises === undefined) return [];
  const refuse = (message: string): readonly GateFinding[] => [{ gate: "invalid", message, isDoubt: false }];
  if (revised === undefined) return refuse(`there is no skill with the id ${revises} to revise`);
  if (revised.standing.current.state.stage === "human")
    return [
      {
        gate: "human-exists",
        message: `you edited ${revised.name}; memdir does not change it any more`,
        isDoubt: false,
      },
    ];
  return revised.name === name ? [] : refuse(`a revision keeps the name ${revised.name}`);
}

function textOf({ clock }: Skills, proposal: DraftProposal, revised: StoredSkill | undefined): SkillText {
  const newest = Math.max(0, ...(revised?.standing.revisions.map(({ state }) => state.revision) ?? []));
  return {
    name: proposal.name,
    description: proposal.description.trim(),
    compatibility: proposal.programs.length === 0 ? undefined : `needs ${proposal.programs.join(", ")}`,
    id: revised?.skill.id ?? sha256(`${proposal.scope}:${proposal.name}:${clock.now()}`).slice(0, 8),
    revision: newest + 1,
    from: proposal.from.slice(0, 5),
    check: proposal.check,
    learnt: dayIn("UTC", clock.now()),
    body: bodyOf(proposal),
  };
}

function keep(
  { skills, change }: Proposing,
  proposal: DraftProposal,
  skill: SkillText,
  revised: StoredSkill | undefined,
): DraftVerdict {
  const text = renderSkill(skill, skills.codec);
  const scope: SkillScope = revised?.scope ?? proposal.scope;
  const before = revised?.standing.current;
  const isSameWork =
    revised !== undefined &&
    revised.skill.check === skill.check &&
    JSON.stringify(commandsOf(revised.skill.body)) === JSON.stringify(commandsOf(skill.body));
  change((writer) =>
    writer.write(scope, skill.name, text, {
      kind: "written",
      id: sha256(`written:${skill.id}:${skill.revision}:${sha256(text)}`).slice(0, 16),
      time: skills.clock.now(),
      revision: skill.revision,
      author: proposal.author,
      sha256: sha256(text),
      check: skill.check,
      ...(isSameWork && before !== undefined && { keeps: before.state.revision }),
    }),
  );
  return { kind: "kept", skill: skill.id, name: skill.name, revision: skill.revision };
}

const MOST_WAITING = 50;

function waitingFile({ place }: Skills, id: string): string {
  return `${place.root}/waiting/${id}.json`;
}

function wait(skills: Skills, proposal: DraftProposal, findings: readonly GateFinding[]): DraftVerdict {
  const id = sha256(JSON.stringify(proposal)).slice(0, 8);
  const reasons = [...new Set(findings.map(({ gate }) => gate))];
  const draft: WaitingDraft = {
    id,
    time: new Date(skills.clock.now()).toISOString(),
    reasons,
    why: findings.map(({ message }) => message),
    proposal,
  };
  for (const old of waitingIn(skills).slice(0, -MOST_WAITING + 1)) skills.removeFile(waitingFile(skills, old.id));
  skills.putText(waitingFile(skills, id), `${JSON.stringify(draft)}\n`);
  return { kind: "waits", reasons, item: id };
}

function waitingIn(skills: Skills): readonly WaitingDraft[] {
  const directory = `${skills.place.root}/waiting`;
  return skills
    .listFiles(directory)
    .filter((name) => /^[0-9a-f]{8}\.json$/u.test(name))
    .flatMap((name) => {
      const value = parseJson(skills.readText(`${directory}/${name}`) ?? "");
      return isWaiting(value) ? [value] : [];
    })
    .toSorted((a, b) => (a.time < b.time ? -1 : 1));
}

function isWaiting(value: unknown): value is WaitingDraft {
  return typeof value === "object" && value !== null && "id" in value && "proposal" in value && "reasons" in value;
}
