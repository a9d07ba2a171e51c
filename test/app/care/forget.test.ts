import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { remember } from "../../../src/app/notes/remember.ts";
import { forget } from "../../../src/app/notes/revise.ts";
import { undo } from "../../../src/app/notes/versions.ts";
import { recall } from "../../../src/app/recall/recall.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { whereIs } from "../../support/every-byte.ts";
import { scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore, textOf } from "../../support/store.ts";
import { BY } from "../../support/store-operations.ts";

interface Place {
  readonly all: string;
  readonly home: string;
  readonly options: { readonly cwd: string; readonly environment: Record<string, string | undefined> };
  memdir(...argv: string[]): ReturnType<typeof cli>;
}

function place(): Place {
  const all = `${scratch()}/all`;
  fs.mkdirSync(`${all}/project`, { recursive: true });
  const options = { cwd: `${all}/project`, environment: emptyHome(all) };
  return { all, home: path.join(homeOf(all), ".memdir"), options, memdir: (...argv) => cli(argv, options) };
}

const MARKER = "zebrafish-marker";
const TEXT = `The ${MARKER} lives in the north tower of the lighthouse.`;

describe("forgetting a note that has moved", () => {
  it.each([
    ["by its name", "quagga"],
    ["by its old place", "project:quagga"],
    ["by its new place", "user:project_quagga.md"],
  ])("%s purges every home it had, and the records of the move", async (_, reference) => {
    const { memdir, all } = place();
    await memdir("remember", TEXT, "--name", "quagga");
    await memdir("mv", "quagga", "user");
    expect(await memdir("forget", reference, "--yes")).toMatchObject({
      code: 0,
      out: expect.stringContaining("forgotten: receipt"),
    });
    expect((await memdir("list")).out).not.toContain("quagga");
    expect((await memdir("recall", "what lives in the north tower of the lighthouse?")).out).not.toContain(MARKER);
    expect([whereIs(MARKER, all), whereIs("quagga", all)]).toEqual([[], []]);
  });

  it("onto the very same text: both are one note then", async () => {
    const { memdir, all, home } = place();
    await memdir("remember", TEXT, "--name", "quagga");
    const file = `${home}/user/memory/project_quagga.md`;
    await memdir("remember", "I speak Czech.", "--type", "user", "--scope", "user");
    fs.copyFileSync(`${home}/projects/${fs.readdirSync(`${home}/projects`)[0] ?? ""}/memory/project_quagga.md`, file);
    expect((await memdir("mv", "project:quagga", "user")).code).toBe(0);
    expect((await memdir("forget", "quagga", "--yes")).code).toBe(0);
    expect(whereIs(MARKER, all)).toEqual([]);
  });

  it("says which scope may not be looked into, and goes on when it may", async () => {
    const { memdir, all } = place();
    await memdir("remember", TEXT, "--name", "quagga");
    await memdir("mv", "quagga", "user");
    await memdir("mv", "quagga", "project");
    await memdir("mode", "off", "--scope", "user");
    expect((await memdir("forget", "quagga", "--yes")).out).toContain("The user scope is read-only");
    expect(whereIs(MARKER, all)).not.toEqual([]);
    await memdir("mode", "auto", "--scope", "user");
    await memdir("list");
    expect(whereIs(MARKER, all)).toEqual([]);
  });

  it("takes earlier notes of its name along that are nowhere any more, and no other", async () => {
    const { memdir, all } = place();
    await memdir("remember", TEXT, "--name", "quagga");
    await memdir("remove", "quagga");
    await memdir("remember", "The pelican sleeps on the roof of the harbour office.", "--name", "quagga");
    await memdir("forget", "quagga", "--yes");
    expect(whereIs(MARKER, all)).toEqual([]);
    await memdir("remember", TEXT, "--name", "first");
    await memdir("mv", "first", "user");
    await memdir("remember", "The pelican sleeps on the roof of the harbour office.", "--name", "first");
    await memdir("forget", "project:first", "--yes");
    expect((await memdir("show", "user:first")).out).toContain(MARKER);
  });
});

describe("notes of another lineage", () => {
  it("keep text, versions and their way back, though the forgotten one said the very same", () => {
    const store = openTestStore(scratch());
    const text = noteText("same", "The same", TEXT);
    for (const file of ["a.md", "b.md", "c.md"]) store.commit([{ kind: "create", file, content: text }], BY);
    store.commit([{ kind: "delete", file: "c.md", base: bytes(text) }], BY);
    const before = ["b.md", "c.md"].map((file) => store.history().versions(file));
    expect(store.forget("a.md")).toMatchObject({ purged: { versions: 1 } });
    expect(["b.md", "c.md"].map((file) => store.history().versions(file))).toEqual(before);
    expect(textOf(store.read("b.md"))).toBe(text);
    const scoped = { scope: "project", store } as const;
    const clock = { now: () => Date.parse("2026-03-02T10:00:00Z"), timeZone: "UTC" };
    const workspace = { ...openWorkspace(locate({ cwd: scratch(), environment: emptyHome(scratch()) })), clock };
    expect(undo(workspace, scoped, "c.md")).toMatchObject({ outcome: "undone" });
    expect(textOf(store.read("c.md"))).toBe(text);
    workspace.close();
    store.close();
  });

  it("may use a forgotten name, and are followed when somebody edits them", () => {
    const root = scratch();
    const store = openTestStore(root);
    store.commit([{ kind: "create", file: "a.md", content: noteText("a", "About a", TEXT) }], BY);
    store.forget("a.md");
    store.commit([{ kind: "create", file: "a.md", content: noteText("a", "Told anew", "wanted again") }], BY);
    fs.appendFileSync(`${root}/notes/a.md`, "\nand edited by hand\n");
    expect(store.reconcile("full")).toMatchObject({ changed: ["a.md"], skipped: [] });
    store.rebuildIndex();
    expect(store.index.entry("a.md")?.description).toBe("Told anew");
    store.close();
  });
});

describe("what memdir wrote down about a note", () => {
  it("loses its words and its name: guards, prompts, pastes, checkpoints, session notes, late answers, proposals", async () => {
    const { memdir, all, home } = place();
    await memdir(
      "remember",
      `Never push by force: ${MARKER} broke the release branch.`,
      "--type",
      "feedback",
      "--name",
      "no-quagga",
    );
    await memdir(
      "guard",
      "set",
      "no-quagga",
      "--tool",
      "Bash",
      "--pattern",
      "push --force",
      "--action",
      "deny",
      "--message",
      `${MARKER} says no`,
    );
    expect((await memdir("guard", "enable", "no-quagga", "--yes")).code).toBe(0);
    const state = `${home}/stores/${fs.readdirSync(`${home}/stores`).find((name) => name.includes("projects")) ?? ""}`;
    expect(fs.readFileSync(`${state}/guards.json`, "utf8")).toContain(MARKER);
    const quotation = `Never push by force: ${MARKER} broke the release branch.`;
    const others = {
      "history.jsonl": `${JSON.stringify({ time: "2026-01-01T00:00:00Z", project: all, prompt: `remember: "x"\n${quotation}`, pastes: [] })}\n`,
      "pastes/abc": `pasted\n${quotation}\n`,
      "checkpoints/here/2026-task-0123456789.md": `# Task\n\nKept.\n- ${quotation}\n`,
      "session-memory/0123.json": JSON.stringify({ sections: [{ text: `- ${quotation}\n- kept too` }] }),
      "late/0123.json": JSON.stringify({ text: quotation, files: [], time: 1 }),
      [`${path.relative(home, state)}/proposals/ab.json`]: JSON.stringify({ quote: quotation }),
    };
    for (const [file, text] of Object.entries(others)) {
      fs.mkdirSync(path.dirname(`${home}/${file}`), { recursive: true });
      fs.writeFileSync(`${home}/${file}`, text);
    }
    expect((await memdir("forget", "no-quagga", "--yes")).code).toBe(0);
    expect([whereIs(MARKER, all), whereIs("no-quagga", all), whereIs("no_quagga", all)]).toEqual([[], [], []]);
    expect(fs.readFileSync(`${home}/checkpoints/here/2026-task-0123456789.md`, "utf8")).toContain("Kept.");
    expect(fs.readFileSync(`${home}/session-memory/0123.json`, "utf8")).toContain("kept too");
    expect(JSON.parse(fs.readFileSync(`${home}/history.jsonl`, "utf8"))).toMatchObject({
      prompt: expect.stringContaining("remember"),
    });
  });
});

describe("the log of recalls", () => {
  it.each(["is cut off", "shows it once more"])("has nothing of a note whose forget %s", async (what) => {
    const workspace = openWorkspace(locate(place().options));
    const saved = await remember(workspace, { body: TEXT, name: "quagga" });
    if (saved.outcome !== "created") throw new Error(saved.outcome);
    const { scoped, file } = saved.ref;
    const recalled = (): void =>
      recall(workspace, {
        prompt: "what lives in the north tower of the lighthouse?",
        session: what,
        verify: undefined,
      }).delivered();
    recalled();
    const logged = (): string => workspace.recallLog.tail().join();
    expect(logged()).toContain(file);
    const forgetting = (): ReturnType<typeof scoped.store.forget> => {
      if (what === "is cut off") throw new MemoryError("io", "killed");
      recalled();
      return scoped.store.forget(file);
    };
    const ref = { file, scoped: { ...scoped, store: { ...scoped.store, forget: forgetting } } };
    const told = ((): unknown => {
      try {
        return forget(workspace, ref)?.id;
      } catch (error) {
        return error instanceof MemoryError && error.message;
      }
    })();
    expect(told).toMatch(what === "is cut off" ? /^killed$/u : /^[0-9a-f]{32}$/u);
    expect(logged()).not.toContain(file);
    workspace.close();
  });
});

describe("memory that may only be read", () => {
  it("forgets nothing, by any way", async () => {
    const { memdir, options, all } = place();
    await memdir("remember", TEXT, "--name", "quagga");
    const workspace = openWorkspace(
      locate({ ...options, environment: { ...options.environment, MEMDIR_MODE: "recall-only" } }),
    );
    const [scoped] = workspace.stores;
    expect(() => scoped?.store.forget("project_quagga.md")).toThrow(expect.objectContaining({ code: "refused" }));
    expect(() => scoped?.store.forgetLineages(new Set())).toThrow(expect.objectContaining({ code: "refused" }));
    workspace.close();
    expect(whereIs(MARKER, all)).not.toEqual([]);
  });
});
