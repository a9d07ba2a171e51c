import { spawn } from "node:child_process";
import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { dayOfId, type LogEntry, logFile, parseDailyLog } from "../../src/core/notes/daily-log.ts";
import { emptyHome, homeOf } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const LIBRARY = new URL("../../dist/index.js", import.meta.url).href;
let root: string;
const project = (): string => `${homeOf(root)}/Jané Döe/the shop`;

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${project()}/.git`, { recursive: true });
});

/** A process that appends entries and says which were acknowledged; resolves when it has ended. */
function writer(
  name: string,
  count: number,
): { readonly acknowledged: string[]; readonly pid: number; readonly ended: Promise<number | null> } {
  const program = `
    import { openMemory } from ${JSON.stringify(LIBRARY)};
    const memory = openMemory({ cwd: process.cwd() });
    for (let number = 0; number < ${count}; number++) {
      const said = "${name} says number " + number + ".\\n\\nIn two paragraphs of " + "words ".repeat(number % 40) + "end";
      // On a machine that is busy enough a writer may wait its ten seconds in vain: it is told so, and tries again.
      for (let done = false; !done; ) {
        try {
          const { outcome } = await memory.log.append(said);
          if (outcome !== "added") throw new Error(outcome);
          done = true;
        } catch (error) {
          if (error.code !== "locked") throw error;
        }
      }
      process.stdout.write("${name} " + number + "\\n");
    }
    memory.close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: project(),
    env: { ...emptyHome(root), TZ: "UTC" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: string[] = [];
  let rest = "";
  child.stdout.on("data", (data: Buffer) => {
    const lines = (rest + data.toString()).split("\n");
    rest = lines.pop() ?? "";
    acknowledged.push(...lines);
  });
  return {
    acknowledged,
    pid: child.pid ?? 0,
    ended: new Promise((resolve) => child.on("close", (code) => resolve(code))),
  };
}

/** Every entry of every day: the test may run at midnight. */
function entries(): readonly LogEntry[] {
  const store = `${homeOf(root)}/.memdir/user/memory`;
  return fs.readdirSync(store, { recursive: true, encoding: "utf8" }).flatMap((file) => {
    const day = dayOfId(`${file}#1`);
    return day === undefined ? [] : parseDailyLog(day, fs.readFileSync(`${store}/${logFile(day)}`, "utf8"));
  });
}

const WHOLE = /^(\w+) says number (\d+)\.\n\nIn two paragraphs of (?:words )*end$/u;

/** `name number` of each entry, all of which must be whole. */
function said(): readonly string[] {
  return entries().map(({ text }) => {
    const [, name, number] = WHOLE.exec(text) ?? [];
    if (name === undefined || number === undefined) throw new Error(`torn: ${text}`);
    expect(text.split("words ").length - 1).toBe(Number(number) % 40);
    return `${name} ${number}`;
  });
}

describe("a day's log", () => {
  it(
    "keeps all 240 entries of four processes that append at once, whole and each in its writer's order",
    { timeout: 240_000 },
    async () => {
      const writers = ["ann", "bob", "jane", "dev"].map((name) => writer(name, 60));
      expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
      const found = said();
      expect(found).toHaveLength(240);
      for (const name of ["ann", "bob", "jane", "dev"])
        expect(found.filter((one) => one.startsWith(`${name} `))).toEqual(
          Array.from({ length: 60 }, (_, number) => `${name} ${number}`),
        );
    },
  );

  it(
    "loses nothing that was acknowledged, and holds nothing torn, when writers are killed at any moment",
    { timeout: 240_000 },
    async () => {
      const acknowledged: string[] = [];
      for (let round = 0; round < 12; round++) {
        const one = writer(`killed${round}`, 5_000);
        const patience = Date.now() + 20_000;
        while (one.acknowledged.length < 3 && Date.now() < patience) await delay(5);
        await delay(round * 3);
        process.kill(one.pid, "SIGKILL");
        await one.ended;
        expect(one.acknowledged.length).toBeGreaterThanOrEqual(3);
        acknowledged.push(...one.acknowledged);
      }
      const last = writer("last", 1);
      expect(await last.ended).toBe(0);
      const found = new Set(said());
      expect(acknowledged.filter((one) => !found.has(one))).toEqual([]);
      expect(found.has("last 0")).toBe(true);
    },
  );
});
