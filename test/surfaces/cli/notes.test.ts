import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { cli, type CliOptions, type CliResult, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;
let memdir: (argv: readonly string[], options?: CliOptions) => Promise<CliResult>;

beforeEach(() => {
  root = scratch();
  const environment = emptyHome(root);
  memdir = (argv, options) => cli([...argv, "--dir", `${root}/my notes`], { environment, ...options });
});

describe("remember", () => {
  it("saves the argument as a note and says how much room is left in the index", async () => {
    const result = await memdir(["remember", "The billing cron runs at 02:00 UTC", "--name", "billing-cron"]);
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(result.out).toMatch(/^remembered: project_billing_cron\.md\ntype: project\n$/u);
    expect(fs.readFileSync(`${root}/my notes/project_billing_cron.md`, "utf8")).toMatch(
      /^---\nname: billing-cron\ndescription: .*02:00 UTC.*\nmetadata:\n {2}type: project\n/u,
    );
  });

  it("says which note has the name already when it gives the new one a number", async () => {
    await memdir(["remember", "Deploys go through Argo", "--name", "port"]);
    const second = await memdir(["remember", "Rita keeps the minutes", "--name", "Port", "--type", "project"]);
    expect(second.out).toContain('remembered: project_port_2.md\nthe name "Port" is taken: project_port.md\n');
    const third = await memdir([
      "remember",
      "Invoices are signed twice",
      "--name",
      "port",
      "--type",
      "project",
      "--json",
    ]);
    expect(JSON.parse(third.out)).toMatchObject({ file: "project_port_3.md", nameTaken: "project_port.md" });
    const other = await memdir(["remember", "Backups run at noon", "--name", "backups", "--json"]);
    expect(JSON.parse(other.out)).not.toHaveProperty("nameTaken");
  });

  it("reads the body from standard input and answers scripts with the file", async () => {
    const result = await memdir(["remember", "--type", "feedback", "--name", "no-mocks", "--json"], {
      input: "Use the test container.\n",
    });
    expect(JSON.parse(result.out)).toMatchObject({
      file: "feedback_no_mocks.md",
      scope: "project",
      outcome: "created",
    });
  });

  it("says that a text is remembered already instead of saving it twice", async () => {
    await memdir(["remember", "Use the test container.", "--name", "tests"]);
    const again = await memdir(["remember", "Use the test container.", "--name", "tests"]);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining("already remembered: feedback_tests.md (") });
  });

  it("knows a text again under another type, another name and other white space, and writes it twice only with --force", async () => {
    await memdir(["remember", "Use the test container.", "--name", "tests"]);
    for (const more of [
      ["--type", "feedback"],
      ["--name", "containers"],
      ["--type", "reference", "--name", "other", "--description", "another line"],
    ]) {
      expect(await memdir(["remember", "Use the  test\ncontainer.", ...more])).toMatchObject({
        code: 0,
        out: expect.stringContaining("already remembered: feedback_tests.md"),
      });
    }
    expect(JSON.parse((await memdir(["list", "--json"])).out).notes).toHaveLength(1);
    expect((await memdir(["remember", "Use the test container.", "--type", "feedback", "--force"])).out).toContain(
      "remembered: feedback_",
    );
  });

  it("names a note that says nearly the same instead of writing a second one, unless another name or --force insists", async () => {
    await memdir([
      "remember",
      "Integration tests use the postgres container, never mocks.",
      "--name",
      "no-mocks",
      "--type",
      "feedback",
    ]);
    const near = ["remember", "The integration tests must use a postgres container and never mocks"];
    expect(await memdir(near)).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining("feedback_no_mocks.md says nearly the same"),
    });
    expect(await memdir([...near, "--name", "No mocks"])).toMatchObject({ code: 5 });
    expect(JSON.parse((await memdir([...near, "--json"])).out)).toMatchObject({
      outcome: "similar",
      file: "feedback_no_mocks.md",
    });
    expect(JSON.parse((await memdir(["list", "--json"])).out).notes).toHaveLength(1);
    expect((await memdir([...near, "--name", "containers"])).out).toContain("remembered: feedback_containers.md");
    expect((await memdir([...near, "--force"])).code).toBe(0);
    expect((await memdir(["remember", "Integration tests may use mocks of the vendor's clock"])).code).toBe(0);
  });

  it("takes what differs in a number for another fact", async () => {
    await memdir(["remember", "The staging server listens on port 8080."]);
    expect((await memdir(["remember", "The staging server listens on port 9090."])).code).toBe(0);
    await memdir(["remember", "Shard 1 replicates to shard 2 every night."]);
    expect((await memdir(["remember", "Shard 2 replicates to shard 1 every night."])).code).toBe(0);
  });

  it("refuses a secret with exit code 4 and writes no byte of it anywhere", async () => {
    const token = ["ghp", "a1B2".repeat(9)].join("_");
    const result = await memdir(["remember", `The deploy token is ${token}`]);
    expect(result.code).toBe(4);
    expect(result.err).toContain("secret");
    expect(fs.existsSync(`${root}/my notes`)).toBe(false);
  });

  it("says of a password in a sentence what it looks like, in words that a person understands", async () => {
    const { code, err } = await memdir(["remember", `The password is ${["hunter", "2", "Xq9"].join("")}`]);
    expect([code, err.includes("(password-in-words)")]).toEqual([4, true]);
  });

  it("counts one thing as one", async () => {
    await memdir(["remember", "The depot opens at nine."]);
    await memdir(["forget", "The depot opens at nine.", "--yes"]).then(({ out }) =>
      expect(out).toContain("(1 version purged)"),
    );
  });

  it("names a directory that is not there to whoever only reads, and makes it at the first note", async () => {
    const read = await memdir(["list"]);
    expect(read.code).toBe(0);
    expect(read.err).toContain(`${root}/my notes does not exist`);
    expect(fs.existsSync(`${root}/my notes`)).toBe(false);
    expect((await memdir(["remember", "Use the test container."])).err).toBe("");
  });

  it("refuses characters that nobody can see", async () => {
    expect(await memdir(["remember", "Deploy on Fridays\u202E never"])).toMatchObject({ code: 4 });
  });

  it("explains an empty body, a wrong type and a wrong scope", async () => {
    expect(await memdir(["remember"])).toMatchObject({ code: 2, err: expect.stringContaining("standard input") });
    expect(await memdir(["remember", "x", "--type", "wish"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("user, feedback, project, reference"),
    });
    expect(await memdir(["remember", "x", "--scope", "user"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("no user scope here; scopes: project, team"),
    });
  });
});

describe("list, show, edit, pin and remove", () => {
  beforeEach(async () => {
    await memdir(["remember", "The billing cron runs at 02:00 UTC", "--name", "billing-cron"]);
  });

  it("lists notes for people and for scripts", async () => {
    expect((await memdir(["list"])).out).toMatch(/^project_billing_cron\.md {2}project {2}today {2}The billing cron/u);
    expect(JSON.parse((await memdir(["list", "--json"])).out)).toMatchObject({
      notes: [{ file: "project_billing_cron.md", name: "billing-cron", type: "project", scope: "project" }],
    });
  });

  it("finds a note by file, by name and with other separators, and suggests near ones", async () => {
    for (const reference of ["project_billing_cron.md", "project_billing_cron", "billing-cron", "Billing Cron"])
      expect((await memdir(["show", reference])).code, reference).toBe(0);
    expect(await memdir(["show", "billing"])).toMatchObject({
      code: 3,
      err: expect.stringContaining("did you mean project_billing_cron.md?"),
    });
  });

  it("changes one field and leaves every other byte", async () => {
    const file = `${root}/my notes/project_billing_cron.md`;
    const before = fs.readFileSync(file, "utf8");
    expect(await memdir(["edit", "billing-cron", "--description", "Nightly billing"])).toMatchObject({ code: 0 });
    expect(fs.readFileSync(file, "utf8")).toBe(before.replace(/^description: .*$/mu, "description: Nightly billing"));
  });

  it("keeps words that were saved while the editor was open", async () => {
    const file = `${root}/my notes/project_billing_cron.md`;
    const result = await memdir(["edit", "billing-cron"], {
      edit: (text) => {
        fs.appendFileSync(file, "\nA line saved by somebody else.\n");
        return text.replace("02:00", "03:00");
      },
    });
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining("merged") });
    expect(fs.readFileSync(file, "utf8")).toMatch(/03:00[\s\S]*saved by somebody else/u);
  });

  it("does not empty a note, nor its name, by accident", async () => {
    const before = fs.readFileSync(`${root}/my notes/project_billing_cron.md`, "utf8");
    expect(await memdir(["edit", "billing-cron"], { edit: () => "\n" })).toMatchObject({
      code: 2,
      err: expect.stringContaining("saved an empty file"),
    });
    expect(await memdir(["edit", "billing-cron", "--name", ""])).toMatchObject({ code: 2 });
    expect(fs.readFileSync(`${root}/my notes/project_billing_cron.md`, "utf8")).toBe(before);
  });

  it("changes a file with a byte order mark and leaves the mark and the file's permissions", async () => {
    const file = `${root}/my notes/marked.md`;
    fs.writeFileSync(file, "\uFEFF---\r\nname: marked\r\ndescription: old\r\ntype: project\r\n---\r\nText\r\n", {
      mode: 0o644,
    });
    expect(await memdir(["edit", "marked", "--description", "new"])).toMatchObject({ code: 0 });
    expect(fs.readFileSync(file, "utf8")).toBe(
      "\uFEFF---\r\nname: marked\r\ndescription: new\r\ntype: project\r\n---\r\nText\r\n",
    );
    expect(fs.statSync(file).mode & 0o777).toBe(0o644);
  });

  it("gives a second note of the same name a number, so that each can be named", async () => {
    await memdir(["remember", "The billing cron moved to 04:00", "--name", "billing-cron"]);
    expect((await memdir(["show", "billing-cron"])).out).toContain("02:00");
    expect((await memdir(["show", "billing-cron 2"])).out).toContain("04:00");
  });

  it("asks for an editor when there is none", async () => {
    expect(await memdir(["edit", "billing-cron"])).toMatchObject({ code: 2, err: expect.stringContaining("$EDITOR") });
  });

  it("puts a pinned note first in the index and whole into the context", async () => {
    await memdir(["remember", "Second note, newer", "--name", "second"]);
    await memdir(["pin", "billing-cron"]);
    const { out } = await memdir(["context"]);
    expect(out.indexOf("Billing cron")).toBeLessThan(out.indexOf("Second"));
    expect(out).toContain("# Pinned note (project)");
    await memdir(["pin", "billing-cron", "--off"]);
    expect((await memdir(["context"])).out).not.toContain("Pinned note");
  });

  it("brings a removed note back, named as it was", async () => {
    await memdir(["remove", "billing-cron"]);
    expect((await memdir(["list"])).out).toContain("no notes");
    expect(await memdir(["undo", "billing-cron"])).toMatchObject({ code: 0 });
    expect((await memdir(["list"])).out).toContain("project_billing_cron.md");
  });
});

describe("versions", () => {
  it("tells history, diffs and undoes; an undo can be undone", async () => {
    await memdir(["remember", "Deploys run on Tuesdays", "--name", "deploys"]);
    await memdir(["edit", "deploys", "--body", "Deploys run on Wednesdays"]);
    expect((await memdir(["history", "deploys"])).out.split("\n")).toHaveLength(3);
    expect((await memdir(["diff", "deploys"])).out).toMatch(
      /-Deploys run on Tuesdays[\s\S]*\+Deploys run on Wednesdays/u,
    );
    await memdir(["undo"]);
    expect((await memdir(["show", "deploys"])).out).toContain("Tuesdays");
    await memdir(["undo"]);
    expect((await memdir(["show", "deploys"])).out).toContain("Wednesdays");
    expect((await memdir(["show", "deploys", "--version", "1"])).out).toContain("Tuesdays");
    expect((await memdir(["diff", "1"])).out).toMatch(/^@@ -0,0 \+1,\d+ @@$/mu);
    expect(await memdir(["undo", "99"])).toMatchObject({ code: 3, err: expect.stringContaining("no version 99") });
  });

  it("shows the past as of a day, and says when history begins later", async () => {
    await memdir(["remember", "Deploys run on Tuesdays", "--name", "deploys"]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await memdir(["list", "--as-of", today])).out).toContain("project_deploys.md");
    for (const command of [["list"], ["recall", "port"], ["context"]])
      expect(await memdir([...command, "--as-of", "2001-01-01"]), command[0]).toMatchObject({
        code: 3,
        err: expect.stringContaining("nothing is known from 2001-01-01"),
      });
    expect(await memdir(["show", "deploys", "--as-of", "2001-01-01"])).toMatchObject({ code: 3 });
    expect(await memdir(["list", "--as-of", "soon"])).toMatchObject({ code: 2 });
  });

  it("never takes away, unasked, a file that somebody else made", async () => {
    fs.mkdirSync(`${root}/my notes`, { recursive: true });
    fs.writeFileSync(
      `${root}/my notes/by_hand.md`,
      "---\nname: by-hand\ndescription: mine\ntype: project\n---\nText\n",
    );
    await memdir(["list"]);
    expect(await memdir(["undo"])).toMatchObject({ code: 3 });
    expect(await memdir(["undo", "by-hand"])).toMatchObject({ code: 3 });
    expect(fs.existsSync(`${root}/my notes/by_hand.md`)).toBe(true);
  });
});

describe("forget", () => {
  it("wants a yes, leaves a receipt and cannot be undone", async () => {
    await memdir(["remember", "The salary list is with Ann", "--name", "salaries"]);
    expect(await memdir(["forget", "salaries"])).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    expect(await memdir(["forget", "salaries"], { answer: false })).toMatchObject({
      code: 0,
      out: "nothing forgotten\n",
    });
    expect(await memdir(["forget", "salaries", "--yes"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^forgotten: receipt [0-9a-f]{8}/u),
    });
    expect(await memdir(["undo", "salaries"])).toMatchObject({ code: 3 });
    expect((await memdir(["history"])).out).not.toContain("salaries");
  });

  it("purges a note that was removed before", async () => {
    await memdir(["remember", "The salary list is with Ann", "--name", "salaries"]);
    await memdir(["remove", "salaries"]);
    expect(await memdir(["forget", "salaries", "--yes"])).toMatchObject({ code: 0 });
    expect(await memdir(["undo", "salaries"])).toMatchObject({ code: 3 });
  });
});

describe("recall", () => {
  it("shows the note that helps, and nothing when none does", async () => {
    await memdir([
      "remember",
      "Integration tests use the postgres test container, never a mocked database.",
      "--name",
      "database-tests",
      "--type",
      "feedback",
    ]);
    await memdir(["remember", "The newsletter goes out on the first Monday.", "--name", "newsletter"]);
    expect(
      JSON.parse((await memdir(["recall", "write integration tests for the database", "--json"])).out),
    ).toMatchObject({ abstained: false, selected: [{ file: "feedback_database_tests.md" }] });
    expect(JSON.parse((await memdir(["recall", "--json", "paint the fence green"])).out)).toEqual({
      selected: [],
      pointed: [],
      ranked: [],
      abstained: true,
      text: "",
    });
    expect((await memdir(["recall", "integration tests database", "--explain"])).out).toContain("terms:");
    expect(await memdir(["recall"])).toMatchObject({ code: 2 });
    expect(await memdir(["recall", ""])).toMatchObject({ code: 2 });
  });

  it("shows what is on disk now, whatever the index believes", async () => {
    await memdir(["remember", "The postgres container listens on port 5433.", "--name", "postgres-port"]);
    const file = `${root}/my notes/project_postgres_port.md`;
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll("5433", "6000"));
    fs.utimesSync(file, atime, mtime);
    expect((await memdir(["recall", "postgres container port"])).out).toContain("6000");
  });
});

describe("modes", () => {
  const off = (argv: readonly string[], variable: Record<string, string>): Promise<CliResult> =>
    cli([...argv, "--dir", `${root}/my notes`], { environment: { ...emptyHome(root), ...variable } });

  it("writes and recalls nothing when memory is off, and says why", async () => {
    await memdir(["remember", "The postgres container listens on port 5433.", "--name", "postgres-port"]);
    const variable = { CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1" };
    expect(await off(["remember", "x"], variable)).toMatchObject({
      code: 4,
      err: expect.stringContaining("CLAUDE_CODE_DISABLE_AUTO_MEMORY=1"),
    });
    expect(JSON.parse((await off(["recall", "postgres container port", "--json"], variable)).out)).toMatchObject({
      abstained: true,
    });
    expect((await off(["context"], variable)).out).toContain("memory is off");
  });

  it("recalls but does not write in recall-only mode", async () => {
    await memdir(["remember", "The postgres container listens on port 5433.", "--name", "postgres-port"]);
    const variable = { MEMDIR_MODE: "recall-only" };
    expect(await off(["remember", "x"], variable)).toMatchObject({ code: 4 });
    expect(JSON.parse((await off(["recall", "postgres container port", "--json"], variable)).out)).toMatchObject({
      abstained: false,
    });
    expect(await off(["list"], { MEMDIR_MODE: "sometimes" })).toMatchObject({ code: 2 });
  });
});
