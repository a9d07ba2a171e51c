import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";
import { scratch } from "../../support/scratch.ts";

const SUBJECTS = [
  "schema",
  "icons",
  "invoices",
  "translations",
  "logging",
  "fonts",
  "retries",
  "sounds",
  "maps",
  "mail",
];

/** A server whose vectors say which subject a text is of: "grommets" lies where "schema" does. */
async function server() {
  const place = (text: string) =>
    [...SUBJECTS, "x"].map((subject, index) =>
      text.includes(subject) || (subject === "schema" && text.includes("grommets"))
        ? 1
        : 0.1 + 0.01 * ((text.length + index) % 7),
    );
  const provider = await fakeProvider((response, attempt) => {
    const body = provider.requests[attempt - 1]?.body;
    const input: unknown = typeof body === "object" && body !== null && "input" in body ? body.input : [];
    json({
      data: (Array.isArray(input) ? input : []).map((text, index) => ({ index, embedding: place(String(text)) })),
      usage: { prompt_tokens: 10 },
    })(response, attempt);
  });
  return provider;
}

async function setUp() {
  const root = scratch();
  const provider = await server();
  const environment = { ...emptyHome(root), MEMDIR_MODEL_URL: provider.url, MEMDIR_EMBEDDINGS: "ollama/nomic" };
  const memory = openMemory({ dir: `${root}/notes`, environment });
  for (const subject of SUBJECTS)
    await memory.remember({
      type: "feedback",
      name: subject,
      description: `how ${subject} are handled here`,
      body: `BODY of ${subject}: ask first.`,
    });
  return { root, provider, environment, memory };
}

const vectorFiles = (home: string): string[] =>
  fs.readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => path.dirname(name).endsWith("vectors"));

describe("recall with an embedder beside it", () => {
  it("points at a note of like meaning that words do not find, in one line, without its text leaving", async () => {
    const { memory, provider } = await setUp();
    const { selected, pointed, refined } = memory.recall("two more grommets please");
    expect([selected, pointed]).toEqual([[], []]);
    const later = await refined;
    expect(later).toMatchObject({
      kind: "chosen",
      grade: "line",
      model: "ollama/nomic",
      added: [{ file: "feedback_schema.md" }],
    });
    expect(later?.kind === "chosen" && later.text).toContain("how schema are handled here");
    expect(later?.kind === "chosen" && later.text).not.toContain("BODY of");
    expect(JSON.stringify(provider.requests)).not.toContain("BODY of");
    memory.close();
  });

  it("is not asked where nobody chose it, though a server is there", async () => {
    const { memory, provider, environment, root } = await setUp();
    memory.close();
    const before = provider.requests.length;
    const plain = openMemory({ dir: `${root}/notes`, environment: { ...environment, MEMDIR_EMBEDDINGS: undefined } });
    expect(await plain.recall("two more grommets please").refined).toBeUndefined();
    expect(provider.requests).toHaveLength(before);
    plain.close();
  });

  it("comes before a key that is merely found, and after a model that was chosen", async () => {
    const { memory, environment, root } = await setUp();
    memory.close();
    const refined = async (more: Record<string, string>) => {
      const one = openMemory({ dir: `${root}/notes`, environment: { ...environment, ...more } });
      const later = await one.recall("two more grommets please").refined;
      one.close();
      return later?.kind === "chosen" ? later.model : later?.kind;
    };
    expect(await refined({ OPENAI_API_KEY: "not-a-key" })).toBe("ollama/nomic");
    expect(await refined({ MEMDIR_MODEL: "vllm/judge" })).toBe("failed"); // it was asked, and the server has no such interface
  });

  it("forgets the vectors with the note, and writes down what was spent", async () => {
    const { memory, root } = await setUp();
    const home = path.join(homeOf(root), ".memdir");
    await memory.recall("two more grommets please").refined;
    expect(vectorFiles(home)).toHaveLength(1);
    memory.forget("feedback_schema.md");
    expect(vectorFiles(home)).toEqual([]);
    expect(fs.readFileSync(path.join(home, "spend.jsonl"), "utf8")).toContain('"ollama/nomic"');
    memory.close();
  });
});

describe("memdir models --embed", () => {
  it("chooses an embedder, shows it, and takes it back", async () => {
    const root = scratch();
    expect((await cli(["models", "--embed", "ollama/nomic-embed-text"], { environment: emptyHome(root) })).out).toMatch(
      /embeddings {2}ollama\/nomic-embed-text \(settings\.json\)/u,
    );
    expect((await cli(["models", "--embed", "off"], { environment: emptyHome(root) })).out).toMatch(
      /embeddings {2}none/u,
    );
  });

  it("takes an address back", async () => {
    const environment = emptyHome(scratch());
    expect(
      (await cli(["models", "--embed", "compatible/m", "--url", "http://127.0.0.1:9/v1"], { environment })).out,
    ).toContain("embeddings  compatible/m (settings.json)");
    expect((await cli(["models", "--embed", "off", "--url", "off"], { environment })).out).toContain(
      "model       none (no model is chosen",
    );
  });

  it.each([
    ["claude-cli/haiku", "cannot be asked for embeddings"],
    ["ollama", "cannot be asked for embeddings"],
    ["nobody/x", "names no provider"],
  ])("refuses %s", async (name, reason) => {
    const { code, err } = await cli(["models", "--embed", name], { environment: emptyHome(scratch()) });
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
  });
});
