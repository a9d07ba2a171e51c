import type { RecallOutcome } from "../../../core/memory/recall-notes.ts";
import { verifySelected } from "../../../core/memory/verify-notes.ts";
import { recallCommand } from "../recall-command.ts";
import type { Invocation } from "../command.ts";
import { sessionOption } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const words = invocation.positionals.join(" ");
  const prompt = words === "-" || words === "" ? await invocation.io.readInput() : words;
  const workspace = invocation.workspace();
  const verify = invocation.flag("no-verify") ? undefined : (outcome: RecallOutcome): RecallOutcome => verifySelected(workspace, outcome);
  return recallCommand(workspace, invocation.io, prompt, { json: invocation.flag("json"), explain: invocation.flag("explain"), verify, session: sessionOption(invocation), touched: invocation.options("touched") });
}
