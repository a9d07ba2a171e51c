import fs from "node:fs";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as real from "../../../src/core/skills/state.ts";
import type { EvidenceEvent } from "../../../src/core/skills/types.ts";
import {
  DAY,
  harm,
  on,
  person,
  place,
  type Scenario,
  SCENARIOS as FIRST,
  START,
  TRIAL,
  used,
} from "./state-scenarios.ts";
import { SCENARIOS_AGAIN } from "./state-scenarios-again.ts";

const SCENARIOS = [...FIRST, ...SCENARIOS_AGAIN];

const SOURCE = fs.readFileSync(new URL("../../../src/core/skills/state.ts", import.meta.url), "utf8");

type Fold = typeof real.foldSkill;

function standing(
  fold: Fold,
  { events, day = 13, mode = "auto" }: Omit<Scenario, "name" | "expected" | "mutant">,
): string {
  const folded = fold(events, { now: START + day * DAY, mode });
  if (folded === undefined) return "nothing";
  const { current, next } = folded;
  const words = [
    `${current.state.stage} ${current.state.revision}`,
    ...(current.failed ? ["failed"] : []),
    ...(current.state.pinned ? ["pinned"] : []),
    ...(current.stale !== undefined && current.state.stage === "promoted" ? ["stale"] : []),
  ].join(" ");
  return next === undefined ? words : `${words}; ${next.state.stage} ${next.state.revision}`;
}

async function mutated([from, to]: Scenario["mutant"]): Promise<Fold> {
  expect(SOURCE.split(from).length, `"${from}" stands in the source`).toBeGreaterThan(1);
  const { code } = transformSync(
    SOURCE.replace(from, () => to),
    { loader: "ts", format: "esm" },
  );
  const module: typeof real = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module.foldSkill;
}

describe("the state of a skill", () => {
  it.each(SCENARIOS)("$name", async (scenario) => {
    expect(standing(real.foldSkill, scenario)).toBe(scenario.expected);
    expect(standing(await mutated(scenario.mutant), scenario), "the planted mutant is noticed").not.toBe(
      scenario.expected,
    );
  });

  it("tells passes, fails, sessions, loads and offers, of known results only, and until when it holds", () => {
    const events = [
      ...TRIAL,
      on(1, { kind: "offered", place: place(1) }),
      on(1, { kind: "loaded", place: place(1) }),
      on(1, { kind: "loaded", place: place(2) }),
      used(1, 1, "pass"),
      used(2, 2, "fail"),
      used(3, 3, "unknown"),
    ];
    const fold = (more: Parameters<Fold>[0], day = 13) =>
      real.foldSkill([...events, ...more], { now: START + day * DAY, mode: "auto" })?.current;
    const now = fold([]);
    expect(now?.state).toMatchObject({
      passes: 1,
      fails: 1,
      sessions: 2,
      loads: 2,
      offers: 1,
      lastFollow: START + 3 * DAY,
    });
    expect([now?.until, now?.recentPasses]).toEqual([START + 63 * DAY, 1]);
    const pin = on(4, { kind: "person", action: "pin" });
    expect([fold([pin])?.until, fold([pin], 100)?.recentPasses]).toEqual([undefined, 0]);
  });

  it("keeps the reason why it was dropped when its check is tried again", () => {
    const events = [...TRIAL, harm(1, 1), on(2, { kind: "tried", result: "passed", note: "" })];
    const { current } = real.foldSkill(events, { now: START + 3 * DAY, mode: "auto" }) ?? {};
    expect(current?.state.why).toBe("dropped: it did harm");
  });

  it("is the same in any order of the file and with every event twice", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SCENARIOS), fc.infiniteStream(fc.nat(1_000)), (scenario, numbers) => {
        const shuffled = [...scenario.events, ...scenario.events]
          .map((event) => ({ event, at: numbers.next().value }))
          .toSorted((a, b) => Number(a.at) - Number(b.at))
          .map(({ event }) => event);
        expect(standing(real.foldSkill, { ...scenario, events: shuffled })).toBe(scenario.expected);
      }),
      { seed: 17, numRuns: 300 },
    );
  });

  it("knows when the clock will end it, and that nothing ends a pinned one", () => {
    const promoted = SCENARIOS.find(({ name }) => name === "three passes promote")?.events ?? [];
    const at = (day: number, ...more: readonly EvidenceEvent[]): real.RevisionState | undefined =>
      real.foldSkill([...promoted, ...more], { now: START + day * DAY, mode: "auto" })?.current;
    expect(at(4)?.until).toBe(START + 93 * DAY);
    expect(at(4, person(4, "pin"))?.until).toBeUndefined();
    expect([at(4)?.recentPasses, at(92, person(4, "pin"))?.recentPasses]).toEqual([3, 2]);
  });

  it("is never promoted by fails, offers and loads alone", () => {
    const bad = fc
      .tuple(fc.constantFrom("fail", "harm", "offer", "load"), fc.nat(50), fc.nat(20))
      .map(([what, day, session]) => {
        if (what === "fail") return used(day, session, "fail");
        if (what === "harm") return harm(day, session);
        return on(day, { kind: what === "offer" ? "offered" : "loaded", place: place(session) });
      });
    fc.assert(
      fc.property(fc.array(bad, { maxLength: 30 }), (events) => {
        expect(standing(real.foldSkill, { events: [...TRIAL, ...events], day: 55 })).not.toMatch(/promoted/u);
      }),
      { seed: 17, numRuns: 300 },
    );
  });
});
