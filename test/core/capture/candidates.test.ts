import { describe, expect, it } from "vitest";
import { findCandidates } from "../../../src/core/capture/candidates.ts";
import type { Candidate } from "../../../src/core/capture/draft.ts";
import type { Turn } from "../../../src/core/transcripts/turn.ts";

/** What was asked outright in a message, after what the agent said before it. */
function asked(text: string, reply = ""): readonly Candidate[] {
  const turn = (role: Turn["role"], id: string, said: string): Turn => {
    return { role, id, text: said, time: "2026-03-02T10:00:00Z", toolCalls: [] };
  };
  const turns = [turn("assistant", "a1", reply), turn("user", "u1", text)];
  return findCandidates({ agent: "claude-code", session: "s1", cwd: undefined, turns, toolTexts: [], problems: [] });
}

const only = (text: string, reply?: string) => asked(text, reply)[0];

const RULE = "From now on always squash merges into the release branch.";
const BOARD = "We track the orders on the Kanban board.";
const LEANING = "It must always stay read-only for vendors from now on.";

describe("a wish", () => {
  it("comes with its reason and its details, of the same paragraph and said by the same", () => {
    expect(only(`${RULE} It breaks the changelog otherwise. Except for hotfixes. The tests are slow.`)).toMatchObject({
      text: RULE,
      reasons: ["It breaks the changelog otherwise."],
      details: ["Except for hotfixes."],
      following: ["It breaks the changelog otherwise.", "Except for hotfixes."],
      evidence: { session: "s1", message: "u1" },
    });
    const except = "Except for the page /orders?open=1 of vendors.";
    expect(only(`${RULE} ${except}`)).toMatchObject({ text: RULE, details: [except] });
    for (const apart of [
      `${RULE}\n\nIt breaks the changelog otherwise.`,
      `${RULE}\n> It breaks the changelog otherwise.`,
      `${RULE} Is it the reason? It breaks the changelog otherwise.`,
      `${RULE} The tests are slow. It breaks the changelog otherwise.`,
    ])
      expect([apart, only(apart)]).toMatchObject([apart, { text: RULE, reasons: [], details: [] }]);
  });

  it("takes along the sentence that it leans on, where a person typed that right before", () => {
    expect(only(`${BOARD} ${LEANING}`)).toMatchObject({ text: LEANING, before: [BOARD] });
    const wondering = BOARD.replace("orders", "orders of /orders?open=1");
    expect(only(`${wondering} ${LEANING}`)).toMatchObject({ text: LEANING, before: [wondering] });
    const long = (length: number): string =>
      `${BOARD.slice(0, -1)} ${"and ".repeat(40)}`.slice(0, length - 1).concat("s.");
    for (const before of ["We track orders.", long(159)])
      expect([before, only(`${before} ${LEANING}`)]).toMatchObject([before, { before: [before] }]);
    for (const apart of [
      `We track. ${LEANING}`,
      `${long(160)} ${LEANING}`,
      `${BOARD}\n\n${LEANING}`,
      `> ${BOARD}\n${LEANING}`,
      `${BOARD.replace(".", "?")} ${LEANING}`,
      `Well, well. ${LEANING}`,
      `${BOARD.replace("orders", `orders ${"and parcels ".repeat(15)}`)} ${LEANING}`,
      LEANING,
    ])
      expect([apart, only(apart)]).toMatchObject([apart, { text: LEANING, before: [] }]);
    expect(only(`${BOARD} ${RULE}`)).toMatchObject({ text: RULE, before: [] });
  });

  it("is one of at most forty in a message: more are a pasted document, somebody's rules", () => {
    const rules = (count: number): readonly Candidate[] =>
      asked(Array.from({ length: count }, (_, n) => `Never deploy the service s${n} to region r${n}.`).join("\n\n"));
    expect(rules(40).map(({ origin }) => origin)).toEqual(Array.from({ length: 40 }, () => "typed"));
    expect(rules(41).map(({ origin }) => origin)).toEqual(Array.from({ length: 40 }, () => "quoted"));
  });

  it("of the same breath that says little new belongs to the one before", () => {
    const [more, other] = ["Always squash the release merges.", "Never mock the database in tests."];
    expect(asked(`${RULE} ${more}`).map(({ text, details }) => [text, details])).toEqual([[RULE, [more]]]);
    for (const apart of [`${RULE}\n\n${more}`, `${RULE} ${other}`])
      expect(asked(apart).map(({ details }) => details)).toEqual([[], []]);
  });

  it("that means what the agent had said quotes it", () => {
    const reply = "Sure. I split the parser into two passes first. Then I test it.";
    expect(only("Keep using your approach from now on.", reply)?.quoted).toBe(
      "I split the parser into two passes first.",
    );
    expect(only(RULE, reply)?.quoted).toBeUndefined();
  });

  it("in a pasted document of many rules is somebody's, not the person's", () => {
    const rules = Array.from(
      { length: 45 },
      (_, at) => `Never call the endpoint number ${at + 1} of vendor ${at + 1}.`,
    );
    expect(new Set(asked(rules.slice(0, 30).join("\n\n")).map(({ origin }) => origin))).toEqual(new Set(["typed"]));
    const many = asked(rules.join("\n\n"));
    expect([many.length, new Set(many.map(({ origin }) => origin))]).toEqual([40, new Set(["quoted"])]);
  });
});
