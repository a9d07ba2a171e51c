import { describe, expect, it } from "vitest";
import { compareRecalls } from "../../../src/app/recall/replay.ts";

const found = (shown: readonly string[], pointed: readonly string[] = []) => ({ shown, pointed });

describe("comparing two recalls of one prompt", () => {
  it("finds nothing to say when the same notes are shown, in whatever order", () => {
    expect(
      compareRecalls(found(["project:a.md", "project:b.md"]), found(["project:b.md", "project:a.md"])),
    ).toMatchObject({ outcome: "same", gained: [], lost: [] });
    expect(compareRecalls(found([]), found([]))).toMatchObject({ outcome: "same" });
  });

  it("names what is gained and what is lost, and calls the whole lost when anything is", () => {
    expect(compareRecalls(found(["project:a.md"]), found(["project:b.md"]))).toMatchObject({
      outcome: "lost",
      gained: ["project:b.md"],
      lost: ["project:a.md"],
    });
    expect(compareRecalls(found([]), found(["user:b.md"]))).toMatchObject({ outcome: "gained", gained: ["user:b.md"] });
  });

  it("counts a note that is pointed at as found, lower than before", () => {
    expect(compareRecalls(found(["project:a.md"]), found([], ["project:a.md"]))).toMatchObject({
      outcome: "moved",
      lowered: ["project:a.md"],
      lost: [],
    });
    expect(compareRecalls(found([], ["project:a.md"]), found(["project:a.md"]))).toMatchObject({
      outcome: "moved",
      raised: ["project:a.md"],
      gained: [],
    });
  });

  it("finds a merged note in the one that took its place, also over several steps, and survives a circle", () => {
    const heirs: Readonly<Record<string, string>> = {
      "project:a.md": "project:b.md",
      "project:b.md": "project:c.md",
      "project:x.md": "project:y.md",
      "project:y.md": "project:x.md",
    };
    const successor = (key: string): string | undefined => heirs[key];
    expect(compareRecalls(found(["project:a.md"]), found(["project:c.md"]), successor)).toMatchObject({
      outcome: "same",
      lost: [],
      gained: [],
    });
    expect(compareRecalls(found(["project:x.md"]), found([]), successor)).toMatchObject({
      outcome: "lost",
      lost: ["project:x.md"],
    });
  });
});
