import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets, findVendorTokens, VENDOR_FORMATS } from "../../../src/core/shared/secrets/find-secrets.ts";

const SEED = 20_113;
const ROWS = VENDOR_FORMATS.flatMap(([vendor, all, rest]) =>
  (all.endsWith(" ") ? [all] : all.split(" ")).map((beginning) => ({ vendor, beginning, rest })),
);

/** Tokens as the row describes them; what may not follow one does not follow it here. */
function tokens({ beginning, rest }: (typeof ROWS)[number]): fc.Arbitrary<string> {
  const published = rest.replaceAll(/\(\?![^)]*\)/gu, "");
  return fc.stringMatching(new RegExp(`^(?:${published})$`, "u")).map((end) => beginning + end);
}

describe("formats that vendors publish", () => {
  it.each(ROWS)("$vendor: finds whatever begins with $beginning and goes on as published, whole", (row) => {
    fc.assert(
      fc.property(tokens(row), (token) => {
        const text = `before ${token} after`;
        const [found] = findVendorTokens(text);
        expect(text.slice(found?.start, found?.end)).toBe(token);
      }),
      { numRuns: 5, seed: SEED },
    );
  });

  it.each(ROWS)("$vendor: leaves $beginning alone when it stands in a word, or too little follows", (row) => {
    fc.assert(
      fc.property(tokens(row), (token) => {
        expect(findVendorTokens(`x${token}`).some(({ start }) => start === 1)).toBe(false);
        expect(findVendorTokens(`the prefix ${row.beginning} of a token`)).toEqual([]);
        expect(findVendorTokens(`${row.beginning}abcd`)).toEqual([]);
      }),
      { numRuns: 2, seed: SEED },
    );
  });

  it("finds a token wrapped in base64, and one with characters inside that cannot be seen", () => {
    const token = ["gh", "p_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("");
    for (const hidden of ["\u200B", "\u00AD", "\u2060", "\u{E0041}"]) {
      const text = `it is ${token.slice(0, 9)}${hidden}${token.slice(9)} now`;
      const [found] = findSecrets(text);
      expect(text.slice(found?.start, found?.end)).toBe(`${token.slice(0, 9)}${hidden}${token.slice(9)}`);
    }
    const wrapped = btoa(`{"t":"${token}"}`);
    expect(findSecrets(`config: ${wrapped}`)).toMatchObject([{ start: 8, end: 8 + wrapped.length }]);
  });
});
