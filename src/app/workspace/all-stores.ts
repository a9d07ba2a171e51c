import fs from "node:fs";
import path from "node:path";
import { type Locations, location, type StoreLocation } from "./locations.ts";

/** A store on this machine and what names it: a project's slug, a group's name, a type of sub-agent. */
export interface NamedStore {
  readonly place: StoreLocation;
  readonly name: string;
}

/** Every store of this person's that is on this machine; links to another are left out, so that each comes once. */
export function allStores(locations: Locations): readonly NamedStore[] {
  const { memdirHome, configDirectory } = locations;
  const found: NamedStore[] = [
    { place: location(memdirHome, "user", path.join(memdirHome, "user", "memory")), name: "user" },
    ...namesIn(path.join(memdirHome, "groups")).map((name) => ({
      place: location(memdirHome, "group", path.join(memdirHome, "groups", name, "memory")),
      name,
    })),
    ...namesIn(path.join(memdirHome, "local")).map((name) => ({
      place: location(memdirHome, "local", path.join(memdirHome, "local", name, "memory")),
      name,
    })),
    ...namesIn(path.join(configDirectory, "agent-memory")).map((name) => ({
      place: location(memdirHome, "agent-user", path.join(configDirectory, "agent-memory", name)),
      name,
    })),
    ...projectStoresIn(locations, configDirectory),
    ...projectStoresIn(locations, memdirHome),
    ...locations.stores.map((place) => ({ place, name: nameOf(locations, place) })),
  ];
  const seen = new Set<string>();
  return found.filter(({ place: { directory } }) => {
    if (seen.has(directory) || !isDirectory(directory)) return false;
    seen.add(directory);
    return true;
  });
}

/** The stores of all projects under one home, each with its team's. */
export function projectStoresIn({ memdirHome }: Pick<Locations, "memdirHome">, base: string): readonly NamedStore[] {
  return namesIn(path.join(base, "projects")).flatMap((name) => {
    const directory = path.join(base, "projects", name, "memory");
    return [
      { place: { ...location(memdirHome, "project", directory), excluded: ["team"] }, name },
      { place: location(memdirHome, "team", path.join(directory, "team")), name },
    ].filter(({ place }) => isDirectory(directory) && isDirectory(place.directory));
  });
}

/** How a store in force here is named in an export. */
export function nameOf({ project, group, agentType }: Locations, { scope }: StoreLocation): string {
  if (scope === "user") return "user";
  if (scope === "group") return group ?? "group";
  return scope.startsWith("agent") ? (agentType ?? "agent") : (project?.slug ?? "here");
}

function namesIn(directory: string): readonly string[] {
  return fs.existsSync(directory) ? fs.readdirSync(directory).toSorted() : [];
}

/** Not through a link: what it leads to is found at its own place. */
function isDirectory(directory: string): boolean {
  return fs.lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
}
