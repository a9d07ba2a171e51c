import { describe, expect, it } from "vitest";
import {
  chooseOffers,
  choosePublished,
  type Offerable,
  offerLine,
  parseOffers,
  recordWords,
  renderOffers,
  wasOffered,
  withinCeilings,
} from "../../../src/core/skills/offer.ts";
import { foldSkill, type SkillStanding } from "../../../src/core/skills/state.ts";
import type { EvidenceEvent } from "../../../src/core/skills/types.ts";

const NOW = Date.UTC(2026, 2, 20);
const DAY = 86_400_000;

function offerable(change: Partial<Offerable> = {}): Offerable {
  return {
    place: "/home/dev/.memdir/skills/projects/shop",
    scope: "project",
    id: "k1",
    name: "release-cli",
    revision: 1,
    stage: "promoted",
    record: "3 of 3 passed",
    description: "Releases the command after a version was chosen.",
    path: "~/.memdir/skills/projects/shop/release-cli/SKILL.md",
    terms: ["release", "command", "version", "tag"],
    until: undefined,
    ...change,
  };
}
const asked = (text: string): readonly (readonly string[])[] => text.split(" ").map((word) => [word]);
const names = (of: readonly Offerable[]): readonly string[] => of.map(({ name }) => name);

describe("a prompt is offered a skill", () => {
  const meets = (prompt: string, change: Partial<Offerable> = {}): boolean =>
    chooseOffers([offerable(change)], asked(prompt), NOW).offered.length > 0;

  it.each([
    ["release the command version now please do it soon ok", true],
    ["release the next version", true],
    ["one two three four release version", true],
    ["one two three four five release version", false],
    ["release", false],
    ["something else entirely", false],
  ])("%j: %s", (prompt, expected) => {
    expect(meets(prompt)).toBe(expected);
  });

  it("by any form of a word", () => {
    expect(
      chooseOffers(
        [offerable()],
        [
          ["releasing", "release"],
          ["versions", "version"],
        ],
        NOW,
      ).offered,
    ).toHaveLength(1);
  });

  it("until its time is over", () => {
    expect(meets("release a version", { until: NOW })).toBe(true);
    expect(meets("release a version", { until: NOW - 1 })).toBe(false);
  });

  it("two promoted ones and one on trial at most, the nearest first, then by name", () => {
    const all = ["b", "a", "c"].flatMap((name) => [
      offerable({ name: `${name}-promoted` }),
      offerable({ name: `${name}-trial`, stage: "trial" }),
    ]);
    const near = offerable({ name: "z-near", terms: ["release", "version", "soon"] });
    expect(names(chooseOffers([...all, near], asked("release version soon"), NOW).offered)).toEqual([
      "z-near",
      "a-promoted",
      "a-trial",
    ]);
  });

  it("a retired one is wanted and not offered", () => {
    const { offered, wanted } = chooseOffers([offerable({ stage: "retired" })], asked("release a version"), NOW);
    expect([names(offered), names(wanted)]).toEqual([[], ["release-cli"]]);
  });
});

describe("the line of an offer", () => {
  it.each([
    ["promoted", "- [skill, 3 of 3 passed] release-cli: "],
    ["trial", "- [skill on trial, 3 of 3 passed] release-cli: "],
  ] as const)("of one that is %s says so, what it does and where it stands", (stage, start) => {
    const one = offerable({ stage });
    const line = offerLine(one, one.path);
    expect(line.startsWith(start)).toBe(true);
    expect(line.endsWith(` → ${one.path}`)).toBe(true);
    expect(line.length).toBeLessThanOrEqual(160);
  });

  it.each([
    [70, true],
    [71, false],
  ])("names a way of %s characters: %s", (length, expected) => {
    const way = "w".repeat(length);
    const line = offerLine(offerable(), way);
    expect(line.includes(way)).toBe(expected);
    expect(line.includes("`memdir skill show release-cli`")).toBe(!expected);
  });

  it("never has more than 160 characters, and keeps name and way where nothing else fits", () => {
    for (const length of [1, 20, 45, 60, 64])
      for (const way of ["short", "w".repeat(70)]) {
        const line = offerLine(offerable({ name: "n".repeat(length), description: "d".repeat(300) }), way);
        expect(line.length).toBeLessThanOrEqual(160);
        expect(line).toContain("n".repeat(length));
      }
    expect(offerLine(offerable({ name: "n".repeat(64) }), "w".repeat(70))).not.toContain("Releases");
  });

  it.each([
    [0, 0, "not used yet"],
    [1, 0, "1 of 1 passed"],
    [0, 1, "0 of 1 passed"],
    [5, 1, "5 of 6 passed"],
  ])("%s passes and %s fails are %j", (passes, fails, words) => {
    expect(recordWords({ passes, fails })).toBe(words);
  });
});

describe("what a hook reads", () => {
  it("is read back as it was written", () => {
    const all = [offerable(), offerable({ stage: "trial" }), offerable({ stage: "retired", until: NOW })];
    expect(parseOffers(renderOffers(all))).toEqual(all);
  });

  it.each<readonly [string, string]>([
    ["of another version", renderOffers([offerable()]).replace('"version":1', '"version":2')],
    ["torn", renderOffers([offerable()]).slice(0, -9)],
    ["of another form", '{"version":1,"offers":{}}'],
  ])("is empty for a file that is %s", (_, text) => {
    expect(parseOffers(text)).toEqual([]);
  });

  it.each(["name", "description", "path", "place", "id", "record", "revision", "terms", "stage"])(
    "passes over an entry whose %s is of another form",
    (key) => {
      const odd = { ...offerable(), [key]: {} };
      expect(parseOffers(JSON.stringify({ version: 1, offers: [odd, offerable()] }))).toEqual([offerable()]);
    },
  );

  it("knows a session that was offered this revision", () => {
    const line = (change: object): string =>
      JSON.stringify({ kind: "offered", revision: 1, place: { session: "s1" }, ...change });
    const told = (...lines: readonly string[]): boolean => wasOffered(lines.join("\n"), "s1", 1);
    expect(told("torn {", line({}))).toBe(true);
    expect(told(line({ revision: 2 }))).toBe(false);
    expect(told(line({ place: { session: "s2" } }))).toBe(false);
    expect(told(line({ kind: "loaded", note: "offered" }))).toBe(false);
    expect(told(line({ place: "offered" }))).toBe(false);
  });
});

/** A skill in a stage since a day, with passes on the days after. */
function standing(stage: "trial" | "promoted", since: number, passes = 0): SkillStanding {
  const time = NOW - 30 * DAY + since * DAY;
  const events: EvidenceEvent[] = [
    { kind: "written", id: "w", time, revision: 1, author: "host-agent", sha256: "s", check: "c" },
    { kind: "tried", id: "t", time, revision: 1, result: "passed", note: "" },
    ...(stage === "promoted" ? [{ kind: "person", id: "p", time, revision: 1, action: "promote" } as const] : []),
    ...Array.from({ length: passes }, (_, at): EvidenceEvent => ({
      kind: "followed",
      id: `f${at}`,
      time: time + at,
      revision: 1,
      place: { agent: "codex", session: `s${at}`, task: `t${at}` },
      result: "pass",
      calls: 3,
      minutes: 1,
    })),
  ];
  const folded = foldSkill(events, { now: NOW, mode: "auto" });
  if (folded === undefined) throw new Error("no skill");
  return folded;
}

describe("the ceilings", () => {
  it("let three trials and 24 promoted ones live, the most used and then the oldest first", () => {
    const trials = Array.from({ length: 5 }, (_, at) => ({
      id: `t${at}`,
      standing: standing("trial", at, at === 4 ? 1 : 0),
    }));
    const promoted = Array.from({ length: 26 }, (_, at) => ({ id: `p${at}`, standing: standing("promoted", at % 20) }));
    const live = withinCeilings([...trials.toReversed(), ...promoted]);
    expect(live.trials.map(({ id }) => id)).toEqual(["t4", "t0", "t1"]);
    expect(live.promoted).toHaveLength(24);
    expect(live.waiting.map(({ id }) => id).toSorted()).toEqual(["p18", "p19", "t2", "t3"]);
  });

  it("let twelve be published, of 2,400 characters together, one that is too long left out", () => {
    const one = (length: number, since: number) => ({
      standing: standing("promoted", since),
      skill: { description: "x".repeat(length) },
    });
    expect(choosePublished(Array.from({ length: 14 }, (_, at) => one(10, at)))).toHaveLength(12);
    const lengths = [300, 300, 300, 300, 300, 300, 300, 200, 200, 100].map((length, at) => one(length, at));
    const chosen = choosePublished(lengths.toReversed()).map(({ skill }) => skill.description.length);
    expect(chosen).toEqual([300, 300, 300, 300, 300, 300, 300, 200, 100]);
  });
});
