import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import { emptyHome } from "../support/cli.ts";
import { movingClock } from "../support/moving-clock.ts";
import { scratch } from "../support/scratch.ts";

const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "Europe/Prague" };

describe("the library", () => {
  it("remembers, recalls text for an agent, revises, undoes and forgets", async () => {
    const root = scratch();
    const memory = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock });
    const saved = await memory.remember({
      type: "feedback",
      name: "no mocks",
      body: "Integration tests use the postgres container, never mocks.",
    });
    expect(saved).toMatchObject({
      outcome: "created",
      ref: { file: "feedback_no_mocks.md" },
      headroom: { lines: 199, omitted: 0 },
    });
    expect(
      await memory.remember({
        type: "project",
        name: "other",
        body: "Integration tests use the postgres container, never mocks.",
      }),
    ).toMatchObject({ outcome: "known", ref: { file: "feedback_no_mocks.md" } });
    const { text, selected } = memory.recall("write integration tests against postgres");
    expect(selected.map(({ file }) => file)).toEqual(["feedback_no_mocks.md"]);
    expect(text).toMatch(/^<memdir-context source="recall">[\s\S]*never mocks\.[\s\S]*<\/memdir-context>$/u);
    expect(await memory.revise("no mocks", { body: "Use the container." })).toMatchObject({ outcome: "written" });
    expect(memory.history("no mocks").map(({ reason }) => reason)).toEqual(["edited", "remembered"]);
    expect(memory.undo("no mocks")).toMatchObject({ outcome: "undone" });
    expect(memory.show("no mocks")?.note.body).toContain("never mocks");
    expect(memory.forget("no mocks")).toMatchObject({ purged: { indexLines: 1 } });
    expect(memory.list()).toEqual([]);
    expect(memory.show("no mocks")).toBeUndefined();
    memory.close();
  });

  it("undoes, purges and shows the history of a removed note by its name, and names notes that resemble a wrong one", async () => {
    const root = scratch();
    const memory = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
    await memory.remember({ type: "feedback", name: "no mocks", body: "Integration tests use the container." });
    memory.remove("no mocks");
    expect(memory.history("no mocks").map(({ reason }) => reason)).toEqual(["removed", "remembered"]);
    expect(memory.undo("no mocks")).toMatchObject({ outcome: "undone" });
    expect(memory.show("no mocks")?.note.body).toContain("the container");
    expect(() => memory.pin("mocks")).toThrow('there is no note "mocks"; did you mean feedback_no_mocks.md?');
    expect(() => memory.pin("frost")).toThrow('there is no note "frost"; `memory.list()` shows all');
    memory.remove("no mocks");
    expect(memory.forget("no mocks")?.purged.versions).toBeGreaterThan(0);
    expect(() => memory.history("no mocks")).toThrow("there is no note");
    memory.close();
  });

  it("shows recall, context, list and a note as they were at a moment", async () => {
    const root = scratch();
    const moving = movingClock();
    const memory = openMemory({ dir: `${root}/notes`, environment: { ...emptyHome(root), PATH: "" }, clock: moving });
    await memory.remember({ name: "importer port", body: "The importer listens on port 8080." });
    const asOf = new Date(moving.now());
    const prompt = "which port does the importer listen on?";
    const given = memory.recall(prompt).text;
    const started = memory.context();
    moving.move(3_600_000);
    await memory.revise("importer port", { body: "The importer listens on port 9090." });
    moving.move(3_600_000);
    memory.remove("importer port");
    const past = memory.recall(prompt, { asOf });
    expect(past.text).toBe(given);
    expect(await past.refined).toBeUndefined();
    expect(memory.context({ asOf }).map(({ text }) => text)).toEqual(started.map(({ text }) => text));
    expect(memory.list({ asOf: asOf.getTime() }).map(({ entry }) => entry.description)).toEqual([
      "The importer listens on port 8080",
    ]);
    expect(memory.show("importer port", { asOf })?.note.body).toContain("8080");
    expect([memory.recall(prompt).text, memory.list()]).toEqual(["", []]);
    expect(() => memory.recall(prompt, { asOf, session: "s" })).toThrow("not both");
    expect(() => memory.recall(prompt, { asOf: Number.NaN })).toThrow("asOf is NaN");
    expect(() => memory.context({ asOf: 0 })).toThrow("history begins later");
    memory.close();
  });

  it("writes relative dates with the day they mean in the session's zone", async () => {
    const root = scratch();
    const memory = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock });
    await memory.remember({ name: "freeze", body: "The merge freeze starts on Thursday." });
    expect(memory.show("freeze")?.note.body).toContain("2026-03-05");
    memory.close();
  });

  it("keeps every note of two instances that write at once", async () => {
    const root = scratch();
    const open = (): ReturnType<typeof openMemory> =>
      openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock });
    const [one, two] = [open(), open()];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? one : two).remember({ name: "same name", body: `Fact number ${i}` }),
      ),
    );
    expect(one.list()).toHaveLength(20);
    expect(two.list()).toHaveLength(20);
    one.close();
    two.close();
  });

  it("captures a session once: running it again adds nothing", async () => {
    const root = scratch();
    const memory = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock });
    const session = {
      agent: "claude-code",
      session: "s1",
      cwd: undefined,
      toolTexts: [],
      problems: [],
      turns: [
        {
          role: "user",
          id: "m1",
          text: "From now on, always run the linter before you commit.",
          time: "2026-03-02T09:00:00Z",
          toolCalls: [],
        },
      ],
    } as const;
    const first = await memory.capture(session);
    expect(first.notes).toMatchObject([{ type: "feedback", evidence: { session: "s1", message: "m1" } }]);
    const again = await memory.capture(session);
    expect(again.notes).toEqual([]);
    expect(again.refused).toMatchObject([{ reason: "recalled-text" }]); // the note says it already
    memory.close();
  });

  it("retires a note that the person contradicts: it leaves recall and the index and stays reachable", async () => {
    const root = scratch();
    const memory = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock });
    await memory.remember({
      type: "feedback",
      name: "package manager",
      body: "Use npm to install packages in this repository.",
    });
    const turn = {
      role: "user",
      id: "m1",
      text: "No, don't use npm to install packages in this repository, use pnpm instead from now on.",
      time: "2026-03-02T09:00:00Z",
      toolCalls: [],
    } as const;
    const { notes } = await memory.capture({
      agent: "claude-code",
      session: "s1",
      cwd: undefined,
      toolTexts: [],
      problems: [],
      turns: [turn],
    });
    expect(notes).toMatchObject([{ superseded: "feedback_package_manager.md" }]);
    expect(memory.list().map(({ entry }) => entry.file)).not.toContain("feedback_package_manager.md");
    expect(fs.readFileSync(`${root}/notes/feedback_package_manager.md`, "utf8")).toMatch(
      /supersededBy: feedback_.*\n {2}validTo: 2026-03-02/u,
    );
    expect(fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8")).not.toContain("feedback_package_manager.md");
    memory.close();
  });
});
