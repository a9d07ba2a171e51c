import fs from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { locate } from "../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../src/app/workspace/open-workspace.ts";
import { acceptEntry, editEntry, entryText } from "../../src/app/capture/review.ts";
import { remember } from "../../src/app/notes/remember.ts";
import { revise } from "../../src/app/notes/revise.ts";
import { openMemory } from "../../src/index.ts";
import type { Transcript } from "../../src/core/transcripts/turn.ts";
import { memoryOffer, PROFILES } from "../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../src/surfaces/mcp/project-memory.ts";
import { cli, emptyHome } from "../support/cli.ts";
import { agentNote, dreamPlace } from "../support/dream-store.ts";
import { callTool, connectTo } from "../surfaces/mcp/linked.ts";
import { scratch } from "../support/scratch.ts";

const DAY = 86_400_000;
/** Three weeks after it was said: nothing may be counted from here. */
const LATER = 21 * DAY;

/** With what each says on a Wednesday, 2026-11-18. */
const FACTS: readonly (readonly [text: string, dates: readonly string[]])[] = [
  ["Bob deployed the hotfix last Friday.", ["2026-11-13"]],
  ["We switched from Heroku to AWS yesterday.", ["2026-11-17"]],
  ["The privacy review is due Monday.", ["2026-11-23"]],
  ["The customer signed the contract on Monday and will pay the first invoice tomorrow.", ["2026-11-16", "2026-11-19"]],
  ["We never deploy on a Friday.", []],
  ["Wir haben gestern auf Postgres gewechselt.", ["2026-11-17"]],
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function datesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\d{4}-\d{2}-\d{2}(?!T)/gu))];
}

/** The words and dates of all notes, without their frontmatter. */
function bodiesIn(directory: string): string {
  return fs
    .readdirSync(directory)
    .filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
    .map((name) => fs.readFileSync(`${directory}/${name}`, "utf8").replace(/^---\n[\s\S]*?\n---\n/u, ""))
    .join("\n");
}

function session(text: string, said: number): Transcript {
  const turn = { role: "user", id: "m1", text, time: new Date(said).toISOString(), toolCalls: [] } as const;
  return { agent: "test", session: "s1", cwd: undefined, turns: [turn], toolTexts: [], problems: [] };
}

async function inWorkspace<T>(
  now: number,
  mode: string,
  use: (workspace: OpenWorkspace, notes: string) => Promise<T>,
): Promise<T> {
  const root = scratch();
  const environment = { ...emptyHome(root), MEMDIR_MODE: mode };
  const workspace = openWorkspace(locate({ cwd: root, dir: `${root}/notes`, environment }), {
    clock: { now: () => now, timeZone: "UTC" },
  });
  try {
    return await use(workspace, `${root}/notes`);
  } finally {
    workspace.close();
  }
}

/** Each writes what was said, in its own way, and gives the notes' text. */
const PATHS: Readonly<Record<string, (text: string, said: number) => Promise<string>>> = {
  library: (text, said) =>
    inWorkspace(said, "auto", async (workspace, notes) => {
      await remember(workspace, { body: text });
      return bodiesIn(notes);
    }),
  async command(text, said) {
    const root = scratch();
    vi.setSystemTime(said);
    await cli(["remember", text, "--dir", `${root}/notes`], { environment: emptyHome(root), cwd: root });
    return bodiesIn(`${root}/notes`);
  },
  async mcp(text, said) {
    const root = scratch();
    vi.setSystemTime(said);
    const memory = openProjectMemory({ cwd: root, dir: `${root}/notes`, environment: emptyHome(root) });
    const client = await connectTo(memoryOffer(memory, PROFILES["full"] ?? []));
    await callTool(client, "remember", { text });
    await client.close();
    return bodiesIn(`${root}/notes`);
  },
  async capture(text, said) {
    const root = scratch();
    const clock = { now: () => said + LATER, timeZone: "UTC" };
    const memory = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock });
    await memory.capture(session(`Remember: ${text}`, said));
    memory.close();
    return bodiesIn(`${root}/notes`);
  },
  async review(text, said) {
    const root = scratch();
    const environment = { ...emptyHome(root), MEMDIR_MODE: "confirm" };
    const clock = { now: () => said + LATER, timeZone: "UTC" };
    const memory = openMemory({ dir: `${root}/notes`, environment, clock });
    await memory.capture(session(`Remember: ${text}`, said));
    memory.close();
    const workspace = openWorkspace(locate({ cwd: root, dir: `${root}/notes`, environment }), { clock });
    for (const entry of workspace.review.entries()) {
      // Saved as it is: what was said then is not said again by whoever looks at it.
      await editEntry(workspace, entry.id, entryText(workspace, entry) ?? "");
      await acceptEntry(workspace, entry.id);
    }
    workspace.close();
    return bodiesIn(`${root}/notes`);
  },
  async import(text, said) {
    const root = scratch();
    vi.setSystemTime(said + LATER);
    fs.mkdirSync(`${root}/old`);
    fs.mkdirSync(`${root}/notes`);
    fs.writeFileSync(`${root}/old/project_note.md`, agentNote("note", text, new Date(said).toISOString()));
    await cli(["import", "claude-code", `${root}/old`, "--yes", "--dir", `${root}/notes`], {
      environment: emptyHome(root),
      cwd: root,
    });
    return bodiesIn(`${root}/notes`);
  },
  async dream(text, said) {
    vi.setSystemTime(said + LATER);
    const others = ["espresso machine", "parking permit", "fire drill", "fridge key"].map(
      (thing, index): [string, string] => [
        `project_other_${index}.md`,
        agentNote(`other ${index}`, `The ${thing} is looked after by Ann.`, "2025-01-02T09:00:00Z"),
      ],
    );
    const place = dreamPlace({
      "project_note.md": agentNote("note", text, new Date(said).toISOString()),
      ...Object.fromEntries(others),
    });
    await place.memdir("dream", "--apply");
    return bodiesIn(place.notes);
  },
};

describe("what was said gets the same dates", () => {
  const said = Date.parse("2026-11-18T12:00:00Z");

  it.each(Object.keys(PATHS))("by %s", async (name) => {
    for (const [text, dates] of FACTS) {
      const stored = (await PATHS[name]?.(text, said)) ?? "";
      expect([text, datesIn(stored)]).toEqual([text, dates]);
      expect(stored).toContain(text.slice(-8, -1).replace(/^\S*\s/u, ""));
    }
  });

  it("on any day, whichever way it is written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("last Friday", "yesterday", "three days ago", "last Monday", "last month"),
        fc.integer({ min: 0, max: 800 }),
        async (words, days) => {
          const text = `Bob deployed the hotfix ${words}.`;
          const when = said + days * DAY;
          const wanted = await PATHS["library"]?.(text, when);
          for (const name of ["capture", "import", "dream"])
            expect([name, datesIn((await PATHS[name]?.(text, when)) ?? "")]).toEqual([name, datesIn(wanted ?? "")]);
        },
      ),
      { numRuns: 3 },
    );
  });
});

describe("a text that is changed later", () => {
  const now = Date.parse("2026-11-18T12:00:00Z");

  it("gets the dates of what is new in it, and none for words that stood there", async () => {
    const body = await inWorkspace(now, "auto", async (workspace, notes) => {
      fs.mkdirSync(notes, { recursive: true });
      fs.writeFileSync(`${notes}/project_plan.md`, agentNote("plan", "Bob left last Friday.", "2026-03-02T09:00:00Z"));
      const scoped = workspace.open("project");
      if (scoped === undefined) throw new Error("there is no store");
      scoped.store.reconcile("full");
      const ref = { scoped, file: "project_plan.md" };
      await revise(workspace, ref, { body: "Bob left last Friday, it was his choice. Ann started yesterday." });
      return bodiesIn(notes);
    });
    expect(body).toContain("Bob left last Friday, it was his choice. Ann started yesterday (2026-11-17).");
  });
});

describe("an import of a note that does not say when its words were said", () => {
  it("leaves them", async () => {
    const root = scratch();
    fs.mkdirSync(`${root}/old`);
    fs.mkdirSync(`${root}/notes`);
    fs.writeFileSync(
      `${root}/old/project_note.md`,
      "---\nname: note\ndescription: Bob left last Friday\ntype: project\n---\n\nBob left last Friday.\n",
    );
    await cli(["import", "claude-code", `${root}/old`, "--yes", "--dir", `${root}/notes`], {
      environment: emptyHome(root),
      cwd: root,
    });
    expect(bodiesIn(`${root}/notes`).trim()).toBe("Bob left last Friday.");
  });
});
