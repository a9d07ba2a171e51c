import { describe, expect, it } from "vitest";
import { findBare, findLabelled } from "../../../src/core/shared/secrets/find-labelled.ts";
import { findShape, findVendorTokens, VENDOR_FORMATS } from "../../../src/core/shared/secrets/find-secrets.ts";
import { SHAPES } from "../../../src/core/shared/secrets/shapes.ts";
import { redactTokens } from "../../../src/core/shared/sanitize.ts";
import { growsLinearly, growthOf, isLinear } from "../../support/growth.ts";

/** What makes patterns wander, whatever they look for. */
const UNITS: readonly string[] = [
  "aA0-_.:=/@ \n".split(""),
  'a-|a_|a.|A1b|a |a=|a:|://|://a:|://a:b@|a@|\n |=\n|$1$|"a":"|-----'.split("|"),
  "aws |key|key |key-|key=|token |token=a|secret: |password|password is |the pin of a |bearer |Basic ".split("|"),
  "curl -u a:b |-u a |cookie: |kind: Secret |data:\n a: |this is secret |zorbly a1b2c3\n".split("|"),
  "eyJ|eyJ-|eyJ.|sk-|ghp_|a1b2c3d4e5f6|0123456789abcdef |12345678-1234-1234-1234-|\u200B|a\u200B".split("|"),
].flat();

/** A shape's own hints, joined in the ways that bring its pattern farthest. */
function unitsOf(hints: readonly string[]): readonly string[] {
  return hints.flatMap((hint) => ["", " ", "-", "=", ": ", "/a"].map((end) => hint + end));
}

const MATCHERS: readonly (readonly [name: string, find: (text: string) => unknown, units: readonly string[]])[] = [
  ...SHAPES.map(
    (shape, at) => [`${shape.name} ${at}`, (text: string) => findShape(shape, text), unitsOf(shape.hints)] as const,
  ),
  [
    "beginnings",
    findVendorTokens,
    VENDOR_FORMATS.flatMap(([, all]) => [all.split(" ")[0] ?? "", `${all.split(" ")[0]}-`]),
  ],
  ["labelled", findLabelled, ["key a1b2c3d4e5f6 ", "key-a1b2c3d4e5f6-"]],
  ["bare", findBare, ["acme_a1b2_", "acme-a1b2c3d4e5f6a1b2c3d4e5f6_", "\nacme = a1"]],
  ["redaction", redactTokens, []],
];

/** Characters at which quadratic time shows: seconds, where linear time takes milliseconds. */
const ENOUGH = 160_000;

describe("time to look for secrets", () => {
  it.each(MATCHERS)("grows with the length alone: %s", (_, find, own) => {
    const wandering = [...UNITS, ...own].find((unit) => !growsLinearly(find, unit, ENOUGH));
    expect(wandering).toBeUndefined();
  });

  it("tells a pattern that looks back and forth", () => {
    const quadratic = /(?:[a-z]+-)*secret/gu;
    expect(isLinear(growthOf((text) => [...text.matchAll(quadratic)], "a-", 80_000))).toBe(false);
  });
});
