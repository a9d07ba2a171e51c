import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { SecretScanner } from "../../src/core/shared/secrets/mask.ts";
import { memoryOffer, TOOL_NAMES } from "../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../src/surfaces/mcp/project-memory.ts";
import { problemWith, type Schema } from "../../src/surfaces/mcp/schema.ts";
import { emptyHome, homeOf } from "../support/cli.ts";
import { BLIND, planter, seedOfRun } from "../support/planted.ts";
import { scratch } from "../support/scratch.ts";

/** A value that a schema takes, with a secret in every text that it leaves free. */
function filled(schema: Schema, way: string, plant: (field: string) => string, only: string): unknown {
  switch (schema.type) {
    case "string":
      return schema.enum?.[0] ?? (way === only ? plant(way) : (GIVEN[way] ?? `words of ${way}`));
    case "boolean":
      return way !== "remember.beside";
    case "integer":
      return schema.minimum ?? 1;
    case "array":
      // A note that is to be replaced must be there: nothing would be written.
      return way === "remember.replaces" && only !== `${way}[]` ? [] : [filled(schema.items, `${way}[]`, plant, only)];
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, one]) => [name, filled(one, `${way}.${name}`, plant, only)]),
      );
  }
}

/** What a call needs to get as far as writing. */
const GIVEN: Readonly<Record<string, string>> = {
  "revise.note": "project_kept.md",
  "undo.note": "project_kept.md",
  "recall.prompt": "which port has the container",
};

/** The texts that a schema leaves free, by their way. */
function textsOf(schema: Schema, way: string): readonly string[] {
  if (schema.type === "string") return schema.enum === undefined ? [way] : [];
  if (schema.type === "array") return textsOf(schema.items, `${way}[]`);
  return schema.type === "object"
    ? Object.entries(schema.properties).flatMap(([name, one]) => textsOf(one, `${way}.${name}`))
    : [];
}

const CALL = {
  client: { name: "test", canElicit: false, canSample: false, hasRoots: false },
  meta: {},
  signal: new AbortController().signal,
  progress: () => undefined,
  notify: () => undefined,
  request: async () => ({}),
};

async function plantEverywhere(seed: number, secrets?: SecretScanner) {
  const root = scratch();
  const cwd = `${root}/orders`;
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const memory = openProjectMemory({ cwd, environment: emptyHome(root), ...(secrets && { secrets }) });
  const offer = memoryOffer(memory, TOOL_NAMES);
  const { plant, planted, found } = planter(seed);
  const tools = new Map(offer.tools().map((tool) => [tool.spec.name, tool]));
  await tools.get("remember")?.run({ text: "The container listens on port 5433.", name: "kept" }, CALL);
  for (const [name, { spec, run }] of tools)
    for (const field of textsOf(spec.inputSchema, name)) {
      const given = filled(spec.inputSchema, name, plant, field);
      expect(problemWith(given, spec.inputSchema), `${field}: what is planted must be taken`).toBeUndefined();
      await run(Object.fromEntries(Object.entries(given as object)), CALL);
    }
  for (const { spec, get } of offer.prompts ?? []) {
    const listed: unknown = spec["arguments"];
    const names = Array.isArray(listed) ? listed.map((one: { readonly name: string }) => one.name) : [];
    for (const name of names) quietly(() => get({ [name]: plant(`prompt ${spec.name}.${name}`) }));
  }
  quietly(() => offer.resources?.read(`memdir://notes/${plant("resource uri")}`));
  quietly(() => offer.complete?.({ type: "ref/prompt", name: "x" }, { name: "note", value: plant("completion") }));
  offer.rootsKnown?.([`file:///nowhere/${plant("root")}`]);
  memory.workspace().stores[0]?.store.history();
  offer.close();
  return { fields: planted.map(({ field }) => field), leaks: found(homeOf(root), cwd) };
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && /MemoryError|RpcError/u.test(error.constructor.name))) throw error;
  }
}

describe("a secret that comes over MCP", () => {
  it("reaches no byte on the disk, whatever argument of whatever tool, prompt or resource it stands in", async () => {
    const { fields, leaks } = await plantEverywhere(seedOfRun());
    expect(fields).toEqual(expect.arrayContaining(["remember.text", "revise.description", "recall.prompt"]));
    expect(leaks).toEqual([]);
  });

  it("would be seen: with the gate removed the same search finds it", async () => {
    const { leaks } = await plantEverywhere(seedOfRun(), BLIND);
    expect(leaks).toEqual(expect.arrayContaining(["remember.text", "remember.name", "revise.description"]));
  });
});
