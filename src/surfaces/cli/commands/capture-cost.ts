import { type Estimate, estimateCapture } from "../../../app/capture/capture-history.ts";
import { openExtractor } from "../../../app/capture/extractor.ts";
import { chooseModel } from "../../../app/models/models.ts";
import { readModelSettings } from "../../../app/workspace/settings.ts";
import type { Extractor } from "../../../app/capture/capture-session.ts";
import { nameOf } from "../../../app/models/models.ts";
import type { Invocation } from "../command.ts";
import { UsageError } from "../exit.ts";
import { counted } from "../../../core/shared/text.ts";

/** Tells what asking the model is going to cost, and asks. `declined`: the person would rather not. */
export async function allowedExtractor(
  invocation: Invocation,
  files: readonly string[],
  again: boolean,
): Promise<Extractor | "declined"> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const { locations } = workspace;
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  const extractor = await openExtractor(workspace);
  if (choice.kind !== "chosen") return extractor;
  const estimate = estimateCapture(locations, files, choice.name, settings, again);
  if (estimate.requests === 0) return extractor;
  io.err(
    `memdir: ${estimateLine(nameOf(choice), estimate)}; today's budget is ${settings.budget.requests} requests, ${settings.budget.tokens} tokens, $${settings.budget.dollars.toFixed(2)}\n`,
  );
  if (invocation.flag("yes")) return extractor;
  const answer = await io.confirm(`Ask ${nameOf(choice)}?`);
  if (answer === undefined) throw new UsageError("a model costs tokens: add --yes to agree without a terminal");
  return answer ? extractor : "declined";
}

function estimateLine(model: string, { sessions, requests, inputTokens, outputTokens, dollars }: Estimate): string {
  const money =
    dollars === undefined
      ? "price unknown"
      : dollars === 0
        ? "no money"
        : `about $${dollars.toFixed(3)} without the provider's cache`;
  return `${model} would be asked about ${counted(sessions, "session")}: at least ${counted(requests, "request")}, about ${inputTokens} tokens in and ${outputTokens} out, ${money}`;
}
