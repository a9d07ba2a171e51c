import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CallWritten, writeSession } from "../../bench/skills/dialects.mjs";
import { queueCapture } from "../../src/app/background/capture-jobs.ts";
import { publishSkill } from "../../src/app/skills/publish.ts";
import { changeSkillSettings } from "../../src/app/workspace/skills-mode.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";
import { onTrial, PROPOSAL, seenOf, type SkillPlace, skillPlace, START } from "../support/skills.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const PRELOAD = fileURLToPath(new URL("../support/kill-at-step.cjs", import.meta.url));
/** More than any of these has; a run that never ends is a failure of its own. */
const MOST_STEPS = 600;
/** Every step with KILL_EVERY=1; without it the shorter changes at every third step, the worker's at every eighth. */
const EVERY = Number(process.env["KILL_EVERY"] ?? 0);

const { name: NAME } = PROPOSAL;
const HANDED = JSON.stringify({ ...PROPOSAL, name: "sort-fragments", description: "Sorts the fragments of a log." });

interface Change {
  readonly name: string;
  readonly argv: readonly string[];
  readonly input?: string;
  readonly of?: string;
  /** The worker waits by the clock. */
  readonly clock?: "runs" | "stands";
  prepare(place: SkillPlace): Promise<void>;
}

async function promoted(place: SkillPlace): Promise<void> {
  await onTrial(place.shelf());
  const shelf = place.shelf();
  shelf.say(shelf.find(NAME), "promote");
}

async function published(place: SkillPlace): Promise<void> {
  await promoted(place);
  const shelf = place.shelf();
  publishSkill(shelf, shelf.find(NAME), ["claude", "agents"]);
}

/** A session in which the skill was read and followed, and its work taken back; its turn waits for the worker. */
async function harmed(place: SkillPlace): Promise<void> {
  place.day = Math.floor((Date.now() - START) / 86_400_000) - 1;
  await place.shelf().propose(PROPOSAL);
  const promoting = place.shelf();
  promoting.say(promoting.find(NAME), "promote");
  const shelf = place.shelf();
  publishSkill(shelf, shelf.find(NAME), ["claude", "agents"]);
  for (const file of ["generate.sh", "check.sh"]) fs.writeFileSync(`${place.project}/scripts/${file}`, "");
  const { locations } = place.workspace();
  const { path } = place.shelf().find(NAME);
  const calls: readonly CallWritten[] = [
    { read: path },
    { command: "sh scripts/generate.sh openapi.yaml", output: "written" },
    { command: "sh scripts/check.sh", output: "1 failed", failed: true },
    { command: "git checkout -- .", output: "" },
  ];
  const transcript = `${place.home}/one.jsonl`;
  const exchanges = [{ prompt: "The schema changed.", calls }];
  const told = { session: "one", cwd: place.project, startMs: Date.now() - 3_600_000, exchanges };
  fs.writeFileSync(transcript, writeSession("claude-code", told));
  const job = { agent: "claude-code", session: "one", transcript, turn: "t1", checkpoint: "session-end" } as const;
  queueCapture(locations, job);
}

const CHANGES: readonly Change[] = [
  { name: "draft", argv: ["draft", "-"], input: HANDED, of: "sort-fragments", prepare: promoted },
  { name: "trial", argv: ["try", NAME], prepare: async (place) => void (await drafted(place)) },
  { name: "promotion", argv: ["promote", NAME], prepare: async (place) => void (await onTrial(place.shelf())) },
  { name: "demotion of a published skill", argv: ["demote", NAME], prepare: published },
  { name: "publication", argv: ["publish", NAME, "--yes"], prepare: promoted },
  { name: "publication taken back", argv: ["unpublish", NAME], prepare: published },
  {
    name: "rollback of a published skill",
    argv: ["rollback", NAME, "--to", "1"],
    async prepare(place) {
      await published(place);
      const shelf = place.shelf();
      const steps = [{ text: "Generate it", command: "sh scripts/generate.sh --all" }];
      await shelf.propose({ ...PROPOSAL, steps, revises: shelf.find(NAME).skill.id });
      shelf.change((writer) =>
        writer.append("project", NAME, [{ kind: "person", id: "p", time: START + 1, revision: 2, action: "promote" }]),
      );
    },
  },
  { name: "switch to off", argv: ["off"], prepare: published },
];

async function drafted(place: SkillPlace): Promise<void> {
  changeSkillSettings(`${place.home}/.memdir`, { check: "never" });
  await place.shelf().propose(PROPOSAL);
}

interface Ground {
  readonly place: SkillPlace;
  restart(): void;
  run(
    argv: readonly string[],
    killAt?: number,
    input?: string,
  ): { readonly signal: string | null; readonly err: string };
}

/** A home and a project at a path that stays the same, since directories are named after it. */
async function ground({ prepare, clock = "stands" }: Change): Promise<Ground> {
  const root = `${scratch(memoryDirectory())}/Jané Döe`;
  const base = `${root} as it was`;
  const place = skillPlace({ root });
  await prepare(place);
  fs.cpSync(root, base, { recursive: true, preserveTimestamps: true });
  return {
    place,
    restart: () => {
      fs.rmSync(root, { recursive: true });
      fs.cpSync(base, root, { recursive: true, preserveTimestamps: true });
    },
    run: (argv, killAt = 0, input = "") => {
      const { signal, status, stderr } = spawnSync(process.execPath, ["--require", PRELOAD, COMMAND, ...argv], {
        cwd: place.project,
        // No git: history stays in the journal, and each step is quicker.
        env: { HOME: place.home, PATH: "", KILL_AT: String(killAt), KILL_CLOCK: clock },
        input,
        encoding: "utf8",
      });
      if (signal === null && status !== 0) throw new Error(`${argv.join(" ")} ended with ${String(status)}: ${stderr}`);
      return { signal, err: stderr };
    },
  };
}

/** Files that are none of a skill, its evidence, its history or what is derived from it. */
function strays({ home, project }: SkillPlace): readonly string[] {
  const below = (directory: string): readonly string[] =>
    fs.existsSync(directory) ? fs.readdirSync(directory, { recursive: true, encoding: "utf8" }) : [];
  return [`${home}/.memdir/skills`, `${project}/.claude`, `${project}/.agents`]
    .flatMap((directory) => below(directory))
    .filter((file) => /(?:\.tmp|(?:^|\/)changing)$/u.test(file));
}

interface Killed {
  /** How many kills left the state before, and the state after. */
  readonly old: number;
  readonly new: number;
  /** Of the kills after which the same command ran again: those that it did not bring to the end. */
  readonly unfinished: readonly object[];
}

async function killedEverywhere(change: Change, every: number): Promise<Killed> {
  const { place, restart, run } = await ground(change);
  const argv = change.argv;
  const seen = (): string => seenOf(place, change.of);
  const old = seen();
  run(argv, 0, change.input);
  const after = seen();
  expect(after).not.toBe(old);
  const count = { old: 0, new: 0 };
  const again: { readonly where: string; readonly ended: boolean; readonly left: readonly string[] }[] = [];
  for (let at = 1; at <= MOST_STEPS; at += every) {
    restart();
    const { signal, err } = run(argv, at, change.input);
    const where = /killed before (.*)/u.exec(err)?.[1] ?? `step ${at}`;
    const found = seen();
    expect([old, after], `${change.name}, killed before ${where}`).toContain(found);
    if (signal === null) return { ...count, unfinished: again.filter(({ ended, left }) => !ended || left.length > 0) };
    count[found === old ? "old" : "new"]++;
    if (found !== old || count.old % 3 !== 1) continue;
    // The same again comes to the same end; what is left over goes with it.
    run(argv, 0, change.input);
    again.push({ where, ended: seen() === after, left: strays(place) });
  }
  throw new Error(`${change.name} never ended`);
}

describe("memdir killed with SIGKILL before any of its steps", () => {
  it.each(CHANGES)(
    "leaves the old or the new state at a $name",
    async (change) => {
      const {
        old,
        new: after,
        unfinished,
      } = await killedEverywhere({ ...change, argv: ["skill", ...change.argv] }, EVERY === 0 ? 3 : EVERY);
      expect(unfinished).toEqual([]);
      expect(old).toBeGreaterThan(1);
      expect(after).toBeGreaterThan(0);
    },
    300_000,
  );

  it("leaves the old or the new state where the worker learns that a published skill did harm", async () => {
    const argv = ["capture", "--pending"];
    const change: Change = { name: "demotion by evidence", argv, clock: "runs", prepare: harmed };
    const { old, new: after, unfinished } = await killedEverywhere(change, EVERY === 0 ? 8 : EVERY);
    expect(unfinished).toEqual([]);
    expect(old).toBeGreaterThan(1);
    expect(after).toBeGreaterThan(0);
  }, 300_000);
});
