import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { describe, expect, it, vi } from "vitest";
import { type CheckResult, type CheckRunner, openCheckRunner } from "../../../src/adapters/processes/isolated-check.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import {
  giveToRepository,
  isPublishAgreed,
  publishSkill,
  unpublishSkill,
  withdrawCopies,
} from "../../../src/app/skills/publish.ts";
import { checksToApprove, upkeepSkills, approveCheck, tryCheck } from "../../../src/app/skills/check.ts";
import { changeSkillSettings } from "../../../src/app/workspace/skills-mode.ts";
import { recallWithSkills } from "../../../src/app/skills/offer.ts";
import { changeSkillsMode } from "../../../src/app/skills/skills.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { countSteps, faultFiles, ProcessKilled } from "../../support/fault-files.ts";
import { scratch } from "../../support/scratch.ts";
import { followed, onTrial, promoted, PROPOSAL, type SkillPlace, skillPlace } from "../../support/skills.ts";

const NAME = PROPOSAL.name;
const PROMPT = "openapi.yaml changed, please regenerate the client";

function recalled(place: SkillPlace, session?: string): string {
  const workspace = place.workspace();
  const { locations } = workspace;
  const { rendered, delivered } = recallWithSkills(locations, workspace, {
    prompt: PROMPT,
    verify: undefined,
    session,
  });
  delivered();
  workspace.close();
  return rendered.text;
}

describe("a proposed skill", () => {
  const TOKEN = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  it.each([
    ["a secret", { steps: [{ text: "Log in", command: `gh auth login --with-token ${TOKEN}` }] }, "secret"],
    ["a hidden character", { when: "after\u202E a change" }, "hidden-characters"],
    ["what fails for now", { when: "npm does not work here" }, "transient"],
    ["values of one session", { steps: [{ text: "Go", command: "git show 3a382c6a91 2026-03-02" }] }, "too-specific"],
    ["no steps", { steps: [] }, "invalid"],
    ["a description that is too long", { description: "x".repeat(301) }, "invalid"],
  ] as const)("with %s is refused, and nothing is on disk", async (_, change, reason) => {
    const place = skillPlace();
    const shelf = place.shelf();
    expect(await shelf.propose({ ...PROPOSAL, ...change })).toMatchObject({ kind: "refused", reasons: [reason] });
    expect(shelf.list()).toEqual([]);
  });

  it("whose words pretend to be its steps hides no dangerous command behind them", async () => {
    const when = "always\n\n## Steps\n\n1. Look\n```sh\nls\n```\n\n## Rest";
    const steps = [{ text: "Push it", command: "git push --force origin main" }];
    const verdict = await skillPlace()
      .shelf()
      .propose({ ...PROPOSAL, when, steps });
    expect(verdict).toMatchObject({ kind: "waits", reasons: ["dangerous"] });
  });

  it("with a dangerous command waits for a person, whose yes keeps it", async () => {
    const shelf = skillPlace().shelf();
    const steps = [{ text: "Push it", command: "git push --force origin main" }];
    const verdict = await shelf.propose({ ...PROPOSAL, steps });
    expect(verdict).toMatchObject({ kind: "waits", reasons: ["dangerous"] });
    expect(shelf.list()).toEqual([]);
    expect(await shelf.settleWaiting(verdict.kind === "waits" ? verdict.item : "", true)).toMatchObject({
      kind: "kept",
    });
    expect([shelf.list().length, shelf.waiting().length]).toEqual([1, 0]);
  });

  it("is refused where a person has one of that name in a client's folder, whose bytes stay", async () => {
    const place = skillPlace();
    const file = `${place.project}/.claude/skills/${NAME}/SKILL.md`;
    fs.mkdirSync(file.slice(0, -9), { recursive: true });
    fs.writeFileSync(file, `---\nname: ${NAME}\ndescription: mine\n---\nmine\n`);
    expect(await place.shelf().propose(PROPOSAL)).toMatchObject({ kind: "refused", reasons: ["human-exists"] });
    expect(fs.readFileSync(file, "utf8")).toContain("mine\n");
  });

  it("that says the same under another name is refused", async () => {
    const shelf = skillPlace().shelf();
    await shelf.propose(PROPOSAL);
    const again = { ...PROPOSAL, name: "regenerate-client-api" };
    expect(await shelf.propose(again)).toMatchObject({ kind: "refused", reasons: ["duplicate"] });
  });
});

describe("a skill on disk", () => {
  it("has the six keys of the standard and no others, its name that of its directory", async () => {
    const shelf = skillPlace().shelf();
    await shelf.propose(PROPOSAL);
    const { text } = shelf.find(NAME);
    const keys = (text.split("---")[1] ?? "").split("\n").flatMap((line) => /^([a-z-]+):/u.exec(line)?.[1] ?? []);
    expect(keys).toEqual(["name", "description", "compatibility", "metadata"]);
    expect(text).toContain(`name: ${NAME}\n`);
  });

  it("that a person edited is theirs: memdir neither offers nor changes it", async () => {
    const place = skillPlace();
    const id = await promoted(place);
    const { path } = place.shelf().find(NAME);
    fs.appendFileSync(path, "\nmy own line\n");
    const edited = fs.readFileSync(path);
    const shelf = place.shelf();
    expect(shelf.find(NAME).standing.current.state.stage).toBe("human");
    expect(await shelf.propose({ ...PROPOSAL, revises: id })).toMatchObject({ reasons: ["human-exists"] });
    shelf.record(id, [followed(5, "fail"), followed(6, "fail")]);
    expect(fs.readFileSync(path).equals(edited)).toBe(true);
    expect(recalled(place)).toBe("");
  });
});

describe("an offer", () => {
  it("is one line of at most 160 characters, once a session, and is counted", async () => {
    const place = skillPlace();
    await onTrial(place.shelf());
    const text = recalled(place, "one");
    const lines = text.split("\n").filter((line) => line.startsWith("- [skill"));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThanOrEqual(160);
    expect(lines[0]).toMatch(/^- \[skill on trial, not used yet\] regenerate-api-client/u);
    expect(recalled(place, "one")).toBe("");
    expect(recalled(place, "two")).not.toBe("");
    expect(place.shelf().find(NAME).standing.current.state.offers).toBe(2);
  });

  it("is not made when memdir only observes, and leaves no file for hooks to read", async () => {
    const place = skillPlace({ mode: "observe" });
    const shelf = place.shelf();
    await onTrial(shelf);
    shelf.say(shelf.find(NAME), "promote");
    expect(recalled(place)).toBe("");
    expect(fs.existsSync(`${place.home}/.memdir/skills/offers.json`)).toBe(false);
  });

  it("ends with the demotion", async () => {
    const place = skillPlace();
    const id = await promoted(place);
    expect(recalled(place)).toContain("[skill, 3 of 3 passed]");
    place.shelf().record(id, [followed(5, "fail"), followed(6, "fail")]);
    expect(recalled(place)).toBe("");
  });
});

describe("copies in clients' folders", () => {
  const copies = ({ project }: SkillPlace): readonly string[] =>
    ["claude", "agents"].map((client) => `${project}/.${client}/skills/${NAME}/SKILL.md`);

  it("go with the demotion; one that a person changed stays", async () => {
    const place = skillPlace();
    const id = await promoted(place);
    const shelf = place.shelf();
    publishSkill(shelf, shelf.find(NAME), ["claude", "agents"]);
    const [claude = "", agents = ""] = copies(place);
    expect(fs.readFileSync(claude, "utf8")).toBe(shelf.find(NAME).text);
    fs.appendFileSync(agents, "mine\n");
    shelf.record(id, [followed(5, "fail"), followed(6, "fail")]);
    expect([fs.existsSync(claude), fs.readFileSync(agents, "utf8").endsWith("mine\n")]).toEqual([false, true]);
  });

  it("go with uninstall, and none comes back", async () => {
    const place = skillPlace();
    await promoted(place);
    const shelf = place.shelf();
    publishSkill(shelf, shelf.find(NAME), ["claude", "agents"]);
    expect(copies(place).every((file) => fs.existsSync(file))).toBe(true);
    withdrawCopies(place.workspace(), []);
    place.shelf().change(() => undefined);
    expect(copies(place).some((file) => fs.existsSync(file))).toBe(false);
  });

  it("are agreed to for each client alone, and go with the last client that reads them", async () => {
    const place = skillPlace();
    await promoted(place);
    const shelf = place.shelf();
    publishSkill(shelf, shelf.find(NAME), ["claude"]);
    expect(isPublishAgreed(shelf, shelf.find(NAME), ["claude"])).toBe(true);
    expect(isPublishAgreed(shelf, shelf.find(NAME), ["claude", "agents"])).toBe(false);
    publishSkill(shelf, shelf.find(NAME), ["agents"]);
    for (const [clients, left] of [
      [["codex"], [true, true]],
      [["claude-code"], [false, true]],
      [
        ["codex", "gemini", "opencode"],
        [false, false],
      ],
    ] as const) {
      withdrawCopies(place.workspace(), clients);
      place.shelf().change(() => undefined);
      expect(copies(place).map((file) => fs.existsSync(file))).toEqual(left);
    }
  });

  it("that were given to the work tree are the team's: nothing takes them out again", async () => {
    const place = skillPlace();
    const id = await promoted(place);
    const shelf = place.shelf();
    publishSkill(shelf, shelf.find(NAME), ["claude", "agents"]);
    expect(giveToRepository(shelf, shelf.find(NAME)).map(({ state }) => state)).toEqual(["same", "same"]);
    expect(unpublishSkill(shelf, shelf.find(NAME))).toEqual([]);
    shelf.record(id, [followed(5, "fail"), followed(6, "fail")]);
    withdrawCopies(place.workspace(), []);
    expect(copies(place).every((file) => fs.existsSync(file))).toBe(true);
  });

  it("are given to the work tree of no skill that is not promoted", async () => {
    const place = skillPlace();
    const shelf = place.shelf();
    await onTrial(shelf);
    const give = (): unknown => giveToRepository(shelf, shelf.find(NAME));
    expect(give).toThrow(/only a promoted skill/u);
    fs.appendFileSync(shelf.find(NAME).path, "mine\n");
    expect(give).toThrow(/so it is yours/u);
    expect(copies(place).some((file) => fs.existsSync(file))).toBe(false);
  });

  it("are never written over a person's file, nor made of what is not promoted", async () => {
    const place = skillPlace();
    await onTrial(place.shelf());
    const shelf = place.shelf();
    expect(() => publishSkill(shelf, shelf.find(NAME), ["claude"])).toThrow(/only a promoted skill/u);
    shelf.say(shelf.find(NAME), "promote");
    const [claude = ""] = copies(place);
    fs.mkdirSync(claude.slice(0, -9), { recursive: true });
    fs.writeFileSync(claude, "a person's\n");
    expect(publishSkill(shelf, shelf.find(NAME), ["claude"])).toMatchObject([{ state: "foreign" }]);
    expect(fs.readFileSync(claude, "utf8")).toBe("a person's\n");
  });
});

describe("two projects of one person", () => {
  const both = (): { readonly shop: SkillPlace; readonly till: SkillPlace } => {
    const root = scratch();
    return { shop: skillPlace({ root }), till: skillPlace({ root, project: "till" }) };
  };

  it("switched off in the one, skills are offered and copied in neither", async () => {
    const { shop, till } = both();
    await promoted(shop);
    const shelf = shop.shelf();
    const copy = publishSkill(shelf, shelf.find(NAME), ["claude"])[0]?.path ?? "";
    expect([recalled(shop), fs.existsSync(copy)]).toEqual([expect.stringContaining(NAME), true]);
    changeSkillsMode(till.workspace(), "off");
    expect([recalled(shop), fs.existsSync(copy)]).toEqual(["", false]);
  });

  it("switched off where memory is only recalled, they are offered no more", async () => {
    const { shop } = both();
    await promoted(shop);
    const locations = locate({ cwd: shop.project, environment: { HOME: shop.home, MEMDIR_MODE: "recall-only" } });
    changeSkillsMode(
      openWorkspace(locations, { clock: { now: () => shop.workspace().clock.now(), timeZone: "UTC" } }),
      "off",
    );
    expect(recalled(shop)).toBe("");
  });

  it("what was cut off in the one is not offered there before it is brought to its end, whatever the other does", async () => {
    const { shop, till } = both();
    const id = await promoted(shop);
    for (let at = 1, isKilled = true; isKilled; at++) {
      const shelf = shop.shelf(faultFiles(nodeFiles, countSteps({ kind: "kill", at })));
      isKilled = false;
      try {
        shelf.record(id, [followed(5, "fail"), followed(6, "fail")]);
      } catch (error) {
        if (!(error instanceof ProcessKilled)) throw error;
        isKilled = true;
      }
      await till.shelf().propose({ ...PROPOSAL, name: `other-${at}`, check: `sh check-${at}.sh` });
      const offered = recalled(shop) !== "";
      const { stage } = shop.shelf().find(NAME).standing.current.state;
      expect(offered && stage !== "promoted", `killed at step ${at}`).toBe(false);
    }
    expect(shop.shelf().find(NAME).standing.current.state.stage).toBe("demoted");
  });
});

const obstacle = openCheckRunner(process.env).obstacle();
if (obstacle !== undefined) process.stderr.write(`SKIPPED: checks cannot be isolated here (${obstacle})\n`);

describe("what is done unasked", () => {
  it("tries no draft that no task stands behind", async () => {
    const place = skillPlace();
    changeSkillSettings(`${place.home}/.memdir`, { check: "never" });
    const shelf = place.shelf();
    await shelf.propose({ ...PROPOSAL, from: [] });
    await shelf.propose({
      ...PROPOSAL,
      name: "sort-fragments",
      description: "Sorts all fragments.",
      steps: [{ text: "Sort." }],
    });
    upkeepSkills(shelf);
    const stages = shelf.list().map(({ name, standing }) => [name, standing.current.state.stage]);
    expect(Object.fromEntries(stages)).toEqual({ [NAME]: "draft", "sort-fragments": "trial" });
    tryCheck(shelf, shelf.find(NAME));
    expect(shelf.find(NAME).standing.current.state.stage).toBe("trial");
  });
});

describe("a check", () => {
  it("is not run before a person allowed that very command", async () => {
    const place = skillPlace({ git: true });
    const shelf = place.shelf();
    await shelf.propose({ ...PROPOSAL, check: "touch ran" });
    const outcome = tryCheck(shelf, shelf.find(NAME));
    expect(outcome.kind === "not-approved" || (outcome.kind === "tried" && outcome.result === "not-isolated")).toBe(
      true,
    );
    expect(fs.existsSync(`${place.project}/ran`)).toBe(false);
  });

  const TOKEN = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  const ran = (status: number, output = "") => ({ kind: "ran" as const, status, output, ms: 1 });
  it.each<readonly [string, CheckResult, CheckResult, string]>([
    ["passed, and failed on an empty tree", ran(0, `used ${TOKEN}`), ran(1), "passed"],
    ["passed on an empty tree too", ran(0), ran(0), "vacuous"],
    ["failed", ran(1), ran(1), "failed"],
    ["took too long", { kind: "timed-out", output: "", ms: 60_000 }, ran(1), "failed"],
    ["could not be isolated", { kind: "not-isolated", why: "no room" }, ran(1), "not-isolated"],
  ])("that %s is noted as such, without secrets", async (_, first, onEmptyTree, result) => {
    const place = skillPlace({ git: true });
    const shelf = place.shelf();
    await shelf.propose({ ...PROPOSAL, check: "sh scripts/check.sh" });
    approveCheck(shelf.skills, "sh scripts/check.sh");
    const checks: CheckRunner = {
      obstacle: () => undefined,
      run: ({ emptyTree }) => (emptyTree === true ? onEmptyTree : first),
    };
    expect(tryCheck({ ...shelf, skills: { ...shelf.skills, checks } }, shelf.find(NAME))).toMatchObject({ result });
    const [tried] = shelf.find(NAME).events.filter(({ kind }) => kind === "tried");
    expect(tried).toMatchObject({ result });
    expect(JSON.stringify(tried)).not.toContain(TOKEN);
    const isOn = result === "passed" || result === "not-isolated";
    expect(shelf.find(NAME).standing.current.state.stage).toBe(isOn ? "trial" : "draft");
  });

  it("is run for one command by a yes to that one alone", async () => {
    const shelf = skillPlace({ git: true }).shelf();
    await shelf.propose(PROPOSAL);
    approveCheck(shelf.skills, "sh scripts/another.sh");
    const run = vi.fn<CheckRunner["run"]>(() => ran(0));
    const checks: CheckRunner = { obstacle: () => undefined, run };
    const seen = { ...shelf, skills: { ...shelf.skills, checks } };
    expect(tryCheck(seen, shelf.find(NAME))).toMatchObject({ kind: "not-approved" });
    upkeepSkills(seen);
    expect(checksToApprove(seen)).toEqual([{ name: NAME, command: PROPOSAL.check }]);
    expect(run).not.toHaveBeenCalled();
    approveCheck(shelf.skills, PROPOSAL.check ?? "");
    expect(checksToApprove(seen)).toEqual([]);
  });

  describe.skipIf(obstacle !== undefined)("in isolation", () => {
    it("sees the checkout; home, network and every write stay out of its reach", async () => {
      const server = net.createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      const [home, directory] = [scratch(), scratch()];
      fs.mkdirSync(`${home}/.ssh`);
      fs.writeFileSync(`${home}/.ssh/key`, "private words");
      fs.writeFileSync(`${directory}/a`, "of the tree");
      const command = `cat a; echo new > a; echo new > b; cat '${home}/.ssh/key'; echo x > '${home}/x'; env; node -e "require('net').connect(${port},'127.0.0.1').on('connect',()=>{console.log('reached');process.exit()}).on('error',()=>console.log('no way'))"`;
      const result = openCheckRunner({ ...process.env, HOME: home, SECRET: "secret words" }).run({
        command,
        directory,
      });
      expect(result).toMatchObject({ kind: "ran", status: 0 });
      const output = result.kind === "ran" ? result.output : "";
      expect(output).toContain("of the tree");
      expect(output).not.toMatch(/private words|secret words/u);
      server.close();
      expect(output).toContain("no way");
      expect([
        fs.readFileSync(`${directory}/a`, "utf8"),
        fs.readdirSync(directory),
        fs.existsSync(`${home}/x`),
      ]).toEqual(["of the tree", ["a"], false]);
    });

    it.each([
      ["test -f a", "passed"],
      ["test -f missing", "failed"],
      ["test 1 = 1", "vacuous"],
    ] as const)("`%s` is %s", async (check, result) => {
      const place = skillPlace({ git: true });
      fs.writeFileSync(`${place.project}/a`, "");
      const shelf = place.shelf();
      await shelf.propose({ ...PROPOSAL, check });
      approveCheck(shelf.skills, check);
      expect(tryCheck(shelf, shelf.find(NAME))).toMatchObject({ kind: "tried", result });
      expect(shelf.find(NAME).standing.current.state.stage).toBe(result === "passed" ? "trial" : "draft");
    });
  });
});
