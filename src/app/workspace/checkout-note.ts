import { rememberCheckout } from "./checkouts.ts";
import type { Locations } from "./locations.ts";

/** Records where the current project is, once there is something of it to find again: notes, a mode or a checkpoint. */
export function noteCheckout({
  memdirHome,
  project,
  stores,
}: Pick<Locations, "memdirHome" | "project" | "stores">): void {
  const directory = stores.find(({ scope }) => scope === "project")?.directory;
  if (project !== undefined && directory !== undefined) rememberCheckout(memdirHome, project, directory);
}
