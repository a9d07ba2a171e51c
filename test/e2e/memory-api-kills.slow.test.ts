import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Anthropic, { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { homeOf } from "../support/cli.ts";
import { whereIs } from "../support/every-byte.ts";
import { startMemdirServer } from "../support/memdir-server.ts";
import { person } from "../support/person.ts";
import { postgresCluster, postgresPrograms } from "../support/postgres-cluster.ts";
import { scratch } from "../support/scratch.ts";
import { noteSaying } from "../support/sync-device.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const [CLIENTS, DEVICES, KILLS] = [10, 5, 2];
/** Writes of applications before each kill of the server. */
const WRITES = 20;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

interface Acknowledged {
  readonly memory: string;
  readonly line: string;
  readonly hash: string;
}

/** An application that appends a line of its own to what it reads, only to what it has read, until the server is gone. */
async function append(url: string, key: string, store: string, who: number, done: Acknowledged[]): Promise<void> {
  const { memories } = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 }).beta.memoryStores;
  const at = { memory_store_id: store };
  const { data } = await memories.list(store);
  const shared = data.flatMap((one) =>
    one.type === "memory" && one.path.startsWith("/project_shared") ? [one.id] : [],
  );
  for (let turn = 0; ; turn++) {
    const seen = await memories.retrieve(shared[(who + turn) % shared.length] ?? "", at);
    const line = `tk-${who}-${done.length}-${turn}-end`;
    const content = `${seen.content ?? ""}\n${line}\n`;
    const precondition = { type: "content_sha256" as const, content_sha256: seen.content_sha256 };
    try {
      const written = await memories.update(seen.id, { ...at, content, precondition });
      done.push({ memory: seen.id, line, hash: written.content_sha256 });
    } catch (error) {
      if (!(error instanceof APIError) || error.status !== 409) throw error;
    }
  }
}

/** A device: its commands run as processes and are killed at times; what it was told is saved must arrive. */
function device(key: string) {
  const { root, cwd, environment, memdir } = person();
  const env = { ...environment, ANTHROPIC_API_KEY: key };
  const run = (args: readonly string[], killAfter?: number): Promise<number | null> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env, stdio: "ignore" });
      const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
      child.once("close", (code) => {
        clearTimeout(timer);
        resolve(code);
      });
    });
  return {
    run,
    directory: `${homeOf(root)}/.memdir/user/memory`,
    memdir: (args: string[]) => memdir(args, { environment: env }),
  };
}

type Device = ReturnType<typeof device>;

async function live({ run, directory }: Device, who: number, isOver: () => boolean, said: string[]): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const line = `tk-device-${who}-${said.length}-${turn}-end`;
    const shared = path.join(directory, `project_shared_${turn % 3}.md`);
    if (turn % 3 === 2 && fs.existsSync(shared)) {
      fs.appendFileSync(shared, `\n${line}\n`);
      said.push(line);
    } else if (
      (await run(["remember", `The shelf ${line} belongs to device ${who}`, "--scope", "user", "--force"])) === 0
    )
      said.push(line);
    // One run in two is killed somewhere on its way.
    await run(["sync", "now"], turn % 2 === 0 ? 120 + 60 * (turn % 7) : undefined);
  }
}

const programs = postgresPrograms();

for (const kind of ["the embedded database", "a PostgreSQL server"])
  it.skipIf(kind === "a PostgreSQL server" && programs === undefined)(
    `ten applications and five devices lose no acknowledged write while server and devices are killed, on ${kind}`,
    { timeout: 400_000 },
    async () => {
      const data = path.join(scratch(), "data");
      const options = ["--writes-per-minute", "100000"];
      if (kind === "a PostgreSQL server") options.push("--database", await postgresCluster(programs ?? ""));
      const first = await startMemdirServer(data, ...options);
      const key = first.token ?? "";
      const port = new URL(first.url).port;
      const setUp = new Anthropic({ baseURL: first.url, apiKey: key, maxRetries: 0 }).beta.memoryStores;
      const { id: store } = await setUp.create({ name: "Shop" });
      for (const n of [0, 1, 2])
        await setUp.memories.create(store, { path: `/project_shared_${n}.md`, content: noteSaying(`shared ${n}`) });
      const devices = Array.from({ length: DEVICES }, () => device(key));
      for (const { memdir } of devices) {
        const remote = `anthropic:${store}@${first.url}`;
        expect(
          await memdir(["sync", "setup", "--remote", remote, "--scope", "user", "--manual", "--yes"]),
        ).toMatchObject({
          code: 0,
        });
      }

      const [acknowledged, said]: [Acknowledged[], string[]] = [[], []];
      let isOver = false;
      const living = devices.map((one, who) => live(one, who, () => isOver, said));
      let server = first;
      for (let round = 0; round <= KILLS; round++) {
        const cut: unknown[] = [];
        const applications = Array.from({ length: CLIENTS }, (_, who) =>
          append(first.url, key, store, who, acknowledged).catch((error: unknown) => cut.push(error)),
        );
        await expect.poll(() => acknowledged.length, { timeout: 100_000 }).toBeGreaterThan(WRITES * (round + 1));
        await server.end("SIGKILL");
        await Promise.all(applications);
        expect(cut.filter((error) => !(error instanceof APIConnectionError))).toEqual([]);
        server = await startMemdirServer(data, ...options, "--port", port);
      }
      isOver = true;
      await Promise.all(living);
      for (const { run } of [...devices, ...devices]) expect([0, 1]).toContain(await run(["sync", "now"]));
      for (const { run } of devices) expect(await run(["sync", "now"])).toBe(0);

      const { memories, memoryVersions } = new Anthropic({ baseURL: server.url, apiKey: key }).beta.memoryStores;
      const hashes = new Set<string>();
      for await (const { content } of memoryVersions.list(store, { view: "full" })) hashes.add(hashOf(content ?? ""));
      expect(acknowledged.length).toBeGreaterThan(20);
      expect(acknowledged.filter(({ hash }) => !hashes.has(hash))).toEqual([]);
      const texts = new Map<string, string>();
      for await (const item of memories.list(store, { view: "full" }))
        if (item.type === "memory") texts.set(item.id, item.content ?? "");
      expect(acknowledged.filter(({ memory, line }) => texts.get(memory)?.includes(line) !== true)).toEqual([]);
      expect(said.length).toBeGreaterThan(5);
      const everything = [...texts.values()].join("\n");
      expect(said.filter((line) => !everything.includes(line))).toEqual([]);

      // What is redacted is in no file once the server has stopped, however often it was killed before. What an
      // administrator does on a PostgreSQL server for the same is tested where such servers are.
      if (kind !== "the embedded database") return;
      const at = { memory_store_id: store };
      const made = await memories.create(store, { path: "/project_gone.md", content: noteSaying("the quokka-ledger") });
      expect(whereIs("quokka-ledger", data)).not.toEqual([]);
      await memories.update(made.id, { ...at, content: noteSaying("nothing") });
      await memoryVersions.redact(made.memory_version_id, at);
      expect(await server.end()).toBe(0);
      expect(whereIs("quokka-ledger", data)).toEqual([]);
    },
  );
