import { describe, expect, it } from "vitest";
import { roomIn, roomProblem } from "../../../src/app/workspace/text-file.ts";
import { scratch } from "../../support/scratch.ts";

describe("the room on the disk", () => {
  it("is that of the nearest directory that is there", () => {
    const root = scratch();
    expect(roomIn(`${root}/not/yet/there`)).toBeGreaterThan(0);
  });

  it("is a problem in one line where a journal could not be written", () => {
    expect(roomProblem("/notes", 1_000_000)).toBeUndefined();
    expect(roomProblem("/notes", 2048)).toBe(
      "2 KB are left on the disk of /notes: agents work on, but nothing is captured, logged or remembered until there is room",
    );
  });
});
