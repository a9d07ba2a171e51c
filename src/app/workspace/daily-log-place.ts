import { existsSync } from "node:fs";
import { modeIn } from "./modes.ts";
import type { RecalledLogs } from "../../core/notes/daily-log.ts";
import type { ReadableStore } from "../../core/notes/store.ts";
import type { Locations } from "./locations.ts";

/** Where the logs of a person's days are, and memdir's own state of them. */
export interface LogPlace {
  readonly directory: string;
  readonly state: string;
}

/** `undefined` where there is no user's scope, or it is off: then nothing is looked at. */
export function logPlace({ stores, modes }: Pick<Locations, "stores" | "modes">): LogPlace | undefined {
  const user = stores.find(({ scope }) => scope === "user");
  return user === undefined || modeIn(modes, "user").mode === "off"
    ? undefined
    : { directory: user.directory, state: `${user.state}/daily-log` };
}

/** How entries name the project that somebody works in: its root, short where it is below the home. */
export function projectLabel({ project, home }: Pick<Locations, "project" | "home">): string | undefined {
  if (project === undefined) return undefined;
  return project.root.startsWith(`${home}/`) ? `~${project.root.slice(home.length)}` : project.root;
}

/** The logs where an index of them is there. Without one, a directory of this year or the last says that there is something to index. */
export function logsForRecall(
  locations: Locations,
  open: (place: LogPlace) => ReadableStore,
  outdated: () => never,
): RecalledLogs | undefined {
  const place = logPlace(locations);
  if (place === undefined) return undefined;
  if (existsSync(`${place.state}/index.db`)) return { store: open(place), project: projectLabel(locations) };
  const year = new Date().getFullYear();
  return [year, year - 1].some((one) => existsSync(`${place.directory}/${one}`)) ? outdated() : undefined;
}
