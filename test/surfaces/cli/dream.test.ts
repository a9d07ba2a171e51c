import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { agentNote, dreamPlace as place } from "../../support/dream-store.ts";

const RULE = "Integration tests use the postgres container.";

const TWICE = {
  "project_a.md": agentNote("a", RULE, "2025-01-02T09:00:00Z"),
  "project_b.md": agentNote("b", `Please remember: ${RULE}`, "2025-02-02T09:00:00Z"),
};

describe("memdir dream", () => {
  it("shows what it would do and changes nothing", async () => {
    const { memdir, texts } = place(TWICE);
    const before = texts();
    const { code, out } = await memdir("dream");
    expect(code).toBe(0);
    expect(out).toContain("merge      project_b.md ← project_a.md");
    expect(out).toContain("nothing changed");
    expect(texts()).toEqual(before);
  });

  it("applies, tells it in its log, and is taken back byte for byte", async () => {
    const { memdir, texts } = place(TWICE);
    const before = texts();
    const applied = await memdir("dream", "--apply", "--json");
    expect(JSON.parse(applied.out)).toMatchObject({
      operations: [{ kind: "merge", files: ["project_b.md", "project_a.md"] }],
      applied: [{ kind: "merge" }],
      refused: [],
    });
    expect(texts()["project_a.md"]).toContain("supersededBy: project_b.md");
    expect((await memdir("list")).out).not.toContain("project_a.md");
    expect((await memdir("dream", "--apply")).out).toContain("nothing to consolidate");
    expect((await memdir("dream", "log")).out).toContain("1 applied");
    expect((await memdir("dream", "undo")).out).toContain("undone");
    expect(texts()).toEqual(before);
  });

  it("counts days from when the words were said, also where they were captured months later", async () => {
    const { memdir } = place({
      "project_a.md": agentNote(
        "a",
        "The audit ends tomorrow.",
        "2025-06-02T09:00:00Z",
        "  said: 2025-01-02T09:00:00Z\n",
      ),
    });
    expect((await memdir("dream")).out).toContain("2025-01-03");
  });

  it("never touches what a person saved or pinned", async () => {
    const { memdir, texts } = place({
      "project_p.md": agentNote("p", RULE, "2025-01-02T09:00:00Z", "  pinned: true\n"),
      "project_q.md": agentNote("q", RULE, "2025-01-03T09:00:00Z", "  pinned: true\n"),
    });
    await memdir("remember", RULE, "--name", "mine", "--force");
    await memdir("remember", `${RULE} `, "--name", "mine too", "--force");
    const before = texts();
    expect(JSON.parse((await memdir("dream", "--apply", "--json")).out)).toMatchObject({ applied: [] });
    expect(texts()).toEqual(before);
  });

  it("refuses in recall-only mode, and when another process dreams", async () => {
    const { memdir, notes } = place(TWICE);
    await memdir("list");
    fs.writeFileSync(`${notes}/.consolidate-lock`, JSON.stringify({ pid: process.ppid, began: Date.now() }));
    const busy = await memdir("dream", "--apply");
    expect(busy).toMatchObject({ code: 6 });
    expect(busy.err).toContain("is consolidating these notes");
    fs.writeFileSync(`${notes}/.consolidate-lock`, JSON.stringify({ pid: 2 ** 30, began: Date.now(), previous: 5 }));
    expect((await memdir("dream", "--apply")).code).toBe(0);
  });

  it("runs by itself only when it is due", async () => {
    const { memdir, texts } = place(TWICE);
    const before = texts();
    expect((await memdir("dream", "--if-due")).out).toContain("0 sessions so far; the first is due after 5 sessions");
    for (let session = 1; session <= 5; session++)
      await memdir("recall", "integration tests", "--session", `s${session}`);
    expect((await memdir("dream", "--if-due")).out).toContain("1 operation applied");
    expect(texts()).not.toEqual(before);
    expect((await memdir("dream", "--if-due")).out).toContain("the last dream was less than an hour ago");
  });

  it("in confirm mode only tells in its log what it would do", async () => {
    const { memdir, texts } = place(TWICE);
    for (let session = 1; session <= 5; session++)
      await memdir("recall", "integration tests", "--session", `s${session}`);
    await memdir("mode", "confirm");
    const before = texts();
    await memdir("dream", "--if-due");
    expect((await memdir("dream", "log")).out).toContain("for you: merge  project_b.md ← project_a.md");
    expect((await memdir("status")).out).toContain("the last dream was less than an hour ago");
    expect(texts()).toEqual(before);
  });

  it("leaves a note alone that was changed in an editor since it was captured", async () => {
    const { memdir, texts, notes } = place(TWICE);
    await memdir("list");
    fs.appendFileSync(`${notes}/project_a.md`, "\nMy own line.\n");
    await memdir("list");
    const before = texts();
    await memdir("dream", "--apply");
    expect(texts()["project_a.md"]).toEqual(before["project_a.md"]);
  });

  it("says what is wrong with its arguments", async () => {
    const { memdir } = place({});
    expect(await memdir("dream", "--apply", "--review")).toMatchObject({ code: 2 });
    expect(await memdir("dream", "sleep")).toMatchObject({ code: 2 });
    expect(await memdir("dream", "--review")).toMatchObject({ code: 0 });
    expect(await memdir("dream", "undo")).toMatchObject({ code: 3 });
  });
});
