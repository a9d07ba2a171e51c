import { lapsedSentence, ruleWords } from "../../../app/capture/review.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { mayWrite, modeIn, refusedByMode } from "../../../app/workspace/modes.ts";
import {
  acceptEntry,
  type AcceptResult,
  type EditRefused,
  editEntry,
  entryText,
  rejectEntry,
  ruleOf,
} from "../../../app/capture/review.ts";
import type { ReviewEntry, ReviewRule } from "../../../core/capture/review-queue.ts";
import { isExclusion } from "../../../app/notes/gate.ts";
import { shownRef } from "../../../app/workspace/workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, END_OF_INPUT, type Io, json, keptEdit, line, paint, unknownAction } from "../io.ts";
import { entryJson, printEntry, printRules } from "./review-text.ts";
import { printWaitingSkills, waitingAmong, waitingSkills } from "./review-skills.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { flag } = invocation;
  const [verb, ...ids] = invocation.positionals;
  const workspace = invocation.workspace();
  if (workspace.mode === "off") throw refusedByMode("memory", { mode: "off", reason: workspace.locations.modeReason });
  if (flag("rules")) return showRules(invocation, workspace);
  if (verb === undefined && (flag("list") || flag("json"))) return showQueue(invocation, workspace);
  requireWritable(workspace);
  switch (verb) {
    case undefined:
      return goThrough(invocation, workspace);
    case "accept":
    case "reject":
      return settleAll(invocation, workspace, ids, verb === "accept");
    case "edit":
      return editOne(invocation, workspace, ids);
    case "drop-rule":
      return dropRules(invocation, workspace, ids);
    default:
      throw unknownAction(verb, ["accept", "reject", "edit", "drop-rule"]);
  }
}

/** The queue belongs to the project: if the project must not be written, its queue must not be emptied either. */
function requireWritable({ modes }: OpenWorkspace): void {
  const choice = modeIn(modes, "project");
  if (!mayWrite(choice.mode)) throw refusedByMode("memory of the project scope", choice);
}

interface Settled {
  readonly id: string;
  readonly ok: boolean;
  readonly outcome: string;
  readonly words: string;
}

async function accept(workspace: OpenWorkspace, entry: ReviewEntry, always: boolean): Promise<Settled> {
  const { id } = entry;
  if (always && entry.doubtful)
    return {
      id,
      ok: false,
      outcome: "refused",
      words: `not accepted: ${entry.reason}; notes of this kind always wait for you, so --always does not apply`,
    };
  const result = await acceptEntry(workspace, id);
  const ok = result.outcome === "accepted" || result.outcome === "known";
  const rule = always && ok ? addRule(workspace, entry, "always") : undefined;
  return { id, ok, outcome: result.outcome, words: `${acceptWords(workspace, result)}${ruleTold(rule)}` };
}

function acceptWords(workspace: OpenWorkspace, result: AcceptResult): string {
  switch (result.outcome) {
    case "accepted":
      return `accepted: ${shownRef(workspace, { scoped: result.note.scoped, file: result.note.file ?? "" })}`;
    case "known":
      return `already saved: ${result.file}`;
    case "stale":
      return `stale, not saved: ${result.why}; \`memdir review reject\` removes it`;
    case "refused":
      return `refused: ${result.message} (\`memdir review edit ID\`)`;
    case "gone":
      return "gone: someone else already decided";
  }
}

function reject(workspace: OpenWorkspace, entry: ReviewEntry, never: boolean): Settled {
  const isDone = rejectEntry(workspace, entry.id);
  const rule = never ? addRule(workspace, entry, "never") : undefined;
  return {
    id: entry.id,
    ok: isDone,
    outcome: isDone ? "rejected" : "gone",
    words: `${isDone ? "rejected" : "gone: someone else already decided"}${ruleTold(rule)}`,
  };
}

function addRule({ review, clock }: OpenWorkspace, entry: ReviewEntry, verdict: ReviewRule["verdict"]): ReviewRule {
  const rule = ruleOf(entry, verdict, clock.now());
  review.addRule(rule);
  return rule;
}

function ruleTold(rule: ReviewRule | undefined): string {
  return rule === undefined
    ? ""
    : `; from now on: ${ruleWords(rule)} (\`memdir review drop-rule ${rule.id}\` takes it back)`;
}

/** Every id is found before anything is settled. */
async function settleAll(
  { io, flag }: Invocation,
  workspace: OpenWorkspace,
  ids: readonly string[],
  isAccept: boolean,
): Promise<number> {
  if (ids.length === 0 && !flag("all")) throw new UsageError("review needs ids from `memdir review --list`, or --all");
  const waiting = workspace.review.entries();
  const skills = waitingAmong(workspace, ids);
  const named = skills.others.map((id) => requireEntry(waiting, id));
  const settled: Settled[] = [...(await skills.settle(isAccept))];
  for (const entry of flag("all") ? waiting : named)
    settled.push(isAccept ? await accept(workspace, entry, flag("always")) : reject(workspace, entry, flag("never")));
  if (flag("json"))
    json(io, {
      settled: settled.map(({ id, outcome, words }) => ({ id, outcome, message: words })),
      waiting: workspace.review.entries().length,
    });
  else if (settled.length === 0) line(io, "nothing waits for review");
  else for (const { id, words } of settled) line(io, `${paint(io, "cyan", id)}  ${words}`);
  return settled.every(({ ok }) => ok) ? EXIT.ok : EXIT.conflict;
}

/** By id or the beginning of an id. @throws MemoryError `not-found`. */
function requireEntry(entries: readonly ReviewEntry[], id: string): ReviewEntry {
  const found = entries.filter((entry) => id !== "" && entry.id.startsWith(id));
  const [entry] = found;
  if (entry === undefined || found.length > 1)
    throw new MemoryError(
      "not-found",
      `${found.length > 1 ? "more than one entry begins with" : "no entry begins with"} "${id}"; \`memdir review --list\` shows what waits`,
    );
  return entry;
}

function showQueue({ io, flag }: Invocation, workspace: OpenWorkspace): number {
  const entries = workspace.review.entries();
  const lapsed = workspace.review.lapsed();
  if (flag("json")) {
    json(io, {
      waiting: entries.map(entryJson),
      lapsed: lapsed ?? null,
      damaged: workspace.review.damaged(),
      skills: waitingSkills(workspace),
    });
    return EXIT.ok;
  }
  for (const entry of entries) {
    printEntry(io, workspace, entry);
    line(io);
  }
  if (entries.length > 0)
    line(io, `${counted(entries.length, "waits", "wait")}; \`memdir review accept ID\`, \`reject ID\`, \`edit ID\``);
  printWaitingSkills(io, workspace, entries.length);
  tellRest(io, workspace);
  return EXIT.ok;
}

/** Reports what is lost or damaged, lapsed entries only once. */
function tellRest(io: Io, workspace: OpenWorkspace): void {
  const lapsed = workspace.review.lapsed();
  if (lapsed !== undefined) line(io, paint(io, "yellow", lapsedSentence(lapsed)));
  if (mayWrite(workspace.mode)) workspace.review.forgetLapsed();
  const damaged = workspace.review.damaged();
  if (damaged.length > 0)
    line(
      io,
      paint(io, "yellow", `${counted(damaged.length, "damaged file")} in the queue: ${damaged.slice(0, 3).join(", ")}`),
    );
}

function showRules({ io, flag }: Invocation, { review }: OpenWorkspace): number {
  const rules = review.rules();
  if (flag("json")) json(io, { rules: rules.map((rule) => ({ ...rule, words: ruleWords(rule) })) });
  else printRules(io, rules);
  return EXIT.ok;
}

function dropRules({ io, flag }: Invocation, { review }: OpenWorkspace, ids: readonly string[]): number {
  if (ids.length === 0) throw new UsageError("drop-rule needs an id from `memdir review --rules`");
  const dropped = ids.map((id) => ({ id, isDone: review.removeRule(id) }));
  if (flag("json")) json(io, { dropped: dropped.flatMap(({ id, isDone }) => (isDone ? [id] : [])) });
  else for (const { id, isDone } of dropped) line(io, isDone ? `dropped: ${id}` : `there is no rule ${id}`);
  return dropped.every(({ isDone }) => isDone) ? EXIT.ok : EXIT.notFound;
}

async function editOne(invocation: Invocation, workspace: OpenWorkspace, [id]: readonly string[]): Promise<number> {
  if (id === undefined) throw new UsageError("edit needs an id from `memdir review --list`");
  const entry = requireEntry(workspace.review.entries(), id);
  const words = await edit(invocation.io, workspace, entry, invocation.flag("force"));
  if (invocation.flag("json")) json(invocation.io, { id: entry.id, message: words });
  else line(invocation.io, words);
  return EXIT.ok;
}

async function edit(io: Io, workspace: OpenWorkspace, entry: ReviewEntry, insist = false): Promise<string> {
  const before = entryText(workspace, entry);
  if (before === undefined) return "nothing to edit: this entry only retires a note";
  const after = await io.editText(before, `${entry.id}.md`);
  if (after === undefined) throw new MemoryError("invalid-input", "no editor: set $EDITOR");
  if (after === before) return "unchanged";
  const result = await editEntry(workspace, entry.id, after, { insist });
  if (result.outcome === "refused") throw new MemoryError("refused", refusedEdit(io, result, entry.id, after));
  return result.outcome === "edited" ? "edited; it still waits" : "gone: someone else already decided";
}

/** A refused text stays on the disk unless it holds a secret or hidden characters. */
function refusedEdit(io: Io, { message, reason }: EditRefused, id: string, text: string): string {
  if (reason === "secret" || reason === "hidden-characters") return message;
  const force =
    reason === undefined || !isExclusion({ reason }) ? "" : `, or keep this with \`memdir review edit ${id} --force\``;
  return `${message}${force}; ${keptEdit(io, text, `${id}.md`)}`;
}

const QUESTION = "[a]ccept [e]dit [r]eject a[l]ways [n]ever [s]kip [q]uit > ";
/** Retiring a note is decided case by case: no rule can decide for the next one. */
const RETIRE_QUESTION = "[a]ccept: the note goes  [r]eject: it stays  [s]kip  [q]uit > ";

async function goThrough({ io }: Invocation, workspace: OpenWorkspace): Promise<number> {
  const entries = workspace.review.entries();
  if (entries.length > 0 && !io.canAsk)
    throw new UsageError(
      "review asks one by one on a terminal; without one use --list, then accept ID, reject ID or --all",
    );
  for (const [index, entry] of entries.entries()) {
    line(io, paint(io, "dim", `\n${index + 1} of ${entries.length}`));
    const answer = await decide(io, workspace, entry.id);
    if (answer === "quit") break;
  }
  const left = workspace.review.entries().length;
  if (left > 0) line(io, `${counted(left, "note waits", "notes wait")} for review`);
  printWaitingSkills(io, workspace, left);
  tellRest(io, workspace);
  return EXIT.ok;
}

/** Asks about one entry until it is decided. */
async function decide(io: Io, workspace: OpenWorkspace, id: string): Promise<"next" | "quit"> {
  for (;;) {
    const entry = workspace.review.entries().find((one) => one.id === id);
    if (entry === undefined) return "next"; // it was settled elsewhere meanwhile
    printEntry(io, workspace, entry);
    const isRetire = entry.operation.kind === "retire";
    const answer = (await io.ask(isRetire ? RETIRE_QUESTION : QUESTION))?.trim().toLowerCase();
    if (isRetire && ["e", "l", "n"].includes(answer ?? "")) {
      line(io, `unknown answer "${answer ?? ""}"; use one of a, r, s, q`);
      continue;
    }
    switch (answer) {
      case undefined:
      case END_OF_INPUT:
      case "q":
        return "quit";
      case "s":
      case "":
        return "next";
      case "e":
        line(io, await tried(() => edit(io, workspace, entry)));
        break;
      case "a":
      case "l": {
        const { ok, words } = await accept(workspace, entry, answer === "l");
        line(io, words);
        if (ok) return "next";
        break;
      }
      case "r":
      case "n":
        line(io, reject(workspace, entry, answer === "n").words);
        return "next";
      default:
        line(io, `unknown answer "${answer}"; use one of a, e, r, l, n, s, q`);
    }
  }
}

/** After a refused edit the user is asked again. */
async function tried(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MemoryError) return error.message;
    throw error;
  }
}
