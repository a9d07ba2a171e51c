import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyHome, homeOf } from "../support/cli.ts";
import { filesBelow, scratch } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));

let root: string;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  root = scratch();
  environment = emptyHome(root);
});

function memdir(args: readonly string[], input = ""): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: root,
    env: environment,
    input,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

describe("the built command", () => {
  it("does the main job on the shipped session, with no key, no network and nothing left in HOME", () => {
    const { code, out } = memdir(["demo", "--json", "--keep"]);
    expect(code).toBe(0);
    const { notes, refused, context, asked, recall, directory } = JSON.parse(out);
    try {
      expect(notes.map(({ file }: { file: string }) => file).toSorted()).toEqual([
        "feedback_we_moved_from_npm_to_pnpm_last_week.md",
        "reference_the_latency_board_oncall_watches.md",
        "user_im_the_only_backend_person_on_this_team.md",
      ]);
      expect(refused.map(({ reason }: { reason: string }) => reason)).toEqual(["secret"]);
      expect(context[0].text).toContain("](");
      // What no rule was sure of is asked: nothing that a person wanted kept is lost.
      for (const words of ["mock", "bundled PR", "merge freeze", "INGEST"]) expect(asked).toContain(words);
      expect(recall.text).toContain("grafana.internal/d/api-latency");
      for (const [name, content] of filesBelow(directory))
        expect(/gh[p]_[A-Za-z0-9]{20}/u.test(content.toString()), name).toBe(false);
      expect(fs.existsSync(`${root}/home`)).toBe(false);
    } finally {
      fs.rmSync(directory.replace(/\/memory$/u, ""), { recursive: true, force: true });
    }
  });

  it("answers recall from the short path exactly as the full command line does", () => {
    memdir(
      ["remember", "--type", "project", "--name", "database-tests", "--dir", "notes"],
      "Integration tests use the postgres test container, never a mocked database.",
    );
    const short = memdir(["recall", "integration tests database", "--dir", "notes"]);
    const full = memdir(["recall", "integration tests database", "--dir=notes", "--"]);
    expect(short).toMatchObject({ code: 0, err: "" });
    expect(short.out).toContain("postgres test container");
    expect(short.out).toBe(full.out);
    expect(memdir(["recall", "", "--dir", "notes"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("recall needs a prompt"),
    });
    expect(JSON.parse(memdir(["recall", "--json", "integration tests database", "--dir", "notes"]).out)).toMatchObject({
      selected: [{ file: "project_database_tests.md" }],
    });
  });

  it("finds a note that another program wrote a moment ago", () => {
    memdir(["remember", "--name", "first", "--dir", "notes"], "Deploys run on Tuesdays.");
    fs.writeFileSync(
      `${root}/notes/by_hand.md`,
      "---\nname: coffee\ndescription: The espresso machine needs descaling monthly\nmetadata:\n  type: reference\n---\n\nCitric acid works.\n",
    );
    expect(memdir(["recall", "descaling the espresso machine", "--dir", "notes"]).out).toContain("Citric acid works.");
  });

  it("finds notes in many languages", () => {
    const notes: readonly (readonly [string, string, string])[] = [
      ["zh", "集成测试必须使用真实数据库，不要模拟。", "编写数据库的集成测试"],
      ["ja", "デプロイは火曜日に行います。", "次のデプロイはいつですか"],
      ["ko", "배포는 화요일에 진행합니다.", "배포 일정 알려줘"],
      ["de", "Die Datenbanktests laufen gegen einen Container.", "Wie laufen die Datenbanktests?"],
      ["ar", "قاعدة البيانات تعمل على المنفذ الجديد.", "ما هو منفذ قاعدة البيانات؟"],
      ["emoji", "The 🚀 channel announces launches.", "what goes to 🚀"],
    ];
    for (const [name, text] of notes)
      memdir(["remember", "--type", "project", "--name", `note ${name}`, "--dir", "notes"], text);
    for (const [name, text, prompt] of notes) {
      const { ranked } = JSON.parse(memdir(["recall", "--json", prompt, "--dir", "notes"]).out);
      expect(ranked[0]?.file, `${prompt} → ${text}`).toBe(`project_note_${name}.md`);
    }
  });

  it("ends quietly when the reader of its output goes away", async () => {
    fs.mkdirSync(`${root}/notes`);
    for (let i = 0; i < 300; i++)
      fs.writeFileSync(
        `${root}/notes/project_n${i}.md`,
        `---\nname: n${i}\ndescription: Note number ${i} ${"words ".repeat(40)}\n---\n\nText.\n`,
      );
    const child = spawn("sh", ["-c", `"$0" "$1" list --json --dir notes | head -c 10`, process.execPath, COMMAND], {
      cwd: root,
      env: environment,
    });
    let err = "";
    child.stderr.on("data", (part: Buffer) => (err += part.toString()));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it.each(["list", "audit", "history", "log --days 100", "search needle", "recall needle --explain"])(
    "ends quietly when the reader of `%s` has one line of much",
    (command) => {
      for (let i = 0; i < 300; i++) {
        fs.mkdirSync(`${homeOf(root)}/.memdir/user/memory/2026/11`, { recursive: true });
        fs.appendFileSync(
          `${homeOf(root)}/.memdir/user/memory/2026/11/2026-11-20.md`,
          `- 09:00:00 +00:00\n  needle ${i} ${"words ".repeat(60)}\n`,
        );
        fs.writeFileSync(
          `${homeOf(root)}/.memdir/user/memory/user_n${i}.md`,
          `---\nname: n${i}\ndescription: needle ${i} ${"words ".repeat(40)}\ntype: user\n---\n\nneedle.\n`,
        );
      }
      const { stdout, stderr } = spawnSync(
        "sh",
        ["-c", `{ "$0" "$1" ${command}; echo "code $?" >&3; } 3>&2 | head -n 1 >/dev/null`, process.execPath, COMMAND],
        { cwd: root, env: environment, encoding: "utf8" },
      );
      expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "code 0\n" });
    },
  );

  it.each([
    [/what it had done by then is complete and stays/u, ["capture", "--all", "--yes"]],
    [/no note was changed|the dream of project is done and stays/u, ["dream", "--apply"]],
    [/nothing was imported|what was imported by then stays/u, ["import", "claude-code", "old", "--yes"]],
    [/nothing was changed/u, ["search", "nowhere"]],
  ])(
    "at Ctrl-C it says %s, exits with 130, and nothing is half done: `%j`",
    async (says, args) => {
      fs.mkdirSync(`${root}/old`);
      for (let i = 0; i < 1500; i++)
        fs.writeFileSync(
          `${root}/old/project_n${i}.md`,
          `---\nname: n${i}\ndescription: Note number ${i}\ntype: project\n---\n\nText of ${i}, ${"words ".repeat(i % 600)}.\n`,
        );
      const sessions = `${homeOf(root)}/.claude/projects/${fs.realpathSync(root).replace(/[^A-Za-z0-9]/gu, "-")}`;
      fs.cpSync(`${root}/old`, `${sessions}/memory`, { recursive: true });
      const line = JSON.stringify({
        type: "user",
        uuid: "m1",
        sessionId: "s1",
        cwd: root,
        timestamp: "2026-03-02T09:00:00Z",
        promptSource: "typed",
        message: { role: "user", content: "From now on always squash merges." },
      });
      for (let i = 0; i < 60; i++)
        fs.writeFileSync(`${sessions}/s${i}.jsonl`, `${Array.from({ length: 40 }, () => line).join("\n")}\n`);
      let said = "";
      const interrupted = async (afterMs: number): Promise<unknown> => {
        said = "";
        const child = spawn(process.execPath, [COMMAND, ...args], {
          cwd: root,
          env: environment,
          stdio: ["ignore", "ignore", "pipe"],
        });
        child.stderr.on("data", (part: Buffer) => (said += part.toString()));
        let stoppedAt = Infinity;
        const timer = setTimeout(() => {
          stoppedAt = Date.now();
          child.kill("SIGINT");
        }, afterMs);
        const code = await new Promise((resolve) => child.on("close", resolve));
        clearTimeout(timer);
        // It is heard between two pieces of the work, not at its end; on a busy machine a piece takes seconds.
        expect(Date.now() - stoppedAt).toBeLessThan(30_000);
        return code;
      };
      // A fast machine may be done before it is stopped.
      const codes = [await interrupted(600)];
      for (const afterMs of [400, 250, 120]) if (codes.at(-1) === 0) codes.push(await interrupted(afterMs));
      expect(codes.at(-1), String(codes)).toBe(130);
      expect(said).toContain("memdir: interrupted; ");
      expect(said).toMatch(says);
      expect(
        spawnSync(process.execPath, [COMMAND, "doctor"], { cwd: root, env: environment, encoding: "utf8" }),
      ).toMatchObject({ status: 0, stdout: expect.stringContaining("memdir works here") });
    },
    120_000,
  );

  it("stops at Ctrl-C with exit code 130", async () => {
    const child = spawn(process.execPath, [COMMAND, "remember", "--dir", "notes"], {
      cwd: root,
      env: environment,
      stdio: ["pipe", "ignore", "ignore"],
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130);
  });

  it.skipIf(process.platform === "win32")(
    "saves no half of a text where Ctrl-C ends the program that writes it",
    async () => {
      for (let run = 0; run < 6; run++) {
        const child = spawn(
          "sh",
          ["-c", `(printf 'half of a '; exec sleep 20) | "$0" "$1" remember - --dir notes`, process.execPath, COMMAND],
          {
            cwd: root,
            env: environment,
            stdio: "ignore",
            detached: true,
          },
        );
        await new Promise((resolve) => setTimeout(resolve, 500 + 20 * run));
        process.kill(-(child.pid ?? 0), "SIGINT");
        await new Promise((resolve) => child.on("close", resolve));
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(memdir(["list", "--dir", "notes"]).out).not.toMatch(/half of a/iu);
    },
  );

  // Permissions do not stop the administrator, who can become somebody whom they do.
  it.skipIf(process.getuid?.() !== 0)(
    "fails doctor for a user who may read the notes and not save any, or may not make the first",
    () => {
      const nobody = { uid: 65534, gid: 65534, cwd: root, env: environment, encoding: "utf8" } as const;
      const doctor = (): { readonly status: number | null; readonly stdout: string } =>
        spawnSync(process.execPath, [COMMAND, "doctor", "--dir", `${root}/notes`], nobody);
      fs.chmodSync(root, 0o755);
      fs.mkdirSync(`${root}/home`, { mode: 0o755 });
      expect(doctor()).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(
          /✗ project: saving: notes cannot be saved:[^✗]*is not\s+writable\s+for\s+this\s+user/u,
        ),
      });
      memdir(["remember", "The importer reads CSV.", "--dir", "notes"]);
      spawnSync("chmod", ["-R", "a+rX", root]);
      expect(doctor()).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(
          /✗ project: saving: notes can be read but not saved:[^✗]*notes\s+is\s+not\s+writable\s+for\s+this\s+user/u,
        ),
      });
      spawnSync("chmod", ["-R", "a+rwX", root]);
      for (const store of fs.readdirSync(`${homeOf(root)}/.memdir/stores`))
        fs.chmodSync(`${homeOf(root)}/.memdir/stores/${store}/lock.db`, 0o644);
      expect(doctor()).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(/✗ project: saving:[^✗]*lock\.db\s+is\s+not\s+writable\s+for\s+this\s+user/u),
      });
      spawnSync("chmod", ["-R", "a+rwX", root]);
      expect(doctor()).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("✓ project: saving: notes can be saved"),
      });
    },
  );

  it("says in one line what is wrong with a place it cannot use", () => {
    fs.writeFileSync(`${root}/file`, "not a directory");
    const { code, err } = memdir(["remember", "x y z", "--dir", "file/notes"]);
    expect(code).not.toBe(0);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toContain("file/notes");
    // A directory that refuses every child, to root too; Node's recursive mkdir never returns from it.
    expect(memdir(["remember", "x y z", "--dir", "/proc/notes"])).toMatchObject({
      code: 6,
      err: expect.stringContaining("choose another place"),
    });
    expect(memdir(["capture", "missing.jsonl"])).toMatchObject({
      code: 3,
      err: expect.stringContaining("missing.jsonl"),
    });
    expect(memdir(["capture", "file"])).toMatchObject({ code: 1, err: expect.stringContaining("not a transcript of") });
  });
});

describe("standard input", () => {
  it("that is not UTF-8 is refused and nothing is written, whatever command reads it", () => {
    const latin = (args: readonly string[]): { readonly status: number | null; readonly stderr: string } =>
      spawnSync(process.execPath, [COMMAND, ...args, "--dir", "notes"], {
        cwd: root,
        env: environment,
        input: Buffer.from("The caf\u00e9 is closed on Mondays.", "latin1"),
        encoding: "utf8",
      });
    memdir(["remember", "--name", "cafe", "--dir", "notes"], "The café is open on Mondays.");
    for (const args of [["remember"], ["remember", "-"], ["edit", "cafe", "--body", "-"], ["recall", "-"]])
      expect(latin(args)).toMatchObject({ status: 4, stderr: expect.stringContaining("not UTF-8") });
    expect(memdir(["list", "--json", "--dir", "notes"]).out).not.toContain("\uFFFD");
    expect(memdir(["show", "cafe", "--dir", "notes"]).out).toContain("The café is open on Mondays.");
  });
});
