import { expandPrompt, listPrompts, trimPrompts } from "../../../app/past/prompt-history.ts";
import { oneLine, truncate } from "../../../core/shared/text.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import type { Invocation } from "../command.ts";
import { EXIT, json, line, paint } from "../io.ts";
import { countOption } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const limit = countOption(invocation, "limit");
  const { locations } = invocation.workspace();
  trimPrompts(locations);
  const all = invocation.flag("all");
  const prompts = listPrompts(locations, { all, ...(limit === undefined ? {} : { limit }) });
  const expand = invocation.flag("expand");
  const shown = prompts.map((one) => ({ ...one, prompt: expand ? expandPrompt(locations, one) : one.prompt }));
  if (invocation.flag("json")) {
    json(io, { prompts: shown });
    return EXIT.ok;
  }
  if (shown.length === 0)
    line(
      io,
      locations.mode === "off"
        ? `memory is off (${locations.modeReason ?? ""}): prompts are neither kept nor read`
        : "no prompts yet",
    );
  for (const { time, agent, project, prompt } of shown) {
    const head = paint(io, "dim", `${time.slice(0, 16).replace("T", " ")}  ${agent ?? ""}${all ? `  ${project}` : ""}`);
    line(
      io,
      expand
        ? `${head}\n${stripHidden(prompt)}\n`
        : `${head}  ${truncate(oneLine(stripHidden(prompt)), Math.max(20, io.width - 32))}`,
    );
  }
  return EXIT.ok;
}
