import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type CallWritten,
  DIALECTS,
  type Dialect,
  type ExchangeWritten,
  writeSession,
} from "../../../bench/skills/dialects.mjs";
import { learnSkills } from "../../../src/app/background/learn-skills.ts";
import { takeSkillQuestion } from "../../../src/app/skills/ask.ts";
import { draftFromCandidate, writeDrafts } from "../../../src/app/skills/drafts.ts";
import { briefFor, draftFrom, listCandidates, notebookOf } from "../../../src/app/skills/candidates.ts";
import { learnFromSession } from "../../../src/app/skills/learn.ts";
import { type OpenShelf, openShelf } from "../../../src/app/skills/shelf.ts";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { changeSkillSettings } from "../../../src/app/workspace/skills-mode.ts";
import type { Model } from "../../../src/core/models/model.ts";
import type { NotebookFile } from "../../../src/core/skills/notebook.ts";
import type { DraftVerdict } from "../../../src/core/skills/types.ts";
import { DRAFT_SCHEMA } from "../../../src/core/skills/writing.ts";
import { everyScope } from "../../../src/app/workspace/modes.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const NOW = Date.UTC(2026, 2, 10, 12);
const CALLS: readonly CallWritten[] = [
  { edit: "openapi.yaml" },
  { command: "pnpm run codegen", output: "wrote 4 files" },
  { edit: "src/client.ts" },
  { command: "scripts/stamp.sh 2.4.0", output: "stamped" },
  { command: "pnpm run check:client", output: "3 passed" },
];
const DRAFT = {
  operation: "create",
  name: "regenerate-client",
  description: "Regenerates the API client. Use when openapi.yaml changed.",
  when: "openapi.yaml changed",
  steps: [
    { text: "Generate the client.", command: "pnpm run codegen" },
    { text: "Stamp it.", command: "scripts/stamp.sh <version>" },
  ],
  pitfalls: [],
  check: "pnpm run check:client",
};

let root: string;
let workspace: OpenWorkspace;
let now: number;

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${homeOf(root)}/project`, { recursive: true });
  now = NOW;
  workspace = opened();
});

const here = (): Locations => locate({ cwd: `${homeOf(root)}/project`, environment: emptyHome(root) });
const opened = (locations = here()): OpenWorkspace =>
  openWorkspace(locations, { clock: { now: () => now, timeZone: "UTC" } });
const shelf = (): OpenShelf => openShelf(workspace);
const notebook = (): NotebookFile => notebookOf(workspace.locations) ?? expect.fail("no project");
const mode = (wanted: "off" | "observe" | "confirm" | "auto"): void =>
  changeSkillSettings(workspace.locations.memdirHome, { mode: wanted });

function write(session: string, exchanges: readonly ExchangeWritten[], dialect: Dialect = "claude-code"): string {
  const file = `${root}/${session}.jsonl`;
  const startMs = NOW - 3_600_000;
  fs.writeFileSync(file, writeSession(dialect, { session, cwd: `${homeOf(root)}/project`, startMs, exchanges }));
  return file;
}

const teach = (session: string, exchanges: readonly ExchangeWritten[], ended = true): Promise<void> =>
  learnSkills(
    workspace,
    { session, transcript: write(session, exchanges), checkpoint: ended ? "session-end" : undefined },
    AbortSignal.timeout(60_000),
  );
const ONCE: readonly ExchangeWritten[] = [{ prompt: "Regenerate the client.", calls: CALLS }];

describe("two sessions with the same procedure", () => {
  it.each(DIALECTS)(
    "of %s leave a draft where skills are observed, and nobody is asked or offered anything",
    async (dialect) => {
      for (const session of ["s1", "s2"]) {
        write(session, ONCE, dialect);
        const transcript = `${root}/${session}.jsonl`;
        await learnSkills(workspace, { session, transcript, checkpoint: "session-end" }, AbortSignal.timeout(60_000));
      }
      expect(listCandidates(workspace.locations).map(({ wants }) => wants)).toEqual([["recurs"], ["recurs"]]);
      const [kept, ...others] = shelf().list();
      expect(others).toEqual([]);
      expect(kept?.standing.current).toMatchObject({ author: "recipe", state: { stage: "draft" } });
      expect(takeSkillQuestion(workspace.locations)).toBeUndefined();
      expect(fs.existsSync(`${workspace.locations.memdirHome}/skills/offers.json`)).toBe(false);
    },
  );

  it.each(["auto", "confirm"] as const)(
    "ask the next session once where skills are %s, and leave no skeleton",
    async (wanted) => {
      mode(wanted);
      await teach("s1", ONCE);
      expect(takeSkillQuestion(workspace.locations)).toBeUndefined();
      await teach("s2", ONCE);
      expect(shelf().list()).toEqual([]);
      const question = takeSkillQuestion(workspace.locations);
      expect(question?.text).toContain("needed in 2 sessions (Regenerate the client.)");
      expect(question?.text).toMatch(/memdir skill draft --from c[0-9a-f]{8}/u);
      expect(takeSkillQuestion(workspace.locations)).toBeUndefined();
      await teach("s2", ONCE);
      expect(takeSkillQuestion(workspace.locations)).toBeUndefined();
    },
  );

  it("ask again where nobody saw the question, and fall back to the skeleton after a week", async () => {
    mode("auto");
    await teach("s1", ONCE);
    await teach("s2", ONCE);
    takeSkillQuestion(workspace.locations)?.undelivered();
    expect(takeSkillQuestion(workspace.locations)).toBeDefined();
    now += 8 * 86_400_000;
    await teach("s3", [{ prompt: "Look around.", calls: [] }]);
    expect(
      shelf()
        .list()
        .map(({ standing }) => standing.current.author),
    ).toEqual(["recipe"]);
  });
});

describe("nothing is learnt", () => {
  it("in skills mode off", async () => {
    mode("off");
    await teach("s1", ONCE);
    await teach("s2", ONCE);
    expect(fs.existsSync(`${workspace.locations.memdirHome}/skills`)).toBe(false);
  });

  it.each(["off", "recall-only", "manual"] as const)("where memory is %s", async (choice) => {
    const modes = everyScope({ mode: choice, reason: undefined });
    workspace = opened({ ...here(), mode: choice, modes });
    await teach("s1", ONCE);
    expect(fs.existsSync(`${workspace.locations.memdirHome}/skills`)).toBe(false);
  });

  it("from a task that may still go on, until the session ends, a prompt follows or an hour passes", async () => {
    await teach("s1", ONCE, false);
    expect(listCandidates(workspace.locations)).toEqual([]);
    await teach("s2", [...ONCE, { prompt: "Now sort the list.", calls: [] }], false);
    expect(listCandidates(workspace.locations).map(({ session }) => session)).toEqual(["s2"]);
    now += 3_600_001;
    await teach("s3", [{ prompt: "Look around.", calls: [] }]);
    expect(listCandidates(workspace.locations).map(({ session }) => session)).toEqual(["s1", "s2"]);
  });
});

describe("a host agent", () => {
  const candidate = async (): Promise<string> => {
    await teach("s1", [...ONCE, { prompt: "Perfect. Next time do it like this.", calls: [] }]);
    return listCandidates(workspace.locations)[0]?.id ?? expect.fail("no candidate");
  };
  const draft = (id: string, value: unknown): ReturnType<typeof draftFromCandidate> =>
    draftFromCandidate({ notebook: notebook(), shelf: shelf(), now }, id, { value, author: "host-agent" });

  it("writes a draft from a candidate, which then is not asked about again", async () => {
    mode("auto");
    const id = await candidate();
    expect(await draft(id, DRAFT)).toMatchObject({ kind: "kept", name: "regenerate-client", revision: 1 });
    expect(shelf().list()[0]?.standing.current).toMatchObject({ author: "host-agent" });
    expect(listCandidates(workspace.locations)[0]).toMatchObject({ writer: "host-agent" });
    takeSkillQuestion(workspace.locations);
    await teach("s2", [{ prompt: "Look around.", calls: [] }]);
    expect(takeSkillQuestion(workspace.locations)).toBeUndefined();
  });

  it("rewrites the skeleton that stands there under its name, and makes no second skill", async () => {
    const id = await candidate();
    const [skeleton] = shelf().list();
    expect(await draft(id, DRAFT)).toMatchObject({ kind: "kept", name: skeleton?.name, revision: 2 });
    expect(shelf().list()).toHaveLength(1);
  });

  it("is told by `skill draft --from` what its task ran and the form of an answer, and hands the answer in the same way", async () => {
    mode("auto");
    const id = await candidate();
    const brief = briefFor(shelf(), id);
    expect(brief.record).toContain("scripts/stamp.sh <version>");
    expect(brief.schema).toBe(DRAFT_SCHEMA);
    const handIn = (value: unknown): Promise<DraftVerdict> =>
      draftFrom(shelf(), JSON.stringify(value), { scope: "project", candidate: id });
    const foreign = { ...DRAFT, check: "make all" };
    expect(await handIn(foreign)).toMatchObject({ kind: "refused", reasons: ["not-from-the-task"] });
    expect(await handIn(DRAFT)).toMatchObject({ kind: "kept", name: "regenerate-client" });
  });

  it("may hand in a better text after one that was refused for its form", async () => {
    mode("auto");
    const id = await candidate();
    expect(await draft(id, { ...DRAFT, description: "x".repeat(301) })).toMatchObject({ reasons: ["invalid"] });
    expect((await draft(id, DRAFT)).kind).toBe("kept");
  });

  it("gets no brief for a candidate that a gate refuses", async () => {
    const id = await candidate();
    notebook().change((before) => ({
      ...before,
      candidates: before.candidates.map((one) => ({ ...one, refused: ["secret" as const] })),
    }));
    expect(() => briefFor(shelf(), id)).toThrow(`no skill can come of candidate ${id}: secret`);
  });

  it("is refused commands that the task never ran", async () => {
    mode("auto");
    const foreign = { ...DRAFT, steps: [{ text: "Wipe.", command: "dropdb shop" }] };
    expect(await draft(await candidate(), foreign)).toMatchObject({ kind: "refused", reasons: ["not-from-the-task"] });
    expect(shelf().list()).toEqual([]);
  });

  it("may say no, and is told what is not there", async () => {
    mode("auto");
    const id = await candidate();
    expect((await draft(id, { operation: "nothing" })).kind).toBe("refused");
    await expect(draft("c00000000", DRAFT)).rejects.toThrow("there is no candidate c00000000");
    await expect(draft(id, { name: "x" })).rejects.toThrow("this is not a draft");
  });
});

describe("a chosen model", () => {
  const model = (value: unknown): Model & { readonly asked: string[] } => {
    const asked: string[] = [];
    return {
      id: "local/small",
      place: "machine",
      asked,
      ask: async ({ messages }) => {
        asked.push(messages[0]?.text ?? "");
        return { kind: "answer", value, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }, ms: 1 };
      },
    };
  };
  const drafts = (chosen: Model): Promise<number> =>
    writeDrafts(
      { notebook: notebook(), shelf: shelf(), now },
      { mode: "auto", model: chosen, ask: () => expect.fail("asked") },
    );

  beforeEach(async () => {
    const { session, transcript } = {
      session: "s1",
      transcript: write("s1", [...ONCE, { prompt: "Great. Next time do it like this.", calls: [] }]),
    };
    await learnFromSession(workspace, { shelf: shelf(), notebook: notebook() }, { session, transcript, ended: true });
  });

  it("writes the draft from the record of commands, once", async () => {
    const chosen = model(DRAFT);
    expect(await drafts(chosen)).toBe(1);
    expect(chosen.asked[0]).toContain("scripts/stamp.sh <version>");
    expect(shelf().list()[0]?.standing.current).toMatchObject({ author: "model", state: { stage: "draft" } });
    expect(await drafts(chosen)).toBe(0);
    expect(chosen.asked).toHaveLength(1);
  });

  it.each([
    ["nothing", { operation: "nothing" }],
    ["what the task never ran", { ...DRAFT, check: "true" }],
  ])("that answers %s keeps nothing", async (_, value) => {
    expect(await drafts(model(value))).toBe(0);
    expect(shelf().list()).toEqual([]);
  });
});

describe("uses of a skill", () => {
  const follow = (load: CallWritten): readonly ExchangeWritten[] => [
    {
      prompt: "The client is stale.",
      calls: [{ edit: "openapi.yaml" }, load, CALLS[1], CALLS[3], CALLS[4]].flatMap((call) => call ?? []),
    },
  ];

  it("are recorded once, however often the session is read", async () => {
    mode("auto");
    await teach("s1", [...ONCE, { prompt: "Perfect. Next time do it like this.", calls: [] }]);
    const [candidate] = listCandidates(workspace.locations);
    await draftFromCandidate({ notebook: notebook(), shelf: shelf(), now }, candidate?.id ?? "", {
      value: DRAFT,
      author: "host-agent",
    });
    const path = shelf().list()[0]?.path ?? "";
    for (let time = 0; time < 2; time++) await teach("s2", follow({ read: path }));
    const told = shelf()
      .list()[0]
      ?.events.filter(({ kind }) => kind === "loaded" || kind === "followed");
    expect(told?.map((event) => (event.kind === "followed" ? event.result : event.kind))).toEqual(["loaded", "pass"]);
    expect(listCandidates(workspace.locations).filter(({ session }) => session === "s2")).toMatchObject([
      { refused: expect.arrayContaining(["from-a-skill"]) },
    ]);
  });

  it("that could not be recorded are found again", async () => {
    const transcript = write("s1", ONCE);
    const failing = {
      known: () => [
        {
          id: "k1",
          name: "x",
          revision: 1,
          stage: "trial" as const,
          path: "/k/skills/x/SKILL.md",
          commands: ["pnpm run codegen", "scripts/stamp.sh <version>"],
          check: undefined,
        },
      ],
      human: () => [],
      propose: () => expect.fail("proposed"),
      record: (): void => {
        throw new Error("the disk is full");
      },
    };
    write("s1", follow({ read: "/k/skills/x/SKILL.md" }));
    const learn = (to: typeof failing): Promise<unknown> =>
      learnFromSession(workspace, { shelf: to, notebook: notebook() }, { session: "s1", transcript, ended: true });
    await expect(learn(failing)).rejects.toThrow("the disk is full");
    expect(notebook().read().seen).toEqual([]);
    const kept: string[] = [];
    await learn({
      ...failing,
      record: (_: string, events: readonly { kind: string }[]) => void kept.push(...events.map(({ kind }) => kind)),
    } as typeof failing);
    expect(kept).toEqual(["loaded", "followed"]);
    expect(notebook().read().seen).toHaveLength(1);
  });
});
