import { checksToApprove } from "../../../app/skills/upkeep.ts";
import { openShelf } from "../../../app/skills/shelf.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import type { Invocation } from "../command.ts";
import { type Io, line, paint } from "../io.ts";

/** So many are shown; `skill list --state draft` has the rest. */
const MOST_SHOWN = 5;

/** Skills that wait for a person, after the notes. */
export function waitingSkills(workspace: OpenWorkspace) {
  const shelf = openShelf(workspace);
  return {
    drafts: shelf.waiting().map(({ id, reasons, why, proposal }) => ({ id, name: proposal.name, reasons, why })),
    demoted: shelf
      .list()
      .filter(({ standing }) => standing.current.state.stage === "demoted")
      .map(({ name, standing }) => ({ name, why: standing.current.state.why })),
    checks: checksToApprove(shelf),
  };
}

/** Prints them behind the notes, `left` of which wait. */
export function printWaitingSkills(io: Io, workspace: OpenWorkspace, left: number): void {
  const { drafts, demoted, checks } = waitingSkills(workspace);
  if (left === 0)
    line(io, `${drafts.length + demoted.length + checks.length === 0 ? "nothing" : "no note"} waits for review`);
  const lines = [
    ...drafts.map(({ id, name, why }) => `${paint(io, "cyan", id)}  skill ${name}: ${why.join("; ")}`),
    ...demoted.map(({ name, why }) => `skill ${name} was demoted (${why}): \`memdir skill show ${name}\``),
    ...checks.map(
      ({ name, command }) =>
        `skill ${name} waits until you allow its check, \`${command}\`: \`memdir skill try ${name}\``,
    ),
  ];
  for (const text of lines.slice(0, MOST_SHOWN)) line(io, text);
  if (lines.length > MOST_SHOWN) line(io, `and ${lines.length - MOST_SHOWN} more about skills: \`memdir skill list\``);
}

/** Settles the ids that are skills' and returns the others. */
export async function settleSkills(
  { io }: Invocation,
  workspace: OpenWorkspace,
  ids: readonly string[],
  accept: boolean,
): Promise<readonly string[]> {
  const notes = workspace.review.entries();
  const shelf = openShelf(workspace);
  const waiting = shelf.waiting();
  const others: string[] = [];
  for (const id of ids) {
    const draft = notes.some((entry) => entry.id.startsWith(id))
      ? undefined
      : waiting.find((one) => one.id.startsWith(id));
    if (draft === undefined) others.push(id);
    else {
      const verdict = await shelf.settleWaiting(draft.id, accept);
      const words =
        verdict.kind === "kept"
          ? `kept as a draft: ${verdict.name}`
          : accept
            ? `not kept: ${verdict.reasons.join(", ")}`
            : "rejected";
      line(io, `${paint(io, "cyan", draft.id)}  ${words}`);
    }
  }
  return others;
}
