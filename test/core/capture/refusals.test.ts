import { describe, expect, it } from "vitest";
import { explainDoubt, explainRefusal } from "../../../src/app/capture/given-turn.ts";
import { judgeProposals } from "../../../src/core/capture/extract/judge.ts";
import type { Proposal } from "../../../src/core/capture/extract/proposal.ts";
import { planCapture } from "../../../src/core/capture/plan-capture.ts";
import type { CapturePlan, ExistingNote, RefusalReason } from "../../../src/core/capture/plan.ts";
import { deps, MARKED_SECRET, sessionOf } from "./session.ts";

const note = (file: string, description: string, extra: Partial<ExistingNote> = {}): ExistingNote => ({
  file,
  type: "feedback",
  name: file,
  description,
  body: description,
  ...extra,
});

interface Case {
  readonly said: string;
  readonly tools?: readonly string[];
  readonly existing?: readonly ExistingNote[];
  readonly instructions?: string;
  /** The model's proposal where it differs from one that just repeats what was said. */
  readonly proposal?: Partial<{
    readonly quote: string;
    readonly rule: string;
    readonly message: string;
    readonly action: "create" | "revise" | "supersede";
    readonly note: string;
  }>;
  /** How often the model says it. */
  readonly times?: number;
}

const RULE = "Always run the integration tests against the container.";

const BY_RULES: Readonly<Partial<Record<RefusalReason, Case>>> = {
  secret: { said: `Always log in with ${MARKED_SECRET} to the registry.` },
  "hidden-characters": { said: "Always deploy from \u202Eniam\u202C branches." },
  "not-the-users-words": { said: RULE, tools: [`README: ${RULE}`] },
  "recalled-text": { said: RULE, existing: [note("a.md", RULE)] },
  duplicate: {
    said: "Please always run the integration tests against the container!",
    existing: [note("a.md", "Run integration tests against the container")],
  },
  derivable: {
    said: "From now on run all integration tests against the local container.",
    instructions: "# Tests\n\n- Run all integration tests against the local container.\n",
  },
  ephemeral: { said: "Remember not to push the migration yet." },
  "other-project": { said: "In our other repo, never squash merge commits." },
  "too-long": {
    said: `Always ${"keep the generated tables of the billing export aligned with the ledger and ".repeat(9)}done.`,
  },
};

const BY_MODEL: Readonly<Partial<Record<RefusalReason, Case>>> = {
  ...BY_RULES,
  ephemeral: {
    said: "Please don't push the migration yet.",
    proposal: { quote: "don't push the migration yet", rule: "Do not push the migration." },
  },
  "too-long": { said: RULE, proposal: { rule: "the container ".repeat(400) } },
  "no-evidence": { said: RULE, proposal: { quote: "never said in this place" } },
  unsupported: { said: RULE, proposal: { rule: "Run the integration tests on port 5433." } },
  "unknown-note": { said: RULE, proposal: { action: "revise", note: "../../etc/passwd" } },
  "protected-note": {
    said: RULE,
    proposal: { action: "supersede", note: "project:a.md" },
    existing: [note("project:a.md", "Deploy on Mondays", { protected: true })],
  },
  "too-many": {
    said: [
      "Alpaca",
      "Bison",
      "Cheetah",
      "Dingo",
      "Eagle",
      "Falcon",
      "Gecko",
      "Heron",
      "Ibex",
      "Jaguar",
      "Koala",
      "Lemur",
      "Marmot",
      "Narwhal",
    ]
      .map((team) => `The ${team} team owns the ${team} billing.`)
      .join(" "),
    times: 14,
  },
};

function proposalsOf({ said, proposal = {}, times = 1 }: Case): readonly Proposal[] {
  const {
    quote = said.slice(0, 2_000),
    rule = said.slice(0, 2_000),
    message = "u1",
    action = "create",
    note: id = "",
  } = proposal;
  const sentences =
    times === 1 ? [{ quote, rule }] : said.split(/(?<=\.) /u).map((sentence) => ({ quote: sentence, rule: sentence }));
  return sentences.map((each): Proposal => {
    const wording = {
      type: "feedback" as const,
      name: "a name",
      description: each.rule.slice(0, 90),
      rule: each.rule,
      why: "",
      how: "",
    };
    const evidence = { message, quote: each.quote };
    return action === "create" ? { action, wording, evidence } : { action, note: id, wording, evidence };
  });
}

const byModel = (one: Case): Promise<CapturePlan> => {
  const transcript = sessionOf([one.said], one.tools);
  return judgeProposals(
    proposalsOf(one),
    {
      transcript,
      turns: transcript.turns,
      existing: one.existing ?? [],
      instructions: one.instructions ?? "",
      messages: new Map([["u1", "u1"]]),
    },
    deps,
  );
};
const byRules = (one: Case): Promise<CapturePlan> =>
  planCapture(sessionOf([one.said], one.tools), one.existing ?? [], { ...deps, instructions: one.instructions ?? "" });

describe.each([
  ["rules", BY_RULES, byRules],
  ["a model", BY_MODEL, byModel],
] as const)("with %s", (_by, cases, plan) => {
  it.each(Object.entries(cases))("refuses for the reason %s, and says it to people", async (reason, one) => {
    const { refused } = await plan(one);
    expect(refused.map((refusal) => refusal.reason)).toContain(reason);
    expect(JSON.stringify(refused)).not.toContain(MARKED_SECRET);
    for (const refusal of refused) expect(explainRefusal(refusal.reason)).toMatch(/^\S+ \S+ .{8,}[^.]$/u);
  });

  it("keeps the same sentence where nothing speaks against it", async () => {
    expect((await plan({ said: RULE })).operations).toHaveLength(1);
    expect(
      (await plan({ said: RULE, instructions: "Never run the integration tests against the container." })).operations,
    ).toHaveLength(1);
  });
});

describe("an opposite of a note", () => {
  it.each([
    ["of the project", note("project:a.md", "Deploy the staging cluster with kubectl scripts")],
    ["that is pinned", note("project:a.md", "Deploy the staging cluster with kubectl scripts", { protected: true })],
    ["of all projects", note("user:a.md", "Deploy the staging cluster with kubectl scripts")],
  ])("is a new note: what it replaces %s is decided where it is written", async (_name, old) => {
    const said = "From now on deploy the staging cluster with helm, never with kubectl scripts.";
    for (const plan of [await byRules({ said, existing: [old] }), await byModel({ said, existing: [old] })])
      expect([plan.operations.map(({ kind }) => kind), plan.proposed, plan.refused]).toEqual([["create"], [], []]);
  });
});

it.each(["other-scope", "may-be-known"] as const)("the doubt %s is explained", (reason) => {
  expect(explainDoubt(reason)).toMatch(/^\S+ \S+ .{8,}[^.]$/u);
});
