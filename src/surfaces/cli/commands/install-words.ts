import type { FilePlan } from "../../../app/install/install.ts";
import { lineDiff } from "../../../app/install/line-diff.ts";
import { INSTALLABLE, type Installable, type InstallScope } from "../../../app/install/targets.ts";
import { redactTokens } from "../../../core/shared/sanitize.ts";
import type { Invocation } from "../command.ts";
import { UsageError, type Io, line, paint } from "../io.ts";

/** The clients named on the command line; empty if none. */
export function namedClients({ positionals }: Invocation): readonly Installable[] {
  return [...new Set(positionals)].map((name) => {
    const known = INSTALLABLE.find((one) => one === name);
    if (known === undefined) throw new UsageError(`unknown client "${name}"; use one of ${INSTALLABLE.join(", ")}`);
    return known;
  });
}

export function scopeOf(invocation: Invocation): InstallScope | undefined {
  if (invocation.flag("user") && invocation.flag("project")) throw new UsageError("give --user or --project, not both");
  return invocation.flag("project") ? "project" : invocation.flag("user") ? "user" : undefined;
}

/** Unified diff of one file. The client's lines around a change may hold tokens, so they are redacted. */
function diffOf({ file, outcome }: FilePlan): string {
  if (outcome.state !== "change") return "";
  const name = (text: string | undefined): string => (text === undefined ? "/dev/null" : file);
  const rows = lineDiff(outcome.before ?? "", outcome.after ?? "").split("\n");
  const plain = (row: string): string => row.slice(1).replace(/,?\r?$/u, "");
  const theirs = new Set(rows.filter((row) => /^[ -]/u.test(row)).map(plain));
  const hunks = rows.map((row) => (theirs.has(plain(row)) ? redactTokens(row) : row));
  return [`--- ${name(outcome.before)}`, `+++ ${name(outcome.after)}`, ...hunks].join("\n");
}

export function printDiff(io: Io, plan: FilePlan): void {
  for (const row of diffOf(plan).replaceAll("\r", "").split("\n")) {
    const style =
      row.startsWith("+++") || row.startsWith("---")
        ? "bold"
        : row.startsWith("+")
          ? "green"
          : row.startsWith("-")
            ? "red"
            : row.startsWith("@@")
              ? "cyan"
              : undefined;
    line(io, style === undefined ? row : paint(io, style, row));
  }
  line(io);
}

/** One file of a plan as JSON. */
export function fileJson(plan: FilePlan): object {
  const { agent, scope, file, what, outcome } = plan;
  if (outcome.state === "same") return { client: agent, scope, file, what, change: "none" };
  if (outcome.state === "refused")
    return { client: agent, scope, file, what, change: "refused", line: outcome.line, why: outcome.why };
  const change = outcome.before === undefined ? "create" : outcome.after === undefined ? "remove" : "edit";
  return { client: agent, scope, file, what, change, diff: diffOf(plan) };
}

/** @throws UsageError when no user can be asked. */
export async function isAgreed(invocation: Invocation, question: string, what: string): Promise<boolean> {
  if (invocation.flag("yes")) return true;
  const answer = await invocation.io.confirm(question);
  if (answer === undefined)
    throw new UsageError(
      `${what} changes your agents' settings: add --yes to do it without a terminal, or --dry-run to look first`,
    );
  return answer;
}
