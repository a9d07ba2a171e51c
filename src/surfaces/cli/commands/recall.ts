import { recallCommand } from "../recall-command.ts";
import type { Invocation } from "../command.ts";
import { sessionOption } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const words = invocation.positionals.join(" ");
  const prompt = words === "-" || words === "" ? await invocation.io.readInput() : words;
  return recallCommand(invocation.workspace(), invocation.io, prompt, { json: invocation.flag("json"), explain: invocation.flag("explain"), verify: !invocation.flag("no-verify"), session: sessionOption(invocation), touched: invocation.options("touched") });
}
