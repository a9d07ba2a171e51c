import { checksToApprove } from "../../../app/skills/check.ts";
import { openShelf, type OpenShelf } from "../../../app/skills/shelf.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { type Io, line, paint } from "../io.ts";

/** Skills shown at most; `skill list --state draft` lists the rest. */
const MOST_SHOWN = 5;

/** Skills that wait for the user, shown after the notes. */
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

/** Prints them after the notes, of which `left` still wait. */
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

/** The outcome for a draft, reported like that of a note. */
export interface SettledSkill {
  readonly id: string;
  readonly ok: boolean;
  readonly outcome: "accepted" | "refused" | "rejected";
  readonly words: string;
}

/** Waiting drafts that the ids name, not yet settled, and the ids that name none. Notes take precedence. */
export function waitingAmong(
  workspace: OpenWorkspace,
  ids: readonly string[],
): { readonly settle: (accept: boolean) => Promise<readonly SettledSkill[]>; readonly others: readonly string[] } {
  const notes = workspace.review.entries();
  const shelf = openShelf(workspace);
  const waiting = shelf.waiting();
  const drafts: string[] = [];
  const others: string[] = [];
  for (const id of ids) {
    const [draft, second] =
      id === "" || notes.some((entry) => entry.id.startsWith(id)) ? [] : waiting.filter((one) => one.id.startsWith(id));
    if (second !== undefined)
      throw new MemoryError(
        "not-found",
        `more than one draft begins with "${id}"; \`memdir review --list\` shows them`,
      );
    if (draft === undefined) others.push(id);
    else if (!drafts.includes(draft.id)) drafts.push(draft.id);
  }
  const settle = async (accept: boolean): Promise<readonly SettledSkill[]> => {
    const settled: SettledSkill[] = [];
    for (const id of drafts) settled.push(await settleDraft(shelf, id, accept));
    return settled;
  };
  return { settle, others };
}

async function settleDraft(shelf: OpenShelf, id: string, accept: boolean): Promise<SettledSkill> {
  const verdict = await shelf.settleWaiting(id, accept);
  if (verdict.kind === "kept") return { id, ok: true, outcome: "accepted", words: `kept as a draft: ${verdict.name}` };
  return accept
    ? { id, ok: false, outcome: "refused", words: `not kept: ${verdict.reasons.join(", ")}` }
    : { id, ok: true, outcome: "rejected", words: "rejected" };
}
