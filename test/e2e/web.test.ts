import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRecord, parseJson } from "../../src/core/shared/json.ts";
import { emptyHome, homeOf } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";
import { request, writeNote } from "../surfaces/web/served.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const WAIT_MS = 60_000;

let root: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  root = scratch();
  for (const port of [8080, 9090])
    writeNote(
      `${root}/notes`,
      `project_port_${port}.md`,
      `The billing service listens on port ${port}`,
      `The billing service listens on port ${port}.`,
    );
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** The built command, and the link that it prints. */
async function start(): Promise<{ readonly child: ChildProcess; readonly port: number; readonly code: string }> {
  const child = spawn(
    process.execPath,
    [COMMAND, "web", "--no-open", "--port", "0", "--json", "--dir", `${root}/notes`],
    {
      cwd: root,
      env: { ...emptyHome(root) },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  started.push(child);
  let said = "";
  child.stdout.on("data", (part: Buffer) => (said += part.toString("utf8")));
  await until(() => said.includes("\n"));
  const value = parseJson(said);
  const { port, hash } = new URL(isRecord(value) ? String(value["url"]) : "");
  return { child, port: Number(port), code: hash.replace("#code=", "") };
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error("it took too long");
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function tokenFor({ port, code }: { readonly port: number; readonly code: string }): Promise<string> {
  const { json } = await request(port, "POST", "/api/session", { code });
  return isRecord(json) ? String(json["token"]) : "";
}

describe("memdir web, as it is built", { timeout: 2 * WAIT_MS }, () => {
  it("prints a link whose code opens the notes, compares them in a process of its own, and ends at Ctrl-C", async () => {
    const page = await start();
    const authorization = `Bearer ${await tokenFor(page)}`;
    const ask = (method: string, path: string, body?: object) =>
      request(page.port, method, `/api/${path}`, body, { authorization });
    expect((await ask("GET", "notes")).json).toMatchObject({ notes: [{ scope: "project" }, { scope: "project" }] });
    await ask("POST", "jobs", { job: "conflicts", do: "start" });
    await until(async () => {
      const { json } = await ask("GET", "conflicts");
      return isRecord(json) && json["state"] !== "working";
    });
    expect((await ask("GET", "conflicts")).json).toMatchObject({
      state: "ready",
      stale: false,
      result: { conflicts: [{ newer: { id: expect.any(String) } }] },
    });
    const ended = new Promise<number | null>((done) => page.child.once("exit", done));
    page.child.kill("SIGINT");
    expect(await ended).toBe(0);
    await expect(request(page.port, "GET", "/")).rejects.toThrow("ECONNREFUSED");
    expect(fs.existsSync(`${homeOf(root)}/.memdir/web`)).toBe(false);
  });

  it("runs twice beside itself, and neither takes the other's token or origin", async () => {
    const [one, other] = [await start(), await start()];
    const [first, second] = [await tokenFor(one), await tokenFor(other)];
    const status = async (port: number, headers: Readonly<Record<string, string>>): Promise<number> =>
      (await request(port, "GET", "/api/state", undefined, headers)).status;
    expect(await status(one.port, { authorization: `Bearer ${first}` })).toBe(200);
    expect(await status(other.port, { authorization: `Bearer ${second}` })).toBe(200);
    expect(await status(other.port, { authorization: `Bearer ${first}` })).toBe(401);
    const origin = `http://127.0.0.1:${one.port}`;
    expect(await status(other.port, { authorization: `Bearer ${second}`, origin })).toBe(403);
  });
});
