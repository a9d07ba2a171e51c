import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import type Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { MemoryServer } from "../support/memory-server.ts";
import { scratch } from "../support/scratch.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** The script of the page, with the address of a server in place of the one it names. */
function scriptOfThePage(url: string): string {
  const page = fs.readFileSync(path.join(ROOT, "docs/memory-api.md"), "utf8");
  const [, script = ""] = /`node move\.mjs[\s\S]*?```js\n([\s\S]*?)```/u.exec(page) ?? [];
  expect(script.split("\n").length).toBeLessThanOrEqual(12);
  expect(script).toContain("http://127.0.0.1:8787");
  return script.replace("http://127.0.0.1:8787", url);
}

function turnedBack(script: string): string {
  const back = script.replace("= [hosted, own]; // back: [own, hosted]", "= [own, hosted];");
  expect(back).not.toBe(script);
  return back;
}

async function run(script: string, store: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const directory = scratch();
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
  fs.writeFileSync(path.join(directory, "move.mjs"), script);
  const child = spawn(process.execPath, ["move.mjs", store], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return (await text(child.stdout)).trim();
}

async function textsIn(client: Anthropic, store: string): Promise<Readonly<Record<string, string | null | undefined>>> {
  const texts: Record<string, string | null | undefined> = {};
  for await (const item of client.beta.memoryStores.memories.list(store, { view: "full" }))
    if (item.type === "memory") texts[item.path] = item.content;
  return texts;
}

it("the script of the page moves a store to one's own server, and back", { timeout: 120_000 }, async () => {
  const [hosted, own] = [new MemoryServer(), new MemoryServer()];
  try {
    await hosted.start({ directory: scratch() });
    await own.start({ directory: scratch() });
    const there = await hosted.client("app");
    const here = await own.client("app");
    const about = { name: "Shop", description: "What the shop's agent knows", metadata: { team: "orders" } };
    const { id } = await there.beta.memoryStores.create(about);
    const before = Object.fromEntries(
      Array.from({ length: 45 }, (_, n) => [`/dir${n % 3}/note é ${n}.md`, `\uFEFFtext ${n}\r\n`]),
    );
    for (const [at, content] of Object.entries(before))
      await there.beta.memoryStores.memories.create(id, { path: at, content });
    const environment = {
      ANTHROPIC_BASE_URL: hosted.url,
      ANTHROPIC_API_KEY: await hosted.token("app"),
      MEMDIR_TOKEN: await own.token("app"),
    };
    const script = scriptOfThePage(own.url);
    const moved = await run(script, id, environment);
    expect(await textsIn(here, moved)).toEqual(before);
    expect(await here.beta.memoryStores.retrieve(moved)).toMatchObject(about);
    const back = await run(turnedBack(script), moved, environment);
    expect(back).not.toBe(id);
    expect(await textsIn(there, back)).toEqual(before);
    expect(await there.beta.memoryStores.retrieve(back)).toMatchObject(about);
  } finally {
    await hosted.stop();
    await own.stop();
  }
});
