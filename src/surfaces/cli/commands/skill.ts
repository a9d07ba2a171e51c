import { approveCheck, obstacleTo, replay, tryCheck } from "../../../app/skills/check.ts";
import { briefFor, draftFrom } from "../../../app/skills/candidates.ts";
import { giveToRepository, isPublishAgreed, publishSkill, unpublishSkill } from "../../../app/skills/publish.ts";
import { openShelf, type OpenShelf } from "../../../app/skills/shelf.ts";
import { changeSkillsMode, revisionText, rollBack } from "../../../app/skills/skills.ts";
import { listPrompts } from "../../../app/past/prompt-history.ts";
import type { StoredSkill } from "../../../core/skills/store.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { fenced, sanitize } from "../../../core/shared/sanitize.ts";
import type { Invocation } from "../command.ts";
import { SKILL_ACTIONS } from "../catalogue/options.ts";
import { EXIT, UsageError, json, line, unknownAction } from "../io.ts";
import { printCandidates, printList, printSkill, printStats, printTrial } from "./skill-text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [what = "list"] = invocation.positionals;
  const shelf = openShelf(invocation.workspace());
  switch (what) {
    case "list":
      return printList(invocation, shelf);
    case "candidates":
      return printCandidates(invocation, shelf);
    case "stats":
      return printStats(invocation, shelf);
    case "off":
      return off(invocation);
    case "draft":
      return draft(invocation, shelf);
    case "publish":
      return publish(invocation, shelf);
    case "show":
      return show(invocation, shelf);
    case "try":
      return trial(invocation, shelf);
    case "promote":
    case "demote":
    case "retire":
    case "pin":
    case "unpin":
      return say(invocation, shelf, what);
    case "diff":
      return diff(invocation, shelf);
    case "rollback":
      return rollback(invocation, shelf);
    case "unpublish":
      return unpublish(invocation, shelf);
    default:
      throw unknownAction(what, Object.keys(SKILL_ACTIONS));
  }
}

function named({ positionals }: Invocation, shelf: OpenShelf): StoredSkill {
  const [what = "", name] = positionals;
  if (name === undefined || name.trim() === "")
    throw new UsageError(`skill ${what} needs a name: \`memdir skill ${what} NAME\``);
  return shelf.find(name);
}

function numberIn(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`${what} is "${text}"; give the number of a revision`);
  return number;
}

function show(invocation: Invocation, shelf: OpenShelf): number {
  const skill = named(invocation, shelf);
  const text = revisionText(shelf, skill, numberIn(invocation.option("revision"), "--revision"));
  return printSkill(invocation, shelf, skill, text);
}

function off(invocation: Invocation): number {
  changeSkillsMode(invocation.workspace(), "off");
  if (invocation.flag("json")) json(invocation.io, { mode: "off" });
  else
    line(
      invocation.io,
      "skills are off: nothing is learnt, offered or copied. Skills learnt so far stay; `memdir mode --skills observe` starts again",
    );
  return EXIT.ok;
}

async function draft(invocation: Invocation, shelf: OpenShelf): Promise<number> {
  const { io } = invocation;
  const [, source] = invocation.positionals;
  const candidate = invocation.option("from");
  if (source === undefined && candidate !== undefined) return brief(invocation, shelf, candidate);
  if (source !== "-") throw new UsageError("skill draft reads one JSON object: `memdir skill draft - < draft.json`");
  const scope = invocation.option("scope") ?? "project";
  if (scope !== "project" && scope !== "user") throw new UsageError(`--scope is "${scope}"; use project or user`);
  const verdict = await draftFrom(shelf, await io.readInput(), { scope, candidate });
  if (invocation.flag("json")) json(io, verdict);
  else if (verdict.kind === "kept")
    line(
      io,
      `kept as a draft: ${verdict.name}, revision ${verdict.revision}; nobody is shown it before \`memdir skill try ${verdict.name}\``,
    );
  else if (verdict.kind === "waits")
    line(
      io,
      `waits for you (${verdict.reasons.join(", ")}): \`memdir review accept ${verdict.item}\` keeps it as a draft`,
    );
  else line(io, `refused (${verdict.reasons.join(", ")}): ${verdict.message}`);
  return verdict.kind === "refused" ? EXIT.refused : EXIT.ok;
}

/** What the writer of the draft needs; the record is data. */
function brief(invocation: Invocation, shelf: OpenShelf, candidate: string): number {
  const { io } = invocation;
  const { instructions, record, schema } = briefFor(shelf, candidate);
  const handIn = `memdir skill draft --from ${candidate} - < draft.json`;
  if (invocation.flag("json")) json(io, { candidate, instructions, record, schema, handIn });
  else
    for (const text of [
      instructions,
      fenced("skill-candidate", record.split("\n").map(sanitize)),
      `Answer in this form: ${JSON.stringify(schema)}`,
      `Hand it in with \`${handIn}\`; it is only a draft.`,
    ])
      line(io, `${text}\n`);
  return EXIT.ok;
}

/** The user's consent puts a draft on trial, after its check ran in isolation or if it cannot run. */
async function trial(invocation: Invocation, shelf: OpenShelf): Promise<number> {
  const { io } = invocation;
  const skill = named(invocation, shelf);
  if (skill.standing.current.state.stage === "human")
    throw new MemoryError("refused", `you edited ${skill.name}, so it is yours; memdir neither offers nor judges it`);
  const check = (skill.next?.skill ?? skill.skill).check;
  const isAsked = check !== undefined && obstacleTo(shelf.skills) === undefined;
  if (isAsked && (invocation.flag("approve") || invocation.flag("yes"))) approveCheck(shelf.skills, check);
  let outcome = tryCheck(shelf, skill);
  if (outcome.kind === "not-approved") {
    const answer = await io.confirm(`Run \`${outcome.command}\` without home and network, every write thrown away?`);
    if (answer === undefined)
      throw new UsageError(`add --approve to let memdir run \`${outcome.command}\` in isolation`);
    if (!answer) return EXIT.ok;
    approveCheck(shelf.skills, outcome.command);
    outcome = tryCheck(shelf, skill);
  }
  const prompts = listPrompts(invocation.workspace().locations).map(({ prompt }) => prompt);
  const past = replay(skill, prompts);
  if (outcome.kind === "tried" && !past.isTooBroad) shelf.say(shelf.find(skill.name), "try");
  return printTrial(invocation, shelf.find(skill.name), outcome, past);
}

function say(
  invocation: Invocation,
  shelf: OpenShelf,
  action: "promote" | "demote" | "retire" | "pin" | "unpin",
): number {
  const skill = named(invocation, shelf);
  if (skill.standing.current.state.stage === "human" && action !== "retire")
    throw new MemoryError("refused", `you edited ${skill.name}, so it is yours; memdir neither offers nor judges it`);
  shelf.say(skill, action);
  const { state } = shelf.find(skill.name).standing.current;
  if (invocation.flag("json")) json(invocation.io, { name: skill.name, stage: state.stage, pinned: state.pinned });
  else line(invocation.io, `${skill.name} is ${state.stage}${state.pinned ? ", pinned" : ""}`);
  return EXIT.ok;
}

function diff(invocation: Invocation, shelf: OpenShelf): number {
  const skill = named(invocation, shelf);
  const [, , first, second] = invocation.positionals;
  const numbers = skill.standing.revisions.map(({ state }) => state.revision);
  const from = numberIn(first, "the first revision") ?? numbers.at(-2) ?? numbers.at(-1);
  const to = numberIn(second, "the second revision") ?? numbers.at(-1);
  const text = invocation.workspace().lineDiff(revisionText(shelf, skill, from), revisionText(shelf, skill, to));
  if (invocation.flag("json")) json(invocation.io, { name: skill.name, from, to, diff: text });
  else line(invocation.io, from === to ? `${skill.name} has one revision` : text.trimEnd());
  return EXIT.ok;
}

function rollback(invocation: Invocation, shelf: OpenShelf): number {
  const skill = named(invocation, shelf);
  const revision = rollBack(shelf, skill, numberIn(invocation.option("to"), "--to"));
  const { state } = shelf.find(skill.name).standing.current;
  if (invocation.flag("json")) json(invocation.io, { name: skill.name, revision, stage: state.stage });
  else line(invocation.io, `${skill.name} has the earlier text again, as revision ${revision}; it is ${state.stage}`);
  return EXIT.ok;
}

async function publish(invocation: Invocation, shelf: OpenShelf): Promise<number> {
  const { io } = invocation;
  const skill = named(invocation, shelf);
  const to = invocation.option("to") ?? "claude,agents";
  if (to === "repo") {
    const given = giveToRepository(shelf, skill);
    if (invocation.flag("json")) json(io, given);
    else
      for (const { path, state } of given)
        line(io, state === "taken" ? `${path} is another text and stays` : `${path}: for you to look at and commit`);
    return given.some(({ state }) => state === "taken") ? EXIT.conflict : EXIT.ok;
  }
  const clients = [...new Set(to.split(","))].map((name) => {
    if (name !== "claude" && name !== "agents") throw new UsageError(`--to is "${to}"; use claude,agents or repo`);
    return name;
  });
  if (!invocation.flag("yes") && !isPublishAgreed(shelf, skill, clients)) {
    const answer = await io.confirm(
      `Copy promoted skills of the ${skill.scope} scope into the skill folders of ${clients.join(" and ")}, now and when others are promoted?`,
    );
    if (answer === undefined) throw new UsageError("add --yes to publish without a terminal");
    if (!answer) return EXIT.ok;
  }
  const copies = publishSkill(shelf, skill, clients);
  if (invocation.flag("json")) json(io, copies);
  else for (const { path, state } of copies) line(io, COPY[state](path));
  return copies.every(({ state }) => state === "ours") ? EXIT.ok : EXIT.conflict;
}

const COPY = {
  ours: (path: string) => `published: ${path}`,
  foreign: (path: string) => `${path} is not memdir's and stays as it is`,
  changed: (path: string) => `${path} was changed by hand and stays as it is`,
  absent: (path: string) => `no room for ${path}: twelve skills and 2,400 characters of descriptions are the limit`,
} as const;

function unpublish(invocation: Invocation, shelf: OpenShelf): number {
  const skill = named(invocation, shelf);
  const paths = unpublishSkill(shelf, skill);
  if (invocation.flag("json")) json(invocation.io, { removed: paths });
  else if (paths.length === 0) line(invocation.io, `${skill.name} was not published`);
  else for (const path of paths) line(invocation.io, `removed: ${path}`);
  return EXIT.ok;
}
