import { spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, type TestContext } from "vitest";
import { nodeFiles } from "../../src/adapters/files/node-files.ts";
import { scanNotes } from "../../src/adapters/files/scan.ts";
import { allStores, openStoreAt } from "../../src/app/workspace/open-store.ts";
import { yamlFrontmatter } from "../../src/adapters/yaml/frontmatter.ts";
import { isArchive, openArchive } from "../../src/app/transfer/read-archive.ts";
import { locate } from "../../src/app/workspace/locations.ts";
import { NeedsFullCommand, openForRecall } from "../../src/app/recall/quick-recall.ts";
import { recallNotes } from "../../src/app/recall/recall-notes.ts";
import { systemClock } from "../../src/core/shared/clock.ts";
import { cli, emptyHome, homeOf } from "../support/cli.ts";
import { memoryDirectory } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const PRELOAD = fileURLToPath(new URL("../support/kill-at-step.cjs", import.meta.url));
/** More than any of these has; a run that never ends is a failure of its own. */
const MOST_STEPS = 400;
/** Every step with KILL_EVERY=1 (minutes); without it each operation says how many are left out between two. */
const EVERY = Number(process.env["KILL_EVERY"] ?? 0);

const TEXTS = {
  cluster: "The staging cluster is called zebra.",
  importer: "The importer retries failed batches three times.",
  ledger: "The ledger rounds every amount to cents.",
};
const PROMPT = "what is the staging cluster called, zebra?";

/** Two projects of one person, in `root`. Tests run beside one another here, so each removes its own. */
function ground({ onTestFinished }: Pick<TestContext, "onTestFinished">) {
  const root = fs.mkdtempSync(`${memoryDirectory()}/memdir Jané Döe `);
  onTestFinished(() => {
    for (const directory of [root, baseOf(root)]) fs.rmSync(directory, { recursive: true, force: true });
  });
  const environment = { ...emptyHome(root), PATH: "" }; // no git: history stays in the journal, and each step is quicker
  const [shop, till] = [`${root}/shop`, `${root}/till`];
  for (const cwd of [shop, till]) fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const memdir = (cwd: string, argv: readonly string[]) => cli(argv, { cwd, environment });
  const spawned = (
    cwd: string,
    argv: readonly string[],
    killAt: number,
  ): Promise<{ readonly signal: string | null; readonly code: number | null; readonly err: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ["--require", PRELOAD, COMMAND, ...argv], {
        cwd,
        env: { ...environment, KILL_AT: String(killAt), KILL_CLOCK: "runs" },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let err = "";
      child.stderr.on("data", (data) => (err += String(data)));
      child.on("close", (code, signal) => resolve({ signal, code, err }));
    });
  return { root, environment, shop, till, memdir, spawned };
}

type Ground = ReturnType<typeof ground>;

async function remembered({ memdir }: Ground, cwd: string, names: readonly (keyof typeof TEXTS)[]): Promise<void> {
  for (const name of names) expect((await memdir(cwd, ["remember", "--name", name, TEXTS[name]])).code).toBe(0);
}

/** Every live note on this machine, as `where: text`, whatever project it is in. */
function notesOf({ environment, shop, till }: Ground): readonly string[] {
  const places = new Map(
    [shop, till]
      .flatMap((cwd) => (fs.existsSync(cwd) ? allStores(locate({ cwd, environment })) : []))
      .map(({ place }) => [place.directory, place]),
  );
  return [...places.values()]
    .flatMap(({ directory, excluded }) =>
      scanNotes(directory, nodeFiles, new Set(excluded), Date.now()).notes.map(
        ({ file }) =>
          `${directory}/${file}: ${fs.readFileSync(`${directory}/${file}`, "utf8").split("\n\n").at(-1)?.trim() ?? ""}`,
      ),
    )
    .toSorted();
}

/** Every text that some version of some store holds; a store that is not sound is a failure. */
function pastOf({ environment, shop, till }: Ground): ReadonlySet<string> {
  const texts = new Set<string>();
  const places = new Map(
    [shop, till]
      .flatMap((cwd) => (fs.existsSync(cwd) ? allStores(locate({ cwd, environment })) : []))
      .map(({ place }) => [place.directory, place]),
  );
  for (const place of places.values()) {
    const store = openStoreAt(place, locate({ cwd: shop, environment }), systemClock);
    try {
      const history = store.history();
      for (const { seq, files } of history.versions())
        for (const { file } of files)
          texts.add(new TextDecoder().decode(history.contentAt(seq, file)).split("\n\n").at(-1)?.trim() ?? "");
      expect(store.verify()).toEqual([]);
    } finally {
      store.close();
    }
  }
  return texts;
}

/** How often a text is there. */
function times(notes: readonly string[], text: string): number {
  return notes.filter((note) => note.endsWith(`: ${text}`)).length;
}

/** What a hook would say right after the kill: the note once, or that the full command has to look. */
function shownQuickly({ environment }: Ground, cwd: string): number | "full" {
  try {
    const { selected, pointed } = recallNotes(openForRecall(locate({ cwd, environment })), PROMPT);
    return [...selected, ...pointed].filter(({ entry }) => entry.description.includes("zebra")).length;
  } catch (error) {
    if (error instanceof NeedsFullCommand) return "full";
    throw error;
  }
}

interface Move {
  readonly name: string;
  readonly every: number;
  /** Prepares and says where and what to run. */
  readonly prepare: (on: Ground) => Promise<{ readonly cwd: string; readonly argv: readonly string[] }>;
}

const MOVES: readonly Move[] = [
  {
    name: "promote",
    every: 11,
    prepare: async (on) => (
      await remembered(on, on.shop, ["cluster", "importer"]),
      { cwd: on.shop, argv: ["promote", "cluster"] }
    ),
  },
  {
    name: "demote",
    every: 13,
    prepare: async (on) => (
      await remembered(on, on.shop, ["cluster", "importer"]),
      { cwd: on.shop, argv: ["demote", "cluster"] }
    ),
  },
  {
    name: "mv under another name",
    every: 4,
    prepare: async (on) => (
      await remembered(on, on.shop, ["cluster", "importer"]),
      { cwd: on.shop, argv: ["mv", "cluster", "user:staging"] }
    ),
  },
  {
    name: "project merge",
    every: 11,
    prepare: async (on) => {
      await remembered(on, on.shop, ["cluster", "importer"]);
      await remembered(on, on.till, ["ledger"]);
      await on.memdir(on.till, ["remember", "--name", "importer", "Another importer altogether."]);
      return { cwd: on.till, argv: ["project", "merge", on.shop, "--yes"] };
    },
  },
  {
    name: "project split",
    every: 13,
    prepare: async (on) => (
      await remembered(on, on.shop, ["cluster", "importer", "ledger"]),
      { cwd: on.shop, argv: ["project", "split", "zebra", on.till, "--yes"] }
    ),
  },
  {
    name: "project mv",
    every: 7,
    prepare: async (on) => {
      await remembered(on, on.shop, ["cluster", "importer"]);
      await on.memdir(on.shop, ["edit", "cluster", "--body", TEXTS.ledger]);
      await on.memdir(on.shop, ["edit", "cluster", "--body", TEXTS.cluster]);
      return { cwd: on.till, argv: ["project", "mv", on.shop, "--yes"] };
    },
  },
];

function baseOf(root: string): string {
  return `${root} before`;
}

function copyOf(root: string): () => void {
  const base = baseOf(root);
  fs.rmSync(base, { recursive: true, force: true });
  fs.cpSync(root, base, { recursive: true, preserveTimestamps: true });
  return () => {
    fs.rmSync(root, { recursive: true });
    fs.cpSync(base, root, { recursive: true, preserveTimestamps: true });
  };
}

/** Kills the command before step 1, 1 + every, …; `check` looks at what each kill left. Gives the number of steps seen. */
async function killEach(
  on: Ground,
  { cwd, argv }: { readonly cwd: string; readonly argv: readonly string[] },
  every: number,
  check: (where: string) => Promise<void>,
): Promise<number> {
  const restart = copyOf(on.root);
  for (let at = 1; at <= MOST_STEPS; at += EVERY > 0 ? EVERY : every) {
    restart();
    const { signal, code, err } = await on.spawned(cwd, argv, at);
    if (signal === null && code === 0) return at - 1;
    if (signal !== "SIGKILL")
      throw new Error(`${argv.join(" ")} ended before step ${at} with ${code ?? signal ?? ""}: ${err}`);
    await check(`step ${at}, ${/killed before (.*)/u.exec(err)?.[1] ?? err}`);
  }
  throw new Error(`${argv.join(" ")} needs more than ${MOST_STEPS} steps`);
}

// They wait for their children most of the time.
describe.concurrent("a process killed with SIGKILL before a step", () => {
  it.for(MOVES)(
    "of a $name loses no note and doubles none once the next command ran, and history is whole",
    { timeout: 900_000 },
    async ({ prepare, every }, context) => {
      const on = ground(context);
      const order = await prepare(on);
      const before = notesOf(on);
      const past = pastOf(on);
      const restart = copyOf(on.root);
      expect((await on.spawned(order.cwd, order.argv, 0)).code).toBe(0);
      const after = notesOf(on);
      expect(after).not.toEqual(before);
      restart();
      const seen = { before: 0, after: 0 };
      const steps = await killEach(on, order, every, async (where) => {
        for (const [name, text] of Object.entries(TEXTS))
          expect({ where, name, kept: times(notesOf(on), text) >= times(before, text) }).toEqual({
            where,
            name,
            kept: true,
          });
        expect({ where, quick: [1, 0, "full"].includes(shownQuickly(on, order.cwd)) }).toEqual({ where, quick: true });
        await on.memdir(order.cwd, ["list"]);
        const left = notesOf(on);
        const isAfter = JSON.stringify(left) === JSON.stringify(after);
        expect({ where, left }).toEqual({ where, left: isAfter ? after : before });
        seen[isAfter ? "after" : "before"]++;
        expect({ where, err: (await on.memdir(order.cwd, ["list"])).err }).toEqual({ where, err: "" });
        expect({ where, lost: [...past].filter((text) => !pastOf(on).has(text)) }).toEqual({ where, lost: [] });
        const again = await cli(order.argv, { cwd: order.cwd, environment: on.environment });
        expect({ where, again: again.code === 0 }).toEqual({ where, again: !isAfter });
        expect({ where, completed: notesOf(on) }).toEqual({ where, completed: after });
      });
      expect(steps).toBeGreaterThan(40);
      expect(seen.before).toBeGreaterThan(0);
      expect(seen.after).toBeGreaterThan(0);
    },
  );

  it("of an import leaves nothing that importing once more does not complete, without doubles", async (context) => {
    const on = ground(context);
    await remembered(on, on.shop, ["cluster", "importer"]);
    await on.memdir(on.shop, ["edit", "cluster", "--body", TEXTS.ledger]);
    await on.memdir(on.shop, ["edit", "cluster", "--body", TEXTS.cluster]);
    await on.memdir(on.shop, ["remember", "--scope", "user", "--name", "mine", TEXTS.ledger]);
    await on.memdir(on.shop, ["checkpoint", "save", "--goal", "half way"]);
    const past = pastOf(on);
    await on.memdir(on.shop, ["export", `${on.root}/exported`]);
    fs.rmSync(`${on.root}/home`, { recursive: true });
    const order = { cwd: on.till, argv: ["import", `${on.root}/exported`, "--yes"] };
    const restart = copyOf(on.root);
    expect((await on.spawned(order.cwd, order.argv, 0)).code).toBe(0);
    const [after, files] = [notesOf(on), checkpoints(on)];
    expect(times(after, TEXTS.cluster)).toBe(1);
    expect(files).toHaveLength(1);
    restart();
    const steps = await killEach(on, order, 13, async (where) => {
      const left = notesOf(on);
      for (const text of Object.values(TEXTS))
        expect({ where, text, doubled: times(left, text) > 1 }).toEqual({ where, text, doubled: false });
      expect({ where, again: (await on.memdir(order.cwd, order.argv)).code }).toEqual({ where, again: 0 });
      expect({ where, completed: notesOf(on) }).toEqual({ where, completed: after });
      expect({ where, lost: [...past].filter((text) => !pastOf(on).has(text)) }).toEqual({ where, lost: [] });
      expect({ where, files: checkpoints(on) }).toEqual({ where, files });
    });
    expect(steps).toBeGreaterThan(40);
  }, 900_000);

  it.for(["exported", "exported.tar.gz"])(
    "of an export leaves nothing under its name %s, or all of it",
    { timeout: 900_000 },
    async (name, context) => {
      const on = ground(context);
      await remembered(on, on.shop, ["cluster", "importer"]);
      const target = `${on.root}/${name}`;
      const argv = ["export", target];
      const steps = await killEach(on, { cwd: on.shop, argv }, 11, async (where) => {
        const isThere = fs.existsSync(target);
        if (isThere) await openArchive({ secrets: { scan: async () => [] }, codec: yamlFrontmatter }, target); // throws for what is not whole
        expect({ where, isArchive: isArchive(target) }).toEqual({ where, isArchive: isThere });
        expect({ where, again: (await on.memdir(on.shop, argv)).code === 0 }).toEqual({ where, again: !isThere });
        expect({ where, strays: fs.readdirSync(on.root).filter((entry) => entry.startsWith(`${name}.`)) }).toEqual({
          where,
          strays: [],
        });
      });
      expect(steps).toBeGreaterThan(20);
    },
  );
});

function checkpoints({ root }: Ground): readonly string[] {
  const directory = `${homeOf(root)}/.memdir/checkpoints`;
  const names = fs.existsSync(directory) ? fs.readdirSync(directory, { recursive: true }).map(String) : [];
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${name}: ${fs.readFileSync(`${directory}/${name}`, "utf8")}`)
    .toSorted();
}
