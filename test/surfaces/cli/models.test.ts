import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli, type CliOptions, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const KEY = ["sk", "test", "key", "never", "shown"].join("-");

function place(variables: Readonly<Record<string, string>> = {}) {
  const root = scratch();
  const options: CliOptions = { cwd: root, environment: { ...emptyHome(root), ...variables } };
  return {
    settings: path.join(root, "home", ".memdir", "settings.json"),
    run: (...argv: readonly string[]) => cli(argv, options),
    choice: async (...argv: readonly string[]) => JSON.parse((await cli(["models", "--json", ...argv], options)).out),
  };
}

describe("which model is asked", () => {
  it("is none at first, and looking writes nothing", async () => {
    const { choice, settings } = place();
    expect(await choice()).toMatchObject({
      state: "none",
      reason: expect.stringContaining("no key"),
      spent: { requests: 0 },
      budget: { requests: 500, tokens: 2_000_000, seconds: 1800, dollars: 1 },
    });
    expect(fs.existsSync(settings)).toBe(false);
  });

  it("follows keys in their order, then an address, then consent", async () => {
    expect(await place({ OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY }).choice()).toMatchObject({
      model: "anthropic/claude-haiku-4-5",
      reason: "ANTHROPIC_API_KEY is set",
    });
    expect(await place({ OPENAI_API_KEY: KEY, GEMINI_API_KEY: KEY }).choice()).toMatchObject({
      model: "openai/gpt-4.1-mini",
    });
    expect(await place({ GOOGLE_API_KEY: KEY, ANTHROPIC_API_KEY: " " }).choice()).toMatchObject({
      model: "google/gemini-2.5-flash-lite",
    });
    expect(await place({ MEMDIR_MODEL_URL: "http://127.0.0.1:8080/v1" }).choice()).toMatchObject({
      model: "compatible",
      state: "blocked",
    });
    expect(await place().choice("--consent", "agent-cli")).toMatchObject({
      model: "claude-cli/haiku",
      state: "chosen",
    });
    expect(await place({ OLLAMA_HOST: "0.0.0.0" }).choice()).toMatchObject({ state: "none" }); // where a server listens is no wish to ask it
  });

  it("is what was chosen, before any key, and what the variable says before settings", async () => {
    const { choice, run } = place({ ANTHROPIC_API_KEY: KEY });
    expect(await choice("--use", "ollama/qwen3:4b")).toMatchObject({
      model: "ollama/qwen3:4b",
      state: "chosen",
      reason: "settings.json",
    });
    expect(await choice("--use", "auto")).toMatchObject({ model: "anthropic/claude-haiku-4-5" });
    expect(await choice("--off")).toMatchObject({ state: "none", reason: "switched off by settings.json" });
    expect((await run("models")).out).toContain("model       none (switched off by settings.json)");
    expect(
      await place({ MEMDIR_MODEL: "openai", OPENAI_API_KEY: KEY }).choice("--use", "google/gemini-2.5-flash"),
    ).toMatchObject({ model: "openai/gpt-4.1-mini", reason: "MEMDIR_MODEL" });
  });

  it("says what is missing and chooses no other instead", async () => {
    expect(await place({ OPENAI_API_KEY: KEY }).choice("--use", "anthropic")).toMatchObject({
      model: "anthropic/claude-haiku-4-5",
      state: "blocked",
      reason: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    expect(await place().choice("--use", "codex-cli")).toMatchObject({
      state: "blocked",
      reason: expect.stringContaining("--consent agent-cli"),
    });
    expect(await place().choice("--use", "compatible/m")).toMatchObject({
      state: "blocked",
      reason: expect.stringContaining("--url"),
    });
    expect(await place().choice("--use", "compatible/m", "--url", "http://127.0.0.1:1/v1")).toMatchObject({
      state: "chosen",
    });
  });

  it("takes consent back, and keeps whatever else the settings hold", async () => {
    const { choice, settings } = place();
    await choice("--use", "claude-cli", "--consent", "agent-cli");
    fs.writeFileSync(
      settings,
      JSON.stringify({ ...JSON.parse(fs.readFileSync(settings, "utf8")), other: { a: 1 }, budget: { dollars: 0.25 } }),
    );
    expect(await choice("--consent", "none")).toMatchObject({
      state: "blocked",
      budget: { dollars: 0.25, requests: 500 },
    });
    expect(JSON.parse(fs.readFileSync(settings, "utf8"))).toEqual({
      model: "claude-cli/haiku",
      other: { a: 1 },
      budget: { dollars: 0.25 },
    });
  });

  it("refuses what means nothing, changing nothing", async () => {
    const { run, settings } = place();
    for (const wrong of [
      ["--use", "nobody/x"],
      ["--use", "ollama"],
      ["--use", "openai/x y"],
      ["--consent", "everything"],
      ["--url", "ftp://x"],
      ["--off", "--use", "openai"],
    ])
      expect((await run("models", ...wrong)).code, wrong.join(" ")).toBe(2);
    expect(fs.existsSync(settings)).toBe(false);
  });

  it("names variables that hold keys, never a key, nor the password in an address", async () => {
    const { run } = place({
      ANTHROPIC_API_KEY: KEY,
      OPENAI_API_KEY: KEY,
      GEMINI_API_KEY: KEY,
      MEMDIR_MODEL_KEY: KEY,
      MEMDIR_MODEL_URL: `http://me:${KEY}@127.0.0.1:1/v1`,
    });
    for (const argv of [["models"], ["models", "--json"], ["status"], ["status", "--json"]]) {
      const { out, err } = await run(...argv);
      expect(out).toContain("ANTHROPIC_API_KEY");
      expect(out + err).not.toContain(KEY);
    }
  });

  it("complains about settings that are not JSON rather than passing over them", async () => {
    const { run, settings } = place();
    await run("models", "--off");
    fs.writeFileSync(settings, "{ off");
    expect(await run("models")).toMatchObject({ code: 2, err: expect.stringContaining("is not JSON") });
  });

  it("shows in status what the day has cost", async () => {
    const { run, settings } = place();
    await run("models", "--off");
    const now = Date.now();
    const line = {
      id: "a",
      time: now,
      model: "openai/gpt-4.1-mini",
      purpose: "recall",
      state: "answer",
      ms: 1500,
      dollars: 0.004,
      inputTokens: 9000,
      outputTokens: 50,
      cachedTokens: 0,
    };
    fs.writeFileSync(
      settings.replace("settings.json", "spend.jsonl"),
      `${JSON.stringify(line)}\n${JSON.stringify({ ...line, id: "b", time: now - 3 * 86_400_000 })}\n`,
    );
    expect((await run("status")).out).toContain(
      "today     1 of 500 requests, 9050 of 2000000 tokens, 2 of 1800 s, $0.004 of\n          $1.00",
    );
    expect(JSON.parse((await run("status", "--json")).out).model.spent).toMatchObject({ requests: 1, tokens: 9050 });
  });
});
