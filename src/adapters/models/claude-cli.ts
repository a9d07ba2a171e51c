import type { Model, ModelRequest, ModelResult, TokenUsage } from "../../core/models/model.ts";
import { type AgentEnvironment, inEmptyDirectory, runAgent } from "./agent-process.ts";
import { parseJson } from "../../core/shared/json.ts";
import { count, member, structuredAnswer } from "./http.ts";

export interface AgentCliOptions {
  /** The program; by default its usual name, found through PATH. */
  readonly command?: string;
  /** If empty, the agent chooses. */
  readonly model: string;
  readonly environment: AgentEnvironment;
}

/** Turns off hooks and the agent's own memory, whatever its settings say. */
const SETTINGS = JSON.stringify({ disableAllHooks: true, autoMemoryEnabled: false });

/** Claude Code without a user interface, under the person's own login. (`--bare` would not find the login.) */
export function createClaudeCliModel({ command = "claude", model, environment }: AgentCliOptions): Model {
  return {
    id: model === "" ? "claude-cli" : `claude-cli/${model}`,
    place: "network",
    ask: (request) =>
      inEmptyDirectory(async (directory) => {
        const output = await runAgent({
          command,
          args: argumentsOf(model, request),
          input: request.messages.map(({ text }) => text).join("\n\n"),
          directory,
          environment,
          request,
        });
        return output.kind === "output" ? read(output.stdout, output.ms) : output;
      }),
  };
}

function argumentsOf(model: string, { system, schema }: ModelRequest): string[] {
  return [
    "-p",
    "--output-format",
    "json",
    "--json-schema",
    JSON.stringify(schema),
    "--system-prompt",
    system,
    "--tools",
    "",
    "--setting-sources",
    "",
    "--settings",
    SETTINGS,
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--no-session-persistence",
    ...(model === "" ? [] : ["--model", model]),
  ];
}

function read(stdout: string, ms: number): ModelResult {
  const json = parseJson(stdout);
  const usage = usageOf(json);
  if (member(json, "is_error") === true)
    return {
      kind: "unavailable",
      reason: `claude: ${String(member(json, "result") ?? member(json, "subtype")).slice(0, 300)}`,
      ms,
      usage,
    };
  const value = member(json, "structured_output");
  if (typeof value === "object" && value !== null) return { kind: "answer", value, usage, ms };
  const result = member(json, "result");
  return structuredAnswer(typeof result === "string" ? result : stdout, usage, ms);
}

function usageOf(json: unknown): TokenUsage {
  const cachedTokens = count(member(json, "usage", "cache_read_input_tokens"));
  const inputTokens =
    count(member(json, "usage", "input_tokens")) +
    count(member(json, "usage", "cache_creation_input_tokens")) +
    cachedTokens;
  const dollars = member(json, "total_cost_usd");
  return {
    inputTokens,
    outputTokens: count(member(json, "usage", "output_tokens")),
    cachedTokens,
    ...(typeof dollars === "number" && { dollars }),
  };
}
