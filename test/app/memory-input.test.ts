import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../src/app/memory.ts";
import { MemoryError } from "../../src/core/shared/errors.ts";
import { emptyHome } from "../support/cli.ts";
import { scratchForFile } from "../support/scratch-for-file.ts";

type Call = (...given: readonly unknown[]) => unknown;

/** What became of a call: the error that it threw or rejected with. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Methods that cannot do without a first argument. */
const NEEDED = [
  "remember",
  "recall",
  "takeRefined",
  "approveImport",
  "revokeImport",
  "capture",
  "log.append",
  "show",
  "revise",
  "pin",
  "supersede",
  "remove",
  "forget",
  "files.read",
  "files.create",
  "files.replace",
  "files.remove",
  "files.rename",
  "checkpoints.save",
  "checkpoints.saveAutomatically",
  "checkpoints.markOf",
  "checkpoints.remove",
];

/** Fields of some input of some method. */
const FIELDS =
  "body type name description asked scope evidence source created insist replaces beside session again maxCharacters turn verify asOf recentTools touchedFiles signal timeoutMs budgetMs agent loaded dryRun automatic model parent text time project message day days version sections added by fresh kind state id apply from to turns toolTexts role".split(
    " ",
  );

const junk = fc.oneof(
  fc.constantFrom(undefined, null, 0, -1, 42, true, "", "port", "constructor"),
  fc.constantFrom({}, [], [42], [{}], [null], new Date(0)),
);
const record = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 5 });
const deep = fc.oneof(junk, record(junk), fc.array(record(junk), { maxLength: 2 }));
/** Nothing, a wrong value, or what is needed with anything beside it. */
const wrong = fc.oneof(
  junk,
  record(deep),
  record(deep).map((others) =>
    Object.assign({ session: "s1", turns: [], toolTexts: [], sections: {}, body: "A fact.", text: "A fact." }, others),
  ),
);

describe("the library, given what it cannot take", () => {
  let memory: Memory;
  const calls = new Map<string, Call>();

  beforeAll(async () => {
    const root = scratchForFile();
    memory = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
    await memory.remember({ body: "The container listens on port 5433.", name: "port", type: "project" });
    for (const [name, value] of Object.entries(memory))
      for (const [inner, method] of typeof value === "function" ? [["", value]] : Object.entries(value))
        calls.set(inner === "" ? name : `${name}.${String(inner)}`, (...given) =>
          Reflect.apply(method, undefined, given),
        );
    calls.delete("close");
  });

  afterAll(() => memory.close());

  it("answers, or says with a MemoryError what is wrong: every method, whatever it is given", async () => {
    expect(calls.size).toBeGreaterThan(35);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...calls.keys()), fc.array(wrong, { maxLength: 3 }), async (name, given) => {
        const error = await failureOf(() => calls.get(name)?.(...given));
        const isExpected = error === undefined || error instanceof MemoryError;
        expect(isExpected, `${name}(${JSON.stringify(given)}): ${String(error)}`).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([{ day: "constructor" }, { day: "2026-13-01" }, { day: "../../x" }, { days: 0 }, { days: 1.5 }])(
    "log.read takes no day or number of days that is none: %j",
    async (given) => {
      const error = await failureOf(() => calls.get("log.read")?.(given));
      expect(error).toMatchObject({ name: "MemoryError", code: "invalid-input" });
    },
  );

  it.each(NEEDED)("%s names what it needs", async (name) => {
    for (const given of [[], [42], [null], [{ body: 42, text: 42, session: 42 }]]) {
      const error = await failureOf(() => calls.get(name)?.(...given));
      expect(error, JSON.stringify(given)).toMatchObject({
        name: "MemoryError",
        code: "invalid-input",
        message: expect.stringMatching(
          new RegExp(`^${name.replace(".", String.raw`\.`)}: .* must be (?:a|one|true)`, "u"),
        ),
      });
    }
  });

  it.each([
    ["remember", [{ text: "a fact" }], "remember: input.body is missing; it must be a text"],
    [
      "remember",
      [{ body: "A fact.", type: "idea" }],
      'remember: input.type is "idea"; it must be one of "user", "feedback", "project", "reference"',
    ],
    ["remember", [{ body: "A fact.", asked: ["x", 4] }], "remember: input.asked[1] is 4; it must be a text"],
    [
      "recall",
      ["port", { verify: "yes" }],
      'recall: options.verify is "yes"; it must be true or false or an object with `budgetMs`',
    ],
    [
      "list",
      [{ asOf: "2026-03-01" }],
      'list: options.asOf is "2026-03-01"; it must be a Date or a number of milliseconds',
    ],
    ["pin", ["port", "no"], 'pin: pinned is "no"; it must be true or false'],
  ])("%s%j: %s", async (name, given, message) => {
    expect(await failureOf(() => calls.get(name)?.(...given))).toMatchObject({ code: "invalid-input", message });
  });

  it.each([[42], [null], [{ cwd: 42 }], [{ model: {} }], [{ clock: {} }]])(
    "openMemory(%j) throws too",
    async (options) => {
      expect(await failureOf(() => Reflect.apply(openMemory, undefined, [options]))).toMatchObject({
        code: "invalid-input",
      });
    },
  );
});
