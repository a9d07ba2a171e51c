import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { parseDailyLog } from "../../../src/core/notes/daily-log.ts";
import { today } from "../../../src/app/notes/log-entry.ts";
import { systemClock } from "../../../src/core/shared/clock.ts";
import { type CliResult, cli, emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;
const shop = (): string => `${homeOf(root)}/Jané Döe/the shop`;
const till = (): string => `${homeOf(root)}/till`;
const DAY = today({ clock: systemClock });
const FILE = `${DAY.slice(0, 4)}/${DAY.slice(5, 7)}/${DAY}.md`;
const ENTRY = new RegExp(`^user:${FILE}#\\d{6}-[0-9a-f]{8}$`, "u");
const LOGGED = new RegExp(`^logged: user:${FILE}#\\d{6}-[0-9a-f]{8}\n$`, "u");
const path = (): string => `${homeOf(root)}/.memdir/user/memory/${FILE}`;

beforeEach(() => {
  root = scratch();
  for (const project of [shop(), till()]) fs.mkdirSync(`${project}/.git`, { recursive: true });
});

async function memdir(
  argv: readonly string[],
  options: { readonly cwd?: string; readonly input?: string; readonly mode?: string } = {},
): Promise<CliResult> {
  const environment = { ...emptyHome(root), ...(options.mode === undefined ? {} : { MEMDIR_MODE: options.mode }) };
  return cli(argv, {
    cwd: options.cwd ?? shop(),
    environment,
    ...(options.input === undefined ? {} : { input: options.input }),
  });
}

describe("memdir log", () => {
  it("adds entries to a plain file of the day that names the project, and shows them", async () => {
    expect(await memdir(["log", "The", "vendor", "moves the API on the 27th"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(LOGGED),
      err: "",
    });
    expect(await memdir(["log", "-"], { cwd: till(), input: "Two lines\n\nof another project\n" })).toMatchObject({
      code: 0,
      out: expect.stringMatching(LOGGED),
    });
    expect(await memdir(["log", "Bought milk", "--no-project"])).toMatchObject({ code: 0 });
    const text = fs.readFileSync(path(), "utf8");
    expect(text).toMatch(
      new RegExp(
        `^# ${DAY}\\n\\n- \\d\\d:\\d\\d:\\d\\d [+-]\\d\\d:\\d\\d · ~/Jané Döe/the shop\\n {2}The vendor moves`,
        "u",
      ),
    );
    expect(parseDailyLog(DAY, text).map(({ project, text: said }) => [project, said])).toEqual([
      ["~/Jané Döe/the shop", "The vendor moves the API on the 27th"],
      ["~/till", "Two lines\n\nof another project"],
      [undefined, "Bought milk"],
    ]);
    const { out } = await memdir(["log"]);
    expect(out).toContain(`${DAY}  ${path()}\n  #`);
    expect(out).toContain("      Two lines\n\n      of another project\n");
    expect(JSON.parse((await memdir(["log", "--json", "--days", "7"])).out)).toMatchObject([
      {
        day: DAY,
        entries: [
          { id: expect.stringMatching(ENTRY), project: "~/Jané Döe/the shop" },
          { number: 2 },
          { number: 3, project: null },
        ],
      },
    ]);
  });

  it("saves what comes through a pipe, and shows the log where nothing comes or a day is asked for", async () => {
    expect(await memdir(["log"], { input: "The mill stops at noon\n" })).toMatchObject({
      code: 0,
      out: expect.stringMatching(LOGGED),
    });
    expect((await memdir(["log", "--no-project"], { input: "Of no project\n" })).out).toMatch(LOGGED);
    expect((await memdir(["log", "--days", "2"], { input: "Not this\n" })).out).toContain("The mill stops at noon");
    expect((await memdir(["log"], { input: " \n" })).out).toMatch(/Of no project/u);
    expect((await memdir(["log"])).out).not.toContain("Not this");
  });

  it("shows another day, several days, and says so where there is nothing", async () => {
    fs.mkdirSync(`${homeOf(root)}/.memdir/user/memory/2025/02`, { recursive: true });
    for (const day of ["2025-02-03", "2025-02-05", "2025-02-28"])
      fs.writeFileSync(`${homeOf(root)}/.memdir/user/memory/2025/02/${day}.md`, `- 09:00 said on ${day}\n`);
    expect((await memdir(["log", "--date", "2025-02-03"])).out).toContain("said on 2025-02-03");
    const { out } = await memdir(["log", "--date", "2025-02-05", "--days", "3"]);
    expect([...out.matchAll(/said on (\S+)/gu)].map(([, day]) => day)).toEqual(["2025-02-03", "2025-02-05"]);
    expect(await memdir(["log"])).toMatchObject({
      code: 0,
      out: `nothing logged on ${DAY}; \`memdir log TEXT\` adds an entry\n`,
    });
  });

  it("refuses secrets and hidden characters, and writes nothing of them", async () => {
    const secret = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    expect(await memdir(["log", `the token is ${secret}`])).toMatchObject({
      code: 4,
      err: expect.stringContaining("looks like a secret"),
    });
    expect(await memdir(["log", "pay\u202Eload"])).toMatchObject({ code: 4, err: expect.stringContaining("hidden") });
    expect(fs.existsSync(path())).toBe(false);
  });

  it("says what is wrong with what it was asked", async () => {
    expect(await memdir(["log", "-"], { input: " \n" })).toMatchObject({
      err: expect.stringContaining("nothing to log"),
    });
    expect(await memdir(["log", "--date", "2025-02-30"])).toMatchObject({
      err: expect.stringContaining("is not a day"),
    });
    expect(await memdir(["log", "--days", "0"])).toMatchObject({
      err: expect.stringContaining("not a number of days"),
    });
    expect(await memdir(["log", "x", "--date", "2025-02-03"])).toMatchObject({ code: 2 });
    expect(await memdir(["log", "x", "--dir", root])).toMatchObject({ err: expect.stringContaining("user's scope") });
    expect((await memdir(["log", "--help"])).out).toContain("memdir log [TEXT | -]");
  });

  it.each([
    ["off", "nothing is read or written"],
    ["recall-only", "nothing is written"],
  ])("refuses an entry in mode %s, says why, and makes no file", async (mode, consequence) => {
    const { code, err } = await memdir(["log", "An entry"], { mode });
    expect(code).toBe(4);
    expect(err).toContain(`is ${mode} (MEMDIR_MODE=${mode}), so ${consequence}; \`memdir mode\` shows and changes it`);
    expect(fs.existsSync(`${homeOf(root)}/.memdir`)).toBe(false);
  });

  it("writes in mode manual what somebody asks for, as `remember` does", async () => {
    expect(await memdir(["log", "An entry"], { mode: "manual" })).toMatchObject({
      code: 0,
      out: expect.stringMatching(LOGGED),
    });
  });

  it("neither reads nor writes in mode off, and only reads in recall-only", async () => {
    await memdir(["log", "An entry from before"]);
    const before = fs.readFileSync(path(), "utf8");
    expect([
      (await memdir(["log", "more"], { mode: "off" })).code,
      (await memdir(["log"], { mode: "off" })).code,
      (await memdir(["log", "more"], { mode: "recall-only" })).code,
    ]).toEqual([4, 4, 4]);
    expect((await memdir(["log"], { mode: "recall-only" })).out).toContain("An entry from before");
    expect(fs.readFileSync(path(), "utf8")).toBe(before);
  });

  it("keeps what a person wrote into the file, and numbers it like the rest", async () => {
    await memdir(["log", "first"]);
    fs.appendFileSync(path(), "- 09:05 by hand, without an end of line");
    expect((await memdir(["log", "third"])).out).toMatch(LOGGED);
    expect(parseDailyLog(DAY, fs.readFileSync(path(), "utf8")).map(({ text }) => text)).toEqual([
      "first",
      "by hand, without an end of line",
      "third",
    ]);
  });

  it("does not write through a link", async () => {
    fs.mkdirSync(`${homeOf(root)}/.memdir/user/memory`, { recursive: true });
    fs.mkdirSync(`${root}/elsewhere`);
    fs.symlinkSync(`${root}/elsewhere`, `${homeOf(root)}/.memdir/user/memory/${DAY.slice(0, 4)}`);
    expect(await memdir(["log", "x"])).toMatchObject({ err: expect.stringContaining("symbolic link") });
    expect(fs.readdirSync(`${root}/elsewhere`)).toEqual([]);
  });
});

describe("recall over the log", () => {
  it("points at an entry without a word of the prompt only right beside one that has some", async () => {
    await memdir(["log", "The dentist is on Tuesday at nine"], { cwd: till() });
    for (const text of ["Jane's entry", "Bought a lamp"]) await memdir(["log", text]);
    expect((await memdir(["recall", "when is the dentist"])).out).not.toContain("Jane's entry");
    await memdir(["log", "The dentist moved to Thursday"]);
    for (const text of ["Milk ran out", "Ann called"]) await memdir(["log", text]);
    const { out } = await memdir(["recall", "when is the dentist"]);
    expect(out).toContain("moved to Thursday");
    expect(out).toContain("Milk ran out");
    expect(out).not.toContain("Jane's entry");
  });

  it("is explained with the words and the number of entries, and why-not says that it compares notes only", async () => {
    await memdir(["log", "The dentist is on Tuesday at nine"]);
    await memdir(["log", "Lisbon is for the till"], { cwd: till() });
    const { out } = await memdir(["why", "when is the dentist in Lisbon"]);
    expect(out).toContain("Words that notes or log entries have: dentist (1).");
    expect(out).toContain("Words that no note or log entry has: Lisbon.");
    expect(out).toContain("Looked through 1 log entry.");
    expect(out).toContain("has dentist");
    expect(out).not.toContain("why-not");
    expect((await memdir(["why", "zeppelin"])).out).toContain("no note has any of the prompt's words");
    expect(await memdir(["why-not", `user:${FILE}#1`, "dentist"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("why-not compares notes only; `memdir why PROMPT`"),
    });
  });

  it("finds entries of this project and of none, with their place, and never those of another", async () => {
    await memdir(["log", "The payment vendor moves its webhook to version four next month"]);
    await memdir(["log", "The dentist moved the appointment to Thursday morning", "--no-project"]);
    await memdir(["log", "The cash drawer firmware needs the blue cable"], { cwd: till() });
    const found = await memdir(["recall", "which version does the payment vendor webhook move to?"]);
    expect(found.out).toContain("## log of ");
    expect(found.out).toMatch(
      new RegExp(`${FILE}#\\S+ \\(log of ~/Jané Döe/the shop, user scope, today, ${DAY}\\)`, "u"),
    );
    expect((await memdir(["recall", "when is the dentist appointment?"], { cwd: till() })).out).toContain(
      "moved the appointment to Thursday",
    );
    expect((await memdir(["recall", "which cable does the cash drawer firmware need?"])).out).not.toContain("blue");
    expect(
      (await memdir(["recall", "which cable does the cash drawer firmware need?"], { cwd: till() })).out,
    ).toContain("blue");
  });

  it("does not give the same session an entry twice", async () => {
    await memdir(["log", "The payment vendor moves its webhook to version four next month"]);
    const asked = ["recall", "which version does the payment vendor webhook move to?", "--session", "s1"];
    expect([(await memdir(asked)).out.includes("version four"), (await memdir(asked)).out]).toEqual([
      true,
      expect.stringMatching(/^this session already has \S+#\d{6}-\w{8}, and nothing in it has changed\n$/u),
    ]);
  });

  it("follows edits, additions and removals by hand, also of a day long gone", async () => {
    const old = `${homeOf(root)}/.memdir/user/memory/2025/02/2025-02-03.md`;
    await memdir(["log", "an entry"]);
    fs.mkdirSync(`${homeOf(root)}/.memdir/user/memory/2025/02`, { recursive: true });
    fs.writeFileSync(old, "- 09:00 The greenhouse heater trips at minus ten\n");
    expect((await memdir(["recall", "when does the greenhouse heater trip?"])).out).toContain("minus ten");
    fs.rmSync(old);
    expect((await memdir(["recall", "when does the greenhouse heater trip?"])).out).not.toContain("minus ten");
    fs.appendFileSync(path(), "- 10:00 The sauna stove trips at ninety degrees\n");
    expect((await memdir(["recall", "when does the sauna stove trip?"])).out).toContain("ninety");
  });

  it("points at nothing that a person took out of a day long gone", async () => {
    const old = `${homeOf(root)}/.memdir/user/memory/2025/02/2025-02-03.md`;
    await memdir(["log", "an entry"]);
    fs.mkdirSync(`${homeOf(root)}/.memdir/user/memory/2025/02`, { recursive: true });
    fs.writeFileSync(
      old,
      "- 09:00 The greenhouse heater trips at minus ten, said the man from the electricity board, who came by bicycle\n",
    );
    const asked = ["recall", "does the heater or the bicycle need a new lamp, a bell, brakes, or tyres?"];
    expect((await memdir(asked)).out).toMatch(/2025-02-03\.md#090000-\w{8} \(\d+ days ago\): The greenhouse heater/u);
    fs.writeFileSync(old, "- 09:00 Nothing\n");
    expect((await memdir(asked)).out).not.toContain("greenhouse");
  });

  it("shows the very notes that it shows without a log, before any entry", async () => {
    for (const name of ["one", "two"])
      await memdir([
        "remember",
        `The payment webhook retries ${name === "one" ? "five times" : "after a minute"}`,
        "--name",
        `payment webhook retries ${name}`,
      ]);
    const asked = ["recall", "how does the payment webhook retry?", "--json"];
    const names = (out: string): string[] => JSON.parse(out).selected.map(({ file }: { file: string }) => file);
    const before = names((await memdir(asked)).out);
    for (let index = 0; index < 6; index++)
      await memdir(["log", `How does the payment webhook retry? The payment webhook retry, number ${index}`]);
    const after = names((await memdir(asked)).out);
    expect(before.length).toBeGreaterThan(0);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).every((file) => file.includes("#"))).toBe(true);
  });

  it("checks what an entry of this project claims", async () => {
    fs.mkdirSync(`${shop()}/src`, { recursive: true });
    fs.writeFileSync(`${shop()}/src/webhook.ts`, "export {};\n");
    await memdir(["log", "The payment webhook lives in `src/webhook.ts` and `src/gone.ts` until the move"]);
    const { out } = await memdir(["recall", "where does the payment webhook live until the move?"]);
    expect(out).toContain("still there: src/webhook.ts");
    expect(out).toContain("gone: src/gone.ts");
  });
});

describe("an entry", () => {
  it("is shown by its name, and cannot be changed as a note can", async () => {
    await memdir(["log", "The vendor moves the API"]);
    expect((await memdir(["show", `user:${FILE}#1`])).out).toMatch(
      /^ {2}#\d{6}-[0-9a-f]{8} {2}\d\d:\d\d {2}~\/Jané Döe\/the shop\n {6}The vendor moves the API\n$/u,
    );
    expect(JSON.parse((await memdir(["show", `${FILE}#1`, "--json"])).out)).toMatchObject({
      text: "The vendor moves the API",
      path: path(),
    });
    expect(await memdir(["show", `${FILE}#2`])).toMatchObject({ code: 3, err: expect.stringContaining("has 1 entry") });
    for (const command of ["pin", "remove", "history"])
      expect(await memdir([command, `user:${FILE}#1`])).toMatchObject({
        err: expect.stringContaining("only ever added to"),
      });
  });

  it("is a note nowhere: not in lists, MEMORY.md, audit, status or doctor", async () => {
    await memdir(["log", "The vendor moves the API"]);
    await memdir(["remember", "I write Rust", "--type", "user", "--name", "rust"]);
    expect((await memdir(["list"])).out).not.toContain(DAY);
    expect(fs.readFileSync(`${homeOf(root)}/.memdir/user/memory/MEMORY.md`, "utf8")).not.toContain(DAY);
    expect((await memdir(["audit"])).out).not.toContain(DAY);
    expect(JSON.parse((await memdir(["status", "--json"])).out).scopes).toMatchObject([{ scope: "user", notes: 1 }]);
    expect((await memdir(["doctor"])).out).not.toContain(DAY);
  });
});

describe("an export", () => {
  it("carries the logs along, and an import adds what is missing, once", async () => {
    await memdir(["log", "The vendor moves the API"]);
    fs.mkdirSync(`${homeOf(root)}/.memdir/user/memory/2025/02`, { recursive: true });
    fs.writeFileSync(`${homeOf(root)}/.memdir/user/memory/2025/02/2025-02-03.md`, "A diary.\n\n- 09:00 by hand\n");
    expect((await memdir(["export", `${root}/out.tar.gz`])).code).toBe(0);
    const there = `${root}/other`;
    fs.mkdirSync(`${homeOf(there)}/the shop/.git`, { recursive: true });
    const other = (argv: readonly string[]): Promise<CliResult> =>
      cli(argv, { cwd: `${homeOf(there)}/the shop`, environment: emptyHome(there) });
    await other(["log", "Said there before"]);
    expect((await other(["import", `${root}/out.tar.gz`, "--yes"])).out).toContain("2 days of logs");
    expect(fs.readFileSync(`${homeOf(there)}/.memdir/user/memory/2025/02/2025-02-03.md`, "utf8")).toBe(
      "A diary.\n\n- 09:00 by hand\n",
    );
    const file = `${homeOf(there)}/.memdir/user/memory/${FILE}`;
    expect(parseDailyLog(DAY, fs.readFileSync(file, "utf8")).map(({ text }) => text)).toEqual([
      "Said there before",
      "The vendor moves the API",
    ]);
    const before = fs.readFileSync(file, "utf8");
    expect((await other(["import", `${root}/out.tar.gz`, "--yes"])).out).not.toContain("of logs");
    expect(fs.readFileSync(file, "utf8")).toBe(before);
    expect((await other(["list"])).out).not.toContain(DAY);
  });
});
