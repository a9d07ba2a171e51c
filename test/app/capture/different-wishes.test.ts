import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/app/memory.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const GERMANY = "The nightly export job for Germany must run in the Frankfurt region because of the contract";
const SWITZERLAND = "The nightly export job for Switzerland must run in the Zurich region because of the contract";
const WIDER = "The nightly export job must run in the Frankfurt region because of the contract";

/** A session in which the user said one thing. */
const session = (root: string, text: string, id = "a"): Parameters<ReturnType<typeof openMemory>["capture"]>[0] => ({
  agent: "test",
  session: `session-${id}`,
  cwd: root,
  turns: [{ id, role: "user", text, toolCalls: [], time: "2026-03-02T09:00:00Z" }],
  toolTexts: [],
  problems: [],
});

describe("two wishes that differ in a place", () => {
  it("are both kept by the library and by the command, and a part of one is told and can be kept", async () => {
    const root = scratch();
    const environment = emptyHome(root);
    const memory = openMemory({ cwd: root, environment });
    expect(await memory.remember({ body: GERMANY })).toMatchObject({ outcome: "created" });
    expect(await memory.remember({ body: SWITZERLAND })).toMatchObject({ outcome: "created" });
    expect(await memory.remember({ body: WIDER })).toMatchObject({ outcome: "similar" });
    expect(await memory.remember({ body: WIDER, insist: true })).toMatchObject({ outcome: "created" });
    expect(memory.list()).toHaveLength(3);
    memory.close();
    expect((await cli(["remember", SWITZERLAND.replace("Zurich", "Basel")], { cwd: root, environment })).code).toBe(0);
  });

  it("are both captured; what may be known waits in the review queue", async () => {
    const root = scratch();
    const memory = openMemory({ cwd: root, environment: emptyHome(root) });
    await memory.remember({ body: GERMANY });
    const other = await memory.capture(session(root, `Remember: ${SWITZERLAND}.`, "a"));
    expect(other.notes).toHaveLength(1);
    const wider = await memory.capture(session(root, `Remember: ${WIDER}.`, "b"));
    expect(wider.notes).toHaveLength(0);
    expect(wider.queued).toMatchObject([
      { operation: { kind: "create" }, reason: expect.stringContaining("may say it") },
    ]);
    memory.close();
  });
});

describe("the opposite of a note, said in a session", () => {
  const OLD = "Deploy the staging cluster with kubectl scripts";
  const SAID = "From now on deploy the staging cluster with helm, never with kubectl scripts.";

  it("supersedes it as `remember` does, and a dry run says so", async () => {
    const root = scratch();
    const memory = openMemory({ cwd: root, environment: emptyHome(root) });
    await memory.remember({ body: OLD });
    const file = memory.list()[0]?.entry.file;
    const dry = await memory.capture(session(root, SAID), { dryRun: true });
    expect(dry.notes).toMatchObject([{ superseded: file }]);
    expect(memory.list()).toHaveLength(1);
    expect((await memory.capture(session(root, SAID))).notes).toMatchObject([{ superseded: file }]);
    expect(memory.list().map(({ entry }) => entry.description)).not.toContain(OLD);
    memory.close();
  });

  it.each([
    ["the note is pinned", SAID, ["pin"]],
    ["it only denies the note", "Never deploy the staging cluster with kubectl scripts.", []],
  ])("stands beside it and waits for the person where %s", async (_, said, commands) => {
    const root = scratch();
    const environment = emptyHome(root);
    const memory = openMemory({ cwd: root, environment });
    await memory.remember({ body: OLD });
    const file = memory.list()[0]?.entry.file ?? "";
    for (const command of commands) expect((await cli([command, file], { cwd: root, environment })).code).toBe(0);
    const { notes } = await memory.capture(session(root, said));
    expect(notes).toMatchObject([{ kind: "create", superseded: undefined }]);
    expect(memory.list()).toHaveLength(2);
    memory.close();
    const { out } = await cli(["review", "--list"], { cwd: root, environment });
    expect(out).toContain(file);
    expect(out).toContain("contradicts");
  });
});
