import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changes, overlapOf } from "../../../src/core/notes/duplicates.ts";
import { isRecalledText, listenTo } from "../../../src/core/capture/gates.ts";
import { saidAlready } from "../../../src/core/notes/exclusions/instructions-know.ts";
import { compareStatements } from "../../../src/core/notes/compare.ts";
import { statementOf } from "../../../src/core/notes/statement.ts";

/** What may stand in the gap of a wish; two of one list make two wishes. */
const VALUES: readonly (readonly string[])[] = [
  ["Germany", "Switzerland", "US", "IT", "Austria"],
  ["billing", "shipping", "importer", "exporter", "search"],
  ["`npm run build`", "`npm run test`", "npm publish", "make lint"],
  ["8080", "9090", "443", "-1", "1"],
  ["C++", "C#", "C", "Rust"],
  ["--force", "--force-with-lease", "-f"],
  ["src/api/users.ts", "src/api/orders.ts"],
  ["> 80", "< 80", ">= 80"],
  ["Mondays", "Fridays", "weekends"],
  ["v1.2", "v1.3", "2.0.0"],
  ["alice", "bob", "Maria"],
  ["staging", "production"],
  ["plan A", "plan B"],
  ["5€", "5$", "5%"],
  ["柏林", "苏黎世"],
  ["Берлин", "Цюрих"],
];

const TEMPLATES: readonly ((value: string) => string)[] = [
  (value) => `The nightly export job for ${value} must run in its own region because of the contract`,
  (value) =>
    `Every deployment that touches ${value} needs a second reviewer from the platform team before it is merged`,
  (value) => `When the integration tests of ${value} fail twice in a row, stop the release and write to the channel`,
  (value) => `Always keep the settings of ${value} in the shared vault, together with the audit log of the team`,
];

const pair = fc
  .constantFrom(...VALUES)
  .chain((values) =>
    fc.tuple(fc.shuffledSubarray([...values], { minLength: 2, maxLength: 2 }), fc.constantFrom(...TEMPLATES)),
  )
  .map(([[one = "", other = ""], template]) => [template(one), template(other)] as const);

const RULE = { type: "project", name: "n" } as const;
const draft = (body: string): Parameters<typeof overlapOf>[0] => ({ ...RULE, description: body, body });

describe("two wishes that differ in one word that carries meaning", () => {
  it("are never taken for one, wherever they are compared", () => {
    fc.assert(
      fc.property(pair, ([known, said]) => {
        expect(overlapOf(draft(said), draft(known))).toBe("new");
        expect(["same", "contained"]).not.toContain(compareStatements(statementOf(said), statementOf(known)).kind);
        const voices = listenTo({ agent: "x", session: "s", turns: [], toolTexts: [], cwd: undefined, problems: [] }, [
          { file: "a.md", type: "project", name: "a", description: known, body: known },
        ]);
        expect(isRecalledText(said, voices)).toBe(false);
        expect(saidAlready(said, `# Rules\n\n- ${known}\n`)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("are told apart by a negation and by their order too", () => {
    const two = (known: string, said: string): string => overlapOf(draft(said), draft(known));
    expect(two("Run the migration before the deployment", "Run the deployment before the migration")).toBe("new");
    expect(
      two("Move the billing service from Frankfurt to Zurich", "Move the billing service from Zurich to Frankfurt"),
    ).toBe("new");
    expect(two("Deploy the importer on Fridays without asking", "Deploy the importer on Fridays")).not.toBe(
      "duplicate",
    );
    const voices = listenTo({ agent: "x", session: "s", turns: [], toolTexts: [], cwd: undefined, problems: [] }, [
      { file: "a.md", type: "project", name: "a", description: "", body: "Never deploy to production on Fridays." },
    ]);
    expect(isRecalledText("deploy to production on Fridays", voices)).toBe(false);
    expect(isRecalledText("Never deploy to production on Fridays", voices)).toBe(true);
  });

  it("are one where only words without weight differ", () => {
    const known = draft("Integration tests use the postgres container, never mocks.");
    expect(overlapOf(draft("The integration tests must use a postgres container and never mocks"), known)).toBe(
      "duplicate",
    );
    expect(overlapOf(draft("Please remember: integration tests use the postgres container, never mocks!"), known)).toBe(
      "duplicate",
    );
  });

  it("are one where the reason of the second stands in the description of the first", () => {
    const rule = "Squash merges for every pull request.";
    const known = { description: "Squashed, because the history gets unreadable otherwise", body: rule };
    expect(overlapOf(draft(`${rule}\n\n**Why:** the history gets unreadable.`), known)).toBe("duplicate");
    expect(overlapOf(draft(`${rule}\n\n**Why:** reviewers get lost.`), known)).toBe("may-be-known");
  });

  it.each([
    ["We switched from Heroku to AWS", "We deploy on Heroku"],
    ["The API listens on port 9090 now", "The API listens on port 8080"],
  ])("are a change where the second gives the first another value: %s", (said, known) => {
    // A note of one line may have it as its description alone.
    for (const one of [draft(known), { ...draft(known), body: "" }])
      expect([changes(draft(said), one), overlapOf(draft(said), one)]).toEqual([true, "new"]);
  });

  it("wait for a person where the second says a part of the first, or gives a reason of its own", () => {
    const known = draft("Deploy the importer to staging only on Fridays after lunch");
    expect(overlapOf(draft("Deploy the importer to staging on Fridays"), known)).toBe("may-be-known");
    for (const one of [known, draft("Squash merges")])
      expect(overlapOf({ ...one, body: `${one.body}\n\n**Why:** the vendor watches it then.` }, one)).toBe(
        "may-be-known",
      );
  });
});
