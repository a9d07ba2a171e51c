import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Memory, type MemoryOptions, openMemory } from "../../../src/index.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";
import { answer, scriptedModel, silentModel } from "../../support/models.ts";
import { scratch } from "../../support/scratch.ts";

const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "Europe/Prague" };
const PROMPT = "write integration tests against postgres";

async function withNotes(options: MemoryOptions = {}): Promise<{ readonly memory: Memory; readonly root: string }> {
  const root = scratch();
  const memory = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock, ...options });
  await memory.remember({
    type: "feedback",
    name: "no mocks",
    body: "Integration tests use the postgres container, never mocks.",
  });
  await memory.remember({
    type: "feedback",
    name: "small commits",
    body: "One idea a commit, message in the present tense.",
  });
  return { memory, root };
}

const memdirHome = (root: string): string => path.join(root, "home", ".memdir");

/** Everything below the home that a model's use would leave behind. */
function traces(root: string): string[] {
  return fs.readdirSync(memdirHome(root)).filter((name) => name !== "stores");
}

const claude = (names: readonly string[]) =>
  json({
    content: [{ type: "text", text: JSON.stringify({ names }) }],
    stop_reason: "end_turn",
    usage: { input_tokens: 100, output_tokens: 9 },
  });

describe("a recall with a model beside it", () => {
  it("gives the fast answer before the model is even asked, and the model's choice later", async () => {
    const model = scriptedModel([answer({ names: ["feedback_small_commits.md", "feedback_no_mocks.md", "gone.md"] })]);
    const { memory } = await withNotes({ model });
    const { selected, text, refined } = memory.recall(PROMPT);
    expect(model.requests).toEqual([]);
    expect(selected.map(({ file }) => file)).toEqual(["feedback_no_mocks.md"]);
    const later = await refined;
    if (later?.kind !== "chosen") throw new Error(JSON.stringify(later));
    expect(later.selected.map(({ file }) => file)).toEqual(["feedback_small_commits.md", "feedback_no_mocks.md"]);
    expect(later.added.map(({ file }) => file)).toEqual(["feedback_small_commits.md"]);
    expect(later.text).toContain("One idea a commit");
    expect(later.text).not.toContain("never mocks"); // the fast answer has shown it
    expect([text.includes("never mocks"), later.model, later.ms]).toEqual([true, "anthropic/claude-haiku-4-5", 250]);
    memory.close();
  });

  it("is logged as the model's, so that why --last says who chose, and counts neither as shown nor for replay", async () => {
    const model = scriptedModel([answer({ names: ["feedback_small_commits.md", "feedback_no_mocks.md"] })]);
    const { memory, root } = await withNotes({ model });
    await memory.recall(PROMPT, { session: "s1" }).refined;
    memory.close();
    const memdir = (...argv: string[]) => cli([...argv, "--dir", `${root}/notes`], { environment: emptyHome(root) });
    const last = JSON.parse((await memdir("why", "--last", "--json")).out);
    expect(last).toMatchObject({
      by: "model",
      session: "s1",
      candidates: [
        { file: "feedback_small_commits.md", fate: "shown" },
        { file: "feedback_no_mocks.md", fate: "surfaced" },
      ],
    });
    expect((await memdir("why", "--last")).out).toContain(
      "Chosen by a model, beside the fast answer: feedback_small_commits.md.",
    );
    expect((await memdir("replay")).out).toContain("1 prompt run again: 1 the same");
  });

  it("keeps the fast answer when the model fails, and says why", async () => {
    const { memory } = await withNotes({
      model: scriptedModel([{ kind: "rate-limited", reason: "slow down", ms: 3 }]),
    });
    const { selected, refined } = memory.recall(PROMPT);
    expect(selected).toHaveLength(1);
    expect(await refined).toEqual({ kind: "failed", failure: "rate-limited", reason: "slow down", ms: 3 });
    memory.close();
  });

  it("never rejects, whatever a model throws", async () => {
    const { memory } = await withNotes({
      model: scriptedModel([
        () => {
          throw new Error("a bug");
        },
      ]),
    });
    expect(await memory.recall(PROMPT).refined).toMatchObject({ kind: "failed", reason: "a bug" });
    memory.close();
  });

  it("sends descriptions, never bodies, tools and files as given, and no secret of the prompt", async () => {
    const model = scriptedModel([answer({ names: [] })]);
    const { memory } = await withNotes({ model });
    await memory.remember({
      type: "project",
      name: "plan",
      description: "what comes next",
      body: "BODY-MARKER stays here.",
    });
    const token = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    await memory.recall(`deploy with ${token}`, { recentTools: ["Bash"], touchedFiles: ["src/a.ts"] }).refined;
    const sent = JSON.stringify(model.requests);
    expect(sent).toContain("what comes next");
    expect(sent).toMatch(/Tools in use: Bash.*Files touched: src\/a\.ts/u);
    expect(sent).toContain("deploy with [secret]");
    expect(sent).not.toContain("BODY-MARKER");
    expect(sent).not.toContain(token);
    memory.close();
  });

  it("is cancelled by its signal and by closing the memory", async () => {
    const one = await withNotes({ model: silentModel() });
    const controller = new AbortController();
    const { refined } = one.memory.recall(PROMPT, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await refined).toMatchObject({ kind: "failed", failure: "cancelled" });
    const closed = one.memory.recall(PROMPT).refined;
    const early = one.memory.recall(PROMPT).refined;
    setTimeout(() => one.memory.close(), 20);
    expect([await closed, await early]).toMatchObject([{ failure: "cancelled" }, { failure: "cancelled" }]);
    const two = await withNotes({ model: silentModel() });
    const atOnce = two.memory.recall(PROMPT).refined;
    two.memory.close(); // before the model was asked
    expect(await atOnce).toMatchObject({ failure: "cancelled" });
  });

  it("leaves out notes that changed or went while the model was thinking", async () => {
    const { memory, root } = await withNotes({
      model: scriptedModel([
        () => {
          fs.rmSync(`${root}/notes/feedback_small_commits.md`);
          return answer({ names: ["feedback_small_commits.md"] });
        },
      ]),
    });
    expect(await memory.recall(PROMPT).refined).toMatchObject({ kind: "chosen", selected: [], text: "" });
    memory.close();
  });

  it("keeps a late answer for the session that asked, for one taker in the same turn", async () => {
    const { memory, root } = await withNotes({
      model: scriptedModel([answer({ names: ["feedback_small_commits.md"] })]),
    });
    await memory.recall(PROMPT, { session: "s1", turn: "t1" }).refined;
    const hook = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock });
    expect(hook.takeRefined("s2", "t1")).toBeUndefined();
    expect(hook.takeRefined("s1", "t1")).toMatchObject({
      files: ["feedback_small_commits.md"],
      text: expect.stringContaining("One idea a commit"),
    });
    expect(hook.takeRefined("s1", "t1")).toBeUndefined();
    hook.close();
    memory.close();
  });
});

describe("a recall without a model", () => {
  it("resolves to nothing, opens no connection and leaves nothing behind", async () => {
    const provider = await fakeProvider(claude([]));
    const { memory, root } = await withNotes({});
    const off = await withNotes({
      environment: { ...emptyHome(scratch()), ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: provider.url },
      model: "off",
    });
    expect(await memory.recall(PROMPT).refined).toBeUndefined();
    expect(await off.memory.recall(PROMPT).refined).toBeUndefined();
    expect([provider.requests, traces(root)]).toEqual([[], []]);
    memory.close();
    off.memory.close();
  });

  it.each([
    { MEMDIR_MODEL: "off" },
    { MEMDIR_MODE: "off" },
    { MEMDIR_NESTED: "1" },
    { MEMDIR_MODEL: "nonsense" },
    { MEMDIR_MODEL: "claude-cli/haiku" },
  ])("asks nobody with %j, though a key is set", async (variables) => {
    const provider = await fakeProvider(claude([]));
    const { root, memory } = await withNotes();
    memory.close();
    const environment = { ...emptyHome(root), ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: provider.url, ...variables };
    const again = openMemory({ dir: `${root}/notes`, environment, clock });
    expect(await again.recall(PROMPT).refined).toBeUndefined();
    expect(provider.requests).toEqual([]);
    again.close();
  });

  it("asks nobody for an empty prompt or an empty store", async () => {
    const model = scriptedModel([answer({ names: [] })]);
    const { memory } = await withNotes({ model });
    expect(await memory.recall("  ").refined).toBeUndefined();
    const root = scratch();
    const empty = openMemory({ dir: `${root}/notes`, environment: emptyHome(root), clock, model });
    expect(await empty.recall(PROMPT).refined).toBeUndefined();
    expect(model.requests).toEqual([]);
    empty.close();
    memory.close();
  });
});

describe("a recall with a key in the environment", () => {
  const open = async (names: readonly string[], settings?: object) => {
    const provider = await fakeProvider(claude(names));
    const { root, memory } = await withNotes();
    memory.close();
    if (settings !== undefined)
      fs.writeFileSync(path.join(memdirHome(root), "settings.json"), JSON.stringify(settings));
    const environment = { ...emptyHome(root), ANTHROPIC_API_KEY: "k-e-y", ANTHROPIC_BASE_URL: provider.url };
    return { provider, root, memory: openMemory({ dir: `${root}/notes`, environment, clock }) };
  };

  it("asks the provider, and writes down what it cost but neither key nor prompt", async () => {
    const { provider, root, memory } = await open(["feedback_small_commits.md"]);
    expect(await memory.recall(PROMPT).refined).toMatchObject({
      kind: "chosen",
      added: [{ file: "feedback_small_commits.md" }],
    });
    expect(provider.requests).toHaveLength(1);
    const ledger = fs.readFileSync(path.join(memdirHome(root), "spend.jsonl"), "utf8");
    expect(ledger).toMatch(/"state":"answer".*"dollars":0\.000145|"dollars":0\.000145/u);
    expect(ledger).not.toMatch(/k-e-y|postgres/u);
    memory.close();
  });

  it("stops when the day's budget is spent", async () => {
    const { provider, memory } = await open([], { budget: { requests: 2 } });
    for (let i = 0; i < 4; i++) await memory.recall(PROMPT).refined;
    expect(await memory.recall(PROMPT).refined).toMatchObject({ kind: "failed", failure: "over-budget" });
    expect(provider.requests).toHaveLength(2);
    memory.close();
  });
});
