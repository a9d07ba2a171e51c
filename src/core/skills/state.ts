import type { EvidenceEvent, EvidencePlace, SkillAuthor, SkillsMode, SkillStage, SkillState } from "./types.ts";

const RULES = {
  /** Promoted after this many passes without a fail, or after more passes with one. */
  passes: 3,
  passesWithFail: 5,
  failsAllowed: 1,
  sessions: 2,
  days: 2,
  /** A trial is dropped after this many fails, unfollowed offers, or days without a follow. */
  trialFails: 2,
  unfollowed: 5,
  trialDays: 60,
  /** A promoted skill is demoted after this many fails in a row, or among its last uses. */
  failsInRow: 2,
  failsOfLast: 3,
  last: 6,
  /** A promoted skill is retired after this many days without a follow; if wanted again, it is retried. */
  promotedDays: 90,
  wanted: 2,
  wantedDays: 14,
  /** A revision demoted within this many uses gives its place back to the promoted one before it. */
  rollbackUses: 5,
} as const;

const DAY_MS = 86_400_000;

export interface FoldSettings {
  readonly now: number;
  readonly mode: SkillsMode;
  /** The file on disk differs from what memdir wrote: the user edited it. */
  readonly edited?: boolean;
}

export interface RevisionState {
  readonly state: SkillState;
  readonly author: SkillAuthor;
  readonly sha256: string;
  readonly check: string | undefined;
  /** It failed, and evidence cannot restore it; only the user or a new revision can. */
  readonly failed: boolean;
  /** Something it names is gone; a pinned skill is offered with this warning. */
  readonly stale: string | undefined;
  /** The result of the last check that memdir ran, or why it could not run one. */
  readonly tried: Extract<EvidenceEvent, { kind: "tried" }>["result"] | undefined;
  /** When its stage began (ms). */
  readonly since: number;
  /** When time alone will change its stage (ms). */
  readonly until: number | undefined;
  /** Passes of the last 90 days. */
  readonly recentPasses: number;
}

export interface SkillStanding {
  /** The revision in SKILL.md. */
  readonly current: RevisionState;
  /** A newer revision next to a promoted one; it has yet to earn its evidence. */
  readonly next: RevisionState | undefined;
  readonly revisions: readonly RevisionState[];
}

type Verdict = "pass" | "fail" | "harm";

interface Use {
  readonly key: string;
  readonly session: string;
  readonly time: number;
  verdict: Verdict | undefined;
}

interface Machine {
  readonly revision: number;
  readonly author: SkillAuthor;
  readonly sha256: string;
  readonly check: string | undefined;
  stage: Exclude<SkillStage, "human">;
  failed: boolean;
  why: string;
  since: number;
  stale: string | undefined;
  tried: RevisionState["tried"];
  agreed: boolean;
  uses: Use[];
  /** Index of the first use that counts: those before it preceded the user's decision or a second chance. */
  from: number;
  /** The number of uses taken over from the revision whose evidence it keeps. */
  inherited: number;
  offers: Set<string>;
  loads: Set<string>;
  wanted: number[];
  /** A newer revision was promoted and replaced it. */
  replaced: boolean;
  /** The first revision with the same commands and check: what fails for one fails for the others. */
  readonly work: number;
}

/** `undefined` if nothing was written yet. The order of events, repeats and differing clocks do not matter. */
export function foldSkill(events: readonly EvidenceEvent[], settings: FoldSettings): SkillStanding | undefined {
  const ordered = [...new Map(events.map((event) => [event.id, event])).values()].toSorted(
    (a, b) => a.time - b.time || rank(a) - rank(b) || (a.id < b.id ? -1 : 1),
  );
  const machines = new Map<number, Machine>();
  let pinned = false;
  let edited = settings.edited === true;
  for (const event of ordered) {
    if (event.kind === "written") {
      if (machines.has(event.revision)) continue;
      const machine = begun(event, machines.get(event.keeps ?? 0));
      if (machine.stage === "promoted") takePlace(machine, machines);
      machines.set(event.revision, machine);
      continue;
    }
    for (const machine of machines.values()) pass(machine, event.time, pinned);
    if (event.kind === "person" && (event.action === "pin" || event.action === "unpin"))
      pinned = event.action === "pin";
    if (event.kind === "person" && event.action === "edited") edited = true;
    const machine = machines.get(event.revision);
    if (machine === undefined) continue;
    const before = machine.stage;
    take(machine, event, { pinned, mode: settings.mode });
    if (machine.stage === "promoted" && before !== "promoted") takePlace(machine, machines);
    if (machine.stage === "demoted" && before === "promoted") giveBack(machine, machines);
  }
  for (const machine of machines.values()) pass(machine, settings.now, pinned);
  return standingOf([...machines.values()], { pinned, edited, now: settings.now });
}

function rank({ kind }: EvidenceEvent): number {
  return kind === "written" ? 0 : kind === "tried" || kind === "person" ? 1 : 2;
}

function begun(
  { revision, author, sha256, check, time }: Extract<EvidenceEvent, { kind: "written" }>,
  kept: Machine | undefined,
): Machine {
  const work = kept?.work ?? revision;
  const base = { revision, author, sha256, check, work, stale: undefined, replaced: false };
  if (kept !== undefined)
    return {
      ...kept,
      ...base,
      uses: kept.uses.map((one) => ({ ...one })),
      inherited: kept.uses.length,
      offers: new Set(kept.offers),
      loads: new Set(kept.loads),
      wanted: [...kept.wanted],
    };
  return {
    ...base,
    stage: "draft",
    failed: false,
    why: "written; its check was not tried yet",
    since: time,
    tried: undefined,
    agreed: false,
    uses: [],
    from: 0,
    inherited: 0,
    offers: new Set(),
    loads: new Set(),
    wanted: [],
  };
}

function pass(machine: Machine, time: number, pinned: boolean): void {
  const until = untilOf(machine);
  if (pinned || until === undefined || time <= until) return;
  if (machine.stage === "trial") drop(machine, until, `not followed for ${RULES.trialDays} days`);
  else move(machine, "retired", until, `not followed for ${RULES.promotedDays} days`);
}

function untilOf(machine: Machine): number | undefined {
  const last = Math.max(machine.since, lastFollow(machine) ?? 0);
  if (machine.stage === "trial") return last + RULES.trialDays * DAY_MS;
  return machine.stage === "promoted" ? last + RULES.promotedDays * DAY_MS : undefined;
}

function take(
  machine: Machine,
  event: Exclude<EvidenceEvent, { kind: "written" }>,
  settings: { readonly pinned: boolean; readonly mode: SkillsMode },
): void {
  switch (event.kind) {
    case "person":
      return say(machine, event, settings.mode);
    case "tried":
      machine.tried = event.result;
      machine.agreed ||= event.mode === "auto"; // a skill on trial stays there when the mode changes
      if (machine.stage === "draft" && !machine.failed) machine.why = TRIED[event.result];
      return begin(machine, event.time, settings.mode);
    case "offered":
      if (machine.stage === "trial") machine.offers.add(keyOf(event.place));
      return ignored(machine, event.time, settings.pinned);
    case "loaded":
      machine.loads.add(keyOf(event.place));
      return ignored(machine, event.time, settings.pinned);
    case "wanted":
      return want(machine, event.time, settings.pinned);
    case "stale":
      machine.stale = event.what;
      if (machine.stage === "promoted" && !settings.pinned) fall(machine, event.time, `stale: ${event.what}`);
      return undefined;
    case "followed":
    case "corrected":
    case "harm":
      return use(machine, event, settings.pinned);
  }
}

const TRIED: Readonly<Record<Extract<EvidenceEvent, { kind: "tried" }>["result"], string>> = {
  passed: "its check passed in isolation; it waits for a yes",
  failed: "its check failed in isolation",
  vacuous: "its check passes on an empty tree too, so it shows nothing",
  "not-isolated": "its check cannot be run in isolation here; it waits for a yes",
};

function say(machine: Machine, event: Extract<EvidenceEvent, { kind: "person" }>, mode: SkillsMode): void {
  switch (event.action) {
    case "try":
      machine.agreed = true;
      return begin(machine, event.time, mode);
    case "promote":
      machine.failed = false;
      machine.stale = undefined;
      machine.from = machine.uses.length;
      return move(machine, "promoted", event.time, "you promoted it");
    case "demote":
      machine.failed = true;
      return move(machine, "demoted", event.time, "you demoted it");
    case "retire":
      return move(machine, "retired", event.time, "you retired it");
    default:
      return undefined;
  }
}

/** Puts a draft on trial: no bare recipe, its check passed or cannot run here, and in confirm mode the user agreed. */
function begin(machine: Machine, time: number, mode: SkillsMode): void {
  const isReady = machine.tried === "passed" || machine.tried === "not-isolated";
  if (machine.stage !== "draft" || machine.failed || machine.author === "recipe" || machine.check === undefined) return;
  if (isReady && (machine.agreed || mode === "auto")) move(machine, "trial", time, "on trial");
}

function ignored(machine: Machine, time: number, pinned: boolean): void {
  if (machine.stage !== "trial" || pinned || machine.uses.length > machine.from) return;
  if (Math.max(machine.offers.size, machine.loads.size) >= RULES.unfollowed)
    drop(machine, time, `offered ${RULES.unfollowed} times and never followed`);
}

/** A retired skill that is wanted again is tried once more with its old text. */
function want(machine: Machine, time: number, pinned: boolean): void {
  if (machine.stage !== "retired" || pinned) return;
  machine.wanted = [...machine.wanted.filter((one) => time - one <= RULES.wantedDays * DAY_MS), time];
  if (machine.wanted.length < RULES.wanted) return;
  machine.from = machine.uses.length;
  machine.offers.clear();
  machine.loads.clear();
  machine.wanted = [];
  move(machine, "trial", time, "wanted again");
}

/** One task is one use; its worst verdict counts. */
function use(
  machine: Machine,
  event: Extract<EvidenceEvent, { kind: "followed" | "corrected" | "harm" }>,
  pinned: boolean,
): void {
  if (machine.stage !== "trial" && machine.stage !== "promoted") return;
  const verdict = verdictOf(event);
  const key = keyOf(event.place);
  const known = machine.uses.find((one) => one.key === key);
  if (known === undefined) machine.uses.push({ key, session: event.place.session, time: event.time, verdict });
  else if (weight(verdict) > weight(known.verdict)) known.verdict = verdict;
  else return;
  if (!pinned) judge(machine, event.time);
}

function verdictOf(event: Extract<EvidenceEvent, { kind: "followed" | "corrected" | "harm" }>): Verdict | undefined {
  if (event.kind === "harm") return "harm";
  if (event.kind === "corrected") return "fail";
  return event.result === "unknown" ? undefined : event.result;
}

function weight(verdict: Verdict | undefined): number {
  return verdict === undefined ? 0 : ["pass", "fail", "harm"].indexOf(verdict) + 1;
}

function judge(machine: Machine, time: number): void {
  const counted = machine.uses.slice(machine.from).filter(({ verdict }) => verdict !== undefined);
  const fails = counted.filter(({ verdict }) => verdict !== "pass");
  const isHarm = fails.some(({ verdict }) => verdict === "harm");
  if (machine.stage === "trial") {
    if (isHarm) return drop(machine, time, "it did harm");
    if (fails.length >= RULES.trialFails) return drop(machine, time, `${RULES.trialFails} fails on trial`);
    if (hasEarned(counted))
      move(machine, "promoted", time, `${counted.length - fails.length} of ${counted.length} passed`);
    return;
  }
  if (isHarm) return fall(machine, time, "it did harm");
  const isFail = ({ verdict }: Use): boolean => verdict !== "pass";
  const row = counted.slice(-RULES.failsInRow);
  if (row.length === RULES.failsInRow && row.every(isFail)) return fall(machine, time, "2 fails in a row");
  if (counted.slice(-RULES.last).filter(isFail).length >= RULES.failsOfLast)
    fall(machine, time, `${RULES.failsOfLast} of the last ${RULES.last} failed`);
}

function hasEarned(counted: readonly Use[]): boolean {
  const passes = counted.filter(({ verdict }) => verdict === "pass");
  const fails = counted.length - passes.length;
  const isEnough =
    (fails === 0 && passes.length >= RULES.passes) ||
    (fails <= RULES.failsAllowed && passes.length >= RULES.passesWithFail);
  const sessions = new Set(passes.map(({ session }) => session));
  const days = new Set(passes.map(({ time }) => Math.floor(time / DAY_MS)));
  return isEnough && sessions.size >= RULES.sessions && days.size >= RULES.days;
}

function move(machine: Machine, stage: Machine["stage"], time: number, why: string): void {
  machine.stage = stage;
  machine.since = time;
  machine.why = why;
}

function drop(machine: Machine, time: number, why: string): void {
  machine.failed = true;
  move(machine, "draft", time, `dropped: ${why}`);
}

function fall(machine: Machine, time: number, why: string): void {
  machine.failed = true;
  move(machine, "demoted", time, why);
}

function takePlace({ revision }: Machine, machines: ReadonlyMap<number, Machine>): void {
  for (const other of machines.values()) if (other.revision < revision) other.replaced = true;
}

/** A revision that fails soon after replacing a promoted one gives its place back. */
function giveBack(machine: Machine, machines: ReadonlyMap<number, Machine>): void {
  if (machine.uses.length - machine.inherited > RULES.rollbackUses) return;
  const former = [...machines.values()]
    .filter(({ revision, work }) => revision < machine.revision && work !== machine.work)
    .filter(({ stage, replaced }) => stage === "promoted" && replaced)
    .toSorted((a, b) => b.revision - a.revision)[0];
  if (former !== undefined) former.replaced = false;
}

function standingOf(
  machines: readonly Machine[],
  { pinned, edited, now }: { readonly pinned: boolean; readonly edited: boolean; readonly now: number },
): SkillStanding | undefined {
  const byNumber = machines.toSorted((a, b) => a.revision - b.revision);
  const newest = byNumber.at(-1);
  if (newest === undefined) return undefined;
  const inForce = byNumber.findLast(({ stage, replaced }) => stage === "promoted" && !replaced) ?? newest;
  const later = inForce === newest || newest.failed || edited ? undefined : newest;
  const shown = (machine: Machine): RevisionState => revisionState(machine, pinned, now);
  const current = shown(inForce);
  return {
    current: edited ? { ...current, state: { ...current.state, stage: "human", why: "you edited it" } } : current,
    next: later === undefined ? undefined : shown(later),
    revisions: byNumber.map(shown),
  };
}

function revisionState(machine: Machine, pinned: boolean, now: number): RevisionState {
  const counted = machine.uses.slice(machine.from).filter(({ verdict }) => verdict !== undefined);
  const passes = counted.filter(({ verdict }) => verdict === "pass");
  return {
    state: {
      stage: machine.stage,
      revision: machine.revision,
      pinned,
      passes: passes.length,
      fails: counted.length - passes.length,
      sessions: new Set(counted.map(({ session }) => session)).size,
      loads: machine.loads.size,
      offers: machine.offers.size,
      lastFollow: lastFollow(machine),
      why: machine.why,
    },
    author: machine.author,
    sha256: machine.sha256,
    check: machine.check,
    failed: machine.failed,
    stale: machine.stale,
    tried: machine.tried,
    since: machine.since,
    until: pinned ? undefined : untilOf(machine),
    recentPasses: passes.filter(({ time }) => now - time <= RULES.promotedDays * DAY_MS).length,
  };
}

function lastFollow({ uses }: Machine): number | undefined {
  return uses.length === 0 ? undefined : Math.max(...uses.map(({ time }) => time));
}

function keyOf({ agent, session, task }: EvidencePlace): string {
  return `${agent}\n${session}\n${task}`;
}
