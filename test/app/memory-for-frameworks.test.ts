import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { type Memory, MemoryError, openMemory, type Transcript } from "../../src/index.ts";
import { emptyHome } from "../support/cli.ts";
import { agentNote } from "../support/dream-store.ts";
import { scratch } from "../support/scratch.ts";

const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "Europe/Prague" };
const NO_MOCKS = "Integration tests use the postgres container, never mocks.";
const PROMPT = "write integration tests for the importer";
const SAID: Transcript = {
  agent: "mine",
  session: "chat-1",
  cwd: undefined,
  turns: [
    { role: "user", id: "1", text: "Remember that releases are cut on Thursdays.", time: undefined, toolCalls: [] },
  ],
  toolTexts: [],
  problems: [],
};

let memory: Memory;
let root: string;

beforeEach(() => {
  root = scratch();
  memory = openMemory({ cwd: root, environment: emptyHome(root), clock, model: "off" });
  return () => memory.close();
});

describe("a memory for frameworks", () => {
  it("gives a note once a session, and again to a client that stores nothing of it", async () => {
    await memory.remember({ type: "feedback", name: "no mocks", body: NO_MOCKS });
    const given = (options: object): boolean => memory.recall(PROMPT, { session: "s", ...options }).text !== "";
    expect([given({}), given({}), given({ again: true }), given({ again: true }), given({})]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it("keeps what it recalls within the characters asked for", async () => {
    await memory.remember({ type: "feedback", name: "no mocks", body: `${NO_MOCKS}\n\n${"They lie. ".repeat(400)}` });
    const whole = memory.recall(PROMPT).text;
    const { text } = memory.recall(PROMPT, { maxCharacters: 1_000 });
    expect(whole.length).toBeGreaterThan(3_000);
    expect(text.length).toBeGreaterThan(300);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(() => memory.recall(PROMPT, { maxCharacters: 0 })).toThrow("maxCharacters is 0; give a number above 0");
    expect(() => memory.recall(PROMPT, { maxCharacters: Number.NaN })).toThrow("maxCharacters is NaN");
  });

  it("has nothing to show of a note that is not there, now or then", async () => {
    await memory.remember({ type: "feedback", name: "no mocks", body: NO_MOCKS });
    expect(memory.show("frost")).toBeUndefined();
    expect(memory.show("frost", { asOf: clock.now() })).toBeUndefined();
    expect(memory.show("no mocks")?.note.body.trim()).toBe(NO_MOCKS);
  });

  it("supersedes a note by another, in one change", async () => {
    await memory.remember({ type: "project", name: "old port", body: "The importer listens on port 7000." });
    await memory.remember({ type: "project", name: "new port", body: "The API of orders is on 7001.", beside: true });
    memory.supersede("old port", "new port");
    expect(memory.list().map(({ entry }) => entry.name)).toEqual(["new port"]);
    memory.undo();
    expect(memory.list()).toHaveLength(2);
    expect(() => memory.supersede("new port", "new port")).toThrow("cannot supersede itself");
  });

  it("dreams: says what it would do, and does it where it is told to", async () => {
    const dir = `${root}/notes`;
    fs.mkdirSync(dir);
    for (const name of ["a", "b"])
      fs.writeFileSync(`${dir}/project_${name}.md`, agentNote(name, NO_MOCKS, "2025-01-02T09:00:00Z"));
    memory = openMemory({ dir, environment: emptyHome(root), clock, model: "off" });
    const [look] = await memory.dream();
    expect(look).toMatchObject({ kind: "dreamt", scope: "project", notes: 2, applied: [] });
    expect(look?.kind === "dreamt" && look.proposed.map(({ kind, files }) => [kind, files.length])).toEqual([
      ["merge", 2],
    ]);
    expect(memory.list()).toHaveLength(2);
    const [done] = await memory.dream({ apply: true, scope: "project" });
    expect(done?.kind === "dreamt" && done.applied).toHaveLength(1);
    expect(memory.list()).toHaveLength(1);
  });
});

describe("a note that was written down earlier elsewhere", () => {
  const created = new Date("2025-06-10T08:00:00Z");

  it("keeps its time, and its dates count from there", async () => {
    await memory.remember({ type: "project", name: "freeze", body: "The freeze begins tomorrow.", created });
    const { note } = memory.show("freeze") ?? {};
    expect(note?.modified).toBe("2025-06-10T08:00:00.000Z");
    expect(note?.body).toContain("2025-06-11");
  });

  it("supersedes what is older, from then on, and nothing that is newer", async () => {
    const pnpm = "We use pnpm to install packages, not npm.";
    const yarn = "We switched from pnpm to yarn to install packages.";
    await memory.remember({ type: "project", name: "manager", body: pnpm, created: new Date("2025-01-10T08:00:00Z") });
    expect(await memory.remember({ type: "project", body: yarn, created })).toMatchObject({
      superseded: [{ file: "project_manager.md" }],
    });
    expect(memory.show("manager")?.note.validTo).toBe(created.toISOString());
    memory.undo();
    memory.remove("manager");
    await memory.remember({ type: "project", name: "manager today", body: pnpm });
    expect(await memory.remember({ type: "project", body: yarn, created })).toMatchObject({
      superseded: [],
      contradicts: [{ file: "project_manager_today.md" }],
    });
  });

  it("is not of a time to come, nor of none", async () => {
    for (const wrong of [new Date("2027-01-01T00:00:00Z"), new Date("never")])
      await expect(memory.remember({ body: NO_MOCKS, created: wrong })).rejects.toThrow(/^created is /u);
  });
});

describe("closing a memory", () => {
  it("waits for what is being written", async () => {
    const writes = [
      memory.remember({ type: "feedback", name: "no mocks", body: NO_MOCKS }),
      memory.capture(SAID),
      memory.log.append("Began with the importer."),
      memory.checkpoints.save({ name: "importer", sections: { goal: "Import orders in one pass" } }),
    ];
    await memory.close();
    expect(await Promise.all(writes)).toMatchObject([
      { outcome: "created" },
      { notes: [{ kind: "create" }] },
      { outcome: expect.any(String) },
      { kind: "saved" },
    ]);
  });

  it("lets nothing be written afterwards, and may be asked for twice", async () => {
    await memory.close();
    await memory.close();
    await expect(memory.remember({ body: NO_MOCKS })).rejects.toThrow(MemoryError);
    await expect(memory.capture(SAID)).rejects.toThrow("this memory is closed");
  });
});
