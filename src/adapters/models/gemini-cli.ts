import fs from "node:fs";
import path from "node:path";
import type { Model, ModelResult, TokenUsage } from "../../core/models/model.ts";
import { inEmptyDirectory, runAgent } from "./agent-process.ts";
import type { AgentCliOptions } from "./claude-cli.ts";
import { parseJson } from "../../core/shared/json.ts";
import { count, member, structuredAnswer } from "./http.ts";

/**
 * Settings in the empty working directory, which override the person's own. (A system settings file would override
 * these, but it is read only if root alone can write it.)
 */
const SETTINGS = JSON.stringify({
  hooksConfig: { enabled: false },
  context: { fileName: ["memdir-reads-none.md"] },
  experimental: { autoMemory: false },
  tools: { core: [] },
});

/** Gemini CLI without a UI, under the person's own login. It has no schema option: the prompt describes it. */
export function createGeminiCliModel({ command = "gemini", model, environment }: AgentCliOptions): Model {
  return {
    id: model === "" ? "gemini-cli" : `gemini-cli/${model}`,
    place: "network",
    ask: (request) =>
      inEmptyDirectory(async (directory) => {
        fs.mkdirSync(path.join(directory, ".gemini"));
        fs.writeFileSync(path.join(directory, ".gemini", "settings.json"), SETTINGS);
        const shape = `Use no tool. Answer with nothing but JSON of this schema: ${JSON.stringify(request.schema)}`;
        const input = [request.system, ...request.messages.map(({ text }) => text), shape].join("\n\n");
        const output = await runAgent({
          command,
          args: argumentsOf(model),
          input,
          directory,
          environment: { ...environment, GEMINI_CLI_TRUST_WORKSPACE: "true" },
          request,
        });
        return output.kind === "output" ? read(output.stdout, output.ms) : output;
      }),
  };
}

function argumentsOf(model: string): string[] {
  return [
    "--output-format",
    "json",
    "--extensions",
    "none",
    "--allowed-mcp-server-names",
    "none",
    "--approval-mode",
    "default",
    "--skip-trust",
    ...(model === "" ? [] : ["--model", model]),
  ];
}

function read(stdout: string, ms: number): ModelResult {
  const json = parseJson(stdout.slice(Math.max(0, stdout.indexOf("{"))));
  const usage = usageOf(member(json, "stats", "models"));
  const response = member(json, "response");
  if (typeof response === "string") return structuredAnswer(response, usage, ms);
  const message = member(json, "error", "message");
  return {
    kind: "unavailable",
    reason: `gemini: ${typeof message === "string" ? message.slice(0, 300) : "no response in its output"}`,
    ms,
    usage,
  };
}

/** It may use several models for one request. */
function usageOf(models: unknown): TokenUsage {
  const tokens =
    typeof models === "object" && models !== null
      ? Object.values(models).map((one: unknown) => member(one, "tokens"))
      : [];
  const sum = (name: string): number => tokens.reduce<number>((total, one) => total + count(member(one, name)), 0);
  return { inputTokens: sum("prompt"), outputTokens: sum("candidates") + sum("thoughts"), cachedTokens: sum("cached") };
}
