import { askedWords, openVocabulary } from "../../core/recall/prompt.ts";
import {
  choosePublished,
  PUBLISH_TARGETS,
  type Offerable,
  OFFERS_FILE,
  parseOffers,
  recordWords,
  renderOffers,
  withinCeilings,
} from "../../core/skills/offer.ts";
import type { RevisionState } from "../../core/skills/state.ts";
import type { StoredSkill } from "../../core/skills/store.ts";
import type { SkillText } from "../../core/skills/types.ts";
import type { Skills } from "./open-skills.ts";

/** Updates what is derived from skills: the offers that hooks read, and the clients' copies. Needs the lock. */
export function follow(skills: Skills): void {
  followOffers(skills);
  followInFolders(skills);
}

/** Without offers there is no file, so a hook only checks that it does not exist. */
function followOffers(skills: Skills): void {
  const file = `${skills.place.root}/${OFFERS_FILE}`;
  const { mode } = skills.settings();
  const isOffering = mode === "auto" || mode === "confirm";
  const ours = [skills.place.user, skills.place.project];
  const text = skills.readText(file);
  const others = parseOffers(text ?? "").filter(({ place }) => !ours.includes(place));
  const offers = isOffering ? [...others, ...offersOf(skills)] : [];
  const next = offers.length === 0 ? undefined : renderOffers(offers);
  if (next === text) return;
  if (next === undefined) skills.removeFile(file);
  else skills.putText(file, next);
}

function offersOf(skills: Skills): readonly Offerable[] {
  const all = skills.store.list();
  return (["project", "user"] as const).flatMap((scope) => {
    const { trials, promoted } = withinCeilings(all.filter((one) => one.scope === scope));
    const retired = all.filter((one) => one.scope === scope && one.standing.current.state.stage === "retired");
    return [
      ...promoted.map((one) => offerable(skills, one, one.skill, one.standing.current, one.path)),
      ...trials.map((one) =>
        one.next === undefined || one.standing.next === undefined
          ? offerable(skills, one, one.skill, one.standing.current, one.path)
          : offerable(skills, one, one.next.skill, one.standing.next, one.next.path),
      ),
      ...retired.map((one) => offerable(skills, one, one.skill, one.standing.current, one.path)),
    ].flatMap((one) => one ?? []);
  });
}

function offerable(
  skills: Skills,
  { scope, name }: StoredSkill,
  text: SkillText,
  { state, until }: RevisionState,
  path: string,
): Offerable | undefined {
  const { stage } = state;
  if (stage !== "trial" && stage !== "promoted" && stage !== "retired") return undefined;
  const place = skills.directoryOf(scope);
  if (place === undefined) return undefined;
  return {
    place,
    scope,
    id: text.id,
    name,
    revision: text.revision,
    stage,
    record: recordWords(state),
    description: text.description,
    path,
    terms: triggerTerms(text),
    until,
  };
}

/** The words by which a prompt finds a skill, in the forms that recall uses for prompts. */
export function triggerTerms({ name, description }: Pick<SkillText, "name" | "description">): readonly string[] {
  const words = askedWords(`${name.replaceAll("-", " ")} ${description}`, openVocabulary());
  return [...new Set(words.flatMap(({ forms }) => forms))];
}

/** Copies promoted skills if the user agreed to copies, and removes all others except those the user changed. */
function followInFolders(skills: Skills): void {
  const { publish, unpublished, mode } = skills.settings();
  const all = skills.store.list();
  const wanted = (["user", "project"] as const).flatMap((scope) => {
    const place = skills.directoryOf(scope);
    const clients = place === undefined || mode === "off" ? [] : (publish[place] ?? []);
    const promoted = all.filter(
      (one) =>
        one.scope === scope && one.standing.current.state.stage === "promoted" && !unpublished.includes(one.skill.id),
    );
    return choosePublished(promoted).flatMap((one) =>
      PUBLISH_TARGETS.filter((client) => clients.includes(client)).flatMap((client) => {
        const path = skills.folders.target(client, scope, one.name);
        return path === undefined || place === undefined ? [] : [{ path, client, place, one }];
      }),
    );
  });
  const ours = [skills.place.user, skills.place.project];
  for (const copy of skills.folders.published())
    if ((mode === "off" || ours.includes(copy.place)) && !wanted.some(({ path }) => path === copy.path))
      skills.folders.withdraw(copy.path);
  for (const { path, client, place, one } of wanted)
    skills.folders.publish({ path, client, place, skill: one.skill.id, revision: one.skill.revision }, one.text);
}
