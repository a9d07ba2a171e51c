import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { type OpenWorkspace, openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { ExtractInput } from "../../../src/core/capture/extract/brief.ts";
import type { Extraction } from "../../../src/core/capture/extract/extract.ts";
import type { CaptureOperation, CapturePlan } from "../../../src/core/capture/plan.ts";
import {
  type CaptureOutcome,
  captureSession,
  type CaptureSessionOptions,
  joinOutcomes,
  NOTHING_CAPTURED,
} from "../../../src/app/capture/capture-session.ts";
import { everyScope, type Mode } from "../../../src/app/workspace/modes.ts";
import type { NoteDraft } from "../../../src/core/notes/note.ts";
import type { Transcript } from "../../../src/core/transcripts/turn.ts";
import { emptyHome } from "../../support/cli.ts";
import { planter } from "../../support/planted.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText } from "../../support/store.ts";
import { sessionOf } from "../../core/capture/session.ts";

let workspace: OpenWorkspace;
let asked: ExtractInput[];

beforeEach(() => {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${root}/orders`, environment: emptyHome(root) }));
  asked = [];
  for (const name of ["one", "two", "three"]) write(name, `Words of ${name}.`);
});

afterEach(() => workspace.close());

const directory = (): string => workspace.locations.stores[0]?.directory ?? "";
const notes = (): readonly string[] => fs.readdirSync(directory()).filter((name) => name !== "MEMORY.md");
/** As another program writes it. */
function write(name: string, body: string, description = `about ${name}`): void {
  fs.mkdirSync(directory(), { recursive: true });
  fs.writeFileSync(`${directory()}/${name}.md`, noteText(name, description, body));
}

const session = sessionOf(["Please remember what we said."]);
const evidence = { session: "s1", message: "u1" };
const draft = (name: string, more: Partial<NoteDraft> = {}): NoteDraft => ({
  type: "feedback",
  name,
  description: `all about ${name}`,
  body: `Every word on ${name} counts.`,
  evidence,
  ...more,
});
const create = (name: string, more: Partial<NoteDraft> = {}): CaptureOperation => ({
  kind: "create",
  draft: draft(name, more),
});
const revise = (name: string): CaptureOperation => ({
  kind: "revise",
  file: `project:${name}.md`,
  draft: draft(name, { type: "project" }),
});
const retire = (name: string): CaptureOperation => ({ kind: "retire", file: `project:${name}.md`, evidence });

interface Given extends CaptureSessionOptions {
  readonly plan?: Partial<CapturePlan>;
  readonly transcript?: Transcript;
  readonly mode?: Mode;
  readonly meanwhile?: () => void;
}

/** A session of which a model says that this is to be remembered. */
function captured({ plan = {}, transcript = session, mode, meanwhile, ...options }: Given): Promise<CaptureOutcome> {
  const extraction: Extraction = {
    kind: "plan",
    plan: { operations: [], proposed: [], refused: [], ...plan },
    steps: 1,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
  };
  const extractor = {
    extract: async (input: ExtractInput) => {
      asked.push(input);
      meanwhile?.();
      return extraction;
    },
    instructions: () => "",
  };
  const here = mode === undefined ? workspace : { ...workspace, modes: everyScope({ mode, reason: "r" }) };
  return captureSession(here, transcript, { extractor, ...options });
}
const told = ({ notes: done, refused, queued }: CaptureOutcome): unknown => [
  done.map(({ kind, name, file }) => `${kind} ${name}${file === undefined ? " not done" : ""}`),
  refused.map(({ reason, text }) => `${reason}: ${text}`),
  queued.map(({ operation }) => operation.kind),
];

describe("a capture", () => {
  it("does what was found, each operation once, and tells what room is left", async () => {
    const operations = [create("four"), revise("one"), retire("two")];
    const outcome = await captured({ plan: { operations } });
    expect(told(outcome)).toEqual([["create four", "revise one", "retire two"], [], []]);
    expect(outcome).toMatchObject({ by: "model", modelFailure: undefined, headroom: { omitted: 0 } });
    expect(outcome.headroom?.lines).toBeGreaterThan(100);
    expect([notes().length, fs.readFileSync(`${directory()}/one.md`, "utf8")]).toEqual([
      4,
      expect.stringContaining("Every word on one counts."),
    ]);
  });

  it("does nothing in a dry run, and says what it would do", async () => {
    const operations = [create("four"), revise("one"), retire("two")];
    expect(told(await captured({ plan: { operations }, dryRun: true }))).toEqual([
      ["create four not done", "revise one not done", "retire two not done"],
      [],
      [],
    ]);
    expect(notes()).toHaveLength(3);
  });

  it.each(["off", "recall-only"] as const)(
    "is refused where the mode is %s, and asks no model by itself",
    async (mode) => {
      await expect(captured({ mode })).rejects.toThrow(`memory is ${mode} (r), so nothing`);
      expect(await captured({ mode, askedBy: "itself" })).toEqual(NOTHING_CAPTURED);
      expect(asked).toEqual([]);
    },
  );

  it("in manual mode is for a person only", async () => {
    const plan = { operations: [create("four")] };
    expect(await captured({ mode: "manual", plan, askedBy: "itself" })).toEqual(NOTHING_CAPTURED);
    expect(told(await captured({ mode: "manual", plan }))).toEqual([["create four"], [], []]);
  });

  it("counts a note that the agent used as helpful, but not in a dry run", async () => {
    const store = workspace.stores[0]?.store;
    store?.reconcile("full");
    const transcript = sessionOf([{ agent: "As one.md says, I did it.", user: "Please remember what we said." }]);
    const helpful = (): unknown =>
      [...(store?.usage() ?? [])].filter(([, { helped }]) => helped > 0).map(([file]) => file);
    await captured({ transcript, dryRun: true });
    expect(helpful()).toEqual([]);
    await captured({ transcript });
    expect(helpful()).toEqual(["one.md"]);
  });

  it("goes by rules where the model gives no answer, which know what the instruction files say", async () => {
    const wish = "Always squash merges on the release branch of the shop.";
    const said = (instructions: string): Promise<CaptureOutcome> =>
      captureSession(workspace, sessionOf([`From now on: ${wish}`]), {
        extractor: {
          extract: async () => ({
            kind: "failed",
            reason: "timeout",
            message: "no answer",
            steps: 1,
            usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
          }),
          instructions: () => instructions,
        },
        dryRun: true,
      });
    expect(await said(`- ${wish}\n`)).toMatchObject({ notes: [], refused: [{ reason: "derivable" }], by: "rules" });
    expect((await said("")).notes).toHaveLength(1);
  });

  it("keeps what is in doubt for review, with what the model itself refused", async () => {
    const refused = [{ reason: "ephemeral" as const, text: "only today", evidence }];
    const proposed = [{ operation: revise("one"), reason: "may-be-known" as const }];
    expect(told(await captured({ plan: { proposed, refused } }))).toEqual([[], ["ephemeral: only today"], ["revise"]]);
  });

  it("writes no secret, wherever it stands in an operation, and tells where it was said", async () => {
    const secret = planter(7).plant("token");
    const { type, description, body } = draft("five");
    const unsaid = { type, name: secret, description, body };
    const outcome = await captured({
      plan: { operations: [create("four", { name: secret }), { kind: "create", draft: unsaid }, create("six")] },
    });
    expect(told(outcome)).toEqual([["create six"], ["secret: [secret]", "secret: [secret]"], []]);
    expect(outcome.refused.map((one) => one.evidence)).toEqual([evidence, { session: "", message: "" }]);
  });
});

describe("what a model is shown", () => {
  it("is what a keyboard meant, and no id that looks like a secret", async () => {
    const secret = planter(7).plant("token");
    const turns = [
      { role: "assistant" as const, id: "a1", text: "an\u0008swer", time: undefined, toolCalls: [] },
      { role: "user" as const, id: secret, text: "remem\u0008ber", time: undefined, toolCalls: [] },
    ];
    await captured({ transcript: { ...session, session: secret, turns }, turns });
    const [input] = asked;
    expect(input?.transcript.turns.map(({ text }) => text)).toEqual(["an\u0008swer", "remember"]);
    expect(input?.turns.map(({ text }) => text)).toEqual(["an\u0008swer", "remember"]);
    expect(JSON.stringify(input)).not.toContain(secret);
  });

  it("is the whole session, and which of its turns are new", async () => {
    await captured({});
    await captured({ turns: session.turns.slice(1) });
    expect(asked.map(({ transcript, turns }) => [transcript.turns.length, turns.length])).toEqual([
      [2, 2],
      [2, 1],
    ]);
  });

  it("are all notes as they are now, those too that others wrote a moment ago", async () => {
    workspace.stores[0]?.store.reconcile("full");
    write("late", "Words that came late.");
    await captured({});
    expect(asked[0]?.existing.map(({ file }) => file).toSorted()).toEqual(
      ["late", "one", "three", "two"].map((name) => `project:${name}.md`),
    );
  });

  it("is nothing where no person said anything", async () => {
    const blank = session.turns.map((turn) => (turn.role === "user" ? { ...turn, text: " \n" } : turn));
    expect(await captured({ transcript: { ...session, turns: blank } })).toMatchObject({ by: "rules" });
    expect(await captured({ turns: session.turns.slice(0, 1) })).toMatchObject({ by: "rules" });
    expect(asked).toEqual([]);
  });
});

describe("while a model thinks", () => {
  it.each([
    ["the words", () => write("one", "Other words of one.")],
    ["the description", () => write("one", "Words of one.", "about it")],
    ["all of it", () => fs.rmSync(`${directory()}/one.md`)],
  ])("a note of which others change %s is left alone, and the others are done", async (_, meanwhile) => {
    const plan = {
      operations: [create("four"), revise("one"), retire("two")],
      proposed: [
        { operation: retire("one"), reason: "may-be-known" as const },
        { operation: revise("three"), reason: "may-be-known" as const },
        { operation: create("seven"), reason: "may-be-known" as const },
      ],
    };
    expect(told(await captured({ plan, meanwhile }))).toEqual([
      ["create four", "retire two"],
      ["changed-meanwhile: all about one"],
      ["revise", "create"],
    ]);
  });

  it("a note that is to be retired and was changed is named", async () => {
    const outcome = await captured({
      plan: { operations: [retire("one")] },
      meanwhile: () => write("one", "Other words."),
    });
    expect(outcome.refused).toEqual([{ reason: "changed-meanwhile", text: "retire project:one.md", evidence }]);
  });
});

describe("a session that is captured again", () => {
  const again = async (more: Partial<NoteDraft>, transcript = session): Promise<unknown> =>
    told(await captured({ plan: { operations: [create("four", more), revise("one")] }, transcript }));

  beforeEach(async () => {
    await captured({ plan: { operations: [create("four")] } });
  });

  it("says nothing new with the same sentence of the same message, however it is told", async () => {
    expect(await again({ body: "Quite other words on that." })).toEqual([
      ["revise one"],
      ["duplicate: all about four"],
      [],
    ]);
    const single = await captured({ plan: { operations: [create("four", { body: "Yet other words." })] } });
    expect(told(single)).toEqual([[], ["duplicate: all about four"], []]);
    expect(single.refused[0]?.evidence).toEqual(evidence);
  });

  it.each([
    ["another message", { evidence: { session: "s1", message: "u2" } }],
    ["another session", { evidence: { session: "s2", message: "u1" } }],
    ["another sentence", { description: "all about other things" }],
  ])("says something new in %s", async (_, more) => {
    expect(await again({ name: "eight", body: "Quite other words on that.", ...more })).toMatchObject([
      ["create eight", "revise one"],
      [],
      [],
    ]);
  });

  it("goes by no message that nobody knows", async () => {
    const unknown = { evidence: { session: "s1", message: "" } };
    for (const name of ["nine", "ten"])
      expect(await again({ ...unknown, name, description: "unsaid", body: `Other words of ${name}.` })).toMatchObject([
        [`create ${name}`, "revise one"],
        [],
        [],
      ]);
  });
});

describe("two captures told as one", () => {
  const room = (lines: number): CaptureOutcome["headroom"] => ({ lines, characters: 1, omitted: 0 });
  const entry = {
    day: "2026-03-10",
    number: 1,
    key: "",
    time: 1,
    offset: 0,
    project: undefined,
    text: "t",
    ...evidence,
  };
  const outcome = (more: Partial<CaptureOutcome>): CaptureOutcome => ({ ...NOTHING_CAPTURED, ...more });

  it("have what both did, the last room, and the first failure", () => {
    const refused = [{ reason: "secret" as const, text: "x", evidence }];
    const first = outcome({ refused, headroom: room(9), modelFailure: "late" });
    expect(joinOutcomes(first, outcome({ refused }))).toEqual({ ...first, refused: [...refused, ...refused] });
    expect(joinOutcomes(NOTHING_CAPTURED, first)).toEqual(first);
    expect(joinOutcomes(first, outcome({ headroom: room(5), modelFailure: "later" }))).toMatchObject({
      headroom: room(5),
      modelFailure: "late",
    });
  });

  it("were by a model when one of them was", () => {
    const model = outcome({ by: "model" });
    expect([
      joinOutcomes(model, NOTHING_CAPTURED).by,
      joinOutcomes(NOTHING_CAPTURED, model).by,
      joinOutcomes(NOTHING_CAPTURED, NOTHING_CAPTURED).by,
    ]).toEqual(["model", "model", "rules"]);
  });

  it("have the entries of both where one went to a log, and none where none did", () => {
    const logged = outcome({ logged: [entry] });
    expect(joinOutcomes(logged, logged).logged).toHaveLength(2);
    expect(joinOutcomes(logged, NOTHING_CAPTURED).logged).toHaveLength(1);
    expect(joinOutcomes(NOTHING_CAPTURED, logged).logged).toHaveLength(1);
    expect(joinOutcomes(NOTHING_CAPTURED, NOTHING_CAPTURED)).toEqual(NOTHING_CAPTURED);
  });
});
