import fs from "node:fs";
import path from "node:path";
import type { Model, ModelResult, TokenUsage } from "../../core/models/model.ts";
import { inEmptyDirectory, runAgent } from "./agent-process.ts";
import type { AgentCliOptions } from "./claude-cli.ts";
import { parseJson } from "../../core/shared/json.ts";
import { count, member, structuredAnswer } from "./http.ts";

/** Codex without a user interface, under the person's own login and without their hooks, memories or servers. */
export function createCodexCliModel({ command = "codex", model, environment }: AgentCliOptions): Model {
  return {
    id: model === "" ? "codex-cli" : `codex-cli/${model}`,
    place: "network",
    ask: (request) =>
      inEmptyDirectory(async (directory) => {
        const schema = path.join(directory, "schema.json");
        fs.writeFileSync(schema, JSON.stringify(request.schema));
        const input = [request.system, ...request.messages.map(({ text }) => text)].join("\n\n");
        const output = await runAgent({
          command,
          args: argumentsOf(model, schema),
          input,
          directory,
          environment,
          request,
        });
        return output.kind === "output" ? read(output.stdout, output.ms) : output;
      }),
  };
}

function argumentsOf(model: string, schema: string): string[] {
  return [
    "exec",
    "--json",
    "--ephemeral",
    "--ignore-user-config",
    "--ignore-rules",
    "--skip-git-repo-check",
    "--sandbox",
    "read-only",
    "--disable",
    "hooks",
    "--disable",
    "memories",
    "-c",
    "project_doc_max_bytes=0",
    "--output-schema",
    schema,
    ...(model === "" ? [] : ["--model", model]),
    "-",
  ];
}

/** Events, one JSON object per line; the agent's last message is the answer. */
function read(stdout: string, ms: number): ModelResult {
  const events = stdout.split("\n").map(parseJson);
  const messages = events
    .filter((event) => member(event, "type") === "item.completed" && member(event, "item", "type") === "agent_message")
    .map((event) => member(event, "item", "text"));
  const usage = usageOf(events.findLast((event) => member(event, "type") === "turn.completed"));
  const last = messages.at(-1);
  if (typeof last === "string") return structuredAnswer(last, usage, ms);
  const failed = events.findLast(
    (event) => member(event, "type") === "turn.failed" || member(event, "type") === "error",
  );
  const reason = member(failed, "error", "message") ?? member(failed, "message");
  return {
    kind: "unavailable",
    reason: `codex: ${typeof reason === "string" ? reason.slice(0, 300) : "no message in its output"}`,
    ms,
    usage,
  };
}

function usageOf(event: unknown): TokenUsage {
  return {
    inputTokens: count(member(event, "usage", "input_tokens")),
    outputTokens: count(member(event, "usage", "output_tokens")),
    cachedTokens: count(member(event, "usage", "cached_input_tokens")),
  };
}
