import path from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";
import { changeSettings, readAllSettings } from "./settings.ts";
import { record } from "../../core/shared/json.ts";
import { holdsToken } from "../../core/shared/sanitize.ts";

/** A named directory of notes that several projects share. */
export interface Group {
  readonly name: string;
  /** Roots of the projects in it. */
  readonly projects: readonly string[];
}

/** The `groups` and `team` of settings.json. */
export interface ScopeSettings {
  readonly groups: readonly Group[];
  /** The team's notes directory relative to a project's root, for all projects without their own setting. */
  readonly teamEverywhere: string | undefined;
  readonly teamOf: Readonly<Record<string, string>>;
}

export function readScopeSettings(memdirHome: string): ScopeSettings {
  const settings = readAllSettings(memdirHome);
  const team = record(settings["team"]);
  return {
    groups: Object.entries(record(settings["groups"])).map(([name, projects]) => ({
      name,
      projects: Array.isArray(projects) ? projects.map(String) : [],
    })),
    teamEverywhere: text(team["directory"]),
    teamOf: Object.fromEntries(
      Object.entries(record(team["projects"])).flatMap(([root, directory]) =>
        text(directory) === undefined ? [] : [[root, String(directory)]],
      ),
    ),
  };
}

export function writeGroups(memdirHome: string, groups: readonly Group[]): void {
  changeSettings(memdirHome, {
    groups: groups.length === 0 ? undefined : Object.fromEntries(groups.map(({ name, projects }) => [name, projects])),
  });
}

/** Sets one project's team directory; `undefined` restores the private one. */
export function writeTeam(memdirHome: string, root: string, directory: string | undefined): void {
  const { teamEverywhere, teamOf } = readScopeSettings(memdirHome);
  const projects = Object.fromEntries([
    ...Object.entries(teamOf).filter(([one]) => one !== root),
    ...(directory === undefined ? [] : [[root, directory]]),
  ]);
  const team = {
    ...(teamEverywhere !== undefined && { directory: teamEverywhere }),
    ...(Object.keys(projects).length > 0 && { projects }),
  };
  changeSettings(memdirHome, { team: Object.keys(team).length === 0 ? undefined : team });
}

/** The group of a project, by its root, otherwise by a former root. */
export function groupOf({ groups }: ScopeSettings, ...roots: readonly string[]): Group | undefined {
  return roots.flatMap((root) => groups.find(({ projects }) => projects.includes(root)) ?? [])[0];
}

/** The team's directory in settings, under the first root that has one; absolute; `undefined` if private. */
export function teamDirectory(
  { teamOf, teamEverywhere }: ScopeSettings,
  root: string,
  roots: readonly string[] = [root],
): string | undefined {
  const given = roots.map((one) => teamOf[one]).find((one) => one !== undefined) ?? teamEverywhere;
  return given === undefined ? undefined : path.resolve(root, given);
}

/** Checks that a name can be a directory and is not a token. @throws MemoryError `invalid-input`, `refused`. */
export function checkName(name: string, what: string): string {
  if (holdsToken(name))
    throw new MemoryError("refused", `${what} looks like a secret; nothing was written. Give it another name`);
  if (isName(name)) return name;
  throw new MemoryError(
    "invalid-input",
    `"${name}" cannot be ${what}: use letters, digits, "-", "_" and ".", at most 64`,
  );
}

export function isName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
