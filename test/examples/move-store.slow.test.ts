import fs from "node:fs";
import type Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { MemoryServer } from "../support/memory-server.ts";
import { scratch } from "../support/scratch.ts";

/** The lines of the page that move the memories of a store, as a function of the client's class and the store's id. */
function linesOfThePage(): (client: unknown, hosted: string) => Promise<void> {
  const page = fs.readFileSync(new URL("../../docs/memory-api.md", import.meta.url), "utf8");
  const [, lines = ""] = /## Move an application, and back[\s\S]*?```js\n([\s\S]*?)```/u.exec(page) ?? [];
  expect(lines.split("\n").length).toBeLessThanOrEqual(11);
  const run: unknown = new Function("Anthropic", "HOSTED", `return (async () => {${lines}})();`);
  if (typeof run !== "function") throw new Error("the page has no lines");
  return async (client, hosted) => void (await run(client, hosted));
}

async function served(): Promise<{ readonly server: MemoryServer; readonly client: Anthropic }> {
  const server = new MemoryServer();
  await server.start({ directory: scratch() });
  return { server, client: await server.client("mover") };
}

async function textsIn(client: Anthropic, store: string): Promise<Readonly<Record<string, string | null | undefined>>> {
  const texts: Record<string, string | null | undefined> = {};
  for await (const item of client.beta.memoryStores.memories.list(store, { view: "full" }))
    if (item.type === "memory") texts[item.path] = item.content;
  return texts;
}

it(
  "the lines of the page move an application's memories to one's own server, and back",
  { timeout: 120_000 },
  async () => {
    const [there, here] = [await served(), await served()];
    try {
      const { id } = await there.client.beta.memoryStores.create({ name: "Shop" });
      for (let n = 0; n < 45; n++)
        await there.client.beta.memoryStores.memories.create(id, {
          path: `/dir${n % 3}/note ${n}.md`,
          content: `text ${n}\r\n`,
        });
      const before = await textsIn(there.client, id);
      const move = linesOfThePage();
      const classFor = (own: Anthropic, hosted: Anthropic) =>
        function client(options?: object): Anthropic {
          return options === undefined ? hosted : own;
        };
      await move(classFor(here.client, there.client), id);
      const [moved] = (await here.client.beta.memoryStores.list()).data;
      expect(await textsIn(here.client, moved?.id ?? "")).toEqual(before);
      await move(classFor(there.client, here.client), moved?.id ?? "");
      const [back, first] = (await there.client.beta.memoryStores.list()).data;
      expect(first?.id).toBe(id);
      expect(await textsIn(there.client, back?.id ?? "")).toEqual(before);
      expect(Object.keys(before)).toHaveLength(45);
    } finally {
      await there.server.stop();
      await here.server.stop();
    }
  },
);
