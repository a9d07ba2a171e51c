import fs from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  type CallWritten,
  DIALECTS,
  type Dialect,
  type ExchangeWritten,
  writeSession,
} from "../../../bench/skills/dialects.mjs";
import { openDatabase } from "../../../src/adapters/sqlite/driver.ts";
import { notebookOf } from "../../../src/app/skills/drafts.ts";
import { learnFromSession } from "../../../src/app/skills/learn.ts";
import { readOn } from "../../../src/app/past/transcript.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { parseRecord } from "../../../src/core/transcripts/capture-job.ts";
import type { Notebook } from "../../../src/core/skills/notebook.ts";
import { tasksOf } from "../../../src/core/skills/tasks.ts";
import type { KnownSkill } from "../../../src/core/skills/types.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const START = Date.UTC(2026, 2, 10, 12);
const SKILL: KnownSkill = {
  id: "k1",
  name: "stamp-it",
  revision: 1,
  stage: "trial",
  path: "/k/skills/stamp-it/SKILL.md",
  commands: ["scripts/stamp.sh <version>"],
  check: "pnpm run check:client",
};

let root: string;
let workspace: OpenWorkspace;
let events: string[];

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${homeOf(root)}/project`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${homeOf(root)}/project`, environment: emptyHome(root) }), {
    clock: { now: () => START, timeZone: "UTC" },
  });
  events = [];
});

/** A task of its own, with so many characters of output; the skill is used in every third. */
function exchange(at: number, characters = 20): ExchangeWritten {
  const uses: readonly CallWritten[] = [
    { read: SKILL.path, output: "text" },
    { command: `scripts/stamp.sh 1.0.${at}`, output: "stamped" },
  ];
  return {
    prompt: at % 6 === 1 ? `No, that's not what I meant, revert it (${at}).` : `Change part ${at} of the client.`,
    calls: [
      { edit: `src/a${at}.ts` },
      ...(at % 3 === 0 ? uses : []),
      { command: `gen${at}ctl make`, output: "x".repeat(characters) },
      { command: `scripts/link${at}.sh`, output: "linked" },
      { command: "pnpm run check:client", output: "3 passed" },
    ],
  };
}

/** What was done before is taken back late in the task that follows. */
const TAKEN_BACK: ExchangeWritten = { prompt: "continue", calls: [{ command: "git checkout -- src", output: "" }] };

function learn(transcript: string, ended = false): Promise<unknown> {
  const notebook = notebookOf(workspace.locations);
  if (notebook === undefined) throw new Error("no project");
  const shelf = {
    known: () => [SKILL],
    human: () => [],
    propose: () => Promise.reject(new Error("proposed")),
    record: (_: string, told: readonly { readonly id: string; readonly kind: string }[]): void => {
      events.push(...told.map(({ id, kind }) => `${kind} ${id}`));
    },
  };
  return learnFromSession(workspace, { shelf, notebook }, { session: "s1", transcript, ended });
}

const noted = (): Notebook => notebookOf(workspace.locations)?.read() ?? expect.fail("no project");

function textOf(dialect: Dialect, exchanges: readonly ExchangeWritten[]): string {
  return writeSession(dialect, { session: "s1", cwd: `${homeOf(root)}/project`, startMs: START, exchanges });
}

async function bytesReadBy(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(fs, "readSync");
  try {
    await work();
    return spy.mock.results.reduce((sum, { value }) => sum + (typeof value === "number" ? value : 0), 0);
  } finally {
    spy.mockRestore();
  }
}

describe("a session that is learnt from at the end of each turn", () => {
  it.each(DIALECTS)("%s: costs as much at its thirtieth turn as at its tenth", async (dialect) => {
    const file = `${root}/long.jsonl`;
    const exchanges = Array.from({ length: 30 }, (_, at) => exchange(at, 100_000));
    const read: number[] = [];
    for (const turns of [9, 10, 29, 30]) {
      fs.writeFileSync(file, textOf(dialect, exchanges.slice(0, turns)));
      read.push(await bytesReadBy(() => learn(file)));
    }
    const [, tenth = 0, , thirtieth = Infinity] = read;
    expect(fs.statSync(file).size).toBeGreaterThan(2_900_000);
    expect(thirtieth).toBeLessThan(tenth * 1.1);
    expect(noted().seen).toHaveLength(29);
  });

  it.each(DIALECTS)("%s: leaves what reading it once leaves", async (dialect) => {
    const exchanges = Array.from({ length: 14 }, (_, at) => [
      exchange(at),
      ...(at % 6 === 1 ? [TAKEN_BACK] : []),
    ]).flat();
    const file = `${root}/turns.jsonl`;
    for (let turns = 1; turns <= exchanges.length; turns++) {
      fs.writeFileSync(file, textOf(dialect, exchanges.slice(0, turns)));
      await learn(file);
    }
    await learn(file, true);
    const [stepwise, told] = [noted(), new Set(events)];
    fs.rmSync(workspace.locations.memdirHome, { recursive: true });
    events = [];
    await learn(file, true);
    expect(new Set(events)).toEqual(told);
    expect([...told].filter((event) => event.startsWith("harm"))).toHaveLength(3);
    expect(noted().candidates).toEqual(stepwise.candidates);
    expect(noted().candidates).toHaveLength(5);
    expect(noted().seen).toEqual(stepwise.seen);
  });
});

describe("a stretch", () => {
  const prompts = (file: string, from?: Parameters<typeof readOn>[1], most?: number): readonly string[] =>
    tasksOf(readOn(file, from, most).transcript).map(({ prompt }) => prompt);

  it("begins anew where the file was written anew", () => {
    const file = `${root}/s.jsonl`;
    fs.writeFileSync(file, textOf("codex", [exchange(2), exchange(3)]));
    const stretch = readOn(file, undefined);
    const place = stretch.placeOf(tasksOf(stretch.transcript).at(-1)?.id);
    expect(prompts(file, place)).toEqual(["Change part 3 of the client."]);
    fs.writeFileSync(file, textOf("codex", [exchange(8), exchange(9), exchange(10)]));
    expect(prompts(file, place)).toHaveLength(3);
  });

  it("is never longer than it may be, and none begins where the one before began", () => {
    const file = `${root}/s.jsonl`;
    const exchanges = [exchange(2), exchange(3, 50_000), exchange(4), exchange(5)];
    fs.writeFileSync(file, textOf("claude-code", exchanges));
    const met: string[] = [];
    let place: Parameters<typeof readOn>[1];
    for (let pass = 0; pass < 100; pass++) {
      const stretch = readOn(file, place, 20_000);
      const tasks = tasksOf(stretch.transcript);
      met.push(...tasks.map(({ prompt }) => prompt));
      if (stretch.isWhole) break;
      const next = stretch.placeBehind(tasks.at(-1)?.id);
      expect(next.offset).toBeGreaterThan(place?.offset ?? 0);
      place = next;
    }
    expect(new Set(met)).toEqual(new Set(exchanges.map(({ prompt }) => prompt)));
  });

  it("knows what tools said before it, where a command came from there", () => {
    const file = `${root}/s.jsonl`;
    fs.writeFileSync(file, textOf("gemini", [exchange(2), exchange(3)]));
    const stretch = readOn(file, undefined);
    const later = readOn(file, stretch.placeOf(tasksOf(stretch.transcript).at(-1)?.id));
    expect(later.transcript.toolTexts.join("\n")).toContain("linked");
    expect(later.transcript.cwd).toBe(stretch.transcript.cwd);
  });

  it("of OpenCode's database begins with the message that it is told", () => {
    const lines = textOf("opencode", [exchange(2), exchange(3), exchange(4)])
      .trim()
      .split("\n")
      .slice(1);
    const file = `${root}/opencode.db`;
    const database = openDatabase(file, { busyTimeoutMs: 0, journal: "delete" });
    database.exec(
      "CREATE TABLE session (id TEXT, directory TEXT, time_updated INTEGER, parent_id TEXT); CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT); CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT); INSERT INTO session VALUES ('s1', '/p', 1, NULL)",
    );
    for (const [at, line] of lines.entries()) {
      const { info, parts } = parseRecord(line) as { info: { id: string }; parts: readonly unknown[] };
      database.prepare("INSERT INTO message VALUES (?, 's1', ?, ?)").run([info.id, at, JSON.stringify(info)]);
      for (const part of parts)
        database
          .prepare("INSERT INTO part VALUES (?, ?, 's1', ?, ?)")
          .run([`p${at}`, info.id, at, JSON.stringify(part)]);
    }
    database.close();
    const stretch = readOn(`${file}#s1`, undefined);
    const [, second] = tasksOf(stretch.transcript);
    const place = stretch.placeOf(second?.id);
    expect(prompts(`${file}#s1`, place)).toEqual(["Change part 3 of the client.", "Change part 4 of the client."]);
    expect(prompts(`${file}#s1`, { ...place, after: "gone" })).toHaveLength(3);
  });
});
