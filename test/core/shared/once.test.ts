import { describe, expect, it } from "vitest";
import { readOnce } from "../../../src/core/shared/once.ts";

describe("a reading that is kept", () => {
  it("reads each of the last texts once, forgets the oldest, and keeps no long one", () => {
    const asked: string[] = [];
    const read = readOnce(
      (text) => {
        asked.push(text);
        return { text };
      },
      { most: 2, longest: 3 },
    );
    for (const text of ["a", "b", "a", "c", "b", "a", "long text", "long text"]) expect(read(text).text).toBe(text);
    expect(asked).toEqual(["a", "b", "c", "a", "long text", "long text"]);
  });
});
