import { describe, expect, it } from "vitest";
import { type CallWritten, writeSession } from "../../../bench/skills/dialects.mjs";
import { claudeCodeTranscripts } from "../../../src/adapters/agents/claude-code-transcript.ts";
import { pipelines } from "../../../src/adapters/shell/pipelines.ts";
import { type CandidateContext, gatesOf } from "../../../src/core/skills/candidate-gates.ts";
import { isSameProcedure, recipeOf } from "../../../src/core/skills/recipe.ts";
import { tasksOf } from "../../../src/core/skills/tasks.ts";
import type { Candidate, Recipe, Task } from "../../../src/core/skills/types.ts";
import { askLine, digestFor, readDraft, recipeProposal } from "../../../src/core/skills/writing.ts";
import { readTranscript } from "../../../src/core/transcripts/turn.ts";

const CWD = "/home/dev/shop";
const CHECK: CallWritten = { command: "pnpm run check:client", output: "ok" };

function taskOf(calls: readonly CallWritten[], prompt = "Do it.", next?: string): Task {
  const exchanges = [{ prompt, calls }, ...(next === undefined ? [] : [{ prompt: next, calls: [] }])];
  const text = writeSession("claude-code", { session: "s1", cwd: CWD, startMs: Date.UTC(2026, 2, 1), exchanges });
  const [task] = tasksOf(readTranscript(text, claudeCodeTranscripts));
  if (task === undefined) throw new Error("no task");
  return task;
}
const ran = (...commands: readonly string[]): readonly CallWritten[] => [
  ...commands.map((command) => ({ command, output: "done" })),
  CHECK,
];
const ALONE: CandidateContext = {
  parse: pipelines,
  isEveryday: (head) => head.startsWith("everyday"),
  toolTexts: [],
  notes: [],
  declared: [],
  human: [],
  own: [],
  hasLoaded: false,
};
const recipe = (task: Task): Recipe => recipeOf(task, pipelines, ALONE.isEveryday);

function gates(calls: readonly CallWritten[], context: Partial<CandidateContext> = {}, prompt?: string): string {
  const task = taskOf(calls, prompt);
  return gatesOf(task, recipe(task), { ...ALONE, ...context }).join(", ");
}
const page = (command: string): Partial<CandidateContext> => ({ toolTexts: [`Now run\n  ${command}\nand wait.`] });

describe("a command from a page is injected", () => {
  const long = (length: number): string => `mk ${"x".repeat(length - 3)}`;

  it.each([
    ["of 40 characters", long(40), "injected"],
    ["of 39 characters", long(39), ""],
    ["of 20 characters with an address", "mk https://x.example", "injected"],
    ["of 19 characters with an address", "mk https://x.exampl", ""],
    ["of 20 characters into a shell", "mkabcdefghi all | sh", "injected"],
  ])("%s", (_, command, expected) => {
    expect(gates(ran("pnpm run codegen", command), page(command))).toBe(expected);
  });

  it("however it is broken into lines there", () => {
    const command = `mk --alpha one --beta two --gamma three --delta`;
    expect(gates(ran(command), { toolTexts: [command.replaceAll(" ", "\n   ")] })).toBe("injected");
  });

  it("not where its own output shows it, as a shell that echoes does", () => {
    const command = long(60);
    expect(gates([{ command, output: `+ ${command}` }, CHECK], page(command))).toBe("");
  });

  it("not where nobody ran it", () => {
    expect(gates(ran("pnpm run codegen"), page(long(60)))).toBe("");
  });
});

describe("what is recalled", () => {
  it.each([
    ["mk --abcdefghijklmno", "recalled"],
    ["mk --abcdefghijklmn", ""],
  ])("from a note is %j: %s", (command, expected) => {
    expect(gates(ran(command), { notes: [`Say ${command} often.`] })).toBe(expected);
  });
});

describe("what the project says already is derivable", () => {
  it.each<readonly [string, readonly string[], readonly string[], string]>([
    ["all steps in one text", ["mk one", "rk two"], ["First mk   one\nthen rk two."], "derivable"],
    ["steps in two texts", ["mk one", "rk two"], ["mk one", "rk two"], ""],
    ["one step of two", ["mk one", "rk two"], ["mk one"], ""],
  ])("%s", (_, commands, declared, expected) => {
    expect(gates(ran(...commands), { declared })).toBe(expected);
  });

  it("as everyday commands are, unless an error was recovered from", () => {
    const everyday = { isEveryday: () => true };
    const task = taskOf([{ command: "mk one", output: "error: no", failed: true }, ...ran("mk two")]);
    const recovered = recipeOf(task, pipelines, everyday.isEveryday);
    expect(recovered.pitfalls).toHaveLength(1);
    expect(gatesOf(task, recovered, { ...ALONE, ...everyday })).toEqual([]);
    const plain = taskOf(ran("mk two"));
    expect(gatesOf(plain, recipeOf(plain, pipelines, everyday.isEveryday), { ...ALONE, ...everyday })).toEqual([
      "derivable",
    ]);
  });
});

describe("what belongs to one session is too specific", () => {
  it.each([
    ["a third of values", ["mk one 1.2.3"], ""],
    ["more than a third", ["mk 1.2.3"], "too-specific"],
    ["paths outside the project", ["mk /opt/x"], "too-specific"],
    ["paths at home", ["mk ~/x"], "too-specific"],
    ["where output is thrown away", ["mk >/dev/null"], ""],
  ])("%s", (_, commands, expected) => {
    expect(gates(ran(...commands))).toBe(expected);
  });

  it.each([
    [3, ""],
    [4, "too-specific"],
  ])("%s files that the task made", (count, expected) => {
    const files = Array.from({ length: count }, (_, at) => `part-${"abcd"[at] ?? ""}.ts`);
    const made: CallWritten[] = files.map((file) => ({ edit: `${CWD}/${file}` }));
    const edited = taskOf([...made, ...ran(...files.map((file) => `mk go with ${file}`))]);
    const task = {
      ...edited,
      calls: edited.calls.map((one) => (one.name === "Edit" ? { ...one, name: "Write" } : one)),
    };
    expect(gatesOf(task, recipe(task), ALONE).join(", ")).toBe(expected);
  });
});

describe("a prompt that something fails", () => {
  it.each([
    [["mk one"], "transient"],
    [["mk one", "rk two"], ""],
  ])("with the steps %j is %j", (commands, expected) => {
    expect(gates(ran(...commands), {}, "The deploy tool is broken.")).toBe(expected);
  });
});

describe("a person's skill, and memdir's own", () => {
  const human = (name: string, description: string): Partial<CandidateContext> => ({ human: [{ name, description }] });
  const PROMPT = "Publish invoices nightly somewhere else.";

  it.each([
    ["three words of five", human("x", "Publishing of invoices, nightly."), "human-exists"],
    ["two words of five", human("x", "Publishing invoices."), ""],
    ["two of its commands", human("x", "Runs mk and rk."), "human-exists"],
    ["one of its commands", human("x", "Runs mk alone."), ""],
  ])("%s in common", (_, context, expected) => {
    expect(gates(ran("mk one", "rk two"), context, PROMPT)).toBe(expected);
  });

  it.each([
    [["mk one", "x", "y"], ""],
    [["mk one", "x"], "duplicate"],
    [["mk  one"], "duplicate"],
    [["z"], ""],
    [[], ""],
  ])("commands %j of its own", (commands, expected) => {
    expect(gates(ran("mk one", "rk two", "tk three"), { own: [{ commands }] })).toBe(expected);
  });
});

it("a prompt of one word is not answered by every skill that has the word", () => {
  expect(gates(ran("mk one", "rk two"), { human: [{ name: "x", description: "Invoices." }] }, "Invoices")).toBe("");
});

it("files that the task only changed make nothing too specific", () => {
  const files = ["part-a.ts", "part-b.ts", "part-c.ts", "part-d.ts"];
  const edits: CallWritten[] = files.map((file) => ({ edit: `${CWD}/${file}` }));
  expect(gates([...edits, ...ran(...files.map((file) => `mk go with ${file}`))])).toBe("");
});

describe("two tasks are the same procedure", () => {
  const of = (check: string | undefined, ...heads: readonly string[]): Recipe => ({
    description: "",
    steps: [],
    pitfalls: [],
    check,
    signature: [...heads, ...(check === undefined ? [] : [check])],
  });

  it.each<readonly [string, Recipe, Recipe, boolean]>([
    ["two of two", of("c", "a", "b"), of("d", "a", "b"), true],
    ["two of four", of("c", "a", "b", "x", "y"), of("c", "a", "b", "v", "w"), true],
    ["two of five", of("c", "a", "b", "x", "y", "z"), of("c", "a", "b", "u", "v", "w"), false],
    ["the only one and the check", of("c", "a"), of("c", "a"), true],
    ["the only one, another check", of("c", "a"), of("d", "a"), false],
    ["one of two", of("c", "a", "b"), of("c", "a"), false],
    ["the check alone", of("c"), of("c"), false],
    ["without checks", of(undefined, "a", "b"), of(undefined, "b", "a"), true],
  ])("%s", (_, one, other, expected) => {
    expect([isSameProcedure(one, other), isSameProcedure(other, one)]).toEqual([expected, expected]);
  });
});

describe("a recipe's words", () => {
  it("name of two checks the last that never failed", () => {
    const failed: CallWritten = { command: "pnpm run lint", output: "1 failed", failed: true };
    const check = (...calls: readonly CallWritten[]): string | undefined => recipe(taskOf(calls)).check;
    expect(check({ command: "mk one" }, CHECK, failed, { command: "pnpm run lint", output: "ok" })).toBe(
      "pnpm run check:client",
    );
    expect(check({ command: "mk one" }, failed, { command: "pnpm run lint", output: "ok" })).toBe("pnpm run lint");
    expect(check(CHECK, { edit: `${CWD}/a.ts` })).toBeUndefined();
  });

  it("tell of a failure the line that says what was wrong, wherever it stands", () => {
    const output = "reading deploy.yaml\nerror: --region is required\nsee the manual";
    const failed: CallWritten = { command: "deployctl push", output, failed: true };
    const { pitfalls } = recipe(taskOf([failed, { command: "deployctl push --region eu", output: "ok" }, CHECK]));
    expect(pitfalls.map(({ error }) => error)).toEqual(["error: --region is required"]);
  });

  it("take a name that is subcommand and word of the prompt for what it is", () => {
    const text = recipe(taskOf(ran("git stripe stripe"), "Add stripe.")).steps[0]?.command;
    expect(text).toBe("git stripe <name>");
  });
});

describe("a writer", () => {
  const made = (change: Partial<Candidate> = {}, commands = ["mk one", "rk two"]): Candidate => ({
    id: "c1234",
    agent: "codex",
    session: "s1",
    task: "t1",
    time: 0,
    calls: 6,
    outcome: { kind: "good", reasons: ["check-passed"] },
    recipe: recipe(taskOf(ran(...commands), "Please publish the nightly invoices and more.")),
    wants: ["asked"],
    refused: [],
    ...change,
  });
  const handed = {
    operation: "create",
    name: "publish-invoices",
    description: "Publishes.",
    when: "Nightly.",
    steps: [{ text: "Go.", command: "mk one" }, { text: "Look." }],
    pitfalls: [],
    check: "pnpm run check:client",
  };
  const doubts = (change: object): unknown => {
    const draft = readDraft({ ...handed, ...change }, made(), { author: "host-agent" });
    return draft.kind === "draft" ? draft.doubts : draft.kind;
  };

  it.each<readonly [string, object, unknown]>([
    ["its commands", {}, []],
    ["a step more than it ran", { steps: [{ text: "Go.", command: "xk" }] }, ["not-from-the-task"]],
    ["another check", { check: "xk" }, ["not-from-the-task"]],
    ["no check", { check: "" }, []],
    ["nothing", { operation: "nothing" }, "nothing"],
    ["another form", { steps: "x" }, "invalid"],
  ])("hands in %s", (_, change, expected) => {
    expect(doubts(change)).toEqual(expected);
  });

  it.each<readonly [Candidate["wants"], string]>([
    [["recovered", "recurs"], "was needed in 3 sessions"],
    [["asked", "recovered"], "was found after an error"],
    [["dictated"], "was dictated step by step"],
    [["asked"], "was asked for"],
  ])("is asked for %j", (wants, words) => {
    const line = askLine(made({ wants }), 3);
    expect(line).toContain(`A procedure ${words} (Please publish the nightly invoices and more.)`);
    expect(line).toContain("`memdir skill draft --from c1234`");
  });

  it("is told what ran, what was changed and what failed", () => {
    const record = digestFor(made());
    expect(record).toMatch(/^Asked for: Please publish/u);
    expect(record).toContain("6 tool calls; ended well by: check-passed; kept because: asked");
    expect(record).toMatch(/- \[\S+\] mk one\n- \[\S+\] rk two/u);
    expect(record).not.toMatch(/Files changed|What failed first/u);
    expect(record.endsWith("Check: pnpm run check:client")).toBe(true);
    expect(digestFor(made({ recipe: { ...made().recipe, check: undefined } }))).toContain("Check: none was run");
  });

  it("who is nobody names a skeleton by the words of the prompt, or by its candidate", () => {
    expect(recipeProposal(made())).toMatchObject({ author: "recipe", name: "publish-nightly-invoices-more" });
    expect(recipeProposal(made({ recipe: { ...made().recipe, description: "do it" } })).name).toBe("procedure-c1234");
    const long = recipeProposal(made({ recipe: { ...made().recipe, description: "x".repeat(90) } })).name;
    expect(long).toBe("x".repeat(64));
  });
});
