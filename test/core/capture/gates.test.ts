import { expect, it } from "vitest";
import { occursIn } from "../../../src/core/capture/gates.ts";

it.each([
  ["eight characters of a script without spaces", "部署前请先运行测试", true],
  ["seven of them", "部署前请先运行", false],
  ["nineteen letters", "run tests right now", false],
  ["twenty letters", "run tests right away", true],
])(
  "words that stand elsewhere are somebody else's from a length on that chance does not reach: %s",
  (_what, said, isTheirs) => {
    expect(occursIn(said, [`step 1 ${said.toLowerCase()} step 2`])).toBe(isTheirs);
  },
);
