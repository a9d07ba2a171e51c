import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { runCaptureWorker } from "../../../src/app/background/capture-worker.ts";
import { cli, type CliResult, emptyHome, homeOf } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const TURNS = [
  { role: "user", text: "Remember that releases are cut on Thursdays." },
  { role: "assistant", text: "Understood." },
];

let root: string;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  root = scratch();
  environment = emptyHome(root);
});

const capture = (input: unknown, ...more: readonly string[]): Promise<CliResult> =>
  cli(["capture", "--turn", "-", "--wait", "--dir", `${root}/notes`, ...more], {
    cwd: root,
    environment,
    input: typeof input === "string" ? input : JSON.stringify(input),
  });

/** What the worker does, which is not started here: somebody else's mark says that one is at work. */
const waiting = (): readonly string[] => below("captures/turns");
const below = (folder: string): readonly string[] => {
  const directory = `${homeOf(root)}/.memdir/${folder}`;
  return fs.existsSync(directory) ? fs.readdirSync(directory) : [];
};
const notes = (): readonly string[] =>
  fs.existsSync(`${root}/notes`) ? fs.readdirSync(`${root}/notes`).filter((name) => name !== "MEMORY.md") : [];
const queue = async (input: unknown): Promise<CliResult> => {
  fs.mkdirSync(`${homeOf(root)}/.memdir/captures`, { recursive: true });
  fs.writeFileSync(`${homeOf(root)}/.memdir/captures/worker`, String(process.pid));
  return cli(["capture", "--turn", "-", "--json"], {
    cwd: root,
    environment: { ...environment, MEMDIR_DIR: `${root}/notes` },
    input: JSON.stringify(input),
  });
};
const work = (): ReturnType<typeof runCaptureWorker> =>
  runCaptureWorker(
    { memdirHome: `${homeOf(root)}/.memdir`, environment },
    { bounds: { jobMs: 20_000, totalMs: 60_000 } },
  );

describe("memdir capture --turn -", () => {
  it("leaves the turn for the worker, which captures it once and removes the file", async () => {
    expect(JSON.parse((await queue({ agent: "hermes", session: "chat-1", turns: TURNS })).out)).toEqual({
      queued: true,
      turns: 2,
    });
    expect([waiting().length, notes()]).toEqual([1, []]);
    expect(await work()).toMatchObject({ sessions: 1, notes: 1 });
    expect([waiting(), below("captures/jobs"), notes().length]).toEqual([[], [], 1]);
    expect(fs.readFileSync(`${root}/notes/${notes()[0]}`, "utf8")).toContain("chat-1");
  });

  it("keeps every turn of a session that is handed over before the worker comes to it", async () => {
    await queue({ session: "chat-1", turns: TURNS });
    await queue({
      session: "chat-1",
      turns: [{ role: "user", text: "Remember that the staging host is called heron." }],
    });
    await queue({ session: "chat-1", turns: TURNS });
    expect(waiting()).toHaveLength(2);
    expect(await work()).toMatchObject({ sessions: 2, notes: 2 });
    expect([waiting(), notes().length]).toEqual([[], 2]);
  });

  it("writes no secret down while the turn waits", async () => {
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    const toolCalls = [{ id: "1", name: "Write", input: { content: [secret] } }];
    const turns = [
      { role: "user", text: `Remember that the token is ${secret}.` },
      { role: "assistant", text: "No.", toolCalls },
    ];
    await queue({ session: "chat-1", turns, toolTexts: [`it printed ${secret}`] });
    const [file] = waiting();
    const text = fs.readFileSync(`${homeOf(root)}/.memdir/captures/turns/${file}`, "utf8");
    expect([text.includes(secret), text.split("[secret]").length - 1]).toEqual([false, 3]);
    expect(await work()).toMatchObject({ notes: 0, refused: 1 });
    expect([waiting(), notes()]).toEqual([[], []]);
  });

  it("leaves nothing where the mode keeps automatic capture out", async () => {
    for (const mode of ["manual", "recall-only", "off"]) {
      environment = { ...environment, MEMDIR_MODE: mode };
      expect((await queue({ session: "s", turns: TURNS })).out).not.toContain('"queued": true');
    }
    expect([waiting(), below("captures/jobs")]).toEqual([[], []]);
  });

  it("saves what the person of a program asked to remember, with its evidence, and once", async () => {
    const { code, out } = await capture({ agent: "hermes", session: "chat-1", turns: TURNS }, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      turns: 2,
      notes: [{ evidence: { session: "chat-1", message: expect.stringMatching(/^m0-/u) } }],
    });
    const again = await capture({ agent: "hermes", session: "chat-1", turns: TURNS }, "--json");
    expect(JSON.parse(again.out)).toMatchObject({ notes: [] });
    expect(fs.readdirSync(`${root}/notes`).filter((name) => name !== "MEMORY.md")).toHaveLength(1);
  });

  it("takes nothing that memory itself put into a turn, escaped or not", async () => {
    const recalled = 'memdir-context source="recall"';
    const said = "Remember that releases are cut on Thursdays.";
    const text = `<${recalled}>\n${said}\n</memdir-context>\n&lt;${recalled}&gt;\n${said}\n&lt;/memdir-context&gt;\nGo on.`;
    const { out } = await capture({ session: "chat-1", turns: [{ role: "user", text }] }, "--json");
    expect(JSON.parse(out)).toMatchObject({ notes: [], queued: [] });
  });

  it("does what the mode says of automatic capture", async () => {
    environment = { ...environment, MEMDIR_MODE: "manual" };
    expect((await capture({ session: "chat-1", turns: TURNS })).code).toBe(0);
    expect(fs.existsSync(`${root}/notes`)).toBe(false);
  });

  it.each([
    ["", "it is not one JSON object"],
    ["[]", "it is not one JSON object"],
    [{ turns: TURNS }, "`session` is missing"],
    [{ session: "s" }, "`turns` is not a list"],
    [{ session: "s", turns: [TURNS[0], { role: "tool", text: "" }] }, "`turns[1].role` is neither"],
    [{ session: "s", turns: [{ role: "user" }] }, "`turns[0].text` is not a text"],
    [{ session: "s", turns: [{ role: "user", text: "a", time: 7 }] }, "`turns[0].time` is not a text"],
    [{ session: "s", turns: TURNS, toolTexts: [1] }, "`toolTexts` is not a list of texts"],
  ])("names the field that is wrong: %j", async (input, problem) => {
    const { code, err } = await capture(input);
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });

  it("stands alone", async () => {
    expect(await capture({ session: "s", turns: TURNS }, "--all")).toMatchObject({ code: 2 });
  });
});

describe("a transcript of a form that memdir does not know", () => {
  const qwen = (type: string, text: string): string =>
    JSON.stringify({ sessionId: "s", type, message: { role: type, parts: [{ text }] } });

  it.each([
    ["of a client that writes its messages otherwise", [qwen("user", "Remember that releases are cut on Thursdays.")]],
    ["of objects that nobody knows", ['{"speaker":"ada","words":"Remember that releases are cut on Thursdays."}']],
  ])("is no session without wishes: one %s", async (_, lines) => {
    fs.writeFileSync(`${root}/chat.jsonl`, `${lines.join("\n")}\n`);
    const { code, out, err } = await cli(["capture", `${root}/chat.jsonl`, "--dry-run", "--dir", "notes"], {
      cwd: root,
      environment,
    });
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain("chat.jsonl is not a transcript of");
  });

  it("is told from one of a known client in which nobody has spoken yet", async () => {
    fs.writeFileSync(`${root}/chat.jsonl`, '{"type":"summary","sessionId":"s","summary":"x"}\n');
    const { code } = await cli(["capture", `${root}/chat.jsonl`, "--dir", "notes"], { cwd: root, environment });
    expect(code).toBe(0);
  });
});
