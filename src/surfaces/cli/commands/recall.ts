import { openAsOf } from "../../../app/recall/as-of.ts";
import { verifierOf } from "../../../app/recall/verify-notes.ts";
import { recallCommand } from "../recall-command.ts";
import type { Invocation } from "../command.ts";
import { UsageError, warn } from "../io.ts";
import { asOfTime, sessionOption, textGiven } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const prompt = await textGiven(invocation.io, invocation.positionals);
  const workspace = invocation.workspace();
  warn(invocation.io, workspace.likelierStore());
  const shown = {
    json: invocation.flag("json"),
    raw: invocation.flag("raw"),
    explain: invocation.flag("explain"),
    touched: invocation.options("touched"),
  };
  const asOf = invocation.option("as-of");
  if (asOf !== undefined) return recallPast(invocation, prompt, asOfTime(asOf), shown);
  const verify = invocation.flag("no-verify") ? undefined : verifierOf(workspace);
  const { locations } = workspace;
  const session = sessionOption(invocation);
  return recallCommand(workspace, invocation.io, prompt, { ...shown, locations, verify, session });
}

function recallPast(
  invocation: Invocation,
  prompt: string,
  ms: number,
  shown: {
    readonly json: boolean;
    readonly raw: boolean;
    readonly explain: boolean;
    readonly touched: readonly string[];
  },
): number {
  if (invocation.option("session") !== undefined)
    throw new UsageError("--session is for what a conversation has now; leave it out with --as-of");
  const past = openAsOf(invocation.workspace(), ms);
  try {
    return recallCommand(past, invocation.io, prompt, { ...shown, past: true });
  } finally {
    past.close();
  }
}
