import fs from "node:fs";
import { expect, it } from "vitest";
import { leaveSkillQuestion, takeSkillQuestion } from "../../../src/app/skills/ask.ts";
import { replay, upkeepSkills } from "../../../src/app/skills/check.ts";
import { projectNotebook } from "../../../src/app/skills/candidates.ts";
import { learnFromSession } from "../../../src/app/skills/learn.ts";
import { rollBack } from "../../../src/app/skills/skills.ts";
import { changeSkillSettings } from "../../../src/app/workspace/skills-mode.ts";
import { onTrial, promoted, PROPOSAL, type SkillPlace, skillPlace } from "../../support/skills.ts";

const NAME = PROPOSAL.name;
const stage = (place: SkillPlace, name = NAME): string => place.shelf().find(name).standing.current.state.stage;

it.each([
  [19, 19, false],
  [20, 2, false],
  [20, 3, true],
])("of %s prompts, offered at %s, it is too broad: %s", async (count, met, isTooBroad) => {
  const shelf = skillPlace().shelf();
  await shelf.propose(PROPOSAL);
  const prompts = Array.from({ length: count }, (_, at) => (at < met ? "regenerate the API client" : "paint the wall"));
  const found = replay(shelf.find(NAME), prompts);
  expect(found).toMatchObject({ prompts: count, met, isTooBroad });
  expect(found.examples).toHaveLength(Math.min(10, met));
});

it("a skill is stale when a script is gone that it or its check needs, and a fresh one is not", async () => {
  const place = skillPlace();
  await promoted(place);
  for (const file of ["generate.sh", "check.sh"]) fs.writeFileSync(`${place.project}/scripts/${file}`, "");
  upkeepSkills(place.shelf());
  expect(stage(place)).toBe("promoted");
  fs.rmSync(`${place.project}/scripts/check.sh`);
  place.day = 4;
  upkeepSkills(place.shelf());
  expect([stage(place), place.shelf().find(NAME).standing.current.stale]).toEqual([
    "demoted",
    "scripts/check.sh is gone",
  ]);
});

it("a draft that is not promoted is not called stale, nor is anything done where skills are off", async () => {
  const place = skillPlace();
  changeSkillSettings(`${place.home}/.memdir`, { check: "never", mode: "off" });
  await place.shelf().propose(PROPOSAL);
  upkeepSkills(place.shelf());
  expect(place.shelf().find(NAME).events).toHaveLength(1);
});

it("at most three drafts are tried at a time, and none that a machine alone wrote", async () => {
  const place = skillPlace();
  changeSkillSettings(`${place.home}/.memdir`, { check: "never" });
  const shelf = place.shelf();
  const words = ["paint walls", "bake bread", "sort stamps", "tune pianos", "dye shoes"];
  for (const [at, description] of words.entries())
    await shelf.propose({
      ...PROPOSAL,
      author: at === 0 ? "recipe" : "host-agent",
      name: `skill-${at}`,
      description,
      steps: [{ text: "Go", command: `mk-${at}` }],
    });
  upkeepSkills(shelf);
  expect(words.map((_, at) => stage(place, `skill-${at}`))).toEqual(["draft", "trial", "trial", "trial", "draft"]);
  upkeepSkills(shelf);
  expect([stage(place, "skill-0"), stage(place, "skill-4")]).toEqual(["draft", "trial"]);
});

it("the question of a project lies with its skills, and is asked once, where skills are offered", () => {
  const place = skillPlace();
  const { locations } = place.workspace();
  leaveSkillQuestion(locations, "worth keeping?");
  changeSkillSettings(`${place.home}/.memdir`, { mode: "observe" });
  expect(takeSkillQuestion(locations)).toBeUndefined();
  changeSkillSettings(`${place.home}/.memdir`, { mode: "confirm" });
  expect(takeSkillQuestion(locations)?.text).toContain("worth keeping?");
  expect(takeSkillQuestion(locations)).toBeUndefined();
});

it("a transcript that is gone teaches nothing, and its session is closed", async () => {
  const place = skillPlace();
  const workspace = place.workspace();
  const notebook = projectNotebook(workspace.locations);
  const taught = { session: "s1", transcript: `${place.home}/gone.jsonl`, ended: false };
  expect(await learnFromSession(workspace, { shelf: place.shelf(), notebook }, taught)).toEqual({
    tasks: 0,
    candidates: 0,
    events: 0,
  });
  expect(notebook.read().sessions).toMatchObject([{ session: "s1", open: false }]);
});

it("a beginning of a name that two skills have names neither; a whole name that another begins with is found", async () => {
  const shelf = skillPlace().shelf();
  await shelf.propose({ ...PROPOSAL, name: "paint" });
  await shelf.propose({
    ...PROPOSAL,
    name: "paint-walls",
    description: "Colours of walls",
    steps: [{ text: "Go", command: "mk" }],
  });
  expect(shelf.find("paint").name).toBe("paint");
  expect(shelf.find("project:paint").name).toBe("paint");
  expect(() => shelf.find("pai")).toThrow(/no skill is named "pai"; there are paint, paint-walls/u);
});

it("going back changes the number of the revision alone, and a person's own file not at all", async () => {
  const place = skillPlace();
  const id = await onTrial(place.shelf());
  const shelf = place.shelf();
  const before = shelf.find(NAME).text;
  await shelf.propose({ ...PROPOSAL, pitfalls: ["Another one."], revises: id });
  expect(rollBack(shelf, shelf.find(NAME), undefined)).toBe(3);
  expect(shelf.find(NAME).text).toBe(before.replace('memdir-revision: "1"', 'memdir-revision: "3"'));
  fs.appendFileSync(shelf.find(NAME).path, "mine\n");
  expect(() => rollBack(shelf, shelf.find(NAME), 1)).toThrow(/memdir does not change it/u);
});
