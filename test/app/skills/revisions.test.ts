import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { DraftProposal } from "../../../src/core/skills/types.ts";
import { openShelf } from "../../../src/app/skills/shelf.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { followed, promoted, PROPOSAL, seenOf, type SkillPlace, skillPlace } from "../../support/skills.ts";

const NAME = PROPOSAL.name;

function stages(place: SkillPlace): readonly string[] {
  const { current, next } = place.shelf().find(NAME).standing;
  return [current, ...(next === undefined ? [] : [next])].map(({ state }) => `${state.stage} ${state.revision}`);
}

describe("a revision of a promoted skill", () => {
  it.each<readonly [string, Partial<DraftProposal>, readonly string[]]>([
    ["its words alone keeps its evidence", { pitfalls: ["Log in first."] }, ["promoted 2"]],
    [
      "its commands earns evidence of its own",
      { steps: [{ text: "Generate the client", command: "sh scripts/generate.sh --all" }, { text: "Read the diff" }] },
      ["promoted 1", "draft 2"],
    ],
    ["its check earns evidence of its own", { check: "sh scripts/other.sh" }, ["promoted 1", "draft 2"]],
  ])("that changes %s", async (_, change, expected) => {
    const place = skillPlace();
    const revises = await promoted(place);
    place.day = 4;
    expect(await place.shelf().propose({ ...PROPOSAL, ...change, revises })).toMatchObject({ kind: "kept" });
    expect(stages(place)).toEqual(expected);
  });

  it("leaves a person's word to the one in force", async () => {
    const place = skillPlace();
    const revises = await promoted(place);
    place.day = 4;
    const shelf = place.shelf();
    await shelf.propose({ ...PROPOSAL, check: "sh scripts/other.sh", revises });
    expect(stages(place)).toEqual(["promoted 1", "draft 2"]);
    shelf.say(shelf.find(NAME), "demote");
    expect(shelf.find(NAME).standing.revisions.map(({ state: { stage } }) => stage)).toEqual(["demoted", "draft"]);
  });

  it("is refused under another name, and of a skill that is not there", async () => {
    const place = skillPlace();
    const revises = await promoted(place);
    for (const change of [
      { name: "other-name", revises },
      { name: "other-name", description: "Paints.", steps: [{ text: "Paint." }], revises: "nobody" },
    ])
      expect(await place.shelf().propose({ ...PROPOSAL, ...change })).toMatchObject({
        kind: "refused",
        reasons: ["invalid"],
      });
    expect(place.shelf().list()).toHaveLength(1);
    expect(stages(place)).toEqual(["promoted 1"]);
  });
});

it.each(["recall-only", "off"])("where memory is %s, no skill is written or judged", async (MEMDIR_MODE) => {
  const place = skillPlace();
  const id = await promoted(place);
  const before = seenOf(place);
  const locations = locate({ cwd: place.project, environment: { HOME: place.home, MEMDIR_MODE } });
  const shelf = openShelf(openWorkspace(locations, { clock: place.workspace().clock }));
  await expect(shelf.propose({ ...PROPOSAL, revises: id })).rejects.toThrow(/recall-only|off/u);
  expect(() => shelf.record(id, [followed(5, "fail"), followed(6, "fail")])).toThrow(/recall-only|off/u);
  expect(() => shelf.say(shelf.find(NAME), "demote")).toThrow(/recall-only|off/u);
  expect(seenOf(place)).toBe(before);
});

it("a skill that a person put beside memdir's own is not written over, nor is another made for it", async () => {
  const place = skillPlace();
  const file = `${place.home}/.memdir/skills/user/${NAME}/SKILL.md`;
  fs.mkdirSync(file.slice(0, -9), { recursive: true });
  fs.writeFileSync(file, `---\nname: ${NAME}\ndescription: mine\n---\nmine\n`);
  for (const scope of ["user", "project"] as const)
    expect(await place.shelf().propose({ ...PROPOSAL, scope })).toMatchObject({
      kind: "refused",
      reasons: ["human-exists"],
    });
  expect(fs.readFileSync(file, "utf8")).toContain("\nmine\n");
});
