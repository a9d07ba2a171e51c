import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditNotes } from "../../../src/app/care/audit.ts";
import { dream, dreamIfDue, dreamsOf, undoDream } from "../../../src/app/dream/dream.ts";
import { redo } from "../../../src/app/transfer/undo.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { ScopedStore } from "../../../src/app/workspace/workspace.ts";
import { homeOf } from "../../support/cli.ts";
import { person } from "../../support/person.ts";
import { agentNote, dreamPlace, type DreamPlace, textsIn } from "../../support/dream-store.ts";
import { steppingClock } from "../../support/store.ts";

const RULE = "Integration tests use the postgres container.";
const TWICE = {
  "project_a.md": agentNote("a", RULE, "2025-01-02T09:00:00Z"),
  "project_b.md": agentNote("b", `Please remember: ${RULE}`, "2025-02-02T09:00:00Z"),
  "project_c.md": agentNote("c", "Releases go out on Monday.", "2025-01-02T09:00:00Z"),
  "project_d.md": agentNote("d", "Releases now go out on Thursday.", "2025-03-02T09:00:00Z"),
  ...Object.fromEntries(
    ["espresso machine", "parking permit", "fire drill", "fridge key"].map((thing, index) => [
      `project_other_${index}.md`,
      agentNote(`other ${index}`, `The ${thing} is looked after by Ann.`, "2025-01-02T09:00:00Z"),
    ]),
  ),
};

interface Opened {
  readonly workspace: OpenWorkspace;
  readonly scoped: ScopedStore;
  readonly clock: ReturnType<typeof steppingClock>;
}

function open({ notes, root, environment }: Pick<DreamPlace, "notes" | "root" | "environment">): Opened {
  const clock = steppingClock();
  const workspace = openWorkspace(locate({ cwd: root, dir: notes, environment }), { clock });
  const [scoped] = workspace.stores;
  if (scoped === undefined) throw new Error("there is no store");
  return { workspace, scoped, clock };
}

const TWO = [{ kind: "merge" }, { kind: "supersede" }];
const APPLY = { dryRun: false, unsigned: false };

describe("a note that is written while a dream runs", () => {
  it.each([
    ["that would be retired", "project_a.md"],
    ["that stays as it is", "project_b.md"],
  ])("takes its operation out when it is the one %s, and keeps its words", async (_, file) => {
    const place = dreamPlace(TWICE);
    const { workspace, scoped } = open(place);
    const edited = `${place.texts()[file] ?? ""}\nA line from another session.\n`;
    const result = await dream(workspace, scoped, {
      ...APPLY,
      progress: (phase) => phase === "apply" && fs.writeFileSync(`${place.notes}/${file}`, edited),
    });
    if (result.kind !== "dreamt") throw new Error("busy");
    expect(result.outcome.refused).toMatchObject([{ operation: { kind: "merge" }, reason: "changed-meanwhile" }]);
    expect(result.outcome.applied).toMatchObject([{ kind: "supersede" }]);
    expect(place.texts()[file]).toBe(edited);
    expect(place.texts()["project_c.md"]).toContain("supersededBy: project_d.md");
    workspace.close();
  });

  it.each(["project_a.md", "project_b.md"])(
    "is noticed at the very last moment, between the last look and the commit: %s",
    async (file) => {
      const place = dreamPlace(TWICE);
      const { workspace, scoped } = open(place);
      const edited = `${place.texts()[file] ?? ""}\nA line from another session.\n`;
      let commits = 0;
      const late: ScopedStore = {
        scope: scoped.scope,
        store: {
          ...scoped.store,
          commit: (changes, by) => {
            if (++commits === 1) fs.writeFileSync(`${place.notes}/${file}`, edited);
            return scoped.store.commit(changes, by);
          },
        },
      };
      expect(await dream(workspace, late, APPLY)).toMatchObject({
        kind: "dreamt",
        outcome: {
          applied: [{ kind: "supersede" }],
          refused: [{ operation: { kind: "merge" }, reason: "changed-meanwhile" }],
        },
      });
      expect([commits, place.texts()[file]]).toEqual([2, edited]);
      expect(place.texts()["project_a.md"]).not.toContain("supersededBy");
      workspace.close();
    },
  );

  it("is not brought back when it was deleted", async () => {
    const place = dreamPlace(TWICE);
    const { workspace, scoped } = open(place);
    const result = await dream(workspace, scoped, {
      ...APPLY,
      progress: (phase) => phase === "apply" && fs.rmSync(`${place.notes}/project_a.md`),
    });
    expect(result).toMatchObject({
      kind: "dreamt",
      outcome: { applied: [{ kind: "supersede" }], refused: [{ reason: "changed-meanwhile" }] },
    });
    expect(Object.keys(place.texts())).not.toContain("project_a.md");
    workspace.close();
  });
});

describe("a dream that does not come to its end", () => {
  it("leaves the notes, rolls the lock's time back and says in its log what happened", async () => {
    const place = dreamPlace(TWICE);
    const { workspace, scoped } = open(place);
    const before = place.texts();
    const breakOff = (): never => {
      throw new Error("broken off");
    };
    await expect(
      dream(workspace, scoped, { ...APPLY, progress: (phase) => phase === "apply" && breakOff() }),
    ).rejects.toThrow("broken off");
    expect(place.texts()).toEqual(before);
    expect(fs.readdirSync(place.notes).filter((name) => name.startsWith(".consolidate"))).toEqual([]);
    expect(dreamsOf(scoped)).toMatchObject([{ failure: "broken off", applied: [] }]);
    expect(await dream(workspace, scoped, APPLY)).toMatchObject({ kind: "dreamt", outcome: { applied: TWO } });
    workspace.close();
  });

  it("writes nothing when its time is over before recall was checked", async () => {
    const place = dreamPlace(TWICE);
    const { workspace, scoped, clock } = open(place);
    const before = place.texts();
    const result = await dream(workspace, scoped, {
      ...APPLY,
      deadline: clock.now() + 60_000,
      progress: (phase) => phase === "check" && clock.set(clock.now() + 120_000),
    });
    expect(result).toMatchObject({
      kind: "dreamt",
      outcome: { applied: [], refused: [{ reason: "out-of-time" }, { reason: "out-of-time" }], version: undefined },
    });
    expect(place.texts()).toEqual(before);
    workspace.close();
  });
});

describe("a dream by itself", () => {
  async function withSessions(place: DreamPlace): Promise<void> {
    for (let session = 1; session <= 5; session++)
      await place.memdir("recall", "integration tests", "--session", `s${session}`);
  }

  it("comes when it is due and not again the same day", async () => {
    const place = dreamPlace(TWICE);
    await withSessions(place);
    const { workspace, clock } = open(place);
    clock.set(Date.now() + 60_000);
    expect(await dreamIfDue(workspace)).toMatchObject([{ kind: "dreamt", outcome: { applied: TWO } }]);
    expect(await dreamIfDue(workspace)).toMatchObject([{ kind: "not-due", reason: "recent" }]);
    workspace.close();
  });

  it("counts sessions that wrote a note as it counts those that recalled one", async () => {
    const said = (session: number): string => `  evidence:\n    session: s${session}\n    message: m1\n`;
    const place = dreamPlace(
      Object.fromEntries(
        [1, 2, 3, 4, 5].map((session) => [
          `project_${session}.md`,
          agentNote(
            String(session),
            `Fact number ${session} is about queue ${session}.`,
            "2026-03-01T09:00:00Z",
            said(session),
          ),
        ]),
      ),
    );
    const { workspace } = open(place);
    expect(await dreamIfDue(workspace)).toMatchObject([{ kind: "dreamt" }]);
    workspace.close();
  });

  it("only proposes in confirm mode", async () => {
    const place = dreamPlace(TWICE);
    await withSessions(place);
    await place.memdir("mode", "confirm");
    const before = place.texts();
    const { workspace, scoped, clock } = open(place);
    clock.set(Date.now() + 60_000);
    expect(await dreamIfDue(workspace)).toMatchObject([{ kind: "dreamt", outcome: { applied: [], told: TWO } }]);
    expect(place.texts()).toEqual(before);
    expect(dreamsOf(scoped)).toMatchObject([{ applied: [], told: [{ kind: "merge" }, { kind: "supersede" }] }]);
    workspace.close();
  });

  it.each(["manual", "recall-only", "off"])("never comes in mode %s", async (mode) => {
    const place = dreamPlace(TWICE);
    await withSessions(place);
    await place.memdir("mode", mode);
    const before = place.texts();
    const clock = steppingClock(Date.now() + 60_000);
    const workspace = openWorkspace(locate({ cwd: place.root, dir: place.notes, environment: place.environment }), {
      clock,
    });
    const results = await dreamIfDue(workspace);
    expect(results.every((one) => one.kind === "not-due" && one.reason === "mode")).toBe(true);
    expect(place.texts()).toEqual(before);
    expect(fs.existsSync(`${place.notes}/.consolidate-lock`)).toBe(false);
    workspace.close();
  });
});

describe("notes that a dream may not rewrite", () => {
  it.each([
    ["those that a person changed through memdir, though an agent signed them", "user", 0],
    ["not those that an agent wrote and changed", "rules", 1],
  ])("are %s", async (_what, actor, merged) => {
    const place = dreamPlace(TWICE);
    const { workspace, scoped } = open(place);
    scoped.store.reconcile("full");
    for (const file of ["project_a.md", "project_b.md"]) {
      const base = scoped.store.read(file);
      if (base === undefined) throw new Error("gone");
      const content = `${new TextDecoder().decode(base).trimEnd()} \n`;
      scoped.store.commit([{ kind: "write", file, base, content }], { actor, reason: "edited" });
    }
    const before = place.texts();
    const result = await dream(workspace, scoped, APPLY);
    if (result.kind !== "dreamt") throw new Error("busy");
    expect(result.outcome.applied.filter(({ kind }) => kind === "merge")).toHaveLength(merged);
    const after = place.texts();
    const kept = ["project_a.md", "project_b.md"].every((file) => after[file] === before[file]);
    expect(kept).toBe(merged === 0);
    workspace.close();
  });

  it("are those with the marks of an unfinished merge", async () => {
    const marked = `${RULE}\n<<<<<<< ours\nUse port 5432.\n=======\nUse port 5433.\n>>>>>>> theirs`;
    const place = dreamPlace({
      ...TWICE,
      "project_a.md": agentNote("a", marked, "2025-01-02T09:00:00Z"),
      "project_b.md": agentNote("b", marked, "2025-02-02T09:00:00Z"),
    });
    const { workspace, scoped } = open(place);
    const before = place.texts();
    const result = await dream(workspace, scoped, APPLY);
    if (result.kind !== "dreamt") throw new Error("busy");
    expect(result.outcome.applied).toMatchObject([{ kind: "supersede" }]);
    expect(place.texts()["project_a.md"]).toBe(before["project_a.md"]);
    expect(place.texts()["project_b.md"]).toBe(before["project_b.md"]);
    workspace.close();
  });
});

it("a dream that is only looked at promises what --apply does, no more", async () => {
  const nobodys = Object.fromEntries(
    Object.entries(TWICE).map(([file, text]) => [file, text.replace("  source: rules\n", "")]),
  );
  const place = dreamPlace(nobodys);
  const [looked, applied] = [(await place.memdir("dream")).out, (await place.memdir("dream", "--apply")).out];
  expect(looked).toContain("For you to decide");
  expect([looked, applied].map((out) => /(\d+) operations?|nothing to consolidate/u.exec(out)?.[0])).toEqual([
    "nothing to consolidate",
    "nothing to consolidate",
  ]);
});

describe("the log of dreams", () => {
  it("says each thing that waits for a person once, in the newest dream that saw it, and still counts it in the others", async () => {
    const place = dreamPlace({
      ...TWICE,
      "project_long.md": agentNote("long", "A wall of text.\n".repeat(900), "2025-01-02T09:00:00Z"),
    });
    const { workspace, scoped, clock } = open(place);
    for (let day = 0; day < 5; day++) {
      await dream(workspace, scoped, APPLY);
      clock.set(clock.now() + 86_400_000);
    }
    const dreams = dreamsOf(scoped);
    expect(dreams[0]?.told).toMatchObject([{ kind: "flag", files: ["project_long.md"] }]);
    expect(dreams.flatMap(({ told }) => told)).toHaveLength(1);
    const log = fs.readFileSync(`${scoped.store.state}/dreams.jsonl`, "utf8");
    expect(log.split("project_long.md")).toHaveLength(2);
    expect((await place.memdir("dream", "log")).out.match(/1 for you/gu)).toHaveLength(5);
    fs.rmSync(`${place.notes}/project_long.md`);
    await dream(workspace, scoped, APPLY);
    expect(dreamsOf(scoped).map(({ told }) => told.length)).toEqual([0, 1, 0, 0, 0, 0]);
    workspace.close();
  });
});

describe("forgetting a note", () => {
  it("takes it out of what dreams wrote down", async () => {
    const place = dreamPlace(TWICE);
    await place.memdir("dream", "--apply");
    expect((await place.memdir("dream", "log")).out).toContain("project_c.md");
    expect((await place.memdir("forget", "project_c.md", "--yes")).code).toBe(0);
    expect((await place.memdir("dream", "log")).out).not.toContain("project_c.md");
  });
});

describe("what was taken back", () => {
  const dreamt = async ({ workspace, scoped }: Opened) => {
    const result = await dream(workspace, scoped, APPLY);
    if (result.kind !== "dreamt") throw new Error("busy");
    return result.outcome;
  };

  it("is not done again, whatever is new beside it, and nobody is told to", async () => {
    const place = dreamPlace(TWICE);
    const opened = open(place);
    const { workspace, scoped } = opened;
    const before = textsIn(place.notes);
    expect((await dreamt(opened)).applied).toMatchObject(TWO);
    undoDream(workspace, [scoped]);
    const again = await dreamt(opened);
    expect(again).toMatchObject({ applied: [], told: [], version: undefined });
    expect(again.refused).toMatchObject(TWO.map((operation) => ({ operation, reason: "taken-back" })));
    expect(textsIn(place.notes)).toEqual(before);
    expect((await auditNotes(workspace)).map(({ code }) => code)).not.toContain("duplicate");
    for (const [name, month] of [
      ["x", 1],
      ["y", 2],
    ] as const)
      fs.writeFileSync(
        `${place.notes}/project_${name}.md`,
        agentNote(name, "The archive is kept for seven years.", `2025-0${month}-02T09:00:00Z`),
      );
    const next = await dreamt(opened);
    expect(next.applied).toMatchObject([{ kind: "merge", files: ["project_y.md", "project_x.md"] }]);
    expect(next.refused).toHaveLength(2);
    workspace.close();
  });

  it("is done again by a redo, and then it stands", async () => {
    const place = dreamPlace(TWICE);
    const opened = open(place);
    await dreamt(opened);
    const after = textsIn(place.notes);
    undoDream(opened.workspace, [opened.scoped]);
    expect(redo(opened.workspace, opened.scoped, undefined)).toMatchObject({ outcome: "undone" });
    expect(textsIn(place.notes)).toEqual(after);
    expect(await dreamt(opened)).toMatchObject({ applied: [], refused: [] });
    opened.workspace.close();
  });
});

describe("dreams and undos in any order", () => {
  const fact = fc.record({
    subject: fc.constantFrom("Releases", "Backups", "Deploys"),
    day: fc.constantFrom("Monday", "Thursday"),
    now: fc.boolean(),
    month: fc.integer({ min: 1, max: 9 }),
  });
  const step = fc.constantFrom("dream", "undo");

  it("give back the bytes of every state that they left", { tags: ["slow"], timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fact, { minLength: 2, maxLength: 10 }),
        fc.array(step, { minLength: 2, maxLength: 6 }),
        async (facts, steps) => {
          const place = dreamPlace(
            Object.fromEntries(
              facts.map(({ subject, day, now, month }, index) => [
                `project_${index}.md`,
                agentNote(
                  `n${index}`,
                  `${subject} ${now ? "now " : ""}go out on ${day} evening.`,
                  `2025-0${month}-02T09:00:00Z`,
                ),
              ]),
            ),
          );
          const { workspace, scoped } = open(place);
          const states = [textsIn(place.notes)];
          for (const one of steps) {
            if (one === "dream") {
              const result = await dream(workspace, scoped, APPLY);
              if (result.kind === "dreamt" && result.outcome.version !== undefined) states.push(textsIn(place.notes));
            } else if (undoDream(workspace, [scoped]) !== undefined) states.pop();
            expect(textsIn(place.notes)).toEqual(states.at(-1));
          }
          for (let undos = 0; undoDream(workspace, [scoped]) !== undefined; undos++) expect(undos).toBeLessThan(20);
          expect(textsIn(place.notes)).toEqual(states[0]);
          workspace.close();
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("dreams beyond the project's own notes", () => {
  const GONE = agentNote(
    "gone",
    "The retry in `src/elsewhere/retry.ts` gives up after three tries.",
    "2025-01-02T09:00:00Z",
  );
  const PLACES = {
    group: (root: string) => `${homeOf(root)}/.memdir/groups/shop/memory`,
    "agent-user": (root: string) => `${homeOf(root)}/.claude/agent-memory/reviewer`,
    agent: (_: string, cwd: string) => `${cwd}/.claude/agent-memory/reviewer`,
    "agent-local": (_: string, cwd: string) => `${cwd}/.claude/agent-memory-local/reviewer`,
  } as const;

  async function withNotes(scopes: readonly (keyof typeof PLACES)[]) {
    const one = person();
    await one.memdir(["group", "add", "shop"]);
    for (const scope of scopes) {
      const directory = PLACES[scope](one.root, one.cwd);
      fs.mkdirSync(directory, { recursive: true });
      for (const [file, text] of Object.entries({ ...TWICE, "project_gone.md": GONE }))
        fs.writeFileSync(`${directory}/${file}`, text);
    }
    return { ...one, texts: (scope: keyof typeof PLACES) => textsIn(PLACES[scope](one.root, one.cwd)) };
  }

  it.each(["group", "agent-user", "agent", "agent-local"] as const)(
    "consolidate notes of the scope %s, within its own limits, and are taken back",
    async (scope) => {
      const { memdir, json, texts } = await withNotes([scope]);
      const before = texts(scope);
      const { applied } = await json(["dream", "--apply", "--agent-type", "reviewer"]);
      expect(applied.map((one: { kind: string; scope: string }) => ({ kind: one.kind, scope: one.scope }))).toEqual([
        { kind: "merge", scope },
        { kind: "supersede", scope },
      ]);
      expect(texts(scope)).not.toEqual(before);
      expect((await memdir(["dream", "log", "--agent-type", "reviewer"])).out).toContain(
        `  ${scope}  9 notes, 2 applied`,
      );
      expect((await memdir(["dream", "undo", "--agent-type", "reviewer"])).code).toBe(0);
      expect(texts(scope)).toEqual(before);
    },
  );

  it("retire nothing of a group because this project does not have it", async () => {
    const { json } = await withNotes(["group"]);
    const { operations } = await json(["dream", "--dry-run"]);
    expect(operations.filter(({ files }: { files: string[] }) => files.includes("project_gone.md"))).toEqual([]);
  });

  it("come by themselves to groups and to sub-agents that have notes, five types at most, the longest undreamt first", async () => {
    const { root, cwd, environment, memdir, texts } = await withNotes(["group", "agent-user", "agent"]);
    for (const type of ["a", "b", "c", "d", "e", "f"]) {
      fs.mkdirSync(`${cwd}/.claude/agent-memory/${type}`, { recursive: true });
      fs.writeFileSync(
        `${cwd}/.claude/agent-memory/${type}/project_x.md`,
        agentNote("x", `Fact of ${type} about its queue.`, "2025-01-02T09:00:00Z"),
      );
      fs.writeFileSync(`${cwd}/.claude/agent-memory/${type}/.consolidate-lock`, "");
      fs.utimesSync(`${cwd}/.claude/agent-memory/${type}/.consolidate-lock`, 1_000, 1_000 + type.charCodeAt(0));
    }
    fs.mkdirSync(`${homeOf(root)}/.claude/agent-memory/empty`, { recursive: true });
    fs.mkdirSync(`${cwd}/.claude/agent-memory/-not a name`, { recursive: true });
    for (let session = 1; session <= 5; session++)
      await memdir(["recall", "integration tests", "--session", `s${session}`]);
    const workspace = openWorkspace(locate({ cwd, environment }));
    const results = await dreamIfDue(workspace, { deadline: Date.now() + 60_000 });
    workspace.close();
    expect(results.map(({ scope, agentType, kind }) => `${scope} ${agentType ?? "-"} ${kind}`)).toEqual([
      "group - dreamt",
      "agent-user reviewer dreamt",
      "agent reviewer dreamt",
      ...["a", "b", "c", "d"].map((type) => `agent ${type} dreamt`),
    ]);
    for (const scope of ["group", "agent-user", "agent"] as const)
      expect(Object.values(texts(scope)).filter((text) => text.includes("supersededBy"))).toHaveLength(2);
  });

  it("go to each type's own notes where one type is in force", async () => {
    const { cwd, environment, memdir } = await withNotes(["group", "agent"]);
    fs.mkdirSync(`${cwd}/.claude/agent-memory/tester`);
    fs.writeFileSync(
      `${cwd}/.claude/agent-memory/tester/project_x.md`,
      agentNote("x", "A fact about the queue.", "2025-01-02T09:00:00Z"),
    );
    for (let session = 1; session <= 5; session++)
      await memdir(["recall", "integration tests", "--session", `s${session}`]);
    const workspace = openWorkspace(locate({ cwd, environment, agentType: "reviewer" }));
    const results = await dreamIfDue(workspace);
    workspace.close();
    expect(
      results.map((one) => [one.scope, one.agentType, one.kind === "dreamt" ? one.outcome.notes : one.kind]),
    ).toEqual([
      ["group", undefined, 9],
      ["agent", undefined, 9],
      ["agent", "tester", 1],
    ]);
  });

  it("go on where one sub-agent's directory cannot be consolidated", async () => {
    const { cwd, environment, memdir } = await withNotes(["group", "agent"]);
    fs.mkdirSync(`${cwd}/.claude/agent-memory/broken`);
    fs.writeFileSync(
      `${cwd}/.claude/agent-memory/broken/project_x.md`,
      agentNote("x", "A fact about the queue.", "2025-01-02T09:00:00Z"),
    );
    fs.mkdirSync(`${cwd}/.claude/agent-memory/broken/.consolidate-lock`);
    for (let session = 1; session <= 5; session++)
      await memdir(["recall", "integration tests", "--session", `s${session}`]);
    const workspace = openWorkspace(locate({ cwd, environment }));
    const results = await dreamIfDue(workspace);
    workspace.close();
    expect(results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ agentType: "broken", kind: "not-due", reason: "failed" }),
        expect.objectContaining({ agentType: "reviewer", kind: "dreamt" }),
      ]),
    );
  });
});
