import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findGeneral, findSecrets } from "../../../src/core/shared/secrets/find-secrets.ts";

const SEED = 71_903;
const RUNS = 400;

/** A vendor nobody has heard of. */
const vendor = fc.stringMatching(/^[bcdfglmnprstvz][aeiou][bcdfglmnprstvz]{1,2}[aeiou][bdgklmnrstz][a-z]{0,3}$/u);
const upper = (text: string): string => text.toUpperCase();
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const of = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength }).map((characters) => characters.join(""));
const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const SMALL = "abcdefghijklmnopqrstuvwxyz";
const MIXED = DIGITS + SMALL + SMALL.toUpperCase();

const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  "32 hexadecimal digits": of(HEX, 32),
  "40 hexadecimal digits": of(HEX, 40),
  "64 hexadecimal digits": of(HEX, 64),
  "20 capitals and digits": of(DIGITS + SMALL.toUpperCase(), 20),
  "24 to 64 letters and digits": of(MIXED, 24, 64),
  "32 small letters and digits": of(DIGITS + SMALL, 32),
  "43 characters of base64url": of(`${MIXED}_-`, 43),
  "44 characters of base64": of(`${MIXED}+/`, 43).map((start) => `${start}=`),
};

const TEMPLATES: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${upper(name)}_API_KEY=${value}`,
  (name, value) => `export ${upper(name)}_TOKEN="${value}"`,
  (name, value) => `${name}_secret: ${value}`,
  (name, value) => `const ${name}ApiToken = '${value}';`,
  (name, value) => `  "${name}AccessKey": "${value}",`,
  (name, value) => `${capital(name)}.Secret := "${value}"`,
  (name, value) => `${upper(name)}_AUTH ?= ${value}`,
  (name, value) => `<add key="${capital(name)}ApiKey" value="${value}" />`,
  (name, value) => `new ${capital(name)}Client({ apiKey: "${value}" })`,
  (name, value) => `curl -H "X-${capital(name)}-Token: ${value}" https://api.${name}.example`,
  (name, value) => `curl -H "Authorization: ${capital(name)} ${value}" https://api.${name}.example`,
  (name, value) => `https://api.${name}.example/v1/items?api_key=${value}&limit=5`,
  (name, value) => `${name} SECRET ${value}`,
  (name, value) => `the ${capital(name)} api key is ${value}`,
  (name, value) => `my ${name} token: ${value}`,
  (name, value) => `${name} --api-key ${value} deploy`,
  (name, value) => `${name}.private_key = ${value}`,
  (name, value) => `[${name}]\ntoken = ${value}`,
  (name, value) => `${name}:\n  apiKey: ${value}`,
  (name, value) => `os.environ["${upper(name)}_KEY"] = "${value}"`,
];

describe("secrets of vendors that no table knows", () => {
  it.each(Object.entries(VALUES))("are found by what they are called: %s", (_, value) => {
    const missed: string[] = [];
    fc.assert(
      fc.property(vendor, value, fc.constantFrom(...TEMPLATES), (name, secret, template) => {
        const text = `before\n${template(name, secret)}\nafter`;
        const found = findGeneral(text);
        const [from, to] = [text.indexOf(secret), text.indexOf(secret) + secret.length];
        if (!found.some(({ start, end }) => start <= from + 4 && end >= to - 4)) missed.push(text);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(missed.length / RUNS, missed.slice(0, 8).join("\n\n")).toBeLessThanOrEqual(0.02);
  });

  it.each(Object.entries(VALUES))(
    "are not looked for where the same value is called an id, a hash or a commit: %s",
    (_, value) => {
      fc.assert(
        fc.property(
          value,
          fc.constantFrom(
            "commit ",
            "sha256: ",
            "originSessionId: ",
            '"etag": ',
            "merge ",
            "the build with the id ",
            "image@sha256:",
          ),
          (secret, name) => {
            fc.pre(!/^[a-z]{2,12}[_-]/u.test(secret) && !/[a-z]{2}[_-]/u.test(secret));
            expect(findSecrets(`before\n${name}${secret}\nafter`)).toEqual([]);
          },
        ),
        { numRuns: 100, seed: SEED },
      );
    },
  );
});
