import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/adapters/files/node-files.ts";
import { publishSkill } from "../../src/app/skills/publish.ts";
import type { OpenShelf } from "../../src/app/skills/shelf.ts";
import { rollBack } from "../../src/app/skills/skills.ts";
import { countSteps, faultFiles, ProcessKilled } from "../support/fault-files.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";
import {
  followed,
  onTrial,
  promoted,
  PROPOSAL,
  type SkillPlace,
  skillPlace,
  seenOf,
  START,
  triedEvent,
} from "../support/skills.ts";

const NAME = PROPOSAL.name;
const REVISED = { ...PROPOSAL, steps: [{ text: "Generate it", command: "sh scripts/generate.sh --all" }] };

interface Change {
  readonly name: string;
  prepare(place: SkillPlace): Promise<void>;
  run(shelf: OpenShelf): Promise<void> | void;
}

const idOf = (shelf: OpenShelf): string => shelf.find(NAME).skill.id;
const publishIt = (shelf: OpenShelf): void => void publishSkill(shelf, shelf.find(NAME), ["claude", "agents"]);

const CHANGES: readonly Change[] = [
  { name: "first draft", prepare: async () => undefined, run: async (shelf) => void (await shelf.propose(PROPOSAL)) },
  {
    name: "promotion",
    prepare: async (place) => void (await onTrial(place.shelf())),
    run: (shelf) =>
      shelf.record(
        idOf(shelf),
        [1, 2, 3].map((day) => followed(day, "pass")),
      ),
  },
  {
    name: "demotion of a published skill",
    prepare: async (place) => {
      await promoted(place);
      publishIt(place.shelf());
    },
    run: (shelf) => shelf.record(idOf(shelf), [followed(5, "fail"), followed(6, "fail")]),
  },
  {
    name: "promotion of a newer revision of a published skill",
    prepare: async (place) => {
      const id = await promoted(place);
      publishIt(place.shelf());
      const shelf = place.shelf();
      await shelf.propose({ ...REVISED, revises: id });
      shelf.record(id, [{ ...triedEvent(2), time: START + 4 * 86_400_000 }]);
    },
    run: (shelf) =>
      shelf.record(
        idOf(shelf),
        [5, 6, 7].map((day) => followed(day, "pass", 2)),
      ),
  },
  {
    name: "rollback",
    prepare: async (place) => {
      const id = await promoted(place);
      const shelf = place.shelf();
      await shelf.propose({ ...REVISED, revises: id });
      shelf.change((writer) =>
        writer.append("project", NAME, [
          { kind: "person", id: "p", time: START + 4 * 86_400_000, revision: 2, action: "promote" },
        ]),
      );
    },
    run: (shelf) => void rollBack(shelf, shelf.find(NAME), 1),
  },
];

describe.each([
  { history: "the journal", git: false },
  { history: "git", git: true },
])("a process that is killed while skills change, with their history in $history,", ({ git }) => {
  it.each(CHANGES)("leaves the old or the new state at every step of a $name", async (change) => {
    const root = `${scratch(memoryDirectory())}/place`;
    const kept = `${root}-kept`;
    const place = skillPlace({ root, git });
    await change.prepare(place);
    place.day = 8;
    fs.cpSync(root, kept, { recursive: true });
    const old = seenOf(place);
    await change.run(place.shelf());
    const after = seenOf(place);
    expect(after).not.toBe(old);
    let at = 0;
    for (let isKilled = true; isKilled;) {
      at++;
      fs.rmSync(root, { recursive: true });
      fs.cpSync(kept, root, { recursive: true });
      const shelf = place.shelf(faultFiles(nodeFiles, countSteps({ kind: "kill", at })));
      isKilled = await killed(async () => change.run(shelf));
      const found = seenOf(place);
      expect(isKilled ? [old, after] : [after], `killed at step ${at}`).toContain(found);
    }
    expect(at).toBeGreaterThan(5);
  });
});

async function killed(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof ProcessKilled) return true;
    throw error;
  }
}
