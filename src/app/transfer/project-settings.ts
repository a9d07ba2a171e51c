import { isRecord, record } from "../../core/shared/json.ts";
import type { ProjectSettings } from "../workspace/operation-records.ts";
import { changeSettings, readAllSettings } from "../workspace/settings.ts";

function readProjectSettings(memdirHome: string): ProjectSettings {
  const all = readAllSettings(memdirHome);
  return { modes: all["modes"], team: all["team"], capture: all["capture"], groups: all["groups"] };
}

/**
 * What is set for one root is set for another, which keeps what it has of its own. `isGone`: nothing is at the first any
 * more, so it stays set for the second alone. `undefined` where there is nothing to change.
 */
export function carrySettings(
  memdirHome: string,
  { from, to, isGone }: { readonly from: string; readonly to: string; readonly isGone: boolean },
): { readonly before: ProjectSettings; readonly after: ProjectSettings } | undefined {
  const before = readProjectSettings(memdirHome);
  const inSection = (section: unknown): unknown => {
    const projects = record(record(section)["projects"]);
    if (!Object.hasOwn(projects, from)) return section;
    const { [from]: own, ...others } = projects;
    return { ...record(section), projects: { [to]: own, ...others, ...(!isGone && { [from]: own }) } };
  };
  const inGroup = (roots: unknown): unknown =>
    Array.isArray(roots) && roots.includes(from)
      ? [...new Set([...roots.filter((root) => !isGone || root !== from), to])]
      : roots;
  const after: ProjectSettings = {
    modes: inSection(before.modes),
    team: inSection(before.team),
    capture: inSection(before.capture),
    groups: isRecord(before.groups)
      ? Object.fromEntries(Object.entries(before.groups).map(([name, roots]) => [name, inGroup(roots)]))
      : before.groups,
  };
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  writeProjectSettings(memdirHome, after);
  return { before, after };
}

/** Brings earlier settings back; `false` where they were changed since, which then stay. */
export function restoreSettings(
  memdirHome: string,
  { before, after }: { readonly before: ProjectSettings; readonly after: ProjectSettings },
): boolean {
  if (JSON.stringify(readProjectSettings(memdirHome)) !== JSON.stringify(after)) return false;
  writeProjectSettings(memdirHome, before);
  return true;
}

function writeProjectSettings(memdirHome: string, { modes, team, capture, groups }: ProjectSettings): void {
  const section = (value: unknown): object | undefined => (isRecord(value) ? value : undefined);
  changeSettings(memdirHome, {
    modes: section(modes),
    team: section(team),
    capture: section(capture),
    groups: section(groups),
  });
}
