import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesBelow } from "../support/scratch.ts";
import { type FakeModel, startFakeModel } from "./fake-model.ts";
import { howToInstall, installation } from "./installed.ts";
import { openAiChat } from "./openai-chat.ts";
import { runClient } from "./run-client.ts";
import { freePort, startService, type Service } from "./service.ts";
import { CLIENTS, type Ground } from "./table-clients.ts";

const MEMDIR = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const FACT = "Remember that releases are cut on Thursdays.";
const QUESTION = "On which day do we cut the release?";
const CAPTURED_MS = 60_000;

const NODE = process.env["MEMDIR_NODE"] ?? process.execPath;

async function nodeMajor(): Promise<number> {
  const { out } = await runClient({
    command: NODE,
    args: ["-p", "process.versions.node.split('.')[0]"],
    cwd: "/",
    environment: {},
    timeoutMs: 10_000,
  });
  return Number(out);
}

const major = await nodeMajor();

describe.each(CLIENTS)("$title", (client) => {
  const folder = installation(client.folder);
  const alone = client.runsAlone === true;
  const program = path.join(folder ?? "", alone ? "" : "node_modules", client.program);
  const isHere = folder !== undefined && fs.existsSync(program);
  if (!isHere) process.stderr.write(howToInstall(client.folder, client.packageName, alone));
  else if (major < client.minimalNode)
    process.stderr.write(`${client.title} needs Node ${client.minimalNode}, and this is ${major}: set MEMDIR_NODE\n`);

  describe.skipIf(!isHere || major < client.minimalNode)("in an empty home", () => {
    let root: string;
    let model: FakeModel;
    let ground: Ground;
    let before: ReturnType<typeof filesBelow>;
    let service: Service | undefined;

    beforeAll(async () => {
      model = await startFakeModel([openAiChat]);
      root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-clients-"));
      ground = {
        home: path.join(root, "home"),
        project: path.join(root, "project"),
        url: model.url,
        port: await freePort(),
      };
      fs.mkdirSync(ground.project, { recursive: true });
      for (const [name, content] of Object.entries(client.settings(ground))) {
        fs.mkdirSync(path.dirname(path.join(ground.home, name)), { recursive: true });
        fs.writeFileSync(path.join(ground.home, name), JSON.stringify(content, undefined, 2));
      }
      before = filesBelow(ground.home);
    });
    afterAll(async () => {
      await service?.end();
      await model.close();
      fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    });

    const environment = (): Readonly<Record<string, string>> => ({
      HOME: ground.home,
      PATH: `${path.dirname(NODE)}:/usr/bin:/bin`,
      ...client.environment(ground),
    });
    const run = async (command: string, args: readonly string[]): Promise<string> => {
      const { code, out, err } = await runClient({
        command,
        args,
        cwd: ground.project,
        environment: environment(),
        timeoutMs: 140_000,
      });
      expect([code, err.slice(-2000)]).toEqual([0, expect.anything()]);
      return out;
    };
    const memdir = (...args: readonly string[]): Promise<string> => run(NODE, [MEMDIR, ...args]);
    const tell = (args: readonly string[]): Promise<string> =>
      alone ? run(program, args) : run(NODE, [program, ...args]);
    const say = async (prompt: string, session: string): Promise<string> => {
      if (client.service !== undefined)
        service ??= await startService(
          [NODE, program, ...client.service(ground)],
          ground.project,
          environment(),
          ground.port,
        );
      return tell(client.args(prompt, session));
    };
    const notes = (): readonly string[] =>
      [...filesBelow(ground.home).keys()].filter(
        (name) => /\.memdir\/(?:projects|user)\/.*\.md$/u.test(name) && !name.endsWith("MEMORY.md"),
      );

    it("install: one command, and a second one changes nothing", async () => {
      expect(await memdir("install", client.name, "--yes")).toContain("installed");
      expect(await memdir("install", client.name, "--yes")).toContain("already installed");
      if (client.choose !== undefined) await tell(client.choose);
    });

    it("capture: a wish said in one session is a note when its turn has ended, and one only", async () => {
      await say(FACT, "one");
      await expect.poll(() => notes().length, { timeout: CAPTURED_MS, interval: 200 }).toBe(1);
    });

    it("recall: the next session is given it, once in the request", async () => {
      const sent = model.asked.length;
      await say(QUESTION, "two");
      const asked = model.asked.slice(sent).map(({ body }) => JSON.stringify(body));
      const first = asked.find((body) => body.includes(QUESTION)) ?? "";
      expect(first.split("## releases-are-cut-on-thursdays").length - 1).toBe(1);
      expect(first.replaceAll("&lt;", "<")).toContain("<memdir-context source=");
    });

    it("nothing twice: what was recalled is not captured again", async () => {
      await memdir("capture", "--pending");
      expect(notes()).toHaveLength(1);
    });

    it("uninstall: the client's settings are as they were, and the note stays", async () => {
      expect((await service?.end()) ?? 0).toBe(0);
      await memdir("uninstall", client.name, "--yes");
      if (client.leave !== undefined) await tell(client.leave);
      const after = filesBelow(ground.home);
      const there = [...after].filter(([name]) => !name.startsWith(".memdir/") && SETTINGS.test(name));
      for (const [name, bytes] of there) expect(OWN.test(bytes.toString("utf8")), name).toBe(false);
      const kept = client.rewritesSettings === true ? [] : [...before];
      for (const [name, bytes] of kept) expect(withoutStamps(after.get(name)), name).toEqual(withoutStamps(bytes));
      expect(notes()).toHaveLength(1);
    });
  });
});

/** What memdir writes into a client's settings. */
const OWN = /memdir\.cjs|hook\.cjs|"memdir"|: memdir|plugins\/openclaw|written by memdir/u;
/** Files that a client starts from, not what it writes down of sessions. */
const SETTINGS = /(?:settings|openclaw|models)\.json$|config\.yaml$|extensions\/|\.hermes\/plugins\//u;

/** OpenClaw notes in its settings when it touched them. */
function withoutStamps(bytes: Buffer | undefined): unknown {
  const value: unknown = JSON.parse(bytes?.toString("utf8") ?? "null");
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== "meta"))
    : value;
}
