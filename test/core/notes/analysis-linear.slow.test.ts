import { describe, expect, it } from "vitest";
import { statementOf } from "../../../src/core/notes/statement.ts";
import { analyse } from "../../../src/core/notes/terms.ts";
import { growsLinearly } from "../../support/growth.ts";

const UNITS = "a-|1-|a.|aA|é-|中|a'| |\n|\n\n|`|**|- |[a](|eyJ-|pwd=|\n- a|\n**".split("|");

describe("time to index a note and to compare it", () => {
  it.each(UNITS)("grows with the length alone where a note is 500 KB of %j", (unit) => {
    expect(growsLinearly(analyse, unit)).toBe(true);
    expect(growsLinearly(statementOf, unit)).toBe(true);
  });
});
