import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterEach, describe, expect, it } from "vitest";
import { memoryOffer, PROFILES } from "../../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { callTool, connectTo } from "./linked.ts";

const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function start({ profile = "full" }: { readonly profile?: keyof typeof PROFILES } = {}): Promise<Client> {
  const root = scratch();
  const client = await connectTo(
    memoryOffer(openProjectMemory({ cwd: root, environment: emptyHome(root) }), PROFILES[profile]),
  );
  clients.push(client);
  return client;
}

const NO_MOCKS = {
  text: "Integration tests use the postgres container, never mocks.\n\n**Why:** mocked tests passed and the migration failed.",
  name: "no mocks",
  type: "feedback",
};

describe("answers", () => {
  it.each(["default", "full"] as const)("name only tools of the %s profile", async (profile) => {
    const client = await start({ profile });
    const near = `${NO_MOCKS.text} Please!`;
    await callTool(client, "remember", NO_MOCKS);
    const similar = await callTool(client, "remember", { text: near });
    const typed = await callTool(client, "remember", { text: "Sandra wants the reports grouped by region." });
    const changed = await callTool(client, "remember", { text: near, replaces: ["feedback_no_mocks.md"] });
    const prompt = await client.getPrompt({ name: "remember-this", arguments: {} });
    const said = [similar.text, typed.text, changed.text, JSON.stringify(prompt.messages)].join("\n");
    expect(/\brevise/iu.test(said)).toBe(profile === "full");
    expect(similar.text.includes('replaces: ["feedback_no_mocks.md"]')).toBe(profile === "default");
    expect(changed).toMatchObject({ fields: { outcome: "created" }, text: expect.stringContaining("superseded") });
    expect(changed.text).toContain("restores it and removes the new note");
  });

  it("say of an inferred type what changes it, and that does", async () => {
    const client = await start({ profile: "default" });
    const text = "I prefer small pull requests.";
    const { text: said } = await callTool(client, "remember", { text });
    const [, type, scope, note] = /type: (\w+), scope: (\w+), replaces: \["([^"]+)"\], force: true/u.exec(said) ?? [];
    const again = await callTool(client, "remember", { text, type, scope, replaces: [note], force: true });
    expect(again.fields).toMatchObject({ outcome: "created", superseded: [{ note }] });
  });

  it("say first of a superseded note by what and when, and what holds now", async () => {
    const client = await start();
    await callTool(client, "remember", { text: "The gateway is nginx.", name: "one", type: "project" });
    const two = { text: "The gateway is Envoy.", name: "two", type: "project", replaces: ["project_one.md"] };
    await callTool(client, "remember", two);
    const first = await callTool(client, "read", { note: "project_one.md" });
    expect(first.text.split("\n")[2]).toMatch(
      /^This note no longer holds. It was superseded on \d{4}-\d\d-\d\d by project_two.md: "The gateway is Envoy/u,
    );
    expect(JSON.stringify(first.fields)).toContain("no longer holds");
    const three = { text: "The gateway is Traefik.", name: "three", type: "project", replaces: ["project_two.md"] };
    await callTool(client, "remember", three);
    const now = (await callTool(client, "read", { note: "project_one.md" })).text;
    expect(now).toContain('by project_two.md; now project_three.md holds: "The gateway is Traefik');
    expect((await callTool(client, "read", { note: "project_three.md" })).text).not.toContain("no longer holds");
  });
});
