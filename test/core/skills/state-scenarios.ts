import type { EvidenceEvent, SkillsMode } from "../../../src/core/skills/types.ts";

export const DAY = 86_400_000;
export const START = Date.parse("2026-03-02T09:00:00Z");
type Partial = EvidenceEvent extends infer E
  ? E extends EvidenceEvent
    ? Omit<E, "id" | "time" | "revision">
    : never
  : never;

/** An event on a day, of revision 1 unless it says another. */
export function on(day: number, what: Partial, revision = 1): EvidenceEvent {
  const body = { ...what, time: START + day * DAY, revision };
  return Object.assign({ id: JSON.stringify(body) }, body);
}

export const written = (day = 0, revision = 1, more: object = {}): EvidenceEvent =>
  on(day, { kind: "written", author: "host-agent", sha256: `sha${revision}`, check: "make check", ...more }, revision);
export const tried = (day = 0, revision = 1): EvidenceEvent =>
  on(day, { kind: "tried", result: "passed", note: "" }, revision);
export const place = (session: number, task = "t") => ({
  agent: "claude-code",
  session: `s${session}`,
  task: `${task}${session}`,
});
export const used = (day: number, session: number, result: "pass" | "fail" | "unknown", revision = 1): EvidenceEvent =>
  on(day, { kind: "followed", place: place(session), result, calls: 3, minutes: 1 }, revision);
export const harm = (day: number, session: number, revision = 1): EvidenceEvent =>
  on(day, { kind: "harm", place: place(session), how: "reverted" }, revision);
export const person = (
  day: number,
  action: Extract<EvidenceEvent, { kind: "person" }>["action"],
  revision = 1,
): EvidenceEvent => on(day, { kind: "person", action }, revision);
export const passes = (count: number, from = 1): EvidenceEvent[] =>
  Array.from({ length: count }, (_, at) => used(from + at, from + at, "pass"));
export const TRIAL = [written(), tried()];
export const PROMOTED = [...TRIAL, ...passes(3)];

export interface Scenario {
  readonly name: string;
  readonly events: readonly EvidenceEvent[];
  readonly day?: number;
  readonly mode?: SkillsMode;
  readonly expected: string;
  /** A small wrong change that must be noticed. */
  readonly mutant: readonly [from: string, to: string];
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "a written text is a draft",
    events: [written()],
    expected: "draft 1",
    mutant: ['stage: "draft",\n    failed', 'stage: "trial",\n    failed'],
  },
  {
    name: "a draft whose check passed goes on trial",
    events: TRIAL,
    expected: "trial 1",
    mutant: ['machine.tried === "passed" ||', ""],
  },
  {
    name: "one whose check failed does not",
    events: [written(), on(0, { kind: "tried", result: "failed", note: "" })],
    expected: "draft 1",
    mutant: ["if (isReady &&", "if ("],
  },
  {
    name: "a bare recipe never does",
    events: [written(0, 1, { author: "recipe" }), tried()],
    expected: "draft 1",
    mutant: ['machine.author === "recipe" ||', ""],
  },
  {
    name: "nor one without a check",
    events: [written(0, 1, { check: undefined }), tried()],
    expected: "draft 1",
    mutant: ["machine.check === undefined) return", "false) return"],
  },
  {
    name: "in confirm mode a person must agree",
    events: TRIAL,
    mode: "confirm",
    expected: "draft 1",
    mutant: ['machine.agreed || mode === "auto"', "true"],
  },
  {
    name: "what went on trial unasked stays there when the mode changes",
    events: [written(), on(0, { kind: "tried", result: "passed", note: "", mode: "auto" })],
    mode: "off",
    expected: "trial 1",
    mutant: ['machine.agreed ||= event.mode === "auto";', ""],
  },
  {
    name: "and a person's yes is enough there",
    events: [...TRIAL, person(0, "try")],
    mode: "confirm",
    expected: "trial 1",
    mutant: ["machine.agreed = true;", ""],
  },
  { name: "three passes promote", events: PROMOTED, expected: "promoted 1", mutant: ["passes: 3,", "passes: 4,"] },
  { name: "two do not", events: [...TRIAL, ...passes(2)], expected: "trial 1", mutant: ["passes: 3,", "passes: 2,"] },
  {
    name: "three passes and a fail do not",
    events: [...TRIAL, used(1, 9, "fail"), ...passes(3)],
    expected: "trial 1",
    mutant: ["fails === 0 && passes", "passes"],
  },
  {
    name: "five passes and a fail do",
    events: [...TRIAL, used(1, 9, "fail"), ...passes(5)],
    expected: "promoted 1",
    mutant: ["passesWithFail: 5", "passesWithFail: 6"],
  },
  {
    name: "passes of one session do not",
    events: [
      ...TRIAL,
      ...[1, 2, 3].map((day) =>
        on(day, {
          kind: "followed",
          place: { agent: "a", session: "one", task: `t${day}` },
          result: "pass",
          calls: 1,
          minutes: 1,
        }),
      ),
    ],
    expected: "trial 1",
    mutant: ["sessions: 2,", "sessions: 1,"],
  },
  {
    name: "passes of one day do not",
    events: [...TRIAL, used(1, 1, "pass"), used(1, 2, "pass"), used(1, 3, "pass")],
    expected: "trial 1",
    mutant: ["days: 2,", "days: 1,"],
  },
  {
    name: "an unknown result is no pass",
    events: [...TRIAL, ...passes(2), used(4, 4, "unknown")],
    expected: "trial 1",
    mutant: [
      'event.result === "unknown" ? undefined : event.result',
      'event.result === "unknown" ? "pass" : event.result',
    ],
  },
  {
    name: "two fails drop a trial",
    events: [...TRIAL, used(1, 1, "fail"), used(2, 2, "fail")],
    expected: "draft 1 failed",
    mutant: ["trialFails: 2", "trialFails: 3"],
  },
  {
    name: "one fail does not",
    events: [...TRIAL, used(1, 1, "fail")],
    expected: "trial 1",
    mutant: ["trialFails: 2", "trialFails: 1"],
  },
  {
    name: "one harm drops a trial",
    events: [...TRIAL, harm(1, 1)],
    expected: "draft 1 failed",
    mutant: ['if (isHarm) return drop(machine, time, "it did harm");', ""],
  },
  {
    name: "what was dropped does not come back by evidence",
    events: [...TRIAL, harm(1, 1), tried(2), ...passes(5, 3)],
    expected: "draft 1 failed",
    mutant: ['machine.failed = true;\n  move(machine, "draft"', 'move(machine, "draft"'],
  },
  {
    name: "five offers that nobody followed drop a trial",
    events: [...TRIAL, ...[1, 2, 3, 4, 5].map((one) => on(1, { kind: "offered", place: place(one) }))],
    expected: "draft 1 failed",
    mutant: ["unfollowed: 5", "unfollowed: 6"],
  },
  {
    name: "sixty days without a follow drop a trial",
    events: TRIAL,
    day: 61,
    expected: "draft 1 failed",
    mutant: ["trialDays: 60", "trialDays: 90"],
  },
  {
    name: "fifty-nine do not",
    events: TRIAL,
    day: 59,
    expected: "trial 1",
    mutant: ["trialDays: 60", "trialDays: 50"],
  },
  {
    name: "two fails in a row demote",
    events: [...PROMOTED, used(5, 5, "fail"), used(6, 6, "fail")],
    expected: "demoted 1 failed",
    mutant: ["failsInRow: 2", "failsInRow: 3"],
  },
  {
    name: "one does not",
    events: [...PROMOTED, used(5, 5, "fail")],
    expected: "promoted 1",
    mutant: ["failsInRow: 2", "failsInRow: 1"],
  },
  {
    name: "three of the last six demote",
    events: [
      ...PROMOTED,
      used(5, 5, "fail"),
      used(6, 6, "pass"),
      used(7, 7, "fail"),
      used(8, 8, "pass"),
      used(9, 9, "fail"),
    ],
    expected: "demoted 1 failed",
    mutant: ["failsOfLast: 3", "failsOfLast: 4"],
  },
  {
    name: "three of more than six do not",
    events: [
      ...PROMOTED,
      used(5, 5, "fail"),
      ...[6, 7, 8].map((day) => used(day, day, "pass")),
      used(9, 9, "fail"),
      ...[10, 11].map((day) => used(day, day, "pass")),
      used(12, 12, "fail"),
    ],
    expected: "promoted 1",
    mutant: ["  last: 6,", "  last: 9,"],
  },
  {
    name: "one harm demotes",
    events: [...PROMOTED, harm(5, 5)],
    expected: "demoted 1 failed",
    mutant: ['if (isHarm) return fall(machine, time, "it did harm");', ""],
  },
  {
    name: "a correction counts against the use",
    events: [...PROMOTED, used(5, 5, "pass"), on(5, { kind: "corrected", place: place(5) }), used(6, 6, "fail")],
    expected: "demoted 1 failed",
    mutant: ['event.kind === "corrected") return "fail"', 'event.kind === "corrected") return "pass"'],
  },
  {
    name: "a demoted one does not come back by evidence",
    events: [...PROMOTED, harm(5, 5), tried(6), ...passes(5, 7)],
    expected: "demoted 1 failed",
    mutant: ['machine.stage !== "draft" || machine.failed ||', ""],
  },
  {
    name: "what it names is gone: it is stale",
    events: [...PROMOTED, on(5, { kind: "stale", what: "scripts/x is gone" })],
    expected: "demoted 1 failed",
    mutant: ["fall(machine, event.time, `stale", "void (`stale"],
  },
  {
    name: "a pinned one is only warned of",
    events: [...PROMOTED, person(4, "pin"), on(5, { kind: "stale", what: "scripts/x is gone" })],
    expected: "promoted 1 pinned stale",
    mutant: ['machine.stage === "promoted" && !settings.pinned', 'machine.stage === "promoted"'],
  },
  {
    name: "a pinned one is not demoted by fails",
    events: [...PROMOTED, person(4, "pin"), used(5, 5, "fail"), used(6, 6, "fail")],
    expected: "promoted 1 pinned",
    mutant: ["if (!pinned) judge", "judge"],
  },
  {
    name: "ninety days without a follow retire",
    events: PROMOTED,
    day: 94,
    expected: "retired 1",
    mutant: ["promotedDays: 90", "promotedDays: 120"],
  },
  {
    name: "a pinned one is not retired",
    events: [...PROMOTED, person(4, "pin")],
    day: 94,
    expected: "promoted 1 pinned",
    mutant: ["if (pinned || until", "if (until"],
  },
  {
    name: "wanted twice in two weeks it is tried again, from zero",
    events: [
      ...PROMOTED,
      person(4, "retire"),
      on(5, { kind: "wanted", place: place(5) }),
      on(9, { kind: "wanted", place: place(9) }),
    ],
    day: 10,
    expected: "trial 1",
    mutant: ["machine.wanted.length < RULES.wanted", "true"],
  },
  {
    name: "wanted twice in longer it is not",
    events: [
      ...PROMOTED,
      person(4, "retire"),
      on(5, { kind: "wanted", place: place(5) }),
      on(25, { kind: "wanted", place: place(9) }),
    ],
    day: 26,
    expected: "retired 1",
    mutant: ["wantedDays: 14", "wantedDays: 30"],
  },
  {
    name: "a person's word promotes",
    events: [written(), person(1, "promote")],
    expected: "promoted 1",
    mutant: ['move(machine, "promoted", event.time, "you promoted it")', "undefined"],
  },
  {
    name: "a person's word demotes",
    events: [...PROMOTED, person(5, "demote")],
    expected: "demoted 1 failed",
    mutant: ['move(machine, "demoted", event.time, "you demoted it")', "undefined"],
  },
  {
    name: "a person's word retires",
    events: [...PROMOTED, person(5, "retire")],
    expected: "retired 1",
    mutant: ['move(machine, "retired", event.time, "you retired it")', "undefined"],
  },
  {
    name: "a person who edits it owns it",
    events: [...PROMOTED, person(5, "edited")],
    expected: "human 1",
    mutant: ["edited = true;", "edited = false;"],
  },
  {
    name: "evidence belongs to a revision: a new one begins at zero, the old one holds",
    events: [...PROMOTED, written(5, 2), tried(5, 2)],
    expected: "promoted 1; trial 2",
    mutant: ["machines.get(event.keeps ?? 0)", "machines.get(event.keeps ?? 1)"],
  },
  {
    name: "a revision that keeps commands and check keeps the evidence",
    events: [...PROMOTED, written(5, 2, { keeps: 1 })],
    expected: "promoted 2",
    mutant: ["machines.get(event.keeps ?? 0)", "undefined"],
  },
  {
    name: "a cosmetic revision does not wash a failed one",
    events: [...PROMOTED, harm(5, 5), written(6, 2, { keeps: 1 }), tried(7, 2)],
    expected: "demoted 2 failed",
    mutant: ["if (kept !== undefined)", "if (kept?.failed === false)"],
  },
  {
    name: "a new revision that earns it takes the place",
    events: [...PROMOTED, written(5, 2), tried(5, 2), ...[6, 7, 8].map((day) => used(day, day, "pass", 2))],
    expected: "promoted 2",
    mutant: ['stage === "promoted" && !replaced) ??', 'stage === "promoted" && replaced) ??'],
  },
  {
    name: "one that fails at once gives it back",
    events: [
      ...PROMOTED,
      written(5, 2),
      tried(5, 2),
      ...[6, 7, 8].map((day) => used(day, day, "pass", 2)),
      harm(9, 9, 2),
    ],
    expected: "promoted 1",
    mutant: ["if (former !== undefined) former.replaced = false;", ""],
  },
  {
    name: "one that fails after many uses does not",
    events: [
      ...PROMOTED,
      written(5, 2),
      tried(5, 2),
      ...[6, 7, 8, 9, 10, 11].map((day) => used(day, day, "pass", 2)),
      harm(12, 12, 2),
    ],
    expected: "demoted 2 failed",
    mutant: ["rollbackUses: 5", "rollbackUses: 50"],
  },
  {
    name: "five loads that nobody followed drop a trial too",
    events: [...TRIAL, ...[1, 2, 3, 4, 5].map((one) => on(1, { kind: "loaded", place: place(one) }))],
    expected: "draft 1 failed",
    mutant: ["machine.loads.add(keyOf(event.place));", ""],
  },
  {
    name: "offers do not drop what was followed once",
    events: [
      ...TRIAL,
      used(1, 1, "pass"),
      ...[2, 3, 4, 5, 6].map((one) => on(2, { kind: "offered", place: place(one) })),
    ],
    expected: "trial 1",
    mutant: [" || machine.uses.length > machine.from) return;", ") return;"],
  },
  {
    name: "a follow after sixty days comes too late",
    events: [...TRIAL, ...[70, 71, 72].map((day) => used(day, day, "pass"))],
    day: 73,
    expected: "draft 1 failed",
    mutant: ["for (const machine of machines.values()) pass(machine, event.time, pinned);", ""],
  },
  {
    name: "evidence of a revision that nobody wrote is not counted",
    events: [...TRIAL, used(1, 1, "fail", 7), used(2, 2, "fail", 7)],
    expected: "trial 1",
    mutant: ["const machine = machines.get(event.revision);", "const machine = [...machines.values()][0];"],
  },
  {
    name: "a person's word of another kind does not unpin",
    events: [...TRIAL, person(1, "pin"), person(2, "promote")],
    expected: "promoted 1 pinned",
    mutant: [
      'event.kind === "person" && (event.action === "pin" || event.action === "unpin")',
      'event.kind === "person"',
    ],
  },
  {
    name: "one that is unpinned is demoted again",
    events: [...PROMOTED, person(4, "pin"), person(5, "unpin"), used(6, 6, "fail"), used(7, 7, "fail")],
    expected: "demoted 1 failed",
    mutant: ['pinned = event.action === "pin";', "pinned = true;"],
  },
  {
    name: "wanted again, it is offered as often as the first time",
    events: [
      ...TRIAL,
      ...[1, 2, 3, 4].map((one) => on(1, { kind: "offered", place: place(one) })),
      person(4, "retire"),
      on(5, { kind: "wanted", place: place(5) }),
      on(6, { kind: "wanted", place: place(6) }),
      on(7, { kind: "offered", place: place(7) }),
    ],
    expected: "trial 1",
    mutant: ["machine.offers.clear();", ""],
  },
  {
    name: "and loaded as often",
    events: [
      ...TRIAL,
      ...[1, 2, 3, 4].map((one) => on(1, { kind: "loaded", place: place(one) })),
      person(4, "retire"),
      on(5, { kind: "wanted", place: place(5) }),
      on(6, { kind: "wanted", place: place(6) }),
      on(7, { kind: "loaded", place: place(7) }),
    ],
    expected: "trial 1",
    mutant: ["machine.loads.clear();", ""],
  },
  {
    name: "the place goes back to the newest that is promoted, not to one that a person retired",
    events: [
      ...PROMOTED,
      written(5, 2),
      tried(5, 2),
      ...[6, 7, 8].map((day) => used(day, day, "pass", 2)),
      on(9, { kind: "person", action: "retire" }, 2),
      written(9, 3),
      tried(9, 3),
      ...[10, 11, 12].map((day) => used(day, day, "pass", 3)),
      harm(13, 13, 3),
    ],
    day: 14,
    expected: "promoted 1",
    mutant: ['stage === "promoted" && replaced', "replaced"],
  },
];
