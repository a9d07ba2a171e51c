import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { slugOf } from "../../core/notes/names.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord, record } from "../../core/shared/json.ts";
import { SKILLS_MODES, type SkillsMode } from "../../core/skills/types.ts";
import type { Locations } from "./locations.ts";
import { changeSettings, readAllSettings, settingsFile } from "./settings.ts";

/** `skills` of settings.json. */
export interface SkillSettings {
  /** Default `observe`: candidates and drafts, but no offers. */
  readonly mode: SkillsMode;
  /** `ask`: memdir may rerun a check once the user approved it. `never`: it runs none. */
  readonly check: "ask" | "never";
  /** By skills directory: the clients whose folders the user allowed to receive copies of promoted skills. */
  readonly publish: Readonly<Record<string, readonly string[]>>;
  /** Ids of skills that the user removed from the clients' folders. */
  readonly unpublished: readonly string[];
}

/** @throws MemoryError `invalid-input` for an unknown mode. */
export function readSkillSettings(memdirHome: string): SkillSettings {
  const skills = record(readAllSettings(memdirHome)["skills"]);
  const where = `"skills.mode" in ${settingsFile(memdirHome)}`;
  return {
    mode: skills["mode"] === undefined ? "observe" : parseSkillsMode(String(skills["mode"]), where),
    check: skills["check"] === "never" ? "never" : "ask",
    publish: Object.fromEntries(
      Object.entries(record(skills["publish"])).map(([place, clients]) => [place, texts(clients)]),
    ),
    unpublished: texts(skills["unpublished"]),
  };
}

export function readSkillsMode(memdirHome: string): SkillsMode {
  return readSkillSettings(memdirHome).mode;
}

/** Writes the change and keeps everything else in `skills`. */
export function changeSkillSettings(memdirHome: string, change: Partial<SkillSettings>): void {
  const before = readAllSettings(memdirHome)["skills"];
  changeSettings(memdirHome, { skills: { ...(isRecord(before) ? before : {}), ...change } });
}

/** @throws MemoryError `invalid-input`, listing the valid modes. */
export function parseSkillsMode(word: string, where?: string): SkillsMode {
  const mode = SKILLS_MODES.find((one) => one === word);
  if (mode === undefined)
    throw new MemoryError(
      "invalid-input",
      `${where === undefined ? `unknown mode of skills "${word}"` : `${where} is "${word}"`}; use observe, confirm, auto or off`,
    );
  return mode;
}

/** The directories of skills. */
export interface SkillsPlace {
  readonly root: string;
  readonly user: string;
  /** `undefined` with `--dir`, which names notes but no project. */
  readonly project: string | undefined;
}

/** All worktrees of a repository share one directory; a renamed or moved repository keeps its own. */
export function skillsPlace({
  memdirHome,
  project,
  formerly,
}: Pick<Locations, "memdirHome" | "project" | "formerly">): SkillsPlace {
  const root = path.join(memdirHome, "skills");
  const slugs =
    project === undefined ? [] : [project.slug, ...project.aliases, ...formerly.map((one) => slugOf(one.root))];
  const places = slugs.map((slug) => path.join(root, "projects", slug));
  const present = places.find((place) => nodeFiles.stat(place) !== undefined);
  return { root, user: path.join(root, "user"), project: present ?? places[0] };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
