import fc from "fast-check";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openAsOf } from "../../../src/app/recall/as-of.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { sessionContext } from "../../../src/app/recall/context.ts";
import { recallNotes, recordRecall, type RecallOutcome } from "../../../src/app/recall/recall-notes.ts";
import { createNote, remember } from "../../../src/app/notes/remember.ts";
import { pin, remove, revise } from "../../../src/app/notes/revise.ts";
import { undo } from "../../../src/app/notes/versions.ts";
import type { ScopedStore } from "../../../src/app/workspace/workspace.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText } from "../../support/store.ts";

const SUBJECTS = [
  "the importer retries failed batches",
  "deploys of the shop go out on Tuesday",
  "integration tests use the container",
  "the ledger rounds to cents",
  "staging is called zebra",
];
const WAYS = [
  "every night",
  "never before noon",
  "with a timeout of thirty seconds",
  "after review by two people",
  "only on the main branch",
];
const phrase = fc.tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...WAYS)).map((parts) => parts.join(" "));
const chosen = fc.nat({ max: 30 });

type Step =
  | { readonly kind: "remember" | "outside" | "recall"; readonly text: string }
  | { readonly kind: "revise" | "supersede"; readonly at: number; readonly text: string }
  | { readonly kind: "remove" | "pin" | "undo"; readonly at: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("remember" as const, "outside" as const), text: phrase }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("recall" as const), text: phrase }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("revise" as const, "supersede" as const), at: chosen, text: phrase }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("remove" as const, "pin" as const, "undo" as const), at: chosen }),
  },
);

function open(root: string, git: boolean) {
  const clock = movingClock();
  const environment = { HOME: `${root}/home`, PATH: git ? process.env["PATH"] : "" };
  fs.mkdirSync(`${root}/notes`, { recursive: true });
  const workspace = openWorkspace(locate({ dir: `${root}/notes`, cwd: root, environment }), { clock });
  const scoped = workspace.open("project");
  if (scoped === undefined) throw new Error("no store");
  return { clock, workspace, scoped };
}

async function take(workspace: OpenWorkspace, scoped: ScopedStore, one: Step): Promise<void> {
  const live = scoped.store.index.entries().filter(({ supersededBy }) => supersededBy === undefined);
  const file = "at" in one ? live[one.at % Math.max(1, live.length)]?.file : undefined;
  const ref = { scoped, file: file ?? "" };
  if (one.kind === "remember") await remember(workspace, { body: one.text });
  else if (one.kind === "outside")
    fs.writeFileSync(
      `${scoped.store.directory}/by_hand_${one.text.length}.md`,
      noteText(one.text.slice(0, 20), one.text, `${one.text}, says an editor`),
    );
  else if (file === undefined) return;
  else if (one.kind === "revise") await revise(workspace, ref, { body: one.text });
  else if (one.kind === "supersede")
    createNote(
      workspace,
      scoped,
      { type: "project", name: one.text.slice(0, 30), description: one.text, body: one.text },
      "user",
      { superseded: [{ file, says: "" }], contradicts: [] },
    );
  else if (one.kind === "remove") remove(ref);
  else if (one.kind === "pin") pin(workspace, ref, one.at % 2 === 0);
  else if (one.kind === "undo") undo(workspace, scoped, undefined);
}

const told = ({ selected, pointed, ranked }: RecallOutcome) => ({
  selected: selected.map(({ file, score, body }) => ({ file, score, body })),
  pointed: pointed.map(({ file, score }) => ({ file, score })),
  ranked,
});

/** Runs a history and recalls in it at many times; afterwards each recall is asked of the past. */
async function replay(steps: readonly Step[], git: boolean): Promise<number> {
  const { clock, workspace, scoped } = open(scratch(memoryDirectory()), git);
  const seen: {
    readonly ms: number;
    readonly prompt: string;
    readonly outcome: ReturnType<typeof told>;
    readonly index: readonly string[];
  }[] = [];
  for (const one of steps) {
    clock.move(60_000);
    scoped.store.reconcile("full");
    await take(workspace, scoped, one);
    scoped.store.reconcile("full");
    if (one.kind !== "recall" || scoped.store.index.entries().length === 0) continue;
    scoped.store.rebuildIndexFile(); // after an edit from outside MEMORY.md follows with the next write
    clock.move(1000);
    const outcome = recallNotes(workspace, one.text);
    seen.push({ ms: clock.now(), prompt: one.text, outcome: told(outcome), index: listed(workspace) });
    clock.move(1000);
    recordRecall(workspace, outcome.selected);
  }
  clock.move(86_400_000);
  for (const { ms, prompt, outcome, index } of seen) {
    const past = openAsOf(workspace, ms);
    expect(told(recallNotes(past, prompt))).toEqual(outcome);
    expect(listed(past)).toEqual(index);
    past.close();
  }
  workspace.close();
  return seen.length;
}

/** Pinned notes and which notes the index names; their order rests on file times, which history has as those of its versions. */
function listed(workspace: Parameters<typeof sessionContext>[0]): readonly string[] {
  return sessionContext(workspace)
    .flatMap(({ kind, text }) =>
      kind === "pinned" ? [text] : text.split("\n").filter((line) => line.startsWith("- [")),
    )
    .toSorted();
}

describe("recall as of a day", () => {
  it(
    "equals what recall gave on that day: notes, scores, order and texts, whatever happened since",
    { tags: ["slow"], timeout: 300_000 },
    async () => {
      let recalls = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 5, maxLength: 40 }),
          async (steps) => void (recalls += await replay(steps, false)),
        ),
        { numRuns: 60, endOnFailure: true },
      );
      // Histories are random: this only says that there were recalls to compare.
      expect(recalls).toBeGreaterThan(40);
    },
  );

  it("does so with the history in git", { tags: ["slow"], timeout: 300_000 }, async () => {
    let recalls = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 25 }),
        async (steps) => void (recalls += await replay(steps, true)),
      ),
      { numRuns: 6, endOnFailure: true },
    );
    expect(recalls).toBeGreaterThan(0);
  });

  it("counts uses up to that day and none after it", async () => {
    const { clock, workspace, scoped } = open(scratch(), false);
    await remember(workspace, { name: "alpha", body: "Alpha goes first" });
    await remember(workspace, { name: "beta", body: "Beta goes second" });
    clock.move(1000);
    scoped.store.recordHelp(["project_beta.md"]);
    const then = clock.now();
    clock.move(1000);
    scoped.store.recordHelp(["project_alpha.md"]);
    scoped.store.recordHelp(["project_alpha.md"]);
    const past = openAsOf(workspace, then);
    expect(past.stores[0]?.store.index.top(9).map(({ file, uses }) => [file, uses])).toEqual([
      ["project_beta.md", 8],
      ["project_alpha.md", 0],
    ]);
    past.close();
    workspace.close();
  });

  it("keeps nothing of a forgotten note in its cache", async () => {
    const root = scratch();
    const { clock, workspace, scoped } = open(root, false);
    await remember(workspace, { name: "private", body: "An unmistakable phrase" });
    clock.move(1000);
    openAsOf(workspace, clock.now()).close();
    expect(fs.readdirSync(`${scoped.store.state}/as-of`)).not.toEqual([]);
    scoped.store.forget("project_private.md");
    expect(fs.existsSync(`${scoped.store.state}/as-of`)).toBe(false);
    workspace.close();
  });

  it("says when nothing is known from that time", async () => {
    const { workspace } = open(scratch(), false);
    await remember(workspace, { body: "Something known" });
    expect(() => openAsOf(workspace, 0)).toThrow("history begins later");
    workspace.close();
  });
});
