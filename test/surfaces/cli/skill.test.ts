import fs from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { publishSkill } from "../../../src/app/skills/publish.ts";
import { changeSkillSettings } from "../../../src/app/workspace/skills-mode.ts";
import { memoryOffer, PROFILES } from "../../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { cli, type CliOptions, type CliResult } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { followed, onTrial, PROPOSAL, type SkillPlace, skillPlace, START, triedEvent } from "../../support/skills.ts";
import { callTool, connectTo } from "../mcp/linked.ts";

const NAME = PROPOSAL.name;

let place: SkillPlace;

beforeEach(() => {
  place = skillPlace({ root: `${scratch()}/Jané Döe's` });
  // What runs checks in isolation has tests of its own.
  changeSkillSettings(`${place.home}/.memdir`, { check: "never" });
});

const here = (): Pick<CliOptions, "cwd" | "environment"> => ({ cwd: place.project, environment: { HOME: place.home } });
const memdir = (argv: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  cli(argv, { ...here(), ...options });
const skill = (...argv: readonly string[]): Promise<CliResult> => memdir(["skill", ...argv]);
const parsed = async (argv: readonly string[]): Promise<unknown> => JSON.parse((await memdir([...argv, "--json"])).out);
const listed = (): Promise<unknown> => parsed(["skill", "list"]);

const DAY = 86_400_000;
/** The command goes by the clock of the machine: what is promoted long ago would be retired. */
const TODAY = Math.floor((Date.now() - START) / DAY);

async function promoted(): Promise<string> {
  place.day = TODAY - 4;
  const shelf = place.shelf();
  const verdict = await shelf.propose(PROPOSAL);
  const id = verdict.kind === "kept" ? verdict.skill : "";
  shelf.record(id, [
    { ...triedEvent(), time: START + place.day * DAY },
    ...[3, 2, 1].map((ago) => followed(TODAY - ago, "pass")),
  ]);
  return id;
}

describe("memdir skill, with nothing learnt", () => {
  it.each<readonly [readonly string[], RegExp]>([
    [[], /has learnt no skill here yet/u],
    [["list"], /skills: observe; nothing is offered/u],
    [["candidates"], /^no candidates/u],
    [["stats"], /there are no skills yet/u],
  ])("%j says so", async (argv, expected) => {
    changeSkillSettings(`${place.home}/.memdir`, { mode: "observe" });
    const { code, out } = await skill(...argv);
    expect([code, expected.test(out)]).toEqual([0, true]);
  });

  it.each<readonly [readonly string[], number, RegExp]>([
    [["sing"], 2, /sing/u],
    [["show"], 2, /skill show needs a name/u],
    [["promote"], 2, /skill promote needs a name/u],
    [["promote", ""], 2, /skill promote needs a name/u],
    [["list", "extra", "words"], 2, /unexpected argument "extra"/u],
    [["show", "none"], 3, /no skill is named "none"; there are none yet/u],
    [["draft"], 2, /memdir skill draft - < draft\.json/u],
    [["draft", "file.json"], 2, /one JSON object/u],
    [["draft", "--from", "c00000000"], 3, /there is no candidate c00000000/u],
    [["list", "--state", "asleep"], 2, /asleep/u],
    [["list", "--scope", "team"], 2, /team/u],
  ])("%j ends with %s and says what to do", async (argv, code, expected) => {
    const result = await skill(...argv);
    expect([result.code, result.err]).toEqual([code, expect.stringMatching(expected)]);
  });
});

describe("memdir skill draft", () => {
  const hand = (value: unknown, ...more: readonly string[]): Promise<CliResult> =>
    memdir(["skill", "draft", "-", ...more], { input: typeof value === "string" ? value : JSON.stringify(value) });

  it("keeps a draft that nobody is shown", async () => {
    const { code, out } = await hand(PROPOSAL);
    expect([code, out]).toEqual([0, expect.stringContaining(`kept as a draft: ${NAME}, revision 1`)]);
    expect(await listed()).toMatchObject({ skills: [{ name: NAME, stage: "draft", where: "nowhere" }] });
  });

  it.each<readonly [string, unknown, readonly string[], number, RegExp]>([
    ["no JSON", "{", [], 2, /JSON/u],
    ["another form", { name: "x" }, [], 2, /"description" is not a text/u],
    ["a refused text", { ...PROPOSAL, check: "true" }, [], 4, /refused \(no-check\)/u],
    ["another scope", PROPOSAL, ["--scope", "team"], 2, /team/u],
  ])("of %s is refused", async (_, value, more, code, expected) => {
    const result = await hand(value, ...more);
    expect([result.code, result.out + result.err]).toEqual([code, expect.stringMatching(expected)]);
    expect(await listed()).toMatchObject({ skills: [] });
  });

  it("with a dangerous command waits in the review, whose yes keeps it and whose no does not", async () => {
    const risky = { ...PROPOSAL, steps: [{ text: "Push it", command: "git push --force origin main" }] };
    for (const [answer, count] of [
      ["reject", 0],
      ["accept", 1],
    ] as const) {
      const { out } = await hand(risky);
      const id = /memdir review accept ([0-9a-f]{8})/u.exec(out)?.[1] ?? "";
      expect((await memdir(["review"])).out).toContain(id);
      expect((await memdir(["review", answer, id])).code).toBe(0);
      expect(await listed()).toMatchObject({ skills: Array.from({ length: count }, () => ({ stage: "draft" })) });
    }
  });
});

describe("a draft that waits in the review", () => {
  const risky = { ...PROPOSAL, steps: [{ text: "Push it", command: "git push --force origin main" }] };
  const hand = async (value: object): Promise<string> => {
    const { out } = await memdir(["skill", "draft", "-", "--json"], { input: JSON.stringify(value) });
    return (JSON.parse(out) as { readonly item: string }).item;
  };
  const review = (...argv: readonly string[]): Promise<CliResult> => memdir(["review", ...argv]);

  it.each([
    ["accept", "accepted", 1],
    ["reject", "rejected", 0],
  ] as const)("is told to programs as a note is, and to people in words: %s", async (answer, outcome, count) => {
    const id = await hand(risky);
    const { code, out } = await review(answer, id, "--json");
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { settled: [{ id, outcome, message: expect.any(String) }], waiting: 0 },
    ]);
    expect(await listed()).toMatchObject({ skills: Array.from({ length: count }, () => ({ stage: "draft" })) });
    expect((await review(answer, await hand({ ...risky, name: "other-name", description: "Paints it." }))).out).toMatch(
      /^[0-9a-f]{8} {2}(?:kept as a draft: other-name|rejected)$/mu,
    );
  });

  it("is refused, and that is no success, where another of its name came first", async () => {
    const id = await hand(risky);
    await place.shelf().propose(PROPOSAL);
    const { code, out } = await review("accept", id, "--json");
    expect([code, JSON.parse(out)]).toMatchObject([5, { settled: [{ outcome: "refused" }] }]);
  });

  it("is settled by its own id alone, and not where another id names nothing", async () => {
    const id = await hand(risky);
    for (const ids of [[""], [id, "none"]]) expect([ids, (await review("accept", ...ids)).code]).toEqual([ids, 3]);
    expect(await listed()).toMatchObject({ skills: [] });
    expect(place.shelf().waiting()).toHaveLength(1);
  });
});

describe("memdir skill NAME", () => {
  it("tries, promotes, demotes, retires and pins by a person's word", async () => {
    await place.shelf().propose(PROPOSAL);
    const stages: unknown[] = [];
    for (const action of ["try", "promote", "demote", "retire", "pin", "unpin"]) {
      expect((await skill(action, NAME)).code, action).toBe(0);
      const { skills } = (await listed()) as { readonly skills: readonly Record<string, unknown>[] };
      stages.push([action, skills[0]?.["stage"], skills[0]?.["pinned"], skills[0]?.["where"]]);
    }
    expect(stages).toEqual([
      ["try", "trial", false, "recall"],
      ["promote", "promoted", false, "recall"],
      ["demote", "demoted", false, "nowhere"],
      ["retire", "retired", false, "nowhere"],
      ["pin", "retired", true, "nowhere"],
      ["unpin", "retired", false, "nowhere"],
    ]);
  });

  it("is found by the beginning of a name, and not by one of another", async () => {
    await onTrial(place.shelf());
    expect((await skill("show", "regen")).out).toContain(`name: ${NAME}`);
    expect((await skill("show", "generate")).err).toContain(`there is ${NAME}`);
  });

  it("shows text, state and revisions; compares and goes back", async () => {
    const id = await promoted();
    const shelf = place.shelf();
    await shelf.propose({ ...PROPOSAL, steps: [{ text: "Anew", command: "sh scripts/anew.sh" }], revises: id });
    const shown = (await skill("show", NAME)).out;
    expect(shown).toContain(`${NAME} is promoted: `);
    expect(shown).toContain("revision 2, by host-agent: draft");
    expect((await skill("show", NAME, "--revision", "2")).out).toContain("scripts/anew.sh");
    expect((await skill("diff", NAME)).out).toContain("scripts/anew.sh");
    expect((await skill("diff", NAME, "1", "1")).out).toContain("one revision");
    expect((await skill("rollback", NAME, "--to", "1")).out).toContain("as revision 3");
    expect((await skill("show", NAME)).out).not.toContain("anew.sh");
  });

  it.each<readonly [readonly string[], number, RegExp]>([
    [["show", NAME, "--revision", "x"], 2, /--revision is "x"/u],
    [["show", NAME, "--revision", "0"], 2, /--revision is "0"/u],
    [["show", NAME, "--revision", "9"], 3, /has no revision 9/u],
    [["diff", NAME, "1", "x"], 2, /the second revision is "x"/u],
    [["rollback", NAME], 3, /has no earlier revision/u],
    [["rollback", NAME, "--to", "7"], 3, /has no revision 7/u],
    [["publish", NAME, "--to", "moon"], 2, /--to is "moon"/u],
    [["publish", NAME], 2, /add --yes/u],
    [["publish", NAME, "--yes"], 4, /only a promoted skill is published/u],
    [["stats", "none"], 3, /no skill is named/u],
  ])("%j ends with %s and says why", async (argv, code, expected) => {
    await onTrial(place.shelf());
    const result = await skill(...argv);
    expect([result.code, result.err]).toEqual([code, expect.stringMatching(expected)]);
  });

  it("counts what it was used for", async () => {
    await promoted();
    expect(await parsed(["skill", "stats", NAME])).toMatchObject([
      { name: NAME, follows: 3, passes: 3, fails: 0, callsWhenFollowed: 3, posterior: 0.938 },
    ]);
    expect((await skill("stats")).out).toMatch(/skill +offered +loaded/u);
  });

  it("that a person edited is theirs", async () => {
    await promoted();
    fs.appendFileSync(place.shelf().find(NAME).path, "\nmine\n");
    expect(await listed()).toMatchObject({ skills: [{ stage: "human" }] });
    for (const action of ["try", "promote", "demote", "pin", "publish"]) {
      const { code, err } = await skill(action, NAME, ...(["try", "publish"].includes(action) ? ["--yes"] : []));
      expect([action, code, err]).toEqual([action, 4, expect.stringContaining("it is yours")]);
    }
  });
});

describe("memdir skill publish", () => {
  const copies = (): readonly boolean[] =>
    ["claude", "agents"].map((client) => fs.existsSync(`${place.project}/.${client}/skills/${NAME}/SKILL.md`));

  beforeEach(async () => {
    await promoted();
  });

  it("copies after a yes, asks once, and takes copies back", async () => {
    const publish = (answer?: boolean): Promise<CliResult> =>
      memdir(["skill", "publish", NAME], answer === undefined ? {} : { answer });
    expect([(await publish(false)).code, copies()]).toEqual([0, [false, false]]);
    expect([(await publish(true)).code, copies()]).toEqual([0, [true, true]]);
    expect((await publish()).code).toBe(0);
    expect(await listed()).toMatchObject({ skills: [{ where: "recall, claude, agents" }] });
    expect([(await skill("unpublish", NAME)).code, copies()]).toEqual([0, [false, false]]);
    expect((await skill("unpublish", NAME)).out).toContain("was not published");
    expect([(await publish()).code, copies()]).toEqual([0, [true, true]]);
  });

  it("into the work tree leaves what is there", async () => {
    expect((await skill("publish", NAME, "--to", "repo")).code).toBe(0);
    expect(copies()).toEqual([true, true]);
    fs.writeFileSync(`${place.project}/.claude/skills/${NAME}/SKILL.md`, "a person's\n");
    const again = await skill("publish", NAME, "--to", "repo");
    expect([again.code, again.out]).toEqual([5, expect.stringContaining("is another text and stays")]);
  });

  it("is over, as offers are, with `skill off`", async () => {
    await skill("publish", NAME, "--yes");
    expect((await skill("off")).code).toBe(0);
    expect(copies()).toEqual([false, false]);
    expect(await listed()).toMatchObject({ mode: "off", skills: [{ stage: "promoted", where: "nowhere" }] });
  });
});

describe("what else speaks of skills", () => {
  const finding = async (check: string): Promise<unknown> => {
    const { checks = [] } = (await parsed(["doctor"])) as { checks?: readonly Record<string, unknown>[] };
    return checks.find((one) => one["check"] === check);
  };

  it("doctor says nothing where nobody uses them", async () => {
    changeSkillSettings(`${place.home}/.memdir`, { mode: "observe" });
    expect(await finding("skills")).toBeUndefined();
  });

  it("doctor and status count them, and say why no check is run", async () => {
    await promoted();
    expect(await finding("skills")).toMatchObject({ level: "ok", result: "auto; 1 promoted" });
    expect(await finding("skills: checks")).toMatchObject({
      result: expect.stringContaining('"skills.check" is never'),
    });
    expect((await memdir(["status"])).out).toContain("auto; 1 promoted");
  });

  it("doctor names a copy that a person changed, and a file that no client can read", async () => {
    await promoted();
    const shelf = place.shelf();
    const [copy] = publishSkill(shelf, shelf.find(NAME), ["claude"]);
    fs.appendFileSync(copy?.path ?? "", "mine\n");
    expect(await finding("skills")).toMatchObject({ level: "ok", result: expect.stringContaining("is yours now") });
    fs.mkdirSync(`${place.home}/.memdir/skills/user/odd`, { recursive: true });
    fs.writeFileSync(`${place.home}/.memdir/skills/user/odd/SKILL.md`, "no block\n");
    expect(await finding("skills")).toMatchObject({
      level: "warn",
      result: expect.stringContaining("user/odd/SKILL.md"),
    });
  });

  it("the review names what was demoted, and why", async () => {
    const id = await promoted();
    place.shelf().record(id, [followed(TODAY - 0.9, "fail"), followed(TODAY - 0.8, "fail")]);
    expect((await memdir(["review"])).out).toContain(`skill ${NAME} was demoted (2 fails in a row)`);
  });
});

describe("over MCP", () => {
  let client: Client | undefined;
  afterEach(() => client?.close());

  const read = async (note: string) => {
    const memory = openProjectMemory({ cwd: place.project, environment: { HOME: place.home } });
    client = await connectTo(memoryOffer(memory, PROFILES.full));
    return callTool(client, "read", { note });
  };

  it("read shows a skill as a record, by its name or the beginning of it", async () => {
    await promoted();
    for (const note of [`skill:${NAME}`, "skill:regen"]) {
      const { isError, text, fields } = await read(note);
      expect(isError).toBe(false);
      expect(text).toContain("A procedure learnt from finished tasks (promoted: 3 of 3 passed): a record to check");
      expect(text).toContain("sh scripts/generate.sh openapi.yaml");
      expect(fields).toMatchObject({ note: `skill:${NAME}`, name: NAME, type: "skill" });
    }
  });

  it("read names the skills that there are for one that there is not", async () => {
    await promoted();
    expect(await read("skill:paint")).toMatchObject({ isError: true, text: expect.stringContaining(NAME) });
  });
});
