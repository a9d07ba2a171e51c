import { sha256 } from "../../core/shared/hash.ts";
import { parseJson, record } from "../../core/shared/json.ts";
import { needsOf } from "../../core/skills/proposal.ts";
import { commandsOf } from "../../core/skills/skill.ts";
import type { StoredSkill } from "../../core/skills/store.ts";
import { isApproved, obstacleTo, tryCheck } from "./check.ts";
import type { OpenShelf } from "./shelf.ts";

/** At most so many checks at a time (each a minute at most). */
const MOST_CHECKS = 3;

/** What time and the tree do to skills: stale ones fall, drafts whose check a person allowed are tried, offers follow the clock. */
export function upkeepSkills(shelf: OpenShelf): void {
  const { mode } = shelf.skills.settings();
  if (mode === "off") return;
  const all = shelf.list();
  for (const stored of all) noteStale(shelf, stored);
  let left = MOST_CHECKS;
  for (const stored of all) {
    const draft = stored.standing.next ?? stored.standing.current;
    const { check, from } = stored.next?.skill ?? stored.skill;
    const isUntried = draft.state.stage === "draft" && !draft.failed && draft.tried === undefined;
    // What no task stands behind, whoever handed it in, a person tries or nobody.
    if (!isUntried || draft.author === "recipe" || from.length === 0 || check === undefined || left === 0) continue;
    if (obstacleTo(shelf.skills) === undefined && !isApproved(shelf.skills, check)) continue;
    tryCheck(shelf, stored);
    left--;
  }
  if (all.length > 0) shelf.change(() => undefined);
}

function noteStale(shelf: OpenShelf, { scope, name, skill, standing }: StoredSkill): void {
  const { state, stale } = standing.current;
  const { skills } = shelf;
  const checkout = skills.locations.project?.checkout;
  if (scope !== "project" || checkout === undefined || stale !== undefined || state.stage !== "promoted") return;
  const needs = needsOf([...commandsOf(skill.body), ...(skill.check === undefined ? [] : [skill.check])]);
  const scripts = record(record(parseJson(skills.readText(`${checkout}/package.json`) ?? ""))["scripts"]);
  const what =
    needs.files.find((file) => skills.readText(`${checkout}/${file}`) === undefined) ??
    needs.scripts.find((script) => typeof scripts[script] !== "string");
  if (what === undefined) return;
  const time = skills.clock.now();
  const id = sha256(["stale", skill.id, state.revision, what].join(":")).slice(0, 16);
  shelf.change((writer) =>
    writer.append(scope, name, [{ kind: "stale", id, time, revision: state.revision, what: `${what} is gone` }]),
  );
}

/** A check command that waits for a person's yes before memdir runs it. */
export function checksToApprove(shelf: OpenShelf): readonly { readonly name: string; readonly command: string }[] {
  if (obstacleTo(shelf.skills) !== undefined) return [];
  return shelf.list().flatMap(({ name, skill, next, standing }) => {
    const draft = standing.next ?? standing.current;
    const { check: command, from } = next?.skill ?? skill;
    const waits = draft.state.stage === "draft" && !draft.failed && draft.author !== "recipe" && from.length > 0;
    return waits && command !== undefined && !isApproved(shelf.skills, command) ? [{ name, command }] : [];
  });
}
