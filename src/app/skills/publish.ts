import { MemoryError } from "../../core/shared/errors.ts";
import { PUBLISH_TARGETS, type PublishClient } from "../../core/skills/offer.ts";
import type { StoredSkill } from "../../core/skills/store.ts";
import { changeSkillSettings } from "../workspace/skills-mode.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { openSkills } from "./open-skills.ts";
import type { OpenShelf } from "./shelf.ts";

export interface PublishedTo {
  readonly path: string;
  /** `foreign`, `changed`: a file of the user's is there and stays. `absent`: no room among the published ones. */
  readonly state: "ours" | "foreign" | "changed" | "absent";
}

/** Lets memdir copy promoted skills of this scope into these clients' folders. @throws MemoryError `refused` */
export function publishSkill(
  shelf: OpenShelf,
  { name, scope, skill, standing }: StoredSkill,
  clients: readonly PublishClient[],
): readonly PublishedTo[] {
  const { skills } = shelf;
  if (standing.current.state.stage !== "promoted") throw notPromoted(name, standing);
  const place = skills.directoryOf(scope) ?? "";
  const { publish, unpublished } = skills.settings();
  shelf.change(() =>
    changeSkillSettings(skills.locations.memdirHome, {
      publish: { ...publish, [place]: [...new Set([...(publish[place] ?? []), ...clients])] },
      unpublished: unpublished.filter((id) => id !== skill.id),
    }),
  );
  return clients.flatMap((client) => {
    const path = skills.folders.target(client, scope, name);
    return path === undefined ? [] : [{ path, state: skills.folders.stateOf(path) }];
  });
}

/** Whether the user agreed to copies of this scope's skills before. */
export function isPublishAgreed(
  { skills }: OpenShelf,
  { scope }: StoredSkill,
  clients: readonly PublishClient[],
): boolean {
  const agreed = skills.settings().publish[skills.directoryOf(scope) ?? ""] ?? [];
  return clients.every((client) => agreed.includes(client));
}

/** Removes a skill's copies from the clients' folders permanently. */
export function unpublishSkill(shelf: OpenShelf, { skill }: StoredSkill): readonly string[] {
  const { skills } = shelf;
  const before = skills.folders.published().filter((copy) => copy.skill === skill.id);
  const { unpublished } = skills.settings();
  shelf.change(() =>
    changeSkillSettings(skills.locations.memdirHome, { unpublished: [...new Set([...unpublished, skill.id])] }),
  );
  return before.map(({ path }) => path);
}

function notPromoted(name: string, { current }: StoredSkill["standing"]): MemoryError {
  const { stage } = current.state;
  return new MemoryError(
    "refused",
    stage === "human"
      ? `you edited ${name}, so it is yours: copy its file to where you want it`
      : `${name} is ${stage}; only a promoted skill is published (\`memdir skill promote ${name}\` is your word for it)`,
  );
}

/**
 * Writes a skill into the working tree, uncommitted. It then belongs to the team, and memdir does not change it again.
 * Only promoted skills are placed in clients' folders. @throws MemoryError `refused`, `invalid-input`
 */
export function giveToRepository(
  { skills, change }: OpenShelf,
  { name, text, standing }: StoredSkill,
): readonly { readonly path: string; readonly state: "written" | "same" | "taken" }[] {
  if (standing.current.state.stage !== "promoted") throw notPromoted(name, standing);
  if (skills.locations.project === undefined)
    throw new MemoryError("invalid-input", "there is no repository here to give a skill to");
  return change(() =>
    PUBLISH_TARGETS.flatMap((client) => {
      const path = skills.folders.target(client, "project", name);
      return path === undefined ? [] : [{ path, state: skills.folders.give(path, text) }];
    }),
  );
}

/** Copies that uninstalling removes: of all clients, or of the named ones. */
export function publishedCopies({ locations, clock }: OpenWorkspace, clients: readonly string[]): readonly string[] {
  const { folders } = openSkills(locations, { clock });
  return folders.published().flatMap(({ path, client }) => (isMeant(client, clients) ? [path] : []));
}

/** Codex, Gemini CLI and OpenCode read the same folder: it is emptied only if all three are named. */
function isMeant(client: PublishClient, clients: readonly string[]): boolean {
  if (clients.length === 0) return true;
  return client === "claude"
    ? clients.includes("claude-code")
    : ["codex", "gemini", "opencode"].every((one) => clients.includes(one));
}

/** Removes copies and the permission to make new ones; returns copies that the user changed, which stay. */
export function withdrawCopies(workspace: OpenWorkspace, clients: readonly string[]): readonly string[] {
  const paths = publishedCopies(workspace, clients);
  if (paths.length === 0) return [];
  const { locations, clock } = workspace;
  const skills = openSkills(locations, { clock });
  const { publish } = skills.settings();
  changeSkillSettings(locations.memdirHome, {
    publish: Object.fromEntries(
      Object.entries(publish).map(([place, names]) => [
        place,
        names.filter((name) => !PUBLISH_TARGETS.some((client) => client === name && isMeant(client, clients))),
      ]),
    ),
  });
  return paths.filter((path) => skills.folders.withdraw(path) === "kept");
}
