import { describe, expect, it } from "vitest";
import { type Candidate, findCandidates } from "../../../src/core/capture/candidates.ts";
import { digestSession } from "../../../src/core/capture/digest.ts";
import { deps, sessionOf } from "./session.ts";

/** What was asked outright in a message. */
const asked = (text: string): readonly Candidate[] => findCandidates(sessionOf([text]));

const only = (text: string) => asked(text)[0];

const RULE = "From now on always squash merges into the release branch.";
const BOARD = "We track the orders on the Kanban board.";
const LEANING = "It must always stay read-only for vendors from now on.";

describe("a wish", () => {
  it("comes with what follows it in its paragraph: its reason and more about it", () => {
    const [reason, more] = ["It breaks the changelog otherwise.", "Except for the page /orders?open=1 of vendors."];
    expect(only(`${RULE} ${reason} ${more} The tests are slow.`)).toMatchObject({
      text: RULE,
      following: [reason, more],
      evidence: { session: "s1", message: "u1" },
    });
    const long = (length: number): string => `Except for ${"o".repeat(length - 12)}.`;
    expect(only(`${RULE} ${long(300)} ${reason} ${reason} ${reason}`)?.following).toEqual([long(300), reason, reason]);
    for (const apart of [
      `${RULE}\n\n${reason}`,
      `${RULE}\n> ${reason}`,
      `${RULE} Is it the reason? ${reason}`,
      `${RULE} The tests are slow. ${reason}`,
      `${RULE} Because nobody reads it?`,
      `${RULE} ${long(301)}`,
    ])
      expect([apart, only(apart)]).toMatchObject([apart, { text: RULE, following: [] }]);
  });

  it("does not take the next wish along, nor what follows that", () => {
    const [next, reason] = ["For example, always name the vendor in the message.", "It breaks the changelog."];
    expect(asked(`${RULE} ${next} ${reason}`).map(({ text, following }) => [text, following])).toEqual([
      [RULE, []],
      [next, [reason]],
    ]);
  });

  it.each([
    `${BOARD} ${LEANING}`,
    LEANING,
    `${BOARD}\n\n${LEANING}`,
    "The board must stay read-only from now on.",
    "Keep using your approach from now on.",
    "From now on do it that way.",
    "Instead always ask the vendor.",
    "Otherwise always ask the vendor.",
  ])("that means little without the words before it is left to whoever judges the session: %s", async (text) => {
    expect(asked(text)).toEqual([]);
    const { said } = await digestSession(sessionOf([text]), deps);
    expect(said.map(({ sentence }) => sentence).join(" ")).toBe(text.replace(/\s+/gu, " "));
  });

  it("may begin with praise, or tell what it points at", () => {
    for (const text of [
      "That looks good, but keep in mind that vendors read the board.",
      "From now on write titles like this: area, then change.",
    ])
      expect(asked(text)).toHaveLength(1);
    expect(asked(`${BOARD} ${RULE}`)).toHaveLength(1);
  });

  it("is one of at most forty in a message: more are a pasted document, somebody's rules", () => {
    const rules = (count: number): readonly Candidate[] =>
      asked(Array.from({ length: count }, (_, n) => `Never deploy the service s${n} to region r${n}.`).join("\n\n"));
    expect(rules(40).map(({ origin }) => origin)).toEqual(Array.from({ length: 40 }, () => "typed"));
    expect(rules(41).map(({ origin }) => origin)).toEqual(Array.from({ length: 40 }, () => "quoted"));
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
