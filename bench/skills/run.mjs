import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { doTask, makeRepository, openHands } from "./agent.mjs";
import { FAMILIES } from "./families.mjs";
import { loadParts, openMemory } from "./memory.mjs";
import { plantAll, putHuman } from "./planted.mjs";

export { FAMILIES };

const MOST_RATIO = 0.7;
const MOST_FAMILY_RATIO = 1.1;
const MOST_MEAN_USES = 4;
const MOST_USES = 6;

/**
 * Ten families of tasks, of which two instances teach and two are held out, and ten bad skills: what the learnt ones
 * save, whether any does harm, whether bad ones are removed. `change` plants a faulty part in memdir.
 */
export async function benchSkills(
  load,
  { families = FAMILIES, planted = Infinity, isolated = true, change = (parts) => parts } = {},
) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-skills-")));
  try {
    const parts = change(await loadParts(load));
    const place = (name) => placeIn(path.join(root, name.replace(/\W+/gu, "-")));
    const humans = [];
    // Skills that a person wrote or edited are listed, used and learnt alongside, and must stay unchanged.
    const watch = (file) => humans.push({ file, text: fs.readFileSync(file, "utf8") });
    const rows = [];
    for (const family of families) rows.push(await familyRow(parts, place(family.name), { family, isolated, watch }));
    const bad = await plantAll(parts, place, { most: planted, watch });
    const changed = humans.filter(({ file, text }) => !fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text);
    return { rows, bad, humans: humans.length, changed: changed.length, gates: gatesOf(rows, bad, changed) };
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

function placeIn(root) {
  const [home, project] = [path.join(root, "home"), path.join(root, "project")];
  for (const directory of [path.join(home, ".memdir"), project]) fs.mkdirSync(directory, { recursive: true });
  return { home, project, twin: path.join(root, "twin") };
}

/** One family: taught twice, then used on new tasks; the same tasks are also done without memory. */
async function familyRow(parts, { home, project, twin }, { family, isolated, watch }) {
  for (const directory of [project, twin]) makeRepository(directory, family);
  for (const one of [path.join(project, ".agents/skills/ours"), path.join(home, ".claude/skills/mine")])
    watch(putHuman(one));
  const memory = openMemory(parts, { home, project, isolated });
  for (const at of [0, 1]) await instance(memory, { project, family, at, isAlone: true });
  const name = await written(parts, memory, family);
  if (name !== undefined) memory.try(name);
  const held = [];
  for (const at of [2, 3]) {
    const alone = openHands(twin);
    const passed = doTask(alone, family, family.values[at]);
    held.push({
      alone: { passed, calls: alone.calls.length },
      helped: await instance(memory, { project, family, at }),
    });
  }
  for (const at of [0, 1]) await instance(memory, { project, family, at });
  const stage = name === undefined ? "none" : memory.stageOf(name);
  if (name !== undefined) {
    const { path: file } = memory.shelf().find(name);
    fs.appendFileSync(file, "\nMy own words.\n");
    watch(file);
    await instance(memory, { project, family, at: 2 });
  }
  memory.workspace.close();
  const count = (of) => held.reduce((sum, one) => sum + Number(of(one)), 0);
  return {
    family: family.name,
    teachesNothing: family.teachesNothing === true,
    without: count(({ alone }) => alone.calls),
    with: count(({ helped }) => helped.calls),
    passedWithout: count(({ alone }) => alone.passed),
    passedWith: count(({ helped }) => helped.passed),
    harmed: count(({ alone, helped }) => alone.passed && !helped.passed),
    offered: count(({ helped }) => helped.offered),
    stage,
  };
}

async function instance(memory, { project, family, at, isAlone = false }) {
  const value = family.values[at];
  const prompt = family.prompts[at].replace("VALUE", value);
  const skill = isAlone ? undefined : memory.offered(prompt, memory.session());
  const hands = openHands(project);
  const passed = doTask(hands, family, value, { skill });
  await memory.learn([{ prompt, calls: hands.calls }]);
  memory.nextDay();
  return { passed, calls: hands.calls.length, offered: skill !== undefined };
}

/** The agent of the next session is asked, and writes the draft from the recipe. */
async function written(parts, memory, family) {
  const question = parts.takeSkillQuestion(memory.workspace.locations);
  const id = /--from (c[0-9a-f]{8})/u.exec(question?.text ?? "")?.[1];
  if (id === undefined) return undefined;
  const candidates = parts.listCandidates(memory.workspace.locations);
  const { recipe } = candidates.find((one) => one.id === id);
  const draft = {
    operation: "create",
    name: `do-${family.name}`,
    description: `${commonWords(family.prompts.slice(0, 2))}. Use when asked to do that again.`,
    when: recipe.description.replace(/\S*\d\S*/gu, "").trim(),
    steps: recipe.steps.map(({ command, call }) => ({ text: "Run it.", command, call })),
    pitfalls: [],
    check: recipe.check,
  };
  const verdict = await parts.draftFrom(memory.shelf(), JSON.stringify(draft), { scope: "project", candidate: id });
  return verdict.kind === "kept" ? verdict.name : undefined;
}

/** The words that two tasks share, as a writer would use them. */
function commonWords([first, second]) {
  const words = (text) => text.toLowerCase().match(/[a-z][\w.-]*\w/gu) ?? [];
  const shared = words(first).filter((word) => words(second).includes(word) && word.length > 2);
  return [...new Set(shared)].join(" ");
}

function gatesOf(rows, bad, changed) {
  const sum = (all, of) => all.reduce((total, row) => total + of(row), 0);
  const ratio = sum(rows, (row) => row.with) / sum(rows, (row) => row.without);
  const onTrial = bad.filter(({ begun }) => begun === "trial");
  const gate = (name, value, holds) => ({ name, value, holds });
  return [
    gate(`calls on held-out instances at most ${MOST_RATIO} of those without`, ratio.toFixed(2), ratio <= MOST_RATIO),
    gate(
      `no family above ${MOST_FAMILY_RATIO}`,
      Math.max(...rows.map((row) => row.with / row.without)).toFixed(2),
      rows.every((row) => row.with / row.without <= MOST_FAMILY_RATIO),
    ),
    gate(
      "no task that passes without a skill fails with one",
      sum(rows, ({ harmed }) => harmed),
      rows.every(({ harmed }) => harmed === 0),
    ),
    gate(
      "what is worth nothing is not learnt, all else is promoted",
      rows.map(({ stage }) => stage).join(" "),
      rows.every(({ stage, teachesNothing }) => stage === (teachesNothing ? "none" : "promoted")),
    ),
    gate(
      "bad skills are never promoted",
      sum(bad, ({ wasPromoted }) => Number(wasPromoted)),
      bad.every(({ wasPromoted, stage }) => !wasPromoted && stage !== "promoted"),
    ),
    gate(
      "bad skills are refused for their reason, or gone",
      bad.filter(({ gone }) => gone).length,
      bad.every(({ gone }) => gone),
    ),
    gate(
      `those on trial within ${MOST_MEAN_USES} uses on average, ${MOST_USES} at worst`,
      onTrial.map(({ uses }) => uses).join(" "),
      onTrial.length > 0 &&
        sum(onTrial, ({ uses }) => uses) <= MOST_MEAN_USES * onTrial.length &&
        onTrial.every(({ uses }) => uses <= MOST_USES),
    ),
    gate("bytes of people's skills that changed", changed.length, changed.length === 0),
  ];
}

export function printBench({ rows, bad, humans, gates }, print = console.log) {
  const cell = (value, width) => String(value).padEnd(width);
  print("Calls on two held-out instances of each family, by a scripted agent; taught by two others.\n");
  print(
    `${cell("family", 16)}${cell("without", 9)}${cell("with", 6)}${cell("ratio", 7)}${cell("passed", 8)}${cell("offered", 9)}stage after six uses`,
  );
  for (const row of rows)
    print(
      `${cell(row.family, 16)}${cell(row.without, 9)}${cell(row.with, 6)}${cell((row.with / row.without).toFixed(2), 7)}${cell(`${row.passedWithout}:${row.passedWith}`, 8)}${cell(row.offered, 9)}${row.stage}`,
    );
  print(`\n${cell("bad or foreign skill", 72)}${cell("begun", 26)}${cell("uses", 6)}end`);
  for (const row of bad) print(`${cell(row.kind, 72)}${cell(row.begun, 26)}${cell(row.uses, 6)}${row.stage}`);
  print(`\n${humans} files of people's own were watched.\n`);
  for (const { name, value, holds } of gates) print(`${holds ? "ok    " : "FAILED"} ${name}: ${value}`);
}
