import { MemoryError } from "../../core/shared/errors.ts";
import { PUBLISH_TARGETS, type PublishClient } from "../../core/skills/offer.ts";
import type { StoredSkill } from "../../core/skills/store.ts";
import { changeSkillSettings } from "../workspace/skills-mode.ts";
import type { Skills } from "./open-skills.ts";
import type { OpenShelf } from "./shelf.ts";

export interface PublishedTo {
  readonly path: string;
  /** `foreign`, `changed`: a person's file is there and stays. `absent`: no room among the published ones. */
  readonly state: "ours" | "foreign" | "changed" | "absent";
}

/** Lets memdir copy what is promoted in this scope into these clients' folders, from now on. @throws MemoryError `refused` */
export function publishSkill(
  shelf: OpenShelf,
  { name, scope, skill, standing }: StoredSkill,
  clients: readonly PublishClient[],
): readonly PublishedTo[] {
  const { skills } = shelf;
  if (standing.current.state.stage !== "promoted")
    throw new MemoryError(
      "refused",
      `${name} is ${standing.current.state.stage}; only a promoted skill is published (\`memdir skill promote ${name}\` is your word for it)`,
    );
  const place = skills.directoryOf(scope) ?? "";
  const { publish, unpublished } = skills.settings();
  changeSkillSettings(skills.locations.memdirHome, {
    publish: { ...publish, [place]: [...new Set([...(publish[place] ?? []), ...clients])] },
    unpublished: unpublished.filter((id) => id !== skill.id),
  });
  shelf.change(() => undefined);
  return clients.flatMap((client) => {
    const path = skills.folders.target(client, scope, name);
    return path === undefined ? [] : [{ path, state: skills.folders.stateOf(path) }];
  });
}

/** Whether a person agreed to copies of this scope's skills before. */
export function isPublishAgreed(
  { skills }: OpenShelf,
  { scope }: StoredSkill,
  clients: readonly PublishClient[],
): boolean {
  const agreed = skills.settings().publish[skills.directoryOf(scope) ?? ""] ?? [];
  return clients.every((client) => agreed.includes(client));
}

/** Takes a skill's copies out of the clients' folders, for good. */
export function unpublishSkill(shelf: OpenShelf, { skill }: StoredSkill): readonly string[] {
  const { skills } = shelf;
  const before = skills.folders.published().filter((copy) => copy.skill === skill.id);
  const { unpublished } = skills.settings();
  changeSkillSettings(skills.locations.memdirHome, { unpublished: [...new Set([...unpublished, skill.id])] });
  shelf.change(() => undefined);
  return before.map(({ path }) => path);
}

/** Into the work tree, uncommitted: from the commit on it is the team's own, and memdir does not touch it again. */
export function giveToRepository(
  { skills }: OpenShelf,
  { name, text }: StoredSkill,
): readonly { readonly path: string; readonly state: "written" | "same" | "taken" }[] {
  if (skills.locations.project === undefined)
    throw new MemoryError("invalid-input", "there is no repository here to give a skill to");
  return PUBLISH_TARGETS.flatMap((client) => {
    const path = skills.folders.target(client, "project", name);
    return path === undefined ? [] : [{ path, state: skills.folders.give(path, text) }];
  });
}

/** For uninstall: every copy of memdir's own, of all projects; changed ones stay and are named. */
export function withdrawAll(skills: Skills): { readonly removed: readonly string[]; readonly kept: readonly string[] } {
  const copies = skills.folders.published().map(({ path }) => ({ path, result: skills.folders.withdraw(path) }));
  return {
    removed: copies.filter(({ result }) => result === "removed").map(({ path }) => path),
    kept: copies.filter(({ result }) => result === "kept").map(({ path }) => path),
  };
}
