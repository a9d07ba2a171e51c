import { describe, expect, it } from "vitest";
import { linkingTo, raisedByLinks } from "../../../src/core/recall/score.ts";
import { candidateOf } from "./candidates.ts";

const scored = (
  file: string,
  score: number,
  links: readonly string[] = [],
): Parameters<typeof raisedByLinks>[0][number] => ({ candidate: candidateOf(file, { links }), score });
const scores = (notes: Parameters<typeof raisedByLinks>[0]): Record<string, number> =>
  Object.fromEntries(raisedByLinks(notes).map(({ candidate, score }) => [candidate.entry.file, score]));

describe("links between notes", () => {
  it("raise what a note that answers links to, by the best of those notes, and stay below 1", () => {
    const after = scores([
      scored("asked.md", 0.8, ["basis"]),
      scored("other.md", 0.1, ["basis"]),
      scored("basis.md", 0.2),
      scored("apart.md", 0.2),
    ]);
    expect(after["basis.md"]).toBeGreaterThan(0.2);
    expect(after["basis.md"]).toBeLessThan(0.35);
    expect(after["apart.md"]).toBe(0.2);
    expect(scores([scored("a.md", 0.999, ["b"]), scored("b.md", 0.999)])["b.md"]).toBeLessThan(1);
  });

  it("raise what links to a note that answers, and nothing whose links lead nowhere", () => {
    const after = scores([
      scored("plan.md", 0.1, ["answer"]),
      scored("answer.md", 0.8),
      scored("lost.md", 0.1, ["gone"]),
    ]);
    expect(after["plan.md"]).toBeGreaterThan(0.15);
    expect(after["lost.md"]).toBe(0.1);
  });

  it("do not raise a note that links to itself", () => {
    expect(scores([scored("a.md", 0.5, ["a"])])).toEqual({ "a.md": 0.5 });
  });

  it("are told: which of the notes found link to it", () => {
    const [basis, asked] = [candidateOf("dir/basis.md"), candidateOf("asked.md", { links: ["basis"] })];
    expect(linkingTo(basis, [basis, asked])).toEqual(["asked.md"]);
    expect(linkingTo(asked, [basis, asked])).toEqual([]);
  });
});
