import type { EvidenceEvent } from "../../../src/core/skills/types.ts";
import {
  harm,
  on,
  passes,
  person,
  place,
  PROMOTED,
  type Scenario,
  TRIAL,
  tried,
  used,
  written,
} from "./state-scenarios.ts";

const loads = (count: number, day: number): EvidenceEvent[] =>
  Array.from({ length: count }, (_, at) => on(day, { kind: "loaded", place: place(100 + at) }));
const offers = (count: number, day: number): EvidenceEvent[] =>
  Array.from({ length: count }, (_, at) => on(day, { kind: "offered", place: place(100 + at) }));
const wanted = (...days: readonly number[]): EvidenceEvent[] =>
  days.map((day) => on(day, { kind: "wanted", place: place(50 + day) }));
const stale = (day: number): EvidenceEvent => on(day, { kind: "stale", what: "scripts/x is gone" });
/** Revision 1 was promoted, and revision 2 after it, by three passes of its own. */
const TWO = [...PROMOTED, written(5, 2), tried(5, 2), ...[6, 7, 8].map((day) => used(day, day, "pass", 2))];
const THREE = [...TWO, written(9, 3), tried(9, 3), ...[10, 11, 12].map((day) => used(day, day, "pass", 3))];

/** A person's later word, second chances, and what revisions take from one another. */
export const SCENARIOS_AGAIN: readonly Scenario[] = [
  {
    name: "a revision that is written twice is one",
    events: [...PROMOTED, written(5, 1, { sha256: "other" })],
    expected: "promoted 1",
    mutant: ["if (machines.has(event.revision)) continue;", ""],
  },
  {
    name: "a use of a revision that is not there says nothing of the others",
    events: [...TRIAL, used(0.5, 9, "pass", 7), ...passes(3)],
    expected: "promoted 1",
    mutant: ["if (machine === undefined) continue;", "if (machine === undefined) break;"],
  },
  {
    name: "one that is pinned no longer is demoted by fails",
    events: [...PROMOTED, person(4, "pin"), person(5, "unpin"), used(6, 6, "fail"), used(7, 7, "fail")],
    expected: "demoted 1 failed",
    mutant: ['pinned = event.action === "pin";', "pinned = true;"],
  },
  {
    name: "a person's word brings back what failed",
    events: [...PROMOTED, harm(5, 5), person(6, "promote")],
    expected: "promoted 1",
    mutant: ["machine.failed = false;", ""],
  },
  {
    name: "and what was stale, without its warning",
    events: [...PROMOTED, stale(5), person(6, "promote")],
    expected: "promoted 1",
    mutant: ["machine.stale = undefined;", ""],
  },
  {
    name: "fails from before a person's word count no longer",
    events: [...PROMOTED, used(5, 5, "fail"), used(6, 6, "fail"), person(7, "promote"), used(8, 8, "fail")],
    expected: "promoted 1",
    mutant: ["machine.from = machine.uses.length;", ""],
  },
  {
    name: "fails from after it do",
    events: [...PROMOTED, person(4, "promote"), used(8, 8, "fail"), used(9, 9, "fail")],
    expected: "demoted 1 failed",
    mutant: ["machine.uses.slice(machine.from)", "machine.uses.slice(3 * machine.from)"],
  },
  {
    name: "five loads that nobody followed drop a trial",
    events: [...TRIAL, ...loads(5, 1)],
    expected: "draft 1 failed",
    mutant: ["Math.max(machine.offers.size, machine.loads.size)", "machine.offers.size"],
  },
  {
    name: "four do not",
    events: [...TRIAL, ...loads(4, 1), ...offers(4, 1)],
    expected: "trial 1",
    mutant: ["unfollowed: 5", "unfollowed: 4"],
  },
  {
    name: "nor five offers after it was followed",
    events: [...TRIAL, used(1, 1, "fail"), ...offers(5, 2)],
    expected: "trial 1",
    mutant: [" || machine.uses.length > machine.from) return;", ") return;"],
  },
  {
    name: "nor offers of one that is pinned",
    events: [...TRIAL, person(1, "pin"), ...offers(5, 2)],
    expected: "trial 1 pinned",
    mutant: ['machine.stage !== "trial" || pinned ||', 'machine.stage !== "trial" ||'],
  },
  {
    name: "nor offers from before the trial",
    events: [written(), ...offers(5, 1), tried(2), ...loads(1, 3)],
    expected: "trial 1",
    mutant: ['if (machine.stage === "trial") machine.offers.add', "machine.offers.add"],
  },
  {
    name: "what a person promoted stays, however often nobody follows it",
    events: [written(), person(1, "promote"), ...loads(5, 2)],
    expected: "promoted 1",
    mutant: ['if (machine.stage !== "trial" || pinned', "if (pinned"],
  },
  {
    name: "a demoted one does not come back because it is wanted",
    events: [...PROMOTED, harm(5, 5), ...wanted(6, 7)],
    expected: "demoted 1 failed",
    mutant: ['if (machine.stage !== "retired" || pinned) return;', "if (pinned) return;"],
  },
  {
    name: "nor a retired one that is pinned",
    events: [...PROMOTED, person(4, "retire"), person(4, "pin"), ...wanted(5, 9)],
    expected: "retired 1 pinned",
    mutant: ['machine.stage !== "retired" || pinned', 'machine.stage !== "retired"'],
  },
  {
    name: "passes from before its second chance do not promote",
    events: [...PROMOTED, person(4, "retire"), ...wanted(5, 9), used(10, 10, "pass")],
    expected: "trial 1",
    mutant: ["machine.from = machine.uses.length;\n  machine.offers", "machine.offers"],
  },
  {
    name: "nor do offers from before it drop",
    events: [
      ...TRIAL,
      ...offers(4, 0.5),
      ...passes(3),
      person(4, "retire"),
      ...wanted(5, 9),
      ...offers(5, 10).slice(4),
    ],
    expected: "trial 1",
    mutant: ["machine.offers.clear();", ""],
  },
  {
    name: "nor do loads",
    events: [...TRIAL, ...loads(4, 0.5), ...passes(3), person(4, "retire"), ...wanted(5, 9), ...loads(5, 10).slice(4)],
    expected: "trial 1",
    mutant: ["machine.loads.clear();", ""],
  },
  {
    name: "a wish is used up by a second chance",
    events: [...PROMOTED, person(4, "retire"), ...wanted(5, 6), ...passes(3, 7), person(10, "retire"), ...wanted(11)],
    expected: "retired 1",
    mutant: ["  machine.wanted = [];\n", ""],
  },
  {
    name: "a correction that comes later counts against a pass",
    events: [...PROMOTED, used(5, 5, "pass"), on(5.5, { kind: "corrected", place: place(5) }), used(6, 6, "fail")],
    expected: "demoted 1 failed",
    mutant: ["weight(verdict) > weight(known.verdict)", 'verdict === "harm"'],
  },
  {
    name: "a follow moves the sixty days of a trial",
    events: [...TRIAL, used(30, 1, "fail")],
    day: 80,
    expected: "trial 1",
    mutant: ["Math.max(machine.since, lastFollow(machine) ?? 0)", "machine.since"],
  },
  {
    name: "and the ninety of a promoted one",
    events: [...PROMOTED, used(60, 60, "pass")],
    day: 140,
    expected: "promoted 1",
    mutant: ["Math.max(machine.since, lastFollow(machine) ?? 0)", "machine.since"],
  },
  {
    name: "what was too late for a trial does not promote it",
    events: [...TRIAL, used(1, 1, "pass"), used(2, 2, "pass"), used(70, 70, "pass")],
    day: 71,
    expected: "draft 1 failed",
    mutant: ["    for (const machine of machines.values()) pass(machine, event.time, pinned);\n", ""],
  },
  {
    name: "a check that cannot be isolated lets a draft be tried",
    events: [written(), on(0, { kind: "tried", result: "not-isolated", note: "" })],
    expected: "trial 1",
    mutant: ['|| machine.tried === "not-isolated"', ""],
  },
  {
    name: "one that passes on an empty tree does not",
    events: [written(), on(0, { kind: "tried", result: "vacuous", note: "" })],
    expected: "draft 1",
    mutant: ['machine.tried === "passed"', 'machine.tried !== "failed"'],
  },
  {
    name: "five passes and two fails do not promote",
    events: [...TRIAL, used(1, 1, "fail"), ...passes(4, 2), used(7, 7, "fail"), ...passes(1, 8)],
    expected: "draft 1 failed",
    mutant: ["trialFails: 2", "trialFails: 3"],
  },
  {
    name: "sessions of fails do not count as sessions of passes",
    events: [
      ...TRIAL,
      used(1, 9, "fail"),
      ...[1, 2, 3, 4, 5].map((day) =>
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
    mutant: ["const sessions = new Set(passes.map", "const sessions = new Set(counted.map"],
  },
  {
    name: "nor do days of fails",
    events: [...TRIAL, used(1, 9, "fail"), ...[1, 2, 3, 4, 5].map((session) => used(2, session, "pass"))],
    expected: "trial 1",
    mutant: ["const days = new Set(passes.map", "const days = new Set(counted.map"],
  },
  {
    name: "a cosmetic revision that does harm does not give its place back to the same commands",
    events: [...PROMOTED, written(5, 2, { keeps: 1 }), harm(6, 6, 2)],
    expected: "demoted 2 failed",
    mutant: [" && work !== machine.work", ""],
  },
  {
    name: "nor does it bring back what another took the place of",
    events: [...TWO, written(9, 3, { keeps: 2 }), harm(10, 10, 3)],
    expected: "promoted 1",
    mutant: ["kept?.work ?? revision", "revision"],
  },
  {
    name: "the newest that was promoted gets the place back",
    events: [...THREE, harm(13, 13, 3)],
    expected: "promoted 2",
    mutant: ["b.revision - a.revision)[0]", "a.revision - b.revision)[0]"],
  },
  {
    name: "one that was demoted gets it not",
    events: [
      ...THREE,
      ...[81, 82, 83].map((session) => used(8.5, session, "pass", 2)),
      harm(12.5, 90, 2),
      harm(13, 13, 3),
    ],
    expected: "promoted 1",
    mutant: ['stage === "promoted" && replaced', "replaced"],
  },
  {
    name: "uses that it took over are none of its own",
    events: [
      ...TWO,
      ...[9, 10, 11].map((day) => used(day, day, "pass", 2)),
      written(11.5, 3, { keeps: 2 }),
      harm(12, 12, 3),
    ],
    expected: "promoted 1",
    mutant: ["machine.uses.length - machine.inherited", "machine.uses.length"],
  },
  {
    name: "a person who demotes what was retired brings no other back",
    events: [...TWO, person(9, "retire", 2), person(10, "demote", 2)],
    expected: "demoted 2 failed",
    mutant: ['machine.stage === "demoted" && before === "promoted"', 'machine.stage === "demoted"'],
  },
  {
    name: "a failed revision beside a promoted one is not shown as the next",
    events: [...PROMOTED, written(5, 2), tried(5, 2), harm(6, 6, 2)],
    expected: "promoted 1",
    mutant: ["newest.failed ||", ""],
  },
  {
    name: "nor is anything beside what a person edited",
    events: [...PROMOTED, written(5, 2), tried(5, 2), person(6, "edited")],
    expected: "human 1",
    mutant: ["newest.failed || edited", "newest.failed"],
  },
];
