import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/surfaces/cli/catalogue.ts";
import { actionsOf } from "../../../src/surfaces/cli/command.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

/** Their first argument is a value and no action. */
const VALUES: ReadonlySet<string> = new Set(["import", "install", "uninstall", "mode", "completion", "conflicts"]);

/** memdir's own directory for the only store that was used. */
function stateOf(root: string): string {
  const stores = path.join(root, "home", ".memdir", "stores");
  return path.join(stores, fs.readdirSync(stores)[0] ?? "");
}

describe("the command line", () => {
  it("lists every command in the overview and explains each with an example", async () => {
    const { out } = await cli(["help", "--all"]);
    for (const { name } of COMMANDS) {
      expect(out).toMatch(new RegExp(`^  ${name}(?:, | )`, "mu"));
      expect((await cli([name, "--help"])).out, name).toMatch(/Usage: memdir [\s\S]*Examples/u);
    }
  });

  // Below /proc not even the administrator can create anything.
  it.each([...(fs.existsSync("/proc/self") ? ["/proc/nope"] : []), "file/notes", "notes"])(
    "list, doctor and status say of --dir %s what saving a note there would",
    async (dir) => {
      const cwd = scratch();
      fs.writeFileSync(`${cwd}/file`, "no directory");
      const options = { cwd, environment: emptyHome(cwd) };
      const listed = await cli(["list", "--dir", dir], options);
      const checked = await cli(["doctor", "--dir", dir], options);
      const told = await cli(["status", "--dir", dir], options);
      const isSaved = (await cli(["remember", "The importer reads CSV.", "--dir", dir], options)).code === 0;
      expect(isSaved).toBe(dir === "notes");
      expect(listed.err.includes("the first note creates it")).toBe(isSaved);
      expect(listed.err.includes("it cannot be created")).toBe(!isSaved);
      expect(listed.out.includes("`memdir remember TEXT` saves one")).toBe(isSaved);
      expect(checked.out.includes("notes can be saved")).toBe(isSaved);
      expect(checked.out.includes("notes cannot be saved")).toBe(!isSaved);
      expect(told.out.includes("no notes yet;")).toBe(isSaved);
    },
  );

  it("answers mistakes with exit code 2, what is wrong and what was probably meant", async () => {
    expect(await cli(["recal"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("did you mean `memdir recall`?"),
    });
    expect(await cli(["list", "--colour"])).toMatchObject({ code: 2, err: expect.stringContaining("--colour") });
    expect(await cli(["show", "a", "b"])).toMatchObject({
      code: 2,
      err: expect.stringContaining('unexpected argument "b"'),
    });
    expect(await cli(["list", "--dir", ""])).toMatchObject({ code: 2 });
  });

  it("refuses an option at every action that does not take it, names those that do, and does nothing", async () => {
    const root = scratch();
    let refused = 0;
    for (const command of COMMANDS.filter(({ actions }) => actions !== undefined))
      for (const [option, { type, only }] of Object.entries(command.options)) {
        if (only === undefined) continue;
        const wrong = ["", ...actionsOf(command)].filter(
          (one) => !only.includes(one === "" ? (command.standard ?? "") : one),
        );
        for (const action of wrong) {
          const given = [
            command.name,
            ...(action === "" ? [] : [action]),
            `--${option}`,
            ...(type === "string" ? ["x"] : []),
          ];
          const { code, out, err } = await cli(given, { cwd: root, environment: emptyHome(root) });
          expect(`${code} ${out}`, given.join(" ")).toBe("2 ");
          expect(err, given.join(" ")).toContain(`--${option} is for \`memdir ${command.name}`);
          refused++;
        }
      }
    expect(refused).toBeGreaterThan(150);
    expect([...filesBelow(root).keys()]).toEqual([]);
  });

  it("says of every option of a command with actions which of them take it", () => {
    // What an option of each of these does is the same at all actions, as is --yes: do not ask.
    const everywhere = ["sync scope", "instructions agent", "dream scope"];
    const open = COMMANDS.flatMap((command) =>
      command.actions === undefined || VALUES.has(command.name)
        ? []
        : Object.entries(command.options).flatMap(([option, { only }]) =>
            only === undefined && option !== "yes" ? [`${command.name} ${option}`] : [],
          ),
    );
    expect(open.toSorted()).toEqual(everywhere.toSorted());
    for (const command of COMMANDS)
      for (const [option, { only, summary }] of Object.entries(command.options)) {
        expect(["", ...actionsOf(command)], option).toEqual(expect.arrayContaining([...(only ?? [])]));
        // A summary that begins with actions says the same.
        const [, told] = /^((?:[a-z-]+, )*[a-z-]+): /u.exec(summary) ?? [];
        const named = told?.split(", ").filter((one) => actionsOf(command).includes(one)) ?? [];
        expect(only ?? [], `${command.name} --${option}`).toEqual(expect.arrayContaining(named));
      }
  });

  it("takes no more arguments behind an action than the action has", async () => {
    const root = scratch();
    const withActions = COMMANDS.flatMap(({ name, actions = [] }) =>
      Array.isArray(actions) ? [] : Object.entries(actions).map(([action, most]) => ({ name, action, most })),
    ).filter(({ most }) => Number.isFinite(most));
    expect(withActions.length).toBeGreaterThan(50);
    for (const { name, action, most } of withActions) {
      const given = Array.from({ length: most }, (_, at) => `word-${at}`);
      const { code, err } = await cli([name, action, ...given, "extra"], {
        cwd: root,
        environment: emptyHome(root),
      });
      expect([name, action, code, err]).toEqual([name, action, 2, expect.stringContaining("argument")]);
    }
    expect(filesBelow(root).size).toBe(0);
  });

  it("gives errors to programs as JSON too", async () => {
    const root = scratch();
    const { code, out } = await cli(["show", "nothing", "--json", "--dir", root], { environment: emptyHome(root) });
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "not-found" } });
  });

  it("writes nothing anywhere when there is only something to look at", async () => {
    const root = scratch();
    for (const command of ["list", "context", "status", "history"])
      await cli([command], { cwd: root, environment: emptyHome(root) });
    expect(fs.readdirSync(root)).toEqual([]);
  });
});

describe("doctor", () => {
  it("says that notes cannot be saved, and why, where memdir may not write", async () => {
    const root = scratch();
    fs.mkdirSync(`${root}/notes`);
    const own = path.join(root, "home", ".memdir");
    fs.mkdirSync(own, { recursive: true });
    // Not even the administrator, whom permissions do not stop, makes a directory below a file.
    fs.writeFileSync(path.join(own, "stores"), "");
    const { code, out } = await cli(["doctor", "--dir", `${root}/notes`], { environment: emptyHome(root) });
    expect(code).toBe(1);
    expect(out.replace(/\s+/gu, " ")).toMatch(
      /✗ project: saving: notes can be read but not saved: .*has a file where a directory above it should be/u,
    );
  });

  it("fails where there are no notes yet and the first could not be saved, and says where", async () => {
    const root = scratch();
    fs.mkdirSync(`${root}/notes`);
    fs.writeFileSync(path.join(root, "home"), "");
    const { code, out } = await cli(["doctor", "--dir", `${root}/none/yet`], { environment: emptyHome(root) });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ project: saving: notes cannot be saved:\s.*home/u);
    const fine = await cli(["doctor", "--dir", `${root}/none/yet`], {
      environment: { ...emptyHome(root), HOME: `${root}/other` },
    });
    expect(fine.out).toContain(`✓ project: saving: notes can be saved; the first one creates\n    ${root}/none/yet`);
    expect(fs.existsSync(`${root}/none`)).toBe(false);
  });

  it("runs the self-test, explains each check and finds a healthy store healthy", async () => {
    const root = scratch();
    const environment = emptyHome(root);
    await cli(["remember", "Deploys run on Tuesdays", "--dir", `${root}/notes`], { environment });
    const { code, out } = await cli(["doctor", "--json", "--dir", `${root}/notes`], { environment });
    const { ok, checks } = JSON.parse(out);
    expect(code).toBe(0);
    expect(ok).toBe(true);
    expect(checks.map(({ check }: { check: string }) => check)).toEqual(
      expect.arrayContaining([
        "self-test: write",
        "self-test: recall",
        "self-test: forget",
        "project: index",
        "project: history",
      ]),
    );
    for (const { why } of checks) expect(why.length).toBeGreaterThan(20);
  });

  it("fails on a damaged history and says what to do", async () => {
    const root = scratch();
    const environment = emptyHome(root);
    await cli(["remember", "Deploys run on Tuesdays", "--dir", `${root}/notes`], { environment });
    await cli(["history", "--dir", `${root}/notes`], { environment });
    const state = stateOf(root);
    for (const file of fs.readdirSync(`${state}/history.git/objects`, { recursive: true, encoding: "utf8" })) {
      const object = `${state}/history.git/objects/${file}`;
      if (!fs.statSync(object).isFile()) continue;
      fs.chmodSync(object, 0o600);
      fs.writeFileSync(object, "damaged");
    }
    const { code, out } = await cli(["doctor", "--dir", `${root}/notes`], { environment });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ project: history[\s\S]*history\.git[\s\S]*to another[\s\S]*place/u);
  });
});

describe("doctor, of a past that cannot go on", () => {
  const poison = (root: string, seq: number, file: string): void => {
    const transaction = { seq, time: "2026-03-02T09:00:00.000Z", actor: "user", reason: "odd" };
    const json = JSON.stringify({ ...transaction, changes: [{ file, before: null, after: "words" }] });
    const sum = createHash("sha256").update(json).digest("hex").slice(0, 16);
    fs.appendFileSync(`${stateOf(root)}/journal.jsonl`, `\n${sum} ${json}\n`);
    fs.writeFileSync(`${stateOf(root)}/journal.mark`, `${seq} ${fs.statSync(`${stateOf(root)}/journal.jsonl`).size}\n`);
  };

  it.each([
    ["a path that git refuses", 2, "a//b.md", "Empty path component"],
    ["a number that nothing comes after", 1e300, "a.md", "cannot be counted on"],
  ])("names %s", async (_, seq, file, problem) => {
    const root = scratch();
    const environment = emptyHome(root);
    await cli(["remember", "Deploys run on Tuesdays", "--dir", `${root}/notes`], { environment });
    poison(root, seq, file);
    const { code, out } = await cli(["doctor", "--dir", `${root}/notes`], { environment });
    expect(code).toBe(1);
    expect(out.replaceAll(/\s+/gu, " ")).toContain(problem);
  });
});

describe("scopes and places", () => {
  it("keeps project notes where Claude Code keeps them when Claude Code is there, and its own place otherwise", async () => {
    const root = scratch();
    const environment = emptyHome(root);
    const cwd = `${root}/my project`;
    fs.mkdirSync(cwd);
    await cli(["remember", "Deploys run on Tuesdays", "--name", "deploys"], { cwd, environment });
    const slug = cwd.replace(/[^A-Za-z0-9]/g, "-");
    expect(fs.existsSync(path.join(root, "home", ".memdir", "projects", slug, "memory", "project_deploys.md"))).toBe(
      true,
    );
    const claude = path.join(root, "home", ".claude");
    fs.mkdirSync(claude);
    expect((await cli(["list"], { cwd, environment })).out, "notes stay in sight when Claude Code arrives").toContain(
      "project_deploys.md",
    );
    fs.rmSync(path.join(root, "home", ".memdir", "projects"), { recursive: true });
    await cli(["remember", "Reviews happen on Mondays", "--name", "reviews"], { cwd, environment });
    expect(fs.existsSync(path.join(claude, "projects", slug, "memory", "project_reviews.md"))).toBe(true);
    fs.writeFileSync(path.join(claude, "settings.json"), JSON.stringify({ autoMemoryDirectory: `${root}/elsewhere` }));
    await cli(["remember", "Lunch is at noon", "--name", "lunch"], { cwd, environment });
    expect(fs.existsSync(`${root}/elsewhere/project_lunch.md`)).toBe(true);
  });

  it("lets user notes follow the person, and recall finds them from any project", async () => {
    const root = scratch();
    const environment = emptyHome(root);
    for (const name of ["one", "two"]) fs.mkdirSync(`${root}/${name}`);
    await cli(["remember", "I write Rust and dislike macros", "--type", "user", "--name", "rust"], {
      cwd: `${root}/one`,
      environment,
    });
    const { out } = await cli(["recall", "explain the macros in this Rust file", "--json"], {
      cwd: `${root}/two`,
      environment,
    });
    expect(JSON.parse(out)).toMatchObject({ selected: [{ file: "user_rust.md", scope: "user" }] });
    expect((await cli(["show", "user:rust"], { cwd: `${root}/two`, environment })).code).toBe(0);
  });

  it("says where the notes of another clone are, and links them on request", async () => {
    const root = scratch();
    const environment = emptyHome(root);
    fs.mkdirSync(`${root}/old/.git`, { recursive: true });
    fs.writeFileSync(`${root}/old/.git/HEAD`, "ref: refs/heads/main\n");
    fs.mkdirSync(`${root}/old/.git/objects`);
    fs.mkdirSync(`${root}/old/.git/refs`);
    fs.writeFileSync(
      `${root}/old/.git/config`,
      '[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = https://example.com/team/orders.git\n',
    );
    await cli(["remember", "Deploys run on Tuesdays", "--name", "deploys"], { cwd: `${root}/old`, environment });
    await cli(["status"], { cwd: `${root}/old`, environment });
    // Whoever may read the repository may read its id.
    expect(fs.statSync(`${root}/old/.git/memdir-id`).mode).toBe(fs.statSync(`${root}/old/.git/HEAD`).mode);
    fs.cpSync(`${root}/old`, `${root}/new`, { recursive: true });
    fs.rmSync(`${root}/new/.git/memdir-id`);
    const status = JSON.parse((await cli(["status", "--json"], { cwd: `${root}/new`, environment })).out);
    expect(status.elsewhere).toMatchObject([{ notes: 1, reason: expect.stringContaining("/old") }]);
    expect(
      await cli(["link", status.elsewhere[0].directory, "--yes"], { cwd: `${root}/new`, environment }),
    ).toMatchObject({ code: 0 });
    expect((await cli(["list"], { cwd: `${root}/new`, environment })).out).toContain("project_deploys.md");
  });
});
