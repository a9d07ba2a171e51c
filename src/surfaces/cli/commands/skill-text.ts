import type { CheckOutcome, Replay } from "../../../app/skills/check.ts";
import type { OpenShelf } from "../../../app/skills/shelf.ts";
import { listSkills, shownCandidates, statsOf } from "../../../app/skills/skills.ts";
import type { StoredSkill } from "../../../core/skills/store.ts";
import { ageInWords } from "../../../core/shared/clock.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import { SKILL_SCOPES, SKILL_STAGES } from "../catalogue/options.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, paint, table } from "../io.ts";

export function printList(invocation: Invocation, shelf: OpenShelf): number {
  const { io } = invocation;
  const state = oneOf(invocation, "state", SKILL_STAGES);
  const scope = oneOf(invocation, "scope", SKILL_SCOPES);
  const rows = listSkills(shelf).filter(
    (row) => (state === undefined || row.stage === state) && (scope === undefined || row.scope === scope),
  );
  const { mode } = shelf.skills.settings();
  const human = shelf.human().length;
  if (invocation.flag("json")) {
    json(io, { mode, skills: rows, people: human });
    return EXIT.ok;
  }
  if (rows.length === 0) line(io, "memdir has learnt no skill here yet; `memdir skill candidates` shows what it noted");
  const now = shelf.skills.clock.now();
  const last = (time: number | undefined): string => (time === undefined ? "" : ageInWords(time, now, undefined));
  for (const row of table(
    rows.map((one) => [
      paint(io, "bold", one.name),
      `${one.stage}${one.pinned ? " (pinned)" : ""}`,
      one.sessions === 0 ? one.evidence : `${one.evidence}, ${counted(one.sessions, "session")}`,
      last(one.lastUse),
      one.where,
      one.why,
    ]),
  ))
    line(io, row);
  for (const { name, next } of rows)
    if (next !== undefined) line(io, `  ${name}: revision ${next.revision} is ${next.stage} (${next.evidence})`);
  if (mode === "observe" || mode === "off")
    line(io, `\nskills: ${mode}; nothing is offered (\`memdir mode --skills confirm\` changes that)`);
  if (human > 0) line(io, `${counted(human, "skill")} of your own or installed: memdir reads and never changes them`);
  return EXIT.ok;
}

/** An option that takes one of a few words; a mistyped word is an error, not an empty list. */
function oneOf(invocation: Invocation, name: string, words: readonly string[]): string | undefined {
  const given = invocation.option(name);
  if (given !== undefined && !words.includes(given))
    throw new UsageError(`--${name} is "${given}"; use one of ${words.join(", ")}`);
  return given;
}

export function printSkill(invocation: Invocation, shelf: OpenShelf, skill: StoredSkill, text: string): number {
  const { io } = invocation;
  const row = listSkills(shelf).find(({ path }) => path === skill.path);
  if (invocation.flag("json")) {
    json(io, { ...row, text, from: skill.skill.from, check: skill.skill.check, events: skill.events });
    return EXIT.ok;
  }
  line(io, text.trimEnd());
  line(io);
  line(io, `${paint(io, "bold", skill.name)} is ${row?.stage ?? ""}: ${row?.why ?? ""}`);
  if (row?.stale !== undefined) line(io, paint(io, "yellow", `stale: ${row.stale}`));
  for (const { state, author } of skill.standing.revisions)
    line(
      io,
      `  revision ${state.revision}, by ${author}: ${state.stage}, ${state.passes} passed, ${state.fails} failed`,
    );
  line(io, `  ${skill.path}`);
  return EXIT.ok;
}

export function printCandidates(invocation: Invocation, shelf: OpenShelf): number {
  const { io } = invocation;
  const candidates = shownCandidates(shelf);
  if (invocation.flag("json")) json(io, candidates);
  else if (candidates.length === 0)
    line(io, "no candidates: memdir notes a task of five calls or more that ended well and could be checked");
  else
    for (const row of table(
      candidates.map(({ id, time, description, wants, refused, draft }) => [
        id,
        new Date(time).toISOString().slice(0, 10),
        draft ??
          (refused.length > 0 ? `refused: ${refused.join(", ")}` : wants.length > 0 ? wants.join(", ") : "waits"),
        truncate(oneLine(description), Math.max(40, io.width - 50)),
      ]),
    ))
      line(io, row);
  return EXIT.ok;
}

export function printTrial(invocation: Invocation, skill: StoredSkill, outcome: CheckOutcome, past: Replay): number {
  const { io } = invocation;
  const { state } = skill.standing.next ?? skill.standing.current;
  const isOn = state.stage === "trial";
  if (invocation.flag("json")) json(io, { name: skill.name, stage: state.stage, check: outcome, replay: past });
  else {
    line(io, sentence(outcome));
    line(io, `in the past it would have been offered at ${past.met} of ${counted(past.prompts, "prompt")}`);
    for (const prompt of past.examples) line(io, `  ${truncate(oneLine(prompt), Math.max(40, io.width - 4))}`);
    if (past.isTooBroad)
      line(io, paint(io, "yellow", "that is more than a tenth of them: its description must say more exactly when"));
    line(io, isOn ? `${skill.name} is on trial` : `${skill.name} is ${state.stage}: ${state.why}`);
  }
  return isOn || state.stage === "promoted" ? EXIT.ok : EXIT.failed;
}

function sentence(outcome: CheckOutcome): string {
  if (outcome.kind === "no-check") return "it has no check, so nothing can prove it";
  if (outcome.kind === "not-approved") return `\`${outcome.command}\` was not run`;
  const { result, note, ms } = outcome;
  const after = note === "" ? "" : `\n${note}`;
  switch (result) {
    case "passed":
      return `its check passed in ${(ms / 1000).toFixed(1)} s, without home and network; every write was thrown away`;
    case "failed":
      return `its check failed in isolation: ${after}`;
    case "vacuous":
      return "its check passes on an empty tree too, so it shows nothing";
    case "not-isolated":
      return `its check was not run, since memdir cannot isolate it here: ${note}`;
  }
}

export function printStats(invocation: Invocation, shelf: OpenShelf): number {
  const { io } = invocation;
  const [, name] = invocation.positionals;
  const all = (name === undefined ? shelf.list() : [shelf.find(name)]).map(statsOf);
  if (invocation.flag("json")) json(io, all);
  else if (all.length === 0) line(io, "there are no skills yet");
  else
    for (const row of table([
      ["skill", "offered", "loaded", "followed", "passed", "failed", "harm", "calls", "P(p > 0.5)"],
      ...all.map((one) => [
        one.name,
        ...[one.offers, one.loads, one.follows, one.passes, one.fails, one.harm].map(String),
        one.callsWhenFollowed === undefined ? "too few" : String(one.callsWhenFollowed),
        String(one.posterior),
      ]),
    ]))
      line(io, row);
  return EXIT.ok;
}
